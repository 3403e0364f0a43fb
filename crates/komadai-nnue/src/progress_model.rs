//! The linear model of a game's progress that chooses layer stacks.

use std::sync::LazyLock;

use komadai_core::{Color, PieceKind, Position, Square};

use crate::bona_piece::{FE_END, Term, View};
use crate::features::king_square;

/// Weights of pieces for each square of their viewer's king, in units of 2⁻¹⁶ of the logit.
#[derive(Debug, Clone)]
pub(crate) struct ProgressModel {
    pub(crate) bias: i32,
    /// `[king][piece]`.
    pub(crate) weights: Vec<i32>,
}

/// The sums from which on the progress is at least 1, 2, …, 255.
static THRESHOLDS: LazyLock<[i64; 255]> = LazyLock::new(|| {
    core::array::from_fn(|index| {
        let reached = (index + 1) as f64;
        ((reached / (256.0 - reached)).ln() * 65_536.0).round() as i64
    })
});

impl ProgressModel {
    /// The number of weights.
    pub(crate) const WEIGHTS: usize = Square::COUNT * FE_END;

    /// The bytes in a file, with the hash before them.
    pub(crate) const LEN: u64 = 4 * (2 + Self::WEIGHTS as u64);

    /// Returns the progress of a position, from 0 to 255.
    pub(crate) fn progress(&self, position: &Position) -> u32 {
        let sum = i64::from(self.bias)
            + Color::ALL.iter().map(|&color| self.sum(position, color)).sum::<i64>();
        THRESHOLDS.partition_point(|threshold| *threshold <= sum) as u32
    }

    /// Sums the weights of all pieces as one side sees them.
    fn sum(&self, position: &Position, color: Color) -> i64 {
        let view = View { color, is_mirrored: false };
        let row = &self.weights[view.square(king_square(position, color)) * FE_END..][..FE_END];
        let mut sum = 0;
        let mut pieces = 0;
        let mut add = |term| {
            sum += i64::from(row[view.number(term)]);
            pieces += 1;
        };
        for square in position.occupied() - position.kind(PieceKind::King) {
            if let Some(piece) = position.piece_on(square) {
                add(Term::Board(piece, square));
            }
        }
        for owner in Color::ALL {
            for (kind, count) in position.hand(owner).iter() {
                (1..=count).for_each(|count| add(Term::Hand(owner, kind, count)));
            }
        }
        // A piece that is missing has number 0.
        sum + (38 - pieces) * i64::from(row[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_other_programs() {
        let thresholds = &*THRESHOLDS;
        assert!(thresholds.is_sorted());
        for (index, expected) in [(32, -127_527), (64, -71_999), (96, -33_477), (128, 0)] {
            assert_eq!(thresholds[index - 1], expected);
        }
        assert_eq!(thresholds[254], 363_152);
    }
}
