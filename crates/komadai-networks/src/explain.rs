//! The parts that pieces have in the value of a position.

use komadai_core::{Color, Piece, PieceKind, Position, Setup, Square};
use komadai_eval::Evaluator;
use serde::Serialize;

/// The value of a position, and the part that each piece has in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkExplanation {
    /// The position.
    pub position: Position,
    /// The value in centipawns for the side to move.
    pub value: i32,
    /// The value for Black.
    pub black: i32,
    /// The pieces on the board, then those in hand; kings are left out.
    pub pieces: Vec<PieceWorth>,
}

/// The worth of one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PieceWorth {
    /// The piece.
    pub piece: Piece,
    /// Its square; `None` in hand.
    pub square: Option<Square>,
    /// The number of the kind in the hand; 1 on the board.
    pub count: u32,
    /// The centipawns that its owner loses when the piece, or one of those in hand, is taken out of
    /// the game. `None` if that opens a check against the side that is not to move.
    pub worth: Option<i32>,
}

/// Explains the value of a position by leaving out one piece after another (ablation).
///
/// The parts do not add up to the value: a piece is worth more beside some pieces than beside
/// others, and a network may never have seen a position with a piece less.
///
/// # Examples
///
/// ```
/// use komadai_core::{Piece, Position, Square};
/// use komadai_eval::Material;
/// use komadai_networks::explain;
///
/// let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 w 2g 1")?;
/// let found = explain(&Material, &position);
/// assert_eq!(found.black, -found.value);
/// assert_eq!(found.pieces[0].square, Some(Square::S57));
/// assert_eq!((found.pieces[1].piece, found.pieces[1].count), (Piece::WhiteGold, 2));
/// let [pawn, gold] = [0, 1].map(|at: usize| found.pieces[at].worth.unwrap());
/// assert_eq!(found.value, 2 * gold - pawn);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn explain(evaluator: &impl Evaluator, position: &Position) -> NetworkExplanation {
    let for_black = |position: &Position| {
        let value = evaluator.evaluate_position(position).raw();
        if position.side() == Color::Black { value } else { -value }
    };
    let black = for_black(position);
    let worth = |piece: Piece, without: &Setup| {
        let without = Position::from_setup_leniently(without).ok()?;
        let loss = black - for_black(&without);
        Some(if piece.color() == Color::Black { loss } else { -loss })
    };
    let setup = position.to_setup();
    let mut pieces = Vec::new();
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        if piece.kind() != PieceKind::King {
            let mut without = setup.clone();
            without.board[square] = None;
            let worth = worth(piece, &without);
            pieces.push(PieceWorth { piece, square: Some(square), count: 1, worth });
        }
    }
    for owner in Color::ALL {
        for (kind, count) in position.hand(owner).iter() {
            let mut without = setup.clone();
            let hand = &mut without.hands[owner.index()];
            *hand = hand.with(kind, count - 1);
            let piece = Piece::new(owner, kind);
            pieces.push(PieceWorth { piece, square: None, count, worth: worth(piece, &without) });
        }
    }
    let value = if position.side() == Color::Black { black } else { -black };
    NetworkExplanation { position: position.clone(), value, black, pieces }
}
