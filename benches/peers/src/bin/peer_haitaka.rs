//! The peer for the crate `haitaka`: copy-make boards, moves generated as sets of target squares.

#![forbid(unsafe_code)]

use std::hint::black_box;

use haitaka::{Board, Move, SFENParseError};
use komadai_peers::{Peer, build_description, serve};

fn main() -> std::io::Result<()> {
    serve::<Haitaka>(&build_description("haitaka"))
}

/// A board and the list that generation fills.
struct Haitaka {
    board: Board,
    list: Vec<Move>,
}

impl Peer for Haitaka {
    type Error = SFENParseError;

    fn from_sfen(sfen: &str) -> Result<Self, Self::Error> {
        Ok(Self { board: Board::from_sfen(sfen)?, list: Vec::with_capacity(600) })
    }

    fn bulk(&mut self, depth: u32) -> u64 {
        bulk(&self.board, depth)
    }

    fn full(&mut self, depth: u32) -> u64 {
        full(&self.board, depth)
    }

    fn generate(&mut self) -> u64 {
        self.list.clear();
        self.board.generate_moves(|moves| {
            self.list.extend(moves);
            false
        });
        black_box(&self.list).len() as u64
    }
}

/// Counts leaves. The last ply is counted by the sizes of the sets, without a list.
fn bulk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            // `PieceMoves::len` counts target squares; its iterator's length counts moves.
            leaves += moves.into_iter().len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += bulk(&child, depth - 1);
            }
            false
        });
    }
    leaves
}

/// Counts leaves and makes each of them on a copy of its parent: this library undoes moves by
/// copies.
fn full(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += if depth == 1 {
                black_box(&child);
                1
            } else {
                full(&child, depth - 1)
            };
        }
        false
    });
    leaves
}
