//! The rule of ProbCut by full-window searches, and the share of its cuts that a full search denies.

use komadai_core::{Budget, Position};
use komadai_eval::Classical;
use komadai_movegen::MoveGen;
use komadai_testdata::games;

use super::*;
use crate::history::History;
use crate::meter::Meter;
use crate::options::SearchOptions;
use crate::probcut::DepthRegression;
use crate::scaled::Scaled;
use crate::transposition_table::TranspositionTable;

/// Returns the value of a node with this depth and window, of a search that has just begun.
fn node_value(
    position: &Position,
    techniques: Techniques,
    pairs: &[DepthPair],
    window: Window,
    depth: u32,
) -> Value {
    let options = SearchOptions { techniques, ..SearchOptions::default() };
    let evaluator = Scaled::unscaled(Classical::default());
    let (table, budget, mut history) =
        (TranspositionTable::new(1), Budget::unlimited(), History::new());
    let meter = Meter::new(&budget);
    let mut worker = Worker::new(&evaluator, &table, &options, history.first(), meter, position);
    worker.depth_pairs = pairs;
    worker.iteration = depth as i32;
    worker.frames[0].current = position.current().last_move();
    if window == Window::FULL {
        worker.node::<true>(window, depth as i32, 1, false)
    } else {
        worker.node::<false>(window, depth as i32, 1, true)
    }
}

/// Returns one position in `every` of the bundled games that is neither in check nor near a
/// declaration.
fn sample(every: usize) -> impl Iterator<Item = Position> {
    let of_game = |game: games::Game| {
        let mut position = Position::hirate();
        let after = game.moves.split(' ').map(move |m| {
            position.do_move(m.parse().unwrap());
            position.clone()
        });
        after.collect::<Vec<_>>()
    };
    let calm = |position: &Position| {
        let entered =
            |color| position.king_square(color).is_some_and(|king| king.is_promotion_zone(color));
        let side = position.side();
        !position.in_check() && position.has_legal_move() && !entered(side) && !entered(!side)
    };
    games::tournament().flat_map(of_game).filter(calm).step_by(every)
}

/// In a plain alpha-beta search, zero windows and full ones agree, so that the rule can be computed
/// from the values of both depths.
#[test]
fn the_shallow_value_decides_beyond_the_margin() {
    // The slope divides without rounding.
    let by = DepthRegression { slope: 0.875, offset: 10.0, deviation: 40.0 };
    let pairs = [DepthPair { shallow: 1, deep: 3, bands: [by; 3] }];
    let plain = Techniques::QUIESCENCE;
    let (mut above, mut below, mut wrong, mut open) = (0, 0, 0, 0);
    for position in sample(307) {
        let value = |depth| node_value(&position, plain, &[], Window::FULL, depth);
        let (shallow, deep) = (value(1), value(3));
        if is_decided(shallow) || is_decided(deep) {
            continue;
        }
        for alpha in [-300, -100, -40, 0, 40, 100, 300].map(|distance| shallow + distance) {
            let predicted = 0.875 * shallow as f32 + 10.0;
            let is_above = if predicted - 60.0 >= (alpha + 1) as f32 {
                above += 1;
                true
            } else if predicted + 60.0 <= alpha as f32 {
                below += 1;
                false
            } else {
                open += 1;
                deep > alpha
            };
            wrong += u32::from(is_above != (deep > alpha));
            let cutting = plain | Techniques::REGRESSION_PROBCUT;
            let found = node_value(&position, cutting, &pairs, Window::zero(alpha), 3);
            assert_eq!(found > alpha, is_above, "{position} {alpha}");
        }
    }
    assert!(above > 30 && below > 30 && open > 10 && wrong > 0, "{above} {below} {open} {wrong}");
}

/// A line through the values of one half of the positions: the share of its cuts in the other half
/// that a full search denies is what the confidence promises.
#[test]
fn cuts_agree_with_a_full_search_within_their_confidence() {
    let plain = Techniques::QUIESCENCE | Techniques::TABLE | Techniques::HISTORY;
    let value = |position: &Position, depth| node_value(position, plain, &[], Window::FULL, depth);
    let mut sample: Vec<_> = sample(61)
        .map(|position| {
            let [shallow, deep] = [1, 3].map(|depth| value(&position, depth) as f32);
            (position, shallow, deep)
        })
        .collect();
    sample.retain(|(_, shallow, deep)| shallow.abs() < 2_000.0 && deep.abs() < 3_000.0);
    let (known, new) = sample.split_at(sample.len() / 2);
    let mean = |of: &dyn Fn(f32, f32) -> f32| {
        known.iter().map(|&(_, shallow, deep)| of(shallow, deep)).sum::<f32>() / known.len() as f32
    };
    let (x, y) = (mean(&|shallow, _| shallow), mean(&|_, deep| deep));
    let slope = mean(&|shallow, deep| (shallow - x) * (deep - y)) / mean(&|a, _| (a - x).powi(2));
    let offset = y - slope * x;
    let deviation = mean(&|shallow, deep| (deep - slope * shallow - offset).powi(2)).sqrt();
    let by = DepthRegression { slope, offset, deviation };
    let pairs = [DepthPair { shallow: 1, deep: 3, bands: [by; 3] }];
    let cutting = plain | Techniques::REGRESSION_PROBCUT;
    let mut wrong = 0;
    for (position, shallow, deep) in new {
        // Just beyond the bounds on both sides, where the confidence is the least.
        for side in [-1.0, 1.0] {
            let alpha = (slope * shallow + offset + side * 1.6 * deviation).round();
            let found = node_value(position, cutting, &pairs, Window::zero(alpha as Value), 3);
            let is_above = found > alpha as Value;
            assert_eq!(is_above, side < 0.0, "{position}");
            wrong += usize::from(is_above != (*deep > alpha));
        }
    }
    let cuts = 2 * new.len();
    assert!(cuts > 80, "{cuts}");
    // Normal errors exceed 1.6 deviations on one side in 5.5 % of the cases.
    assert!(100 * wrong <= 11 * cuts, "{wrong} of {cuts}, {by:?}");
}
