//! The analysis of one game, with its progress and its warnings.

use anyhow::{Context as _, bail};
use komadai::analysis::game_analysis::{GameAnalysis, GameAnalyst, PlyAnalysis};
use komadai::kifu::{Record, ReplayError};
use komadai_console::{Progress, bounded_score, note};

/// Number of failed positions that are named.
const NAMED_FAILURES: usize = 5;

/// Analyses a game, with its progress under a label on standard error.
pub(super) fn analyse(
    analyst: &mut GameAnalyst,
    record: &Record,
    place: &str,
    label: &str,
    is_quiet: bool,
) -> anyhow::Result<GameAnalysis> {
    let mut progress: Option<Progress> = None;
    let analysed = analyst.analyse(record, |state| {
        let bar = progress.get_or_insert_with(|| Progress::new(label, state.total, is_quiet));
        bar.tick(|| format!("move {}: {}", state.ply.ply, shown(state.ply)));
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    let analysis = analysed.with_context(|| place.to_owned())?;
    if let Some(failed) = analysis.plies.iter().find_map(|ply| ply.failure.as_ref())
        && analysis.plies.iter().all(|ply| ply.failure.is_some())
    {
        bail!("no position could be analysed: {failed}");
    }
    Ok(analysis)
}

/// Checks for an illegal move that is the last one, and that the end of the game states to be a
/// foul.
fn is_stated_foul(record: &Record, analysis: &GameAnalysis) -> bool {
    let ply = match &analysis.illegal {
        Some(ReplayError::IllegalMove { ply, .. }) => *ply,
        _ => return false,
    };
    ply == record.moves.len() && record.punishes_last_move()
}

/// Warns of positions without an analysis.
pub(super) fn warn(record: &Record, analysis: &GameAnalysis) {
    // A foul that the end of the game states is its last move.
    let is_stated = is_stated_foul(record, analysis);
    if let Some(illegal) = analysis.illegal.as_ref().filter(|_| !is_stated) {
        note!("warning: the analysis ends early: {illegal}");
    }
    let failed = analysis.plies.iter().filter_map(|ply| Some((ply.ply, ply.failure.as_ref()?)));
    for (ply, failure) in failed.take(NAMED_FAILURES) {
        note!("warning: the position before move {ply} could not be analysed: {failure}");
    }
    if analysis.failures() > NAMED_FAILURES {
        note!("warning: {} positions could not be analysed in all", analysis.failures());
    }
}

/// Returns the value of a position for Black.
fn shown(ply: &PlyAnalysis) -> String {
    bounded_score(ply.black_score(), ply.black_bound())
}
