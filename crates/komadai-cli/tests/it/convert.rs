//! Conversion of records between all formats.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::{BufWriter, Write as _};

use komadai_testdata::kifu;
use tempfile::TempDir;

use crate::{komadai, text};

/// Converts a file, and returns the exit code and what was printed.
fn convert(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = komadai("convert").args(arguments).current_dir(folder.path()).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn folder_with(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let samples = kifu::samples().chain(kifu::kif_samples()).chain(kifu::ki2_samples());
    let sample = samples.chain(kifu::jkf_samples()).find(|sample| sample.name == name).unwrap();
    fs::write(folder.path().join("in"), sample.bytes).unwrap();
    folder
}

#[test]
fn variations_go_through_every_format_that_has_them() {
    let folder = folder_with("kfj__kif_henka.kif");
    for (from, to) in
        [("in", "a.kifu"), ("a.kifu", "b.jkf"), ("b.jkf", "c.kif"), ("c.kif", "d.kifu")]
    {
        let (code, printed, _) = convert(&folder, &[from, to]);
        // JKF has no remarks.
        let lost = if to == "b.jkf" { "lost: 1 comment\n" } else { "" };
        assert_eq!((code, printed), (Some(0), format!("{to}: 1 game\n{lost}")));
    }
    let read = |name| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(read("a.kifu"), read("d.kifu"));
    let shift_jis = fs::read(folder.path().join("c.kif")).unwrap();
    assert!(shift_jis.starts_with(b"\x8e\xe8\x8d\x87\x8a\x84") && shift_jis.ends_with(b"\r\n"));
}

#[test]
fn what_is_lost_is_named() {
    let folder = folder_with("kfj__kif_henka.kif");
    let (code, printed, _) = convert(&folder, &["in", "out.csa"]);
    assert_eq!(code, Some(0));
    assert!(printed.contains("lost: 5 variations"), "{printed}");
    let (_, printed, _) = convert(&folder, &["in", "out.usi"]);
    for part in ["lost: 5 variations", "comments", "times of moves", "header Black"] {
        assert!(printed.contains(part), "{printed}");
    }
    let line = fs::read_to_string(folder.path().join("out.usi")).unwrap();
    assert!(line.starts_with("startpos moves 7g7f "), "{line}");
}

#[test]
fn a_game_of_another_kind_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.kifu"), "手合割：5五将棋\n1 ５四歩(55)\n").unwrap();
    let (code, _, messages) = convert(&folder, &["in.kifu", "out.usi"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("line 1") && messages.contains("5五将棋"), "{messages}");
    assert!(!folder.path().join("out.usi").exists());
}

#[test]
fn the_result_of_floodgate_goes_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let game =
        "V2\nN+alpha\nN-beta\nPI\n+\n+7776FU\nT1\n%TORYO\n'summary:abnormal:alpha lose:beta win\n";
    fs::write(folder.path().join("in.csa"), game).unwrap();
    for name in ["in.csa", "a.kif", "b.ki2u", "c.jkf", "d.csa"] {
        if name != "in.csa" {
            let (code, printed, _) = convert(&folder, &["in.csa", name]);
            assert_eq!(code, Some(0), "{printed}");
            assert!(!printed.contains("the end of the game"), "{name}: {printed}");
        }
        let mut stats = komadai("kifu");
        stats.args(["stats", "--json", name]).current_dir(folder.path());
        let printed = text(&stats.output().unwrap().stdout);
        let found: serde_json::Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(found["results"]["white"], 1, "{name}: {printed}");
    }
}

