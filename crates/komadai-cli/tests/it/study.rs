//! Pages about source documents.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{komadai, text};

/// Runs the command in a folder, and returns the exit code and what was printed.
fn study(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = komadai("study").args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const FINDINGS: &str = "komadai-study\t1\tfrontier\ncommand\tkomadai study frontier\nversion\t0.1.0\n\
                        figure\texponent\t0.5\t0.45\t0.55\t8\nfigure\troot : best\t1.2\t1.1\t1.3\t8\n";

#[test]
fn a_small_study_is_measured_once_and_shown_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let small = ["frontier", "--books", "9", "--positions", "4", "--nodes", "50", "--threads", "2"];
    let (code, printed, messages) = study(folder.path(), &small);
    assert_eq!(code, Some(0), "{messages}");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].contains("7 claims: "), "{printed}");
    assert_eq!(lines[1..], ["study/frontier.tsv", "study/frontier.html"]);
    let read = |name: &str| fs::read_to_string(folder.path().join("study").join(name)).unwrap();
    let html = read("frontier.html");
    assert!(html.contains("komadai study frontier --books 9 --positions 4 --nodes 50"), "{html}");
    assert!(html.contains("<html lang=\"en\">") && html.contains("9 books"));
    // The books are there, so that this takes no search.
    let japanese = [&small[..], &["--lang", "ja", "--format", "md", "--json"]].concat();
    let (code, printed, messages) = study(folder.path(), &japanese);
    assert_eq!(code, Some(0), "{messages}");
    let json: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["claims"].as_array().unwrap().len(), 7);
    assert_eq!(json["files"][1], "study/frontier.ja.md");
    assert!(read("frontier.ja.md").contains("9個の定跡"));
}

#[test]
fn findings_of_an_earlier_run_make_the_page() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tsv"), FINDINGS).unwrap();
    let arguments = ["frontier", "--data", "a.tsv", "--out", "x", "--format", "md"];
    let (code, printed, messages) = study(folder.path(), &arguments);
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    assert!(
        printed.starts_with("7 claims: 1 confirmed, 2 not confirmed, 4 not decided here\n"),
        "{printed}"
    );
    let page = fs::read_to_string(folder.path().join("x/frontier.md")).unwrap();
    assert!(page.contains("0.50 [0.45, 0.55] ∈ [0.4, 0.6] (n = 8; source 0.50)"), "{page}");
}

#[test]
fn bad_usage_and_bad_files_have_their_codes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tsv"), FINDINGS).unwrap();
    fs::write(folder.path().join("cut.tsv"), &FINDINGS[..FINDINGS.len() - 6]).unwrap();
    fs::write(folder.path().join("no.kbook"), "no book").unwrap();
    for (arguments, code, expected) in [
        (&["frontier", "--data", "none.tsv"][..], 1, "none.tsv"),
        (&["quiescence", "--data", "a.tsv"], 1, "expected those of \"quiescence\""),
        (&["frontier", "--data", "cut.tsv"], 1, "line 5: found"),
        (&["shiba", "--book", "no.kbook"], 1, "no.kbook"),
        (&["frontier", "--book", "none.db"], 1, "none.db"),
        (&["nonsense"], 2, "nonsense"),
        (&["frontier", "--eval-diff", "51"], 2, "51"),
        (&["quiescence", "--depths", "9"], 2, "found 9, expected 1 to 8"),
    ] {
        let (found, _, messages) = study(folder.path(), arguments);
        assert!(found == Some(code) && messages.contains(expected), "{arguments:?}: {messages}");
    }
}
