//! Folders of training data survive killed processes and refuse what they do not understand.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komadai_data::{
    Dataset, DatasetError, Manifest, Run, SelfPlayGame, SelfPlayOptions, SelfPlayer,
};
use komadai_eval::Material;

fn options() -> SelfPlayOptions {
    SelfPlayOptions { nodes: 30, ..SelfPlayOptions::default() }
}

/// Opens a folder. Another test that starts a program holds a copy of every open file until the
/// program has begun, and with it the lock of a folder that was just closed.
fn open(folder: &Path) -> Dataset {
    for _ in 0..200 {
        match Dataset::open(folder, Run::new("material", options(), 7)) {
            Err(DatasetError::Busy { .. }) => std::thread::sleep(Duration::from_millis(10)),
            opened => return opened.unwrap(),
        }
    }
    panic!("{} stays busy", folder.display())
}

fn games(count: u64) -> Vec<SelfPlayGame> {
    let mut player = SelfPlayer::new(Material, options());
    (0..count).filter_map(|seed| player.play(seed, &AtomicBool::new(false))).collect()
}

fn positions(games: &[SelfPlayGame]) -> u64 {
    games.iter().map(|game| game.positions.len() as u64).sum()
}

/// Returns the SHA-256 of a file as another program computes it; `None` where there is none.
fn sha256sum(path: &Path) -> Option<String> {
    let output = std::process::Command::new("sha256sum").arg(path).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split(' ').next().map(str::to_owned)
}

#[test]
fn files_end_with_whole_games_and_the_manifest_states_them() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(6);
    let mut data = open(folder.path()).with_shard_positions(70);
    for game in &games {
        data.add(game).unwrap();
    }
    assert_eq!(data.positions(), positions(&games));
    let manifest = data.finish().unwrap();
    assert_eq!(manifest.positions(), positions(&games));
    assert_eq!(manifest.games(), 6);
    assert!(manifest.shards().len() > 1, "{manifest:?}");
    for shard in manifest.shards() {
        let path = folder.path().join(&shard.file);
        assert_eq!(fs::metadata(&path).unwrap().len(), shard.positions * 40);
        if let Some(expected) = sha256sum(&path) {
            assert_eq!(shard.sha256, expected);
        }
    }
    assert_eq!(Manifest::read(&folder.path().join("manifest.json")).unwrap(), manifest);
}

#[test]
fn a_killed_process_loses_its_unfinished_game_alone() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(4);
    let mut data = open(folder.path());
    data.add(&games[0]).unwrap();
    data.add(&games[1]).unwrap();
    // No destructor runs in a killed process.
    drop(data);
    let part = folder.path().join("00000.psv.part");
    let mut bytes = fs::read(&part).unwrap();
    let whole = bytes.clone();
    // A torn record behind zeros, as after a crash of the system.
    bytes.extend_from_slice(&[0; 40]);
    bytes.extend_from_slice(&[1; 17]);
    fs::write(&part, &bytes).unwrap();

    let mut data = open(folder.path());
    assert_eq!(data.positions(), positions(&games[..2]));
    assert_eq!(fs::read(folder.path().join("00000.psv")).unwrap(), whole);
    data.add(&games[2]).unwrap();
    let manifest = data.finish().unwrap();
    let [first, second] = manifest.shards() else { panic!("{manifest:?}") };
    assert_eq!((first.run, first.games), (0, 2));
    assert_eq!((second.run, second.games), (1, 1));
    if let Some(expected) = sha256sum(&folder.path().join("00000.psv")) {
        assert_eq!(first.sha256, expected);
    }
}

#[test]
fn a_process_killed_before_the_last_step_of_a_file_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(2);
    let mut data = open(folder.path());
    data.add(&games[0]).unwrap();
    let before = data.finish().unwrap();
    let (path, part) = (folder.path().join("00000.psv"), folder.path().join("00000.psv.part"));
    fs::rename(&path, &part).unwrap();
    let mut data = open(folder.path());
    data.add(&games[1]).unwrap();
    let manifest = data.finish().unwrap();
    assert!(path.exists() && !part.exists());
    assert_eq!(manifest.shards()[0], before.shards()[0]);
    assert_eq!(manifest.positions(), positions(&games));
}

#[test]
fn an_empty_unfinished_file_disappears() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("00000.psv.part"), [0; 39]).unwrap();
    let manifest = open(folder.path()).finish().unwrap();
    assert_eq!(manifest.shards(), []);
    assert!(!folder.path().join("00000.psv.part").exists());
}

#[test]
fn runs_have_seeds_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    let seeds: Vec<u64> = (0..3).map(|game| first.game_seed(game)).collect();
    drop(first);
    let second = open(folder.path());
    assert!((0..3).all(|game| !seeds.contains(&second.game_seed(game))));
    assert_eq!(seeds[0] + 1, seeds[1]);
}

#[test]
fn a_folder_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let _first = open(folder.path());
    let second = Dataset::open(folder.path(), Run::new("material", options(), 7));
    assert!(matches!(second, Err(DatasetError::Busy { .. })), "{second:?}");
}

#[test]
fn foreign_manifests_are_refused_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    let message = |text: &str| {
        fs::write(&path, text).unwrap();
        let error = Dataset::open(folder.path(), Run::new("material", options(), 7)).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        error.to_string()
    };
    assert!(message("{\"name\": 1}").contains("unknown field `name`"));
    let other = message(r#"{"format": "komadai training data 2", "runs": [], "shards": []}"#);
    assert!(other.contains("found format \"komadai training data 2\""), "{other}");
    assert!(message("").contains("EOF"));
}

#[test]
fn files_that_exist_are_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("00000.psv"), [3; 40]).unwrap();
    let mut data = open(folder.path());
    data.add(&games(1)[0]).unwrap();
    data.finish().unwrap();
    assert_eq!(fs::read(folder.path().join("00000.psv")).unwrap(), [3; 40]);
}
