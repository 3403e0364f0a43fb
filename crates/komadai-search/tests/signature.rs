//! The number of nodes of a fixed amount of work.

use komadai_eval::Classical;
use komadai_search::{BENCH_DEPTH, Parameters, SIGNATURE, SearchOptions, Techniques, bench};

#[test]
fn the_signature_is_as_recorded() {
    assert_eq!(bench(&Classical, &SearchOptions::default(), BENCH_DEPTH).nodes, SIGNATURE);
}

#[test]
fn every_technique_makes_a_difference() {
    let nodes = |techniques| {
        // So shallow that null moves would not be verified otherwise.
        let parameters = Parameters { null_verified: 6, ..Parameters::default() };
        let options = SearchOptions { hash_mib: 1, techniques, parameters, ..Default::default() };
        bench(&Classical, &options, 7).nodes
    };
    let usual = nodes(Techniques::default());
    for technique in Techniques::all().iter() {
        let other = Techniques::default() ^ technique;
        assert_ne!(nodes(other), usual, "{technique:?}");
    }
}
