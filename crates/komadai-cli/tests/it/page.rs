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
        (&["game"][..], 2, "expected an HTML file to write, or --graph, --gif"),
        (&["game", "-", "--graph", "-"], 2, "only one file"),
        (&["game", "out.html", "--lang", "fr"], 2, "en, ja"),
        (&["game", "out.html", "--notation", "x"], 2, "expected a notation"),
        (&["none", "out.html"], 1, "none"),
        (&["game", "no/folder.html"], 1, "cannot write"),
        (&["game", "out.html", "--game", "0"], 1, "no game 0"),
        (&["game", "--gif", "-", "--apng", "-"], 2, "only one file"),
        (&["game", "--gif", "a.gif", "--to", "400"], 1, "there is no ply 400"),
        (
            &["game", "--gif", "a.gif", "--from", "2", "--to", "1"],
            2,
            "--from 2 after the last ply 1",
        ),
        (&["game", "--gif", "a.gif", "--line", "1"], 1, "there is no variation 1 of 0"),
        (&["game", "--gif", "a.gif", "--delay", "5"], 2, "20..=60000"),
        (&["game", "out.html", "--delay", "500"], 2, "--gif"),
        (&["game", "--gif", "no/folder.gif"], 1, "cannot write"),
    ] {
        let (found, printed, messages) = page(folder.path(), arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert_eq!(printed, "", "{arguments:?}");
    }
}

/// The sizes, delays and positions on the page of the pictures of a GIF file.
fn gif_frames(bytes: &[u8]) -> Vec<(u16, u16, u16)> {
    let mut reader = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = reader.read_next_frame().unwrap() {
        frames.push((frame.width, frame.height, frame.delay));
    }
    frames
}

#[test]
fn games_and_their_lines_become_animations() {
    let folder = folder_with("skc__csa_floodgate.csa");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let options = ["--from", "10", "--to", "14", "--delay", "500", "--last-delay", "2000"];
    let files = ["--gif", "a.gif", "--apng", "a.png", "--png", "last.png", "--width", "200"];
    let arguments = [&["game", "--lang", "ja"][..], &files, &options].concat();
    let (code, printed, messages) = page(folder.path(), &arguments);
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    assert!(printed.starts_with("125 moves, 125 evaluations"), "{printed}");
    let frames = gif_frames(&read("a.gif"));
    assert_eq!(frames.len(), 5);
    assert_eq!(frames.iter().map(|frame| frame.2).collect::<Vec<_>>(), [50, 50, 50, 50, 200]);
    assert_eq!((frames[0].0, frames[0].1), (200, 159));
    assert!(read("a.gif").len() < 60_000, "{}", read("a.gif").len());
    let size = |name: &str| {
        let reader = png::Decoder::new(std::io::Cursor::new(read(name))).read_info().unwrap();
        let frames = reader.info().animation_control.map_or(1, |control| control.num_frames);
        (reader.info().width, reader.info().height, frames)
    };
    assert_eq!(size("a.png"), (200, 159, 5));
    // The graph is below the board.
    assert_eq!(size("last.png"), (200, 159 + 62, 1));
    let mut to_stdout = komadai("page");
    to_stdout.args(["game", "--gif", "-", "--width", "200", "--lang", "ja"]).args(options);
    let output = to_stdout.current_dir(folder.path()).output().unwrap();
    assert!(output.stdout == read("a.gif"), "{}", text(&output.stderr));
}

#[test]
fn variations_and_games_with_fouls_are_shown() {
    let folder = folder_with("kfj__kif_henka.kif");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (code, _, messages) = page(
        folder.path(),
        &[
            "game",
            "--gif",
            "line.gif",
            "--line",
            "1",
            "--width",
            "100",
            "--notation",
            "usi",
            "--flip",
        ],
    );
    assert_eq!(code, Some(0), "{messages}");
    assert!(gif_frames(&read("line.gif")).len() > 1);
    // The bishop cannot jump there: the picture ends before it.
    fs::write(folder.path().join("foul.csa"), "PI\n+\n+7776FU\n-3334FU\n+8899UM\n-1112KY\n")
        .unwrap();
    let arguments = ["foul.csa", "--gif", "foul.gif", "--width", "64", "--title", "A & B"];
    let (code, _, messages) = page(folder.path(), &arguments);
    assert!(gif_frames(&read("foul.gif")).len() >= 3, "{code:?} {messages}");
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
