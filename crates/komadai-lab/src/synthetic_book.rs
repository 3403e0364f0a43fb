//! Writes a large synthetic opening book, for measurements of speed.
//!
//! ```console
//! cargo run --release -p komadai-lab -- synthetic-book --positions 1000000 --out 1m.db
//! cargo run --release -p komadai-lab -- synthetic-book --positions 2000 --shape checks --out checks.db
//! ```
//!
//! An `opening` grows from the start position as real books do: it expands the position whose line
//! gives away the least value next (drop-out expansion, T. R. Lincke 2000). Each position lists
//! five of its legal moves with random values. `checks` contains only endless checks by a dragon
//! and the evasions, where searches of paths take exponential time. The same seed gives the same
//! book. Positions are sorted as the format requires.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komadai::bookfile::position_key::{PositionKey, turn};
use komadai::core::SplitMix64;
use komadai::prelude::*;
use komadai_base::atomic_file::write_atomically;

/// Writes a synthetic opening book.
#[derive(Debug, Args)]
#[command(after_help = "Example: synthetic-book --positions 1000000 --out target/1m.db")]
pub(crate) struct Arguments {
    /// The number of positions.
    #[arg(long, default_value_t = 100_000)]
    positions: usize,
    /// The kind of book.
    #[arg(long, value_enum, default_value_t = Shape::Opening)]
    shape: Shape,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// Lines from the start of the game.
    Opening,
    /// Endless checks by a dragon.
    Checks,
}

const MOVES_A_POSITION: usize = 5;

/// The start position of `checks`: a dragon gives check to a lone king.
const HUNT: &str = "+R3k4/9/9/9/9/9/9/9/4K4 w - 2";

/// A position in the orientation with Black to move, with its listed moves and their values.
struct Entry {
    key: PositionKey,
    ply: u16,
    side: Color,
    moves: Vec<(Move, i32)>,
}

pub(crate) fn run(options: &Arguments) -> anyhow::Result<()> {
    let mut random = SplitMix64::new(options.seed);
    let entries = match options.shape {
        Shape::Opening => opening(options.positions, &mut random)?,
        Shape::Checks => checks(options.positions, &mut random)?,
    };
    let mut texts = Vec::with_capacity(entries.len());
    for entry in entries {
        let position = entry.key.position(entry.side, entry.ply.into())?;
        texts.push((position.to_string(), entry));
    }
    texts.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    write_atomically(&options.out, |out| {
        writeln!(out, "#YANEURAOU-DB2016 1.00\n# NOE:{}", texts.len())?;
        for (sfen, entry) in &texts {
            writeln!(out, "sfen {sfen}")?;
            for &(m, value) in &entry.moves {
                writeln!(out, "{} none {value} 10", turn(m, entry.side))?;
            }
        }
        Ok(())
    })?;
    println!("{} positions: {}", texts.len(), options.out.display());
    Ok(())
}

/// A position outside the book, and the price of its line.
type Leaf = (Reverse<i32>, u64, PositionKey, u16, Color, i32);

fn opening(positions: usize, random: &mut SplitMix64) -> anyhow::Result<Vec<Entry>> {
    let (mut seen, mut entries) = (HashSet::new(), Vec::with_capacity(positions));
    let mut leaves = BinaryHeap::new();
    leaves.push((Reverse(0), 0, PositionKey::of(&Position::hirate())?, 1, Color::Black, 0));
    while entries.len() < positions {
        let Some(leaf) = leaves.pop() else { break };
        let (Reverse(price), _, key, ply, side, mut left): Leaf = leaf;
        if !seen.insert(key) {
            continue;
        }
        let mut position = key.position(Color::Black, 1)?;
        let mut moves = Vec::new();
        let mut legal = position.legal_moves().to_vec();
        while moves.len() < MOVES_A_POSITION && !legal.is_empty() {
            let m = legal.swap_remove((random.next_u64() % legal.len() as u64) as usize);
            moves.push((m, left.clamp(-3_000, 3_000)));
            left -= (random.next_u64() % 40) as i32;
        }
        for &(m, after) in &moves {
            position.do_move(m);
            let price = price + 20 + (moves[0].1 - after);
            let noise = (random.next_u64() % 21) as i32 - 10;
            let next = PositionKey::of(&position)?;
            leaves.push((Reverse(price), random.next_u64(), next, ply + 1, !side, noise - after));
            position.undo_move();
        }
        entries.push(Entry { key, ply, side, moves });
    }
    Ok(entries)
}

fn checks(positions: usize, random: &mut SplitMix64) -> anyhow::Result<Vec<Entry>> {
    let start = Position::from_sfen(HUNT)?;
    let (mut seen, mut entries) = (HashSet::new(), Vec::new());
    let mut pending = VecDeque::from([(PositionKey::of(&start)?, 2, Color::White)]);
    while entries.len() < positions {
        let Some((key, ply, side)) = pending.pop_front() else { break };
        if !seen.insert(key) {
            continue;
        }
        let mut position = key.position(Color::Black, 1)?;
        let is_evader = position.in_check();
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            position.do_move(m);
            // The checker makes only moves that give check; the evader makes all moves.
            let next = PositionKey::of(&position)?;
            if is_evader || position.in_check() {
                moves.push((m, (random.next_u64() % 2_001) as i32 - 1_000));
                pending.push_back((next, ply + 1, !side));
            }
            position.undo_move();
        }
        if !moves.is_empty() {
            entries.push(Entry { key, ply, side, moves });
        }
    }
    Ok(entries)
}
