//! Makes up a large opening book, for measuring how fast programs work on one.
//!
//! ```console
//! cargo run --release --example synthetic_book -- --positions 1000000 --out 1m.db
//! cargo run --release --example synthetic_book -- --positions 2000 --shape checks --out checks.db
//! ```
//!
//! An `opening` grows from the start of the game as books do: the position is looked at next whose line
//! has the least drops of value (drop-out expansion, Lincke 2000). Each position lists five of its legal moves
//! with made-up values. `checks` is nothing but endless checks by a dragon and the ways out of them, on which path
//! searches explode. The same seed makes the same book, whose positions are sorted as the format wants it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use komadai::bookfile::atomic_file::write_atomically;
use komadai::core::PackedSfen;
use komadai::movegen::MoveGen as _;
use komadai::{Color, Move, Position, Setup};

/// Makes up a book for measurements.
#[derive(Debug, Parser)]
#[command(after_help = "Example: synthetic_book --positions 1000000 --out target/1m.db")]
struct Options {
    /// The number of positions.
    #[arg(long, default_value_t = 100_000)]
    positions: usize,
    /// What it is like.
    #[arg(long, value_enum, default_value_t = Shape::Opening)]
    shape: Shape,
    /// Where the randomness begins.
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

/// Where a dragon begins to chase a king.
const HUNT: &str = "+R3k4/9/9/9/9/9/9/9/4K4 w - 2";

/// A position, turned to Black to move, and what the book is to say about it.
struct Entry {
    packed: PackedSfen,
    ply: u16,
    side: Color,
    moves: Vec<(Move, i32)>,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let mut random = Random(options.seed);
    let entries = match options.shape {
        Shape::Opening => opening(options.positions, &mut random),
        Shape::Checks => checks(options.positions, &mut random),
    };
    let mut texts: Vec<(String, Entry)> =
        entries.into_iter().map(|entry| (position_of(&entry).to_string(), entry)).collect();
    texts.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    write_atomically(&options.out, |out| {
        writeln!(out, "#YANEURAOU-DB2016 1.00\n# NOE:{}", texts.len())?;
        for (sfen, entry) in &texts {
            writeln!(out, "sfen {sfen}")?;
            for &(m, value) in &entry.moves {
                let m = if entry.side == Color::Black { m } else { m.flipped() };
                writeln!(out, "{m} none {value} 10")?;
            }
        }
        Ok(())
    })?;
    println!("{} positions: {}", texts.len(), options.out.display());
    Ok(())
}

/// A position outside the book, and the price of its line.
type Leaf = (Reverse<i32>, u64, PackedSfen, u16, Color, i32);

fn opening(positions: usize, random: &mut Random) -> Vec<Entry> {
    let mut seen = HashSet::new();
    let mut entries = Vec::with_capacity(positions);
    let mut leaves = BinaryHeap::new();
    leaves.push((Reverse(0), 0, pack(&Setup::hirate()), 1, Color::Black, 0));
    while entries.len() < positions {
        let Some((Reverse(price), _, packed, ply, side, value)): Option<Leaf> = leaves.pop() else {
            break;
        };
        if !seen.insert(packed) {
            continue;
        }
        let mut position = unpack(&packed);
        let mut moves = Vec::new();
        let mut legal = position.legal_moves().to_vec();
        let mut left = value;
        while moves.len() < MOVES_A_POSITION && !legal.is_empty() {
            let m = legal.swap_remove(random.below(legal.len() as u64) as usize);
            moves.push((m, left.clamp(-3_000, 3_000)));
            left -= random.below(40) as i32;
        }
        for &(m, after) in &moves {
            position.do_move(m);
            let price = price + 20 + (moves[0].1 - after);
            let noise = random.below(21) as i32 - 10;
            let next = pack(&position.to_setup().flipped());
            leaves.push((Reverse(price), random.next(), next, ply + 1, !side, noise - after));
            position.undo_move();
        }
        entries.push(Entry { packed, ply, side, moves });
    }
    entries
}

fn checks(positions: usize, random: &mut Random) -> Vec<Entry> {
    let start: Setup = HUNT.parse().expect("a position");
    let mut seen = HashSet::new();
    let mut entries = Vec::new();
    let mut pending = VecDeque::from([(pack(&start.flipped()), 2, Color::White)]);
    while entries.len() < positions {
        let Some((packed, ply, side)) = pending.pop_front() else { break };
        if !seen.insert(packed) {
            continue;
        }
        let mut position = unpack(&packed);
        let is_evader = position.in_check();
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            position.do_move(m);
            // The checker goes on checking without giving the dragon away; the evader plays what it likes.
            let next = pack(&position.to_setup().flipped());
            if is_evader || position.in_check() {
                moves.push((m, random.below(2_001) as i32 - 1_000));
                pending.push_back((next, ply + 1, !side));
            }
            position.undo_move();
        }
        if !moves.is_empty() {
            entries.push(Entry { packed, ply, side, moves });
        }
    }
    entries
}

fn pack(setup: &Setup) -> PackedSfen {
    PackedSfen::from_setup(setup).expect("positions with two kings fit")
}

fn unpack(packed: &PackedSfen) -> Position {
    let setup = packed.to_setup().expect("it was packed here");
    Position::from_setup(&setup).expect("it was a position")
}

fn position_of(entry: &Entry) -> Position {
    let setup = entry.packed.to_setup().expect("it was packed here");
    let setup = if entry.side == Color::Black { setup } else { setup.flipped() };
    let setup = Setup { ply: entry.ply.into(), ..setup };
    Position::from_setup(&setup).expect("it was a position")
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
