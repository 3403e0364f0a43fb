//! Commands that work on folders of games: conversion and analysis.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{komadai, text};

const GAME: &str =
    "V2\nN+ICHIRO\nN-JIRO\n$START_TIME:2026/11/30\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n";

/// A folder with a game, two games in one file of a subfolder, and a file that is none.
fn games() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("in/sub")).unwrap();
    let two = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
    for (name, content) in
        [("in/one.csa", GAME), ("in/sub/two.usi", two), ("in/bad.csa", "no game")]
    {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn run(folder: &TempDir, program: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = komadai(program);
    command.args(arguments).current_dir(folder.path()).env("LC_ALL", "C");
    let output = command.output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true => found.extend(files_below(&path).iter().map(|inner| format!("{name}/{inner}"))),
            false => found.push(name),
        }
    }
    found.sort();
    found
}

#[test]
fn a_folder_is_converted_a_file_a_game() {
    let folder = games();
    // The faulty file is named, and the others are converted.
    for jobs in ["1", "3"] {
        let (code, printed, messages) =
            run(&folder, "convert", &["in", "out", "--to", "kif", "--jobs", jobs, "-q", "--force"]);
        assert_eq!(code, Some(1), "{messages}");
        assert!(messages.contains("bad.csa"), "{messages}");
        assert!(printed.starts_with("out: 3 games\n"), "{printed}");
        let files = ["one.kif", "sub/two-1.kif", "sub/two-2.kif"];
        assert_eq!(files_below(&folder.path().join("out")), files);
    }
    let (code, board, _) = run(&folder, "board", &["out/sub/two-2.kif", "--style", "letters"]);
    assert!(code == Some(0) && board.contains("move 3"), "{board}");
    // Nothing is replaced without --force, and the output is no input.
    fs::remove_file(folder.path().join("in/bad.csa")).unwrap();
    let (code, printed, messages) = run(&folder, "convert", &["in", "out/", "--to", "kif", "-q"]);
    assert_eq!((code, printed.as_str()), (Some(1), "out/: 0 games\n"), "{messages}");
    assert!(messages.contains("one.kif exists; --force replaces it"), "{messages}");
    for _ in 0..2 {
        let (code, printed, messages) =
            run(&folder, "convert", &["in", "in/new", "--to", "csa", "-q", "--force"]);
        assert_eq!(code, Some(0), "{messages}");
        assert!(printed.starts_with("in/new: 3 games\n"), "{printed}");
    }
    // A file with several games, and all games on standard output.
    let (code, _, messages) =
        run(&folder, "convert", &["in/sub/two.usi", "two/", "--to", "jkf", "-q"]);
    assert_eq!(code, Some(0), "{messages}");
    assert_eq!(files_below(&folder.path().join("two")), ["two-1.jkf", "two-2.jkf"]);
    let (code, printed, _) = run(&folder, "convert", &["in/sub", "-", "--to", "usi"]);
    assert_eq!((code, printed.lines().count()), (Some(0), 2), "{printed}");
    for (arguments, code, expected) in [
        (&["in", "out"][..], 2, "--to names the format"),
        (&["in", "out", "--to", "kif", "--game", "1"], 2, "--game takes a game"),
        (&["none", "out/", "--to", "kif"], 1, "none"),
        (&["two", "new/", "--to", "png"], 2, "csa, kif"),
    ] {
        let (found, _, messages) = run(&folder, "convert", arguments);
        assert!(found == Some(code) && messages.contains(expected), "{arguments:?}: {messages}");
    }
}

#[test]
fn the_games_of_a_folder_get_pages_and_a_list() {
    let folder = games();
    let options = ["in", "--out", "pages", "--nodes", "200", "--mate-nodes", "50", "-q"];
    let (code, _, messages) = run(&folder, "analyse", &options);
    assert_eq!(code, Some(1), "{messages}");
    assert!(messages.contains("bad.csa"), "{messages}");
    assert!(messages.contains("3 pages written, 0 kept: pages/index.html"), "{messages}");
    let pages = folder.path().join("pages");
    let expected = ["index.html", "index.json", "one.html", "sub/two-1.html", "sub/two-2.html"];
    assert_eq!(files_below(&pages), expected);
    let index = fs::read_to_string(pages.join("index.html")).unwrap();
    for part in
        ["ICHIRO", "JIRO", "2026/11/30", "White resigns", "href=\"sub/two-2.html\"", "3 games"]
    {
        assert!(index.contains(part), "no {part:?} in {index}");
    }
    let list: Value =
        serde_json::from_str(&fs::read_to_string(pages.join("index.json")).unwrap()).unwrap();
    let game = &list["one.html"];
    assert!(game["black"]["has_won"] == true && game["moves"] == 3, "{list}");
    assert!(game["black"]["average_loss"].is_number(), "{list}");
    // Pages are kept, and a page that is missing is made again.
    fs::remove_file(folder.path().join("in/bad.csa")).unwrap();
    fs::remove_file(pages.join("sub/two-1.html")).unwrap();
    let (code, _, messages) = run(&folder, "analyse", &options);
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("1 pages written, 2 kept"), "{messages}");
    assert_eq!(fs::read_to_string(pages.join("index.html")).unwrap(), index);
    let (_, _, messages) = run(&folder, "analyze", &[&options[..], &["--force"]].concat());
    assert!(messages.contains("3 pages written, 0 kept"), "{messages}");
    fs::write(pages.join("index.json"), "[]").unwrap();
    let (code, _, messages) = run(&folder, "analyse", &options);
    assert!(code == Some(1) && messages.contains("not the list of an earlier run"), "{messages}");
}

#[test]
fn the_bundled_game_needs_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--demo", "--to", "3", "--nodes", "100", "--mate-nodes", "0", "-q"];
    let (code, printed, messages) =
        run(&folder, "analyse", &[&options[..], &["--html", "game.html"]].concat());
    assert_eq!(code, Some(0), "{messages}");
    assert!(printed.contains("average loss"), "{printed}");
    let page = fs::read_to_string(folder.path().join("game.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    let (code, _, _) = run(&folder, "analyse", &["--demo", "game.csa"]);
    assert_eq!(code, Some(2));
}
