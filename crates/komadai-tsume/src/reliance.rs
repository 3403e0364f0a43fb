//! What a disproof relies on.

/// Whether a disproof holds by itself, or only while some positions are on the path to the node.
///
/// A position that comes up again is a failure of the attacker: it could have mated faster the
/// first time. So a node may be disproven because its descendant repeats one of its ancestors. That
/// says nothing about the node when it is reached another way ("graph history interaction"), until
/// the ancestor itself is disproven without help from further above: then all nodes that relied on
/// it support each other, and none is a mate.
///
/// The value is the earliest ply of the path that is relied on. A larger one is a weaker demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reliance(u16);

impl Reliance {
    /// The disproof holds wherever the position occurs.
    pub(crate) const NOTHING: Self = Self(u16::MAX);

    /// The disproof holds while the path has the position it has at `ply`.
    pub(crate) const fn on_ply(ply: usize) -> Self {
        Self(ply as u16)
    }

    /// The earliest ply that is relied on.
    pub(crate) const fn ply(self) -> Option<usize> {
        match self {
            Self::NOTHING => None,
            Self(ply) => Some(ply as usize),
        }
    }

    /// What is left for a node at `ply` once its own subtree is complete: a node needs no help from
    /// itself or from its descendants.
    pub(crate) const fn seen_from(self, ply: usize) -> Self {
        if self.0 as usize >= ply { Self::NOTHING } else { self }
    }
}
