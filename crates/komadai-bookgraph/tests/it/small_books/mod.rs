//! Random books of a few positions that lead to each other, cycles included.

use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::{BookGraph, DrawValue, GraphBuilder};
use komadai_core::{Move, Position, Score};
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

/// Start positions with few moves that lead back: kings walking, a hunt by a dragon, two hunters,
/// an even game.
pub(crate) const STARTS: [&str; 4] = [
    "4k4/9/9/9/9/9/9/9/4K4 b - 1",
    "+R3k4/9/9/9/9/9/9/9/4K4 w - 2",
    "5k3/9/4+R4/9/9/9/4+r4/9/3K5 b - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
];

/// A position with the side to move, and without the move number.
pub(crate) fn name(position: &Position) -> String {
    let text = position.to_string();
    text.rsplit_once(' ').expect("four fields").0.to_owned()
}

/// Positions near a start. Only some moves of each position are followed.
pub(crate) fn pool(start: &str, most: usize) -> Vec<Position> {
    let mut positions = vec![Position::from_sfen(start).expect("a position")];
    let mut at = 0;
    while at < positions.len() && positions.len() < most {
        let moves = positions[at].legal_moves().to_vec();
        let step = (moves.len() / 4).max(1);
        for &m in moves.iter().step_by(step) {
            let next = positions[at].after(m).without_history();
            if positions.iter().all(|known| name(known) != name(&next)) {
                positions.push(next);
            }
        }
        at += 1;
    }
    positions.truncate(most);
    positions
}

/// A listed move: its number, its value, and its number of games.
pub(crate) type Listed = (usize, Option<i16>, u32);

/// The lists of moves of the positions of a pool.
pub(crate) fn any_lists() -> impl Strategy<Value = Vec<Vec<Listed>>> {
    let score = prop_oneof![8 => (-40i16..=40).prop_map(Some), 1 => Just(None)];
    let listed = (0usize..200, score, 0u32..5);
    prop::collection::vec(prop::collection::vec(listed, 0..4), 1..30)
}

/// A book of positions of a pool. Moves that stay within the pool are preferred.
pub(crate) fn book(pool: &[Position], lists: &[Vec<Listed>], draw_cp: i32) -> BookGraph {
    let mut builder = GraphBuilder::new().draw_value(DrawValue::for_black(draw_cp));
    for (position, list) in pool.iter().zip(lists) {
        let legal = position.legal_moves().to_vec();
        let is_inside = |&m: &Move| {
            let next = name(&position.after(m));
            pool.iter().any(|known| name(known) == next)
        };
        let inside: Vec<Move> = legal.iter().copied().filter(is_inside).collect();
        let choose = |number: usize| match inside.is_empty() || number.is_multiple_of(3) {
            true => legal[number % legal.len()],
            false => inside[number % inside.len()],
        };
        let mut record = BookRecord::new(position.clone());
        if !legal.is_empty() {
            record.moves = list
                .iter()
                .map(|&(number, score, games)| RecordMove {
                    score: score.map(|score| Score::cp(score.into())),
                    count: Some(games),
                    ..RecordMove::new(choose(number))
                })
                .collect();
        }
        builder.add(&record).expect("it fits");
    }
    builder.finish().expect("its moves are legal")
}
