//! Ill-formed text is rejected with its reason and offset, without a panic and in bounded time.

use komadai_core::{
    Move, Piece, Position, PositionError, Pv, Score, Setup, SfenError, Square, UsiError,
    UsiPosition,
};
use proptest::prelude::*;

use crate::random_setup::any_setup;

const BOARD: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

fn sfen_error(text: &str) -> SfenError {
    match Setup::from_sfen(text) {
        Err(error) => error,
        Ok(setup) => panic!("{text:?} was read as {setup}"),
    }
}

#[test]
fn broken_boards() {
    for (text, error) in [
        ("", SfenError::Missing { expected: "a board", at: 0 }),
        (" \n", SfenError::Missing { expected: "a board", at: 2 }),
        ("sfen", SfenError::Missing { expected: "a board", at: 4 }),
        ("9/9/9/9/4x4/9/9/9/9 b -", SfenError::BadPiece { found: 'x', at: 9 }),
        ("9/9/玉8/9/9/9/9/9/9 b -", SfenError::BadPiece { found: '玉', at: 4 }),
        ("0/9/9/9/9/9/9/9/9 b -", SfenError::BadPiece { found: '0', at: 0 }),
        ("9/+G8/9/9/9/9/9/9/9 b -", SfenError::BadPromotion { found: Some('G'), at: 3 }),
        ("9/+k8/9/9/9/9/9/9/9 b -", SfenError::BadPromotion { found: Some('k'), at: 3 }),
        ("9/++P8/9/9/9/9/9/9/9 b -", SfenError::BadPromotion { found: Some('+'), at: 3 }),
        ("9/8+/9/9/9/9/9/9/9 b -", SfenError::BadPromotion { found: Some('/'), at: 4 }),
        ("9/9/9/9/9/9/9/9/8+ b -", SfenError::BadPromotion { found: None, at: 18 }),
        ("9/8/9/9/9/9/9/9/9 b -", SfenError::RankWidth { rank: 2, width: 8, at: 3 }),
        ("9/9/P9/9/9/9/9/9/9 b -", SfenError::RankWidth { rank: 3, width: 10, at: 5 }),
        ("9/9/9p/9/9/9/9/9/9 b -", SfenError::RankWidth { rank: 3, width: 10, at: 5 }),
        ("9/9/9/9/9/9/9/9/ b -", SfenError::RankWidth { rank: 9, width: 0, at: 16 }),
        ("/9/9/9/9/9/9/9/9 b -", SfenError::RankWidth { rank: 1, width: 0, at: 0 }),
        ("9/9/9/9/9/9/9/9 b -", SfenError::RankCount { ranks: 8, at: 15 }),
        ("9/9/9/9/9/9/9/9/9/9 b -", SfenError::RankCount { ranks: 10, at: 17 }),
    ] {
        assert_eq!(sfen_error(text), error, "{text:?}");
    }
}

#[test]
fn broken_sides_hands_and_move_numbers() {
    let at = BOARD.len() + 1;
    for (rest, error) in [
        ("", SfenError::Missing { expected: "the side to move", at }),
        ("B - 1", SfenError::BadSide { token: "B".into(), at }),
        ("black - 1", SfenError::BadSide { token: "black".into(), at }),
        ("- 1", SfenError::BadSide { token: "-".into(), at }),
        ("b", SfenError::Missing { expected: "the hands", at: at + 1 }),
        ("b K 1", SfenError::BadHandPiece { found: 'K', at: at + 2 }),
        ("b +P 1", SfenError::BadHandPiece { found: '+', at: at + 2 }),
        ("b -P 1", SfenError::BadHandPiece { found: '-', at: at + 2 }),
        ("b 歩 1", SfenError::BadHandPiece { found: '歩', at: at + 2 }),
        ("b 1", SfenError::HandCountWithoutPiece { at: at + 3 }),
        ("b R2 1", SfenError::HandCountWithoutPiece { at: at + 4 }),
        (
            "b R0P 1",
            SfenError::HandCount { piece: Piece::BlackPawn, count: 0, most: 18, at: at + 4 },
        ),
        (
            "b 19p 1",
            SfenError::HandCount { piece: Piece::WhitePawn, count: 19, most: 18, at: at + 4 },
        ),
        (
            "b 2R3b 1",
            SfenError::HandCount { piece: Piece::WhiteBishop, count: 3, most: 2, at: at + 5 },
        ),
        (
            "b GGGGG 1",
            SfenError::HandCount { piece: Piece::BlackGold, count: 5, most: 4, at: at + 6 },
        ),
        (
            "b 99999999999P 1",
            SfenError::HandCount {
                piece: Piece::BlackPawn,
                count: u32::MAX,
                most: 18,
                at: at + 13,
            },
        ),
        ("b - x", SfenError::BadPly { token: "x".into(), at: at + 4 }),
        ("b - -1", SfenError::BadPly { token: "-1".into(), at: at + 4 }),
        ("b - +1", SfenError::BadPly { token: "+1".into(), at: at + 4 }),
        ("b - １", SfenError::BadPly { token: "１".into(), at: at + 4 }),
        ("b - 2147483648", SfenError::BadPly { token: "2147483648".into(), at: at + 4 }),
        ("b - 1 x", SfenError::Trailing { token: "x".into(), at: at + 6 }),
        ("b - moves 7g7f", SfenError::UsiPosition { token: "moves".into(), at: at + 4 }),
    ] {
        assert_eq!(sfen_error(&format!("{BOARD} {rest}")), error, "{rest:?}");
    }
}

