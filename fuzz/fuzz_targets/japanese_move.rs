//! A move in Japanese is read as one of the position; every legal move is read as it is written.

#![no_main]

use komadai_core::{Move, Square};
use komadai_fuzz::start;
use komadai_kifu::{Notation, read_japanese_move};
use komadai_movegen::MoveGen as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (position, rest) = start(data);
    let text = String::from_utf8_lossy(rest);
    for last in [None, Some(Square::S55)] {
        match read_japanese_move(&text, &position, last) {
            Ok((m, after)) => {
                assert!(text.ends_with(after) && after.len() < text.len());
                let moved = m.from().and_then(|from| position.piece_on(from));
                assert!(m.is_drop() || moved.is_some_and(|piece| piece.color() == position.side()));
            }
            Err(error) => assert!(error.to_string().len() < 2_000, "{error}"),
        }
    }
    let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    for &m in moves.iter().skip(rest.len() % 16).step_by(16) {
        for notation in [Notation::Japanese, Notation::Kif] {
            let name = notation.name(&position, m);
            assert_eq!(read_japanese_move(&name, &position, None), Ok((m, "")), "{name}");
        }
    }
});
