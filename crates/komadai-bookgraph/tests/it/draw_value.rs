//! Draws with a value other than 0 for one side.

use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::{Basis, DrawValue, GraphBuilder};
use komadai_core::{Color, Position, Score};
use komadai_movegen::MoveGen as _;

/// A book of two kings that walk to and fro, with values for the moves of the start that leave the
/// walk.
fn walk(leaving: i32, draw: i32) -> komadai_bookgraph::BookGraph {
    let mut builder = GraphBuilder::new().draw_value(DrawValue::for_black(draw));
    let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    let start = position.clone();
    for m in ["5i5h", "5a5b", "5h5i", "5b5a"] {
        let m = m.parse().unwrap();
        let own = RecordMove { score: Some(Score::cp(999)), ..RecordMove::new(m) };
        let mut record = BookRecord::new(position.without_history());
        record.moves.push(own);
        if position.ply() == 1 {
            let other = position.legal_moves().iter().copied().find(|&other| other != m).unwrap();
            let score = Some(Score::cp(leaving));
            record.moves.push(RecordMove { score, ..RecordMove::new(other) });
        }
        builder.add(&record).unwrap();
        position.do_move(m);
    }
    assert_eq!(start.key(), position.key());
    builder.finish().unwrap()
}

fn value_of(graph: &komadai_bookgraph::BookGraph, sfen: &str) -> (i32, Basis) {
    let value = graph.value(&Position::from_sfen(sfen).unwrap()).unwrap();
    (value.score.raw(), value.basis)
}

const START: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
const TURNED: &str = "4k4/9/9/9/9/9/9/9/4K4 w - 1";

#[test]
fn a_draw_is_taken_where_it_is_worth_more() {
    // With draws of value 0, a leaving move with −10 is not made, and one with 10 is.
    assert_eq!(value_of(&walk(-10, 0), START), (0, Basis::Repetition));
    assert_eq!(value_of(&walk(10, 0), START), (10, Basis::Leaf));
    // A draw has the value 25 for Black, which is more than 10. With the colours exchanged White is
    // to move. Its draw has the value −25, so 10 is better, and −10 too.
    assert_eq!(value_of(&walk(10, 25), START), (25, Basis::Repetition));
    assert_eq!(value_of(&walk(10, 25), TURNED), (10, Basis::Leaf));
    assert_eq!(value_of(&walk(-10, 25), TURNED), (-10, Basis::Leaf));
    assert_eq!(value_of(&walk(-30, 25), TURNED), (-25, Basis::Repetition));
    // A draw is bad for Black.
    assert_eq!(value_of(&walk(-20, -25), START), (-20, Basis::Leaf));
    assert_eq!(value_of(&walk(-30, -25), START), (-25, Basis::Repetition));
}

#[test]
fn moves_are_shown_with_what_they_are_worth() {
    let graph = walk(10, 25);
    let start = Position::from_sfen(START).unwrap();
    let scores: Vec<i32> = graph.moves(&start).iter().map(|m| m.value.score.raw()).collect();
    assert_eq!(scores, [25, 10]);
    let turned = Position::from_sfen(TURNED).unwrap();
    let scores: Vec<i32> = graph.moves(&turned).iter().map(|m| m.value.score.raw()).collect();
    // Walking around once before leaving has the same value, but is farther away.
    assert_eq!(scores, [10, 10]);
    assert_eq!(DrawValue::for_black(25).of(Color::White), -25);
    assert_eq!(DrawValue::for_black(9_999).of(Color::Black), DrawValue::MAX_CP);
}
