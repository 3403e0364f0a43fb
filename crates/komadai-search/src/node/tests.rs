use komadai_core::{Budget, Position};
use komadai_eval::Classical;
use komadai_testdata::games;

use super::*;
use crate::history::History;
use crate::meter::Meter;
use crate::options::SearchOptions;
use crate::scaled::Scaled;
use crate::transposition_table::TranspositionTable;
use crate::value::MAX_DEPTH;

#[test]
fn lines_end_at_the_last_ply() {
    // In check and not, with captures and drops at hand.
    for sfen in [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1",
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let evaluator = Scaled::unscaled(Classical::default());
        let (table, options) = (TranspositionTable::new(1), SearchOptions::default());
        let (budget, mut history) = (Budget::unlimited(), History::new());
        let meter = Meter::new(&budget);
        let mut worker =
            Worker::new(&evaluator, &table, &options, history.first(), meter, &position);
        worker.iteration = MAX_DEPTH;
        for ply in MAX_PLY - 6..=MAX_PLY {
            for depth in 0..5 {
                worker.node::<true>(Window::FULL, depth, ply, false);
                assert!(worker.longest <= MAX_PLY);
            }
        }
        assert_eq!(worker.longest, MAX_PLY);
    }
}

#[test]
fn nodes_leave_position_and_evaluation_as_they_were() {
    let options = SearchOptions { techniques: Techniques::all(), ..SearchOptions::default() };
    let evaluator = Scaled::unscaled(Classical::default());
    for game in games::tournament().take(12) {
        let mut position = Position::hirate();
        for (index, text) in game.moves.split(' ').enumerate() {
            if index % 16 == 15 {
                let table = TranspositionTable::new(1);
                let (budget, mut history) = (Budget::unlimited(), History::new());
                let meter = Meter::new(&budget);
                let mut worker =
                    Worker::new(&evaluator, &table, &options, history.first(), meter, &position);
                worker.frames[0].current = position.current().last_move();
                worker.iteration = 4;
                for depth in 1..=4 {
                    let narrow = Window::zero(0);
                    worker.node::<true>(Window::FULL, depth, 1, false);
                    worker.node::<false>(narrow, depth, 1, true);
                    assert_eq!(worker.position, position);
                    let mut fresh = evaluator.refresh(&position);
                    let expected = evaluator.evaluate(&position, &mut fresh);
                    assert_eq!(evaluator.evaluate(&worker.position, &mut worker.state), expected);
                }
            }
            position.do_move(text.parse().unwrap());
        }
    }
}
