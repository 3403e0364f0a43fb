//! The rules of the game inside the search, and the shape of its results.

use komadai_core::{Analysis, Budget, Move, Position, Score, UsiPosition};
use komadai_eval::{Classical, Material};
use komadai_movegen::{DeclarationRule, MaxMoves, MoveGen, play};
use komadai_search::{AlphaBeta, SearchOptions, SearchRequest, Searcher};
use komadai_testdata::{openings, tsume};

fn search(position: &Position, options: SearchOptions, budget: &Budget) -> Analysis {
    let options = SearchOptions { hash_mib: 1, ..options };
    AlphaBeta::new(Classical::default(), options).search(position, budget, &mut |_| {})
}

fn to_depth(position: &Position, depth: u32) -> Analysis {
    search(position, SearchOptions::default(), &Budget::depth(depth))
}

/// Plays a line, which must be legal, and checks whether it ends in mate.
fn ends_in_mate(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    for &m in line {
        assert!(position.is_legal(m), "{m} in {position}");
        position.do_move(m);
    }
    !position.has_legal_move()
}

/// Checks whether the side to move mates in at most `plies`, by trying every move.
fn mates_within(position: &mut Position, plies: u32) -> bool {
    let moves = position.legal_moves();
    plies > 0
        && moves.into_iter().any(|m| {
            position.do_move(m);
            let mated = is_mated_within(position, plies - 1);
            position.undo_move();
            mated
        })
}

fn is_mated_within(position: &mut Position, plies: u32) -> bool {
    let moves = position.legal_moves();
    (moves.is_empty() || plies > 0)
        && moves.into_iter().all(|m| {
            position.do_move(m);
            let mates = mates_within(position, plies - 1);
            position.undo_move();
            mates
        })
}

#[test]
fn short_mates_are_found_with_their_lengths() {
    let (mut counts, mut longer) = ([0; 6], 0);
    for problem in tsume::set(tsume::Set::ShortSelfplay) {
        let tsume::Expected::ShortestMate(plies @ (1 | 3 | 5)) = problem.expected else { continue };
        let position = Position::from_sfen(problem.sfen).unwrap();
        let analysis = search(&position, SearchOptions::default(), &Budget::nodes(2_000_000));
        let score = analysis.score().unwrap();
        let found = score.mate_plies().unwrap_or_else(|| panic!("no mate: {}", problem.sfen));
        assert!(found > 0 && ends_in_mate(&position, &analysis.lines[0].pv), "{}", problem.sfen);
        if (found as u32) < plies {
            // Problems allow nothing but checks; a quiet move may mate sooner.
            assert!(mates_within(&mut position.clone(), found as u32), "{}", problem.sfen);
        }
        // Reductions and pruning may hide the shortest of several mates.
        longer += u32::from(found as u32 > plies);
        counts[plies as usize] += 1;
    }
    assert!(longer <= 3, "{longer} mates are longer than they need be");
    assert!(counts[1] > 0 && counts[3] > 50 && counts[5] > 0, "{counts:?}");
}

#[test]
fn a_side_without_a_move_gets_no_line() {
    let position = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1").unwrap();
    let analysis = to_depth(&position, 5);
    assert!(analysis.lines.is_empty() && analysis.completed);
    assert_eq!(analysis.best_move(), None);
}

#[test]
fn the_losing_side_holds_out_as_long_as_it_can() {
    let mate_in_3 = tsume::Expected::ShortestMate(3);
    let problems = tsume::set(tsume::Set::ShortSelfplay).filter(|p| p.expected == mate_in_3);
    for problem in problems.take(20) {
        let mut position = Position::from_sfen(problem.sfen).unwrap();
        position.do_move(to_depth(&position, 6).best_move().unwrap());
        let analysis = to_depth(&position, 6);
        assert_eq!(analysis.score(), Some(Score::mated_in(2)), "{position}");
        assert!(ends_in_mate(&position, &analysis.lines[0].pv));
    }
}

#[test]
fn lines_are_distinct_ordered_and_legal() {
    let options = SearchOptions { hash_mib: 1, multi_pv: 5, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    for sfen in openings::sfens().take(10) {
        let position = Position::from_sfen(sfen).unwrap();
        let check = |analysis: &Analysis| {
            let mut firsts: Vec<_> = analysis.lines.iter().map(|line| line.pv[0]).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), 5);
            for line in &analysis.lines {
                ends_in_mate(&position, &line.pv);
            }
        };
        let budget = Budget::nodes(60_000);
        let last = searcher.search(&position, &budget, &mut |finished| {
            assert!(finished.lines.is_sorted_by(|a, b| a.score >= b.score));
            check(finished);
        });
        check(&last);
    }
}

#[test]
fn more_lines_than_moves_are_all_moves() {
    let position = Position::from_sfen("k8/9/9/9/9/9/9/9/8K b - 1").unwrap();
    let options = SearchOptions { multi_pv: 100, ..SearchOptions::default() };
    let analysis = search(&position, options, &Budget::depth(3));
    assert_eq!(analysis.lines.len(), 3);
}

