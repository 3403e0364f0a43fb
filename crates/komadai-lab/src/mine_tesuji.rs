//! Mines game records for tesuji: short sequences of moves that typically follow each other, which
//! the search extends (`Techniques::TESUJI_EXTENSION`).
//!
//! ```text
//! cargo run --release -p komadai-lab -- mine-tesuji --out tesuji.txt
//! cargo run --release -p komadai-lab -- mine-tesuji --no-bundled --least-count 20 games/*.csa
//! ```
//!
//! The score of a sequence is its count times H(next) − H(next | the moves before it): the number
//! of times it is played, times the bits by which its first moves determine the last one. Entropies
//! are estimated with Miller and Madow's correction, because most first moves are rare.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::kifu::{GameReader, Record, Tolerance, parse_usi_games};
use komadai::search::{Descriptor, Tesuji};
use komadai_base::atomic_file;
use komadai_testdata::games;

/// Mine game records for short sequences of moves that typically follow each other.
#[derive(Debug, Args)]
#[command(
    after_help = "The table lists sequences, best first: read it with `TesujiTable::from_text`.\n\
                  Example:\n  mine-tesuji --least-count 8 --out tesuji.txt games.csa\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
pub(crate) struct Arguments {
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
    #[arg(long, default_value = "By komadai-lab mine-tesuji.")]
    note: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
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
    let table = counts.table(arguments);
    match &arguments.out {
        Some(path) => {
            atomic_file::write(path, table).with_context(|| path.display().to_string())?
        }
        None => print!("{table}"),
    }
    Ok(())
}

/// The number of times that each move followed the same moves.
type Next = BTreeMap<Descriptor, u32>;

/// The counts of sequences of moves in games.
#[derive(Debug, Default)]
struct Counts {
    games: usize,
    moves: usize,
    after_any: Next,
    after: BTreeMap<Vec<Descriptor>, Next>,
}

impl Counts {
    /// Counts the moves of a game.
    fn add(&mut self, game: &Record) {
        self.games += 1;
        let mut played_before: Vec<Descriptor> = Vec::new();
        let mut last = None;
        // What follows an illegal move is not counted.
        let _ = game.replay(|position, played| {
            let Some(next) = Descriptor::of(position, played.m, last) else {
                return ControlFlow::Break(());
            };
            self.moves += 1;
            if last.is_some() {
                *self.after_any.entry(next).or_default() += 1;
            }
            for length in 1..=played_before.len().min(2) {
                let mut before = played_before[played_before.len() - length..].to_vec();
                before[0] = before[0].without_offset();
                *self.after.entry(before).or_default().entry(next).or_default() += 1;
            }
            played_before.push(next);
            last = Some(played.m.to());
            ControlFlow::Continue(())
        });
    }

    /// Returns the best sequences as a table, one a line.
    fn table(&self, arguments: &Arguments) -> String {
        let Arguments { reach, least_count, least_share, .. } = *arguments;
        let prior = entropy(&self.after_any);
        let mut found = Vec::new();
        for (before, next) in &self.after {
            let (gain, total) = (prior - entropy(next), next.values().sum::<u32>());
            for (&last, &count) in next {
                let moves = [before.as_slice(), &[last]].concat();
                let is_near = moves[1..].iter().all(|m| m.distance() <= Some(reach));
                if is_near && count >= least_count && 100 * count >= least_share * total {
                    let tesuji = Tesuji::new(&moves).expect("two or three moves in a row");
                    found.push((f64::from(count) * gain, count, 100 * count / total, tesuji));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Where the last two moves of three are a sequence by themselves, the first adds nothing.
        let pairs: HashSet<Tesuji> = found.iter().map(|&(.., tesuji)| tesuji).collect();
        found.retain(|(.., tesuji)| {
            let mut end: Vec<_> = tesuji.moves().skip(1).collect();
            end[0] = end[0].without_offset();
            Tesuji::new(&end).is_none_or(|end| !pairs.contains(&end))
        });
        found.truncate(arguments.most);
        let mut text = format!(
            "# Tesuji: moves that belong together, by what they are and where they go, best first.\n\
             # {}\n\
             # Mined from {} games with {} moves; {prior:.2} bits a move. Each move goes at most {reach}\n\
             # squares from the one before; played {least_count} times or more, and at least {least_share} % of the times\n\
             # that its beginning was. After each: times, percent, bits gained in all.\n",
            arguments.note, self.games, self.moves,
        );
        for (score, count, share, tesuji) in found {
            writeln!(text, "{tesuji} # {count} {share} {score:.0}").expect("strings take any text");
        }
        text
    }
}

/// Returns the entropy in bits, with Miller and Madow's correction for the number of different
/// moves.
fn entropy(counts: &Next) -> f64 {
    let total = f64::from(counts.values().sum::<u32>());
    let plain: f64 =
        counts.values().map(|&count| f64::from(count) / total).map(|p| -p * p.log2()).sum();
    plain + (counts.len() as f64 - 1.0) / (2.0 * std::f64::consts::LN_2 * total)
}
