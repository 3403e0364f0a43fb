//! The report of a graph, against naive counts.

use std::collections::BTreeSet;

use komadai_bookgraph::frontier::{FrontierOptions, Window};
use komadai_bookgraph::{Basis, BookGraph};
use komadai_core::{Color, Position};
use komadai_report::book_page::{LineEnd, LineMove, MainLines, ReportData, ReportOptions};

use super::grown_book::{GrownBook, for_black, without_number};

const SEEDS: std::ops::Range<u64> = 0..12;

fn frontier_options(side: Color, window: Window, eval_diff: i32) -> FrontierOptions {
    FrontierOptions { eval_diff, ..FrontierOptions::new(Position::hirate(), side, window) }
}

#[test]
fn positions_are_counted_by_their_depths() {
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let graph = grown.book.graph();
        let data = ReportData::of_graph(graph, &ReportOptions::default());
        let (mut by_plies, mut endless, mut without) = (Vec::new(), [0, 0], 0);
        for record in graph.records() {
            match graph.value(&record.position) {
                None => without += 1,
                Some(value) if value.basis == Basis::Repetition => endless[0] += 1,
                Some(value) if value.basis == Basis::PerpetualCheck => endless[1] += 1,
                Some(value) => {
                    let plies = usize::from(value.plies);
                    by_plies.resize(by_plies.len().max(plies + 1), 0_u64);
                    by_plies[plies] += 1;
                }
            }
        }
        let depths = &data.depths;
        assert_eq!(depths.by_plies, by_plies);
        assert_eq!([depths.repetitions, depths.perpetual_checks], endless);
        assert_eq!(depths.without_value, without);
        assert_eq!(data.now.positions, graph.records().count() as u64);
        let moves: usize = graph.records().map(|record| record.moves.len()).sum();
        assert_eq!(data.now.moves, Some(moves as u64));
    }
}

#[test]
fn frontiers_are_those_of_the_graph() {
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let graph = grown.book.graph();
        let options = ReportOptions { sides: [Color::White].to_vec(), ..ReportOptions::default() };
        let data = ReportData::of_graph(graph, &options);
        let windows: Vec<_> = data.now.frontiers.iter().map(|shape| shape.count.window).collect();
        assert_eq!(windows, [Window::Free, Window::Best, Window::Root]);
        for shape in &data.now.frontiers {
            let wanted = frontier_options(Color::White, shape.count.window, 30);
            let lines: Vec<_> = graph.frontier(&wanted).iter().map(|found| found.line).collect();
            assert_eq!(shape.count.positions, lines.len());
            let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
            assert_eq!(shape.longest.len(), longest);
            assert!(lines.contains(&shape.longest) || lines.is_empty());
            for (length, &count) in shape.lengths.iter().enumerate() {
                assert_eq!(count, lines.iter().filter(|line| line.len() == length).count() as u64);
            }
            assert_eq!(shape.lengths.iter().sum::<u64>(), lines.len() as u64);
        }
        assert_eq!(data.frontier_steps.len(), 2 * options.eval_diff_steps.len());
        for count in &data.frontier_steps {
            let wanted = frontier_options(Color::White, count.window, count.eval_diff);
            let frontier = graph.frontier(&wanted);
            assert_eq!((count.positions, count.visited), (frontier.len(), frontier.visited()));
        }
    }
}

/// Checks every move of a tree, and collects the ends of lines.
struct LineCheck<'g> {
    graph: &'g BookGraph,
    side: Color,
    window: Window,
    eval_diff: i32,
    outside: BTreeSet<String>,
    lines: usize,
    joins: usize,
}

