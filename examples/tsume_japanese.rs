//! Tsume problems, solved and written as in a Japanese book.
//!
//! ```text
//! cargo run --release --example tsume_japanese
//! cargo run --release --example tsume_japanese -- "8k/9/8P/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
//! ```

use komadai::kifu::Notation;
use komadai::movegen::MateResult;
use komadai::prelude::*;
use komadai::report::Diagram;
use komadai::tsume::{DfPn, DfPnOptions, Goal};

/// A mate in 15 plies. The defender holds all pieces that are not on the board.
const PROBLEM: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";

fn main() -> anyhow::Result<()> {
    let sfen = std::env::args().nth(1).unwrap_or_else(|| PROBLEM.to_owned());
    let problem = Position::from_sfen(&sfen)?;
    let mut options = DfPnOptions::default();
    print!("{}", Diagram::kanji(&problem));

    options.goal = Goal::ShortestMate; // the default is any mate, which is faster
    let mut solver = DfPn::new(options);

    // Every answer is proved; a budget that is too small gives `Unknown`, never a wrong answer.
    match solver.solve_mate(&problem, &Budget::nodes(1_000_000)).result {
        MateResult::Mate { line, .. } => {
            println!("{}手詰", line.len());
            for (number, name) in Notation::Kif.names(&problem, &line).iter().enumerate() {
                println!("{:>2} {name}", number + 1);
            }
        }
        MateResult::NoMate => println!("不詰"),
        other => println!("不明: {other:?}"),
    }
    Ok(())
}
