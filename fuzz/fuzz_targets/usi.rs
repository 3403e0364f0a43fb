//! Parsed USI is written and parsed as the same again, and a replay stops at the first illegal
//! move.

#![no_main]

use komadai_core::{Move, Pv, Score, UsiPosition};
use komadai_movegen::{MoveGen, PlayError, play, play_leniently};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(m) = text.parse::<Move>() {
        assert_eq!(m.to_string(), text);
    }
    if let Ok(line) = text.parse::<Pv>() {
        assert_eq!(line.to_string().parse(), Ok(line));
    }
    if let Ok(score) = text.parse::<Score>() {
        assert_eq!(score.to_string().parse(), Ok(score));
    }
    match UsiPosition::from_usi(text) {
        Ok(game) => {
            assert_eq!(game.to_string().parse().as_ref(), Ok(&game));
            check_game(&game);
        }
        Err(error) => assert!(error.to_string().len() < 500, "{error}"),
    }
});

fn check_game(game: &UsiPosition) {
    let Ok(played) = play_leniently(game) else {
        assert!(matches!(play(game), Err(PlayError::Start(_))));
        return;
    };
    let moves: Vec<Move> = played.position.moves().flatten().collect();
    assert_eq!(moves, game.moves[..moves.len()]);
    match &played.stopped {
        None => assert_eq!(play(game).as_ref(), Ok(&played.position)),
        Some(error @ PlayError::IllegalMove { number, m, reason }) => {
            assert_eq!(*number, moves.len() + 1);
            assert_eq!(game.moves[number - 1], *m);
            assert_eq!(played.position.check_legality(*m), Err(*reason));
            assert_eq!(play(game).as_ref(), Err(error));
        }
        Some(error) => panic!("not an illegal move: {error}"),
    }
    let _ = played.position.repetition();
}
