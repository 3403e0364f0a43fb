//! Moves in Japanese within comments: `▲２五歩△８五歩▲７八金`.

use komadai_core::{Move, Piece, PieceKind, Position, Square};
use komadai_movegen::MoveGen as _;

use crate::kakinoki::words::{SIGNS, digit, kanji_digit, kind_at, square};
use crate::notation::relative::narrow;

/// Splits a line into moves, each with its mark.
pub(super) fn split_japanese(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        text.char_indices().filter(|(_, c)| SIGNS.contains(c)).map(|(at, _)| at).collect();
    starts.push(text.len());
    starts.windows(2).map(|ends| text[ends[0]..ends[1]].trim()).collect()
}

/// Reads a legal move such as `▲２五歩`, `△同　歩(87)` or `▲５八金左`; `last` is the target of the move
/// before.
pub(super) fn japanese_move(word: &str, position: &Position, last: Option<Square>) -> Option<Move> {
    let mut rest = word.trim_start_matches(SIGNS);
    let to = match rest.strip_prefix('同') {
        Some(after) => {
            rest = after.trim_start();
            last?
        }
        None => {
            let mut chars = rest.chars();
            let (file, rank) = (any_digit(chars.next()?)?, any_digit(chars.next()?)?);
            rest = chars.as_str();
            square(file, rank)?
        }
    };
    let (kind, rest) = piece(rest)?;
    let (words, origin) = match rest.split_once('(') {
        Some((words, digits)) => (words, Some(digits.trim_end_matches(')'))),
        None => (rest, None),
    };
    let words = words.trim();
    let promotes = words.contains('成') && !words.contains("不成");
    let drops = |m: &Move| m.is_drop();
    let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    moves.retain(|m| {
        let stands = m.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
        m.to() == to && stands.or(m.dropped()) == Some(kind) && m.is_promotion() == promotes
    });
    // A drop needs its word only if a piece on the board could move there.
    if words.contains('打') || moves.iter().all(drops) {
        return moves.into_iter().find(drops);
    }
    let mut origins: Vec<Square> = moves.iter().filter_map(|m| m.from()).collect();
    match origin.map(|digits| digits.chars().filter_map(any_digit).collect::<Vec<_>>()) {
        Some(digits) => origins.retain(|&from| match digits[..] {
            [file, rank] => square(file, rank) == Some(from),
            _ => false,
        }),
        None => narrow(&mut origins, &letters(words), position.side(), to),
    }
    match origins[..] {
        [from] => moves.into_iter().find(|m| m.from() == Some(from)),
        _ => None,
    }
}

/// The digit of a file or rank, in any of the ways that records have.
fn any_digit(c: char) -> Option<u32> {
    digit(c).or_else(|| kanji_digit(c)).filter(|&digit| digit > 0)
}

/// The piece at the start of a text, and the text after it.
fn piece(text: &str) -> Option<(PieceKind, &str)> {
    kind_at(text).or_else(|| Some((PieceKind::ProPawn, text.strip_prefix("成歩")?)))
}

/// The letters of the words for directions and sides.
fn letters(words: &str) -> String {
    let letter = |c| match c {
        '左' => Some('L'),
        '右' => Some('R'),
        '直' => Some('C'),
        '上' | '行' | '入' => Some('U'),
        '寄' => Some('M'),
        '引' => Some('D'),
        _ => None,
    };
    words.chars().filter_map(letter).collect()
}
