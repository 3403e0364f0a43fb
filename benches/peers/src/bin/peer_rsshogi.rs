//! The peer for the crate `rsshogi`: make and unmake, 32-bit moves in a list of fixed size.

use std::hint::black_box;

use komadai_peers::{Peer, build_description, serve};
use rsshogi::board::{Move32List, Position, generate_legal_all_move32, position_from_sfen};
use rsshogi::types::Move32;

fn main() -> std::io::Result<()> {
    serve::<Rsshogi>(&build_description("rsshogi"))
}

/// A position and the list that generation fills.
struct Rsshogi {
    position: Position,
    list: Move32List,
}

impl Peer for Rsshogi {
    type Error = rsshogi::board::SfenError;

    fn from_sfen(sfen: &str) -> Result<Self, Self::Error> {
        let mut position = position_from_sfen(sfen)?;
        position.init_stack();
        Ok(Self { position, list: Move32List::new() })
    }

    fn bulk(&mut self, depth: u32) -> u64 {
        bulk(&mut self.position, depth)
    }

    fn full(&mut self, depth: u32) -> u64 {
        full(&mut self.position, depth)
    }

    fn generate(&mut self) -> u64 {
        self.list.clear();
        generate_legal_all_move32(&self.position, &mut self.list);
        black_box(&self.list).len() as u64
    }
}

/// Counts leaves. The last ply is only generated.
fn bulk(position: &mut Position, depth: u32) -> u64 {
    let mut list = Move32List::new();
    generate_legal_all_move32(position, &mut list);
    if depth == 1 {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for &mv in &list {
        position.apply_move32(mv);
        leaves += bulk(position, depth - 1);
        undo(position, mv);
    }
    leaves
}

/// Counts leaves and makes and unmakes each.
fn full(position: &mut Position, depth: u32) -> u64 {
    let mut list = Move32List::new();
    generate_legal_all_move32(position, &mut list);
    let mut leaves = 0;
    for &mv in &list {
        position.apply_move32(mv);
        leaves += if depth == 1 { 1 } else { full(position, depth - 1) };
        undo(position, mv);
    }
    leaves
}

/// Undoes `mv`, which must be the last move made.
#[expect(unsafe_code, reason = "the library's own perft uses this call: its fastest way to undo")]
fn undo(position: &mut Position, mv: Move32) {
    // SAFETY: both callers made `mv` directly before and have undone everything after it.
    unsafe { position.undo_move32_unchecked(mv) };
}
