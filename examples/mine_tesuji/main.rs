//! Mines game records for tesuji: short sequences of moves that belong together, which the search
//! extends (`Techniques::TESUJI_EXTENSION`).
//!
//! ```text
//! cargo run --release --example mine_tesuji -- --out tesuji.txt
//! cargo run --release --example mine_tesuji -- --no-bundled --least-count 20 games/*.csa
//! ```
//!
//! A sequence scores its number times H(next) − H(next | the moves before it): how often it is played,
//! and by how many bits its beginning narrows down what follows. Entropies are estimated with Miller
//! and Madow's correction, since most beginnings are rare.

mod counts;

use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;
use komadai::kifu::{GameReader, Tolerance, parse_usi_games};
use komadai_testdata::games;

use crate::counts::Counts;

/// Mine game records for short sequences of moves that belong together.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "The table lists sequences, best first: read it with `TesujiTable::from_text`.\n\
                  Example:\n  mine_tesuji --least-count 8 --out tesuji.txt games.csa\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
struct Arguments {
    /// Records in CSA or USI; games that are no legal shogi are read as far as they are.
    files: Vec<PathBuf>,
    /// Leave out the 77 bundled tournament games.
    #[arg(long)]
    no_bundled: bool,
    /// The most sequences to keep.
    #[arg(long, default_value_t = 280)]
    most: usize,
    /// How many files or ranks a move may go from the one before: plans of an opening go further.
    #[arg(long, default_value_t = 2)]
    reach: u8,
    /// How often a sequence must occur.
    #[arg(long, default_value_t = 4)]
    least_count: u32,
    /// How often it must follow its beginning, in percent.
    #[arg(long, default_value_t = 20)]
    least_share: u32,
    /// Where to write the table, instead of standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// A line of comment for the table's head: the command, the source, the date.
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
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let mut games = GameReader::new(BufReader::new(file), Tolerance::Lenient)
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
