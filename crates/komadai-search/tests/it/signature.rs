//! The signature: the number of nodes of a fixed amount of work.

use komadai_core::{Budget, Position};
use komadai_eval::Classical;
use komadai_search::bench::{BENCH_DEPTH, SIGNATURE, bench};
use komadai_search::{AlphaBeta, Parameters, SearchOptions, Searcher, Techniques};
use komadai_testdata::{openings, positions};

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

/// Searches to some depths, each with empty tables.
struct Work {
    positions: Vec<Position>,
    /// The depths, and the nodes of each position with the usual options.
    usual: Vec<(u32, Vec<u64>)>,
}

impl Work {
    fn new(depths: &[u32], options: &SearchOptions) -> Self {
        let games = openings::sfens().take(11);
        let sfens = positions::bench().into_iter().map(|bench| bench.sfen).chain(games);
        let positions: Vec<Position> =
            sfens.map(|sfen| Position::from_sfen(sfen).unwrap()).collect();
        let nodes_at = |depth| positions.iter().map(|p| nodes(p, options, depth)).collect();
        let usual = depths.iter().map(|&depth| (depth, nodes_at(depth))).collect();
        Self { positions, usual }
    }

    /// Returns whether one of the options makes another number of nodes in a position. The smallest
    /// depth comes first, because most differences show there.
    fn differs(&self, others: &[SearchOptions]) -> bool {
        self.usual.iter().any(|(depth, usual)| {
            self.positions.iter().zip(usual).any(|(position, usual)| {
                others.iter().any(|options| nodes(position, options, *depth) != *usual)
            })
        })
    }
}

fn nodes(position: &Position, options: &SearchOptions, depth: u32) -> u64 {
    let mut searcher = AlphaBeta::new(Classical::default(), options.clone());
    searcher.search(position, &Budget::depth(depth), &mut |_| {}).nodes
}

#[test]
fn every_technique_makes_a_difference() {
    // With the default, null moves would not be verified at these depths.
    let parameters = Parameters { null_verified: 6, ..Parameters::default() };
    let usual = SearchOptions { hash_mib: 1, parameters, ..SearchOptions::default() };
    // Rare techniques make a difference with more depth only.
    let work = Work::new(&[6, 8, 10], &usual);
    // Without a solver, its technique does nothing; `mate_solver.rs` tests it.
    for technique in (Techniques::all() - Techniques::ANY_MATE_SOLVER).iter() {
        let techniques = usual.techniques ^ technique;
        assert!(work.differs(&[SearchOptions { techniques, ..usual.clone() }]), "{technique:?}");
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
    let usual = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    let work = Work::new(&[7, 9], &usual);
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
        // Without a malus a search never ends soon.
        let extremes = [number.max, number.min].map(|value| {
            let mut parameters = Parameters::default();
            assert!(parameters.set(name, value), "{name}");
            SearchOptions { parameters, ..usual.clone() }
        });
        assert!(work.differs(&extremes), "{name}");
    }
}
