//! Positions two plies before a problem (逆算): a check and the king's reply to it, taken back.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::MoveGen as _;

use crate::diagram::fill_hand;

/// Returns positions from which a check and a reply of the king lead to this problem, in a fixed order.
///
/// Three kinds of checks are taken back, without captures by the attacker:
///
/// - a drop next to the king, which the king captures: a sacrifice;
/// - a move of a piece next to the king, which the king captures;
/// - a drop or a move of a piece that is still on the board, from which the king went away.
///
/// Each position leads to the problem by two legal moves; whether it is a problem itself is for the judge.
pub(crate) fn predecessors(problem: &Position) -> Vec<Position> {
    let Some(king) = problem.king_square(Color::White) else { return Vec::new() };
    let mut found = Vec::new();
    for (files, ranks) in NEIGHBOURS {
        let Some(origin) = king.offset(files, ranks) else { continue };
        if problem.piece_on(origin).is_some() {
            continue;
        }
        for kind in PieceKind::HAND.into_iter().filter(|&kind| problem.hand(Color::White).has(kind)) {
            found.extend(before_drop(problem, origin, kind, king));
            for from in origins(king) {
                let moves = moves_of(kind, from, king);
                found.extend(moves.filter_map(|m| before_move(problem, origin, kind, m)));
            }
        }
        for to in problem.color(Color::Black) {
            let Some(kind) = problem.piece_on(to).map(Piece::kind) else { continue };
            if kind.is_hand_kind() {
                found.extend(before_drop(problem, origin, kind, to));
            }
            for from in origins(to) {
                found.extend(before_move(problem, origin, kind, Move::new(from, to)));
                if kind.is_promoted() {
                    let m = Move::promotion(from, to);
                    found.extend(before_move(problem, origin, kind.unpromoted(), m));
                }
            }
        }
    }
    found
}

const NEIGHBOURS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The squares near `to` from which a piece may have moved there.
fn origins(to: Square) -> impl Iterator<Item = Square> {
    let offsets = (-2..=2).flat_map(|files| (-2..=2).map(move |ranks| (files, ranks)));
    offsets.filter(|&offset| offset != (0, 0)).filter_map(move |(files, ranks)| to.offset(files, ranks))
}

/// Returns the position before the drop of `kind` on `to`, with the king still on `origin`.
fn before_drop(problem: &Position, origin: Square, kind: PieceKind, to: Square) -> Option<Position> {
    let king = problem.king_square(Color::White)?;
    let mut setup = problem.to_setup();
    setup.board[king] = None;
    // Captured on the square of the king, or still on its own.
    setup.board[to] = None;
    setup.board[origin] = Some(Piece::WhiteKing);
    let held = setup.hands[0].count(kind) + 1;
    // There is such a piece: it was on a square, or is in the defender's hand.
    setup.hands[0] = setup.hands[0].with(kind, held);
    fill_hand(&mut setup);
    let before = Position::from_setup(&setup).ok()?;
    leads_to(&before, Move::drop(kind, to), Move::new(origin, king), problem).then_some(before)
}

/// The move of a piece, with and without promotion.
fn moves_of(kind: PieceKind, from: Square, to: Square) -> impl Iterator<Item = Move> {
    let promotion = kind.can_promote().then(|| Move::promotion(from, to));
    promotion.into_iter().chain([Move::new(from, to)])
}

/// Returns the position before a piece of `kind` made the move `m`, with the king still on `origin`.
fn before_move(problem: &Position, origin: Square, kind: PieceKind, m: Move) -> Option<Position> {
    let king = problem.king_square(Color::White)?;
    let from = m.from().filter(|&from| from != origin && from != king)?;
    if problem.piece_on(from).is_some() {
        return None;
    }
    let mut setup = problem.to_setup();
    setup.board[king] = None;
    setup.board[m.to()] = None;
    setup.board[origin] = Some(Piece::WhiteKing);
    setup.board[from] = Some(Piece::new(Color::Black, kind));
    fill_hand(&mut setup);
    let before = Position::from_setup(&setup).ok()?;
    leads_to(&before, m, Move::new(origin, king), problem).then_some(before)
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
