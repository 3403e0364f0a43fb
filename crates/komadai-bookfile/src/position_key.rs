//! Positions as keys of tables.

use komadai_core::{Color, Move, PackedError, PackedSfen, Position, Setup};

use komadai_movegen::is_legal;

use crate::entry_error::EntryError;

/// A position in 32 bytes, the same for both orientations.
///
/// Turning the board by 180 degrees and exchanging the colours gives a position that plays the
/// same. A book keeps one entry for both. The key holds the orientation with Black to move; move
/// numbers and histories are no part of it. Keys are ordered by their bytes.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::position_key::PositionKey;
/// use komadai_core::{Color, Position};
///
/// let start = Position::hirate();
/// let key = PositionKey::of(&start)?;
/// assert_eq!(key, PositionKey::of(&start.flipped())?);
/// assert_eq!(key.position(Color::Black, 1)?, start);
/// assert_eq!(key.position(Color::White, 1)?, start.flipped());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PositionKey([u8; 32]);

impl PositionKey {
    /// The key of a position.
    ///
    /// # Errors
    ///
    /// If the position does not fit into 32 bytes, as some positions with only one king, or is
    /// [irregular](Position::is_irregular): the position of a key is one that a game may reach.
    #[inline]
    pub fn of(position: &Position) -> Result<Self, EntryError> {
        let full = |reason| EntryError::Position { position: position.to_string(), reason };
        Self::try_of(position).map_err(full)
    }

    /// The key of a position. The error does not contain the text of the position, unlike that of
    /// [`of`](Self::of).
    ///
    /// # Errors
    ///
    /// As those of [`of`](Self::of).
    #[inline]
    pub fn try_of(position: &Position) -> Result<Self, PackedError> {
        if position.is_irregular() {
            Position::from_setup(&position.to_setup())?;
        }
        let packed = match position.side() {
            Color::Black => PackedSfen::of(position),
            Color::White => PackedSfen::of_flipped(position),
        };
        packed.map(|packed| Self(*packed.as_bytes()))
    }

    /// The key with these bytes, which may be no position's.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key of a packed position with Black to move.
    pub const fn from_packed(packed: &PackedSfen) -> Self {
        Self(*packed.as_bytes())
    }

    /// The bytes of the key.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The packed position with Black to move.
    pub const fn packed(&self) -> PackedSfen {
        PackedSfen::from_bytes(self.0)
    }

    /// Returns whether both sides have a king. The position after each legal move then has a key,
    /// too.
    pub const fn has_both_kings(&self) -> bool {
        self.packed().has_both_kings()
    }

    /// The position with `side` to move and the move number `ply`.
    ///
    /// # Errors
    ///
    /// If the bytes are no position's. A key made [of](Self::of) a position always has one.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::position_key::{InvalidKey, PositionKey};
    /// use komadai_core::{Color, Position};
    ///
    /// let key = PositionKey::of(&Position::hirate())?;
    /// assert_eq!(key.position(Color::Black, 1)?, Position::hirate());
    /// let error: InvalidKey = PositionKey::from_bytes([0; 32]).position(Color::Black, 1).unwrap_err();
    /// assert_eq!(error.to_string(), "not the key of a position: both kings on 1a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(&self, side: Color, ply: u32) -> Result<Position, InvalidKey> {
        let setup = self.packed().to_setup().map_err(|error| InvalidKey(error.to_string()))?;
        let setup = match side {
            Color::Black => setup,
            Color::White => setup.flipped(),
        };
        Position::from_setup(&Setup { ply, ..setup }).map_err(|error| InvalidKey(error.to_string()))
    }
}

/// The reason why bytes are the key of no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the key of a position: {0}")]
pub struct InvalidKey(String);

/// Returns whether a legal move leads to a position that a book cannot hold. False for an illegal
/// move.
///
/// Such a move can be part of a book, but the position after it has no [key](PositionKey): it never
/// becomes an entry, and no job can be made of it. It takes a position with only one king.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::position_key::leads_out;
/// use komadai_core::Position;
///
/// let one_king = "8k/2rrl4/2n2ln2/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 b 2B2GN4s12p 1";
/// let mut position = Position::from_sfen(one_king)?;
/// let moves = ["N*2c", "1a1b", "G*2b", "1b2b", "B*3a", "2b2c", "B*1b", "2c2d"];
/// let led_out = moves.map(|text| {
///     let m = text.parse().expect("a move");
///     let leads_out = leads_out(&position, m);
///     position.do_move(m);
///     leads_out
/// });
/// assert_eq!(led_out, [false, false, false, false, false, false, true, false]);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn leads_out(position: &Position, m: Move) -> bool {
    // No move takes a king, and with both kings every position fits.
    let has_both_kings = Color::ALL.iter().all(|&color| position.king_square(color).is_some());
    !has_both_kings
        && is_legal(position, m)
        && PositionKey::try_of(&position.after(m).without_history()).is_err()
}

/// The 64-bit Zobrist key that both orientations of a position share: that of the orientation with
/// White to move.
///
/// After a move from an orientation with Black to move, White is to move: so a successor in that
/// orientation is looked up by its own key, without turning it.
#[inline]
pub fn shared_zobrist_key(position: &Position) -> u64 {
    match position.side() {
        Color::White => position.key(),
        Color::Black => position.flipped_key(),
    }
}

/// A move of the position with `side` to move as one of the orientation with Black to move, and the
/// reverse.
#[inline]
pub fn turn(m: Move, side: Color) -> Move {
    match side {
        Color::Black => m,
        Color::White => m.flipped(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_that_of_a_position() {
        let regular = ["4k4/9/9/9/9/9/9/9/4K4 b - 1", "4k4/P8/9/9/9/9/9/p8/4K4 w 2Pp 7"];
        for sfen in regular {
            let position = Position::from_sfen(sfen).unwrap();
            let key = PositionKey::of(&position).unwrap();
            let again = key.position(position.side(), position.ply()).unwrap();
            assert!(again.same_placement(&position), "{sfen}");
            assert!(key.has_both_kings(), "{sfen}");
        }
        for irregular in [
            // Two pawns of a side on one file, pawns, lances and knights without a move.
            "4k4/9/P8/9/P8/9/9/9/4K4 b - 1",
            "4k4/9/p8/9/p8/9/9/9/4K4 b - 1",
            "P3k4/9/9/9/9/9/9/9/4K4 w - 1",
            "4k4/9/9/9/9/9/9/9/l3K4 b - 1",
            "L3k4/9/9/9/9/9/9/9/4K4 b - 1",
            "4k4/N8/9/9/9/9/9/9/4K4 b - 1",
            "4k4/9/9/9/9/9/9/8n/4K4 w - 1",
            "4P3k/4P4/4P4/4P4/4P4/4P4/4P4/4P4/4P4 b - 1",
        ] {
            let setup = Setup::from_sfen(irregular).unwrap();
            let position = Position::from_setup_leniently(&setup).unwrap();
            let error = PositionKey::of(&position).unwrap_err();
            assert!(matches!(error, EntryError::Position { .. }), "{irregular}");
            assert!(error.to_string().contains("breaks a rule"), "{error}");
        }
    }
}
