//! The evaluation as an explicit sum of weights, for tuning and tests.

use komadai_core::{Color, PieceKind, Position};

use super::groups::Group;
use super::near_king::View;
use super::parameters::Parameters;
use super::phase::{Phase, Phases};
use super::placement::{Owner, hand_weights, placement_weights, seen_by};
use super::threat::{self, Largest};
use crate::attack_map::AttackMap;

/// One term of the evaluation of a position: a weight and its coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// Index of the weight in [`Parameters::weights`].
    pub index: usize,
    /// Coefficient of the weight, positive for Black.
    pub times: f32,
    /// Phase by which the weight is interpolated.
    pub phase: Phase,
}

/// All terms of the evaluation of a position, and its phases.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{Classical, Evaluator, Parameters, features};
///
/// let position = Position::from_sfen("4k4/9/4p4/9/9/9/9/4R4/4K4 b - 1")?;
/// let parameters = Parameters::default();
/// let sum = features(&position).evaluate(&parameters);
/// let score = Classical::new(&parameters).evaluate_position(&position).raw();
/// assert!((sum - score as f32).abs() < 4.0, "they differ by rounding alone");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// The terms. One weight may occur several times.
    pub list: Vec<Feature>,
    /// `[phase]`: the value of each [`Phase`], from 0 to 1.
    pub phases: [f32; 3],
}

/// Returns all terms of the evaluation of a position.
#[must_use]
pub fn features(position: &Position) -> Features {
    let maps = Color::ALL.map(|color| AttackMap::new(position, color));
    let phases = Phases::new(position, &maps);
    let mut list = Vec::with_capacity(256);
    for color in Color::ALL {
        let mut one_side =
            OneSide { sign: if color == Color::Black { 1.0 } else { -1.0 }, list: &mut list };
        one_side.pieces(position, color);
        one_side.hand(position, color);
        one_side.king(position, color, &maps);
        one_side.threats(position, color, &maps);
    }
    let sign = if position.side() == Color::Black { 1.0 } else { -1.0 };
    OneSide { sign, list: &mut list }.add(Group::Tempo.first(), 1.0, Phase::Game);
    let phases = [Phase::Game, Phase::BlackKing, Phase::WhiteKing].map(|phase| {
        let (phase, whole) = phases.get(phase);
        phase as f32 / whole as f32
    });
    Features { list, phases }
}

impl Features {
    /// Returns the sum in centipawns, positive is good for Black.
    #[must_use]
    pub fn evaluate(&self, parameters: &Parameters) -> f32 {
        let units = self.list.iter().map(|&Feature { index, times, phase }| {
            let (weight, phase) = (parameters.get(index), self.phases[phase as usize]);
            times * (f32::from(weight.early) * (1.0 - phase) + f32::from(weight.late) * phase)
        });
        units.sum::<f32>() / Parameters::UNIT as f32
    }
}

/// Collects the terms of one side.
struct OneSide<'a> {
    sign: f32,
    list: &'a mut Vec<Feature>,
}

impl OneSide<'_> {
    fn add(&mut self, index: usize, times: f32, phase: Phase) {
        self.list.push(Feature { index, times: self.sign * times, phase });
    }

    fn pieces(&mut self, position: &Position, color: Color) {
        let king = position.king_square(color).map(|king| seen_by(king, color));
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            let owner = if piece.color() == color { Owner::Own } else { Owner::Enemy };
            let square = seen_by(square, color);
            placement_weights(king, owner, piece.kind(), square, |index, times, of| {
                self.add(index, times as f32 / of as f32, Phase::Game);
            });
        }
    }

    fn hand(&mut self, position: &Position, color: Color) {
        let phase = Phase::of_king(!color);
        for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
            let count = position.hand(color).count(hand_kind);
            hand_weights(kind, count as usize, |index, times| {
                self.add(index, times as f32, Phase::Game);
            });
            if count > 0 {
                self.add(Group::HandAttack.index(&[kind]), count as f32, phase);
            }
        }
        if position.hand(color).has(PieceKind::Pawn) {
            let pawns = position.pieces(color, PieceKind::Pawn).len() as usize;
            self.add(Group::PawnFiles.index(&[9 - pawns]), 1.0, Phase::Game);
        }
    }

    fn king(&mut self, position: &Position, color: Color, maps: &[AttackMap; 2]) {
        let Some(king) = position.king_square(color) else { return };
        let view = View::new(position, king, color, maps);
        let phase = Phase::of_king(color);
        view.visit(|index| self.add(index, 1.0, phase));
        self.add(Group::Hole.index(&view.holes()), 1.0, phase);
        self.add(Group::Escape.index(&[view.escapes()]), 1.0, phase);
    }

    fn threats(&mut self, position: &Position, color: Color, maps: &[AttackMap; 2]) {
        let turn = usize::from(position.side() != color);
        let mut largest = Largest::default();
        threat::visit(position, color, &maps[color], &maps[!color], |kind, contact, gain| {
            let place = [turn, kind.index(), contact as usize];
            self.add(Group::Threat.index(&place), 1.0, Phase::Game);
            largest.add(gain);
        });
        if largest.second > 0 {
            let pawns = largest.second as f32 / 100.0;
            self.add(Group::SecondThreat.index(&[turn]), pawns, Phase::Game);
        }
    }
}
