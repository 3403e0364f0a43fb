//! Mines games for tesuji: short sequences of moves that typically follow each other, which the
//! search extends (`Techniques::TESUJI_EXTENSION`).
//!
//! ```text
//! cargo run --release -p komadai-lab -- mine-tesuji --out tesuji.txt
//! cargo run --release -p komadai-lab -- mine-tesuji --state counts.txt --out tesuji.txt data/
//! ```
//!
//! The score of a sequence is its count times H(next) − H(next | the moves before it): the number
//! of times it is played, times the bits by which its first moves determine the last one. Entropies
//! are estimated with Miller and Madow's correction, because most first moves are rare.

mod counts;
mod state;
mod table;

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai_base::atomic_file;

use crate::recorded_games::{bundled, each, single_files};
use counts::Counts;
use state::{Source, State};
use table::Choice;

/// Mine games for short sequences of moves that typically follow each other.
#[derive(Debug, Args)]
#[command(after_help = "The table lists sequences, best first: the USI option TesujiFile and\n\
                  `TesujiTable::read` take it.\n\
                  Examples:\n  mine-tesuji --least-count 8 --out tesuji.txt games.csa\n  \
                  mine-tesuji --no-bundled --state counts.txt --out tesuji.txt data/\n\
                  With --state a run that was interrupted, or that gets more files, goes on: files that\n\
                  have been counted are passed over. FILES of training data have to be in the order of\n\
                  their games.\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub(crate) struct Arguments {
    /// Records of games (KIF, CSA, USI, …) or training data in the order of their games (PSV, HCPE,
    /// a folder of `komadai train generate`, …).
    files: Vec<PathBuf>,
    /// Skip the 77 bundled tournament games.
    #[arg(long)]
    no_bundled: bool,
    /// File for the counts, written after each file of games.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Maximum number of different sequences that are counted at the same time, about 60 bytes
    /// each. Beyond it the rarest beginnings are dropped.
    #[arg(long, default_value_t = 4_000_000)]
    most_counts: usize,
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
    #[arg(long, default_value = "By komadai-lab mine-tesuji.")]
    note: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let one_line = !arguments.note.contains(['\n', '\r']);
    ensure!(one_line, "--note has several lines, expected one");
    let (files, most) = (&arguments.files, arguments.most_counts);
    ensure!(most > 0, "--most-counts is 0, expected at least 1");
    let path = arguments.state.as_deref();
    let mut state = match path.filter(|path| path.exists()) {
        Some(path) => State::read(path, most)?,
        None => State::new(most),
    };
    if !arguments.no_bundled && state.begin(&Source::bundled())? {
        bundled().for_each(|game| state.counts.add(&game));
        state.write_to(path)?;
    }
    for file in single_files(files)? {
        if !state.begin(&Source::of(&file)?)? {
            eprintln!("{}: counted before", file.display());
            continue;
        }
        each(std::slice::from_ref(&file), &mut |game| {
            state.counts.add(&game);
            Ok(())
        })?;
        state.write_to(path)?;
        let Counts { games, moves, .. } = state.counts;
        eprintln!("{}: {games} games with {moves} moves in all", file.display());
    }
    ensure!(state.counts.moves > 0, "found no game with a move, expected at least one");
    let Arguments { most, reach, least_count, least_share, ref note, .. } = *arguments;
    let choice = Choice { most, reach, least_count, least_share, note };
    let table = table::of(&state.counts, &choice)?;
    match &arguments.out {
        Some(path) => {
            atomic_file::write(path, table).with_context(|| path.display().to_string())?
        }
        None => print!("{table}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
