//! Everything that selects positions against slow programs that are obviously right, on small books.

use std::collections::{BTreeMap, BTreeSet};

use crate::small_books::{STARTS, any_lists, book, name, pool};
use komadai_bookgraph::frontier::{
    Alpha, BookSides, DepartureOptions, FrontierDiff, FrontierOptions, FrontierPosition, Leaver,
    OwnMoves, ReachOptions, Rival, RivalBook, Window,
};
use komadai_bookgraph::{BookGame, BookGraph, RankedMove};
use komadai_core::{Color, Move, Position, Score};
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

/// No line of interest in these books is longer.
const LONGEST: u32 = 60;

/// The moves followed at a position, and how much worse than the best each is.
fn followed(
    graph: &BookGraph,
    options: &FrontierOptions,
    own: Color,
    root: &Position,
    at: &Position,
) -> Vec<(RankedMove, u32)> {
    let moves = graph.moves(at);
    let Some(best) = moves.first().map(|first| first.value.score.raw()) else { return Vec::new() };
    let anchor = match options.window {
        Window::Free | Window::Best => best,
        Window::Root => {
            let value = graph.value(root).expect("the root has a value").score.raw();
            if root.side() == at.side() { value } else { -value }
        }
    };
    let only_best = at.side() == own && options.window != Window::Free;
    let is_followed = |number: usize, score: i32| match (only_best, options.own_moves) {
        (true, OwnMoves::First) => number == 0,
        (true, OwnMoves::AllBest) => score == best,
        (false, _) => score >= anchor - options.eval_diff,
    };
    let within = |score: i32| options.eval_limit.is_none_or(|limit| score.abs() <= limit);
    let numbered = moves.iter().enumerate().map(|(number, m)| (number, m, m.value.score.raw()));
    numbered
        .filter(|&(number, _, score)| is_followed(number, score) && within(score))
        .map(|(_, m, score)| (*m, best.abs_diff(score)))
        .collect()
}

/// What a line to a position costs: so much a ply and a centipawn.
type Costs = BTreeMap<String, (u64, Position)>;

/// The least cost of each position outside, and whose books need it.
type Outside = BTreeMap<String, (u64, BTreeSet<Color>)>;

/// The least cost of each position outside, and all positions visited, by looking at all lines of each
/// length: at the cheapest one to each position.
fn oracle(
    graph: &BookGraph,
    options: &FrontierOptions,
    own: Color,
    root: &Position,
    alpha: u64,
) -> (Costs, BTreeMap<String, Position>) {
    let (mut outside, mut visited) = (Costs::new(), BTreeMap::new());
    let mut layer = Costs::from([(name(root), (0, root.clone()))]);
    for ply in root.ply()..root.ply() + LONGEST {
        if options.max_ply.is_some_and(|max| ply > max) {
            break;
        }
        let mut next = Costs::new();
        for (text, (cost, position)) in layer {
            if graph.value(&position).is_none() {
                let known = outside.entry(text).or_insert((cost, position));
                known.0 = known.0.min(cost);
                continue;
            }
            for (m, drop) in followed(graph, options, own, root, &position) {
                let cost = cost + 1_000 + alpha * u64::from(drop);
                let after = position.after(m.m).without_history();
                let known = next.entry(name(&after)).or_insert((cost, after));
                known.0 = known.0.min(cost);
            }
            visited.insert(text, position);
        }
        layer = next;
    }
    (outside, visited)
}

/// The same from all roots and for all sides; and who needs each position.
fn oracle_of_all(graph: &BookGraph, options: &FrontierOptions, alpha: u64) -> Outside {
    let mut all = Outside::new();
    for &own in options.sides.colors() {
        for root in &options.roots {
            for (text, (cost, _)) in oracle(graph, options, own, root, alpha).0 {
                let known = all.entry(text).or_insert((cost, BTreeSet::new()));
                known.0 = known.0.min(cost);
                known.1.insert(own);
            }
        }
    }
    all
}

fn any_window() -> impl Strategy<Value = Window> {
    prop_oneof![Just(Window::Free), Just(Window::Best), Just(Window::Root)]
}

fn any_sides() -> impl Strategy<Value = BookSides> {
    prop_oneof![Just(BookSides::Black), Just(BookSides::White), Just(BookSides::Both)]
}

fn any_own_moves() -> impl Strategy<Value = OwnMoves> {
    prop_oneof![Just(OwnMoves::First), Just(OwnMoves::AllBest)]
}

