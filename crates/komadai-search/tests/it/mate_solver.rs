//! Mate solvers handed to the search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_eval::Classical;
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver, MaxMoves, MoveGen};
use komadai_search::{AlphaBeta, Parameters, SearchOptions, Searcher, Techniques};
use komadai_testdata::openings;
use komadai_testdata::tsume::{Set, set};

/// Counters of the calls of a solver.
#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) root: AtomicU64,
    pub(crate) below: AtomicU64,
    nodes: AtomicU64,
}

/// Tries all checks and all replies, up to five plies.
pub(crate) struct Exhaustive(pub(crate) Arc<Calls>);

/// Returns a mate in at most `plies`; `None` also if the nodes run out.
fn mate(position: &Position, plies: u32, nodes: &mut u64, most: u64) -> Option<Vec<Move>> {
    for m in position.legal_moves() {
        if !position.gives_check(m) {
            continue;
        }
        if *nodes >= most {
            return None;
        }
        *nodes += 1;
        let after = position.after(m);
        let replies = after.legal_moves();
        let mut longest = Vec::new();
        let refuted = replies.iter().any(|&reply| {
            if plies < 3 {
                return true;
            }
            match mate(&after.after(reply), plies - 2, nodes, most) {
                Some(line) => {
                    if line.len() + 1 > longest.len() {
                        longest = [reply].into_iter().chain(line).collect();
                    }
                    false
                }
                None => true,
            }
        });
        if !refuted {
            return Some([m].into_iter().chain(longest).collect());
        }
    }
    None
}

impl MateSolver for Exhaustive {
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        let calls = if checks == CheckClass::All { &self.0.root } else { &self.0.below };
        calls.fetch_add(1, Ordering::Relaxed);
        let most = budget.nodes.expect("the search limits the nodes");
        let mut nodes = 0;
        let line = [1, 3, 5].into_iter().find_map(|plies| mate(position, plies, &mut nodes, most));
        self.0.nodes.fetch_add(nodes, Ordering::Relaxed);
        let result = match line {
            Some(line) => MateResult::Mate { line: line.into_iter().collect(), shortest: false },
            None => MateResult::Unknown,
        };
        MateReport::new(result, nodes)
    }
}

fn searcher(techniques: Techniques) -> (AlphaBeta<Classical>, Arc<Calls>) {
    let options = SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    let calls = Arc::<Calls>::default();
    searcher.set_mate_solver(Some(Box::new(Exhaustive(Arc::clone(&calls)))));
    (searcher, calls)
}

fn with_solver() -> (AlphaBeta<Classical>, Arc<Calls>) {
    searcher(Techniques::default() | Techniques::ANY_MATE_SOLVER)
}

fn without_time(analysis: Analysis) -> Analysis {
    Analysis { time: Duration::ZERO, ..analysis }
}

/// Checks that the line is legal and ends in mate.
fn assert_mates(position: &Position, analysis: &Analysis) {
    let line = &analysis.lines[0];
    let mut position = position.clone();
    for &m in line.pv.iter() {
        assert!(position.is_legal(m));
        position.do_move(m);
    }
    assert!(!position.has_legal_move() && position.in_check());
    assert_eq!(line.score, Score::mate_in(line.pv.len() as u32));
}

#[test]
fn mates_of_the_solver_are_adopted() {
    let (mut searcher, calls) = with_solver();
    let mut by_solver = 0;
    for problem in set(Set::ShortSelfplay).take(60) {
        let position = Position::from_sfen(problem.sfen).unwrap();
        searcher.new_game();
        let analysis = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
        assert!(analysis.nodes <= 10_000, "{}", analysis.nodes);
        if analysis.score().is_some_and(|score| score.is_mate() && score.raw() > 0)
            && analysis.completed
        {
            assert_mates(&position, &analysis);
            by_solver += 1;
        }
    }
    assert!(by_solver > 30, "{by_solver}");
    let [root, below] = [&calls.root, &calls.below].map(|count| count.load(Ordering::Relaxed));
    assert!(root > 0 && below > 0, "{root} {below}");
}

