//! A parsed SFEN is written and parsed as the same again; errors are short and true of the setup.

#![no_main]

use komadai_core::{Position, PositionError, Setup, SfenError};
use komadai_movegen::MoveGen;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Setup::from_sfen(text) {
        Ok(setup) => {
            let written = setup.to_string();
            assert_eq!(Setup::from_sfen(&written).as_ref(), Ok(&setup), "{written:?}");
            assert_eq!(setup.flipped().flipped(), setup);
            assert_eq!(setup.mirrored().mirrored(), setup);
        }
        Err(error) => assert!(error.to_string().len() < 500, "{error}"),
    }
    match Position::from_sfen(text) {
        Ok(position) => {
            assert_eq!(Position::from_setup(&position.to_setup()).as_ref(), Ok(&position));
            assert_eq!(Position::from_sfen(&position.to_string()).as_ref(), Ok(&position));
            for m in &position.legal_moves() {
                assert!(position.is_legal(m), "{m}");
            }
        }
        Err(SfenError::Position(error)) => {
            assert!(Setup::from_sfen(text).is_ok(), "the text is well formed");
            check_position_error(error, text);
        }
        Err(error) => assert_eq!(Setup::from_sfen(text), Err(error)),
    }
});

/// Checks that the reason of a refused position is true of its setup.
fn check_position_error(error: PositionError, text: &str) {
    let setup = Setup::from_sfen(text).expect("looked at before");
    match error {
        PositionError::TooManyPieces { kind, count, max } => {
            assert_eq!(setup.count(kind), count);
            assert!(count > max);
        }
        PositionError::TwoKings { first, second, .. } => {
            assert_ne!(first, second);
            assert_eq!(setup.board[first], setup.board[second]);
        }
        PositionError::NoFutureMove { piece, square } => {
            assert_eq!(setup.board[square], Some(piece));
        }
        PositionError::OpponentInCheck { color, king, checker } => {
            assert_eq!(setup.board[king].map(|piece| piece.color()), Some(color));
            assert_eq!(setup.board[checker].map(|piece| piece.color()), Some(!color));
        }
        _ => {}
    }
}
