//! Lines of moves in comments: in the letters of CSA, or in Japanese.

use komadai_core::{Color, Move, Position, Square};
use komadai_movegen::is_legal;

use super::japanese_line::{japanese_move, split_japanese};
use crate::csa::{kind_of, place_of};

/// Reads a line from the position after the move with the comment, up to the first word that is no
/// legal move. A line that begins with the move itself is read without it.
pub(super) fn read_line(text: &str, after: &Position) -> Vec<Move> {
    let words: Vec<&str> = if is_japanese(text) {
        split_japanese(text)
    } else {
        text.split_ascii_whitespace().collect()
    };
    let moves = follow(&words, after);
    if !moves.is_empty() || words.is_empty() || after.current().last_move().is_none() {
        return moves;
    }
    // Some programs write the line before the move was made.
    let mut before = after.clone();
    let Some(made) = before.undo_move() else { return moves };
    match follow(&words[..1], &before)[..] {
        [first] if first == made => follow(&words[1..], after),
        _ => moves,
    }
}

fn is_japanese(text: &str) -> bool {
    !text.is_ascii()
}

fn follow(words: &[&str], start: &Position) -> Vec<Move> {
    let mut position = start.clone();
    let mut last = start.current().last_move().map(Move::to);
    let mut moves = Vec::new();
    for word in words {
        let m = if is_japanese(word) {
            japanese_move(word, &position, last)
        } else {
            csa_move(word, &position)
        };
        let Some(m) = m else { break };
        last = Some(m.to());
        position.do_move(m);
        moves.push(m);
    }
    moves
}

/// Reads a legal move such as `-3334FU`.
fn csa_move(word: &str, position: &Position) -> Option<Move> {
    let side = match word.as_bytes().first()? {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return None,
    };
    let from: Option<Square> = place_of(word.get(1..3)?)?;
    let to = place_of(word.get(3..5)?)??;
    let kind = kind_of(word.get(5..)?)?;
    if side != position.side() || from == Some(to) {
        return None;
    }
    let m = match from {
        None if kind.is_hand_kind() => Move::drop(kind, to),
        None => return None,
        // CSA names the kind after the move.
        Some(from) if position.piece_on(from)?.kind() == kind => Move::new(from, to),
        Some(from) if position.piece_on(from)?.kind().promoted() == Some(kind) => {
            Move::promotion(from, to)
        }
        Some(_) => return None,
    };
    is_legal(position, m).then_some(m)
}
