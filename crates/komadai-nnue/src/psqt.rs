//! Values of pieces beside the layers of a LayerStack network.

use komadai_core::{Color, PieceKind, Position};

use crate::bona_piece::Term;
use crate::feature_set::FeatureSet;
use crate::features::{Features, king_square};

/// Values of features for each stack, in units of the network's output.
#[derive(Debug, Clone)]
pub(crate) struct Psqt {
    pub(crate) set: FeatureSet,
    /// `[stack]`.
    pub(crate) biases: Vec<i32>,
    /// `[feature][stack]`.
    pub(crate) weights: Vec<i32>,
}

impl Psqt {
    /// Returns half of the difference between both views, for the side to move.
    ///
    /// Every piece counts for both views, so that the difference has it twice.
    pub(crate) fn value(&self, position: &Position, stack: usize) -> i32 {
        let own = self.sum(position, position.side(), stack);
        let other = self.sum(position, !position.side(), stack);
        own.wrapping_sub(other) / 2
    }

    fn sum(&self, position: &Position, color: Color, stack: usize) -> i32 {
        let features = Features::new(self.set, color, king_square(position, color));
        let stacks = self.biases.len();
        let mut sum = self.biases[stack];
        let mut add = |term: Term| {
            for index in [features.index(term), features.second_index(term)].into_iter().flatten() {
                sum = sum.wrapping_add(self.weights[index * stacks + stack]);
            }
        };
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                add(Term::Board(piece, square));
            }
        }
        for owner in Color::ALL {
            for kind in PieceKind::HAND {
                let count = position.hand(owner).count(kind);
                (1..=count).for_each(|count| add(Term::Hand(owner, kind, count)));
            }
        }
        sum
    }
}
