//! Pages and graphs about games.

use std::fs;
use std::path::Path;

use komadai_testdata::kifu;
use tempfile::TempDir;

use crate::{komadai, text};

/// Runs the command in a folder, and returns the exit code and what was printed.
fn page(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = komadai("page").args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn folder_with(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = kifu::samples().chain(kifu::kif_samples()).find(|sample| sample.name == name);
    fs::write(folder.path().join("game"), sample.unwrap().bytes).unwrap();
    folder
}

#[test]
fn pages_and_graphs_are_written() {
    let folder = folder_with("skc__csa_floodgate.csa");
    let arguments = ["game", "out.html", "--graph", "graph.svg", "--lang", "ja"];
    let (code, printed, messages) = page(folder.path(), &arguments);
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "125 moves, 125 evaluations"));
    assert!(lines[1].chars().count() <= 80 && lines[1].ends_with("████"), "{printed}");
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    let html = read("out.html");
    assert!(html.contains("<html lang=\"ja\">") && html.contains("▲２六歩"));
    let graph = read("graph.svg");
    assert!(graph.starts_with("<svg xmlns") && graph.contains(">▲ 先手</text>"));
    // Both on standard output, and in English.
    let (_, english, _) = page(folder.path(), &["game", "-"]);
    assert!(english.starts_with("<!doctype html>\n<html lang=\"en\">") && english.contains("P-2f"));
    let options = ["--graph", "-", "--title", "A & B", "--notation", "usi"];
    let (_, graph, _) = page(folder.path(), &[&["game"][..], &options].concat());
    assert!(graph.starts_with("<svg xmlns") && graph.contains(">A &amp; B</text>"));
    let (_, kanji, _) = page(folder.path(), &["game", "-", "--style", "kanji"]);
    assert!(kanji.contains("data-pieces=\"kanji\""));
}

#[test]
fn one_game_of_several_can_be_chosen() {
    let folder = folder_with("hand__csa_multi.csa");
    let (code, printed, _) = page(folder.path(), &["game", "out.html", "--game", "2"]);
    assert_eq!(code, Some(0), "{printed}");
    let (code, _, messages) = page(folder.path(), &["game", "out.html", "--game", "3"]);
    assert!(code == Some(1) && messages.contains("no game 3 of 2"), "{messages}");
}

#[test]
fn bad_usage_and_failures_have_their_codes() {
    let folder = folder_with("hand__csa_multi.csa");
    for (arguments, code, expected) in [
        (&["game"][..], 2, "expected an HTML file to write, or --graph"),
        (&["game", "-", "--graph", "-"], 2, "only one of page and graph"),
        (&["game", "out.html", "--lang", "fr"], 2, "en, ja"),
        (&["game", "out.html", "--notation", "x"], 2, "expected a notation"),
        (&["none", "out.html"], 1, "none"),
        (&["game", "no/folder.html"], 1, "cannot write"),
        (&["game", "out.html", "--game", "0"], 1, "no game 0"),
    ] {
        let (found, printed, messages) = page(folder.path(), arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert_eq!(printed, "", "{arguments:?}");
    }
}

/// The game of the pictures in `docs`.
const GAME: &str = "crates/komadai-testdata/data/kifu/samples/skc__csa_WCSC32_F7_NBS_DLS.csa";

/// The commands of the pictures, as the README of `komadai-report` lists them.
const PICTURES: [(&str, &str); 2] = [
    ("position.svg", "board $game --ply 170 --arrow 8g9h:good --arrow 8g8h:bad --svg"),
    ("graph.svg", "page $game --graph"),
];

#[test]
fn pictures_of_the_documents_are_what_their_commands_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("crates/komadai-report/README.md")).unwrap();
    assert!(readme.contains(&format!("game={GAME}\n")));
    for (name, command) in PICTURES {
        let written = format!("komadai {command} docs/{name}");
        assert!(readme.contains(&written), "the README has no `{written}`");
        let words = command.split(' ').map(|word| if word == "$game" { GAME } else { word });
        let words: Vec<&str> = words.chain(["-"]).collect();
        let output = komadai(words[0]).args(&words[1..]).current_dir(&root).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let committed = fs::read_to_string(root.join("docs").join(name)).unwrap();
        assert!(text(&output.stdout) == committed, "draw it again: {written}");
        assert!(readme.contains(&format!("/docs/{name})")), "the README does not show {name}");
    }
}
