//! The terms of an explanation.

use komadai_core::{Color, PieceKind, Square};

use crate::classical::features::Feature;
use crate::classical::groups::Group;
use crate::classical::origin::Origin;
use crate::classical::phase::Phase;

/// One term of an evaluation: a weight, its coefficient, and the piece and squares to which it
/// belongs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// Group of the weight.
    pub group: Group,
    /// Index of the weight in [`Parameters::weights`](crate::Parameters::weights).
    pub index: usize,
    /// Side for which the weight counts: the owner of the piece, of the hand or of the king.
    pub owner: Color,
    /// Kind of the piece, on the board or in hand.
    pub kind: Option<PieceKind>,
    /// Square of the piece, or the square near a king.
    pub square: Option<Square>,
    /// Square of the king on whose place the term depends.
    pub king: Option<Square>,
    /// Coefficient of the weight, positive for a term of Black.
    pub times: f32,
    /// Phase by which the weight is interpolated.
    pub phase: Phase,
    /// Value of that phase, from 0 (early) to 1 (late).
    pub late: f32,
    /// Value in centipawns, positive is good for Black.
    pub value: f32,
    /// Number of positions that contained the weight when it was fitted, if it is known. A weight
    /// with a large value and few visits is suspect.
    pub visits: Option<u32>,
}

impl Term {
    /// Returns the value in centipawns for one side.
    pub fn value_for(&self, color: Color) -> f32 {
        signed(self.value, color)
    }

    /// Returns the square on which a picture shows the term: that of the piece, the one near the
    /// king, or that of the king. Pieces in hand and terms of a side have none.
    pub fn place(&self) -> Option<Square> {
        match self.group {
            Group::Hole | Group::Escape => self.king,
            _ => self.square,
        }
    }

    /// Returns the term of a feature, without its value.
    pub(super) fn new(feature: Feature, origin: Origin) -> Self {
        let group = Group::of(feature.index);
        Self {
            group,
            index: feature.index,
            owner: origin.owner,
            kind: origin.kind,
            square: origin.square,
            king: origin.king.filter(|_| !matches!(group, Group::Piece | Group::Square)),
            times: feature.times,
            phase: feature.phase,
            late: 0.0,
            value: 0.0,
            visits: None,
        }
    }

    /// Returns true for the other half of a place relative to a king.
    pub(super) fn is_half_of(&self, other: &Self) -> bool {
        matches!(self.group, Group::OwnKing | Group::EnemyKing)
            && (self.index, self.square, self.king) == (other.index, other.square, other.king)
    }
}

/// Returns a value for Black as one for `color`.
pub(super) fn signed(value: f32, color: Color) -> f32 {
    if color == Color::Black { value } else { -value }
}
