//! The part of the path that a disproof relies on.

/// The condition of a disproof: it holds everywhere, or only while some positions are on the path
/// to the node.
///
/// A repeated position is a failure of the attacker, who could have mated faster at its first
/// occurrence. A node may therefore be disproven because one of its descendants repeats one of its
/// ancestors. The same node, reached on another path, may still be a mate: this is the graph
/// history interaction problem. If the ancestor itself is disproven and relies on no earlier
/// position, the nodes that relied on it form a closed set without a mate, and the disproof of the
/// ancestor holds everywhere.
///
/// The value is the earliest ply of the path that the disproof relies on. A larger value is a
/// weaker condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reliance(u16);

impl Reliance {
    /// The disproof holds on every path.
    pub(crate) const NOTHING: Self = Self(u16::MAX);

    /// The disproof holds while the path has the same position at `ply`.
    pub(crate) const fn on_ply(ply: usize) -> Self {
        Self(ply as u16)
    }

    /// Returns the earliest ply that the disproof relies on, or `None` if it holds on every path.
    pub(crate) const fn ply(self) -> Option<usize> {
        match self {
            Self::NOTHING => None,
            Self(ply) => Some(ply as usize),
        }
    }

    /// Returns the condition that remains for a node at `ply` once its subtree is complete. A node
    /// is independent of repetitions of itself and of its descendants.
    pub(crate) const fn seen_from(self, ply: usize) -> Self {
        if self.0 as usize >= ply { Self::NOTHING } else { self }
    }
}
