//! Good moves that look improbable, and the second search that finds them.

use komadai_core::{Move, Position};
use komadai_movegen::MoveGen;
use komadai_search::selective::RealizationOptions;
use komadai_search::{MoveProbability, SoftmaxMoves};

use super::search;

/// A gold that is dropped where it is lost, and wins by force, in a tournament game.
const SACRIFICE: (&str, &str) =
    ("l1+P2k1nl/7s1/2N+Nppb1p/p5p2/2P6/PRG2P3/2S1P1P+pP/8L/L1+b3sNK b R2G2Pgs3p 131", "G*4b");

#[test]
fn a_quiet_sacrifice_is_found_by_its_second_search() {
    let position = Position::from_sfen(SACRIFICE.0).unwrap();
    let sacrifice: Move = SACRIFICE.1.parse().unwrap();
    assert!(position.see(sacrifice) < -500 && position.piece_on(sacrifice.to()).is_none());
    let moves = position.legal_moves();
    let probabilities = SoftmaxMoves::default().probabilities(&position, &moves);
    let index = moves.iter().position(|&m| m == sacrifice).unwrap();
    assert!(probabilities[index] < 0.01, "{}", probabilities[index]);
    let first_found = |surprise_cost| {
        let options = RealizationOptions { surprise_cost, ..RealizationOptions::default() };
        let finds =
            |&nats: &u32| search(options.clone(), &position, nats).best_move() == Some(sacrifice);
        (1..=7).find(finds)
    };
    assert_eq!((first_found(Some(200)), first_found(None)), (Some(7), None));
}
