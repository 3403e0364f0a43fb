//! Values of a book: `propagate`, `probe`.

use komadai::bookfile::RecordMove;
use komadai_testdata::books::synthetic;

use super::{TURNED, Workplace, moves_of, small50};

#[test]
fn propagated_values_are_those_of_the_fixtures() {
    let value_and_depth = |m: &RecordMove| format!("{:?} {:?}", m.score, m.depth);
    for fixture in synthetic::books() {
        let place = Workplace::new();
        place.write("a.db", fixture.input);
        place.write("solved.db", fixture.solved);
        place.done(&["propagate", "a.db", "out.db"]);
        let expected = moves_of(&place.records("solved.db"), value_and_depth);
        if fixture.name == "small50" {
            assert_eq!(moves_of(&place.records("out.db"), value_and_depth), expected);
        }
        // A working book has the same values. Depths in loops of checks may differ, as they depend
        // on the order of the computation.
        place.done(&["import", "a.kbook", "a.db"]);
        let printed = place.json(&["propagate", "a.kbook", "b.db", "--json"]);
        assert_eq!(
            (&printed["output"], &printed["positions"]),
            (&"b.db".into(), &fixture.positions.into())
        );
        let value = |m: &RecordMove| format!("{:?}", m.score);
        assert_eq!(
            moves_of(&place.records("b.db"), value),
            moves_of(&place.records("out.db"), value),
            "{}",
            fixture.name
        );
    }
}

#[test]
fn positions_are_found_in_books_of_every_format() {
    let place = Workplace::new();
    place.write("a.db", small50().input);
    for format in ["db", "ybb", "bin", "sbk", "kbook"] {
        let name = format!("b.{format}");
        place.done(&["convert", "a.db", &name]);
        let shown = place.json(&["probe", &name, "--moves", "7g7f", "--json"]);
        let moves = shown["moves"].as_array().unwrap();
        assert_eq!((shown["found"].as_bool(), moves.len()), (Some(true), 8), "{format}");
        assert_eq!(moves[0]["move"], "3c3d", "{format}");
        // The same position with the colours exchanged.
        let turned = ["probe", &name, "--sfen", &TURNED[5..], "--moves", "3c3d", "--json"];
        assert_eq!(place.json(&turned)["moves"].as_array().unwrap().len(), 8, "{format}");
        let missing = place.json(&["probe", &name, "--moves", "1g1f 9c9d 1f1e", "--json"]);
        assert_eq!(missing["found"], false, "{format}");
    }
    let kif = place.done(&["probe", "b.db", "--notation", "kif", "--values"]);
    assert!(kif.contains("▲７六歩(77)") && kif.contains("best line: ▲"), "{kif}");
    let latin = place.done(&["probe", "b.kbook", "--notation", "latin", "--depth", "2"]);
    assert!(latin.contains("  P-7f"), "{latin}");
    // With --values, moves have propagated values, best first.
    let follow = place.json(&["probe", "b.kbook", "--values", "--json"]);
    let values: Vec<i64> =
        follow["moves"].as_array().unwrap().iter().map(|m| m["value"].as_i64().unwrap()).collect();
    assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
    let printed = place.refused(&["probe", "b.db", "--moves", "7g7f 7g7f"], 2);
    assert!(printed.contains("move 2, 7g7f, is illegal"), "{printed}");
    place.refused(&["probe", "b.db", "--sfen", "nonsense"], 2);
    place.refused(&["probe", "b.db", "--notation", "prose"], 2);
}
