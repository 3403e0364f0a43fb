//! The indices of features.

use komadai_core::{Color, Position, Square, attacks};

use crate::bona_piece::{FE_END, KING_OF_OWN, NumbersSeen, Term, View};
use crate::feature_set::FeatureSet;

/// The features of one side's view, for a square of its king.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Features {
    set: FeatureSet,
    view: View,
    numbers: &'static NumbersSeen,
    king: Square,
    /// The number of the first feature for this square of the king.
    first: usize,
}

/// The numbers of pieces that attack a square, at most 2 of each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Attackers {
    black: u8,
    white: u8,
}

impl Attackers {
    pub(crate) const NONE: Self = Self { black: 0, white: 0 };

    /// Counts the attackers of every square, kings and pinned pieces included.
    pub(crate) fn of(position: &Position) -> [Self; Square::COUNT] {
        let mut counts = [Self::default(); Square::COUNT];
        for from in position.occupied() {
            let Some(piece) = position.piece_on(from) else { continue };
            for square in attacks::of(piece.color(), piece.kind(), from, position.occupied()) {
                let count = match piece.color() {
                    Color::Black => &mut counts[square].black,
                    Color::White => &mut counts[square].white,
                };
                *count = (*count + 1).min(2);
            }
        }
        counts
    }
}

/// The square of a side's king. A side without a king is seen as if it stood at home.
#[inline]
pub(crate) fn king_square(position: &Position, color: Color) -> Square {
    position.king_square(color).unwrap_or(match color {
        Color::Black => Square::S59,
        Color::White => Square::S51,
    })
}

/// The zone of a square: by thirds of the files, then of the ranks.
pub(crate) const fn zone(square: usize) -> usize {
    square / 27 * 3 + square % 9 / 3
}

/// The class of the own king's square as the viewer sees it, by which features differ.
#[inline]
const fn bucket(set: FeatureSet, king: usize) -> usize {
    match set {
        FeatureSet::ZoneKp => zone(king),
        FeatureSet::KP | FeatureSet::KA2 => 0,
        _ => king,
    }
}

impl FeatureSet {
    /// The class of a king's square for its own view, from 0 to 80: squares of one class have the
    /// same features.
    #[inline]
    pub(crate) fn king_class(self, color: Color, king: Square) -> usize {
        bucket(self, View { color, is_mirrored: false }.square(king))
    }
}

impl Features {
    #[inline]
    pub(crate) fn new(set: FeatureSet, color: Color, king: Square) -> Self {
        let mut view = View { color, is_mirrored: false };
        // Files 6 to 9 as the viewer sees them.
        view.is_mirrored = set.is_mirrored() && view.square(king) >= 45;
        let bucket = bucket(set, view.square(king));
        let pieces = if set.depends_on_attacks() { FE_END } else { set.pieces() };
        Self { set, view, numbers: view.numbers_seen(), king, first: bucket * pieces }
    }

    /// The square of the king.
    #[inline]
    pub(crate) fn king(&self) -> Square {
        self.king
    }

    /// Returns the index of a piece; `None` if the set has no feature for it.
    #[inline]
    pub(crate) fn index(&self, term: Term) -> Option<usize> {
        self.index_of(self.view.number(term))
    }

    /// Calls a function with each index of a piece that has this number in the view of Black.
    #[inline]
    pub(crate) fn for_each_index(&self, number: u16, mut use_index: impl FnMut(usize)) {
        let number = usize::from(self.numbers[usize::from(number)]);
        if number < FE_END {
            use_index(self.first + number);
            return;
        }
        let indices = [self.index_of(number), self.second_index_of(number)];
        indices.into_iter().flatten().for_each(use_index);
    }

    #[inline]
    fn index_of(&self, number: usize) -> Option<usize> {
        if number < FE_END {
            return Some(self.first + number);
        }
        let king = match self.set {
            FeatureSet::HalfKa2 | FeatureSet::HalfKaHm2 | FeatureSet::KA2
                if number >= KING_OF_OWN =>
            {
                number - 81
            }
            _ => number,
        };
        self.set.has_kings().then_some(self.first + king)
    }

    /// Returns the second index of a king, in the set that has two.
    #[inline]
    pub(crate) fn second_index(&self, term: Term) -> Option<usize> {
        self.second_index_of(self.view.number(term))
    }

    #[inline]
    fn second_index_of(&self, number: usize) -> Option<usize> {
        (number >= FE_END && self.set == FeatureSet::KA2).then_some(number + 81)
    }

    /// Returns the index of a piece on a square with this many attackers, in a set that counts
    /// them.
    #[inline]
    pub(crate) fn attacked_index(&self, term: Term, attackers: Attackers) -> Option<usize> {
        let class = match self.view.color {
            _ if !self.set.depends_on_attacks() => 0,
            Color::Black => 3 * attackers.black + attackers.white,
            Color::White => 3 * attackers.white + attackers.black,
        };
        Some(usize::from(class) * 81 * FE_END + self.index(term)?)
    }

    /// Returns whether features depend on the attackers of squares.
    pub(crate) fn count_attackers(&self) -> bool {
        self.set.depends_on_attacks()
    }

    /// The feature of a piece that has been removed from the game, as in handicap games.
    #[inline]
    pub(crate) fn missing(&self) -> usize {
        self.first
    }
}
