//! A search with an evaluation of one's own.
//!
//! ```text
//! cargo run --example own_evaluator
//! ```

use komadai::eval::{Classical, from_fn};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};

/// The number of squares to which the pieces of a side can move.
fn mobility(position: &Position, color: Color) -> i32 {
    // A position generates moves for the side to move; `do_null_move` passes the turn.
    let mut position = position.without_history();
    if position.side() != color {
        if position.in_check() {
            return 0;
        }
        position.do_null_move();
    }
    let moves = position.legal_moves();
    moves.iter().filter(|m| !m.is_drop()).count() as i32
}

fn main() {
    // An evaluation is a function of the position: centipawns, positive if the side to move is
    // better.
    let classical = Classical::default();
    let own = from_fn(move |position: &Position| {
        let side = position.side();
        let lead = mobility(position, side) - mobility(position, !side);
        classical.evaluate_position(position).raw() + 4 * lead
    });
    println!("start position: {}", own.evaluate_position(&Position::hirate()));

    // The search takes any evaluator. A type that implements `Evaluator` itself can keep data that
    // each move updates, which is faster than a function that begins again at every position.
    let mut searcher = AlphaBeta::new(own, SearchOptions::default());
    let found = searcher.search(&Position::hirate(), &Budget::nodes(2_000), &mut |_| {});
    println!("depth {}: {}", found.depth, found.lines[0]);
}
