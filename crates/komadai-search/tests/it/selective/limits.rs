//! Limits, rules of the game, and the shape of results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Move, Position, Score, UsiPosition};
use komadai_movegen::{MaxMoves, MoveGen, play};
use komadai_search::selective::{MoveModel, RealizationOptions};
use komadai_search::{SearchOptions, SearchRequest, Searcher};
use komadai_testdata::{openings, tsume};

use super::{search, searcher};

fn to_nats(position: &Position, nats: u32) -> Analysis {
    search(RealizationOptions::default(), position, nats)
}

fn game(moves: &str) -> Position {
    play(&UsiPosition::from_usi(moves).unwrap()).unwrap()
}

/// Plays a line, which must be legal; returns whether it ends in mate.
pub(super) fn ends_in_mate(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    for &m in line {
        assert!(position.is_legal(m), "{m} in {position}");
        position.do_move(m);
    }
    !position.has_legal_move()
}

#[test]
fn limits_are_kept() {
    let position = Position::hirate();
    let mut searcher = searcher(RealizationOptions::default());
    for nodes in [2_000, 20_000] {
        searcher.new_game();
        let analysis = searcher.search(&position, &Budget::nodes(nodes), &mut |_| {});
        assert_eq!(analysis.nodes, nodes);
        assert!(!analysis.completed && analysis.depth > 1);
    }
    let analysis = searcher.search(&position, &Budget::depth(3), &mut |_| {});
    assert!(analysis.completed && analysis.depth == 3, "{analysis:?}");
    let deadline = Instant::now() + Duration::from_millis(100);
    let budget = Budget { deadline: Some(deadline), ..Budget::unlimited() };
    assert!(!searcher.search(&position, &budget, &mut |_| {}).completed);
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
    let mut iterations = 0;
    let analysis = searcher.search(&position, &budget, &mut |analysis| {
        iterations += 1;
        assert_eq!(analysis.depth, iterations);
        stop.store(iterations == 4, Ordering::Relaxed);
    });
    assert_eq!(analysis.depth, 4);
    // Even without any node there is a move.
    let none = searcher.search(&position, &Budget::nodes(0), &mut |_| {});
    assert_eq!((none.depth, none.best_move().is_some()), (1, true));
}

#[test]
fn the_same_search_gives_the_same_result_after_a_new_game() {
    for model in [MoveModel::Softmax, MoveModel::Classes] {
        let mut searcher = searcher(RealizationOptions { model, ..RealizationOptions::default() });
        for sfen in openings::sfens().take(3) {
            let position = Position::from_sfen(sfen).unwrap();
            let mut run = || {
                searcher.new_game();
                searcher.search(&position, &Budget::nodes(10_000), &mut |_| {}).lines
            };
            assert_eq!(run(), run());
        }
    }
}

#[test]
fn short_mates_are_found() {
    let (mut found, mut all) = (0, 0);
    for problem in tsume::set(tsume::Set::ShortSelfplay).take(60) {
        let tsume::Expected::ShortestMate(1 | 3 | 5) = problem.expected else { continue };
        let position = Position::from_sfen(problem.sfen).unwrap();
        let mut searcher = searcher(RealizationOptions::default());
        let analysis = searcher.search(&position, &Budget::nodes(100_000), &mut |_| {});
        all += 1;
        if analysis.score().and_then(Score::mate_plies).is_some_and(|plies| plies > 0) {
            assert!(
                ends_in_mate(&position, &analysis.lines[0].pv),
                "{} {analysis:?}",
                problem.sfen
            );
            found += 1;
        }
    }
    assert!(found * 10 >= all * 9 && all > 30, "{found} of {all}");
}

#[test]
fn a_side_without_a_move_gets_no_line() {
    let position = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1").unwrap();
    let analysis = to_nats(&position, 5);
    assert!(analysis.lines.is_empty() && analysis.completed);
}

#[test]
fn a_declaration_wins_at_once() {
    let sfen = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
    let position = Position::from_sfen(sfen).unwrap();
    let analysis = to_nats(&position, 3);
    assert_eq!(analysis.score(), Some(Score::cp(Score::MAX_CP)));
    assert_eq!((analysis.lines.len(), analysis.best_move()), (1, None));
}

#[test]
fn the_lost_side_takes_the_draw_by_repetition() {
    let round = "5i5h 5a5b 5h5i 5b5a ";
    let shuffled = format!("4k4/9/9/9/9/9/9/9/4K4 b 2R 1 moves {round}{round}5i5h 5a5b 5h5i");
    let analysis = to_nats(&game(&shuffled), 5);
    assert_eq!(analysis.best_move(), Some("5b5a".parse().unwrap()));
    assert_eq!(analysis.score(), Some(Score::ZERO));
    let forgotten = to_nats(&game(&shuffled).without_history(), 5);
    assert!(forgotten.score().unwrap() < Score::cp(-1_000));
}

#[test]
fn perpetual_check_loses() {
    let round = "8h9h 9a8a 9h8h 8a9a ";
    let start = "k8/9/9/9/9/9/9/1+R7/8K b - 1 moves ";
    let position = game(&format!("{start}{round}{round}8h9h 9a8a 9h8h"));
    let analysis = to_nats(&position, 3);
    assert_eq!(analysis.best_move(), Some("8a9a".parse().unwrap()));
    assert_eq!(analysis.score(), Some(Score::cp(Score::MAX_CP)));
}

#[test]
fn the_move_limit_is_a_draw() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B 100").unwrap();
    let at = |moves| {
        let max_moves = MaxMoves::new(moves);
        let search_options = SearchOptions { max_moves, ..SearchOptions::default() };
        search(RealizationOptions { search: search_options, ..Default::default() }, &position, 3)
    };
    assert_eq!(at(100).score(), Some(Score::ZERO));
    assert!(at(500).score().unwrap() > Score::cp(2_000));
}

#[test]
fn only_the_moves_asked_for_are_chosen_from() {
    let position = Position::hirate();
    let among: [Move; 3] = ["5i5a", "9i9h", "9i9h"].map(|m| m.parse().unwrap());
    let budget = Budget::nodes(3_000);
    let request = SearchRequest { among: Some(&among), ..SearchRequest::new(&position, &budget) };
    let analysis = searcher(RealizationOptions::default()).run(&request, &mut |_| {});
    assert_eq!((analysis.best_move(), analysis.lines.len()), (Some(among[1]), 1));
    let request =
        SearchRequest { among: Some(&among[..1]), ..SearchRequest::new(&position, &budget) };
    let analysis = searcher(RealizationOptions::default()).run(&request, &mut |_| {});
    assert!(analysis.lines.is_empty() && analysis.completed);
}

#[test]
fn lines_are_distinct_ordered_and_legal() {
    let multi = SearchOptions { multi_pv: 4, ..SearchOptions::default() };
    let options = RealizationOptions { search: multi, ..RealizationOptions::default() };
    for sfen in openings::sfens().take(5) {
        let position = Position::from_sfen(sfen).unwrap();
        let budget = Budget::nodes(30_000);
        let last = searcher(options.clone()).search(&position, &budget, &mut |analysis| {
            assert!(analysis.lines.is_sorted_by(|a, b| a.score >= b.score));
        });
        let mut firsts: Vec<_> = last.lines.iter().map(|line| line.pv[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 4);
        for line in &last.lines {
            ends_in_mate(&position, &line.pv);
        }
    }
}
