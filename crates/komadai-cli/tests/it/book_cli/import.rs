//! Inputs of working books, and their logs: `import`, `log`.

use std::fs;

use komadai::book::StoredRecord;
use komadai::book::store::Store;
use komadai::{Move, Score};
use komadai_testdata::kifu;

use super::engines::evaluated_by_two;
use super::{HEADER, START, Workplace, small50};
use crate::text;

#[test]
fn an_input_counts_once_under_any_name() {
    let place = Workplace::new();
    fs::create_dir(place.path("in")).unwrap();
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d, game_ply_limit=1\n";
    place.write("in/list.sfen", games);
    place.write("in/book.db", small50().input);
    let floodgate = kifu::samples().find(|sample| sample.name == "skc__csa_floodgate.csa");
    place.write("in/game.csa", floodgate.expect("it is bundled").bytes);
    place.write("in/letter.pdf", "Dear Sir,");
    place.done(&["import", "a.kbook", "in"]);
    let fingerprint = || Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap();
    let once = fingerprint();
    fs::copy(place.path("in/book.db"), place.path("copy.db")).unwrap();
    for again in ["in", "copy.db", "in/list.sfen"] {
        let printed = text(&place.run(&["import", "a.kbook", again]).stderr);
        assert!(printed.contains("read before"), "{again}: {printed}");
        assert_eq!(fingerprint(), once, "{again}");
    }
    // The ply limit of the second game excludes 8c8d.
    let after = place.json(&["probe", "a.kbook", "--moves", "7g7f", "--json"]);
    let games = |m: &str| {
        let moves = after["moves"].as_array().unwrap();
        moves.iter().find(|known| known["move"] == m).map(|known| known["games"].clone())
    };
    assert_eq!(games("8c8d"), None);
    assert_eq!(games("3c3d"), Some(1.into()));
    let sources = place.json(&["sources", "a.kbook", "--json"]);
    assert_eq!(sources["engines"][0]["name"], "imported from book.db");
    assert_eq!(sources["engines"][0]["view_share"], 1.0);
    let inputs = sources["inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 3, "{sources}");
}

#[test]
fn only_the_first_files_read_before_are_named() {
    let place = Workplace::new();
    fs::create_dir(place.path("in")).unwrap();
    for (number, game) in
        ["7g7f", "2g2f", "5g5f", "6g6f", "9g9f", "1g1f", "3g3f"].iter().enumerate()
    {
        place.write(&format!("in/{number}.sfen"), format!("startpos moves {game}\n"));
    }
    place.done(&["import", "a.kbook", "in"]);
    let printed = text(&place.run(&["import", "a.kbook", "in"]).stderr);
    assert_eq!(printed.matches(": read before").count(), 5, "{printed}");
    assert!(printed.contains("and 2 more, read before"), "{printed}");
}

#[test]
fn a_working_book_is_imported_with_its_engines() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    place.write("game.usi", "startpos moves 7g7f 3c3d\nhello\n");
    let json = place.json(&["import", "b.kbook", "a.kbook", "game.usi", "--json"]);
    let (book, games) = (&json["files"][0], &json["files"][1]);
    assert_eq!(book["merged"]["positions"], place.view("a.kbook").len());
    assert_eq!(
        (&games["outcome"], &games["games"], &games["faults"]),
        (&"games".into(), &1.into(), &1.into())
    );
    assert_eq!((&json["store"], &json["games"]), (&"b.kbook".into(), &1.into()));
    assert_eq!((&json["from_games"]["moves"], &json["faults"]), (&0.into(), &1.into()));
    // Evaluations keep their engines, and no input is read twice.
    let engines = |store: &str| {
        let sources = place.json(&["sources", store, "--json"]);
        let engines = sources["engines"].as_array().unwrap();
        let mut engines: Vec<String> = engines.iter().map(ToString::to_string).collect();
        engines.sort();
        engines
    };
    assert_eq!(engines("b.kbook"), engines("a.kbook"));
    let again = place.json(&["import", "b.kbook", "a.kbook", "b.kbook", "book.db", "--json"]);
    let outcomes: Vec<&str> = again["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["read before", "the book itself", "read before"]);
    // A working book is read in place of a .db of the same name beside it.
    place.write("a.db", "#YANEURAOU-DB2016 1.00\n");
    let output = place.run(&["import", "c.kbook", "a.db"]);
    let printed = text(&output.stderr);
    assert!(printed.contains("reading a.kbook, which contains more than a.db"), "{printed}");
    assert_eq!(engines("c.kbook"), engines("a.kbook"));
    // But a .db that is imported into the working book beside it is read itself.
    place.write("a.db", format!("{HEADER}{START}\n5i5h none -50 1 1\n"));
    let json = place.json(&["import", "a.kbook", "a.db", "--json"]);
    assert_eq!(
        (&json["files"][0]["path"], &json["files"][0]["merged"]["evaluations"]),
        (&"a.db".into(), &1.into())
    );
}

#[test]
fn games_are_taken_as_the_filters_say() {
    let place = Workplace::new();
    let rated = |rate: u32, moves: &str, end: &str| {
        format!("PI\n'black_rate:a:{rate}\n'white_rate:b:{rate}\n+\n{moves}{end}\n/\n")
    };
    let records = [
        rated(3_000, "+7776FU\n-3334FU\n", "%TORYO"),
        rated(2_000, "+2726FU\n-8384FU\n", "%TORYO"),
        rated(3_000, "+7776FU\n-8384FU\n", "%SENNICHITE"),
    ];
    place.write("games.csa", format!("V2.2\n{}", records.concat().trim_end_matches("/\n")));
    let moves = |name: &str| -> Vec<String> {
        let view = place.view(name);
        let listed = view.iter().flat_map(|stored| &stored.record.moves);
        let mut listed: Vec<_> =
            listed.map(|m| format!("{} {}", m.m, m.count.unwrap_or(0))).collect();
        listed.sort();
        listed
    };
    for (name, options, expected) in [
        ("all", &[][..], &["2g2f 1", "3c3d 1", "7g7f 2", "8c8d 1", "8c8d 1"][..]),
        ("ply", &["--max-ply", "1"], &["2g2f 1", "7g7f 2"]),
        ("rating", &["--min-rating", "2500"], &["3c3d 1", "7g7f 2", "8c8d 1"]),
        ("games", &["--min-games", "2"], &["7g7f 2"]),
        // White's resignation follows White's move: Black, to move, resigns.
        ("winner", &["--sides", "winner"], &["3c3d 1", "8c8d 1"]),
        ("share", &["--min-share-percent", "60"], &["7g7f 2", "8c8d 1"]),
    ] {
        let store = format!("{name}.kbook");
        place.done(&[&["import", &store, "games.csa"], options].concat());
        assert_eq!(moves(&store), expected, "{name}");
    }
    // An input that left no move may be read again.
    let printed = text(&place.run(&["import", "b.kbook", "games.csa", "--min-games", "9"]).stderr);
    assert!(printed.contains("the options leave no move of 3 games"), "{printed}");
    place.done(&["import", "b.kbook", "games.csa"]);
    assert_eq!(moves("b.kbook").len(), 5);
}

#[test]
fn a_log_is_exported_and_imported() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    place.done(&["log", "export", "a.kbook", "a.log"]);
    place.done(&["log", "import", "b.kbook", "a.log"]);
    let printed = text(&place.run(&["log", "import", "b.kbook", "a.log"]).stderr);
    assert!(printed.contains("read before"), "{printed}");
    let values = |name: &str| -> Vec<_> {
        let shown = |stored: &StoredRecord| {
            let moves = stored.moves();
            let moves: Vec<(Move, Option<Score>, u64)> = moves
                .map(|(m, value)| (m.m, m.score, value.map_or(0, |value| value.nodes)))
                .collect();
            (stored.record.position.to_string(), moves)
        };
        place.view(name).iter().map(shown).collect()
    };
    assert_eq!(values("b.kbook"), values("a.kbook"));
    let json = place.json(&["log", "export", "a.kbook", "again.log", "--json"]);
    assert_eq!((&json["output"], &json["deletions_left_out"]), (&"again.log".into(), &0.into()));
    assert!(
        json["evaluations"].as_u64() > Some(100) && json["moves"].as_u64() > Some(100),
        "{json}"
    );
    let json = place.json(&["log", "import", "c.kbook", "again.log", "--json"]);
    assert_eq!(json["files"][0]["merged"]["positions"], place.view("a.kbook").len());
    let printed = place.refused(&["log", "import", "b.kbook", "book.db", "--strict"], 1);
    assert!(printed.contains("book.db"), "{printed}");
}

