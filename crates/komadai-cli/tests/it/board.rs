//! Positions as text and as pictures.

use std::fs;

use komadai_testdata::kifu;
use tempfile::TempDir;

use crate::{komadai, text};

/// Runs the command in a folder, and returns the exit code and what was printed.
fn board(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = komadai("board").args(arguments).current_dir(folder.path()).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn printed(folder: &TempDir, arguments: &[&str]) -> String {
    let (code, printed, messages) = board(folder, arguments);
    assert_eq!((code, messages.as_str()), (Some(0), ""), "{arguments:?}");
    printed
}

const SFEN: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

#[test]
fn positions_of_the_command_line_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let start = printed(&folder, &[]);
    assert!(start.starts_with("後手の持駒：なし\n") && start.contains("|v香v桂v銀"), "{start}");
    assert_eq!(printed(&folder, &["startpos"]), start);
    let moves = ["startpos", "moves", "7g7f", "3c3d"];
    let letters = printed(&folder, &[&moves[..], &["--style", "letters"]].concat());
    assert!(letters.contains("Black to move, move 3"), "{letters}");
    // One word, several words, and with the words of USI.
    for words in [&[SFEN][..], &SFEN.split(' ').collect::<Vec<_>>(), &["sfen", SFEN]] {
        assert_eq!(printed(&folder, &[words, &["--style", "letters"]].concat()), letters);
    }
    let first = printed(&folder, &[&moves[..], &["--ply", "1", "--style", "letters"]].concat());
    assert!(first.contains("White to move, move 2"), "{first}");
    // A position that breaks a rule is shown.
    assert!(printed(&folder, &["9/9/9/9/9/9/9/9/P8", "b", "-", "1"]).contains("歩"));
}

#[test]
fn every_format_of_games_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csa"), "PI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n").unwrap();
    let expected = printed(&folder, &["a.csa"]);
    assert!(expected.contains("先手の持駒：角\n手数＝3\n後手番\n"), "{expected}");
    for name in ["a.kif", "a.ki2", "a.jkf", "a.usen", "a.usi"] {
        let arguments = ["a.csa", name];
        let converted = komadai("convert").args(arguments).current_dir(folder.path()).output();
        assert!(converted.unwrap().status.success(), "{name}");
        assert_eq!(printed(&folder, &[name]), expected, "{name}");
        let before = printed(&folder, &[name, "--ply", "2"]);
        assert_eq!(before, printed(&folder, &["startpos", "moves", "7g7f", "3c3d"]), "{name}");
    }
    let two = kifu::samples().find(|sample| sample.name == "hand__csa_multi.csa").unwrap();
    fs::write(folder.path().join("two.csa"), two.bytes).unwrap();
    assert_ne!(
        printed(&folder, &["two.csa", "--game", "1"]),
        printed(&folder, &["two.csa", "--game", "2"])
    );
}

#[test]
fn pictures_have_marks_arrows_and_colours() {
    let folder = tempfile::tempdir().unwrap();
    let moves = ["startpos", "moves", "7g7f", "3c3d"];
    let svg = printed(&folder, &[&moves[..], &["--svg", "-"]].concat());
    assert!(svg.starts_with("<svg") && svg.contains("Last move: 3c3d.") && svg.contains('飛'));
    let more = [
        "--svg",
        "b.svg",
        "--arrow",
        "8h2b+:good",
        "--arrow",
        "2g2f",
        "--last-move",
        "7g7f",
        "--flip",
        "--dark",
        "--style",
        "letters",
        "--title",
        "A & <B>",
    ];
    assert_eq!(printed(&folder, &[&moves[..], &more].concat()), "");
    let svg = fs::read_to_string(folder.path().join("b.svg")).unwrap();
    for part in ["Last move: 7g7f. Arrow: 8h2b+ (good). Arrow: 2g2f.", "A &amp; &lt;B&gt;"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains('飛') && !svg.contains("prefers-color-scheme"));
    // Flipped, the first label of a file is at the left.
    assert!(svg.contains("<text x=\"140\" y=\"56\">1</text>"), "{svg}");
}

