//! What the weights are for.

use core::ops::Range;

use komadai_core::PieceKind;

use super::Parameters;
use super::castle::CASTLE_COUNT;
use super::near_king::{FILES, HELD, RANKS, STATES};
use super::relation;
use super::threat::Contact;

/// Weights that belong together.
///
/// Every weight is for one side and counts the other way round for the other. Kinds are numbered as
/// [`PieceKind::ALL`]; where a kind makes no sense (the worth of a king) its weight is not used.
/// Left and right are alike everywhere. Ranks count from the owner's far side.
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
    /// `[kind][files][ranks]`: a piece by where it stands from its own king: four files towards the
    /// nearer edge to eight towards the middle, eight ranks ahead to eight behind.
    OwnKing,
    /// `[kind][files][ranks]`: likewise from the enemy king, its nearer edge, and ranks as the
    /// piece's owner sees them: −8 is a piece eight ranks beyond the king.
    EnemyKing,
    /// `[castle]`: each piece that is all the way in the castle.
    Castle,
    /// `[state − 1][files][ranks]`: squares near the own king by who attacks them: state 3 · own +
    /// enemy attackers, each counted to two; files to either side; three ranks ahead to two behind.
    /// Phase: the danger of this king.
    NearKing,
    /// `[held][count]`: squares next to the own king that the opponent attacks and no own piece but
    /// the king guards, by what the opponent holds: 1 for a gold, 2 for a silver, 4 for anything
    /// else but pawns, added up. Phase: the danger of this king.
    Hole,
    /// `[count]`: squares next to the own king where it could go. Phase: the danger of this king.
    Escape,
    /// `[own turn, other's turn][kind][hanging, cheaply attacked, guarded, loose]`: own pieces under
    /// attack, and those that are neither attacked nor guarded.
    Threat,
    /// `[own turn, other's turn]`: the second largest threat to own pieces, per pawn.
    SecondThreat,
    /// `[count]`: files where a pawn that is in hand could be dropped.
    PawnFiles,
    /// One weight: being to move.
    Tempo,
}

/// What a group's weights are interpolated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The danger of both kings together.
    Game,
    /// The danger of Black's king.
    BlackKing,
    /// The danger of White's king.
    WhiteKing,
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

    /// The name in a parameter text.
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

    /// How many weights there are in each direction, the last one running fastest.
    #[must_use]
    pub const fn shape(self) -> &'static [usize] {
        match self {
            Self::Piece => &[KINDS],
            Self::Hand => &[7, 3],
            Self::HandAttack => &[7],
            Self::Square => &[KINDS, 5, 9],
            Self::OwnKing | Self::EnemyKing => &[KINDS, relation::FILES, relation::RANKS],
            Self::Castle => &[CASTLE_COUNT],
            Self::NearKing => &[STATES, FILES, RANKS],
            Self::Hole => &[HELD, 9],
            Self::Escape => &[9],
            Self::Threat => &[2, KINDS, Contact::COUNT],
            Self::SecondThreat => &[2],
            Self::PawnFiles => &[10],
            Self::Tempo => &[1],
        }
    }

    /// The largest amount of a weight of this group. Sums of as many weights as can come together
    /// stay far from the ends of the numbers that hold them.
    #[must_use]
    pub const fn limit(self) -> i16 {
        let cp = match self {
            Self::Piece | Self::Hand => 2_400,
            Self::Castle => 100,
            Self::NearKing => 120,
            Self::Hole | Self::Threat => 1_200,
            _ => 600,
        };
        cp * Parameters::UNIT as i16
    }

    /// How many weights the group has.
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

    /// The index of the group's first weight among all.
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

    /// The indices of the group's weights.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.first()..self.first() + self.len()
    }

    /// The index of one weight, given its place in the group's shape.
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

    /// The group of the weight at `index`.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`].
    #[must_use]
    pub fn of(index: usize) -> Self {
        Self::ALL
            .into_iter()
            .find(|group| group.range().contains(&index))
            .expect("the index is below PARAMETER_COUNT")
    }
}

/// How many weights there are in all.
pub const PARAMETER_COUNT: usize = Group::Tempo.first() + Group::Tempo.len();

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
        }
        assert_eq!(next, PARAMETER_COUNT);
    }
}