#[test]
fn an_import_that_fails_changes_nothing() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["import", "a.kbook", "good.db"]);
    let before = Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap();
    place.write("bad.db", format!("{HEADER}{START}\n9g9f none 30\n7g7e none 1\n"));
    place.write("letter", "Dear Sir,\n");
    place.write("broken.kbook", "Dear Sir,");
    place.write("bad.sfen", "startpos moves 7g7f 7g7f\n");
    for (input, expected) in [
        ("bad.db", "bad.db: line 4, column 1: 7g7e is illegal"),
        ("letter", "letter: found \"Dear Sir,\", expected games"),
        ("bad.sfen", "bad.sfen: line 1"),
        ("broken.kbook", "broken.kbook: found \"Dear Sir,\", expected a book's store"),
        ("nowhere", "cannot read nowhere"),
    ] {
        let printed = place.refused(&["import", "a.kbook", input, "--strict"], 1);
        assert!(printed.contains(expected), "{input}: {printed}");
        assert_eq!(Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap(), before);
    }
}

#[test]
fn a_command_that_fails_leaves_no_empty_book() {
    let place = Workplace::new();
    place.write("bad.jkf", "{\"header\": {}, \"moves\": 5}");
    place.write("bad.csa", "V2.2\nPI\n+\n+9999FU\n");
    place.write("bad.db", "#YANEURAOU-DB2016 1.00\nsfen nonsense\n");
    place.write("bad.log", format!("{}\nnonsense\n", "#KOMADAI-LOG 1"));
    place.write("archive.csa", "7z\u{bc}\u{af}'\u{1c}");
    place.write("archive.tar.gz", [&[0x1f, 0x8b, 8][..], &[0; 40]].concat());
    place.write("good.sfen", "startpos moves 7g7f 3c3d\n");
    place.write("good.db", small50().input);
    let before = place.names();
    for command in [
        &["import", "new.kbook", "bad.jkf"][..],
        &["import", "new.kbook", "bad.jkf", "--strict"],
        &["import", "new.kbook", "bad.csa", "--strict"],
        &["import", "new.kbook", "bad.db", "--strict"],
        &["import", "new.kbook", "good.sfen", "bad.jkf"],
        &["import", "new.kbook", "missing.csa"],
        &["import", "new.kbook", "archive.tar.gz"],
        &["import", "new.kbook", "archive.csa"],
        &["import", "new.kbook", "bad.db"],
        &["log", "import", "new.kbook", "bad.log"],
        &["grow", "new.kbook", "--engine", "./missing-engine"],
        &["grow", "new.kbook", "--resume"],
    ] {
        place.refused(command, 1);
        assert_eq!(place.names(), before, "{command:?}");
    }
    // What was imported before the fault stays, and a book of before is never removed.
    place.refused(&["import", "new.kbook", "good.db", "bad.jkf"], 1);
    assert!(place.view("new.kbook").len() >= 50);
    let empty = place.path("empty.kbook");
    drop(Store::create(&empty).unwrap());
    place.refused(&["import", "empty.kbook", "bad.jkf"], 1);
    assert!(empty.exists());
}
