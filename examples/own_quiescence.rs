//! A search whose leaves try the moves that we choose.
//!
//! ```text
//! cargo run --example own_quiescence
//! ```

use std::sync::Arc;

use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{
    AlphaBeta, Quiescence, QuiescenceClasses, QuiescenceNode, QuiescencePolicy, SearchOptions,
    SelectedQuiescence,
};

/// Winning captures always, checks only late in the game, escapes not at the last ply.
#[derive(Debug)]
struct LateChecks;

impl QuiescencePolicy for LateChecks {
    fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
        let mut classes = QuiescenceClasses::SEE;
        if node.progress().get() >= 10 {
            classes |= QuiescenceClasses::CHECK;
        }
        if node.depth_left > 1 {
            classes |= QuiescenceClasses::ESCAPE;
        }
        classes
    }
}

fn main() -> anyhow::Result<()> {
    let own = Quiescence::Selected(SelectedQuiescence::new(Arc::new(LateChecks), 4));
    let position = Position::from_sfen(
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    )?;
    let mut options = SearchOptions::default();
    // Other methods have names: standing pat only, winning captures, and the one for playing.
    for method in ["Eval".parse()?, "SEE".parse()?, "Standard".parse()?, own] {
        options.quiescence = method;
        let mut searcher = AlphaBeta::new(Classical::default(), options.clone());
        let found = searcher.search(&position, &Budget::depth(3), &mut |_| {});
        let best = &found.lines[0];
        println!("{:>6} {:>6} nodes  {}", best.score.to_string(), found.nodes, best.pv);
    }
    Ok(())
}
