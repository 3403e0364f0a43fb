//! The peer for komadai itself: `komadai-core` and `komadai-movegen`.

#![forbid(unsafe_code)]

use std::hint::black_box;

use komadai_core::{Position, SfenError};
use komadai_movegen::{MoveList, generate_legal, perft, perft_full};
use komadai_peers::{Peer, build_description, serve};

fn main() -> std::io::Result<()> {
    serve::<Komadai>(&build_description("komadai-movegen"))
}

/// A position and the list that generation fills.
struct Komadai {
    position: Position,
    list: MoveList,
}

impl Peer for Komadai {
    type Error = SfenError;

    fn from_sfen(sfen: &str) -> Result<Self, Self::Error> {
        Ok(Self { position: Position::from_sfen(sfen)?, list: MoveList::new() })
    }

    fn bulk(&mut self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn full(&mut self, depth: u32) -> u64 {
        perft_full(&self.position, depth)
    }

    fn generate(&mut self) -> u64 {
        self.list.clear();
        generate_legal(&self.position, &mut self.list);
        black_box(&self.list).len() as u64
    }
}
