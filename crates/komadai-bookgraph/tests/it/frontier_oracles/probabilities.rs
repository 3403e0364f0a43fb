//! The probabilities of frontier positions, against sums over every single line.

use std::collections::BTreeMap;

use komadai_bookgraph::frontier::{FrontierOptions, ReachOptions, Rival, RivalBook};
use komadai_bookgraph::{BookGraph, RankedMove};
use komadai_core::{Color, Move, Position};

use super::{any_case, followed, with_one_number};
use crate::small_books::name;
use proptest::prelude::*;

/// The moves of a rival's book with their probabilities; `None` if it lacks the position.
fn rival_moves(rival: &BookGraph, at: &Position, temperature: f64) -> Option<Vec<(Move, f64)>> {
    let moves = rival.moves(at);
    let best = moves.first()?.value.score.raw();
    let weight = |m: &RankedMove| match f64::from(best - m.value.score.raw()) {
        0.0 => 1.0,
        _ if temperature == 0.0 => 0.0,
        drop => (-drop / temperature).exp(),
    };
    let sum: f64 = moves.iter().map(weight).sum();
    Some(moves.iter().map(|m| (m.m, weight(m) / sum)).collect())
}

/// Passes a probability along every single line, and adds up what arrives at each frontier
/// position.
fn flood(
    chances: &mut BTreeMap<String, f64>,
    graph: &BookGraph,
    at: &Position,
    chance: f64,
    plies_left: u32,
    options: &FrontierOptions,
    answers: &dyn Fn(&Position) -> Vec<(Move, f64)>,
) {
    if options.max_ply.is_some_and(|max| at.ply() > max) {
        return;
    }
    if graph.value(at).is_none() {
        *chances.entry(name(at)).or_default() += chance;
        return;
    }
    if plies_left == 0 {
        return;
    }
    for (m, share) in answers(at).into_iter().filter(|&(_, share)| share > 0.0) {
        let after = at.after(m);
        flood(chances, graph, &after, chance * share, plies_left - 1, options, answers);
    }
}

/// A function from the number of a rival, the book's side, a root and a position to the moves
/// played in that position, with their probabilities.
type Answers<'a> = dyn Fn(usize, Color, &Position, &Position) -> Vec<(Move, f64)> + 'a;

fn check_probabilities(
    graph: &BookGraph,
    options: &FrontierOptions,
    reach: &ReachOptions<'_>,
    rivals: usize,
    answers: &Answers<'_>,
) -> Result<(), TestCaseError> {
    let colors = options.sides.colors();
    let share = 1.0 / (colors.len() * options.roots.len() * rivals) as f64;
    let last = options.roots.iter().filter(|root| graph.value(root).is_some());
    let last = last.map(Position::ply).max().unwrap_or(0);
    let mut expected = BTreeMap::new();
    for &own in colors {
        for root in &options.roots {
            for rival in 0..rivals {
                // All roots have the same move number, so all games end at the same one.
                let left = last + reach.most_plies + 1 - root.ply();
                let answers = |at: &Position| answers(rival, own, root, at);
                flood(&mut expected, graph, root, share, left, options, &answers);
            }
        }
    }
    let frontier = graph.frontier_by_probability(options, reach);
    let found: BTreeMap<String, f64> =
        frontier.iter().map(|f| (name(&f.position), f.probability.unwrap())).collect();
    prop_assert!(found.keys().eq(expected.keys()), "{:?} {:?}", found, expected);
    for (found, expected) in found.values().zip(expected.values()) {
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }
    prop_assert!(found.values().sum::<f64>() <= 1.0 + 1e-9);
    let in_order: Vec<f64> = frontier.iter().map(|f| f.probability.unwrap()).collect();
    prop_assert!(in_order.is_sorted_by(|one, other| one >= other));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn probabilities_by_games_are_those_of_all_lines(
        case in any_case(),
        smoothing in prop_oneof![Just(0.0), Just(1.0), Just(0.25)],
    ) {
        let (graph, _, options) = case;
        let options = with_one_number(options);
        let rival = Rival::Games { smoothing };
        let reach = ReachOptions { least: 0.0, most_plies: 7, ..ReachOptions::new(rival) };
        let answers = |_: usize, own: Color, root: &Position, at: &Position| {
            let window = followed(&graph, &options, own, root, at);
            let equal = 1.0 / window.len() as f64;
            if at.side() == own {
                return window.iter().map(|(m, _)| (m.m, equal)).collect();
            }
            let record = graph.record(at).expect("it has a value");
            let games = |m: Move| {
                let listed = record.moves.iter().find(|listed| listed.m == m);
                f64::from(listed.and_then(|listed| listed.count).unwrap_or(0))
            };
            let all: f64 = record.moves.iter().map(|listed| games(listed.m)).sum();
            let all = all + smoothing * window.len() as f64;
            let share = |m: Move| if all > 0.0 { (games(m) + smoothing) / all } else { equal };
            window.iter().map(|(m, _)| (m.m, share(m.m))).collect()
        };
        check_probabilities(&graph, &options, &reach, 1, &answers)?;
    }

    #[test]
    fn probabilities_by_rivals_books_are_those_of_all_lines(
        case in any_case(),
        temperature_cp in prop_oneof![Just(0.0), Just(10.0)],
        rivals in 0usize..3,
    ) {
        let (graph, rival, options) = case;
        let options = with_one_number(options);
        let all: [&BookGraph; 2] = [&rival, &graph];
        let all_books: Vec<&dyn RivalBook> = all.iter().map(|&book| book as &dyn RivalBook).collect();
        let books = &all_books[..rivals];
        let rival = Rival::Books { books, temperature_cp };
        let reach = ReachOptions { least: 0.0, most_plies: 6, ..ReachOptions::new(rival) };
        let answers = |rival: usize, own: Color, root: &Position, at: &Position| {
            let window = followed(&graph, &options, own, root, at);
            let equal = 1.0 / window.len() as f64;
            if at.side() == own {
                return window.iter().map(|(m, _)| (m.m, equal)).collect();
            }
            let of_book = books.get(rival).and(all.get(rival));
            let of_book = of_book.and_then(|book| rival_moves(book, at, temperature_cp));
            of_book.unwrap_or_else(|| {
                let best = window.iter().map(|(m, _)| m.value.score.raw()).max().unwrap_or(0);
                let weight = |m: &RankedMove| match f64::from(best - m.value.score.raw()) {
                    0.0 => 1.0,
                    _ if temperature_cp == 0.0 => 0.0,
                    drop => (-drop / temperature_cp).exp(),
                };
                let sum: f64 = window.iter().map(|(m, _)| weight(m)).sum();
                window.iter().map(|(m, _)| (m.m, weight(m) / sum)).collect()
            })
        };
        check_probabilities(&graph, &options, &reach, rivals.max(1), &answers)?;
    }
}
