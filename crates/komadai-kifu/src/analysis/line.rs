//! Lines of moves in comments: in the letters of CSA, or in Japanese.

use komadai_core::{Move, Position};

use super::japanese_line::{japanese_move, split_japanese};
use crate::notation::read_csa_move;

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
            read_csa_move(&position, word).ok()
        };
        let Some(m) = m else { break };
        last = Some(m.to());
        position.do_move(m);
        moves.push(m);
    }
    moves
}
