//! Names and comments of files, and names of files, on a terminal.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{komadai, text};

/// Characters that a terminal obeys: a title, a cleared screen, a C1 control, a reversal of
/// direction, a tag.
const HOSTILE: &str =
    "N\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}x\u{2028}y\u{85}z\u{7f}\u{e0041}\u{2066}";

/// Fails if a text has a character that is no glyph, line end or tab.
fn assert_printable(what: &str, printed: &str) {
    let bad = printed.chars().find(|&c| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    });
    assert_eq!(bad, None, "{what}: {printed:?}");
}

/// Runs a command and returns the exit code, what it printed on standard output, and on both.
fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let output = komadai(words[0]).args(&words[1..]).current_dir(folder).output().unwrap();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_printable(&format!("{words:?}"), &errors);
    (output.status.code(), out.clone(), out + &errors)
}

/// A folder with a game whose header, comments and end are hostile, in several formats.
fn games() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let csa = format!(
        "N+{HOSTILE}\nN-B|C\n$EVENT:{HOSTILE}\n$SITE:{HOSTILE}\nPI\n+\n'*{HOSTILE}\n+7776FU\n'*{HOSTILE}\n-3334FU\n%{HOSTILE}\n"
    );
    let kif = format!(
        "先手：{HOSTILE}\n後手：B\n棋戦：{HOSTILE}\n*{HOSTILE}\n   1 ７六歩(77)\n*{HOSTILE}\n   2 ３四歩(33)\n   3 {HOSTILE}\n"
    );
    fs::write(folder.path().join("a.csa"), csa).unwrap();
    fs::write(folder.path().join("a.kifu"), kif).unwrap();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let comment = HOSTILE.replace('\u{2028}', "");
    let book =
        format!("#YANEURAOU-DB2016 1.00\n# {comment}\n{start}\n#{comment}\n7g7f none 30 5 1\n");
    fs::write(folder.path().join("a.db"), book).unwrap();
    folder
}

#[test]
fn names_and_comments_of_files_are_made_printable() {
    let folder = games();
    for name in ["a.csa", "a.kifu"] {
        for words in [
            &["kifu", "stats", name][..],
            &["analyse", name, "--nodes", "10", "--lenient"],
            &["analyse", name, "--nodes", "10", "--lenient", "--lang", "ja"],
            &["convert", name, "out.usi", "--force"],
            &["convert", name, "out.csa", "--force"],
            &["convert", name, "out.kif", "--force", "--replace", "?"],
            &["board", name],
            &["page", name, "out.html"],
            &["tsume", "--file", name, "--nodes", "10"],
            &["grow", name, "--out", name, "--positions", "0", "--first-nodes", "10", "--fresh"],
            &["book", "import", "new.kbook", name],
            &["book", "sources", "new.kbook"],
        ] {
            let (_, out, _) = run(folder.path(), words);
            assert_printable(&format!("{words:?}"), &out);
        }
    }
    for words in [
        &["book", "info", "a.db"][..],
        &["book", "probe", "a.db"],
        &["book", "validate", "a.db"],
        &["book", "convert", "a.db", "a.ybb"],
    ] {
        let (_, out, _) = run(folder.path(), words);
        assert_printable(&format!("{words:?}"), &out);
    }
    let (_, out, _) = run(folder.path(), &["kifu", "stats", "a.csa"]);
    assert!(out.contains("N\u{fffd}]0;title\u{fffd}\u{fffd}[2J\u{fffd}31m\u{fffd}x"), "{out}");
}

#[test]
fn json_has_escapes_and_the_same_values() {
    let folder = games();
    for words in [
        &["kifu", "stats", "a.kifu", "--json"][..],
        &["analyse", "a.csa", "--nodes", "10", "--lenient", "--json"],
        &["book", "probe", "a.db", "--json"],
    ] {
        let (code, out, _) = run(folder.path(), words);
        assert_eq!(code, Some(0), "{words:?}");
        assert_printable(&format!("{words:?}"), &out);
        let document: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(document.to_string().contains("[2J\u{9b}31m\u{202e}x"), "{document}");
    }
}

#[test]
fn ids_of_problems_are_made_printable() {
    let folder = tempfile::tempdir().unwrap();
    let problem = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    let table =
        format!("{}\t{problem}\n=1+1\t{problem}\n-x\t{problem}\n", HOSTILE.replace('\u{2028}', ""));
    fs::write(folder.path().join("a.tsv"), table).unwrap();
    for format in ["lines", "csv", "text"] {
        let words = ["tsume", "--file", "a.tsv", "--format", format];
        let (code, out, _) = run(folder.path(), &words);
        assert_eq!(code, Some(0), "{format}");
        assert_printable(format, &out);
        let has_formula = out.lines().any(|line| line.starts_with('=') && format == "csv");
        assert!(!has_formula, "{out}");
        // The answers of an interrupted run are found again.
        let answers = format!("answers.{format}");
        let words = [&words[..], &["--out", &answers]].concat();
        if format != "text" {
            assert_eq!(run(folder.path(), &words).0, Some(0), "{format}");
            let words = [&words[..], &["--resume"]].concat();
            assert_eq!(run(folder.path(), &words).0, Some(0), "{format}");
        }
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_are_made_printable_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[2J\u{202e}\nerror: none.csa";
    fs::write(folder.path().join(name), "PI\n+\n+5555FU\nx\n").unwrap();
    for words in [
        &["kifu", "stats", name][..],
        &["kifu", "stats", "."],
        &["convert", name, "out.kif"],
        &["convert", name, name],
        &["analyse", name, "--nodes", "10"],
        &["board", name],
        &["page", name, "out.html"],
        &["tsume", "--file", name, "--nodes", "10"],
        &["tsume-check", name],
        &["tsume-mend", name],
        &["eval", "--parameters", name],
        &["book", "info", name],
        &["book", "check", name],
        &["book", "import", "new.kbook", name],
        &["grow", name, "--out", "grown"],
        &["train", "validate", name],
        &["ladder", name],
        &["match", "--first", "komadai", "--second", "komadai", "--nodes", "9", "--openings", name],
    ] {
        let (_, out, all) = run(folder.path(), words);
        assert_printable(&format!("{words:?}"), &out);
        // A line break in a name begins no message of its own.
        let is_forged = all.lines().any(|line| line.starts_with("error: none.csa"));
        assert!(!is_forged, "{words:?}: {all}");
    }
    // Bad usage quotes the argument.
    for words in [&["perft", name][..], &["kifu", name], &["board", "--ply", name]] {
        let (code, out, _) = run(folder.path(), words);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words:?}");
    }
}
