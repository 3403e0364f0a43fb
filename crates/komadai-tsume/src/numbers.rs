//! Proof and disproof numbers.

/// The side to move at a node of the mate search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    /// The attacker moves: an OR node, proven by one move that mates.
    Attack,
    /// The defender moves: an AND node, disproven by one move that avoids mate.
    Defence,
}

impl Node {
    pub(crate) const fn next(self) -> Self {
        match self {
            Self::Attack => Self::Defence,
            Self::Defence => Self::Attack,
        }
    }
}

/// Proof number and disproof number of a node: the least number of leaves that have to be solved to
/// prove a mate, and to disprove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// The number of a goal that can no longer be reached.
pub(crate) const INFINITE: u32 = u32::MAX;

/// The largest number of an unsolved node. Half of [`INFINITE`], so that a threshold above it is
/// still below infinity.
const MOST: u32 = INFINITE / 2;

impl Numbers {
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    pub(crate) const INFINITE: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// The numbers of an unsolved node, clamped so that they differ from those of a solved one.
    pub(crate) fn open(proof: u32, disproof: u32) -> Self {
        Self { proof: proof.clamp(1, MOST), disproof: disproof.clamp(1, MOST) }
    }

    /// Builds the numbers from the success and failure numbers of the side to move at `node`.
    pub(crate) const fn of_mover(node: Node, succeeds: u32, fails: u32) -> Self {
        match node {
            Node::Attack => Self { proof: succeeds, disproof: fails },
            Node::Defence => Self { proof: fails, disproof: succeeds },
        }
    }

    /// The success number of the side to move at `node`: the proof number for the attacker, the
    /// disproof number for the defender.
    pub(crate) const fn success(self, node: Node) -> u32 {
        match node {
            Node::Attack => self.proof,
            Node::Defence => self.disproof,
        }
    }

    /// The failure number of the side to move at `node`.
    pub(crate) const fn failure(self, node: Node) -> u32 {
        self.success(node.next())
    }

    pub(crate) const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(crate) const fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    pub(crate) const fn is_solved(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// Returns the larger of each of the two numbers, for unsolved nodes.
    pub(crate) fn at_least(self, least: Self) -> Self {
        Self::open(self.proof.max(least.proof), self.disproof.max(least.disproof))
    }

    /// Returns true if one of the numbers has reached its threshold.
    pub(crate) const fn reach(self, thresholds: Self) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }

    /// Returns the thresholds, raised where needed so that these numbers do not reach them.
    pub(crate) fn below(self, thresholds: Self) -> Self {
        Self {
            proof: thresholds.proof.max(self.proof.saturating_add(1)),
            disproof: thresholds.disproof.max(self.disproof.saturating_add(1)),
        }
    }
}
