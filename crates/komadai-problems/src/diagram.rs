//! A problem under work: the pieces that matter, and all others in the defender's hand.

use std::fmt;

use komadai_core::{Color, Hand, Piece, PieceKind, Position, Setup, Square};

/// A place of a piece that can be taken out of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A square of the board.
    Board(Square),
    /// A piece of this kind in the attacker's hand.
    Hand(PieceKind),
}

impl fmt::Display for Place {
    /// Writes a square or, as in a drop, the letter of a piece and a star.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(square) => write!(f, "{square}"),
            Self::Hand(kind) => write!(f, "{}*", kind.to_sfen()),
        }
    }
}

/// Returns the position as a problem is printed: Black attacks, has no king, and all pieces that
/// are neither on the board nor in the attacker's hand are in the defender's hand. `None` if the
/// side that does not move has no king, or if the result is not a position.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
///
/// let position = Position::from_sfen("9/9/9/9/9/9/4p4/9/4K4 w g 7")?;
/// let problem = komadai_problems::as_problem(&position).expect("the king stays in check range");
/// assert_eq!(problem.to_string(), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn as_problem(position: &Position) -> Option<Position> {
    let attacker = position.side();
    position.king_square(!attacker)?;
    let mut setup = position.to_setup();
    if attacker == Color::White {
        setup = setup.flipped();
    }
    for square in &mut setup.board {
        // Problems are printed without the king of the attacker.
        if *square == Some(Piece::BlackKing) {
            *square = None;
        }
    }
    setup.ply = 1;
    fill_hand(&mut setup);
    Position::from_setup(&setup).ok()
}

/// Gives the defender all pieces that nobody else has.
pub(crate) fn fill_hand(setup: &mut Setup) {
    setup.hands[1] = Hand::EMPTY;
    for kind in PieceKind::HAND {
        let left = Hand::FULL.count(kind).saturating_sub(setup.count(kind));
        setup.hands[1] = setup.hands[1].with(kind, left);
    }
}

/// Returns the places of all pieces but the kings and the defender's hand, the attacker's first.
pub(crate) fn places(position: &Position) -> Vec<Place> {
    let hand = position.hand(Color::Black).iter().map(|(kind, _)| Place::Hand(kind));
    let on_board = |color| {
        let kings = position.kind(PieceKind::King);
        (position.color(color) - kings).iter().map(Place::Board)
    };
    hand.chain(on_board(Color::Black)).chain(on_board(Color::White)).collect()
}

/// Returns the problem without the pieces at these places, which go to the defender's hand. `None`
/// if a place is empty, or if the result is not a position.
pub(crate) fn without(position: &Position, places: &[Place]) -> Option<Position> {
    let mut setup = position.to_setup();
    for &place in places {
        match place {
            Place::Board(square) => {
                setup.board[square].take()?;
            }
            Place::Hand(kind) => {
                let held = setup.hands[0].count(kind).checked_sub(1)?;
                setup.hands[0] = setup.hands[0].with(kind, held);
            }
        }
    }
    fill_hand(&mut setup);
    Position::from_setup(&setup).ok()
}

/// Returns the problem with one more piece on an empty square, taken from the defender's hand.
/// `None` if the defender does not have it, the square is not empty, or the result is not a
/// position.
pub(crate) fn with_piece(position: &Position, piece: Piece, square: Square) -> Option<Position> {
    let has = position.hand(Color::White).has(piece.kind().unpromoted());
    if !has || position.piece_on(square).is_some() {
        return None;
    }
    let mut setup = position.to_setup();
    setup.board[square] = Some(piece);
    fill_hand(&mut setup);
    Position::from_setup(&setup).ok()
}

/// Returns the same problem or its mirror image, whichever text is smaller: both are the same
/// problem.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_problems::canonical;
///
/// let position = Position::from_sfen("7k1/9/6G2/9/9/9/9/9/9 b G 1")?;
/// assert_eq!(canonical(&position), canonical(&position.mirrored()));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn canonical(position: &Position) -> Position {
    let position = position.without_history();
    let mirrored = position.mirrored();
    let is_mirrored = mirrored.to_string() < position.to_string();
    if is_mirrored { mirrored } else { position }
}
