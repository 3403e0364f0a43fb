//! The evaluation, judged by the pairs of positions on which other engines agree.

use std::collections::BTreeSet;

use komadai_core::{Budget, Color, Position, Score, Square, attacks};
use komadai_eval::{Classical, Evaluator};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::castles;
use komadai_testdata::judged::{self, JudgedPair};

/// Smallest share of pairs that a search must judge rightly, in percent. The goal is 95; each set
/// of weights that judges better raises the number.
const RIGHT_PERCENT: usize = 90;

/// Difference from which a wrong verdict is never accepted, in centipawns.
const OPPOSITE_CP: i32 = 120;

/// Largest change of a quiet static value by a king's step, in centipawns.
const STEP_CP: i32 = 250;

/// Largest difference between static and quiescence value of a quiet position, in centipawns.
const QUIET_CP: i32 = 30;

fn centipawns(score: Score) -> i32 {
    score.to_cp().unwrap_or(30_000 * score.raw().signum())
}

/// Returns how much better the better position of a pair is in a search, in centipawns.
fn difference(searcher: &mut AlphaBeta<Classical>, pair: &JudgedPair, nodes: u64) -> i32 {
    let side = if pair.side == 'b' { Color::Black } else { Color::White };
    let values = pair.sfens.map(|sfen| {
        let position = Position::from_sfen(sfen).unwrap();
        searcher.new_game();
        let found = searcher.search(&position, &Budget::nodes(nodes), &mut |_| {});
        let value = centipawns(found.score().expect("the positions have legal moves"));
        if position.side() == side { value } else { -value }
    });
    values[pair.better] - values[1 - pair.better]
}

/// Checks whether enough pairs are judged rightly, and none opposite.
fn assert_judged(pairs: &[JudgedPair], nodes: u64) {
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    let wrong: Vec<(i32, &str)> = pairs
        .iter()
        .map(|pair| (difference(&mut searcher, pair, nodes), pair.name))
        .filter(|&(difference, _)| difference <= 0)
        .collect();
    let right = pairs.len() - wrong.len();
    assert!(100 * right >= RIGHT_PERCENT * pairs.len(), "wrong: {wrong:#?}");
    assert!(wrong.iter().all(|answer| answer.0 > -OPPOSITE_CP), "opposite: {wrong:#?}");
}

/// Checks one of `every` pairs of castles.
fn assert_castles(every: usize, nodes: u64) {
    let pairs: Vec<_> = castles::pairs().map(|pair| pair.judged).step_by(every).collect();
    assert_judged(&pairs, nodes);
}

#[test]
fn some_castles_are_judged_as_by_other_engines_at_100_000_nodes() {
    assert_castles(4, 100_000);
}

/// Run it with `cargo test --release -p komadai-search --test it -- --ignored castles`.
#[test]
#[ignore = "takes a minute or two"]
fn castles_are_judged_as_by_other_engines_at_100_000_and_200_000_nodes() {
    assert_castles(1, 100_000);
    assert_castles(1, 200_000);
}

#[test]
fn other_themes_are_judged_as_by_other_engines() {
    assert_judged(&judged::pairs().collect::<Vec<_>>(), 20_000);
}

fn is_quiet(searcher: &mut AlphaBeta<Classical>, position: &Position) -> bool {
    searcher.new_game();
    let fixed = centipawns(searcher.evaluator().evaluate_position(position));
    let searched = searcher.quiescence(position).score().map(centipawns);
    !position.in_check() && searched.is_some_and(|value| (value - fixed).abs() <= QUIET_CP)
}

/// Returns the quiet positions in which a king has moved by a step to an empty square that is not
/// attacked, and nothing else has changed.
fn king_steps(position: &Position, searcher: &mut AlphaBeta<Classical>) -> Vec<(Square, Position)> {
    let mut found = Vec::new();
    for from in Color::ALL.into_iter().filter_map(|color| position.king_square(color)) {
        let king = position.piece_on(from).expect("the square of a king");
        let occupied = position.occupied();
        for to in attacks::king(from).iter().filter(|&to| !occupied.contains(to)) {
            let mut setup = position.to_setup();
            (setup.board[from], setup.board[to]) = (None, Some(king));
            let is_safe = position.attackers_to(!king.color(), to, occupied).is_empty();
            if let Ok(moved) = Position::from_setup(&setup)
                && is_safe
                && is_quiet(searcher, &moved)
            {
                found.push((to, moved));
            }
        }
    }
    found
}

#[test]
fn a_step_of_a_king_changes_a_quiet_value_by_little() {
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    let evaluator = Classical::default();
    let value = |position: &Position| centipawns(evaluator.evaluate_position(position));
    let mut steps = 0;
    let mut large = Vec::new();
    for sfen in castles::pairs().flat_map(|pair| pair.judged.sfens).collect::<BTreeSet<_>>() {
        let position = Position::from_sfen(sfen).unwrap();
        if !is_quiet(&mut searcher, &position) {
            continue;
        }
        for (to, moved) in king_steps(&position, &mut searcher) {
            steps += 1;
            let [before, after] = [value(&position), value(&moved)];
            if (after - before).abs() > STEP_CP {
                large.push(format!("{sfen}: king to {to}: {before:+} {after:+}"));
            }
        }
    }
    assert!(steps >= 200, "{steps} steps");
    assert!(large.is_empty(), "{large:#?}");
}
