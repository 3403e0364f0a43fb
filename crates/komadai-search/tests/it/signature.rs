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
fn the_numbers_of_reduction_by_probability_decide_whether_it_does_anything() {
    let nodes = |techniques, numbers: &[(&str, i32)]| {
        let mut parameters = Parameters::default();
        for &(name, value) in numbers {
            assert!(parameters.set(name, value), "{name}");
        }
        let options =
            SearchOptions { hash_mib: 1, techniques, parameters, ..SearchOptions::default() };
        bench(&Classical::default(), &options, 9).nodes
    };
    let off = nodes(Techniques::default(), &[]);
    let on = Techniques::default() | Techniques::PROBABILITY_REDUCTION;
    assert_eq!(nodes(on, &[("probability_slope", 0), ("probability_offset", 0)]), off);
    assert_eq!(nodes(on, &[("probability_depth", 16)]), off);
    let more = nodes(on, &[("probability_slope", 1_024), ("probability_offset", 0)]);
    let less = nodes(on, &[("probability_slope", 0), ("probability_offset", 3_000)]);
    assert!(more < off && off < less, "{more} {off} {less}");
}

#[test]
fn singular_moves_are_extended_by_information_only_with_the_switch() {
    let nodes = |techniques, information_slope| {
        let parameters = Parameters { information_slope, ..Parameters::default() };
        let options =
            SearchOptions { hash_mib: 1, techniques, parameters, ..SearchOptions::default() };
        bench(&Classical::default(), &options, 10).nodes
    };
    let off = Techniques::default();
    let on = off | Techniques::INFORMATION_EXTENSION;
    assert_eq!(nodes(off, 0), nodes(off, 4_096));
    // Without singular extensions there is nothing to extend by information.
    let none = off - Techniques::SINGULAR_EXTENSION;
    assert_eq!(nodes(none | Techniques::INFORMATION_EXTENSION, 1_024), nodes(none, 1_024));
    let (never, usual, always) = (nodes(on, 0), nodes(on, 1_024), nodes(on, 4_096));
    assert!(never < always && usual != never && usual != always, "{never} {usual} {always}");
    assert_ne!(usual, nodes(off, 1_024));
}

#[test]
fn every_number_makes_a_difference() {
    let nodes = |parameters, depth| {
        let options = SearchOptions { hash_mib: 1, parameters, ..SearchOptions::default() };
        bench(&Classical::default(), &options, depth).nodes
    };
    let depths = [7, 9];
    let usual = depths.map(|depth| nodes(Parameters::default(), depth));
    // Those of techniques that are off, of games of several searches and of deep ones.
    let others = [
        "delay_",
        "two_ply_futility",
        "history_kept",
        "null_verified",
        "regression_probcut_",
        "probability_",
        "information_",
        "mate_log_odds",
    ];
    for number in Parameters::ALL {
        let name = number.name;
        if others.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let differs = |value| {
            let mut parameters = Parameters::default();
            assert!(parameters.set(name, value), "{name}");
            depths.into_iter().zip(usual).any(|(depth, usual)| nodes(parameters, depth) != usual)
        };
        assert!(differs(number.min) || differs(number.max), "{name}");
    }
}
