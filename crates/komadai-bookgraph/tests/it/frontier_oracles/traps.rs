//! Traps: against hand arithmetic, and against sums over every single line.

use std::collections::BTreeMap;

use komadai_bookfile::Tolerance;
use komadai_bookgraph::frontier::{
    BookSides, FrontierOptions, OwnMoves, ReachOptions, Rival, RivalBook, Trap, TrapOptions, Window,
};
use komadai_bookgraph::{BookGraph, GraphBuilder, PlayableMove};
use komadai_core::{Color, Move, Position, Score};

use super::{any_case, followed, with_one_number};
use crate::small_books::name;
use proptest::prelude::*;

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const AFTER_PAWN: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";

fn book(text: &str) -> BookGraph {
    let mut builder = GraphBuilder::new();
    let text = format!("#YANEURAOU-DB2016 1.00\n{text}");
    builder.read_db(text.as_bytes(), Tolerance::Strict).unwrap();
    builder.finish().unwrap()
}

fn by_games<'a>(sides: impl Into<BookSides>) -> TrapOptions<'a> {
    let reach = ReachOptions::new(Rival::Games { smoothing: 0.0 });
    TrapOptions::new(Position::hirate(), sides, reach)
}

/// The mistakes with their losses, probabilities, reaches and gains.
fn rows(traps: &[Trap]) -> Vec<(String, u32, f64, f64, f64)> {
    let row = |trap: &Trap| {
        (trap.reply.to_string(), trap.loss_cp, trap.probability, trap.reach, trap.gain_cp)
    };
    traps.iter().map(row).collect()
}

/// A book of eight games after 7g7f: four made the best reply, two lost 150, one lost 100, one made a
/// move without a value.
fn mistakes() -> BookGraph {
    book(&format!(
        "{START}7g7f none 40 1 8\n{AFTER_PAWN}3c3d none -40 1 4\n8c8d none -190 1 2\n\
         4a3b none -140 1 1\n9c9d none none 1 1\n5a5b none -41 1 0\n"
    ))
}

#[test]
fn gains_are_those_of_hand_arithmetic() {
    let graph = mistakes();
    let found = graph.traps(&by_games(Color::Black));
    let expected =
        [("8c8d".to_owned(), 150, 0.25, 1.0, 37.5), ("4a3b".to_owned(), 100, 0.125, 1.0, 12.5)];
    assert_eq!(rows(&found.traps), expected);
    assert_eq!((found.unvalued, found.visited), (0.125, 2));
    let trap = &found.traps[0];
    assert_eq!((trap.best.to_string(), trap.best_score), ("3c3d".to_owned(), Score::cp(-40)));
    assert_eq!((trap.line.len(), trap.root, trap.position.ply()), (1, 0, 2));
    assert_eq!(found.traps.iter().map(|trap| trap.games).collect::<Vec<_>>(), [2, 1]);
    // Black's games are half of all; White's book has no mistake of Black.
    let both = graph.traps(&by_games(BookSides::Both));
    assert_eq!(both.traps[0].reach, 0.5);
    assert_eq!(both.traps[0].gain_cp, 18.75);
    // At 151 centipawns none is left, and none within the first move.
    let options = TrapOptions { least_loss_cp: 151, ..by_games(Color::Black) };
    assert!(graph.traps(&options).traps.is_empty());
    let options = TrapOptions { max_ply: Some(2), ..by_games(Color::Black) };
    assert!(graph.traps(&options).traps.is_empty());
}

#[test]
fn a_rivals_book_may_have_replies_without_a_value() {
    struct Replies;

    impl RivalBook for Replies {
        fn moves(&self, _: &Position) -> Vec<PlayableMove> {
            let of = |(text, games): (&str, u32)| PlayableMove {
                games,
                ..PlayableMove::new(text.parse().unwrap())
            };
            // The first one is illegal for White.
            [("7g7f", 9), ("8c8d", 3), ("1c1d", 1)].map(of).to_vec()
        }
    }

    let books: [&dyn RivalBook; 1] = [&Replies];
    let rival = Rival::Books { books: &books, temperature_cp: 20.0 };
    let options = TrapOptions { reach: ReachOptions::new(rival), ..by_games(Color::Black) };
    let found = mistakes().traps(&options);
    assert_eq!(rows(&found.traps), [("8c8d".to_owned(), 150, 0.75, 1.0, 112.5)]);
    assert_eq!(found.unvalued, 0.25);
}

