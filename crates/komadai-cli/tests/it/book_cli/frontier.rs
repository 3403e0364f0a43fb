//! Changes of a frontier: `frontier-diff`.

use std::collections::BTreeSet;

use komadai::Position;
use komadai::movegen::MoveGen as _;
use serde_json::Value;

use super::{Workplace, small50};

#[test]
fn the_frontier_before_and_after_is_compared() {
    let place = Workplace::new();
    let fixture = small50();
    place.write("old.db", fixture.input);
    place.done(&["import", "a.kbook", "old.db"]);
    place.done(&["snapshot", "a.kbook", "then"]);
    let next = |book: &str| {
        let printed = place.json(&["next", book, "--side", "both", "--eval-diff", "50", "--json"]);
        let positions = printed["positions"].as_array().expect("a list").clone();
        let name = |found: &Value| found["sfen"].as_str().expect("a text").to_owned();
        positions.iter().map(name).collect::<BTreeSet<_>>()
    };
    // The first position of the frontier gets a value that changes the best line to it.
    let before = next("a.kbook");
    let first = before.first().expect("there is a frontier").clone();
    let position = Position::from_sfen(&first).expect("a position");
    let m = position.legal_moves()[0];
    place.write("more.db", format!("#YANEURAOU-DB2016 1.00\nsfen {first}\n{m} none 400 20 1\n"));
    place.done(&["import", "a.kbook", "more.db"]);
    let after = next("a.kbook");
    let selection = ["--side", "both", "--eval-diff", "50"];
    let since = [&["frontier-diff", "a.kbook", "--since", "then"], &selection[..]].concat();
    let diff = place.json(&[&since[..], &["--json"]].concat());
    let printed = |group: &str| {
        let found = diff[group].as_array().expect("a list").iter();
        found
            .map(|found| found["sfen"].as_str().expect("a text").to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(printed("searched"), BTreeSet::from([first]));
    assert_eq!(printed("new"), after.difference(&before).cloned().collect());
    let gone: BTreeSet<_> = printed("searched").union(&printed("unreached")).cloned().collect();
    assert_eq!(gone, before.difference(&after).cloned().collect());
    assert_eq!(diff["kept"], before.intersection(&after).count());
    assert_eq!(diff["searched"][0]["value"], 400);
    assert_eq!(diff["searched"][0]["best_line"], m.to_string());
    // The same as lines of text, for a snapshot and for two books.
    place.done(&["convert", "a.kbook", "new.db"]);
    let lines = place.done(&since);
    assert!(lines.lines().any(|line| line.starts_with("searched\tsfen ")), "{lines}");
    let books = [&["frontier-diff", "new.db", "--before", "old.db"], &selection[..]].concat();
    assert_eq!(place.done(&books), lines);
    place.refused(&["frontier-diff", "new.db", "--since", "then"], 2);
    let printed = place.refused(&["frontier-diff", "a.kbook"], 2);
    assert!(printed.contains("--since") && printed.contains("--before"), "{printed}");
    let printed = place.refused(&["frontier-diff", "a.kbook", "--since", "never"], 1);
    assert!(printed.contains("never"), "{printed}");
}
