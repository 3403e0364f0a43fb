//! Weights and their groups: their meaning, shape and place in the list.

use core::ops::Range;

use komadai_core::PieceKind;

use super::castle::CASTLE_COUNT;
use super::threat::Contact;

/// A group of weights with the same meaning.
///
/// Every weight counts for its owner and with the opposite sign for the other side. Kinds are
/// numbered as in [`PieceKind::ALL`]; the weight of a kind without meaning (the value of a king) is
/// not used. Mirrored positions share their weights. Ranks are numbered from the far side of the
/// owner.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_eval::{Group, Parameters};
///
/// // The weight of a rook on the board is worth more than that of a pawn.
/// let parameters = Parameters::default();
/// let weight = |kind: PieceKind| parameters.get(Group::Piece.index(&[kind as usize]));
/// assert!(weight(PieceKind::Rook).early > weight(PieceKind::Pawn).early);
/// assert_eq!(Group::of(Group::Tempo.first()), Group::Tempo);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Group {
    /// `[kind]`: a piece on the board.
    Piece,
    /// `[kind][first, second, each more]`: pieces in hand, in [`PieceKind::HAND`] order.
    Hand,
    /// `[kind]`: each piece in hand, by the danger of the opponent's king.
    HandAttack,
    /// `[kind][file][rank]`: a piece by its square; file 0 is the edge, 4 the middle.
    Square,
    /// `[kind][files][ranks]`: a piece by its place relative to its own king: four files towards
    /// the nearer edge to eight towards the middle, eight ranks ahead to eight behind.
    OwnKing,
    /// `[kind][files][ranks]`: a piece by its place relative to the enemy king: files towards the
    /// edge nearer to that king, ranks from the point of view of the piece's owner: −8 is a piece
    /// eight ranks beyond the king.
    EnemyKing,
    /// `[castle]`: each piece at its place in the castle; on the way there a part of it.
    Castle,
    /// `[state − 1][files][ranks]`: squares near the own king by their attackers: state 3 · own +
    /// enemy attackers, each counted to two; files to either side; three ranks ahead to two behind.
    /// Phase: the danger of this king.
    NearKing,
    /// `[held][count]`: squares next to the own king that the opponent attacks and no own piece but
    /// the king guards, by the opponent's hand: 1 for a gold, 2 for a silver, 4 for any other piece
    /// but a pawn, added up. Phase: the danger of this king.
    Hole,
    /// `[count]`: squares next to the own king to which it could move. Phase: the danger of this
    /// king.
    Escape,
    /// `[own turn, other's turn][kind][hanging, cheaply attacked, guarded, loose]`: own pieces
    /// under attack, and those that are neither attacked nor guarded.
    Threat,
    /// `[own turn, other's turn]`: the second largest threat to own pieces, per pawn.
    SecondThreat,
    /// `[count]`: files where a pawn that is in hand could be dropped.
    PawnFiles,
    /// One weight: the right to move.
    Tempo,
}

const KINDS: usize = PieceKind::COUNT;

impl Group {
    /// All groups, in the order of their weights.
    pub const ALL: [Self; 14] = [
        Self::Piece,
        Self::Hand,
        Self::HandAttack,
        Self::Square,
        Self::OwnKing,
        Self::EnemyKing,
        Self::Castle,
        Self::NearKing,
        Self::Hole,
        Self::Escape,
        Self::Threat,
        Self::SecondThreat,
        Self::PawnFiles,
        Self::Tempo,
    ];

