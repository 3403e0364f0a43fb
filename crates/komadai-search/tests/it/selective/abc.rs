//! The ABC search beside a recursion without table, windows or techniques.

use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_eval::{Classical, Evaluator};
use komadai_movegen::{MoveGen, MoveList, generate_useful};
use komadai_search::selective::{AbcOptions, Selective};
use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques};

use super::naive::{Found, leaf, played};
use crate::game_end::game_end;

/// The costs of the recursion.
struct Naive {
    margin: i32,
    nodes_left: u32,
}

impl Naive {
    /// Returns the cost of each move: how many of the other moves win as much, up to the margin.
    fn moves(&self, position: &Position) -> Vec<(Move, i32)> {
        let mut moves = MoveList::new();
        generate_useful(position, &mut moves);
        let values: Vec<i32> = moves.iter().map(|&m| position.see(m)).collect();
        let cost = |value: i32| {
            let least = value.saturating_sub(self.margin);
            let as_good = values.iter().filter(|&&other| other >= least).count() - 1;
            (100 * as_good).div_ceil((moves.len() - 1).max(1)) as i32
        };
        moves.iter().zip(&values).map(|(&m, &value)| (m, cost(value))).collect()
    }

    /// Returns the value of a position for the side to move, which has `own` left.
    fn minimax(&mut self, position: &mut Position, own: i32, other: i32, ply: u32) -> Found {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if let Some(value) = game_end(position, ply) {
            return Some(value);
        }
        let rest = if own.min(other) < -50 { 0 } else { own.max(other) };
        if let Some(value) = leaf(position, rest, ply) {
            return Some(value);
        }
        let mut best = i32::MIN;
        if own <= 0 && !position.in_check() {
            best = Classical::default().evaluate_position(position).raw();
        }
        for (m, cost) in self.moves(position) {
            position.do_move(m);
            let value = self.minimax(position, other, own - cost, ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }
}

fn search(margin: i32, techniques: Techniques, position: &Position, depth: u32) -> Analysis {
    let search = SearchOptions { techniques, hash_mib: 1, ..SearchOptions::default() };
    let options = AbcOptions { margin, search, ..AbcOptions::default() };
    Selective::abc(Classical::default(), options).search(
        position,
        &Budget { depth: Some(depth), ..Budget::nodes(20_000) },
        &mut |_| {},
    )
}

#[test]
fn the_value_is_that_of_minimax_with_two_budgets() {
    let (mut compared, mut with_table) = (0, 0);
    for (index, position) in played(400).enumerate() {
        let position = position.without_history();
        let margin = [0, 150, 600][index % 3];
        for depth in 1..=3 {
            let mut naive = Naive { margin, nodes_left: 10_000 };
            let budget = |moves: i32| (100 * moves - 50).max(0);
            let (own, other) = (budget((depth + 1) / 2), budget(depth / 2));
            let Some(expected) = naive.minimax(&mut position.clone(), own, other, 0) else { break };
            let expected = Some(Score::from_raw(expected));
            let found = search(margin, Techniques::empty(), &position, depth as u32);
            assert_eq!(found.score(), expected, "{position}, {margin}, {depth}");
            // The table may find more than this depth, but seldom does.
            let found = search(margin, Techniques::TABLE, &position, depth as u32);
            with_table += u32::from(found.score() == expected);
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
    assert!(with_table * 100 >= compared * 98, "{with_table} of {compared}");
}

#[test]
fn without_forced_moves_it_is_alpha_beta() {
    let mut compared = 0;
    for position in played(30) {
        let position = position.without_history();
        for depth in 1..=4 {
            let techniques = Techniques::empty();
            let options = SearchOptions { techniques, hash_mib: 1, ..SearchOptions::default() };
            let mut alpha_beta = AlphaBeta::new(Classical::default(), options);
            let budget = Budget { depth: Some(depth), ..Budget::nodes(20_000) };
            let expected = alpha_beta.search(&position, &budget, &mut |_| {});
            if !expected.completed {
                break;
            }
            let found = search(i32::MAX, techniques, &position, depth);
            assert_eq!(found.score(), expected.score(), "{position}, {depth}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn forced_lines_are_searched_further() {
    // Rooks, bishops and golds are taken: each time one move is far better than all others.
    let mut position = Position::hirate();
    for m in ["7g7f", "3c3d", "8h2b+"] {
        position.do_move(m.parse().unwrap());
    }
    let longest = |margin| search(margin, Techniques::TABLE, &position, 2).seldepth;
    assert_eq!(longest(i32::MAX), 2);
    assert!(longest(150) > 2, "{}", longest(150));
}

#[test]
fn limits_hold_where_many_moves_are_forced() {
    // The first iteration alone would take more than a hundred thousand nodes here.
    let line = "startpos moves 5i5h 8c8d 7g7f 5a5b 8h7g 9c9d 7i6h 3a3b 7g6f 4a3a 3i3h 3c3d 6h7g \
                1c1d 6f2b+ 3a2b B*5f 2b3c 3g3f 7a7b 3h3g 3c4d 3g4f 5b6b 2g2f 3b3c 3f3e 1d1e 2f2e \
                8d8e 3e3d 3c3d 2e2d 8e8f 8g8f P*8h 7g8h 2c2d 2h2d P*2c 2d3d B*2h 3d3b+ 6b7a 3b2a \
                1e1f S*5b 8b8f 5b6a+ 7a8b P*8g 8f8e 6a6b 4d5e 2a7a 8b9c 8i7g 8e8d N*8e";
    let mut position = Position::hirate();
    for m in line.split(' ').skip(2) {
        position.do_move(m.parse().unwrap());
    }
    let mut searcher = Selective::abc(Classical::default(), AbcOptions::default());
    for nodes in [1, 1_000, 20_000] {
        let found = searcher.search(&position, &Budget::nodes(nodes), &mut |_| {});
        assert!(found.best_move().is_some());
        assert!(found.nodes <= nodes.max(20_000), "{} of {nodes}", found.nodes);
    }
}
