//! Illegal moves and the rules that they break.
//!
//! ```text
//! cargo run --example why_illegal
//! ```

use komadai::movegen::IllegalMove;
use komadai::prelude::*;

fn main() -> anyhow::Result<()> {
    let cases = [
        // A second pawn on a file (二歩).
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"),
        // A dropped pawn that mates (打ち歩詰め).
        ("7nk/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b"),
        // The silver shields its king from the rook.
        ("4k4/9/4r4/9/9/9/9/4S4/4K4 b - 1", "5h6g"),
        // A knight on the second rank would never move again (行き所のない駒).
        ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*5b"),
        // A pawn does not jump.
        ("4k4/9/9/9/9/9/4P4/9/4K4 b - 1", "5g5e"),
    ];
    for (sfen, text) in cases {
        let position = Position::from_sfen(sfen)?;
        let m: Move = text.parse()?;
        match position.check_legality(m) {
            Ok(()) => println!("{text}: legal"),
            // Each rule is a variant with the squares and pieces concerned …
            Err(IllegalMove::Nifu { .. }) => println!("{text}: nifu"),
            // … and every variant prints a sentence.
            Err(rule) => println!("{text}: {rule}"),
        }
    }
    Ok(())
}
