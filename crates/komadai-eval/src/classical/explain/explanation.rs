//! The explanation of one evaluation, and its terms.

use komadai_core::{Color, PieceKind, Score, Square};

use crate::classical::features::{Feature, Origin};
use crate::classical::groups::Group;
use crate::classical::phase::Phase;

/// The terms of the evaluation of a position, returned by
/// [`Classical::explain`](crate::Classical::explain).
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_core::Language;
/// use komadai_eval::{Classical, Group};
///
/// let position = Position::from_sfen("4k4/9/4p4/9/9/9/9/4R4/4K4 b - 1")?;
/// let explanation = Classical::default().explain(&position);
/// // The rook of Black against the pawn of White.
/// assert!(explanation.group_value(Group::Piece, Color::Black) > 500.0);
/// assert!(explanation.group_value(Group::Piece, Color::White) < 0.0);
/// let largest = explanation.largest()[0];
/// assert_eq!(largest.group.label(Language::Japanese), "駒の価値");
/// assert_eq!(largest.label(Language::English), "R 5h");
/// assert_eq!(largest.label(Language::Japanese), "飛 ５八");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub(super) terms: Vec<Term>,
    pub(super) side: Color,
    pub(super) score: Score,
}

impl Explanation {
    /// Returns all terms: those of Black, those of White, and the right to move.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Returns the terms in the order of their absolute values, the largest first.
    pub fn largest(&self) -> Vec<Term> {
        let mut terms = self.terms.clone();
        terms.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        terms
    }

    /// Returns the sum of all values in centipawns, positive is good for Black.
    pub fn sum(&self) -> f32 {
        self.terms.iter().map(|term| term.value).sum()
    }

    /// Returns the side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Returns the evaluation, for the side to move.
    pub const fn score(&self) -> Score {
        self.score
    }

    /// Returns the sum of the terms of a group that belong to `owner`, in centipawns, positive is
    /// good for Black.
    pub fn group_value(&self, group: Group, owner: Color) -> f32 {
        let terms = self.terms.iter().filter(|term| term.group == group && term.owner == owner);
        terms.map(|term| term.value).sum()
    }

    /// Returns `[square]`: the sum of the terms that `included` accepts and that have this
    /// [place](Term::place), in centipawns, positive is good for Black.
    ///
    /// The values of pieces exceed all other terms, so that a picture of the latter excludes
    /// [`Group::Piece`].
    pub fn by_square(&self, included: impl Fn(&Term) -> bool) -> [f32; Square::COUNT] {
        let mut sums = [0.0; Square::COUNT];
        for term in self.terms.iter().filter(|term| included(term)) {
            if let Some(square) = term.place() {
                sums[square] += term.value;
            }
        }
        sums
    }
}

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
