//! The values of a solved game.

use super::listed_move::UNKNOWN;

/// The reason for the value of a position.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::{Basis, BookGraph, PERPETUAL_PLIES, REPETITION_PLIES};
/// use komadai_core::Position;
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 35 1\n";
/// let book = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let value = book.value(&Position::hirate()).expect("it has a value");
/// assert_eq!(value.basis, Basis::Leaf);
/// // Endless play has one of these distances.
/// assert!(![PERPETUAL_PLIES, REPETITION_PLIES].contains(&value.plies));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Basis {
    /// The value of a move that leaves the book.
    Leaf,
    /// Endless play: a draw.
    Repetition,
    /// Perpetual check, which loses for the side that gives it.
    PerpetualCheck,
}

/// The distance of a value that rests on a [repetition](Basis::Repetition).
pub const REPETITION_PLIES: u16 = 9_999;

/// The distance of a value that rests on [perpetual check](Basis::PerpetualCheck).
pub const PERPETUAL_PLIES: u16 = 9_998;

/// The rank of a draw by endless play.
pub(crate) const REPETITION_RANK: u16 = u16::MAX;

/// The rank of a value that rests on perpetual check. Positions that lead there have a larger one.
///
/// The order of the solution decides which perpetual checks get this rank if they rest on each
/// other. The values do not depend on it.
pub(crate) const PERPETUAL_RANK: u16 = 10_000;

/// The largest rank of a value that rests on a leaf. Longer chains of moves are cut at it, and then
/// ranks prove nothing.
pub(crate) const MAX_RANK: u16 = u16::MAX - 1;

/// A value with its rank: the number of plies to where the play leaves the book.
///
/// Ranks have a larger range than the plies that are reported. Along the best play they fall with
/// every ply. This distinguishes a real value from one that the nodes of a cycle only support in a
/// circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RankedScore {
    /// The score for the side to move, or for the side that makes the move; a draw is 0.
    pub(crate) score: i16,
    pub(crate) rank: u16,
}

impl RankedScore {
    /// The value of a move that leads to a node with this value.
    #[inline]
    pub(crate) fn of_move(self) -> Self {
        Self { score: -self.score, rank: farther(self.rank) }
    }

    /// The better of two moves: the one with the larger value. Of equal values, the shorter way, or
    /// the longer one if the side to move is worse.
    pub(crate) fn better(self, other: Self) -> Self {
        let key = |ranked_score: Self| {
            let rank = i32::from(ranked_score.rank);
            (ranked_score.score, if ranked_score.score < 0 { rank } else { -rank })
        };
        if key(other) > key(self) { other } else { self }
    }
}

/// The rank of a position one ply farther from the leaf.
#[inline]
pub(crate) fn farther(rank: u16) -> u16 {
    if rank >= MAX_RANK { rank } else { rank + 1 }
}

/// Values of all nodes. A node without a value has the score [`UNKNOWN`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) scores: Vec<i16>,
    pub(crate) ranks: Vec<u16>,
    pub(crate) bases: Vec<Basis>,
}

/// The value of one node with its rank and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeValue {
    pub(crate) ranked_score: RankedScore,
    pub(crate) basis: Basis,
}

impl NodeValue {
    pub(crate) const NONE: Self = Self {
        ranked_score: RankedScore { score: UNKNOWN, rank: REPETITION_RANK },
        basis: Basis::Repetition,
    };

    /// The number of plies, as reported.
    pub(crate) fn plies(self) -> u16 {
        match self.basis {
            Basis::PerpetualCheck => PERPETUAL_PLIES,
            _ => self.ranked_score.rank.min(REPETITION_PLIES),
        }
    }
}

impl Values {
    /// Collects the values of all nodes, in their order.
    pub(crate) fn of(nodes: impl ExactSizeIterator<Item = NodeValue> + Clone) -> Self {
        Self {
            scores: nodes.clone().map(|value| value.ranked_score.score).collect(),
            ranks: nodes.clone().map(|value| value.ranked_score.rank).collect(),
            bases: nodes.map(|value| value.basis).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    #[inline]
    pub(crate) fn get(&self, node: u32) -> NodeValue {
        let at = node as usize;
        NodeValue {
            ranked_score: RankedScore { score: self.scores[at], rank: self.ranks[at] },
            basis: self.bases[at],
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, node: u32, value: NodeValue) {
        let at = node as usize;
        (self.scores[at], self.ranks[at]) = (value.ranked_score.score, value.ranked_score.rank);
        self.bases[at] = value.basis;
    }

    pub(crate) fn push(&mut self, value: NodeValue) {
        self.scores.push(value.ranked_score.score);
        self.ranks.push(value.ranked_score.rank);
        self.bases.push(value.basis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_prefers_the_shorter_way_and_the_loser_the_longer() {
        let ranked_score = |score, rank| RankedScore { score, rank };
        assert_eq!(ranked_score(5, 3).better(ranked_score(5, 2)), ranked_score(5, 2));
        assert_eq!(ranked_score(-5, 3).better(ranked_score(-5, 2)), ranked_score(-5, 3));
        assert_eq!(ranked_score(0, 3).better(ranked_score(0, 2)), ranked_score(0, 2));
        assert_eq!(ranked_score(0, 9).better(ranked_score(1, 99)), ranked_score(1, 99));
        assert_eq!(ranked_score(7, MAX_RANK).of_move(), ranked_score(-7, MAX_RANK));
        assert_eq!(ranked_score(0, REPETITION_RANK).of_move(), ranked_score(0, REPETITION_RANK));
    }
}
