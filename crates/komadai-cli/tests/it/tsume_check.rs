//! `komadai tsume-check`: certificates are written, accepted, and rejected with the line of the
//! fault.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::text;

#[test]
fn claims_and_faults_are_in_japanese_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let written = run(folder.path(), &["--sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1"]);
    let certificate = text(&written.stdout);
    fs::write(folder.path().join("good.txt"), &certificate).unwrap();
    fs::write(folder.path().join("bad.txt"), certificate.replace("G*5b", "G*4b")).unwrap();
    let japanese = run(folder.path(), &["good.txt", "bad.txt", "--lang", "ja"]);
    assert_eq!(japanese.status.code(), Some(1));
    let expected = "good.txt：1手詰（証明の局面 1）：4k4/9/4P4/9/9/9/9/9/9 b G 1\n";
    assert_eq!(text(&japanese.stdout), expected);
    let faults = text(&japanese.stderr);
    assert!(faults.starts_with("bad.txt：3行目："), "{faults}");
    assert!(faults.ends_with("証明 2 のうち 1 を退けた\n"), "{faults}");
    let english = run(folder.path(), &["good.txt", "--lang", "en"]);
    assert!(
        text(&english.stdout).starts_with("good.txt: mate in 1 ply (positions of the proof: 1): ")
    );
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    command.current_dir(folder).arg("tsume-check").args(arguments).output().expect("it starts")
}

#[test]
fn a_written_certificate_is_accepted_and_a_changed_one_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let mate = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    for (sfen, shortest, claim) in
        [(mate, true, "mate 15"), ("7nk/9/8G/9/9/9/9/9/9 b P 1", false, "nomate")]
    {
        let arguments = ["--sfen", sfen, "--shortest"];
        let written = run(folder.path(), &arguments[..if shortest { 3 } else { 2 }]);
        assert!(written.status.success(), "{}", text(&written.stderr));
        let certificate = text(&written.stdout);
        fs::write(folder.path().join("good.txt"), &certificate).unwrap();
        let accepted = run(folder.path(), &["good.txt"]);
        let printed = text(&accepted.stdout);
        assert!(printed.starts_with(&format!("good.txt\t{claim}\tpositions=")), "{printed}");
        assert!(printed.ends_with(&format!("\t{sfen}\n")), "{printed}");
        assert_eq!(accepted.status.code(), Some(0));

        let without_last: Vec<&str> = certificate.lines().collect();
        let cut = without_last[..without_last.len() - 2].join("\n");
        fs::write(folder.path().join("cut.txt"), cut).unwrap();
        let both = run(folder.path(), &["cut.txt", "good.txt", "missing.txt"]);
        assert_eq!(text(&both.stdout), printed, "the good one is still accepted");
        let errors = text(&both.stderr);
        let line = format!("cut.txt: line {}: ", without_last.len() - 1);
        assert!(errors.contains(&line) && errors.contains("missing.txt: "), "{errors}");
        assert!(errors.contains("2 of 3 certificates were rejected"), "{errors}");
        assert_eq!(both.status.code(), Some(1));
    }
}

#[test]
fn limits_and_bad_usage_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    let few_nodes = run(folder.path(), &["--sfen", sfen, "--nodes", "10"]);
    assert_eq!(few_nodes.status.code(), Some(1));
    assert!(text(&few_nodes.stderr).contains("has not decided"), "{}", text(&few_nodes.stderr));
    let few_positions = run(folder.path(), &["--sfen", sfen, "--positions", "3"]);
    assert!(text(&few_positions.stderr).contains("more than 3 positions"));
    assert_eq!(run(folder.path(), &["--sfen", "nonsense"]).status.code(), Some(1));
    assert_eq!(run(folder.path(), &[]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &["--sfen", sfen, "file"]).status.code(), Some(2));
}
