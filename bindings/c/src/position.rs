//! Positions.

use std::ffi::c_char;

use komadai::core::{Color as Side, Handicap, Move, Position as Inner, Square, UsiPosition};
use komadai::kifu::Notation;
use komadai::movegen::{self, GameRules, MoveGen, Outcome as End, play};

use crate::moves::{number, of_number};
use crate::pointers::{array, exclusive, fill, free, give, give_box, give_text, shared, text};
use crate::status::{Fault, Status, call, out_of_range};

/// A position with the moves that led to it. Functions that take it as `const` may run on several
/// threads at once, others not.
#[derive(Clone)]
pub struct Position(pub Inner);

/// A side.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Black (先手), who moves first in an even game.
    Black = 0,
    /// White (後手).
    White = 1,
}

impl Color {
    /// The side of the library.
    pub fn of(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// The end of a game by its rules.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeKind {
    /// The game goes on.
    None = 0,
    /// A win.
    Win = 1,
    /// A draw.
    Draw = 2,
}

/// The outcome of a game.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// A win, a draw or none.
    pub kind: OutcomeKind,
    /// The winner; of no meaning without a win.
    pub winner: Color,
}

/// Writes a new position: null or "startpos" is the start of the even game; an SFEN, a USI position
/// ("startpos moves 7g7f 3c3d") or the Japanese name of a handicap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_new(
    position: *const c_char,
    out: *mut *mut Position,
) -> Status {
    call(|| {
        let inner = if position.is_null() {
            Inner::hirate()
        } else {
            // SAFETY: the caller's promise.
            read(unsafe { text(position, "the position") }?)?
        };
        // SAFETY: the caller's promise.
        unsafe { give_box(out, Position(inner)) }
    })
}

fn read(text: &str) -> Result<Inner, Fault> {
    if let Some(handicap) = Handicap::from_kif_name(text) {
        return Inner::from_setup(&handicap.to_setup()).map_err(Fault::of(Status::BadText));
    }
    let game = UsiPosition::from_usi(text.trim()).map_err(Fault::of(Status::BadText))?;
    play(&game).map_err(Fault::of(Status::BadText))
}

/// Writes a copy of a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_clone(
    position: *const Position,
    out: *mut *mut Position,
) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give_box(out, shared(position, "the position")?.clone()) })
}

/// Frees a position. Null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_free(position: *mut Position) {
    // SAFETY: the caller's promise.
    unsafe { free(position) };
}

/// Writes the SFEN of a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_sfen(
    position: *const Position,
    out: *mut *mut c_char,
) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give_text(out, shared(position, "the position")?.0.to_string()) })
}

/// Writes the start and the moves from it, as in the USI command `position`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_usi(
    position: *const Position,
    out: *mut *mut c_char,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = unsafe { shared(position, "the position") }?;
        // SAFETY: the caller's promise.
        unsafe { give_text(out, position.0.to_usi_position().to_string()) }
    })
}

/// Writes the side to move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_turn(
    position: *const Position,
    out: *mut Color,
) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give(out, Color::of(shared(position, "the position")?.0.side())) })
}

/// Writes true if the side to move is in check.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_in_check(
    position: *const Position,
    out: *mut bool,
) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give(out, shared(position, "the position")?.0.in_check()) })
}

/// Writes the piece on a square: 0 for none, else 1 to 14 for Black and 17 to 30 for White. Pawn,
/// lance, knight, silver, bishop, rook, gold, king are 1 to 8, promoted pawn to promoted rook 9 to
/// 14. Squares are (file - 1) * 9 + (rank - 1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_piece(
    position: *const Position,
    square: u32,
    out: *mut u8,
) -> Status {
    call(|| {
        let index = usize::try_from(square).ok();
        let on_board = index.and_then(Square::from_index);
        let square = on_board.ok_or_else(|| out_of_range("square", square, "0 to 80"))?;
        // SAFETY: the caller's promise.
        let piece = unsafe { shared(position, "the position") }?.0.piece_on(square);
        let code = piece.map_or(0, |piece| {
            let side = if piece.color() == Side::White { 16 } else { 0 };
            piece.kind() as u8 + 1 + side
        });
        // SAFETY: the caller's promise.
        unsafe { give(out, code) }
    })
}

