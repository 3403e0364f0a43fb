//! Damage and updates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use komadai_core::Position;
use komadai_kifu::{FilePlace, Tolerance, parse_usi_games};

use super::{BuildOptions, FileStamp, GameIndex, IndexBuilder, IndexError, IndexedFile};
use crate::summary::GameSummary;

/// The smallest memory, so that runs are written.
const LITTLE: BuildOptions = BuildOptions { memory_bytes: 0, temp_dir: None };

fn stamp(size: u64) -> FileStamp {
    FileStamp { size, modified: Duration::from_secs(1) }
}

/// A file with this many games, each of so many moves that several runs are sorted.
fn games(path: &str, count: u64) -> Vec<GameSummary> {
    let king = ["5i5h", "5a5b", "5h5i", "5b5a"].join(" ");
    (1..=count)
        .map(|game| {
            let line = format!("startpos moves 7g7f 3c3d {}", vec![king.clone(); 30].join(" "));
            let record = parse_usi_games(&line, Tolerance::Strict).unwrap().records.remove(0);
            let place = FilePlace { path: path.into(), entry: None, game };
            GameSummary::with_formations(place, &record)
        })
        .collect()
}

fn build(path: &Path, files: &[(&str, u64)]) {
    let mut builder = IndexBuilder::create(path, &LITTLE).unwrap();
    for &(name, count) in files {
        for game in games(name, count) {
            builder.add(&game).unwrap();
        }
        builder.end_file(name, stamp(count)).unwrap();
    }
    builder.finish(None).unwrap();
}

/// The games, positions and files of an index.
type Content = (Vec<GameSummary>, Vec<u128>, Vec<IndexedFile>);

/// Reads all that an index has.
fn content(path: &Path) -> Result<Content, IndexError> {
    let mut index = GameIndex::open(path)?;
    let size = index.size();
    let games = (0..size.games).map(|number| index.game(number)).collect::<Result<_, _>>()?;
    let entries =
        (0..size.positions).map(|number| index.entry(number)).collect::<Result<_, _>>()?;
    index.visit(Position::hirate().key(), |_| {})?;
    let files = index.into_files().collect::<Result<_, _>>()?;
    Ok((games, entries, files))
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.idx");
    (folder, path)
}

#[test]
fn an_update_is_the_same_as_a_new_index() {
    let (folder, path) = folder();
    build(&path, &[("a", 3), ("b", 2), ("c", 9), ("d", 1), ("f", 4)]);
    // c has changed, d is gone, e is new.
    let mut old = GameIndex::open(&path).unwrap();
    let files = GameIndex::open(&path).unwrap().into_files();
    let files: Vec<IndexedFile> = files.map(Result::unwrap).collect();
    let mut builder = IndexBuilder::create(&path, &LITTLE).unwrap();
    builder.keep(&mut old, &files[0]).unwrap();
    builder.keep(&mut old, &files[1]).unwrap();
    for (name, count) in [("c", 5), ("e", 7)] {
        games(name, count).iter().for_each(|game| builder.add(game).unwrap());
        builder.end_file(name, stamp(count)).unwrap();
    }
    builder.keep(&mut old, &files[4]).unwrap();
    builder.finish(Some(old)).unwrap();

    let fresh = folder.path().join("fresh.idx");
    build(&fresh, &[("a", 3), ("b", 2), ("c", 5), ("e", 7), ("f", 4)]);
    assert_eq!(content(&path).unwrap(), content(&fresh).unwrap());
    assert_eq!(fs::read(&path).unwrap(), fs::read(&fresh).unwrap());
}

#[test]
fn a_damaged_file_is_refused_or_the_same() {
    let (folder, path) = folder();
    build(&path, &[("a", 2), ("b", 60)]);
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 2 * 65_536, "several pages: {}", bytes.len());
    let damaged = folder.path().join("damaged.idx");
    let mut kinds = [0; 3];
    for at in (0..bytes.len()).step_by(4_999).chain(bytes.len() - 140..bytes.len()).chain(0..20) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&damaged, changed).unwrap();
        match content(&damaged).unwrap_err() {
            IndexError::NotAnIndex { .. } => kinds[0] += 1,
            IndexError::Version { .. } => kinds[1] += 1,
            IndexError::Damaged { .. } => kinds[2] += 1,
            other => panic!("{at}: {other}"),
        }
    }
    assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
    for length in (0..bytes.len()).step_by(9_999).chain(0..20) {
        fs::write(&damaged, &bytes[..length]).unwrap();
        assert!(content(&damaged).is_err(), "{length}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    fs::write(&damaged, longer).unwrap();
    assert!(content(&damaged).is_err());
}

#[test]
fn nothing_appears_before_the_end() {
    let (folder, path) = folder();
    let mut builder = IndexBuilder::create(&path, &LITTLE).unwrap();
    builder.add(&games("a", 1)[0]).unwrap();
    drop(builder);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let missing = folder.path().join("none/games.idx");
    assert!(matches!(IndexBuilder::create(missing, &LITTLE), Err(IndexError::Io { .. })));
    // An index without a game is one.
    build(&path, &[]);
    assert_eq!(content(&path).unwrap(), (Vec::new(), Vec::new(), Vec::new()));
}
