//! The number of nodes of a fixed amount of work.

use komadai_eval::Classical;
use komadai_search::{BENCH_DEPTH, SIGNATURE, SearchOptions, Techniques, bench};

#[test]
fn the_signature_is_as_recorded() {
    assert_eq!(bench(&Classical, &SearchOptions::default(), BENCH_DEPTH).nodes, SIGNATURE);
}

#[test]
fn every_technique_makes_a_difference() {
    let nodes = |techniques| {
        let options = SearchOptions { techniques, ..SearchOptions::default() };
        bench(&Classical, &options, 5).nodes
    };
    let all = nodes(Techniques::all());
    for technique in Techniques::all().iter() {
        assert_ne!(nodes(Techniques::all() - technique), all, "{technique:?}");
    }
}
