//! Many positions, searched on all cores.
//!
//! ```text
//! cargo run --release --example batch_rayon
//! ```

use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use rayon::prelude::*;

fn main() {
    // The positions after each of Black's thirty first moves.
    let start = Position::hirate();
    let moves = start.legal_moves();

    // A searcher owns its transposition table, so each thread makes one and uses it for all of its
    // positions.
    let searcher = || AlphaBeta::new(Classical::default(), SearchOptions::default());
    let budget = Budget::about(1_000);
    let mut values: Vec<(Score, Move)> = moves
        .par_iter()
        .map_init(searcher, |searcher, &m| {
            // `new_game` forgets the last position: results do not depend on how the work is
            // divided.
            searcher.new_game();
            let found = searcher.search(&start.after(m), &budget, &mut |_| {});
            (-found.lines[0].score, m) // the value for Black, who made the move
        })
        .collect();

    values.sort_by_key(|&(score, m)| (std::cmp::Reverse(score), m.to_string()));
    for (score, m) in &values[..5] {
        println!("{m} {score}");
    }
}