    /// Returns the name in a parameter text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Piece => "piece",
            Self::Hand => "hand",
            Self::HandAttack => "hand-attack",
            Self::Square => "square",
            Self::OwnKing => "own-king",
            Self::EnemyKing => "enemy-king",
            Self::Castle => "castle",
            Self::NearKing => "near-king",
            Self::Hole => "hole",
            Self::Escape => "escape",
            Self::Threat => "threat",
            Self::SecondThreat => "second-threat",
            Self::PawnFiles => "pawn-files",
            Self::Tempo => "tempo",
        }
    }

    /// Returns the dimensions of the group, in row-major order.
    #[must_use]
    pub const fn shape(self) -> &'static [usize] {
        match self {
            Self::Piece => &[KINDS],
            Self::Hand => &[7, 3],
            Self::HandAttack => &[7],
            Self::Square => &[KINDS, 5, 9],
            Self::OwnKing | Self::EnemyKing => &[KINDS, RELATION_FILES, RELATION_RANKS],
            Self::Castle => &[CASTLE_COUNT],
            Self::NearKing => &[STATES, WINDOW_FILES, WINDOW_RANKS],
            Self::Hole => &[HELD, 9],
            Self::Escape => &[9],
            Self::Threat => &[2, KINDS, Contact::COUNT],
            Self::SecondThreat => &[2],
            Self::PawnFiles => &[10],
            Self::Tempo => &[1],
        }
    }

    /// Returns the largest absolute value of a weight of this group, in units of
    /// [`Parameters::UNIT`](crate::Parameters::UNIT).
    ///
    /// The limits are chosen so that no possible sum of weights overflows the 16-bit halves of a
    /// packed sum. A test sets all weights to their limits.
    #[must_use]
    pub const fn limit(self) -> i16 {
        let cp = match self {
            Self::Piece | Self::Hand => 2_400,
            Self::Castle => 100,
            Self::NearKing => 120,
            Self::Hole | Self::Threat => 1_200,
            _ => 600,
        };
        cp * UNIT as i16
    }

    /// Returns the number of weights in the group.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no group is empty")]
    pub const fn len(self) -> usize {
        let mut product = 1;
        let mut i = 0;
        while i < self.shape().len() {
            product *= self.shape()[i];
            i += 1;
        }
        product
    }

    /// Returns the index of the group's first weight in the list.
    #[must_use]
    pub const fn first(self) -> usize {
        let mut sum = 0;
        let mut i = 0;
        while i < self as usize {
            sum += Self::ALL[i].len();
            i += 1;
        }
        sum
    }

    /// Returns the indices of the group's weights.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.first()..self.first() + self.len()
    }

    /// Returns the index of one weight, given its place in the group's shape.
    ///
    /// # Panics
    ///
    /// Panics if `place` is not inside the shape.
    #[must_use]
    #[inline]
    pub const fn index(self, place: &[usize]) -> usize {
        let shape = self.shape();
        assert!(place.len() == shape.len(), "the place has as many numbers as the shape");
        let mut index = 0;
        let mut i = 0;
        while i < shape.len() {
            assert!(place[i] < shape[i], "the place is inside the shape");
            index = index * shape[i] + place[i];
            i += 1;
        }
        self.first() + index
    }

    /// Returns the place in the group's shape of the weight at `index`, the inverse of
    /// [`index`](Self::index).
    ///
    /// # Panics
    ///
    /// Panics unless `index` is inside the group's [`range`](Self::range).
    #[must_use]
    pub fn place(self, index: usize) -> Vec<usize> {
        assert!(self.range().contains(&index), "the weight belongs to the group");
        let mut rest = index - self.first();
        let mut place: Vec<usize> = Vec::with_capacity(self.shape().len());
        for &size in self.shape().iter().rev() {
            place.push(rest % size);
            rest /= size;
        }
        place.reverse();
        place
    }

    /// Returns the group of the weight at `index`.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`].
    pub fn of(index: usize) -> Self {
        Self::ALL
            .into_iter()
            .find(|group| group.range().contains(&index))
            .expect("the index is below PARAMETER_COUNT")
    }
}

/// Number of all weights.
pub const PARAMETER_COUNT: usize = Group::Tempo.first() + Group::Tempo.len();

/// A weight at the two ends of a phase. Between the ends it is interpolated.
///
/// Unit: 1/4 centipawn ([`Parameters::UNIT`](crate::Parameters::UNIT)), positive is good for the
/// owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Weight {
    /// The value at phase 0: the opening, or a king without attackers.
    pub early: i16,
    /// The value at phase 1: the end of the game, or a king in great danger.
    pub late: i16,
}

impl Weight {
    /// Creates a weight that does not depend on the phase.
    pub const fn constant(value: i16) -> Self {
        Self { early: value, late: value }
    }
}

/// Number of units in a centipawn. A unit finer than a centipawn keeps the rounding errors of many
/// small weights from adding up.
pub(crate) const UNIT: i32 = 4;

/// States of a square near a king: 3 · own + enemy attackers, each counted to two, without the
/// state of no attackers.
pub(crate) const STATES: usize = 8;

/// Sets of pieces that the opponent holds for drops into holes: a gold, a silver, any other piece
/// but a pawn.
pub(crate) const HELD: usize = 8;

/// Distances in files within the window around a king: its own file and three to the side. Both
/// sides share their weights.
pub(crate) const WINDOW_FILES: usize = 4;

/// Ranks of the window around a king, from three ranks ahead to two behind.
pub(crate) const WINDOW_RANKS: usize = 6;

/// Files of a square relative to a king, from four towards the nearer edge to eight towards the
/// middle.
pub(crate) const RELATION_FILES: usize = 13;

/// Ranks of a square relative to a king, from eight ahead to eight behind.
pub(crate) const RELATION_RANKS: usize = 17;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other_without_gaps() {
        let mut next = 0;
        for (place, group) in Group::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, place);
            assert_eq!(group.first(), next);
            assert_eq!(Group::of(next), group);
            next += group.len();
            assert_eq!(Group::of(next - 1), group);
            for index in group.range() {
                assert_eq!(group.index(&group.place(index)), index);
            }
        }
        assert_eq!(next, PARAMETER_COUNT);
    }
}
