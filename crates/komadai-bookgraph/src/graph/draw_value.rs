//! The value of a draw, and the nodes that it makes of positions.

use komadai_core::Color;

/// The value of a draw by repetition for Black, in centipawns; White gets the negative.
///
/// With a value other than 0 the colours matter: a position has another value than its turned copy
/// with the colours exchanged. So each position becomes two nodes of the game, one for each side to
/// move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DrawValue(i16);

/// The value for Black, in centipawns.
#[cfg(feature = "serde")]
impl serde::Serialize for DrawValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i16(self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for DrawValue {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cp = i32::deserialize(deserializer)?;
        if cp.abs_diff(0) > Self::MAX_CP as u32 {
            let text = format!("found {cp}, expected at most {} either way", Self::MAX_CP);
            return Err(serde::de::Error::custom(text));
        }
        Ok(Self::for_black(cp))
    }
}

impl DrawValue {
    /// The largest draw value, in centipawns.
    pub const MAX_CP: i32 = 700;

    /// Creates the draw value of `cp` centipawns for Black, clamped to ±[`MAX_CP`](Self::MAX_CP).
    pub fn for_black(cp: i32) -> Self {
        Self(cp.clamp(-Self::MAX_CP, Self::MAX_CP) as i16)
    }

    /// The value of a draw for this side, in centipawns.
    #[must_use]
    pub fn of(self, side: Color) -> i32 {
        match side {
            Color::Black => self.0.into(),
            Color::White => -i32::from(self.0),
        }
    }

    /// Returns whether a position is two nodes.
    pub(crate) fn splits(self) -> bool {
        self.0 != 0
    }

    /// The number of nodes of `positions` positions.
    pub(crate) fn nodes(self, positions: usize) -> usize {
        positions << u32::from(self.splits())
    }

    /// The node of a position with this side to move in the real game.
    #[inline]
    pub(crate) fn node(self, position: u32, side: Color) -> u32 {
        if self.splits() { position * 2 + side as u32 } else { position }
    }

    /// The nodes of a position.
    pub(crate) fn nodes_of(self, position: u32) -> impl Iterator<Item = u32> {
        let sides = if self.splits() { &Color::ALL[..] } else { &Color::ALL[..1] };
        sides.iter().map(move |&side| self.node(position, side))
    }

    /// The position of a node.
    #[inline]
    pub(crate) fn position(self, node: u32) -> u32 {
        if self.splits() { node / 2 } else { node }
    }

    /// The node of another position that is one ply away from this node.
    #[inline]
    pub(crate) fn neighbour(self, node: u32, position: u32) -> u32 {
        // The sides alternate along every edge.
        if self.splits() { position * 2 + (1 - node % 2) } else { position }
    }

    /// The number that is subtracted from values at a node, so that a draw has the value 0 there.
    #[inline]
    pub(crate) fn shift(self, node: u32) -> i16 {
        match (self.splits(), node % 2) {
            (false, _) => 0,
            (true, 0) => self.0,
            (true, _) => -self.0,
        }
    }

    /// The larger of both sides' values of a draw.
    pub(crate) fn magnitude(self) -> i16 {
        self.0.abs()
    }
}
