//! Searchers that share a transposition table.

use std::sync::Arc;

use komadai_core::{Bound, Budget, Position};
use komadai_eval::Classical;
use komadai_movegen::MoveGen;
use komadai_search::{AlphaBeta, SearchOptions, SearchRequest, Searcher, TranspositionTable};
use komadai_testdata::openings;

fn sharing(table: &Arc<TranspositionTable>) -> AlphaBeta<Classical> {
    AlphaBeta::with_table(Classical::default(), SearchOptions::default(), Arc::clone(table))
}

fn depth(plies: u32) -> Budget {
    Budget::depth(plies)
}

#[test]
fn the_second_searcher_profits_from_the_first() {
    let mut nodes = [0, 0];
    for sfen in openings::sfens().take(12) {
        let position = Position::from_sfen(sfen).unwrap();
        let table = Arc::new(TranspositionTable::new(4));
        for nodes in &mut nodes {
            *nodes += sharing(&table).search(&position, &depth(8), &mut |_| {}).nodes;
        }
    }
    let [first, second] = nodes;
    // Entries above the window have to be deeper than the node, so that much is searched again.
    assert!(10 * second < 9 * first, "{second} after {first}");
}

#[test]
fn searchers_share_a_table_at_the_same_time() {
    let (mut shared, mut alone) = (0, 0);
    for sfen in openings::sfens().take(12) {
        let position = Position::from_sfen(sfen).unwrap();
        let table = Arc::new(TranspositionTable::new(4));
        std::thread::scope(|scope| {
            for plies in [7, 8, 9] {
                let (table, position) = (&table, &position);
                scope.spawn(move || {
                    let analysis = sharing(table).search(position, &depth(plies), &mut |_| {});
                    assert_eq!(analysis.depth, plies);
                    assert!(position.is_legal(analysis.best_move().unwrap()));
                });
            }
        });
        let root = table.probe(position.key()).expect("all of them have stored it");
        assert!(root.depth >= 7 && root.bound == Bound::Exact);
        shared += sharing(&table).search(&position, &depth(7), &mut |_| {}).nodes;
        alone += AlphaBeta::new(Classical::default(), SearchOptions::default())
            .search(&position, &depth(7), &mut |_| {})
            .nodes;
    }
    // Another search finds entries that are deep enough. A single position can need more nodes
    // with the table, because what it holds depends on the order of the threads; twelve do not.
    assert!(10 * shared < 9 * alone, "{shared} of {alone}");
}

#[test]
fn the_root_is_stored_with_the_best_move() {
    for sfen in openings::sfens().take(5) {
        let position = Position::from_sfen(sfen).unwrap();
        let mut searcher = AlphaBeta::new(
            Classical::default(),
            SearchOptions { hash_mib: 1, ..SearchOptions::default() },
        );
        // The entry is that of the last finished iteration, also when the budget ends in the next.
        let mut last = None;
        searcher.search(&position, &Budget::nodes(10_000), &mut |found| last = Some(found.clone()));
        let (last, root) = (last.unwrap(), searcher.table().probe(position.key()).unwrap());
        assert_eq!(root.best, last.best_move());
        assert_eq!(Some(root.score), last.score());
        assert_eq!((u32::from(root.depth), root.bound), (last.depth, Bound::Exact));
    }
}

#[test]
fn a_search_among_some_moves_does_not_value_the_position() {
    let position = Position::hirate();
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    let (among, budget) = (["1g1f".parse().unwrap()], depth(4));
    let request = SearchRequest { among: Some(&among), ..SearchRequest::new(&position, &budget) };
    searcher.run(&request, &mut |_| {});
    assert_eq!(searcher.table().probe(position.key()), None);
}

#[test]
fn the_line_of_the_table_is_legal_and_ends() {
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    for sfen in openings::sfens().take(5) {
        let mut position = Position::from_sfen(sfen).unwrap();
        let analysis = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
        let line = searcher.table().pv_from(&position);
        assert!(!line.is_empty() && line.len() <= TranspositionTable::MAX_PV);
        assert!(analysis.depth > 1 && line.len() > 1, "{line}");
        for &m in line.iter() {
            assert!(position.is_legal(m), "{line}");
            position.do_move(m);
        }
    }
    assert!(TranspositionTable::new(1).pv_from(&Position::hirate()).is_empty());
}

#[test]
fn the_line_of_the_table_ends_at_a_repetition() {
    use komadai_core::Score;
    use komadai_search::Entry;

    // Both rooks go to and fro for ever.
    let table = TranspositionTable::new(1);
    let mut position = Position::hirate();
    for usi in ["2h3h", "8b7b", "3h2h", "7b8b"] {
        let m = usi.parse().unwrap();
        let entry = Entry {
            best: Some(m),
            score: Score::ZERO,
            static_score: None,
            depth: 1,
            bound: Bound::Exact,
            pv: true,
        };
        table.store(position.key(), entry);
        position.do_move(m);
    }
    let line = table.pv_from(&Position::hirate());
    assert_eq!(line.to_string(), "2h3h 8b7b 3h2h 7b8b");
    // A move that is not legal ends the line before it.
    let entry =
        Entry { best: Some("5e5d".parse().unwrap()), ..table.probe(position.key()).unwrap() };
    table.store(position.key(), entry);
    assert!(table.pv_from(&Position::hirate()).is_empty());
}

#[test]
fn another_size_leaves_a_shared_table_to_the_others() {
    let table = Arc::new(TranspositionTable::new(2));
    let mut searcher = sharing(&table);
    let position = Position::hirate();
    searcher.search(&position, &depth(3), &mut |_| {});
    searcher.set_options(SearchOptions { hash_mib: 1, ..SearchOptions::default() });
    assert_eq!((searcher.table().mib(), table.mib()), (1, 2));
    assert!(table.probe(position.key()).is_some());
    assert!(searcher.table().probe(position.key()).is_none());
    searcher.set_options(SearchOptions { hash_mib: 3, ..SearchOptions::default() });
    assert_eq!(searcher.table().mib(), 3);
}
