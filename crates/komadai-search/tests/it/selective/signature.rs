//! The nodes of the selective searches on one thread.

use komadai_core::{Budget, Position};
use komadai_eval::Classical;
use komadai_search::selective::{AbcOptions, RealizationOptions, Selective};
use komadai_search::{SearchOptions, Searcher};
use komadai_testdata::positions;

/// Returns the nodes of a search of each bench position to this depth.
fn nodes(mut searcher: Selective<Classical>, depth: u32) -> u64 {
    let mut of_position = |sfen: &str| {
        searcher.new_game();
        let position = Position::from_sfen(sfen).unwrap();
        searcher.search(&position, &Budget::depth(depth), &mut |_| {}).nodes
    };
    positions::bench().into_iter().map(|bench| of_position(bench.sfen)).sum()
}

#[test]
fn the_nodes_are_those_of_the_signature() {
    let search = SearchOptions { hash_mib: 16, ..SearchOptions::default() };
    let options = RealizationOptions { search: search.clone(), ..RealizationOptions::default() };
    let searcher = Selective::realization_probability(Classical::default(), options);
    assert_eq!(nodes(searcher, 6), 13_966);
    let options = AbcOptions { search, ..AbcOptions::default() };
    assert_eq!(nodes(Selective::abc(Classical::default(), options), 4), 42_490);
}
