//! The moves of the root of a tree, or a picture of the tree.

mod drawing;

use clap::Args;
use komadai::eval::Classical;
use komadai::kifu::Notation;
use komadai::prelude::*;
use komadai::report::Diagram;
use komadai::search::SearchOptions;
use komadai::search::monte_carlo::{MonteCarlo, MonteCarloOptions, Proven};
use komadai::tsume::DfPn;
use komadai::{UsiPosition, movegen};

use crate::monte_carlo_study::tree::drawing::Drawing;

/// A level position of a tournament game; Black is to move.
const MIDDLE_GAME: &str =
    "sfen ln1g3nl/1ks1gr3/1pp1p1bp1/p3s1p1p/3p1p1P1/PPP1P1P2/1KSP1P2P/2S1G2R1/LNBG3NL b - 35";

/// Options of `tree`.
#[derive(Debug, Args)]
pub(crate) struct Tree {
    /// Number of results.
    #[arg(long, default_value_t = 20_000)]
    playouts: u64,
    /// Memory in MiB.
    #[arg(long, default_value_t = 256)]
    hash: usize,
    /// Number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Search as the source of 2012 does.
    #[arg(long)]
    ym2012: bool,
    /// Draw the tree instead of printing the moves.
    #[arg(long)]
    svg: bool,
    /// Number of moves in the drawing.
    #[arg(long, default_value_t = 40)]
    moves: usize,
    /// The position: `startpos` or `sfen SFEN`, with `moves MOVES`.
    position: Vec<String>,
}

impl Tree {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let line = self.position.join(" ");
        let line = if line.is_empty() { MIDDLE_GAME } else { &line };
        let position = movegen::play(&UsiPosition::from_usi(line)?)?;

        let preset = self.ym2012.then(MonteCarloOptions::ym2012).unwrap_or_default();
        let (hash_mib, threads) = (self.hash, self.threads);
        let search = SearchOptions { hash_mib, threads, ..SearchOptions::default() };
        let options = MonteCarloOptions { playouts: Some(self.playouts), search, ..preset };
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        searcher.set_mate_solver(Some(Box::new(DfPn::default())));
        let found = searcher.search(&position, &Budget::unlimited(), &mut |_| {});

        if self.svg {
            let branches = &searcher.branches(self.moves);
            print!("{}", Drawing { position: &position, branches });
            return Ok(());
        }
        print!("{}", Diagram::kanji(&position));
        println!("{} results in {:.1?}", searcher.playouts(), found.time);
        println!();
        println!("| move | visits | expected result | prior | proven |");
        println!("|---|---|---|---|---|");
        for root_move in searcher.root_moves().iter().filter(|root_move| root_move.visits > 0) {
            let proven = match root_move.proven {
                Some(Proven::Win { plies }) => format!("won in {plies}"),
                Some(Proven::Loss { plies }) => format!("lost in {plies}"),
                None => String::new(),
            };
            println!(
                "| {} | {} | {:.1} % | {:.1} % | {proven} |",
                Notation::Japanese.line(&position, &[root_move.m]),
                root_move.visits,
                100.0 * root_move.rate,
                100.0 * root_move.prior,
            );
        }
        if let Some(best) = found.lines.first() {
            println!();
            println!("best line: {}", Notation::Japanese.line(&position, &best.pv));
        }
        Ok(())
    }
}
