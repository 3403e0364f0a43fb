//! The positions of the study, with the referee's move.

use anyhow::Context as _;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions, Searcher};

use komadai_study::Journal;
use komadai_study::referee::Referee;

/// Values beyond this, in centipawns, decide a game: one move is as good as another.
const OPEN: i32 = 1_500;

/// A position, the referee's move and its value.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) position: Position,
    pub(super) best: Move,
    pub(super) value: i32,
}

/// Returns a position with the referee's move, unless the game is decided or there is no choice.
pub(super) fn judge(
    position: Position,
    referee: &Referee<Classical>,
    journal: &Journal,
) -> anyhow::Result<Option<Judged>> {
    if position.legal_moves().len() < 2 {
        return Ok(None);
    }
    let key = format!("best\t{position}\t{}", referee.nodes());
    let best = journal.get_or_find(key, || {
        let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
        let mut search = AlphaBeta::new(Classical::default(), options);
        let analysis = search.search(&position, &Budget::nodes(2 * referee.nodes()), &mut |_| {});
        let best = analysis.best_move().context("a position with moves has a best one")?;
        Ok(best.to_string())
    })?;
    let best: Move = best.parse().with_context(|| format!("found {best:?}, expected a move"))?;
    let value = referee.value(&position, best)?;
    Ok((value.abs() <= OPEN).then_some(Judged { position, best, value }))
}
