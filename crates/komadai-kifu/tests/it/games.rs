//! Records as games and back.

use komadai_core::{Position, UsiPosition};
use komadai_kifu::{EndKind, Outcome, Record, RecordMove, ReplayError, Tolerance, parse_csa};
use komadai_movegen::{DrawBy, Game, GameRules, MaxMoves, MoveGen, Outcome as GameOutcome, WinBy};
use komadai_testdata::kifu::samples;
use proptest::prelude::*;

#[test]
fn every_sample_is_a_game_with_its_outcome() {
    let mut decided = 0;
    for sample in samples() {
        for record in parse_csa(sample.bytes, Tolerance::Strict).unwrap().records {
            let name = sample.name;
            let game = record.to_game(GameRules::default()).unwrap();
            assert_eq!(game.to_usi_position(), record.to_usi(), "{name}");
            let again = Record::from_game(&game);
            assert_eq!((&again.setup, again.moves.len()), (&record.setup, record.moves.len()));
            assert!(again.moves.iter().all(|played| *played == RecordMove::new(played.m)));
            if record.outcome() != Outcome::Unknown {
                assert_eq!(game.outcome().map(Outcome::from), Some(record.outcome()), "{name}");
                assert_eq!(again.outcome(), record.outcome(), "{name}");
                decided += 1;
            }
        }
    }
    assert!(decided > 10, "{decided} decided games");
}

#[test]
fn the_rules_decide_before_the_end_mark() {
    let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let usi = UsiPosition::from_usi(&format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle}")).unwrap();
    let mut record = Record::new(usi.setup.clone());
    record.moves = usi.moves.iter().copied().map(RecordMove::new).collect();
    record.end = Some(komadai_kifu::End::new(EndKind::Resign));
    let game = record.to_game(GameRules::default()).unwrap();
    assert_eq!(game.outcome(), Some(GameOutcome::Draw(DrawBy::Repetition)));

    record.moves.push(RecordMove::new("5i4h".parse().unwrap()));
    let late = record.to_game(GameRules::default()).unwrap_err();
    assert!(matches!(late, ReplayError::GameOver { ply: 13, .. }), "{late}");
    let free = record.to_game(GameRules::checkmate_only()).unwrap();
    assert!(matches!(free.outcome(), Some(GameOutcome::Win { by: WinBy::Resignation, .. })));

    record.moves.push(RecordMove::new("5i4h".parse().unwrap()));
    let illegal = record.to_game(GameRules::checkmate_only()).unwrap_err();
    assert!(matches!(illegal, ReplayError::IllegalMove { ply: 14, .. }), "{illegal}");
}

proptest! {
    #[test]
    fn games_come_back_from_their_records(
        choices in prop::collection::vec(any::<u16>(), 0..60),
        end in 0..5u8,
        cursor in 0..60usize,
    ) {
        let rules = GameRules { max_moves: MaxMoves::new(50), ..GameRules::default() };
        let mut game = Game::new(Position::hirate(), rules);
        for choice in choices {
            let moves = game.position().legal_moves();
            if game.outcome().is_some() {
                break;
            }
            game.try_move(moves[usize::from(choice) % moves.len()]).unwrap();
        }
        if game.outcome().is_none() {
            let us = game.position().side();
            let ended = match end {
                0 => None,
                1 => Some(game.resign()),
                2 => Some(game.end(GameOutcome::Win { winner: !us, by: WinBy::Time })),
                3 => Some(game.end(GameOutcome::Win { winner: us, by: WinBy::Foul })),
                _ => Some(game.end(GameOutcome::Draw(DrawBy::Impasse))),
            };
            prop_assert!(ended.is_none_or(|ended| ended.is_ok()));
        }
        let mut viewed = game.clone();
        viewed.go_to(cursor);
        let record = Record::from_game(&viewed);
        prop_assert_eq!(&record, &Record::from_game(&game));
        prop_assert_eq!(record.to_game(rules).unwrap(), game.clone());
        let text = record.to_csa().unwrap();
        let read = parse_csa(&text, Tolerance::Strict).unwrap().records;
        prop_assert_eq!(read[0].to_game(rules).unwrap(), game);
    }
}
