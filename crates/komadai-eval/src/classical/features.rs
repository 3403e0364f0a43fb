//! The evaluation as an explicit sum of weights, for tuning and tests.

use komadai_core::{Color, PieceKind, Position, Square};

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
pub fn features(position: &Position) -> Features {
    let mut list = Vec::with_capacity(256);
    let phases = visit(position, |feature, _| list.push(feature));
    Features { list, phases }
}

/// Calls `add` for all terms of the evaluation of a position, with their origins. Returns the value
/// of each phase.
pub(crate) fn visit(position: &Position, mut add: impl FnMut(Feature, Origin)) -> [f32; 3] {
    let maps = Color::ALL.map(|color| AttackMap::new(position, color));
    let phases = Phases::new(position, &maps);
    for color in Color::ALL {
        let mut one_side = OneSide { position, maps: &maps, color, add: &mut add };
        one_side.pieces();
        one_side.hand();
        one_side.king();
        one_side.threats();
    }
    OneSide { position, maps: &maps, color: position.side(), add: &mut add }.tempo();
    [Phase::Game, Phase::BlackKing, Phase::WhiteKing].map(|phase| {
        let (phase, whole) = phases.get(phase);
        phase as f32 / whole as f32
    })
}

impl Features {
    /// Returns the sum in centipawns, positive is good for Black.
    pub fn evaluate(&self, parameters: &Parameters) -> f32 {
        let units = self.list.iter().map(|&Feature { index, times, phase }| {
            let weight = parameters.get(index);
            let phase = self.phases[phase as usize];
            times * (f32::from(weight.early) * (1.0 - phase) + f32::from(weight.late) * phase)
        });
        units.sum::<f32>() / Parameters::UNIT as f32
    }
}

/// Visits the terms of one side.
struct OneSide<'a, F> {
    position: &'a Position,
    maps: &'a [AttackMap; 2],
    color: Color,
    add: &'a mut F,
}

impl<F: FnMut(Feature, Origin)> OneSide<'_, F> {
    fn add(&mut self, index: usize, times: f32, phase: Phase, origin: Origin) {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        (self.add)(Feature { index, times: sign * times, phase }, origin);
    }

    fn pieces(&mut self) {
        let position = self.position;
        let color = self.color;
        let own_king = position.king_square(color);
        let king = own_king.map(|king| seen_by(king, color));
        for on in position.occupied() {
            let Some(piece) = position.piece_on(on) else { continue };
            let owner = if piece.color() == color { Owner::Own } else { Owner::Enemy };
            let square = seen_by(on, color);
            placement_weights(king, owner, piece.kind(), square, |index, times, of| {
                let origin = Origin::piece(piece.color(), piece.kind(), on, own_king);
                self.add(index, times as f32 / of as f32, Phase::Game, origin);
            });
        }
    }

    fn hand(&mut self) {
        let position = self.position;
        let color = self.color;
        let phase = Phase::of_king(!color);
        for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
            let count = position.hand(color).count(hand_kind);
            hand_weights(kind, count as usize, |index, times| {
                let origin = Origin::held(color, hand_kind, None);
                self.add(index, times as f32, Phase::Game, origin);
            });
            if count > 0 {
                let origin = Origin::held(color, hand_kind, position.king_square(!color));
                self.add(Group::HandAttack.index(&[kind]), count as f32, phase, origin);
            }
        }
        if position.hand(color).has(PieceKind::Pawn) {
            let pawns = position.pieces(color, PieceKind::Pawn).len() as usize;
            let origin = Origin::held(color, PieceKind::Pawn, None);
            self.add(Group::PawnFiles.index(&[9 - pawns]), 1.0, Phase::Game, origin);
        }
    }

    fn king(&mut self) {
        let position = self.position;
        let color = self.color;
        let Some(king) = position.king_square(color) else { return };
        let view = View::new(position, king, color, self.maps);
        let phase = Phase::of_king(color);
        view.visit(|index, files, ranks| {
            let origin = Origin::near(color, king, king.offset(files, ranks));
            self.add(index, 1.0, phase, origin);
        });
        let origin = Origin::near(color, king, None);
        self.add(Group::Hole.index(&view.holes()), 1.0, phase, origin);
        self.add(Group::Escape.index(&[view.escapes()]), 1.0, phase, origin);
    }

    fn threats(&mut self) {
        let position = self.position;
        let color = self.color;
        let maps = self.maps;
        let turn = usize::from(position.side() != color);
        let mut largest = Largest::default();
        threat::visit(
            position,
            color,
            &maps[color],
            &maps[!color],
            |square, kind, contact, gain| {
                let place = [turn, kind.index(), contact as usize];
                let origin = Origin::piece(color, kind, square, None);
                self.add(Group::Threat.index(&place), 1.0, Phase::Game, origin);
                largest.add(gain);
            },
        );
        if largest.second > 0 {
            let pawns = largest.second as f32 / 100.0;
            let index = Group::SecondThreat.index(&[turn]);
            self.add(index, pawns, Phase::Game, Origin::side(color));
        }
    }

    fn tempo(&mut self) {
        self.add(Group::Tempo.first(), 1.0, Phase::Game, Origin::side(self.color));
    }
}

/// The owner of a term, and the piece and the squares that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    /// The side whose weight it is: that of the piece, or that of the king without a piece.
    pub(crate) owner: Color,
    pub(crate) kind: Option<PieceKind>,
    pub(crate) square: Option<Square>,
    /// The king to which the place is relative, for terms that depend on it.
    pub(crate) king: Option<Square>,
}

impl Origin {
    /// The origin of a term about a side as a whole.
    pub(crate) const fn side(owner: Color) -> Self {
        Self { owner, kind: None, square: None, king: None }
    }

    /// The origin of a term about a square near a king.
    pub(crate) const fn near(owner: Color, king: Square, square: Option<Square>) -> Self {
        Self { owner, kind: None, square, king: Some(king) }
    }

    /// The origin of a term about pieces in hand.
    pub(crate) const fn held(owner: Color, kind: PieceKind, king: Option<Square>) -> Self {
        Self { owner, kind: Some(kind), square: None, king }
    }

    /// The origin of a term about a piece on the board.
    pub(crate) const fn piece(
        owner: Color,
        kind: PieceKind,
        square: Square,
        king: Option<Square>,
    ) -> Self {
        Self { owner, kind: Some(kind), square: Some(square), king }
    }
}
