//! The features that a position has, collected plainly.

use komadai_core::{Color, PieceKind, Position};

use crate::architecture::Architecture;
use crate::bona_piece::Term;
use crate::features::{Attackers, Features, king_square};

/// The features of most positions for one view: 38 pieces, and both kings twice.
const USUAL: usize = 42;

impl Architecture {
    /// Returns the indices of the inputs of the first layer that a position has, as one side sees
    /// it. A trainer of its own sums the rows of weights with these indices.
    ///
    /// Each index is less than [`FeatureSet::inputs`](crate::FeatureSet::inputs). The sums of the
    /// first layer are the biases plus these rows; a network sees those of the side to move first.
    /// Pieces on the board come first, by square, then those in hand. All architectures but
    /// LayerStack have an input for pieces that are not in the game, as in handicap games; it
    /// occurs as often as pieces are missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Color, Position};
    /// use komadai_nnue::Architecture;
    ///
    /// let half_kp = Architecture::HALF_KP_256;
    /// let [black, white] = Color::ALL.map(|side| {
    ///     let mut indices = half_kp.active_features(&Position::hirate(), side);
    ///     indices.sort();
    ///     indices
    /// });
    /// assert_eq!(black.len(), 38);
    /// assert!(black.iter().all(|&index| index < half_kp.features().inputs()));
    /// assert_eq!(black, white, "the start looks the same from both ends of the board");
    /// ```
    pub fn active_features(self, position: &Position, viewer: Color) -> Vec<usize> {
        let king = king_square(position, viewer);
        let features = Features::new(self.features(), viewer, king);
        let attackers = features.count_attackers().then(|| Attackers::of(position));
        let (mut indices, mut missing) = (Vec::with_capacity(USUAL), 38_u32);
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            missing -= u32::from(piece.kind() != PieceKind::King).min(missing);
            let term = Term::Board(piece, square);
            let attackers = attackers.as_ref().map_or(Attackers::NONE, |all| all[square]);
            indices.extend(features.attacked_index(term, attackers));
            indices.extend(features.second_index(term));
        }
        for owner in Color::ALL {
            for kind in PieceKind::HAND {
                for number in 1..=position.hand(owner).count(kind) {
                    missing -= 1.min(missing);
                    let term = Term::Hand(owner, kind, number);
                    indices.extend(features.attacked_index(term, Attackers::NONE));
                }
            }
        }
        if self.has_missing_pieces() {
            indices.extend((0..missing).map(|_| features.missing()));
        }
        indices
    }
}
