//! Judges the static evaluation by other means than self-play: pairs of positions on which three
//! other engines agree, real games, and the evaluation's own stability.
//!
//! ```text
//! POSITIONS=crates/komadai-testdata/data/evaluation/game_positions.tsv
//! cargo run --release -p komadai-lab -- judge-evaluation check --parameters new.txt
//! cargo run --release -p komadai-lab -- judge-evaluation agreement $POSITIONS --parameters new.txt
//! cargo run --release -p komadai-lab -- judge-evaluation stability $POSITIONS --parameters new.txt
//! ```

mod agreement;
mod book;
mod candidates;
mod castle_results;
mod check;
mod evaluators;
mod judge;
mod judged;
mod king_step;
mod opinions;
mod positions;
mod sanity;
mod stability;
mod suite;
mod tempo;
mod verdict;

use clap::{Args, Subcommand};

use crate::judge_evaluation::agreement::Agreement;
use crate::judge_evaluation::book::Book;
use crate::judge_evaluation::castle_results::CastleResults;
use crate::judge_evaluation::check::Check;
use crate::judge_evaluation::positions::Positions;
use crate::judge_evaluation::sanity::Sanity;
use crate::judge_evaluation::stability::Stability;
use crate::judge_evaluation::suite::Suite;
use crate::judge_evaluation::tempo::Tempo;

/// Judge the static evaluation.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  judge-evaluation check --parameters new.txt")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make the castle suite: pairs of positions on whose better castle three engines agree.
    Suite(Suite),
    /// Keep the pairs of a table on which three engines agree.
    Sanity(Sanity),
    /// Select quiet positions of real games and ask the judges for their values.
    Positions(Positions),
    /// Compare searched values of castles with the suite, and static values around a king's step.
    Check(Check),
    /// Measure what castles are worth, by the results and the scores of self-play.
    Castles(CastleResults),
    /// Compare static values with the judges' values of positions of real games.
    Agreement(Agreement),
    /// Measure the spread of a position's value over depths and switches of the search.
    Stability(Stability),
    /// Compare the values of a book with longer searches.
    Book(Book),
    /// Measure what the turn is worth, by the evaluation and by the judges.
    Tempo(Tempo),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Suite(suite) => suite.run(),
        Command::Sanity(sanity) => sanity.run(),
        Command::Positions(positions) => positions.run(),
        Command::Check(check) => check.run(),
        Command::Castles(castles) => castles.run(),
        Command::Agreement(agreement) => agreement.run(),
        Command::Stability(stability) => stability.run(),
        Command::Book(book) => book.run(),
        Command::Tempo(tempo) => tempo.run(),
    }
}
