//! Evaluations that differ only in the size of their centipawn.

use komadai_core::{Budget, Move, Position, Score};
use komadai_eval::{Balance, Evaluator, Material, scale};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};

/// An evaluation with other centipawns, and a little more than material.
struct Larger {
    /// Factor in quarters.
    quarters: i32,
    /// The scale to state in place of the measured one.
    stated: Option<f64>,
}

impl Evaluator for Larger {
    type State = Balance;

    fn refresh(&self, position: &Position) -> Balance {
        Material.refresh(position)
    }

    fn do_move(&self, position: &mut Position, m: Move, state: &mut Balance) {
        Material.do_move(position, m, state);
    }

    fn undo_move(&self, position: &mut Position, state: &mut Balance) {
        Material.undo_move(position, state);
    }

    fn evaluate(&self, position: &Position, state: &mut Balance) -> Score {
        // Squares of different worth, so that quiet moves differ.
        let worth: i32 = position
            .occupied()
            .into_iter()
            .filter_map(|square| Some((square, position.piece_on(square)?)))
            .map(|(square, piece)| {
                let worth = 8 * (square.index() as i32 * 37 % 11);
                if piece.color() == position.side() { worth } else { -worth }
            })
            .sum();
        Score::cp((Material.evaluate(position, state).raw() + worth) * self.quarters / 4)
    }

    fn scale(&self) -> f64 {
        self.stated.unwrap_or_else(|| scale::measure(|position| self.evaluate_position(position)))
    }
}

/// Returns the moves, and the scores in quarters of centipawns of the original, on the positions of
/// the sample.
fn results(quarters: i32, stated: Option<f64>) -> Vec<(Option<Move>, i32)> {
    let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Larger { quarters, stated }, options);
    let positions = scale::sample().iter().step_by(7);
    positions
        .map(|position| {
            searcher.new_game();
            let analysis = searcher.search(position, &Budget::nodes(3_000), &mut |_| {});
            let score = analysis.score().and_then(Score::to_cp).unwrap_or(0);
            (analysis.best_move(), score * 4 / quarters)
        })
        .collect()
}

/// Returns the number of positions with the same move, and of those with scores within a fifth or
/// 60 centipawns of each other.
fn agreement(a: &[(Option<Move>, i32)], b: &[(Option<Move>, i32)]) -> (usize, usize) {
    let pairs = || a.iter().zip(b);
    let near = |x: i32, y: i32| (x - y).abs() <= 60.max(x.abs() / 5);
    (pairs().filter(|(a, b)| a.0 == b.0).count(), pairs().filter(|(a, b)| near(a.1, b.1)).count())
}

#[test]
fn moves_hardly_depend_on_the_size_of_a_centipawn() {
    let original = results(4, None);
    for (quarters, same_moves, near_scores) in [(2, 44, 56), (8, 60, 62), (16, 60, 62)] {
        let (moves, scores) = agreement(&original, &results(quarters, None));
        assert!(moves >= same_moves && scores >= near_scores, "{quarters}: {moves} {scores}");
        // With the same margins for all, far fewer moves are the same.
        let (unscaled, _) = agreement(&original, &results(quarters, Some(1.0)));
        println!("{quarters} quarters: the same move in {moves}, with fixed margins in {unscaled}");
        assert!(unscaled + 5 < moves, "{quarters}: {unscaled}");
    }
}
