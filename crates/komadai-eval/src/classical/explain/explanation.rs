//! The explanation of one evaluation.

use komadai_core::{Color, Score, Square};

use super::term::Term;
use crate::classical::groups::Group;

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
