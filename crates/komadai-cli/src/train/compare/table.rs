//! The table of a comparison, in Markdown.

use std::fmt;
use std::time::Duration;

use komadai::eval::Evaluator;
use komadai::matches::Tally;
use komadai::train::methods::{Agreement, ComparisonOptions, HeldOutLoss, Learned, LearningData};
use komadai_console::grouped;

/// A row: an evaluation and its measures.
pub(super) struct Row {
    name: String,
    positions: u64,
    cpu_time: Duration,
    loss: HeldOutLoss,
    agreement: Agreement,
    /// Against material and against the embedded evaluation.
    pub(super) games: [Tally; 2],
}

/// Returns the lines above the rows: the seconds of processor time a method, and the games and
/// nodes of a match.
pub(super) fn head(data: &LearningData, cpu: u64, games: usize, nodes: u64) -> String {
    format!(
        "{} positions to learn from, {} held out; {} s of processor time a method; {} games a match with {} nodes\n\n\
         | evaluation | positions | CPU s | loss | best loss (factor) | top 1 | top 3 | material | classical |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        grouped(data.training() as u64),
        grouped(data.held_out() as u64),
        cpu,
        games,
        grouped(nodes),
    )
}

impl Row {
    /// Measures an evaluation that is not learned here.
    pub(super) fn of<E: Evaluator>(
        name: &str,
        evaluator: &E,
        data: &LearningData,
        options: &ComparisonOptions,
    ) -> Self {
        Self {
            name: name.to_owned(),
            positions: 0,
            cpu_time: Duration::ZERO,
            loss: data.loss(evaluator, options.score_scale),
            agreement: data.agreement(evaluator, options.agreement_positions),
            games: Default::default(),
        }
    }

    pub(super) fn learned(name: &str, learned: &Learned) -> Self {
        Self {
            name: name.to_owned(),
            positions: learned.positions,
            cpu_time: learned.cpu_time,
            loss: learned.loss,
            agreement: learned.agreement,
            games: Default::default(),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, positions, cpu_time, loss, agreement, games } = self;
        writeln!(
            f,
            "| {name} | {} | {:.1} | {:.4} | {:.4} ({:.2}) | {:.1} % | {:.1} % | {} | {} |",
            grouped(*positions),
            cpu_time.as_secs_f64(),
            loss.loss,
            loss.best,
            loss.best_factor,
            100.0 * agreement.first,
            100.0 * agreement.among_three,
            result(&games[0]),
            result(&games[1]),
        )
    }
}

/// Returns the difference in Elo with its interval, and the games won, drawn and lost.
fn result(tally: &Tally) -> String {
    let [won, drawn, lost] = tally.wins_draws_losses();
    match tally.pairs().elo() {
        Some(elo) => {
            format!("{:+.0} [{:+.0}, {:+.0}] ({won}-{drawn}-{lost})", elo.elo, elo.low, elo.high)
        }
        None => "–".to_owned(),
    }
}
