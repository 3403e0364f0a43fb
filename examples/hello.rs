//! A first program: a position, its legal moves, a search.
//!
//! ```text
//! cargo run --example hello
//! ```

use komadai::eval::Classical;
use komadai::kifu::Notation;
use komadai::prelude::*;
use komadai::report::Diagram;
use komadai::search::{AlphaBeta, SearchOptions};

fn main() -> anyhow::Result<()> {
    // `hirate` is the usual start; `Position::from_sfen` reads any other position.
    let mut position = Position::hirate();

    // Moves are written as in USI: from, to, and `+` for a promotion; a drop is `P*5e`.
    for text in ["7g7f", "3c3d", "2g2f"] {
        position.try_move(text.parse()?)?; // an illegal move would be an error here
    }
    print!("{}", Diagram::kanji(&position));
    println!("{} legal moves, in check: {}", position.legal_moves().len(), position.in_check());

    // A budget of nodes gives the same result on every machine.
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    let found = searcher.search(&position, &Budget::nodes(20_000), &mut |_| {});
    let best = &found.lines[0];

    // Values are centipawns for the side to move, which is White (後手) here.
    // A sign before the value, ≥ or ≤: the budget ended with a bound.
    println!("depth {}: {}{}", best.depth, best.bound.sign(), best.score);
    println!("{}", Notation::Japanese.line(&position, &best.pv[..2]));
    Ok(())
}
