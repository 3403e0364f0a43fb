use super::*;

fn inputs(beta: Value, depth: i32, evaluation: Value) -> PruningInputs {
    PruningInputs {
        window: Window::zero(beta - 1),
        depth,
        evaluation,
        improving: false,
        opponent_worsening: false,
        correction: 0,
        margins: MarginScale::SHORT,
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
fn margins_grow_with_the_iteration_between_two_limits() {
    let late = Parameters { margin_late: 200, ..p() };
    let size = |iteration| MarginScale::of_iteration(&late, iteration).of(100);
    assert_eq!([1, 9, 16, 40].map(size), [100, 100, 200, 200]);
    assert!((9..16).all(|iteration| size(iteration) < size(iteration + 1)));
    assert_eq!(MarginScale::of_iteration(&p(), 40), MarginScale::SHORT);
    let wide = PruningInputs { margins: MarginScale::of_iteration(&late, 16), ..inputs(0, 3, 300) };
    assert!(reverse_futility(&p(), &inputs(0, 3, 300)).is_some());
    assert_eq!(reverse_futility(&p(), &wide), None);
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
    assert_eq!(reverse_futility(&p(), &inputs(100, 5, 400)), None);
    assert_eq!(reverse_futility(&p(), &inputs(100, 20, 9_000)), None);
    assert_eq!(reverse_futility(&p(), &inputs(mated(9), 1, 300)), None);
    let calm = inputs(100, 3, 100 + 3 * p().reverse_futility - 1);
    assert_eq!(reverse_futility(&p(), &calm), None);
    assert!(reverse_futility(&p(), &PruningInputs { improving: true, ..calm }).is_some());
    let worsening = PruningInputs { opponent_worsening: true, ..calm };
    let discounted = Parameters { reverse_futility_worsening: 20, ..p() };
    assert!(reverse_futility(&discounted, &worsening).is_some());
    let doubtful = Parameters { reverse_futility_correction: 50, ..p() };
    let corrected = PruningInputs { correction: 50, improving: true, ..calm };
    assert!(reverse_futility(&p(), &corrected).is_some());
    assert_eq!(reverse_futility(&doubtful, &corrected), None);
}

#[test]
fn null_moves_are_tried_above_the_window_and_reduced_by_depth() {
    let least = 100 + p().null_margin;
    assert_eq!(null_move_reduction(&p(), &inputs(100, 10, least - 1), true), None);
    assert_eq!(null_move_reduction(&p(), &inputs(100, 1, 500), true), None);
    assert_eq!(null_move_reduction(&p(), &inputs(mating(5), 10, 15_000), true), None);
    let shallow = null_move_reduction(&p(), &inputs(100, 4, least), true).unwrap();
    let deep = null_move_reduction(&p(), &inputs(100, 12, least), true).unwrap();
    let surplus = null_move_reduction(&p(), &inputs(100, 12, 2_000), true).unwrap();
    assert!(shallow < deep && deep < surplus);
}

#[test]
fn probcut_is_for_deep_nodes_and_needs_a_margin() {
    assert!(probcut_beta(&p(), &inputs(100, 8, 0)).unwrap() > 100);
    assert_eq!(probcut_beta(&p(), &inputs(100, 3, 0)), None);
    assert_eq!(probcut_beta(&p(), &inputs(mating(9), 8, 0)), None);
}

#[test]
fn late_move_pruning_keeps_more_moves_with_depth_and_improvement() {
    assert!(late_move_pruning_count(&p(), 1, false) < late_move_pruning_count(&p(), 3, false));
    assert!(late_move_pruning_count(&p(), 3, false) < late_move_pruning_count(&p(), 3, true));
}

#[test]
fn futility_margins_grow_with_depth() {
    let near = 600 + p().futility_base;
    assert_eq!(futility(&p(), &inputs(near + 1, 3, 600), 0), Some(near));
    assert_eq!(futility(&p(), &inputs(near + 1, 3, 600), 3), None);
    assert_eq!(futility(&p(), &inputs(mated(4), 3, 600), 0), None);
    assert_eq!(futility(&p(), &inputs(15_001, 19, 0), 19), None);
    assert_eq!(capture_futility(&p(), &inputs(2_001, 3, 0), 1, 1_900), None);
    assert!(capture_futility(&p(), &inputs(2_001, 3, 0), 1, 100).is_some());
}

#[test]
fn exchange_margins_grow_with_depth() {
    let quiet = |depth| quiet_see_margin(&p(), MarginScale::SHORT, depth);
    let capture = |depth, history| capture_see_margin(&p(), &inputs(0, depth, 0), history);
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
    let in_proportion =
        Parameters { reduction_not_improving: 0, reduction_not_improving_slope: 50, ..p() };
    let increase = |late: LateMove| {
        let improving = LateMove { improving: true, ..late };
        late_move_reduction(&in_proportion, &late) - late_move_reduction(&in_proportion, &improving)
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
    let beta = singular_beta(&p(), 100, 8, false);
    assert!(beta < 100 && singular_beta(&p(), 100, 8, true) < beta);
    let quiet = SingularMove { pv: false, is_tactical: false, correction: 0 };
    let extension = |value| singular_extension(&p(), beta, value, quiet);
    assert_eq!([beta - 1, beta - 60, beta - 500].map(extension), [1, 2, 3]);
    assert_eq!(singular_extension(&p(), beta, beta - 60, SingularMove { pv: true, ..quiet }), 1);
    // Distances below zero, as long searches want them: three plies for quiet moves at once.
    let eager =
        Parameters { singular_double: -186, singular_triple: 41, singular_tactical: 190, ..p() };
    assert_eq!(singular_extension(&eager, beta, beta - 1, quiet), 3);
    let tactical = SingularMove { is_tactical: true, ..quiet };
    assert_eq!(singular_extension(&eager, beta, beta - 1, tactical), 1);
    let doubtful = Parameters { singular_correction: 50, ..p() };
    let corrected = SingularMove { correction: 100, ..quiet };
    assert_eq!(singular_extension(&doubtful, beta, beta - 1, corrected), 2);
}

#[test]
fn delta_pruning_prunes_captures_below_the_window() {
    assert_eq!(delta_pruning(177, 0, 200, 1_000), Some(377));
    assert_eq!(delta_pruning(177, 0, 900, 1_000), None);
    assert!(delta_pruning(177, 0, 900, mating(3)).is_some(), "captures do not mate");
    assert_eq!(delta_pruning(177, -20_000, 0, mated(3)), None);
}

#[test]
fn history_updates_grow_with_depth_up_to_a_limit() {
    assert!(
        history_bonus(&p(), 1) < history_bonus(&p(), 4) && history_bonus(&p(), 50) == p().bonus_max
    );
    assert!(
        history_malus(&p(), 1) < history_malus(&p(), 4) && history_malus(&p(), 50) == p().malus_max
    );
}
