use super::*;
use crate::value::INFINITE;

fn inputs(beta: Value, depth: i32, evaluation: Value) -> PruningInputs {
    PruningInputs {
        window: Window::zero(beta - 1),
        depth,
        static_value: evaluation,
        evaluation,
        improving: false,
        correction: 0,
        is_new: false,
        earliness: Earliness::FULL,
    }
}

fn p() -> Parameters {
    Parameters::default()
}

#[test]
fn mate_distance_keeps_reachable_values() {
    assert_eq!(mate_distance(Window::FULL, 4), Ok(Window { alpha: mated(4), beta: mating(5) }));
    let inside = Window { alpha: -10, beta: 10 };
    assert_eq!(mate_distance(inside, 4), Ok(inside));
    // A mate in 3 from the root is known; from ply 4 on nothing beats it.
    let window = Window { alpha: mating(3), beta: INFINITE };
    assert_eq!(mate_distance(window, 4), Err(mating(3)));
    assert_eq!(mate_distance(window.reversed(), 4), Err(mated(4)));
    // Mating at ply 3 or earlier is still open at ply 2 for a side that has a mate in 5.
    assert!(mate_distance(Window { alpha: mating(5), beta: INFINITE }, 2).is_ok());
}

#[test]
fn numbers_pass_from_short_to_long_searches() {
    let numbers = |iteration| Earliness::of_iteration(iteration).between(100, 50);
    assert_eq!([1, 7, 12, 40].map(numbers), [100, 100, 50, 50]);
    assert!((7..12).all(|iteration| numbers(iteration) > numbers(iteration + 1)));
    assert_eq!(Earliness::FULL, Earliness::of_iteration(1));
}

#[test]
fn razoring_applies_far_below_the_window() {
    assert!(razoring(&p(), &inputs(2_001, 1, 0)));
    assert!(!razoring(&p(), &inputs(201, 1, 0)));
    assert!(!razoring(&p(), &inputs(2_001, 8, 0)), "much can happen");
    assert!(!razoring(&p(), &inputs(mating(3), 1, 0)), "a mate is looked for");
}

#[test]
fn reverse_futility_needs_more_margin_at_more_depth() {
    let value = reverse_futility(&p(), &inputs(100, 1, 400)).unwrap();
    assert!((100..400).contains(&value), "{value}");
    assert_eq!(reverse_futility(&p(), &inputs(100, 7, 400)), None);
    assert_eq!(reverse_futility(&p(), &inputs(100, 20, 9_000)), None);
    assert_eq!(reverse_futility(&p(), &inputs(mated(9), 1, 300)), None);
    let calm = inputs(100, 3, 100 + 3 * p().reverse_futility - 1);
    assert_eq!(reverse_futility(&p(), &calm), None);
    // Each of these is a reason for a smaller margin, and an uncertain evaluation for a larger one.
    for changed in
        [PruningInputs { improving: true, ..calm }, PruningInputs { is_new: true, ..calm }]
    {
        assert!(reverse_futility(&p(), &changed).is_some());
        assert_eq!(reverse_futility(&p(), &PruningInputs { correction: 400, ..changed }), None);
    }
    assert_eq!(
        reverse_futility(&p(), &PruningInputs { improving: true, ..inputs(0, 2, -1) }),
        None
    );
}

#[test]
fn null_moves_are_tried_above_the_window_and_reduced_by_depth() {
    let least = 100 + p().null_margin;
    let reduction = |depth, value| null_move_reduction(&p(), &inputs(100, depth, value));
    assert_eq!(reduction(10, least - 1), None);
    assert_eq!(null_move_reduction(&p(), &inputs(mating(5), 10, 15_000)), None);
    assert!(reduction(4, least).unwrap() < reduction(12, least).unwrap());
}

#[test]
fn capture_probcut_is_for_deep_nodes_and_needs_a_margin() {
    assert!(capture_probcut_beta(&p(), &inputs(100, 8, 0)).unwrap() > 100);
    assert_eq!(capture_probcut_beta(&p(), &inputs(100, 2, 0)), None);
    assert_eq!(capture_probcut_beta(&p(), &inputs(mating(9), 8, 0)), None);
}

#[test]
fn improbable_moves_are_reduced_more() {
    let plain = Parameters { probability_slope: 300, probability_offset: 700, ..p() };
    let reduction = |probability: f32| probability_reduction(&plain, -probability.ln());
    // By the rule itself: r += c · (−ln p) − c₀.
    for probability in [1.0, 0.5, 0.1, 0.02, 1e-4] {
        let exact = -300.0 * f64::from(probability).ln() - 700.0;
        assert!((f64::from(reduction(probability)) - exact).abs() <= 1.0, "{probability}");
    }
    assert_eq!(reduction(1.0), -700);
    // A model may exclude a move, or be wrong altogether.
    assert_eq!(reduction(0.0), 300 * 20 - 700);
    assert_eq!(probability_reduction(&plain, f32::NAN), 300 * 20 - 700);
}

