//! Positions two plies before a problem (逆算): a check and the reply to it, taken back.

use std::collections::HashSet;

use komadai_core::{Bitboard, Color, Move, Piece, PieceKind, Position, Setup, Square, attacks};
use komadai_movegen::MoveGen as _;

use crate::diagram::fill_hand;

/// A position two plies before a problem.
#[derive(Debug, Clone)]
pub(crate) struct Predecessor {
    pub(crate) position: Position,
    /// True if the first move is a capture.
    pub(crate) is_capture: bool,
}

/// Returns the positions from which a check and a reply lead to this problem, each once, in a fixed
/// order.
///
/// Taken back are all checks, with or without a capture, in which the piece that moves gives check
/// alone, and all replies without promotion: of the king, by a capture, or by an interposition.
/// Each position leads to the problem by two legal moves; whether it is a problem itself is for the
/// judge.
pub(crate) fn predecessors(problem: &Position) -> Vec<Predecessor> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (checked, reply) in before_reply(problem) {
        for (before, check) in before_check(&checked) {
            if seen.insert(before.key()) && leads_to(&before, check, reply, problem) {
                let is_capture = before.piece_on(check.to()).is_some();
                found.push(Predecessor { position: before, is_capture });
            }
        }
    }
    found
}

/// Returns the positions in check before a reply, with the reply. Not all replies are legal.
fn before_reply(problem: &Position) -> Vec<(Position, Move)> {
    let occupied = problem.occupied();
    let mut found = Vec::new();
    for to in problem.color(Color::White) {
        let Some(piece) = problem.piece_on(to) else { continue };
        let mut setup = problem.to_setup();
        setup.side = Color::White;
        if piece.kind().is_hand_kind() {
            setup.board[to] = None;
            found.extend(checked(&setup).map(|checked| (checked, Move::drop(piece.kind(), to))));
        }
        for from in origins(piece, to, occupied) {
            setup.board[from] = Some(piece);
            // A piece that the reply has captured is in the defender's hand now.
            for captured in captures(problem, Color::White) {
                setup.board[to] = captured;
                found.extend(checked(&setup).map(|checked| (checked, Move::new(from, to))));
            }
            setup.board[from] = None;
        }
    }
    found
}

/// Returns the position of the setup if the defender is in check.
fn checked(setup: &Setup) -> Option<Position> {
    position(setup).filter(Position::in_check)
}

/// A constructor of moves from one square to another.
type MoveBetween = fn(Square, Square) -> Move;

/// Returns the positions before the check, with the check. Not all checks are legal.
fn before_check(checked: &Position) -> Vec<(Position, Move)> {
    let occupied = checked.occupied();
    let mut found = Vec::new();
    let mut checkers = checked.checkers().into_iter();
    let (Some(to), None) = (checkers.next(), checkers.next()) else { return found };
    let Some(piece) = checked.piece_on(to) else { return found };
    let mut setup = checked.to_setup();
    setup.side = Color::Black;
    if piece.kind().is_hand_kind() {
        let mut setup = setup.clone();
        setup.board[to] = None;
        setup.hands[0] = setup.hands[0].with(piece.kind(), setup.hands[0].count(piece.kind()) + 1);
        found.extend(position(&setup).map(|before| (before, Move::drop(piece.kind(), to))));
    }
    // The piece as it moved, the second time before a promotion.
    let unpromoted = Piece::new(Color::Black, piece.kind().unpromoted());
    let moves: [(Piece, MoveBetween); 2] = [(piece, Move::new), (unpromoted, Move::promotion)];
    for (moved, of) in moves.into_iter().take(1 + usize::from(piece.kind().is_promoted())) {
        for from in origins(moved, to, occupied) {
            let check = of(from, to);
            for captured in captures(checked, Color::Black) {
                let mut setup = setup.clone();
                setup.board[from] = Some(moved);
                setup.board[to] = captured;
                if let Some(kind) = captured.map(|piece| piece.kind().unpromoted()) {
                    let held = setup.hands[0].count(kind);
                    setup.hands[0] = setup.hands[0].with(kind, held - 1);
                }
                found.extend(position(&setup).map(|before| (before, check)));
            }
        }
    }
    found
}

/// Returns the position of the setup, in which the defender holds all pieces that nobody else has.
fn position(setup: &Setup) -> Option<Position> {
    let mut setup = setup.clone();
    fill_hand(&mut setup);
    Position::from_setup(&setup).ok()
}

/// Returns the empty squares from which a piece may have moved to `to` without promotion.
fn origins(piece: Piece, to: Square, occupied: Bitboard) -> Bitboard {
    attacks::of(!piece.color(), piece.kind(), to, occupied) - occupied
}

/// Returns the pieces that `color` may just have captured, after nothing: one is now in its hand.
fn captures(position: &Position, color: Color) -> Vec<Option<Piece>> {
    let hand = position.hand(color);
    let kinds = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
    let held = kinds.filter(|kind| hand.has(kind.unpromoted()));
    let captured = held.map(|kind| Some(Piece::new(!color, kind)));
    [None].into_iter().chain(captured).collect()
}

/// Returns true if the moves are legal, the first is a check, and they lead to the problem.
fn leads_to(before: &Position, check: Move, reply: Move, problem: &Position) -> bool {
    if !before.is_legal(check) {
        return false;
    }
    let checked = before.after(check);
    checked.in_check()
        && checked.is_legal(reply)
        && checked.after(reply).without_history().same_placement(problem)
}
