//! The fault of a text that is almost a USI move.

use crate::piece::PieceKind;

/// The reason why `token` is not a move, to be appended to an error message; empty if it does not
/// resemble a move.
pub(crate) fn of(token: &str) -> &'static str {
    if ["0000", "null", "pass"].contains(&token) {
        return ": a null move is no move of a game";
    }
    match *token.as_bytes() {
        _ if !token.is_ascii() => "",
        [b'+', _, b'*', _, _] => ": a promoted piece cannot be dropped",
        [kind, b'*', file, rank] => {
            drop_fault(kind).or_else(|| square_fault(file, rank)).unwrap_or_default()
        }
        [_, b'*', _, _, b'+'] => ": a drop does not promote",
        [a, b, c, d] => board_fault([a, b], [c, d]).unwrap_or_default(),
        [a, b, c, d, mark] => match board_fault([a, b], [c, d]) {
            None if mark != b'+' => ": only `+` can follow the destination",
            fault => fault.unwrap_or_default(),
        },
        _ => "",
    }
}

fn drop_fault(kind: u8) -> Option<&'static str> {
    let capital = PieceKind::from_sfen_letter(char::from(kind.to_ascii_uppercase()));
    match capital {
        Some(PieceKind::King) => Some(": a king cannot be dropped"),
        Some(_) if kind.is_ascii_uppercase() => None,
        Some(_) => Some(": the piece of a drop is a capital letter"),
        None => Some(": the pieces of a drop are RBGSNLP"),
    }
}

fn board_fault(from: [u8; 2], to: [u8; 2]) -> Option<&'static str> {
    let same = (from == to).then_some(": origin and destination are the same");
    square_fault(from[0], from[1]).or_else(|| square_fault(to[0], to[1])).or(same)
}

fn square_fault(file: u8, rank: u8) -> Option<&'static str> {
    match (file, rank) {
        (b'1'..=b'9', b'a'..=b'i') => None,
        (b'1'..=b'9', b'A'..=b'I') => Some(": ranks are small letters"),
        (b'1'..=b'9', _) => Some(": ranks are the letters a to i"),
        (b'a'..=b'i', b'1'..=b'9') => Some(": the file comes before the rank"),
        (_, b'a'..=b'i') => Some(": files are the digits 1 to 9"),
        // Some other word.
        _ => Some(""),
    }
}
