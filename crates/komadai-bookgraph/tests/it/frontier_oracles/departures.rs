//! Departures, against virtual games played one length of line after the other.

use std::collections::{BTreeMap, BTreeSet};

use komadai_bookgraph::frontier::{DepartureOptions, FrontierOptions, Leaver, OwnMoves};
use komadai_bookgraph::{BookGraph, RankedMove};
use komadai_core::Position;

use super::{LONGEST, any_case, with_one_number};
use crate::small_books::name;
use proptest::prelude::*;

/// The ends of virtual games: per position, the side whose book has ended and the shortest line's
/// length.
type Ends = BTreeMap<String, (Leaver, usize)>;

/// The ends of all virtual games, shortest lines first.
fn all_games(graph: &BookGraph, rival: &BookGraph, options: &DepartureOptions) -> Ends {
    let mut ends = Ends::new();
    let mut seen = BTreeSet::new();
    let mut layer: Vec<Position> = options.roots.clone();
    for length in 0..LONGEST as usize {
        let mut next = Vec::new();
        for position in layer {
            let is_within = options.max_ply.is_none_or(|max| position.ply() <= max);
            if !is_within || !seen.insert(name(&position)) {
                continue;
            }
            let is_own = position.side() == options.side;
            let moves = if is_own { graph.moves(&position) } else { rival.moves(&position) };
            let Some(best) = moves.first().map(|first| first.value.score.raw()) else {
                let leaver = if is_own { Leaver::Own } else { Leaver::Rival };
                ends.insert(name(&position), (leaver, length));
                continue;
            };
            let is_played = |number: usize, m: &RankedMove| match (is_own, options.own_moves) {
                (true, OwnMoves::First) => number == 0,
                (true, OwnMoves::AllBest) => m.value.score.raw() == best,
                (false, _) => m.value.score.raw() >= best - options.rival_diff,
            };
            let played = moves.iter().enumerate().filter(|(number, m)| is_played(*number, m));
            next.extend(played.map(|(_, m)| position.after(m.m)));
        }
        layer = next;
    }
    ends
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn departures_are_all_there_are(case in any_case(), rival_diff in 0i32..60) {
        let (graph, rival, options) = case;
        for &side in options.sides.colors() {
            let FrontierOptions { roots, own_moves, max_ply, .. } = with_one_number(options.clone());
            let options = DepartureOptions { roots, own_moves, rival_diff, max_ply, ..DepartureOptions::new(Position::hirate(), side) };
            let found = graph.departures(&[&rival], &options);
            let ends: Ends = found
                .iter()
                .map(|end| (name(&end.position), (end.leaver, end.line.len())))
                .collect();
            prop_assert_eq!(ends.len(), found.len());
            prop_assert_eq!(ends, all_games(&graph, &rival, &options));
            for end in &found {
                let mut position = options.roots[end.root].clone();
                let mut score = None;
                for &m in &end.line {
                    let of = if position.side() == side { &graph } else { &rival };
                    let moves = of.moves(&position);
                    score = moves.iter().find(|ranked| ranked.m == m).map(|m| m.value.score);
                    prop_assert!(score.is_some());
                    position.do_move(m);
                }
                prop_assert_eq!(&position, &end.position);
                prop_assert_eq!(score, end.score);
            }
        }
    }
}