#[test]
fn only_the_moves_asked_for_are_chosen_from() {
    let position = Position::hirate();
    let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
    let budget = Budget::nodes(3_000);
    let mut search_among = |position: &Position, among: &[Move]| {
        let request = SearchRequest { among: Some(among), ..SearchRequest::new(position, &budget) };
        searcher.run(&request, &mut |_| {})
    };
    // Not useful, so no part of the search, but legal.
    let quiet = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b - 1").unwrap();
    let unpromoted: Move = "5c5b".parse().unwrap();
    let analysis = search_among(&quiet, &[unpromoted]);
    assert_eq!(analysis.best_move(), Some(unpromoted));

    let illegal: Move = "5i5a".parse().unwrap();
    let legal: Move = "9i9h".parse().unwrap();
    let moves = [illegal, legal, legal];
    let analysis = search_among(&position, &moves);
    assert_eq!((analysis.best_move(), analysis.lines.len()), (Some(legal), 1));
    let analysis = search_among(&position, &[illegal]);
    assert!(analysis.lines.is_empty() && analysis.completed);
}

fn game(moves: &str) -> Position {
    play(&UsiPosition::from_usi(moves).unwrap()).unwrap()
}

#[test]
fn the_lost_side_takes_the_draw_by_repetition() {
    // White is two rooks behind, but may bring about the start for the fourth time.
    let round = "5i5h 5a5b 5h5i 5b5a ";
    let shuffled = format!("4k4/9/9/9/9/9/9/9/4K4 b 2R 1 moves {round}{round}5i5h 5a5b 5h5i");
    let position = game(&shuffled);
    let analysis = to_depth(&position, 5);
    assert_eq!(analysis.best_move(), Some("5b5a".parse().unwrap()));
    assert_eq!(analysis.score(), Some(Score::ZERO));
    let forgotten = to_depth(&position.without_history(), 5);
    assert!(forgotten.score().unwrap() < Score::cp(-1_000));
}

#[test]
fn perpetual_check_loses() {
    // The dragon has checked with every move; the king's next step repeats for the fourth time.
    let round = "8h9h 9a8a 9h8h 8a9a ";
    let start = "k8/9/9/9/9/9/9/1+R7/8K b - 1 moves ";
    let position = game(&format!("{start}{round}{round}8h9h 9a8a 9h8h"));
    let analysis = to_depth(&position, 3);
    assert_eq!(analysis.best_move(), Some("8a9a".parse().unwrap()));
    assert_eq!(analysis.score(), Some(Score::cp(Score::MAX_CP)));
    // A move earlier, the side with the dragon does better than to go on.
    let position = game(&format!("{start}{round}{round}8h9h 9a8a"));
    let analysis = to_depth(&position, 3);
    assert_ne!(analysis.best_move(), Some("9h8h".parse().unwrap()));
    assert!(analysis.score().unwrap() > Score::ZERO);
}

#[test]
fn the_move_limit_is_a_draw() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b 2R2B 100";
    let position = Position::from_sfen(sfen).unwrap();
    let won = to_depth(&position, 3).score().unwrap();
    assert!(won > Score::cp(2_000));
    for (moves, expected) in [(100, Score::ZERO), (101, Score::ZERO), (500, won)] {
        let options = SearchOptions { max_moves: MaxMoves::new(moves), ..SearchOptions::default() };
        let analysis = search(&position, options, &Budget::depth(3));
        assert_eq!(analysis.score(), Some(expected), "{moves}");
    }
    // A mate with the last move still counts.
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 100").unwrap();
    let options = SearchOptions { max_moves: MaxMoves::new(100), ..SearchOptions::default() };
    let analysis = search(&position, options, &Budget::depth(3));
    assert_eq!(analysis.score(), Some(Score::mate_in(1)));
}

#[test]
fn an_entered_king_declares() {
    let sfen = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
    let position = Position::from_sfen(sfen).unwrap();
    let depth = Budget::depth(3);
    let analysis = search(&position, SearchOptions::default(), &depth);
    assert_eq!(analysis.score(), Some(Score::cp(Score::MAX_CP)));
    assert!(analysis.lines[0].pv.is_empty() && analysis.completed);

    let none = SearchOptions { declaration: DeclarationRule::None, ..SearchOptions::default() };
    let analysis = search(&position, none.clone(), &depth);
    assert!(analysis.best_move().is_some_and(|m| position.is_legal(m)));

    // A move before, the search sees it coming.
    let near = "1+P+P+P+P+P+P+P+B/+R+R+B6/1+P7/K8/9/9/9/9/4k4 b P 1";
    let near = Position::from_sfen(near).unwrap();
    let depth = Budget::depth(4);
    let analysis = search(&near, SearchOptions::default(), &depth);
    assert_eq!(analysis.score(), Some(Score::cp(Score::MAX_CP)));
    assert!(search(&near, none, &depth).score().unwrap() < Score::cp(Score::MAX_CP));
}