prop_compose! {
    /// A book, another one, and what to select; roots are positions of the pool, some of which the book may
    /// not hold, with move numbers of their own.
    fn any_case()(
        start in 0usize..STARTS.len(),
        most in 3usize..30,
        lists in any_lists(),
        rival in any_lists(),
        draw in prop_oneof![3 => Just(0i32), 1 => -30i32..=30],
        roots in prop::collection::vec((0usize..30, 1u32..4), 1..4),
        (window, sides, own_moves) in (any_window(), any_sides(), any_own_moves()),
        eval_diff in 0i32..60,
        max_ply in prop::option::of(1u32..12),
        eval_limit in prop::option::of(0i32..60),
    ) -> (BookGraph, BookGraph, FrontierOptions) {
        let pool = pool(STARTS[start], most);
        let (graph, rival) = (book(&pool, &lists, draw), book(&pool, &rival, 0));
        let root = |&(at, ply): &(usize, u32)| {
            let at = if at < 15 { 0 } else { at % pool.len() };
            Position::from_sfen(&format!("{} {ply}", name(&pool[at]))).expect("a position")
        };
        let roots = roots.iter().map(root).collect();
        let first = Position::hirate();
        let options = FrontierOptions {
            roots, eval_diff, own_moves, max_ply, eval_limit,
            ..FrontierOptions::new(first, sides, window)
        };
        (graph, rival, options)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lines_are_the_shortest_and_lead_to_what_they_should(case in any_case()) {
        let (graph, _, options) = case;
        let expected = oracle_of_all(&graph, &options, 0);
        let frontier = graph.frontier(&options);
        let found: BTreeMap<String, u64> =
            frontier.iter().map(|f| (name(&f.position), f.line.len() as u64 * 1_000)).collect();
        prop_assert_eq!(found.len(), frontier.len());
        let lengths = expected.iter().map(|(text, known)| (text.clone(), known.0));
        prop_assert_eq!(&found, &lengths.collect());
        prop_assert!(frontier.line_lengths().is_sorted());
        for found in frontier.iter() {
            let sides: BTreeSet<Color> = found.sides.colors().iter().copied().collect();
            prop_assert_eq!(&sides, &expected[&name(&found.position)].1);
        }
    }

    #[test]
    fn every_position_of_two_frontiers_is_in_its_place(case in any_case()) {
        let (earlier, later, options) = case;
        let (before, after) =
            (oracle_of_all(&earlier, &options, 0), oracle_of_all(&later, &options, 0));
        let diff =
            FrontierDiff::between(&earlier, &later, &FrontierOptions { budget: Some(1), ..options });
        let names = |found: &[FrontierPosition]| -> BTreeSet<String> {
            found.iter().map(|found| name(&found.position)).collect()
        };
        let only = |of: &Outside, without: &Outside, has_value: Option<bool>| -> BTreeSet<String> {
            let names = of.keys().filter(|text| !without.contains_key(*text));
            let position = |text: &str| Position::from_sfen(&format!("{text} 1")).expect("a position");
            let is_meant = |text: &str| {
                has_value.is_none_or(|has| later.value(&position(text)).is_some() == has)
            };
            names.filter(|text| is_meant(text)).cloned().collect()
        };
        prop_assert_eq!(names(&diff.new), only(&after, &before, None));
        prop_assert_eq!(names(&diff.unreached), only(&before, &after, Some(false)));
        let searched: Vec<_> = diff.searched.iter().map(|found| found.position.clone()).collect();
        prop_assert_eq!(names(&searched), only(&before, &after, Some(true)));
        let kept = before.keys().filter(|text| after.contains_key(*text)).count();
        prop_assert_eq!(diff.kept, kept);
        let told = diff.new.len() + diff.kept;
        prop_assert_eq!(told, after.len());
        prop_assert_eq!(diff.searched.len() + diff.unreached.len() + diff.kept, before.len());
        for found in &diff.searched {
            let position = &found.position.position;
            prop_assert_eq!(Some(found.value), later.value(position));
            prop_assert_eq!(&found.best_line, &later.best_line(position, 64));
        }
    }

    #[test]
    fn prices_are_the_lowest_and_belong_to_their_lines(case in any_case(), alpha in 0u32..300) {
        let (graph, _, options) = case;
        let expected = oracle_of_all(&graph, &options, alpha.into());
        let frontier = graph.frontier_by_price(&options, Alpha::per_mille(alpha));
        prop_assert_eq!(frontier.len(), expected.len());
        let mut last = 0.0;
        for found in frontier.iter() {
            let (price, _) = expected[&name(&found.position)];
            prop_assert_eq!(found.price, Some(price as f64 / 1_000.0));
            prop_assert!(found.price >= Some(last));
            last = found.price.unwrap();
            // The line is one that is followed, and its drops are what it says.
            let root = &options.roots[found.root];
            let of_line = |own: Color| {
                let (mut position, mut drops) = (root.clone(), 0);
                for &m in &found.line {
                    let moves = followed(&graph, &options, own, root, &position);
                    drops += moves.iter().find(|(ranked, _)| ranked.m == m)?.1;
                    position.do_move(m);
                }
                Some((position, drops))
            };
            let lines: Vec<_> = found.sides.colors().iter().filter_map(|&own| of_line(own)).collect();
            prop_assert!(lines.iter().any(|(_, drops)| *drops == found.drops_cp));
            prop_assert_eq!(&lines[0].0, &found.position);
            let own = found.line.len() as u64 * 1_000 + u64::from(alpha) * u64::from(found.drops_cp);
            prop_assert_eq!(own, price);
        }
    }

    #[test]
    fn a_budget_takes_the_first(case in any_case(), budget in 0usize..8) {
        let (graph, _, options) = case;
        let few = FrontierOptions { budget: Some(budget), ..options.clone() };
        let lists = |options: &FrontierOptions| {
            let rival = Rival::Games { smoothing: 1.0 };
            let reach = ReachOptions { most_plies: 20, ..ReachOptions::new(rival) };
            [
                graph.frontier(options),
                graph.frontier_by_price(options, Alpha::default()),
                graph.frontier_by_probability(options, &reach),
            ]
        };
        for (all, some) in lists(&options).iter().zip(&lists(&few)) {
            prop_assert_eq!(some.len(), all.len().min(budget));
            prop_assert!(some.iter().eq(all.iter().take(budget)));
        }
    }
}

/// A rival's moves with their probabilities; `None` where it has no book.
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

/// Hands a probability on along every single line; positions outside gather what arrives.
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

/// What is played against a rival, for a side's book, on lines from a root, in a position.
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

/// All roots get the same move number: so all walks end at the same one.
fn with_one_number(options: FrontierOptions) -> FrontierOptions {
    let root = |root: &Position| Position::from_sfen(&format!("{} 1", name(root))).unwrap();
    FrontierOptions { roots: options.roots.iter().map(root).collect(), ..options }
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

    #[test]
    fn refutations_are_all_there_are(case in any_case(), margin in 0u32..30) {
        let (graph, _, options) = case;
        // The move itself must be within the limit of move numbers, too.
        let before_last =
            FrontierOptions { max_ply: options.max_ply.map(|max| max - 1), ..options.clone() };
        let mut expected = BTreeSet::new();
        for &own in options.sides.colors() {
            for root in options.roots.iter().filter(|root| graph.value(root).is_some()) {
                for at in oracle(&graph, &before_last, own, root, 0).1.values() {
                    let moves = graph.moves(at);
                    let best = moves[0].value.score;
                    let believed = graph.record(at).expect("it has a value").moves;
                    let believed = believed.iter().filter_map(|listed| listed.score).max();
                    let is_refuted = believed.is_some_and(|believed| {
                        believed > best && (believed.raw() - best.raw()) as u32 >= margin
                    });
                    let limit = options.eval_limit.is_none_or(|limit| best.raw().abs() <= limit);
                    let most = if options.own_moves == OwnMoves::First { 1 } else { moves.len() };
                    let firsts = moves.iter().take_while(|m| m.value.score == best).take(most);
                    for m in firsts.filter(|m| m.leaves_book && is_refuted && limit) {
                        let after = at.after(m.m);
                        expected.insert(name(&after));
                    }
                }
            }
        }
        let found = graph.refutations(&options, margin);
        let names: BTreeSet<String> = found.iter().map(|r| name(&r.found.position)).collect();
        prop_assert_eq!(names.len(), found.len());
        prop_assert_eq!(names, expected);
        for refutation in &found {
            let last = *refutation.found.line.last().unwrap();
            let mut before = options.roots[refutation.found.root].clone();
            let (_, line) = refutation.found.line.split_last().unwrap();
            line.iter().for_each(|&m| before.do_move(m));
            let of = |m: Move| graph.moves(&before).into_iter().find(|ranked| ranked.m == m);
            prop_assert_eq!(of(last).map(|m| m.value.score), refutation.found.score);
            prop_assert_eq!(of(refutation.believed).map(|m| m.value.score), Some(refutation.score));
            let listed = graph.record(&before).unwrap().moves;
            let listed = listed.iter().find(|listed| listed.m == refutation.believed).unwrap();
            prop_assert_eq!(listed.score, Some(refutation.believed_score));
            prop_assert!(Some(refutation.believed_score) > refutation.found.score);
            prop_assert!(refutation.score <= graph.value(&before).unwrap().score);
        }
    }

    #[test]
    fn rejoining_moves_are_all_there_are(case in any_case()) {
        let (graph, _, options) = case;
        let frontier = graph.frontier(&options);
        let back = |position: &Position| {
            let moves = position.legal_moves().to_vec();
            let value = |m: Move| Some((m.to_string(), -graph.value(&position.after(m))?.score));
            moves.into_iter().filter_map(value).collect::<BTreeMap<String, Score>>()
        };
        let expected: Vec<_> =
            frontier.iter().map(|f| (name(&f.position), back(&f.position))).filter(|f| !f.1.is_empty()).collect();
        let found = graph.rejoins(&frontier);
        prop_assert!(found.iter().all(|rejoin| rejoin.moves.is_sorted_by(|a, b| a.score >= b.score)));
        let found: Vec<_> = found
            .iter()
            .map(|rejoin| {
                let moves = rejoin.moves.iter().map(|back| (back.m.to_string(), back.score));
                (name(&rejoin.found.position), moves.collect())
            })
            .collect();
        prop_assert_eq!(found, expected);
    }
}

/// A virtual game's end: whose book it was, the position, and the length of the shortest line.
type Ends = BTreeMap<String, (Leaver, usize)>;

/// All positions that games come to, one length of line after the other.
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
            let options = DepartureOptions { roots, side, own_moves, rival_diff, max_ply };
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

    #[test]
    fn unsolved_positions_end_the_best_lines_of_lost_games(
        case in any_case(),
        games in prop::collection::vec((prop::collection::vec(0usize..100, 0..8), 0u8..3), 0..4),
    ) {
        let (graph, _, options) = case;
        let mut played = Vec::new();
        for (choices, winner) in &games {
            let start = &options.roots[played.len() % options.roots.len()];
            let (mut position, mut moves) = (start.clone(), Vec::new());
            for choice in choices {
                let known: Vec<Move> = graph.moves(&position).iter().map(|m| m.m).collect();
                let legal = position.legal_moves().to_vec();
                let from = if known.is_empty() { legal } else { known };
                let Some(&m) = from.get(choice % from.len().max(1)) else { break };
                moves.push(m);
                position.do_move(m);
            }
            played.push(BookGame {
                start: start.to_setup(),
                moves,
                book_side: Color::Black,
                winner: [None, Some(Color::Black), Some(Color::White)][usize::from(*winner)],
                opponent: String::new(),
                generation: 0,
                left_at: None,
                times_ms: Vec::new(),
                scores: Vec::new(),
                ending: String::new(),
                when: 0,
            });
        }
        let mut expected = BTreeMap::new();
        for (number, game) in played.iter().enumerate() {
            if game.winner != Some(Color::White) {
                continue;
            }
            let mut position = Position::from_setup(&game.start).unwrap();
            for made in 0..=game.moves.len() {
                let line = graph.best_line(&position, 200);
                let end = line.iter().fold(position.clone(), |at, &m| at.after(m));
                if !line.is_empty() && graph.value(&end).is_none() {
                    let value = graph.value(&position).unwrap();
                    let key = name(&end);
                    expected.entry(key).or_insert((number, made, line, value));
                }
                if let Some(&m) = game.moves.get(made) {
                    position.do_move(m);
                }
            }
        }
        let found = graph.unsolved(&played).expect("the games are legal");
        let count = found.len();
        let found: BTreeMap<_, _> = found
            .into_iter()
            .map(|f| (name(&f.position), (f.number, f.moves_made, f.line, f.value)))
            .collect();
        prop_assert_eq!(found.len(), count);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn faulty_games_are_told() {
    let graph = book(&pool(STARTS[0], 5), &[vec![(0, Some(10), 1)]], 0);
    let game = |moves: &[&str]| BookGame {
        start: Position::hirate().to_setup(),
        moves: moves.iter().map(|m| m.parse().unwrap()).collect(),
        book_side: Color::Black,
        winner: Some(Color::White),
        opponent: String::new(),
        generation: 0,
        left_at: None,
        times_ms: Vec::new(),
        scores: Vec::new(),
        ending: String::new(),
        when: 0,
    };
    assert_eq!(graph.unsolved(&[game(&["7g7f", "3c3d"])]), Ok(Vec::new()));
    let told = graph.unsolved(&[game(&[]), game(&["7g7f", "7g7f"])]).unwrap_err().to_string();
    assert!(told.starts_with("game 1, ply 2: 7g7f is illegal"), "{told}");
}
