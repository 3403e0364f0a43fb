//! Conversion between formats: `convert`, `sort`, `merge`.

use std::fs;

use komadai::book::BookSource;
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::kifu::Tolerance;
use komadai_testdata::books::yuuki;

use super::{HEADER, START, TURNED, Workplace, moves_of, small50};

/// Returns the book with a number of games for each move, which the fixture lacks.
fn with_counts(db: &str) -> String {
    let counted = db.lines().enumerate().map(|(place, line)| {
        match line.starts_with('#') || line.starts_with("sfen ") {
            true => format!("{line}\n"),
            false => format!("{line} {}\n", 1 + place % 9),
        }
    });
    counted.collect()
}

#[test]
fn every_format_gives_back_what_it_can_hold() {
    let place = Workplace::new();
    place.write("a.db", with_counts(small50().input));
    let original = place.records("a.db");
    let moves = original.iter().map(|record| record.moves.len() as u64).sum::<u64>();
    let plies = original.iter().filter(|record| record.ply.is_some()).count() as u64;
    let all = |m: &RecordMove| format!("{:?} {:?} {:?}", m.score, m.depth, m.count);
    let without_count = |m: &RecordMove| format!("{:?} {:?}", m.score, m.depth);
    let without_depth = |m: &RecordMove| format!("{:?} {:?}", m.score, m.count);
    let only_count = |m: &RecordMove| format!("{:?}", m.count);
    /// A format, the data of a move that it keeps, and the losses that it reports.
    type Case<'c> = (&'c str, &'c dyn Fn(&RecordMove) -> String, &'c [(&'c str, u64)]);
    let cases: [Case<'_>; 5] = [
        ("db", &all, &[]),
        ("ybb", &without_count, &[("counts_of_moves", moves)]),
        ("bin", &without_depth, &[("depths_of_moves", moves), ("move_numbers", plies)]),
        ("sbk", &only_count, &[("values_of_moves", moves), ("depths_of_moves", moves)]),
        ("kbook", &all, &[]),
    ];
    for (format, shown, lost) in cases {
        let there = format!("there.{format}");
        let back = format!("back-from-{format}.db");
        let json = place.json(&["convert", "a.db", &there, "--json"]);
        assert_eq!(json["positions"], original.len(), "{format}");
        assert_eq!(json["skipped"], 0);
        for (kind, count) in json["lost"].as_object().expect("an object") {
            let expected =
                lost.iter().find(|(name, _)| name == kind).map_or(0, |&(_, count)| count);
            assert_eq!(count.as_u64(), Some(expected), "{format}: {kind}");
        }
        place.done(&["convert", &there, &back]);
        assert_eq!(
            moves_of(&place.records(&back), shown),
            moves_of(&original, shown),
            "{format} and back"
        );
        // The written book is sound and contains the number of its positions.
        let sound = place.json(&["validate", &back, "--json"]);
        assert_eq!(sound["sound"], true, "{format}: {sound}");
        let announced = fs::read_to_string(place.path(&back)).unwrap();
        assert!(announced.contains(&format!("\n# NOE:{}\n", original.len())), "{format}");
        assert_eq!(place.json(&["validate", &there, "--json"])["sound"], true, "{format}");
    }
    // No temporary file is left.
    assert!(place.names().iter().all(|name| !name.starts_with('.')), "{:?}", place.names());
}

#[test]
fn lost_depths_are_reported() {
    let place = Workplace::new();
    place.write("a.db", with_counts(small50().input));
    let lean = place.json(&["convert", "a.db", "a.ybb", "--depths", "omit", "--json"]);
    assert_eq!(lean["lost"]["depths_of_moves"], lean["lost"]["counts_of_moves"]);
    // A format is recognised by the content, not by the name.
    fs::rename(place.path("a.ybb"), place.path("a.db")).unwrap();
    assert_eq!(place.json(&["info", "a.db", "--json"])["format"], "ybb");
    let printed = place.refused(&["convert", "a.db", "a.xyz"], 2);
    assert!(printed.contains("a.xyz: unknown format"), "{printed}");
    let printed = place.refused(&["convert", "a.db", "out", "--to", "pdf"], 2);
    assert!(
        printed.contains("found the format \"pdf\", expected db, ybb, bin, sbk or kbook"),
        "{printed}"
    );
    place.done(&["convert", "a.db", "out", "--to", "ybb"]);
}

#[test]
fn sorting_needs_little_memory_and_loses_nothing() {
    let place = Workplace::new();
    place.write("a.db", yuuki::YANEURAOU_DB);
    assert_eq!(place.json(&["info", "a.db", "--json"])["sorted"], false);
    place.refused(&["validate", "a.db"], 1);
    // A small book need not be sorted for a look-up.
    assert_eq!(place.json(&["probe", "a.db", "--json"])["found"], true);
    let json = place.json(&["sort", "a.db", "b.db", "--memory-mib", "0", "--json"]);
    assert_eq!((&json["read"], &json["skipped"]), (&json["positions"], &0.into()));
    assert!(json["lost"].as_object().is_some_and(|lost| lost.values().all(|count| count == 0)));
    place.done(&["validate", "b.db"]);
    let all = |m: &RecordMove| format!("{m:?}");
    let unsorted = BookSource::open(place.path("a.db"), Tolerance::Lenient).unwrap();
    let unsorted: Vec<BookRecord> = unsorted.map(Result::unwrap).collect();
    assert_eq!(moves_of(&place.records("b.db"), all), moves_of(&unsorted, all));
    assert_eq!(place.json(&["probe", "b.db", "--json"])["found"], true);
    // The output may be the input.
    place.done(&["sort", "a.db", "a.db"]);
    assert_eq!(fs::read(place.path("a.db")).unwrap(), fs::read(place.path("b.db")).unwrap());
}

#[test]
fn rules_unite_two_records_of_a_position() {
    let place = Workplace::new();
    place.write("a.db", format!("{HEADER}{START}\n7g7f none 30 10 5\n2g2f none 20 10 1\n"));
    place.write("b.db", format!("{HEADER}{TURNED}\n3c3d none 40 8 2\n"));
    for (rule, expected) in [
        ("first", "2g2f 20 1, 7g7f 30 5"),
        ("last", "7g7f 40 2"),
        ("union-first", "2g2f 20 1, 7g7f 30 7"),
        ("union-last", "2g2f 20 1, 7g7f 40 7"),
        ("union-deeper", "2g2f 20 1, 7g7f 30 7"),
    ] {
        let json = place.json(&["merge", "a.db", "b.db", "c.db", "--rule", rule, "--json"]);
        assert_eq!((&json["positions"], &json["turned"]), (&1.into(), &1.into()));
        assert_eq!(json["moves_with_two_values"], u64::from(rule.starts_with("union")));
        let records = place.records("c.db");
        let mut moves: Vec<String> = records[0]
            .moves
            .iter()
            .map(|m| format!("{} {} {}", m.m, m.score.unwrap().raw(), m.count.unwrap()))
            .collect();
        moves.sort();
        assert_eq!(moves.join(", "), expected, "{rule}");
    }
    place.refused(&["merge", "a.db", "c.db", "--rule", "best"], 2);
    place.refused(&["merge", "a.db"], 2);
}
