//! Sets of positions, and fits to them.

use komadai_core::{Move, Position};
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{Damage, OnDamage, Sources, ToolError, Watch};
use komadai_search::{LogisticMoves, SoftmaxMoves};
use komadai_testdata::games;

use super::super::{Choice, MoveFitOptions, MoveFitter, MoveJudgement, MoveSet, MoveSetError};

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|m| m.parse().unwrap()).collect()
}

/// Returns the positions of the first tournament games.
fn tournament(count: usize) -> Vec<Choice> {
    let mut set = MoveSet::new();
    for game in games::tournament().take(count) {
        set.add_game(&Position::hirate(), &moves(game.moves)).unwrap();
    }
    set.training().iter().chain(set.held_out()).copied().collect()
}

/// Returns the records of a game, in which another move was best than the one played at `varied`.
fn records(moves: &[Move], varied: usize) -> Vec<u8> {
    let mut position = Position::hirate();
    let mut bytes = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        let best = if index == varied { "2g2f".parse().unwrap() } else { m };
        let record = PackedSfenValue::new(&position, 0, Some(best), RecordResult::Draw).unwrap();
        bytes.extend(record.to_bytes());
        position.do_move(m);
    }
    bytes
}

fn read(set: &mut MoveSet, bytes: &[u8]) -> Result<Damage, ToolError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.psv");
    std::fs::write(&path, bytes).unwrap();
    set.read(&Sources::find(&[path], OnDamage::Refuse)?, &mut Watch::none())
}

#[test]
fn games_are_recognised_and_keep_their_last_two_moves() {
    let game = moves("7g7f 3c3d 6g6f 8c8d 7f7e");
    let bytes = [records(&game, 2), records(&game[..3], 9)].concat();
    let mut set = MoveSet::new();
    read(&mut set, &bytes).unwrap();
    assert_eq!(set.games(), 2);
    let choices: Vec<Choice> = set.training().iter().chain(set.held_out()).copied().collect();
    assert_eq!(choices.len(), 8);
    let mut expected = Position::hirate();
    for (index, choice) in choices[..5].iter().enumerate() {
        let position = choice.position().unwrap();
        assert!(position.same_placement(&expected) && position.ply() == expected.ply());
        let count = index.min(2);
        let before: Vec<Move> = position.moves().flatten().collect();
        assert_eq!(before, game[index - count..index]);
        // The move that was played continues the game, not the best one.
        let best = if index == 2 { "2g2f".parse().unwrap() } else { game[index] };
        assert_eq!(choice.best(), best);
        expected.do_move(game[index]);
    }
    assert!(choices[5].position().unwrap().same_placement(&Position::hirate()));
}

#[test]
fn bad_records_and_moves_are_refused() {
    let mut bytes = records(&moves("7g7f 3c3d"), 9);
    bytes[40 + 34..40 + 36].copy_from_slice(&moves("1a1i")[0].to_bits().to_le_bytes());
    let mut set = MoveSet::new();
    assert!(matches!(read(&mut set, &bytes), Err(ToolError::Damaged(_))));
    assert!(matches!(read(&mut set, &bytes[..57]), Err(ToolError::Damaged(_))));
    let illegal = set.add_game(&Position::hirate(), &moves("7g7f 7g7f"));
    assert!(matches!(illegal, Err(MoveSetError::Illegal { number: 2, .. })));
}

#[test]
fn a_fit_is_reproducible_and_learns() {
    let choices = tournament(6);
    let fit = |seed| {
        let options = MoveFitOptions { seed, epochs: 2, ..MoveFitOptions::default() };
        let mut fitter = MoveFitter::new(options);
        let losses = [fitter.pass(&choices), fitter.pass(&choices)];
        assert!(losses[1] < losses[0], "{losses:?}");
        fitter.model()
    };
    let model = fit(1);
    assert!(model == fit(1) && model != fit(2));
    let zero = SoftmaxMoves::new(&vec![0.0; SoftmaxMoves::COUNT]).unwrap();
    let likelihood = |model: &SoftmaxMoves| MoveJudgement::of(model, &choices).log_likelihood();
    assert!(likelihood(&model) > likelihood(&zero) + 0.5);
}

#[test]
fn the_bundled_model_agrees_with_players_more_often() {
    let choices = tournament(10);
    let [bundled, logistic] = [
        MoveJudgement::of(&SoftmaxMoves::default(), &choices),
        MoveJudgement::of(&LogisticMoves::default(), &choices),
    ];
    assert!(bundled.top_one() > logistic.top_one() + 0.02, "{bundled:?} {logistic:?}");
    assert!(bundled.log_likelihood() > logistic.log_likelihood() + 0.1);
    assert!(bundled.top_three() > bundled.top_one());
}