#[test]
fn illegal_positions_are_rejected_with_the_rule() {
    let error = Position::from_sfen("9/9/9/9/9/9/9/9/9 b - 1").unwrap_err();
    assert_eq!(error, SfenError::Position(PositionError::NoKing));
    assert_eq!(error.to_string(), PositionError::NoKing.to_string());
}

#[test]
fn messages_contain_what_was_found_where_and_what_was_expected() {
    for (text, message) in [
        (
            "9/9/9/9/4x4/9/9/9/9 b -",
            "found 'x' on the board at byte 9, \
             expected one of KRBGSNLP in either case, `+`, a digit 1 to 9 or `/`",
        ),
        ("9/8/9/9/9/9/9/9/9 b -", "rank 2 has 8 squares up to byte 3, expected 9"),
        ("9/9/9/9/9/9/9/9/9 b 3r", "3 pieces r in hand at byte 21, expected 1 to 2"),
        (
            "9/9/9/9/9/9/9/9/9 x -",
            "found \"x\" as the side to move at byte 18, expected `b` or `w`",
        ),
    ] {
        assert_eq!(sfen_error(text).to_string(), message);
    }
}

#[test]
fn offsets_of_a_usi_line_count_from_its_start() {
    let bad_move = |token: &str, at| UsiError::BadMove { token: token.into(), at };
    for (line, error) in [
        ("", UsiError::Sfen(SfenError::Missing { expected: "a board", at: 0 })),
        ("position", UsiError::Sfen(SfenError::Missing { expected: "a board", at: 8 })),
        ("position start", UsiError::Sfen(SfenError::BadPiece { found: 't', at: 10 })),
        ("  position startpos moves 7g7f  7g7", bad_move("7g7", 32)),
        ("startpos moves ７g７f", bad_move("７g７f", 15)),
        (
            "position startpos 1",
            UsiError::Unexpected { token: "1".into(), at: 18, expected: "`moves`" },
        ),
        (
            "sfen 9/9/9/9/9/9/9/9/9 b - 1 resign",
            UsiError::Unexpected { token: "resign".into(), at: 29, expected: "`moves`" },
        ),
        (
            "position sfen 9/9/9/9/9/9/9/9/9 b - seven moves",
            UsiError::Sfen(SfenError::BadPly { token: "seven".into(), at: 36 }),
        ),
    ] {
        assert_eq!(UsiPosition::from_usi(line), Err(error), "{line:?}");
    }
}

#[test]
fn a_usi_position_is_recognised_where_an_sfen_is_expected() {
    let hirate = Setup::hirate();
    for (text, token, at) in [
        (" startpos", "startpos", 1),
        ("startpos moves 7g7f", "startpos", 0),
        ("position startpos", "position", 0),
        (&format!("sfen {hirate} moves 7g7f"), "moves", 69),
    ] {
        let error = SfenError::UsiPosition { token: token.into(), at };
        assert_eq!(Setup::from_sfen(text), Err(error.clone()), "{text}");
        assert_eq!(text.parse::<Position>(), Err(error), "{text}");
        assert!(UsiPosition::from_usi(text).is_ok(), "{text}");
    }
    let message = "startpos".parse::<Position>().unwrap_err().to_string();
    assert_eq!(
        message,
        "found \"startpos\" at byte 0, expected an SFEN alone; \
         a text with `startpos` or `moves` is a `UsiPosition`"
    );
}