#[test]
fn a_singular_move_is_extended_by_its_information() {
    let plain = Parameters { information_slope: 1_024, ..Parameters::default() };
    let plies = |p: &Parameters, probability: f32| {
        [false, true].map(|pv| information_extension(p, -probability.ln(), pv))
    };
    // A ply for each nat: the only reply has none, one of three moves has one.
    assert_eq!(plies(&plain, 1.0), [0, 0]);
    assert_eq!(plies(&plain, 0.5), [0, 0]);
    assert_eq!(plies(&plain, 1.0 / 3.0), [1, 1]);
    assert_eq!(plies(&plain, (-2.5_f32).exp()), [2, 2]);
    assert_eq!(plies(&plain, 0.001), [3, 2]);
    assert_eq!(plies(&plain, 0.0), [3, 2]);
    assert_eq!(information_extension(&plain, f32::NAN, false), 3);
    let half = Parameters { information_slope: 512, ..plain };
    assert_eq!(plies(&half, 1.0 / 3.0), [0, 0]);
    assert_eq!(plies(&half, (-2.5_f32).exp()), [1, 1]);
}

#[test]
fn late_move_pruning_keeps_more_moves_with_depth_and_improvement() {
    let count = |inputs| late_move_pruning_count(&p(), &inputs);
    assert!(count(inputs(0, 1, 0)) < count(inputs(0, 3, 0)));
    assert!(count(inputs(0, 3, 0)) < count(PruningInputs { improving: true, ..inputs(0, 3, 0) }));
    let late = PruningInputs { earliness: Earliness::of_iteration(20), ..inputs(0, 3, 0) };
    assert!(count(late) < count(inputs(0, 3, 0)), "long searches prune more");
}

#[test]
fn futility_margins_grow_with_depth() {
    let near = 600 + p().futility_base;
    let most = |beta, depth, is_first| futility(&p(), &inputs(beta, 3, 600), depth, is_first);
    assert_eq!(most(near + 1, 0, false), Some(near));
    assert_eq!(most(near + 1, 3, false), None);
    assert_eq!(most(near + 1, 0, true), None);
    assert_eq!(most(mated(4), 0, false), None);
    assert_eq!(futility(&p(), &inputs(15_001, 19, 0), 19, false), None);
}

#[test]
fn captures_are_futile_if_they_take_too_little() {
    let most = |gain, history| capture_futility(&p(), &inputs(701, 3, 0), 1, gain, history);
    assert!(most(100, 0).is_some());
    assert_eq!(most(1_900, 0), None);
    assert_eq!(most(100, 10_000), None, "such captures have often gained");
}

#[test]
fn exchange_margins_grow_with_depth() {
    let quiet = |depth| quiet_see_margin(&p(), Earliness::FULL, depth);
    let capture = |depth, history| capture_see_margin(&p(), depth, history);
    assert!(quiet(1) < quiet(3) && quiet(1) < capture(1, 0));
    assert!(capture(2, -3_000) < capture(2, 3_000));
    assert_eq!(quiet(-3), 0);
}

#[test]
fn reductions_grow_with_depth_and_order() {
    let late = LateMove { depth: 8, index: 16, improving: true };
    let usual = late_move_reduction(&p(), &late);
    assert!((REDUCTION_UNIT..5 * REDUCTION_UNIT).contains(&usual), "{usual}");
    assert!(late_move_reduction(&p(), &LateMove { depth: 16, ..late }) > usual);
    assert!(late_move_reduction(&p(), &LateMove { index: 40, ..late }) > usual);
    let not_improving = LateMove { improving: false, ..late };
    assert!(late_move_reduction(&p(), &not_improving) > usual);
    let increase = |late: LateMove| {
        let improving = LateMove { improving: true, ..late };
        late_move_reduction(&p(), &late) - late_move_reduction(&p(), &improving)
    };
    assert!(increase(LateMove { depth: 16, ..not_improving }) > increase(not_improving));
    assert_eq!(late_move_reduction(&p(), &LateMove { index: 0, ..late }), 0);
}

#[test]
fn logarithms_are_exact_at_powers_of_two_and_grow_between() {
    for power in 0..10 {
        assert_eq!(log2_sixteenths(1 << power), 16 * power);
    }
    assert!((1..1_000).all(|x| log2_sixteenths(x) <= log2_sixteenths(x + 1)));
}

#[test]
fn singular_extensions_grow_with_the_distance_of_the_alternatives() {
    assert!(singular_limit(&p(), &inputs(0, 8, 0), 100) < 100);
    let capture = SingularMove { pv: false, is_capture: true, correction: 0 };
    let extension = |lead, singular| singular_extension(&p(), lead, &singular);
    let pv = SingularMove { pv: true, ..capture };
    assert_eq!([1, p().singular_pv + 1, 1_000].map(|lead| extension(lead, pv)), [1, 2, 2]);
    assert_eq!([1, p().singular_triple + 1].map(|lead| extension(lead, capture)), [2, 3]);
    // A quiet move that stands out is what a line hangs on.
    let quiet = SingularMove { is_capture: false, ..capture };
    assert_eq!(extension(1, quiet), 3);
    assert_eq!(extension(1, SingularMove { pv: true, ..quiet }), 1);
    assert_eq!(extension(1, SingularMove { correction: 300, ..capture }), 3, "it is uncertain");
}

#[test]
fn history_updates_grow_with_depth_up_to_a_limit() {
    let bonus = |depth| history_bonus(&p(), Earliness::FULL, depth);
    assert!(bonus(1) < bonus(4) && bonus(50) == p().bonus_max);
    let malus = |depth| history_malus(&p(), depth);
    assert!(malus(1) < malus(4) && malus(50) == p().malus_max);
}
