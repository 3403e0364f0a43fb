//! Results that are kept from one call to the next.

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver, MoveGen};
use komadai_testdata::tsume::{Set, set};
use komadai_tsume::{DfPn, DfPnOptions, Results, is_mating_line};

fn solver(results: Results) -> DfPn {
    DfPn::new(DfPnOptions { hash_mib: 4, results, ..DfPnOptions::default() })
}

fn positions(kind: Set, count: usize) -> impl Iterator<Item = Position> {
    set(kind).take(count).map(|problem| Position::from_sfen(problem.sfen).expect("a position"))
}

/// Checks a report against that of a solver that begins anew.
fn assert_agrees(position: &Position, kept: &MateReport, fresh: &MateReport) {
    match (&kept.result, &fresh.result) {
        (MateResult::Mate { line, .. }, MateResult::Mate { .. }) => {
            assert!(is_mating_line(position, line), "{position}");
        }
        (kept, fresh) => assert_eq!(kept, fresh, "{position}"),
    }
}

#[test]
fn results_of_other_positions_of_a_game_do_not_change_the_verdict() {
    let mut keeping = solver(Results::Kept);
    let mut fresh = solver(Results::Dropped);
    let budget = Budget::nodes(200_000);
    let mut verdicts = [0; 2];
    for position in positions(Set::ShortSelfplay, 25).chain(positions(Set::NoMate, 25)) {
        keeping.forget();
        // Positions two plies on, which the solver of the position itself may visit, and others.
        let after = position.legal_moves().into_iter().map(|m| position.after(m));
        let later = after.flat_map(|after| {
            let replies: Vec<_> = after.legal_moves().into_iter().step_by(7).take(3).collect();
            replies.into_iter().map(move |reply| after.after(reply))
        });
        for later in later.take(40) {
            let kept = keeping.solve(&later, &Budget::nodes(300), CheckClass::All);
            if kept.result != MateResult::Unknown {
                assert_agrees(&later, &kept, &fresh.solve(&later, &budget, CheckClass::All));
            }
        }
        let kept = keeping.solve(&position, &budget, CheckClass::All);
        let fresh = fresh.solve(&position, &budget, CheckClass::All);
        if let MateResult::Unknown = fresh.result {
            continue;
        }
        assert_agrees(&position, &kept, &fresh);
        verdicts[usize::from(kept.is_mate())] += 1;
    }
    assert!(verdicts.iter().all(|&count| count >= 15), "{verdicts:?}");
}

#[test]
fn small_budgets_add_up() {
    let mut keeping = solver(Results::Kept);
    let mut solved = 0;
    for position in positions(Set::ShortSelfplay, 40) {
        keeping.forget();
        let whole =
            solver(Results::Dropped).solve(&position, &Budget::nodes(50_000), CheckClass::All);
        let calls = 4 * whole.nodes / 20 + 10;
        let is_solved = (0..calls)
            .any(|_| keeping.solve(&position, &Budget::nodes(20), CheckClass::All).is_mate());
        solved += usize::from(is_solved);
    }
    assert!(solved >= 35, "{solved} of 40");
}

#[test]
fn forgetting_begins_anew() {
    let mut keeping = solver(Results::Kept);
    for position in positions(Set::ShortSelfplay, 10) {
        keeping.forget();
        let first = keeping.solve(&position, &Budget::nodes(50_000), CheckClass::All);
        let second = keeping.solve(&position, &Budget::nodes(50_000), CheckClass::All);
        keeping.forget();
        let third = keeping.solve(&position, &Budget::nodes(50_000), CheckClass::All);
        assert_eq!((&first.result, first.nodes), (&third.result, third.nodes));
        assert!(second.is_mate() && second.nodes <= first.nodes);
    }
}

#[test]
fn both_sides_may_attack_in_turn() {
    let mut keeping = solver(Results::Kept);
    let mut fresh = solver(Results::Dropped);
    let budget = Budget::nodes(20_000);
    for position in positions(Set::ShortSelfplay, 10) {
        let moves = position.legal_moves();
        for position in
            moves.into_iter().take(20).map(|m| position.after(m)).chain([position.clone()])
        {
            let kept = keeping.solve(&position, &budget, CheckClass::All);
            let fresh = fresh.solve(&position, &budget, CheckClass::All);
            assert_agrees(&position, &kept, &fresh);
        }
    }
}

#[test]
fn results_of_another_set_of_pieces_are_not_used() {
    // The same board and the same attacking hand. In the first, the defender has no piece to put
    // between.
    let without = "8k/8l/9/9/9/9/9/9/8K b R 1";
    let with = "8k/8l/9/9/9/9/9/9/8K b Rg 1";
    let mut keeping = solver(Results::Kept);
    for sfen in [without, with, without, with] {
        let position = Position::from_sfen(sfen).expect("a position");
        let budget = Budget::nodes(100_000);
        let kept = keeping.solve(&position, &budget, CheckClass::All);
        let fresh = solver(Results::Dropped).solve(&position, &budget, CheckClass::All);
        assert_eq!(kept.result, fresh.result, "{sfen}");
    }
}
