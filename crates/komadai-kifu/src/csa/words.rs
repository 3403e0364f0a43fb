//! The words of CSA: pieces and end marks.

use komadai_core::{Color, PieceKind, Square};

use crate::end::EndKind;

/// The two letters of each kind, in the order of the kinds.
const LETTERS: [&str; PieceKind::COUNT] =
    ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

/// Returns the kind of two letters. The match is faster than a search of the table, and a test
/// compares both.
#[inline]
pub(crate) fn kind_of(letters: impl AsRef<[u8]>) -> Option<PieceKind> {
    Some(match letters.as_ref() {
        b"FU" => PieceKind::Pawn,
        b"KY" => PieceKind::Lance,
        b"KE" => PieceKind::Knight,
        b"GI" => PieceKind::Silver,
        b"KI" => PieceKind::Gold,
        b"KA" => PieceKind::Bishop,
        b"HI" => PieceKind::Rook,
        b"OU" => PieceKind::King,
        b"TO" => PieceKind::ProPawn,
        b"NY" => PieceKind::ProLance,
        b"NK" => PieceKind::ProKnight,
        b"NG" => PieceKind::ProSilver,
        b"UM" => PieceKind::Horse,
        b"RY" => PieceKind::Dragon,
        _ => return None,
    })
}

pub(crate) fn letters_of(kind: PieceKind) -> &'static str {
    LETTERS[kind.index()]
}

pub(crate) fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// Returns the digits of a square, as in `76`.
pub(crate) fn digits(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}

/// Returns the meaning of an end mark with `side` to move. `word` is the text after the percent
/// sign.
pub(crate) fn end_of(word: &str, side: Color) -> EndKind {
    match (word, side) {
        ("TORYO", _) => EndKind::Resign,
        ("TSUMI", _) => EndKind::Checkmate,
        ("FUZUMI", _) => EndKind::NoMate,
        ("TIME_UP", _) => EndKind::TimeUp,
        ("ILLEGAL_MOVE", _) => EndKind::IllegalLoss,
        // The sign names the side that broke a rule, independent of the side to move.
        ("+ILLEGAL_ACTION", Color::Black) | ("-ILLEGAL_ACTION", Color::White) => {
            EndKind::IllegalLoss
        }
        ("+ILLEGAL_ACTION" | "-ILLEGAL_ACTION", _) => EndKind::IllegalWin,
        ("KACHI", _) => EndKind::EnteringKingWin,
        ("SENNICHITE", _) => EndKind::Repetition,
        ("JISHOGI", _) => EndKind::Impasse,
        ("HIKIWAKE", _) => EndKind::Draw,
        ("MAX_MOVES", _) => EndKind::MaxMoves,
        ("CHUDAN", _) => EndKind::Interrupt,
        ("ERROR", _) => EndKind::Error,
        _ => EndKind::Other(word.to_owned()),
    }
}

/// Returns the end mark without its percent sign: the word of the format that is nearest to the
/// end. [`end_of`] leads back unless the end has no word of its own.
pub(crate) fn word_of(kind: &EndKind, side: Color) -> &'static str {
    match (kind, side) {
        (EndKind::Resign, _) => "TORYO",
        (EndKind::Checkmate, _) => "TSUMI",
        (EndKind::NoMate, _) => "FUZUMI",
        (EndKind::TimeUp, _) => "TIME_UP",
        (EndKind::IllegalLoss | EndKind::PerpetualCheckLoss, _) => "ILLEGAL_MOVE",
        (EndKind::IllegalWin | EndKind::PerpetualCheckWin, Color::Black) => "-ILLEGAL_ACTION",
        (EndKind::IllegalWin | EndKind::PerpetualCheckWin, Color::White) => "+ILLEGAL_ACTION",
        (EndKind::EnteringKingWin, _) => "KACHI",
        (EndKind::Repetition, _) => "SENNICHITE",
        (EndKind::Impasse, _) => "JISHOGI",
        (EndKind::Draw, _) => "HIKIWAKE",
        (EndKind::MaxMoves, _) => "MAX_MOVES",
        // The side to move has lost, for which programs know this word. No word has the side to
        // move win without a declaration or a foul.
        (EndKind::Win { winner, .. }, side) if *winner != side => "TORYO",
        (EndKind::Interrupt | EndKind::Win { .. } | EndKind::Other(_), _) => "CHUDAN",
        (EndKind::Error, _) => "ERROR",
    }
}

/// Checks for a mark that shogi-server also writes for other ends, which its summary tells apart.
pub(super) fn result_mark_is_provisional(kind: &EndKind) -> bool {
    matches!(kind, EndKind::Resign | EndKind::EnteringKingWin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_letters() {
        for kind in PieceKind::ALL {
            assert_eq!(kind_of(letters_of(kind)), Some(kind));
        }
        assert_eq!(kind_of("fu"), None);
    }

    #[test]
    fn end_marks_are_written_as_they_were_read() {
        let words = "TORYO TSUMI FUZUMI TIME_UP ILLEGAL_MOVE KACHI SENNICHITE JISHOGI HIKIWAKE \
                     MAX_MOVES CHUDAN ERROR";
        for side in Color::ALL {
            for word in words.split(' ') {
                assert_eq!(word_of(&end_of(word, side), side), word);
            }
            // A word outside the format is not written.
            assert_eq!(word_of(&end_of("SOMETHING_NEW", side), side), "CHUDAN");
        }
    }

    #[test]
    fn a_foul_belongs_to_the_named_side_independent_of_the_side_to_move() {
        use crate::end::Outcome;
        for side in Color::ALL {
            let black_fouled = end_of("+ILLEGAL_ACTION", side).outcome(side);
            assert_eq!(black_fouled, Outcome::Win(Color::White));
            let white_fouled = end_of("-ILLEGAL_ACTION", side).outcome(side);
            assert_eq!(white_fouled, Outcome::Win(Color::Black));
        }
    }
}
