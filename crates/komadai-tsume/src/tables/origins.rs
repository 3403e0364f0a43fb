//! The positions from which others were reached, and the moves that lead to subtrees that have met.
//!
//! A position in which two paths from one place meet again is counted twice in the numbers of that
//! place. To find such places, the table keeps for each visited position the one from which it was
//! reached last. It is lossy: a lost link means only that a position counts twice.

use komadai_core::Hand;

use crate::path::position_hash;

/// A position by its board and the attacker's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) board_key: u64,
    pub(crate) hand: Hand,
}

impl Place {
    fn hash(self) -> u64 {
        position_hash(self.board_key, self.hand)
    }
}

/// The links of a search.
#[derive(Debug)]
pub(crate) struct Origins {
    /// For each slot: the upper half of the position's hash and the hand of its origin; the board
    /// of its origin.
    links: Vec<[u64; 2]>,
    /// For each slot the hash of a move: see [`move_hash`].
    met: Vec<u64>,
    /// A number for the search, so that the links of earlier ones are not found.
    salt: u64,
}

impl Origins {
    /// Creates a table of at most `bytes`, but of 64 slots at least.
    pub(crate) fn new(bytes: usize) -> Self {
        let slots = 1_usize << (bytes / 24).max(64).ilog2();
        Self { links: vec![[0; 2]; slots], met: vec![0; slots], salt: 0 }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[[u64; 2]]>(&self.links) + size_of_val::<[u64]>(&self.met)
    }

    /// Forgets all links.
    pub(crate) fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    fn hash(&self, place: Place) -> u64 {
        (place.hash() ^ self.salt).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    /// Returns the position from which this one was reached last.
    pub(crate) fn find(&self, place: Place) -> Option<Place> {
        let hash = self.hash(place);
        let [tags, board_key] = *self.links.get(hash as usize & (self.links.len() - 1))?;
        if tags >> 32 != hash >> 32 || tags == 0 {
            return None;
        }
        Some(Place { board_key, hand: Hand::from_bits(tags as u32)? })
    }

    /// Sets the position from which this one has been reached.
    pub(crate) fn insert(&mut self, place: Place, origin: Place) {
        let hash = self.hash(place);
        let slot = hash as usize & (self.links.len() - 1);
        let tags = hash >> 32 << 32 | u64::from(origin.hand.to_bits());
        self.links[slot] = [tags, origin.board_key];
    }

    /// Notes that the subtree of `child` has met that of another child of `parent`.
    pub(crate) fn note_meeting(&mut self, parent: Place, child: Place) {
        let hash = self.move_hash(parent, child);
        let slot = hash as usize & (self.met.len() - 1);
        self.met[slot] = hash;
    }

    /// Returns true if that was noted.
    pub(crate) fn has_met(&self, parent: Place, child: Place) -> bool {
        let hash = self.move_hash(parent, child);
        self.met.get(hash as usize & (self.met.len() - 1)) == Some(&hash)
    }

    fn move_hash(&self, parent: Place, child: Place) -> u64 {
        (self.hash(parent) ^ child.hash().rotate_left(17)).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}
