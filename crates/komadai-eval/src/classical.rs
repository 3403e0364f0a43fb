//! Material, placement and king safety together.

use komadai_core::{BoardObserver, Color, Hand, Move, Piece, Position, Score, Square};

use crate::Evaluator;
use crate::king_safety;
use crate::material::{Balance, owned};
use crate::piece_square::Placement;

/// Material, a small bonus for each piece on its square, and the safety of both kings.
///
/// Material and squares are followed move by move; the attacks around the kings are looked at
/// anew in each evaluation. Everything is the same for both colours.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Score};
/// use komadai_eval::{Classical, Evaluator, Material};
///
/// // Both sides have a gold; only Black's guards its king.
/// let position = Position::from_sfen("g3k4/9/9/9/9/9/9/4G4/4K4 b - 1")?;
/// assert!(Classical.judge(&position) > Score::ZERO);
/// assert_eq!(Material.judge(&position), Score::ZERO);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classical;

/// What [`Classical`] follows move by move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassicalState {
    material: Balance,
    placement: Placement,
}

impl ClassicalState {
    /// The material part of the evaluation.
    #[must_use]
    #[inline]
    pub const fn material(&self) -> &Balance {
        &self.material
    }
}

impl BoardObserver for ClassicalState {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.material.removed(piece, square);
        self.placement.removed(piece, square);
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.material.put(piece, square);
        self.placement.put(piece, square);
    }

    #[inline]
    fn hand_changed(&mut self, color: Color, hand: Hand) {
        self.material.hand_changed(color, hand);
    }
}

impl Evaluator for Classical {
    type State = ClassicalState;

    fn refresh(&self, position: &Position) -> ClassicalState {
        ClassicalState { material: Balance::of(position), placement: Placement::of(position) }
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, state: &mut ClassicalState) {
        position.do_move_with(m, state);
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut ClassicalState) {
        position.undo_move_with(state);
    }

    fn evaluate(&self, position: &Position, state: &ClassicalState) -> Score {
        let black = state.material.lead(Color::Black)
            + state.placement.black()
            + king_safety::black_lead(position);
        Score::cp(owned(position.side(), black))
    }
}