#[test]
fn pictures_are_written_as_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let size = |bytes: Vec<u8>| {
        let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        (reader.info().width, reader.info().height)
    };
    assert_eq!(printed(&folder, &["--png", "a.png", "--svg", "a.svg"]), "");
    assert_eq!(size(read("a.png")), (640, 477));
    assert!(read("a.svg").starts_with(b"<svg"));
    let more =
        ["--png", "b.png", "--width", "1288", "--dark", "--flip", "--title", "Move 3 ▲7六歩"];
    assert_eq!(printed(&folder, &[&[SFEN][..], &more].concat()), "");
    assert_eq!(size(read("b.png")), (1288, 1024));
    let output = komadai("board").args(["--png", "-", "--width", "64"]).output().unwrap();
    assert_eq!(size(output.stdout), (64, 47));
    // Characters without an outline come from a font, here one that is none.
    fs::write(folder.path().join("font.ttf"), "no font").unwrap();
    for (arguments, code, expected) in [
        (&["--png", "c.png", "--title", "鬱"][..], 1, "found no outline of \"鬱\""),
        (&["--png", "c.png", "--font", "font.ttf"], 1, "--font font.ttf"),
        (&["--png", "c.png", "--font", "none.ttf"], 1, "--font none.ttf"),
        (&["--png", "c.png", "--width", "31"], 2, "32..=4096"),
        (&["--png", "-", "--svg", "-"], 2, "only one picture"),
        (&["--svg", "c.svg", "--width", "64"], 2, "--png"),
        (&["--png", "no/folder.png"], 1, "cannot write"),
    ] {
        let (found, printed, messages) = board(&folder, arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert_eq!(printed, "", "{arguments:?}");
    }
    assert!(!folder.path().join("c.png").exists());
}

#[test]
fn games_with_illegal_moves_are_shown_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let game = "PI\n+\n+7776FU\n-3334FU\n+2822HI\n%ILLEGAL_MOVE\n";
    fs::write(folder.path().join("a.csa"), game).unwrap();
    // The rook has jumped and has taken the bishop.
    for arguments in [&["a.csa"][..], &["a.csa", "--ply", "3"]] {
        let (code, shown, messages) = board(&folder, arguments);
        assert!(code == Some(0) && shown.contains("・ ・ 飛 ・|二"), "{shown}");
        assert!(shown.contains("先手の持駒：角") && shown.contains("手数＝3"), "{shown}");
        assert!(messages.contains("a.csa: move 3, 2h2b, is illegal"), "{messages}");
    }
    let (_, shown, messages) = board(&folder, &["a.csa", "--ply", "2"]);
    assert_eq!(shown, printed(&folder, &["startpos", "moves", "7g7f", "3c3d"]));
    assert!(!messages.contains("a.csa: move 3"), "{messages}");
}

#[test]
fn bad_usage_and_failures_have_their_codes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.usi"), "startpos moves 7g7f\n").unwrap();
    fs::write(folder.path().join("empty.csa"), "").unwrap();
    for (arguments, code, expected) in [
        (&["none.kif"][..], 1, "none.kif"),
        (&["empty.csa"], 1, "no game"),
        (&["a.usi", "--game", "2"], 1, "no game 2 of 1"),
        (&["a.usi", "--ply", "2"], 1, "there is no ply 2: the game has 1 moves"),
        (&["a.usi", "--svg", "no/folder.svg"], 1, "cannot write"),
        (&["startpos", "moves", "7g7e"], 2, "move 1, 7g7e, is illegal"),
        (&["startpos", "--game", "1"], 2, "--game needs a file"),
        (&["some", "words"], 2, "expected a file, an SFEN"),
        (&["--arrow", "7g7f"], 2, "--svg"),
        (&["--svg", "-", "--arrow", "7g7f:red"], 2, "expected plain, good, bad or minor"),
        (&["--svg", "-", "--arrow", "x"], 2, "invalid value 'x'"),
        (&["--svg", "-", "--dark", "--light"], 2, "cannot be used with"),
        (&["--style", "runes"], 2, "kanji, letters"),
    ] {
        let (found, printed, messages) = board(&folder, arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert_eq!(printed, "", "{arguments:?}");
    }
}
