//! Conversion of records between all formats.

use std::fs;

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
    assert_eq!((code, printed.as_str()), (Some(0), "out.csa: 1 game\n"));
    assert!(messages.contains("skipped: bad.kif: line 2, column "), "{messages}");
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
