//! The share of searches whose value is a bound, and their nodes, with hard and soft limits.

use komadai_analysis::{Memory, SearchAnalyst};
use komadai_core::{Analyst as _, Budget, Position, UsiPosition};
use komadai_search::SearchOptions;
use komadai_testdata::kifu;

/// Returns the positions of the game in the README.
fn positions() -> Vec<Position> {
    let sample = kifu::samples().find(|sample| sample.name.contains("GPS_K-SHOGI"));
    let sample = sample.expect("the game of GPS and K-Shogi is there");
    let game: UsiPosition = format!("startpos moves {}", sample.main_line).parse().expect("a game");
    let mut position = Position::from_setup(&game.setup).expect("the even start");
    let mut positions = vec![position.clone()];
    for m in game.moves {
        position.do_move(m);
        positions.push(position.clone());
    }
    positions
}

/// The results of one limit: searches, bounds among their first lines, nodes.
#[derive(Default)]
struct Tally {
    searches: u64,
    bounds: u64,
    nodes: u64,
    most: u64,
}

fn tally(positions: &[Position], step: usize, multi_pv: usize, budget: &Budget) -> Tally {
    let options = SearchOptions { hash_mib: 8, multi_pv, ..SearchOptions::default() };
    let mut analyst = SearchAnalyst::standard(options, Memory::Fresh);
    let mut tally = Tally::default();
    for position in positions.iter().step_by(step) {
        let found = analyst.analyse(position, budget).expect("a search does not fail");
        tally.searches += 1;
        tally.bounds += u64::from(!found.lines.is_empty() && found.exact_score().is_none());
        tally.nodes += found.nodes;
        tally.most = tally.most.max(found.nodes);
    }
    tally
}

#[test]
#[ignore = "minutes; prints the table for the choice of the hard limit"]
fn bounds_and_nodes_by_limit() {
    let positions = positions();
    println!(
        "{:>8} {:>6} {:>10} {:>9} {:>7} {:>11} {:>9}",
        "nodes", "lines", "limit", "searches", "bounds", "mean nodes", "largest"
    );
    for (nodes, step, multi_pv) in
        [(800, 1, 1), (800, 1, 3), (5_000, 1, 1), (20_000, 1, 1), (20_000, 2, 4), (100_000, 4, 1)]
    {
        let soft =
            |factor: u64| Budget { soft_nodes: Some(nodes), ..Budget::nodes(factor * nodes) };
        let limits = [("hard", Budget::nodes(nodes))].into_iter();
        let limits = limits.chain(
            [("soft, x2", 2), ("soft, x3", 3), ("soft, x4", 4), ("soft, x8", 8)]
                .map(|(name, factor)| (name, soft(factor))),
        );
        for (name, budget) in limits {
            let found = tally(&positions, step, multi_pv, &budget);
            let share = 100.0 * found.bounds as f64 / found.searches as f64;
            println!(
                "{nodes:>8} {multi_pv:>6} {name:>10} {:>9} {share:>6.1}% {:>11} {:>9}",
                found.searches,
                found.nodes / found.searches,
                found.most
            );
        }
    }
}

#[test]
fn few_searches_with_a_soft_limit_end_with_a_bound() {
    let positions = positions();
    let [hard, soft] =
        [Budget::nodes(1_000), Budget::about(1_000)].map(|budget| tally(&positions, 2, 1, &budget));
    assert!(hard.bounds * 10 > hard.searches, "{} of {}", hard.bounds, hard.searches);
    assert!(soft.bounds * 20 < soft.searches, "{} of {}", soft.bounds, soft.searches);
    assert!(soft.most <= Budget::HARD_FACTOR * 1_000 && soft.nodes < 2_000 * soft.searches);
}
