//! Piece values.

use std::sync::LazyLock;

use komadai_core::{BoardObserver, Color, Hand, Move, Piece, PieceKind, Position, Score, Square};

use crate::evaluator::Evaluator;
use crate::scale;

/// An evaluation of material only, on the board and in hand (駒の損得).
///
/// A piece in hand has a higher value than the same piece on the board, because it can be dropped
/// on almost any square. Kings have the value 0. The values are round numbers near those that
/// programs learn; the unit is a hundredth of a pawn on the board.
///
/// # Examples
///
/// ```
/// use komadai_core::{PieceKind, Position, Score};
/// use komadai_eval::{Evaluator, Material};
///
/// assert_eq!(Material.evaluate_position(&Position::hirate()), Score::ZERO);
///
/// let black_lacks_a_rook = "4k2r1/9/9/9/9/9/9/9/4K4 b - 1";
/// let position = Position::from_sfen(black_lacks_a_rook)?;
/// let rook = Material::board_value(PieceKind::Rook);
/// assert_eq!(Material.evaluate_position(&position), Score::cp(-rook));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Material;

/// `[kind]`, centipawns.
const BOARD: [i32; PieceKind::COUNT] = {
    let mut values = [0; PieceKind::COUNT];
    values[PieceKind::Pawn as usize] = 100;
    values[PieceKind::Lance as usize] = 330;
    values[PieceKind::Knight as usize] = 370;
    values[PieceKind::Silver as usize] = 520;
    values[PieceKind::Bishop as usize] = 840;
    values[PieceKind::Rook as usize] = 980;
    values[PieceKind::Gold as usize] = 580;
    values[PieceKind::ProPawn as usize] = 560;
    values[PieceKind::ProLance as usize] = 560;
    values[PieceKind::ProKnight as usize] = 570;
    values[PieceKind::ProSilver as usize] = 580;
    values[PieceKind::Horse as usize] = 1_100;
    values[PieceKind::Dragon as usize] = 1_300;
    values
};

/// The value of each piece on the board for Black.
static FOR_BLACK: [i32; 32] = {
    let mut values = [0; 32];
    let mut i = 0;
    while i < PieceKind::COUNT {
        let kind = PieceKind::ALL[i];
        values[Piece::new(Color::Black, kind) as usize] = BOARD[i];
        values[Piece::new(Color::White, kind) as usize] = -BOARD[i];
        i += 1;
    }
    values
};

/// In [`PieceKind::HAND`] order, centipawns.
const HAND: [i32; PieceKind::HAND.len()] = [115, 370, 420, 580, 940, 1_090, 640];

/// `[bit]`: the value of the pieces that a bit of [`Hand::to_bits`] counts.
const BIT_IN_HAND: [i32; 32] = {
    let mut values = [0; 32];
    let mut i = 0;
    while i < PieceKind::HAND.len() {
        let kind = PieceKind::HAND[i];
        let lowest = Hand::EMPTY.with(kind, 1).to_bits().trailing_zeros() as usize;
        let bits = Hand::FULL.count(kind).ilog2() as usize + 1;
        let mut bit = 0;
        while bit < bits {
            values[lowest + bit] = HAND[i] << bit;
            bit += 1;
        }
        i += 1;
    }
    values
};

impl Material {
    /// Returns the value of a piece of `kind` on the board, in centipawns; 0 for a king.
    #[inline]
    pub const fn board_value(kind: PieceKind) -> i32 {
        BOARD[kind as usize]
    }

    /// Returns the value of a piece of `kind` in hand, in centipawns; 0 for a kind that cannot be
    /// held.
    #[inline]
    pub const fn hand_value(kind: PieceKind) -> i32 {
        if kind.is_hand_kind() { HAND[kind as usize] } else { 0 }
    }
}

/// The material balance of one position, updated with each move: centipawns, Black's minus White's.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, PieceKind, Position};
/// use komadai_eval::{Balance, Material};
///
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1")?;
/// let balance = Balance::of(&position);
/// assert_eq!(balance.lead(Color::Black), Material::hand_value(PieceKind::Rook));
/// assert_eq!(balance.lead(Color::White), -balance.lead(Color::Black));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    board: i32,
    hands: [i32; 2],
    /// The hands that `hands` is the value of.
    held: [Hand; 2],
}

impl Balance {
    /// Counts the pieces of a position.
    pub fn of(position: &Position) -> Self {
        let mut balance = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                balance.put(piece, square);
            }
        }
        for color in Color::ALL {
            balance.hand_changed(color, position.hand(color));
        }
        balance
    }

    /// Returns the material advantage of `color`, in centipawns.
    #[inline]
    pub const fn lead(&self, color: Color) -> i32 {
        let black = self.board + self.hands[0] - self.hands[1];
        match color {
            Color::Black => black,
            Color::White => -black,
        }
    }
}

impl BoardObserver for Balance {
    #[inline]
    fn removed(&mut self, piece: Piece, _: Square) {
        self.board -= FOR_BLACK[piece as usize & 31];
    }

    #[inline]
    fn put(&mut self, piece: Piece, _: Square) {
        self.board += FOR_BLACK[piece as usize & 31];
    }

    #[inline]
    fn hand_changed(&mut self, color: Color, hand: Hand) {
        let change = hand.to_bits() as i32 - self.held[color].to_bits() as i32;
        self.held[color] = hand;
        // Counts are so small that only a change of one kind is a power of two.
        if change.unsigned_abs().is_power_of_two() {
            let value = BIT_IN_HAND[change.trailing_zeros() as usize];
            self.hands[color] += if change < 0 { -value } else { value };
        } else {
            let values = PieceKind::HAND.into_iter().zip(HAND);
            self.hands[color] = values.map(|(kind, value)| hand.count(kind) as i32 * value).sum();
        }
    }
}

/// Converts a value of `color` to Black's point of view, or back.
#[inline]
pub(crate) const fn owned(color: Color, value: i32) -> i32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

impl Evaluator for Material {
    type State = Balance;

    fn refresh(&self, position: &Position) -> Balance {
        Balance::of(position)
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, state: &mut Balance) {
        position.do_move_with(m, state);
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut Balance) {
        position.undo_move_with(state);
    }

    #[inline]
    fn evaluate(&self, position: &Position, state: &mut Balance) -> Score {
        Score::cp(state.lead(position.side()))
    }

    fn scale(&self) -> f64 {
        static SCALE: LazyLock<f64> =
            LazyLock::new(|| scale::measure(|position| Material.evaluate_position(position)));
        *SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_in_hand_is_worth_more_and_promotion_gains() {
        for kind in PieceKind::HAND {
            assert!(Material::hand_value(kind) > Material::board_value(kind), "{kind:?}");
            if let Some(promoted) = kind.promoted() {
                assert!(Material::board_value(promoted) > Material::board_value(kind), "{kind:?}");
            }
        }
        assert_eq!(Material::hand_value(PieceKind::King), 0);
        assert_eq!(Material::hand_value(PieceKind::ProPawn), 0);
    }

    #[test]
    fn hands_count_for_their_owner() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w 2Sr 1").unwrap();
        let silver = Material::hand_value(PieceKind::Silver);
        let rook = Material::hand_value(PieceKind::Rook);
        assert_eq!(Balance::of(&position).lead(Color::Black), 2 * silver - rook);
        assert_eq!(Material.evaluate_position(&position), Score::cp(rook - 2 * silver));
    }
}