#[test]
fn won_and_lost_games_hold_no_traps() {
    let reply = |best: &str, other: &str| {
        let text = format!(
            "{START}7g7f none 40 1 2\n{AFTER_PAWN}3c3d none {best} 1 1\n8c8d none {other} 1 1\n"
        );
        let found = book(&text).traps(&by_games(Color::Black));
        found.traps.iter().map(|trap| trap.loss_cp).collect::<Vec<_>>()
    };
    assert_eq!(reply("0", "-31990"), [2_000]);
    assert_eq!(reply("31990", "-31990"), [4_000]);
    assert!(reply("-2100", "-31990").is_empty());
    assert!(reply("31990", "2000").is_empty());
    assert_eq!(reply("31990", "1900"), [100]);
}

#[test]
fn books_without_the_root_have_no_traps() {
    let elsewhere = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    for roots in [vec![elsewhere], Vec::new()] {
        let options = TrapOptions { roots, ..by_games(Color::Black) };
        let found = mistakes().traps(&options);
        assert_eq!((found.traps.len(), found.visited, found.unvalued), (0, 0, 0.0));
    }
    let empty = BookGraph::from_records([]).unwrap();
    assert!(empty.traps(&by_games(Color::Black)).traps.is_empty());
}

/// The moves played in a position, with their probabilities.
type Answers<'a> = dyn Fn(&Position) -> Vec<(Move, f64)> + 'a;

/// The sums over all lines: the reach of each position with the opponent to move, and the
/// probability of each reply.
#[derive(Default)]
struct Sums {
    reach: BTreeMap<String, f64>,
    replies: BTreeMap<(String, String), f64>,
    unvalued: f64,
}