#[test]
fn the_solver_gets_its_share_and_results_stay_reproducible() {
    let (mut searcher, calls) = with_solver();
    for sfen in openings::sfens().take(4) {
        let position = Position::from_sfen(sfen).unwrap();
        let before = calls.nodes.load(Ordering::Relaxed);
        let budget = Budget::nodes(8_000);
        searcher.new_game();
        let first = searcher.search(&position, &budget, &mut |_| {});
        let spent = calls.nodes.load(Ordering::Relaxed) - before;
        assert!(first.nodes <= 8_000 && 3 * spent <= 8_000, "{spent}");
        searcher.new_game();
        let second = searcher.search(&position, &budget, &mut |_| {});
        assert_eq!(without_time(first), without_time(second));
    }
}

#[test]
fn a_solver_is_used_only_with_its_technique() {
    let (mut searcher, calls) = searcher(Techniques::default());
    let mut plain = AlphaBeta::new(
        Classical::default(),
        SearchOptions { hash_mib: 1, ..SearchOptions::default() },
    );
    let (position, budget) = (Position::hirate(), Budget::nodes(3_000));
    assert_eq!(
        without_time(searcher.search(&position, &budget, &mut |_| {})),
        without_time(plain.search(&position, &budget, &mut |_| {}))
    );
    assert_eq!(calls.root.load(Ordering::Relaxed) + calls.below.load(Ordering::Relaxed), 0);
    // Several threads: one of them has the solver.
    let techniques = Techniques::default() | Techniques::ANY_MATE_SOLVER;
    let options = SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() };
    searcher.set_options(SearchOptions { threads: 2, ..options });
    let analysis = searcher.search(&position, &Budget::nodes(20_000), &mut |_| {});
    assert!(position.is_legal(analysis.best_move().unwrap()));
}

#[test]
fn a_probable_mate_is_asked_for_and_an_improbable_one_is_not() {
    let calls = |mate_log_odds| {
        let (mut searcher, calls) = searcher(Techniques::default());
        let techniques = Techniques::default() | Techniques::PREDICTED_MATE_SOLVER;
        let parameters = Parameters { mate_log_odds, ..Parameters::default() };
        searcher.set_options(SearchOptions {
            hash_mib: 1,
            techniques,
            parameters,
            ..SearchOptions::default()
        });
        for problem in set(Set::ShortSelfplay).take(10) {
            let position = Position::from_sfen(problem.sfen).unwrap();
            searcher.new_game();
            let analysis = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
            assert!(analysis.nodes <= 10_000, "{}", analysis.nodes);
        }
        assert_eq!(calls.root.load(Ordering::Relaxed), 0);
        calls.below.load(Ordering::Relaxed)
    };
    let [never, seldom, often] = [10_000, 400, -700].map(calls);
    assert!(never == 0 && seldom < often, "{never} {seldom} {often}");
}

/// Claims mates that are none.
struct Liar;

impl MateSolver for Liar {
    fn solve(&mut self, position: &Position, _: &Budget, _: CheckClass) -> MateReport {
        let m = position.legal_moves().first().copied();
        let line = [m, "5e5d".parse().ok()].into_iter().flatten().collect();
        MateReport::new(MateResult::Mate { line, shortest: true }, 1)
    }
}

#[test]
fn what_is_no_mate_or_comes_too_late_is_not_adopted() {
    let techniques = Techniques::default() | Techniques::ANY_MATE_SOLVER;
    let options = || SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options());
    searcher.set_mate_solver(Some(Box::new(Liar)));
    let analysis = searcher.search(&Position::hirate(), &Budget::nodes(5_000), &mut |_| {});
    assert!(analysis.score().is_some_and(|score| !score.is_mate()));

    // A mate in three with two moves left.
    let position = Position::from_sfen("8k/9/7G1/9/9/9/9/9/4K4 b GR 1").unwrap();
    let (mut searcher, _) = with_solver();
    searcher.set_options(SearchOptions { max_moves: MaxMoves::new(2), ..options() });
    let analysis = searcher.search(&position, &Budget::nodes(20_000), &mut |_| {});
    for line in &analysis.lines {
        let plies = line.score.mate_plies();
        assert!(plies.is_none_or(|plies| plies <= 2), "{line:?}");
    }
}