/// Writes the numbers of pieces in hand of a side, a value of `KomadaiColor`: seven numbers, of
/// pawns, lances, knights, silvers, bishops, rooks and golds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_hand(
    position: *const Position,
    color: u32,
    out: *mut u8,
) -> Status {
    call(|| {
        let side = match color {
            found if found == Color::Black as u32 => Side::Black,
            found if found == Color::White as u32 => Side::White,
            found => return Err(out_of_range("color", found, "a value of KomadaiColor")),
        };
        // SAFETY: the caller's promise.
        let hand = unsafe { shared(position, "the position") }?.0.hand(side);
        if out.is_null() {
            return Err(Fault::new(Status::Null, "the place of the result is null"));
        }
        let mut counts = [0; 7];
        for (kind, count) in hand.iter() {
            counts[kind as usize] = u8::try_from(count).unwrap_or(u8::MAX);
        }
        // SAFETY: the caller's promise.
        unsafe { fill(out, counts.len(), counts) };
        Ok(())
    })
}

/// Writes the number of legal moves, and the moves, as many as fit. No position has more than 600.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_legal_moves(
    position: *const Position,
    moves: *mut u16,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let legal = unsafe { shared(position, "the position") }?.0.legal_moves();
        // SAFETY: the caller's promise.
        unsafe { fill(moves, capacity, legal.iter().map(|m| m.to_bits())) };
        // SAFETY: the caller's promise.
        unsafe { give(count, legal.len()) }
    })
}

/// Writes the number of lines of legal moves of a length. It grows some thirtyfold with each ply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_perft(
    position: *const Position,
    depth: u32,
    out: *mut u64,
) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give(out, movegen::perft(&shared(position, "the position")?.0, depth)) })
}

/// Makes a legal move. An illegal one leaves the position as it is; the last error names the rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_push(position: *mut Position, m: u16) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = unsafe { exclusive(position, "the position") }?;
        position.0.try_move(of_number(m)?).map_err(Fault::of(Status::IllegalMove))
    })
}

/// Takes the last move back, and writes it; null is fine for `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_pop(position: *mut Position, out: *mut u16) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = unsafe { exclusive(position, "the position") }?;
        let undone = position.0.undo_move();
        let undone = undone.ok_or_else(|| {
            Fault::new(Status::IllegalMove, "there is no move to take back: this is the start")
        })?;
        // SAFETY: the caller's promise.
        unsafe { fill(out, 1, [undone.to_bits()]) };
        Ok(())
    })
}

/// Writes the last move, or 0 at the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_last_move(
    position: *const Position,
    out: *mut u16,
) -> Status {
    // SAFETY: the caller's promise.
    let position = || unsafe { shared(position, "the position") };
    // SAFETY: the caller's promise.
    call(|| unsafe { give(out, number(position()?.0.current().last_move())) })
}

/// Writes the end of the game by its rules: checkmate, no legal move, fourfold repetition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_outcome(
    position: *const Position,
    out: *mut Outcome,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = unsafe { shared(position, "the position") }?;
        let outcome = match position.0.outcome(&GameRules::default()) {
            None => Outcome { kind: OutcomeKind::None, winner: Color::Black },
            Some(End::Draw(_)) => Outcome { kind: OutcomeKind::Draw, winner: Color::Black },
            Some(End::Win { winner, .. }) => {
                Outcome { kind: OutcomeKind::Win, winner: Color::of(winner) }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { give(out, outcome) }
    })
}

fn notation(name: &str) -> Result<Notation, Fault> {
    name.parse().map_err(Fault::of(Status::BadText))
}

/// The moves of these numbers, the first of which is legal in a position, and so on.
fn legal_line(position: &Inner, numbers: &[u16]) -> Result<Vec<Move>, Fault> {
    let mut after = position.clone();
    let play = |&bits: &u16| {
        let m = of_number(bits)?;
        after.try_move(m).map_err(Fault::of(Status::IllegalMove))?;
        Ok(m)
    };
    numbers.iter().map(play).collect()
}

/// Writes the names of a line of legal moves, with spaces between them: notation "usi", "japanese",
/// "kif", "hodges", "hosking" or "csa".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_names(
    position: *const Position,
    moves: *const u16,
    count: usize,
    notation_name: *const c_char,
    out: *mut *mut c_char,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = &unsafe { shared(position, "the position") }?.0;
        // SAFETY: the caller's promise.
        let notation = notation(unsafe { text(notation_name, "the notation") }?)?;
        // SAFETY: the caller's promise.
        let line = legal_line(position, unsafe { array(moves, count, "the moves") }?)?;
        // SAFETY: the caller's promise.
        unsafe { give_text(out, notation.line(position, &line)) }
    })
}