impl Sums {
    /// Passes a probability along every single line until one has `last` as its move number.
    fn flood(
        &mut self,
        graph: &BookGraph,
        at: &Position,
        chance: f64,
        last: u32,
        own: Color,
        answers: &Answers<'_>,
    ) {
        if graph.value(at).is_none() || at.ply() >= last {
            return;
        }
        let answers_here = answers(at);
        if at.side() != own {
            *self.reach.entry(name(at)).or_default() += chance;
            let valued: f64 = answers_here.iter().map(|&(_, share)| share).sum();
            self.unvalued += chance * (1.0 - valued);
        }
        for (m, share) in answers_here.into_iter().filter(|&(_, share)| share > 0.0) {
            if at.side() != own {
                let reply = (name(at), m.to_string());
                *self.replies.entry(reply).or_default() += chance * share;
            }
            self.flood(graph, &at.after(m), chance * share, last, own, answers);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn traps_are_those_of_all_lines(
        case in any_case(),
        smoothing in prop_oneof![Just(0.0), Just(1.0), Just(0.25)],
        least_loss_cp in 0u32..60,
    ) {
        let (graph, _, options) = case;
        let FrontierOptions { roots, sides, own_moves, max_ply, .. } = with_one_number(options);
        let reach = ReachOptions {
            least: 0.0,
            most_plies: 6,
            ..ReachOptions::new(Rival::Games { smoothing })
        };
        let options = TrapOptions { roots, sides, own_moves, max_ply, reach, least_loss_cp };
        let all = FrontierOptions {
            eval_diff: 100_000,
            own_moves,
            ..FrontierOptions::new(Position::hirate(), sides, Window::Best)
        };
        let mut sums = Sums::default();
        let share = 1.0 / (sides.colors().len() * options.roots.len()) as f64;
        for &own in sides.colors() {
            let answers = |at: &Position| -> Vec<(Move, f64)> {
                let moves = followed(&graph, &all, own, at, at);
                let equal = 1.0 / moves.len() as f64;
                if at.side() == own {
                    return moves.iter().map(|(m, _)| (m.m, equal)).collect();
                }
                let record = graph.record(at).expect("it has a value");
                let games = |m: Move| {
                    let listed = record.moves.iter().find(|listed| listed.m == m);
                    f64::from(listed.and_then(|listed| listed.count).unwrap_or(0))
                };
                let sum: f64 = record.moves.iter().map(|listed| games(listed.m)).sum();
                let sum = sum + smoothing * moves.len() as f64;
                let share = |m: Move| if sum > 0.0 { (games(m) + smoothing) / sum } else { equal };
                moves.iter().map(|(m, _)| (m.m, share(m.m))).collect()
            };
            // All roots have the number 1, so games of six more plies end before ply 8.
            let last = options.max_ply.map_or(8, |max| max.min(8));
            for root in &options.roots {
                sums.flood(&graph, root, share, last, own, &answers);
            }
        }
        let found = graph.traps(&options);
        prop_assert!((found.unvalued - sums.unvalued).abs() < 1e-9);
        let mut expected = BTreeMap::new();
        for ((at, reply), probability) in &sums.replies {
            let position = Position::from_sfen(&format!("{at} 1")).unwrap();
            let moves = graph.moves(&position);
            let of_reply = moves.iter().find(|ranked| ranked.m.to_string() == *reply).unwrap();
            let loss = moves[0].value.score.raw() - of_reply.value.score.raw();
            if loss >= least_loss_cp.max(1) as i32 {
                let gain = probability * f64::from(loss);
                expected.insert((at.clone(), reply.clone()), (gain, sums.reach[at]));
            }
        }
        prop_assert_eq!(found.traps.len(), expected.len());
        prop_assert!(found.traps.is_sorted_by(|one, other| one.gain_cp >= other.gain_cp));
        for trap in &found.traps {
            let (gain, reach) = expected[&(name(&trap.position), trap.reply.to_string())];
            prop_assert!((trap.gain_cp - gain).abs() < 1e-9, "{} {}", trap.gain_cp, gain);
            prop_assert!((trap.reach - reach).abs() < 1e-9, "{} {}", trap.reach, reach);
            let product = trap.reach * trap.probability * f64::from(trap.loss_cp);
            prop_assert!((trap.gain_cp - product).abs() < 1e-9);
            let mut at = options.roots[trap.root].clone();
            trap.line.iter().for_each(|&m| at.do_move(m));
            prop_assert_eq!(&at, &trap.position);
            let best = &graph.moves(&at)[0];
            prop_assert_eq!((trap.best, trap.best_score), (best.m, best.value.score));
        }
        prop_assert_eq!(graph.traps(&options), found);
    }
}

#[test]
fn in_a_cycle_each_visit_counts() {
    // Kings walk to and fro: White's reply 5a5b loses 60, and the other one leads back.
    let kings = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h none 0 1 1\n\
        sfen 4k4/9/9/9/9/9/9/4K4/9 w - 2\n5a5b none none 1 1\n5a4b none -60 1 1\n\
        sfen 9/4k4/9/9/9/9/9/4K4/9 b - 3\n5h5i none 0 1 1\n\
        sfen 9/4k4/9/9/9/9/9/9/4K4 w - 4\n5b5a none 0 1 1\n";
    let root = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    let options = TrapOptions {
        roots: vec![root],
        own_moves: OwnMoves::First,
        least_loss_cp: 50,
        ..by_games(Color::Black)
    };
    let found = book(kings).traps(&options);
    // Every fourth ply half of the games come back: 1 + 1/2 + 1/4 + … = 2 visits.
    assert_eq!(found.traps.len(), 1);
    let trap = &found.traps[0];
    assert!((trap.reach - 2.0).abs() < 1e-6, "{}", trap.reach);
    assert_eq!((trap.probability, trap.loss_cp, trap.line.len()), (0.5, 60, 1));
}
