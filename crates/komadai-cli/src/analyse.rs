//! Analysis of a game: a table of its moves, an annotated record, or JSON.

mod explanations;
mod game_file;
mod game_text;
mod json;
mod language;
mod options;
mod pictures;
mod record_output;
mod table;
mod threats;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, bail};
use komadai::analysis::game_analysis::{GameAnalysis, PlyAnalysis};
use komadai::kifu::{Record, ReplayError};

use self::explanations::explain;
use self::game_file::GameFile;
use self::game_text::GameText;
use crate::arguments::faults::exit_code;

pub use self::options::AnalyseArgs;
use self::pictures::Pictures;
use self::record_output::RecordOutput;
use komadai_console::{
    Output, Program, Progress, bounded_score, interrupted, note, stop_on_interrupt,
};

/// Number of failed positions that are named.
const NAMED_FAILURES: usize = 5;

impl Program for AnalyseArgs {
    const SUBCOMMAND: &'static str = "analyse";

    fn run(&self) -> anyhow::Result<ExitCode> {
        // All that can be refused is refused before the analysis, which takes a minute.
        let game = GameFile::read(self)?;
        game.check_plies(self)?;
        let output = RecordOutput::new(self)?;
        let pictures = Pictures::new(self)?;
        let stop = stop_on_interrupt()?;
        let analysis = analyse(self, &game, &stop)?;
        warn(&game.record, &analysis);
        let mut text = GameText::new(&game.record, &analysis, self.notation(), self.language());
        text.has_threats = self.threats;
        let explanations = if self.explain { explain(&text) } else { Vec::new() };
        // The files come first: the reader of the table may leave early.
        let written = match &output {
            Some(output) if !analysis.is_stopped => output.write(&text),
            _ => Ok(()),
        };
        let written = written.and(pictures.write(&text));
        let mut out = BufWriter::new(Output::json_if(self.json));
        if self.json {
            writeln!(out, "{}", json::document(self, &game, &text, &explanations))?;
        } else {
            table::write(&mut out, self, &text)?;
            table::write_sides(&mut out, &text)?;
            table::write_course(&mut out, &text)?;
            explanations::write(&mut out, &text, &explanations)?;
            if self.threats {
                threats::write(&mut out, &text)?;
            }
        }
        out.flush()?;
        written?;
        if analysis.is_stopped {
            return Err(interrupted(match output {
                Some(_) => "stopped; the record is not written",
                None => "stopped",
            }));
        }
        Ok(exit_code(game.lost_moves))
    }
}

/// Analyses the game, with its progress on standard error.
fn analyse(
    arguments: &AnalyseArgs,
    game: &GameFile,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<GameAnalysis> {
    let mut analyst = arguments.analyst()?;
    analyst.stop = Arc::clone(stop);
    let mut progress: Option<Progress> = None;
    let analysed = analyst.analyse(&game.record, |state| {
        let bar =
            progress.get_or_insert_with(|| Progress::new("analyse", state.total, arguments.quiet));
        bar.tick(|| format!("move {}: {}", state.ply.ply, shown(state.ply)));
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    let analysis = analysed.with_context(|| game.place.clone())?;
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
fn warn(record: &Record, analysis: &GameAnalysis) {
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
