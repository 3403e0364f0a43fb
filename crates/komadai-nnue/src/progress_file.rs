//! The file `progress.bin` with the model that chooses the stacks of LayerStack networks.

use komadai_core::{Color, PieceKind, Position, Square};

use crate::bona_piece::{FE_END, Term, View};
use crate::features::king_square;

/// Weights of pieces for each square of their viewer's king, in units of the logit of the progress.
#[derive(Debug, Clone)]
pub(crate) struct ProgressFile {
    /// `[king][piece]`.
    weights: Vec<f32>,
}

impl ProgressFile {
    /// The number of weights.
    const WEIGHTS: usize = Square::COUNT * FE_END;

    /// The length of the file.
    pub(crate) const LEN: usize = size_of::<f64>() * Self::WEIGHTS;

    /// Reads the content of a file; `None` if it has another length.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let weights: Vec<f32> =
            numbers.iter().map(|bytes| f64::from_le_bytes(*bytes) as f32).collect();
        (weights.len() == Self::WEIGHTS && rest.is_empty()).then_some(Self { weights })
    }

    /// Makes a model from its weights, `[king][piece]`.
    pub(crate) fn from_weights(weight: impl FnMut() -> f32) -> Self {
        Self { weights: core::iter::repeat_with(weight).take(Self::WEIGHTS).collect() }
    }

    /// Returns the content of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| f64::from(*weight).to_le_bytes()).collect()
    }

    /// Returns the number of a position's stack: equal parts of the progress from 0 to 1.
    pub(crate) fn index(&self, position: &Position, stacks: usize) -> usize {
        let sum = self.sum(position);
        let limit = |index: usize| (index as f32 / (stacks - index) as f32).ln();
        (1..stacks).take_while(|index| limit(*index) <= sum).count()
    }

    /// Sums the weights of all pieces as both sides see them, in the order of rshogi, because sums
    /// of floating-point numbers depend on it.
    fn sum(&self, position: &Position) -> f32 {
        let rows = Color::ALL.map(|color| {
            let view = View { color, is_mirrored: false };
            let king = view.square(king_square(position, color));
            (view, &self.weights[king * FE_END..][..FE_END])
        });
        let mut sum = 0.0;
        let mut add = |term| {
            for (view, row) in rows {
                sum += row[view.number(term)];
            }
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
        sum
    }
}
