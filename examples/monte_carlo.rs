//! Searches a position by Monte Carlo tree search, and prints what the tree says about each move.
//!
//! ```text
//! cargo run --release --example monte_carlo
//! cargo run --release --example monte_carlo -- startpos moves 7g7f 3c3d
//! ```

use komadai::eval::Classical;
use komadai::kifu::Notation;
use komadai::prelude::*;
use komadai::report::Diagram;
use komadai::search::monte_carlo::{MonteCarlo, MonteCarloOptions};
use komadai::tsume::DfPn;
use komadai::{UsiPosition, movegen};

/// A level position of a tournament game; Black is to move.
const MIDDLE_GAME: &str =
    "sfen ln1g3nl/1ks1gr3/1pp1p1bp1/p3s1p1p/3p1p1P1/PPP1P1P2/1KSP1P2P/2S1G2R1/LNBG3NL b - 35";

fn main() -> anyhow::Result<()> {
    let line = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let line = if line.is_empty() { MIDDLE_GAME } else { &line };
    let position = movegen::play(&UsiPosition::from_usi(line)?)?;

    let options = MonteCarloOptions { playouts: Some(20_000), ..MonteCarloOptions::default() };
    let mut searcher = MonteCarlo::new(Classical::default(), options);
    searcher.set_mate_solver(Some(Box::new(DfPn::default())));
    let found = searcher.search(&position, &Budget::unlimited(), &mut |_| {});

    print!("{}", Diagram::kanji(&position));
    println!("{} results in {:.1?}", searcher.playouts(), found.time);
    for root_move in searcher.root_moves().iter().filter(|root_move| root_move.visits > 0) {
        let name = Notation::Japanese.line(&position, &[root_move.m]);
        let (rate, prior) = (100.0 * root_move.rate, 100.0 * root_move.prior);
        println!("{name}: {} visits, {rate:.1} % expected, {prior:.1} % prior", root_move.visits);
    }
    if let Some(best) = found.lines.first() {
        println!("best line: {}", Notation::Japanese.line(&position, &best.pv));
    }
    Ok(())
}