#[test]
fn each_fault_of_a_move_is_named() {
    for (text, fault) in [
        ("K*5e", ": a king cannot be dropped"),
        ("+P*5e", ": a promoted piece cannot be dropped"),
        ("P*5e+", ": a drop does not promote"),
        ("p*5e", ": the piece of a drop is a capital letter"),
        ("X*5e", ": the pieces of a drop are RBGSNLP"),
        ("7j7f", ": ranks are the letters a to i"),
        ("7g7j", ": ranks are the letters a to i"),
        ("P*5j", ": ranks are the letters a to i"),
        ("7G7F", ": ranks are small letters"),
        ("0g7f", ": files are the digits 1 to 9"),
        ("g7f7", ": the file comes before the rank"),
        ("7776", ": ranks are the letters a to i"),
        ("7g7g", ": origin and destination are the same"),
        ("7g7f-", ": only `+` can follow the destination"),
        ("7g7f=", ": only `+` can follow the destination"),
        ("0000", ": a null move is no move of a game"),
        ("", ""),
        ("7g", ""),
        ("7g7f++", ""),
        ("pass", ": a null move is no move of a game"),
        ("moves", ""),
        ("７六歩", ""),
        ("歩*5e", ""),
    ] {
        let error = text.parse::<Move>().unwrap_err().to_string();
        let expected = "at byte 0, expected a move such as 7g7f, 8h2b+ or P*5e";
        assert_eq!(error, format!("found {text:?} {expected}{fault}"));
    }
}

/// Megabytes of garbage are rejected at their first error, and no error contains all of them.
#[test]
fn huge_input_is_rejected_with_a_short_error() {
    const LENGTH: usize = 8 << 20;
    let board = format!("{BOARD} ");
    for filling in ["x", "9", "/", "+", "1/", " ", "9/", "b", "-", "0", "P", "歩", "7g7f", "\0"] {
        let garbage = filling.repeat(LENGTH / filling.len());
        for prefix in ["", "sfen ", &board, &format!("{board}b "), &format!("{board}b - ")] {
            let text = format!("{prefix}{garbage}");
            if let Err(error) = Setup::from_sfen(&text) {
                assert!(format!("{error:?}").len() < 300, "{filling:?} after {prefix:?}");
            }
        }
        let text = format!("position startpos moves 7g7f {garbage}");
        if let Err(error) = UsiPosition::from_usi(&text) {
            assert!(format!("{error:?}").len() < 300, "{filling:?}");
        }
        assert!(garbage.parse::<Move>().is_err());
        assert!(garbage.parse::<Square>().is_err());
        assert!(garbage.parse::<Score>().is_err());
        assert!(
            format!("cp {garbage}").parse::<Score>().is_err() || filling == "9" || filling == "0"
        );
    }
}

/// The byte offset in an error, if it has one.
fn offset(error: &UsiError) -> Option<usize> {
    match *error {
        UsiError::BadSquare { at, .. }
        | UsiError::BadMove { at, .. }
        | UsiError::BadScore { at, .. }
        | UsiError::Unexpected { at, .. } => Some(at),
        UsiError::Sfen(
            SfenError::Missing { at, .. }
            | SfenError::BadPiece { at, .. }
            | SfenError::BadPromotion { at, .. }
            | SfenError::RankWidth { at, .. }
            | SfenError::RankCount { at, .. }
            | SfenError::BadSide { at, .. }
            | SfenError::BadHandPiece { at, .. }
            | SfenError::HandCount { at, .. }
            | SfenError::HandCountWithoutPiece { at }
            | SfenError::BadPly { at, .. }
            | SfenError::Trailing { at, .. }
            | SfenError::UsiPosition { at, .. },
        ) => Some(at),
        _ => None,
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_rejected(text in any::<String>()) {
        let _ = Setup::from_sfen(&text);
        let _ = Position::from_sfen(&text);
        let _ = text.parse::<Move>();
        let _ = text.parse::<Square>();
        let _ = text.parse::<Score>();
        let _ = text.parse::<Pv>();
        if let Err(error) = UsiPosition::from_usi(&text) {
            prop_assert!(text.is_char_boundary(offset(&error).unwrap()), "{:?}", error);
        }
    }

    #[test]
    fn damaged_text_is_read_or_rejected_at_a_valid_offset(
        setup in any_setup(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), "[ 0-9a-zA-Z+/*歩-]{0,3}"), 1..4),
    ) {
        let mut text = format!("position sfen {setup} moves 7g7f 8h2b+ P*5e");
        for (index, damage) in damages {
            let at = index.index(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..at + 1, &damage);
            }
        }
        match UsiPosition::from_usi(&text) {
            Ok(game) => prop_assert_eq!(UsiPosition::from_usi(&game.to_string()), Ok(game)),
            Err(error) => {
                let at = offset(&error).unwrap();
                prop_assert!(at <= text.len() && text.is_char_boundary(at), "{:?}", error);
            }
        }
    }
}
