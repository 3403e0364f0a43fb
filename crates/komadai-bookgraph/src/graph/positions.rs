//! The positions of a graph, numbered.

use komadai_bookfile::EntryError;
use komadai_bookfile::position_key::{PositionKey, shared_zobrist_key};
use komadai_core::{Color, Position};

use crate::key_index::KeyIndex;

/// Positions, each with a number. A position and its turned copy with the colours exchanged are
/// one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions {
    keys: Vec<PositionKey>,
    origins: Vec<Origin>,
    /// The numbers of the positions by [`shared_zobrist_key`].
    index: KeyIndex,
}

/// The side to move and the move number with which a position was added. It is written with both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin(u32);

impl Origin {
    const WHITE: u32 = 1 << 31;

    /// `ply` is at most 2³¹ − 1, as in every position, and is stored as 0 if it is not stated.
    pub(crate) fn new(side: Color, ply: Option<u32>) -> Self {
        let ply = ply.unwrap_or(0) & !Self::WHITE;
        Self(if side == Color::White { ply | Self::WHITE } else { ply })
    }

    pub(crate) fn side(self) -> Color {
        if self.0 & Self::WHITE == 0 { Color::Black } else { Color::White }
    }

    pub(crate) fn ply(self) -> Option<u32> {
        Some(self.0 & !Self::WHITE).filter(|&ply| ply > 0)
    }
}

/// The keys by which a position is found: a hash, and the position itself to confirm the hit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LookupKey {
    pub(crate) key: PositionKey,
    /// The key of [`shared_zobrist_key`].
    pub(crate) zobrist_key: u64,
}

impl LookupKey {
    pub(crate) fn of(position: &Position) -> Result<Self, EntryError> {
        let key = PositionKey::of(position)?;
        Ok(Self { key, zobrist_key: shared_zobrist_key(position) })
    }
}

impl Positions {
    pub(crate) fn with_room(positions: usize) -> Self {
        Self {
            keys: Vec::with_capacity(positions),
            origins: Vec::with_capacity(positions),
            index: KeyIndex::with_room(positions),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of a position.
    pub(crate) fn find(&self, position: &Position) -> Option<u32> {
        let key = PositionKey::try_of(position).ok()?;
        self.find_lookup_key(&LookupKey { key, zobrist_key: shared_zobrist_key(position) })
    }

    pub(crate) fn find_lookup_key(&self, lookup: &LookupKey) -> Option<u32> {
        self.find_by_zobrist_key(lookup.zobrist_key, |key| *key == lookup.key)
    }

    /// The number of the position with this [`shared_zobrist_key`] whose key `is_it` accepts.
    ///
    /// Most look-ups are of successors outside the book. They end at the hash, so the caller packs
    /// a position only for a hit.
    #[inline]
    pub(crate) fn find_by_zobrist_key(
        &self,
        zobrist_key: u64,
        mut is_it: impl FnMut(&PositionKey) -> bool,
    ) -> Option<u32> {
        self.index.find(zobrist_key, |number| is_it(&self.keys[number as usize]))
    }

    /// Adds a position unless it is present. Returns its number, and whether it was present.
    pub(crate) fn find_or_add(
        &mut self,
        lookup: &LookupKey,
        origin: Origin,
    ) -> Result<(u32, Presence), EntryError> {
        if let Some(number) = self.find_lookup_key(lookup) {
            return Ok((number, Presence::Known));
        }
        let number = u32::try_from(self.len())
            .ok()
            .filter(|&number| number < KeyIndex::MAX_LEN)
            .ok_or(EntryError::Full { what: "positions", limit: KeyIndex::MAX_LEN.into() })?;
        self.index.insert(lookup.zobrist_key, number);
        self.keys.push(lookup.key);
        self.origins.push(origin);
        Ok((number, Presence::New))
    }

    /// Visits the upper half of the Zobrist key of each position; the lower half is 0.
    pub(crate) fn for_each_zobrist_key(&self, visit: impl FnMut(u64)) {
        self.index.for_each_key(visit);
    }

    pub(crate) fn key(&self, number: u32) -> &PositionKey {
        &self.keys[number as usize]
    }

    pub(crate) fn origin(&self, number: u32) -> Origin {
        self.origins[number as usize]
    }

    /// The position in the orientation with Black to move.
    pub(crate) fn black_to_move(&self, number: u32) -> Position {
        self.key(number).position(Color::Black, 1).expect("each key is that of a position")
    }

    /// The position as it was added.
    pub(crate) fn original(&self, number: u32) -> Position {
        let origin = self.origin(number);
        let ply = origin.ply().unwrap_or(1);
        self.key(number).position(origin.side(), ply).expect("each key is that of a position")
    }
}

/// The result of an insertion: the position was present, or it is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Known,
    New,
}
