//! A search that continues an earlier one skips the iterations that are in the table.

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_eval::Classical;
use komadai_search::{AlphaBeta, SearchOptions, SearchRequest, Searcher, Techniques};

fn searcher(multi_pv: usize, techniques: Techniques) -> AlphaBeta<Classical> {
    let options = SearchOptions { hash_mib: 16, multi_pv, techniques, ..SearchOptions::default() };
    AlphaBeta::new(Classical::default(), options)
}

fn usual() -> AlphaBeta<Classical> {
    searcher(1, Techniques::default())
}

fn positions() -> Vec<Position> {
    let line = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
    let mut position = Position::hirate();
    let mut all = vec![position.clone()];
    for m in line.split(' ') {
        position.do_move(m.parse().expect("a move"));
        all.push(position.clone());
    }
    all
}

/// Searches and returns all reports, the result last.
fn reports(searcher: &mut AlphaBeta<Classical>, request: &SearchRequest<'_>) -> Vec<Analysis> {
    let mut reports = Vec::new();
    let last = searcher.run(request, &mut |analysis| reports.push(analysis.clone()));
    reports.push(last);
    reports.iter_mut().for_each(|report| report.time = Default::default());
    reports
}

/// Returns the reports of a search to `depth` that begins with an iteration.
fn from_depth(
    searcher: &mut AlphaBeta<Classical>,
    position: &Position,
    first_depth: u32,
    depth: u32,
) -> Vec<Analysis> {
    let budget = Budget::depth(depth);
    reports(searcher, &SearchRequest { first_depth, ..SearchRequest::new(position, &budget) })
}

#[test]
fn it_begins_with_the_result_of_the_earlier_one_and_costs_less_than_all_iterations() {
    let (mut continued, mut repeated, mut from_scratch) = (0, 0, 0);
    for position in positions() {
        let mut searcher = usual();
        let before = from_depth(&mut searcher, &position, 0, 8).pop().expect("a result");
        let after = from_depth(&mut searcher, &position, 9, 9);
        let first = &after[0];
        assert_eq!((first.depth, first.nodes), (8, 0));
        assert_eq!(first.exact_score(), before.exact_score());
        assert_eq!(first.best_move(), before.best_move());
        let depths: Vec<u32> = after.iter().map(|report| report.depth).collect();
        assert_eq!(depths, [8, 9, 9]);
        continued += after[2].nodes;

        let mut other = usual();
        from_depth(&mut other, &position, 0, 8);
        repeated += from_depth(&mut other, &position, 0, 9).pop().expect("a result").nodes;
        from_scratch += from_depth(&mut usual(), &position, 0, 9).pop().expect("a result").nodes;
        // The same calls once more give the same.
        let mut again = usual();
        from_depth(&mut again, &position, 0, 8);
        assert_eq!(from_depth(&mut again, &position, 9, 9), after);
    }
    let text = format!("{continued} nodes, {repeated} with all iterations, {from_scratch} alone");
    assert!(3 * continued < 2 * repeated && repeated < from_scratch, "{text}");
}

#[test]
fn iterations_that_the_table_does_not_have_are_searched() {
    let position = &positions()[4];
    let all = from_depth(&mut usual(), position, 0, 8);
    assert_eq!(all[0].depth, 1);
    assert_eq!(from_depth(&mut usual(), position, 1, 8), all);
    assert_eq!(from_depth(&mut usual(), position, 7, 8), all, "the table is empty");
    // The table has less than was asked for, or more.
    for (first_depth, begins_after) in [(20, 6), (7, 6), (6, 5), (2, 1), (1, 0)] {
        let mut searcher = usual();
        from_depth(&mut searcher, position, 0, 6);
        let report = &from_depth(&mut searcher, position, first_depth, 8)[0];
        let first = if begins_after == 0 { 1 } else { begins_after };
        assert_eq!(report.depth, first, "{first_depth}");
        assert_eq!(report.nodes == 0, begins_after > 0, "{first_depth}");
    }
    // One iteration is searched at least.
    let mut searcher = usual();
    from_depth(&mut searcher, position, 0, 6);
    let limited = from_depth(&mut searcher, position, 7, 5);
    assert_eq!((limited[0].depth, limited[1].depth), (4, 5));
    assert!(limited[1].nodes > 0 && limited[2].completed);
}

#[test]
fn some_moves_several_lines_and_mates_are_searched_from_the_first_iteration_on() {
    let position = &positions()[4];
    let among: Vec<Move> = ["2f2e", "6i7h"].map(|m| m.parse().expect("a move")).to_vec();
    let of_some = |first_depth| {
        let (mut searcher, budget) = (usual(), Budget::depth(6));
        from_depth(&mut searcher, position, 0, 6);
        let request = SearchRequest::new(position, &budget);
        reports(&mut searcher, &SearchRequest { among: Some(&among), first_depth, ..request })
    };
    assert_eq!(of_some(7), of_some(0));
    let of = |first_depth, multi_pv, techniques, position: &Position| {
        let mut searcher = searcher(multi_pv, techniques);
        from_depth(&mut searcher, position, 0, 6);
        from_depth(&mut searcher, position, first_depth, 6)
    };
    let usual = Techniques::default();
    assert_eq!(of(6, 2, usual, position), of(0, 2, usual, position));
    let no_table = usual - Techniques::TABLE;
    assert_eq!(of(6, 1, no_table, position), of(0, 1, no_table, position));
    let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    let mate = mate.expect("a position");
    assert_eq!(of(6, 1, usual, &mate), of(0, 1, usual, &mate));
}

#[test]
fn the_budget_counts_at_once_and_there_is_a_move_nevertheless() {
    for position in positions() {
        let mut searcher = usual();
        let before = from_depth(&mut searcher, &position, 0, 8).pop().expect("a result");
        let budget = Budget::nodes(1);
        let request = SearchRequest { first_depth: 9, ..SearchRequest::new(&position, &budget) };
        let found = searcher.run(&request, &mut |_| {});
        assert_eq!((found.best_move(), found.depth), (before.best_move(), 8));
        assert!(!found.completed && found.nodes <= 1, "{found:?}");
    }
}

#[test]
fn several_threads_continue_as_well() {
    let position = &positions()[4];
    let options = SearchOptions { threads: 3, hash_mib: 16, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    from_depth(&mut searcher, position, 0, 8);
    let after = from_depth(&mut searcher, position, 9, 10);
    // The entry of the position may be that of a slower thread: how much is skipped is chance.
    assert!(after[0].depth <= 8 && after.is_sorted_by_key(|report| report.depth), "{after:?}");
    assert_eq!(after.last().map(|report| (report.depth, report.completed)), Some((10, true)));
}
