//! Piece values that a teacher plays with are found by the Bonanza method.

use std::sync::Arc;

use komadai_core::{Piece, PieceKind, Position, SplitMix64};
use komadai_eval::Material;
use komadai_nnue::linear::{FeatureGroups, LinearModel};

use super::planted::{planted_in, random_games};
use crate::methods::{Bonanza, BonanzaOptions, Method as _};

/// The kinds with a value.
fn kinds() -> impl Iterator<Item = PieceKind> {
    PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King)
}

/// A teacher whose piece values differ from those of the material balance: by turns a third more and
/// a third less. Returns it with the values times a factor that makes their sum that of the balance.
fn teacher() -> (LinearModel, Vec<f32>) {
    let mut model = LinearModel::new(FeatureGroups::V);
    let fixed = kinds().map(|kind| Material::board_value(kind) as f32);
    let fixed: Vec<f32> = fixed.collect();
    for (at, weight) in model.weights_mut().iter_mut().enumerate() {
        *weight = (fixed[at] * [0.33, -0.33, 0.25][at % 3]).round();
    }
    let values: Vec<f32> = kinds().map(|kind| model.piece_value(kind)).collect();
    let factor = fixed.iter().sum::<f32>() / values.iter().sum::<f32>();
    (model, values.iter().map(|value| factor * value).collect())
}

/// Promotes a third of the pieces, so that all kinds are frequent; `None` if the side that has moved
/// would then be in check.
fn promoted(position: &Position, random: &mut SplitMix64) -> Option<Position> {
    let mut setup = position.to_setup();
    for piece in setup.board.iter_mut().flatten() {
        if random.below(3) == 0 {
            let kind = piece.kind().promoted().unwrap_or(piece.kind());
            *piece = Piece::new(piece.color(), kind);
        }
    }
    Position::from_setup(&setup).ok()
}

#[test]
fn piece_values_are_those_of_the_teacher_but_for_their_scale() {
    let (teacher, expected) = teacher();
    let mut random = SplitMix64::new(4);
    let positions = random_games(24);
    let positions = positions.iter().filter_map(|position| promoted(position, &mut random));
    let data = Arc::new(planted_in(&teacher, positions.collect()));
    let (fits, batches) = (16, 8);
    let options =
        BonanzaOptions { piece_rate: 30.0, fits, siblings: 24, ..BonanzaOptions::default() };
    let mut method = Bonanza::new(FeatureGroups::V, data, options, 1);
    let values = |method: &Bonanza| -> Vec<f32> {
        kinds().map(|kind| method.model().piece_value(kind)).collect()
    };
    let before = values(&method);
    let sum: f32 = before.iter().sum();
    for _ in 0..12 * (256 + fits * batches) {
        method.step();
        let kept: f32 = values(&method).iter().sum();
        assert!((kept - sum).abs() < 0.02, "{kept} {sum}");
    }
    // The mean of the errors, as shares of the values.
    let error = |values: &[f32]| {
        let each = values.iter().zip(&expected).map(|(found, right)| (found - right).abs() / right);
        each.sum::<f32>() / 13.0
    };
    let (found, was) = (error(&values(&method)), error(&before));
    assert!(was > 0.25 && found < 0.5 * was, "{was} {found}: {:?}", values(&method));
}
