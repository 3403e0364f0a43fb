//! `komadai kifu stats` as its users run it.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{komadai, text};

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("a.usi", "startpos moves 7g7f 3c3d resign\nstartpos moves 7g7f 8c8d 2g2f resign\n");
    write(
        "b.csa",
        "V2.2\nN+A\nN-B\n'black_rate:A:3010.0\nPI\n+\n+2726FU\nT1\n-8384FU\nT1\n%SENNICHITE\n",
    );
    write("c.kif", "先手：B\n後手：A\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 投了\n");
    write("broken.csa", "this is no game");
    write("notes.txt", "not read");
    folder
}

#[test]
fn games_of_all_formats_are_counted_and_broken_files_passed() {
    let folder = folder();
    let output = komadai("kifu")
        .args(["stats", ".", "--plies", "1", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("broken.csa"), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |pointer: &str| found.pointer(pointer).and_then(Value::as_f64);
    assert_eq!((number("/games"), number("/failed_files")), (Some(4.0), Some(1.0)));
    let results = ["black", "white", "draws"].map(|side| number(&format!("/results/{side}")));
    assert_eq!(results, [Some(2.0), Some(1.0), Some(1.0)]);
    assert_eq!((number("/plies/shortest"), number("/plies/longest")), (Some(1.0), Some(3.0)));
    assert_eq!(found["first_moves"][0]["moves"], "7g7f");
    assert_eq!(found["ratings"][0]["from"], 3_000);
    let players = &found["players"];
    assert_eq!((&players[0]["name"], &players[0]["rating"]), (&"A".into(), &3_010.0.into()));
    assert_eq!((&players[1]["wins"], &players[1]["draws"]), (&1.into(), &1.into()));
}

#[test]
fn a_folder_without_games_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.kif"), "no game").unwrap();
    let output = komadai("kifu").arg("stats").arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no game was found in 1 files"));
}

/// The first mino of Black, a boat of White.
const CASTLES: &str = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h \
                       3c3d 4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";

#[test]
fn castles_are_counted_with_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let games = format!("startpos moves {CASTLES} resign\nstartpos moves {CASTLES} 8h9h\n");
    fs::write(folder.path().join("games.usi"), games).unwrap();
    let run = |arguments: &[&str]| {
        let stats = ["stats", "games.usi", "--castles"];
        komadai("kifu").args(stats).args(arguments).current_dir(folder.path()).output().unwrap()
    };
    let output = run(&["--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [mino, boat] = &found["castles"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(mino["castle"]["english"], "mino");
    assert_eq!((&mino["losses"], &mino["share"]), (&1.into(), &0.0.into()));
    assert_eq!((&boat["castle"]["japanese"], &boat["wins"]), (&"舟囲い".into(), &1.into()));
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(2));
    assert!(found["castles"][0]["above_ratings"].is_null());
    let printed = text(&run(&[]).stdout);
    let row = printed.lines().find(|line| line.starts_with("mino ")).expect("a row");
    assert!(row.contains("美濃囲い") && row.contains(" 0.0  [0.0, "), "{printed}");
    assert!(printed.contains("mino – boat"), "{printed}");
    let stats = ["stats", "games.usi", "--strategies", "--json"];
    let output = komadai("kifu").args(stats).current_dir(folder.path()).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [fourth] = &found["strategies"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(fourth["strategy"]["japanese"], "四間飛車");
    assert_eq!((&fourth["losses"], &found["without"]), (&1.into(), &1.into()));
    let unknown = run(&["--player", "nobody"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("no game has the player \"nobody\""));
    let alone = komadai("kifu").args(["stats", ".", "--player", "A"]).output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn castles_and_strategies_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.usi"), format!("startpos moves {CASTLES} resign\n"))
        .unwrap();
    let run = |arguments: &[&str]| {
        komadai("kifu").arg("names").args(arguments).current_dir(folder.path()).output().unwrap()
    };
    let found = text(&run(&["games.usi"]).stdout);
    let line = found.lines().find(|line| line.contains("\tmino\t")).expect("a line");
    let cells: Vec<&str> = line.split('\t').skip(1).collect();
    assert_eq!(cells, ["black", "19", "castle", "mino", "mino", "美濃囲い"]);
    assert!(found.contains("\tblack\t3\tstrategy\tshiken\t"), "{found}");
    let list = text(&run(&["--list"]).stdout);
    assert!(list.lines().count() > 200 && list.contains("\tK2h/3i S3h G4i G5h\tbioshogi"));
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["missing"]).status.code(), Some(1));
}
