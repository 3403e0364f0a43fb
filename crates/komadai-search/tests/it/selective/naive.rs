//! The search by realization probability beside recursions without table, windows or techniques.

use std::cmp::Reverse;

use komadai_core::{Move, Position, Score, SplitMix64};
use komadai_eval::{Classical, Evaluator};
use komadai_movegen::{MoveList, generate_legal, generate_useful};
use komadai_search::selective::RealizationOptions;
use komadai_search::{MoveProbability, SoftmaxMoves, Techniques};
use komadai_testdata::openings;

use super::{Constant, plain, search, with_model};
use crate::game_end::game_end;

/// The costs of the recursion and its second searches.
struct Naive<'a> {
    model: &'a dyn MoveProbability,
    surprise: Option<i32>,
    nodes_left: u32,
}

/// A value, or `None` beyond the limit of nodes.
pub(super) type Found = Option<i32>;

impl Naive<'_> {
    fn moves(&self, position: &Position) -> Vec<(Move, i32)> {
        let mut moves = MoveList::new();
        generate_useful(position, &mut moves);
        let probabilities = self.model.probabilities(position, &moves);
        let cost = |p: f32| ((-100.0 * p.ln()).round() as i32).clamp(0, 3_000);
        let mut moves: Vec<_> =
            moves.iter().copied().zip(probabilities.into_iter().map(cost)).collect();
        moves.sort_by_key(|&(_, cost)| cost);
        moves
    }

    /// Returns the value of a position whose moves all cost what the model tells: the value does
    /// not depend on the order, so that no window is needed.
    fn minimax(&mut self, position: &mut Position, budget: i32, ply: u32) -> Found {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if let Some(value) = game_end(position, ply).or_else(|| leaf(position, budget, ply)) {
            return Some(value);
        }
        let mut best = i32::MIN;
        for (m, cost) in self.moves(position) {
            position.do_move(m);
            let value = self.minimax(position, budget - cost, ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }

    /// Returns the value of a position with second searches, which depend on order and window.
    fn scout(
        &mut self,
        position: &mut Position,
        (alpha, beta): (i32, i32),
        budget: i32,
        ply: u32,
        pv: bool,
    ) -> Found {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if let Some(value) = game_end(position, ply).or_else(|| leaf(position, budget, ply)) {
            return Some(value);
        }
        let moves = self.moves(position);
        self.scout_moves(position, &moves, (alpha, beta), budget, ply, pv).map(|found| found.0)
    }

    /// Returns the best value and the moves that have raised alpha, with their values.
    fn scout_moves(
        &mut self,
        position: &mut Position,
        moves: &[(Move, i32)],
        (mut alpha, beta): (i32, i32),
        budget: i32,
        ply: u32,
        pv: bool,
    ) -> Option<(i32, Vec<(Move, i32)>)> {
        let (mut best, mut raised) = (i32::MIN, Vec::new());
        for (index, &(m, cost)) in moves.iter().enumerate() {
            position.do_move(m);
            let whole = (-beta, -alpha);
            let is_first = pv && index == 0;
            let first = if is_first { whole } else { (-alpha - 1, -alpha) };
            let mut rest = budget - cost;
            let mut value = -self.scout(position, first, rest, ply + 1, is_first)?;
            let surprise = self.surprise.unwrap_or(3_000);
            if value > alpha && cost > surprise && budget > surprise {
                rest = budget - surprise;
                value = -self.scout(position, first, rest, ply + 1, is_first)?;
            }
            if pv && !is_first && value > alpha {
                value = -self.scout(position, whole, rest, ply + 1, true)?;
            }
            position.undo_move();
            best = best.max(value);
            if value > alpha {
                alpha = value;
                raised.push((m, value));
                if value >= beta {
                    break;
                }
            }
        }
        Some((best, raised))
    }

    /// Returns the value of the root after searches with budgets of 1, 2 … `nats` nats, each in the
    /// order that the one before has left.
    fn deepened(&mut self, position: &mut Position, nats: i32) -> Found {
        let mut moves = self.moves(position);
        let mut results = vec![(0, 0); moves.len()];
        let mut value = None;
        for iteration in 1..=nats {
            let window = (-40_000, 40_000);
            let (best, raised) =
                self.scout_moves(position, &moves, window, iteration * 100, 0, true)?;
            for (m, value) in raised {
                let index = moves.iter().position(|searched| searched.0 == m)?;
                results[index] = (iteration, value);
            }
            let mut order: Vec<usize> = (0..moves.len()).collect();
            order.sort_by_key(|&index| Reverse(results[index]));
            moves = order.iter().map(|&index| moves[index]).collect();
            results = order.iter().map(|&index| results[index]).collect();
            value = Some(best);
        }
        value
    }
}

/// Returns the value of a position in which nothing is left to search.
pub(super) fn leaf(position: &Position, budget: i32, ply: u32) -> Option<i32> {
    let mut moves = MoveList::new();
    generate_useful(position, &mut moves);
    if moves.is_empty() {
        return Some(Score::mated_in(ply).raw());
    }
    (budget <= 0).then(|| Classical::default().evaluate_position(position).raw())
}

/// Returns positions with a legal move, from random play after openings.
pub(super) fn played(count: u64) -> impl Iterator<Item = Position> {
    let sfens: Vec<&str> = openings::sfens().take(50).collect();
    (0..count).filter_map(move |seed| {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::from_sfen(sfens[seed as usize % sfens.len()]).ok()?;
        for _ in 0..random.next_u64() % 60 {
            let mut moves = MoveList::new();
            generate_legal(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[(random.next_u64() % moves.len() as u64) as usize]);
        }
        let mut moves = MoveList::new();
        generate_useful(&position, &mut moves);
        (!moves.is_empty()).then_some(position)
    })
}

#[test]
fn moves_of_the_same_cost_make_an_alpha_beta_search_of_so_many_plies() {
    // A move costs two nats: from the second iteration on each ply takes two.
    let model = Constant((-2.0_f32).exp());
    let mut compared = 0;
    for position in played(40) {
        let position = position.without_history();
        for plies in 1..=3 {
            let mut naive = Naive { model: &model, surprise: None, nodes_left: 40_000 };
            let expected = naive.minimax(&mut position.clone(), 200 * plies, 0);
            let Some(expected) = expected else { break };
            for techniques in [Techniques::empty(), Techniques::SOUND] {
                let model = Constant((-2.0_f32).exp());
                let options = plain(techniques);
                let found = with_model(options, model, &position, 2 * plies as u32);
                assert_eq!(found.score(), Some(Score::from_raw(expected)), "{position}");
                compared += 1;
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn without_second_searches_the_value_is_that_of_minimax_with_costs() {
    let model = SoftmaxMoves::default();
    let mut compared = 0;
    for position in played(1_000) {
        let options = RealizationOptions { surprise_cost: None, ..plain(Techniques::empty()) };
        for nats in 1..=2 {
            let mut naive = Naive { model: &model, surprise: None, nodes_left: 2_000 };
            let expected = naive.minimax(&mut position.clone(), 100 * nats, 0);
            let Some(expected) = expected else { break };
            let found = search(options.clone(), &position, nats as u32);
            assert_eq!(found.score(), Some(Score::from_raw(expected)), "{position}, {nats}");
            compared += 1;
        }
    }
    assert!(compared > 1_200, "{compared}");
}

#[test]
fn with_second_searches_the_value_is_that_of_a_plain_scout_search() {
    let model = SoftmaxMoves::default();
    let mut compared = 0;
    for position in played(1_000) {
        // Dear moves count from the first nat on.
        let options = RealizationOptions { surprise_cost: Some(60), ..plain(Techniques::empty()) };
        for nats in 1..=2 {
            let mut naive = Naive { model: &model, surprise: Some(60), nodes_left: 3_000 };
            let Some(expected) = naive.deepened(&mut position.clone(), nats) else { break };
            let found = search(options.clone(), &position, nats as u32);
            assert_eq!(found.score(), Some(Score::from_raw(expected)), "{position}, {nats}");
            compared += 1;
        }
    }
    assert!(compared > 1_200, "{compared}");
}
