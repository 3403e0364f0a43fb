//! Mines game records for tesuji: short sequences of moves that typically follow each other, which the
//! search extends (`Techniques::TESUJI_EXTENSION`).
//!
//! ```text
//! cargo run --release --example mine_tesuji -- --out tesuji.txt
//! cargo run --release --example mine_tesuji -- --no-bundled --least-count 20 games/*.csa
//! ```
//!
//! The score of a sequence is its count times H(next) − H(next | the moves before it): the number of times
//! it is played, times the bits by which its first moves determine the last one. Entropies are estimated
//! with Miller and Madow's correction, because most first moves are rare.

mod counts;

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;
use komadai::kifu::{GameReader, Tolerance, parse_usi_games};
use komadai_testdata::games;

use crate::counts::Counts;

/// Mine game records for short sequences of moves that typically follow each other.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "The table lists sequences, best first: read it with `TesujiTable::from_text`.\n\
                  Example:\n  mine_tesuji --least-count 8 --out tesuji.txt games.csa\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
struct Arguments {
    /// Game records in CSA or USI format; an illegal game is read up to its first illegal move.
    files: Vec<PathBuf>,
    /// Skip the 77 bundled tournament games.
    #[arg(long)]
    no_bundled: bool,
    /// Maximum number of sequences to keep.
    #[arg(long, default_value_t = 280)]
    most: usize,
    /// Maximum distance in files or ranks between the destinations of two moves.
    #[arg(long, default_value_t = 2)]
    reach: u8,
    /// Minimum number of occurrences of a sequence.
    #[arg(long, default_value_t = 4)]
    least_count: u32,
    /// Minimum share of the last move after the moves before it, in percent.
    #[arg(long, default_value_t = 20)]
    least_share: u32,
    /// Output file for the table (default: standard output).
    #[arg(long)]
    out: Option<PathBuf>,
    /// Comment line at the head of the table: command, source, date.
    #[arg(long, default_value = "By examples/mine_tesuji.")]
    note: String,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut counts = Counts::default();
    if !arguments.no_bundled {
        let lines: String =
            games::tournament().map(|game| format!("startpos moves {}\n", game.moves)).collect();
        let bundled = parse_usi_games(&lines, Tolerance::Strict)?;
        bundled.records.iter().for_each(|game| counts.add(game));
    }
    for path in &arguments.files {
        let mut games = GameReader::open(path, Tolerance::Lenient)
            .with_context(|| path.display().to_string())?;
        games.try_for_each(|game| game.map(|game| counts.add(&game)))?;
    }
    let table = counts.table(&arguments);
    match &arguments.out {
        Some(path) => fs::write(path, table).with_context(|| path.display().to_string())?,
        None => print!("{table}"),
    }
    Ok(())
}
