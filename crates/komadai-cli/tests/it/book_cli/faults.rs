//! Books with faults.

use std::fs;

use komadai_testdata::books::yuuki;
use serde_json::Value;

use super::{HEADER, START, TURNED, Workplace, small50};
use crate::text;

/// All subcommands that read a book, with `IN` in place of the book.
const READERS: [&[&str]; 9] = [
    &["info", "IN"],
    &["validate", "IN"],
    &["probe", "IN"],
    &["probe", "IN", "--values"],
    &["convert", "IN", "out.ybb"],
    &["sort", "IN", "out.db"],
    &["merge", "IN", "IN", "out.db"],
    &["propagate", "IN", "out.db"],
    &["import", "new.kbook", "IN"],
];

/// Runs a subcommand on a book, and returns its exit code and its output.
fn read_with(place: &Workplace, reader: &[&str], input: &str) -> (Option<i32>, String) {
    let arguments: Vec<&str> =
        reader.iter().map(|&argument| if argument == "IN" { input } else { argument }).collect();
    let output = place.run(&arguments);
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!printed.contains("panicked"), "{arguments:?}: {printed}");
    assert!(output.status.code().is_some_and(|code| code <= 1), "{arguments:?}: {printed}");
    let _ = fs::remove_file(place.path("new.kbook"));
    (output.status.code(), printed)
}

#[test]
fn files_that_are_not_books_are_refused() {
    let place = Workplace::new();
    place.write("a.db", small50().input);
    place.done(&["convert", "a.db", "whole.ybb"]);
    let ybb = fs::read(place.path("whole.ybb")).unwrap();
    let cut = |bytes: usize| ybb[..bytes].to_vec();
    let mut flags = ybb.clone();
    flags[24] = 0xf0;
    for (name, content, expected) in [
        ("letter.db", b"Dear Sir,\nyours\n".to_vec(), "letter.db: "),
        ("letter.pdf", b"Dear Sir,\n".to_vec(), "letter.pdf: "),
        ("empty.ybb", Vec::new(), "empty.ybb: "),
        ("magic.ybb", cut(20), "magic.ybb: "),
        ("index.ybb", cut(100), "index.ybb: the book announces 56 positions"),
        ("flags.ybb", flags, "flags.ybb: flags 0xf"),
        ("cut.sbk", yuuki::SHOGIGUI_SBK[..999].to_vec(), "cut.sbk: "),
        ("letter.kbook", b"Dear Sir,\n".to_vec(), "letter.kbook: "),
    ] {
        place.write(name, content);
        for reader in READERS {
            let (code, printed) = read_with(&place, reader, name);
            assert!(printed.contains(expected), "{reader:?} {name}: {printed}");
            // Readers of formats with records keep the sound ones, and report the others.
            let is_rescued = code == Some(0) && printed.contains("warning: ");
            assert!(
                code == Some(1) || is_rescued || reader[0] == "info" && name == "cut.sbk",
                "{reader:?} {name}: {printed}"
            );
        }
        assert!(!place.path("out.db").exists() || name == "cut.sbk", "{name} made a book");
        let _ = fs::remove_file(place.path("out.db"));
    }
    for reader in READERS {
        let (code, printed) = read_with(&place, reader, "nowhere.db");
        assert!(code == Some(1) && printed.contains("nowhere.db"), "{reader:?}: {printed}");
    }
}

