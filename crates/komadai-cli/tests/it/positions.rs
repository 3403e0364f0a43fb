//! The ways to give a position, which are the same for all commands.

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

use tempfile::TempDir;

use crate::{komadai, text};

/// The commands that take a position, with what else they need. The time of their answers varies.
const COMMANDS: [&[&str]; 6] = [
    &["board", "--style", "letters"],
    &["eval", "--terms", "3"],
    &["perft", "--depth", "2"],
    &["tsume"],
    &["book", "probe", "book.db"],
    &["net", "explain", "<bundled>"],
];

const SFEN: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Runs a command with a position, which may be on standard input.
fn run(folder: &TempDir, command: &[&str], position: &[&str], input: Option<&str>) -> Output {
    let mut run = komadai(command[0]);
    run.args(&command[1..]).args(position).current_dir(folder.path());
    run.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that reads no input may have ended.
    let _ = stdin.write_all(input.unwrap_or_default().as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Returns what was printed without the times.
fn printed(output: &Output) -> String {
    let timeless = |field: &&str| !field.starts_with("ms=");
    let line = |line: &str| line.split('\t').filter(timeless).collect::<Vec<_>>().join("\t") + "\n";
    text(&output.stdout).lines().map(line).collect()
}

fn folder_with_games() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("game.csa", "PI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    write("longer.csa", "PI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n");
    write("second.usi", "startpos moves 2g2f\nstartpos moves 7g7f 3c3d\n");
    write("position.sfen", &format!("{SFEN}\n"));
    write("book.db", &format!("#YANEURAOU-DB2016 1.00\nsfen {SFEN}\n2g2f 8c8d 30 18\n"));
    folder
}

#[test]
fn every_command_takes_a_position_in_every_way() {
    let folder = folder_with_games();
    let words: Vec<&str> = SFEN.split(' ').collect();
    let of_address = SFEN.replace(' ', "_");
    let with_moves = format!("sfen {START} moves 7g7f 3c3d");
    let sfen_and_moves = ["--sfen", START, "--moves", "7g7f 3c3d"];
    let ways: [(&[&str], Option<&str>); 16] = [
        (&words, None),
        (&["sfen", SFEN], None),
        (&[&of_address], None),
        (&["startpos", "moves", "7g7f", "3c3d"], None),
        (&["startpos moves 7g7f 3c3d"], None),
        (&["startpos", "moves", "7g7f", "3c3d", "2g2f", "--ply", "2"], None),
        (&[&with_moves], None),
        (&["game.csa", "--ply", "2"], None),
        (&["longer.csa", "--ply", "2"], None),
        (&["second.usi", "--game", "2"], None),
        (&["position.sfen", "--game", "1"], None),
        (&["-", "--game", "1"], Some("PI\n+\n+7776FU\n-3334FU\n%TORYO\n")),
        (&["-", "--ply", "2"], Some("startpos moves 7g7f 3c3d 2g2f\n")),
        (&["--sfen", SFEN], None),
        (&sfen_and_moves, None),
        (&["--moves", "7g7f 3c3d"], None),
    ];
    for command in COMMANDS {
        let expected = run(&folder, command, &[SFEN], None);
        assert_eq!(expected.status.code(), Some(0), "{command:?}: {}", text(&expected.stderr));
        let expected = printed(&expected);
        assert!(!expected.is_empty(), "{command:?}");
        for (way, input) in ways {
            // The problems of `tsume` have no moves.
            if command[0] == "tsume" && way.first() == Some(&"--moves") {
                continue;
            }
            let found = run(&folder, command, way, input);
            assert_eq!(
                found.status.code(),
                Some(0),
                "{command:?} {way:?}: {}",
                text(&found.stderr)
            );
            assert_eq!(printed(&found), expected, "{command:?} {way:?}");
        }
        // Standard input holds an SFEN, too; that of `tsume` is a list with places as names.
        if command[0] != "tsume" {
            assert_eq!(
                printed(&run(&folder, command, &["-"], Some(SFEN))),
                expected,
                "{command:?}"
            );
        }
    }
}

#[test]
fn a_bad_position_is_refused_by_every_command_with_its_place() {
    let folder = folder_with_games();
    for command in COMMANDS {
        for (position, code, expected) in [
            (&["8k/9/9", "b", "-", "1"][..], 2, "the board has 3 ranks up to byte 6, expected 9"),
            (&["8k/9/9 b - 1"], 2, "expected a file, an SFEN, or `startpos moves …`"),
            (&["startpos", "moves", "7g7x"], 2, "found \"7g7x\" at byte 15"),
            (&["startpos", "moves", "7g7f", "7g7f"], 2, "move 2, 7g7f, is illegal"),
            (&["startpos", "moves", "7g7f", "--ply", "2"], 2, "there is no ply 2"),
            (&["startpos", "--game", "1"], 2, "--game needs a file"),
            (&["--sfen", "startpos moves 7g7x"], 2, "at byte 15"),
            (&["no/such.kif"], 1, "no/such.kif: "),
            (&["nonsense"], 1, "nonsense: "),
            (&["second.usi", "--game", "3"], 1, "there is no game 3 of 2"),
            (&["game.csa", "--ply", "3"], 1, "there is no ply 3: the game has 2 moves"),
        ] {
            let found = run(&folder, command, position, None);
            let messages = text(&found.stderr);
            assert_eq!(found.status.code(), Some(code), "{command:?} {position:?}: {messages}");
            assert!(messages.contains(expected), "{command:?} {position:?}: {messages}");
            assert!(!messages.contains("UsiPosition"), "{messages}");
            assert_eq!(text(&found.stdout), "", "{command:?} {position:?}");
        }
    }
}

#[test]
fn the_first_of_several_games_is_taken_with_a_note() {
    let folder = folder_with_games();
    let note = "the first of several games; --game N chooses another";
    for command in [&["board"][..], &["eval"], &["perft", "--depth", "1"]] {
        let found = run(&folder, command, &["second.usi"], None);
        assert!(text(&found.stderr).contains(note), "{command:?}: {}", text(&found.stderr));
        let found = run(&folder, command, &["second.usi", "--game", "1"], None);
        assert!(!text(&found.stderr).contains(note), "{command:?}: {}", text(&found.stderr));
    }
    let page = komadai("page").args(["second.usi", "-"]).current_dir(folder.path()).output();
    assert!(text(&page.unwrap().stderr).contains(note));
}
