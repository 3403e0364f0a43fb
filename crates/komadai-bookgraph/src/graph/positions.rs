//! The positions of a graph, numbered.

use komadai_core::{Color, PackedSfen, Position};

use crate::key_index::KeyIndex;
use komadai_bookfile::EntryError;
use komadai_bookfile::orientation::{pack, turned_key, unpack};

/// Positions, each with a number, in the orientation with Black to move.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions {
    packed: Vec<PackedSfen>,
    origins: Vec<Origin>,
    /// By [`turned_key`].
    index: KeyIndex,
}

/// With which side to move, and which move number, a position was added: that is how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin(u32);

impl Origin {
    const WHITE: u32 = 1 << 31;

    /// `ply` is at most 2³¹ − 1, as in every position; 0 where none was stated.
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

/// What a position is found by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identity {
    pub(crate) packed: PackedSfen,
    pub(crate) turned_key: u64,
}

impl Identity {
    pub(crate) fn of(position: &Position) -> Result<Self, EntryError> {
        let packed = pack(position)
            .map_err(|reason| EntryError::Position { position: position.to_string(), reason })?;
        Ok(Self { packed, turned_key: turned_key(position) })
    }
}

impl Positions {
    pub(crate) fn with_room(positions: usize) -> Self {
        Self {
            packed: Vec::with_capacity(positions),
            origins: Vec::with_capacity(positions),
            index: KeyIndex::with_room(positions),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    /// The number of a position.
    pub(crate) fn find(&self, position: &Position) -> Option<u32> {
        self.find_identity(&Identity::of(position).ok()?)
    }

    pub(crate) fn find_identity(&self, identity: &Identity) -> Option<u32> {
        self.find_by_key(identity.turned_key, |packed| *packed == identity.packed)
    }

    /// The position with this [`turned_key`] that `is_it` accepts.
    #[inline]
    pub(crate) fn find_by_key(
        &self,
        turned_key: u64,
        mut is_it: impl FnMut(&PackedSfen) -> bool,
    ) -> Option<u32> {
        self.index.find(turned_key, |number| is_it(&self.packed[number as usize]))
    }

    /// The number of a position, which is added if it is not there, and whether it was.
    pub(crate) fn find_or_add(
        &mut self,
        identity: &Identity,
        origin: Origin,
    ) -> Result<(u32, Presence), EntryError> {
        if let Some(number) = self.find_identity(identity) {
            return Ok((number, Presence::Known));
        }
        let number = u32::try_from(self.len())
            .ok()
            .filter(|&number| number < KeyIndex::MAX_LEN)
            .ok_or(EntryError::Full { what: "positions", limit: KeyIndex::MAX_LEN.into() })?;
        self.index.insert(identity.turned_key, number);
        self.packed.push(identity.packed);
        self.origins.push(origin);
        Ok((number, Presence::New))
    }

    /// Half of the key of each position, the rest of it 0.
    pub(crate) fn for_each_key(&self, visit: impl FnMut(u64)) {
        self.index.for_each_key(visit);
    }

    pub(crate) fn packed(&self, number: u32) -> &PackedSfen {
        &self.packed[number as usize]
    }

    pub(crate) fn origin(&self, number: u32) -> Origin {
        self.origins[number as usize]
    }

    /// The position with Black to move.
    pub(crate) fn turned(&self, number: u32) -> Position {
        unpack(self.packed(number), Color::Black, 1)
    }

    /// The position as it was added.
    pub(crate) fn original(&self, number: u32) -> Position {
        let origin = self.origin(number);
        unpack(self.packed(number), origin.side(), origin.ply().unwrap_or(1))
    }
}

/// Whether something was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Known,
    New,
}