#[test]
fn faults_within_a_book_are_located_and_counted() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["convert", "good.db", "whole.ybb"]);
    let ybb = fs::read(place.path("whole.ybb")).unwrap();
    let apery = yuuki::APERY_BIN;
    let mut illegal = ybb.clone();
    let last = illegal.len() - 6;
    illegal[last..last + 2].fill(0xff);
    for (name, content, place_of_fault) in [
        ("board.db", format!("{HEADER}sfen 9/9 b - 1\n7g7f\n{START}\n2g2f\n").into(), "line 2"),
        ("move.db", format!("{HEADER}{START}\n7g7f none 30\n7g7e none 1\n").into(), "line 4"),
        ("twice.db", format!("{HEADER}{START}\n7g7f none 30\n7g7f none 1\n").into(), "line 4"),
        ("number.db", format!("{HEADER}{START}\n7g7f none x\n2g2f none 1\n").into(), "line 3"),
        ("count.db", format!("{HEADER}# NOE:9\n{START}\n7g7f none 30\n").into(), "announces 9"),
        ("header.db", format!("{START}\n7g7f none 30\n").into(), "line 1"),
        (
            "bytes.db",
            [HEADER.as_bytes(), START.as_bytes(), b"\n7g7f none 1 \xff\n2g2f\n"].concat(),
            "line 3: not UTF-8",
        ),
        (
            "line.db",
            format!("{HEADER}{START}\n7g7f none 30 1 1 {}\n2g2f\n", "x".repeat(70_000)).into(),
            "line 3: longer than",
        ),
        ("move.ybb", illegal, "is not a move"),
        ("cut.ybb", ybb[..ybb.len() - 3].to_vec(), "moves from byte 1704 to 1728 of 1725"),
        ("cut.bin", apery[..apery.len() - 7].to_vec(), "byte 1161"),
    ] {
        let content: Vec<u8> = content;
        place.write(name, content);
        for reader in READERS {
            let (code, printed) = read_with(&place, reader, name);
            match reader {
                ["info", ..] => {
                    assert!(printed.contains("faults: ") || code == Some(1), "{name}: {printed}")
                }
                // A look-up reads one record of a file and skips its faulty moves.
                ["probe", "IN"] => {}
                _ => assert!(printed.contains(place_of_fault), "{reader:?} {name}: {printed}"),
            }
            let is_reported = printed.contains("warning: ") || printed.contains("error: ");
            assert!(
                is_reported || ["info", "probe"].contains(&reader[0]),
                "{reader:?} {name}: {printed}"
            );
        }
        for strict in [
            &["convert", name, "strict.ybb", "--strict"][..],
            &["sort", name, "strict.db", "--strict"],
            &["merge", name, name, "strict.db", "--strict"],
            &["import", "strict.kbook", name, "--strict"],
        ] {
            let printed = place.refused(strict, 1);
            assert!(printed.contains(&format!("{name}: ")), "{printed}");
            assert!(printed.contains(place_of_fault), "{printed}");
        }
        assert!(!place.path("strict.ybb").exists() && !place.path("strict.db").exists(), "{name}");
        let _ = fs::remove_file(place.path("strict.kbook"));
    }
}

/// Writes a book with a line of `bytes` zeros between two moves. The file is sparse.
fn with_endless_line(place: &Workplace, name: &str, bytes: u64) {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let mut file = fs::File::create(place.path(name)).unwrap();
    write!(file, "{HEADER}{START}\n7g7f none 30 10 5\n").unwrap();
    file.seek(SeekFrom::Start(bytes)).unwrap();
    write!(file, "\n2g2f none 20 10 5\n").unwrap();
}

#[test]
fn an_endless_line_is_skipped_and_reported() {
    let place = Workplace::new();
    with_endless_line(&place, "long.db", 1 << 24);
    with_endless_line(&place, "longer.db", 1 << 28);
    let all = READERS.map(|reader| ("long.db", reader));
    let some = [1, 2, 4].map(|reader| ("longer.db", READERS[reader]));
    for (name, reader) in all.into_iter().chain(some) {
        let (_, printed) = read_with(&place, reader, name);
        let is_reported = printed.contains("line 4: longer than 65536 bytes")
            || printed.contains("faults: 1")
            || reader == ["probe", "IN"] && printed.contains("P-2f");
        assert!(is_reported, "{reader:?}: {printed}");
    }
    assert_eq!(place.records("out.db")[0].moves.len(), 2);
}

#[test]
fn contradictions_and_missing_starts_are_reported() {
    let place = Workplace::new();
    let turned = format!("{HEADER}{START}\n7g7f none 30 1 1\n{TURNED}\n3c3d none -90 1 1\n");
    place.write("turned.db", turned);
    let found = place.run(&["validate", "turned.db", "--json"]);
    assert_eq!(found.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["flipped"]["first"], serde_json::json!([4]));
    assert_eq!(found["contradictions"]["count"], 1);
    for reader in [READERS[3], READERS[7]] {
        let (code, printed) = read_with(&place, reader, "turned.db");
        assert_eq!(code, Some(0));
        assert!(
            printed.contains("warning: turned.db: 1 positions occur more than once"),
            "{printed}"
        );
    }
    let next = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    place.write("middle.db", format!("{HEADER}{next}\n3c3d none 10 1 1\n"));
    let printed = place.run(&["validate", "middle.db"]);
    assert_eq!(printed.status.code(), Some(1));
    assert!(text(&printed.stdout).contains("the start position is missing"));
    assert!(place.done(&["info", "middle.db"]).contains("the start of the game is missing"));
    assert!(place.done(&["probe", "middle.db"]).contains("not in the book"));
    assert!(place.done(&["probe", "middle.db", "--values"]).contains("not in the book"));
    place.done(&["propagate", "middle.db", "out.db"]);
}
