//! Positions two plies before a problem (逆算): a check and the king's reply to it, taken back.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Rank, Square};
use komadai_movegen::MoveGen as _;

use crate::diagram::fill_hand;

/// Returns positions from which a check and a reply of the king lead to this problem, in a fixed order.
///
/// Three kinds of checks are taken back:
///
/// - a drop next to the king, which captures it: a sacrifice;
/// - a move of a piece next to the king, which captures it;
/// - a drop of a piece that is still on the board, from which the king went away.
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
                found.extend(before_move(problem, origin, kind, (from, king)));
            }
        }
        let dropped = problem.color(Color::Black).iter().filter_map(|square| {
            let kind = problem.piece_on(square)?.kind();
            kind.is_hand_kind().then_some((square, kind))
        });
        for (square, kind) in dropped {
            found.extend(before_drop(problem, origin, kind, square));
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
    // The piece is free again: it is on neither square, and the defender's hand is what remains.
    setup.hands[1] = komadai_core::Hand::EMPTY;
    setup.hands[0] = setup.hands[0].with(kind, held);
    fill_hand(&mut setup);
    let before = Position::from_setup(&setup).ok()?;
    leads_to(&before, Move::drop(kind, to), Move::new(origin, king), problem).then_some(before)
}

/// Returns the position before a piece of `kind` moved and was captured by the king from `origin`. Pieces that move
/// into the promotion zone promote, except silvers, which do so only at a first square on the last rank.
fn before_move(
    problem: &Position,
    origin: Square,
    kind: PieceKind,
    (from, to): (Square, Square),
) -> Option<Position> {
    if problem.piece_on(from).is_some() || from == origin {
        return None;
    }
    let mut setup = problem.to_setup();
    setup.board[to] = None;
    setup.board[origin] = Some(Piece::WhiteKing);
    setup.board[from] = Some(Piece::new(Color::Black, kind));
    fill_hand(&mut setup);
    let before = Position::from_setup(&setup).ok()?;
    let promotes = to.is_promotion_zone(Color::Black) && kind.can_promote();
    let plain = kind == PieceKind::Silver && to.rank() != Rank::R1;
    let m = if promotes && !plain { Move::promotion(from, to) } else { Move::new(from, to) };
    leads_to(&before, m, Move::new(origin, to), problem).then_some(before)
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
