//! The signature: the number of nodes of a fixed amount of work.

use komadai_eval::Classical;
use komadai_search::bench::{BENCH_DEPTH, SIGNATURE, bench};
use komadai_search::{Parameters, SearchOptions, Techniques};

#[test]
fn the_signature_is_as_recorded() {
    assert_eq!(
        bench(&Classical::default(), &SearchOptions::default(), BENCH_DEPTH).nodes,
        SIGNATURE
    );
}

#[test]
fn a_search_that_reads_its_numbers_makes_the_same_nodes_as_the_one_compiled_for_them() {
    // A number of a technique that is off: not the default, and without effect.
    let delay_penalty = Parameters::default().delay_penalty + 1;
    let parameters = Parameters { delay_penalty, ..Parameters::default() };
    let options = SearchOptions { parameters, ..SearchOptions::default() };
    assert_eq!(bench(&Classical::default(), &options, BENCH_DEPTH).nodes, SIGNATURE);
}

#[test]
fn every_technique_makes_a_difference() {
    let nodes = |techniques, depth| {
        // With the default, null moves would not be verified at these depths.
        let parameters = Parameters { null_verified: 6, ..Parameters::default() };
        let options =
            SearchOptions { hash_mib: 1, techniques, parameters, ..SearchOptions::default() };
        bench(&Classical::default(), &options, depth).nodes
    };
    let depths = [6, 8, 10];
    let usual = depths.map(|depth| nodes(Techniques::default(), depth));
    // Without a solver, its technique does nothing; `mate_solver.rs` tests it.
    for technique in (Techniques::all() - Techniques::ANY_MATE_SOLVER).iter() {
        let other = Techniques::default() ^ technique;
        // Rare techniques make a difference with more depth only.
        let differs = |(depth, usual)| nodes(other, depth) != usual;
        assert!(depths.into_iter().zip(usual).any(differs), "{technique:?}");
    }
}

#[test]
fn every_rule_that_is_off_by_default_makes_a_difference() {
    let nodes = |parameters| {
        let options = SearchOptions { hash_mib: 1, parameters, ..SearchOptions::default() };
        bench(&Classical::default(), &options, 10).nodes
    };
    let usual = nodes(Parameters::default());
    for (name, value) in [
        ("margin_late", 250),
        ("aspiration_late", 30),
        ("aspiration_memory", 50),
        ("aspiration_kept", 25),
        ("aspiration_plies", 2),
        ("table_high_depth", 1),
        ("table_agreement_depth", 5),
        ("table_malus", 100),
        ("reverse_futility_worsening", 50),
        ("reverse_futility_quiet", 0),
        ("reverse_futility_correction", 100),
        ("correction_fourth", 100),
        ("follow_line", 1),
        ("reduction_not_improving_slope", 40),
        ("reduction_cut_no_move", 1_000),
        ("reduction_all", 100),
        ("reduction_pv_value", 1_000),
        ("reduction_pv_depth", 1_000),
        ("reduction_pv_depth_cut", 1_000),
        ("reduction_correction", 8),
        ("singular_tactical", 100),
        ("singular_correction", 100),
        ("singular_node", 2),
    ] {
        let mut parameters = Parameters::default();
        assert!(parameters.set(name, value), "{name}");
        assert_ne!(nodes(parameters), usual, "{name}");
    }
}
