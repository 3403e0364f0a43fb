//! A USI engine with an evaluation of its own. Pondering, time management, opening book and mate
//! search come with it.
//!
//! ```text
//! cargo run --release --example own_usi_engine          # register this program in a USI GUI
//! ```

use komadai::core::attacks;
use komadai::engine::UsiEngine;
use komadai::eval::{Material, from_fn};
use komadai::prelude::*;
use komadai::usi::serve_stdio;

/// Material, and 15 centipawns for each own gold and silver next to the own king.
fn evaluate(position: &Position) -> i32 {
    let guards = |color| {
        let near = attacks::king(position.king_square(color)?);
        let silvers = position.pieces(color, PieceKind::Silver);
        Some((near & (position.pieces(color, PieceKind::Gold) | silvers)).len() as i32)
    };
    let lead = guards(position.side()).unwrap_or(0) - guards(!position.side()).unwrap_or(0);
    Material.evaluate_position(position).raw() + 15 * lead
}

fn main() -> std::io::Result<()> {
    let engine = UsiEngine::builder()
        .identity("Two guards 1.0", "a reader of the examples")
        .evaluator(from_fn(evaluate))
        .build();
    serve_stdio(engine)
}