#[test]
fn several_games_need_a_format_that_holds_them() {
    let folder = folder_with("hand__csa_multi.csa");
    let (code, _, messages) = convert(&folder, &["in", "out.kif"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("2 games") && messages.contains("--game"), "{messages}");
    assert!(!folder.path().join("out.kif").exists());
    assert_eq!(convert(&folder, &["in", "out.kif", "--game", "2"]).0, Some(0));
    assert_eq!(convert(&folder, &["in", "out.usi"]).0, Some(0));
    let lines = fs::read_to_string(folder.path().join("out.usi")).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(convert(&folder, &["in", "other.kif", "--game", "3"]).0, Some(1));
}

#[test]
fn faults_are_named_and_outputs_protected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.kif"), "1 ７六歩(77)\n2 ３四歩(44)\n").unwrap();
    let (code, _, messages) = convert(&folder, &["bad.kif", "out.csa", "--strict"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("line 2"), "{messages}");
    let (code, printed, messages) = convert(&folder, &["bad.kif", "out.csa"]);
    // A move of the game is lost.
    assert_eq!((code, printed.as_str()), (Some(1), "out.csa: 1 game\n"));
    assert!(messages.contains("skipped: bad.kif: line 2, column "), "{messages}");
    assert!(messages.contains("the move is left out\n"), "{messages}");
    let (code, _, messages) = convert(&folder, &["bad.kif", "out.csa"]);
    assert!(code == Some(1) && messages.contains("--force"), "{messages}");
    let (code, _, messages) = convert(&folder, &["bad.kif", "out.txt"]);
    assert!(code == Some(1) && messages.contains(".kifu"), "{messages}");
    assert_eq!(convert(&folder, &["none.kif", "x.csa"]).0, Some(1));
}

#[test]
fn characters_that_shift_jis_does_not_have_are_refused_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.kifu"), "先手：😀\n1 ７六歩(77)\n").unwrap();
    let (code, _, messages) = convert(&folder, &["in.kifu", "out.kif"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("line 2") && messages.contains('😀'), "{messages}");
    assert_eq!(convert(&folder, &["in.kifu", "out.kif", "--replace", "?"]).0, Some(0));
    assert_eq!(convert(&folder, &["in.kifu", "utf8.kif", "--encoding", "utf-8"]).0, Some(0));
}

#[test]
fn a_format_of_one_game_ends_the_reading_at_the_second() {
    let folder = tempfile::tempdir().unwrap();
    let game = "PI\n+\n+7776FU\n%TORYO\n";
    // The third would be refused.
    let text = format!("{game}/\n{game}/\nPI\n+\n+5555FU\n");
    fs::write(folder.path().join("in.csa"), &text).unwrap();
    for name in ["out.kif", "out.kifu", "out.ki2", "out.ki2u", "out.jkf", "out.usen"] {
        let (code, printed, messages) = convert(&folder, &["in.csa", name, "--strict"]);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{name}");
        assert!(messages.contains("at least 2 games"), "{messages}");
        assert!(messages.contains("--game N"), "{messages}");
        assert_eq!(convert(&folder, &["in.csa", name, "--strict", "--game", "2"]).0, Some(0));
    }
    for name in ["out.csa", "out.usi", "out.sfen"] {
        let (code, _, messages) = convert(&folder, &["in.csa", name, "--strict"]);
        assert!(code == Some(1) && messages.contains("game 3"), "{messages}");
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    let names = fs::read_dir(folder.path()).unwrap();
    assert_eq!(names.count(), 7, "one input and six outputs, no temporary file");
}

#[test]
fn the_output_is_complete_or_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old.kif"), "old").unwrap();
    fs::write(path("two.csa"), "PI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap();
    fs::write(path("none.csa"), "").unwrap();
    fs::write(path("name.csa"), "N+\u{1f600}\nPI\n+\n+7776FU\n").unwrap();
    for input in ["two.csa", "none.csa", "name.csa", "missing.csa", "."] {
        let (code, printed, messages) = convert(&folder, &[input, "old.kif", "--force"]);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{input}: {messages}");
        assert_eq!(fs::read(path("old.kif")).unwrap(), b"old", "{input}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "{input}");
    }
    // A file may replace itself.
    assert_eq!(convert(&folder, &["two.csa", "two.csa", "--force"]).0, Some(0));
    let (code, printed, _) = convert(&folder, &["two.csa", "two.usi"]);
    assert_eq!((code, printed.as_str()), (Some(0), "two.usi: 2 games\n"));
}

#[test]
fn losses_of_many_games_are_counted_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let first = "N+A\nPI\n+\n+7776FU\nT3\n'*a\n'*b\n";
    let second = "N+\u{1b}[2JB\n$EVENT:E\nPI\n+\n+7776FU\nT4\n";
    fs::write(folder.path().join("in.csa"), format!("{first}/\n{second}")).unwrap();
    let (code, printed, _) = convert(&folder, &["in.csa", "out.usi"]);
    let expected = "out.usi: 2 games\nlost in 1 game: comments\nlost in 2 games: header Black\n\
                    lost in 1 game: header Event\nlost in 2 games: times of moves\n";
    assert_eq!((code, printed.as_str()), (Some(0), expected));
    let (_, printed, _) = convert(&folder, &["in.csa", "one.usi", "--game", "2"]);
    assert!(printed.contains("lost: header Black: \u{fffd}[2JB\n"), "{printed}");
}

/// Converts `games` games of this text each in 128 MB of address space, to formats that hold many
/// games.
#[cfg(target_os = "linux")]
fn convert_in_bounded_memory(game: &str, games: usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("in.csa")).unwrap();
    let mut file = BufWriter::new(file);
    for _ in 0..games {
        writeln!(file, "{game}/").unwrap();
    }
    file.into_inner().unwrap();
    for name in ["out.csa", "out.usi", "out.sfen"] {
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 128000; exec \"$0\" convert in.csa \"$1\""])
            .args([env!("CARGO_BIN_EXE_komadai"), name])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}: {}", output.status, text(&output.stderr));
        let printed = text(&output.stdout);
        assert!(printed.starts_with(&format!("{name}: {games} games\n")), "{printed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn long_games_are_converted_in_bounded_memory() {
    let comment = format!("'*{}\n", "x".repeat(998)).repeat(1_000);
    convert_in_bounded_memory(&format!("PI\n+\n{comment}+7776FU\n%TORYO\n"), 60);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes ten seconds and 24 MB of disk"]
fn many_games_are_converted_in_bounded_memory() {
    convert_in_bounded_memory("PI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n", 200_000);
}