impl LineCheck<'_> {
    fn check(&mut self, moves: &[LineMove], position: &mut Position) {
        let ranked = self.graph.moves(position);
        let mut places = Vec::new();
        for known in moves {
            let place = ranked.iter().position(|ranked| ranked.m == known.m).expect("it is known");
            places.push(place);
            let value = ranked[place].value.score;
            assert_eq!(known.value, for_black(value, position.side()));
            if position.side() == self.side {
                assert_eq!(place, 0, "the book's side plays its best move");
            } else {
                let root = self.graph.value(&Position::hirate()).unwrap().score;
                let anchor = match self.window {
                    Window::Root => for_black(root, position.side()),
                    _ => ranked[0].value.score,
                };
                assert!(value.raw() >= anchor.raw() - self.eval_diff);
            }
            let listed = self.graph.record(position).unwrap().moves;
            let games = listed.iter().find(|listed| listed.m == known.m).and_then(|m| m.count);
            assert_eq!(known.games, games.unwrap_or(0));
            position.do_move(known.m);
            self.check_end(known, position);
            self.check(&known.next, position);
            position.undo_move();
        }
        assert!(places.is_sorted(), "the best move comes first");
        assert_eq!(moves.is_empty(), places.is_empty());
    }

    fn check_end(&mut self, known: &LineMove, position: &Position) {
        assert_eq!(known.end.is_some(), known.next.is_empty());
        let Some(end) = known.end else { return };
        self.lines += 1;
        self.joins += usize::from(end == LineEnd::Joins);
        assert_eq!(end == LineEnd::LeavesBook, self.graph.value(position).is_none());
        if end == LineEnd::LeavesBook {
            self.outside.insert(without_number(position));
        }
    }
}

/// The lines of a tree that leave the book, and the number of lines that join others.
fn checked_ends(
    graph: &BookGraph,
    lines: &MainLines,
    options: &ReportOptions,
) -> (BTreeSet<String>, usize) {
    let ReportOptions { window, eval_diff, .. } = *options;
    let (side, outside) = (lines.side, BTreeSet::new());
    let mut line_check = LineCheck { graph, side, window, eval_diff, outside, lines: 0, joins: 0 };
    line_check.check(&lines.moves, &mut Position::hirate());
    assert_eq!(line_check.lines, lines.lines);
    (line_check.outside, line_check.joins)
}

#[test]
fn all_lines_together_end_where_the_frontier_is() {
    let (mut met, mut joins) = (0, 0);
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let graph = grown.book.graph();
        for window in [Window::Best, Window::Root] {
            let (max_lines, eval_diff) = (usize::MAX, 120);
            let options =
                ReportOptions { window, eval_diff, max_lines, ..ReportOptions::default() };
            for side in Color::ALL {
                let lines = MainLines::of(graph, side, &options);
                assert_eq!(lines.omitted, 0);
                let (outside, joined) = checked_ends(graph, &lines, &options);
                let frontier = graph.frontier(&frontier_options(side, window, eval_diff));
                let expected: BTreeSet<String> =
                    frontier.iter().map(|found| without_number(&found.position)).collect();
                assert_eq!(outside, expected, "seed {seed}, {side:?}, {window:?}");
                met += outside.len();
                joins += joined;
            }
        }
    }
    assert!(met > 100 && joins > 2, "the books have lines ({met}) that meet ({joins})");
}

#[test]
fn lines_are_bounded_and_begin_with_the_best_one() {
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let graph = grown.book.graph();
        let start = Position::hirate();
        for side in Color::ALL {
            let all = MainLines::of(
                graph,
                side,
                &ReportOptions { max_lines: usize::MAX, ..ReportOptions::default() },
            );
            let few = ReportOptions { max_lines: 3, max_line_plies: 4, ..ReportOptions::default() };
            let lines = MainLines::of(graph, side, &few);
            assert_eq!(lines.lines, all.lines.min(3));
            assert!(lines.omitted > 0 || lines.lines < 3 || all.lines == 3);
            let mut position = start.clone();
            let (mut moves, mut plies) = (&lines.moves, 0);
            // Best moves of both sides come first, and are always there.
            while let Some(first) = moves.first() {
                assert_eq!(first.m, graph.moves(&position)[0].m);
                position.do_move(first.m);
                moves = &first.next;
                plies += 1;
            }
            assert!(plies <= 4);
            assert_eq!(plies, graph.best_line(&start, 4).len());
        }
    }
}
