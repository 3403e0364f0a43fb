//! Visitors of nodes and additions to the ordering of moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use komadai_core::{Analysis, Bound, Budget, Move, Position, Score};
use komadai_eval::{Classical, Evaluator, Material};
use komadai_movegen::MoveGen;
use komadai_search::{
    AlphaBeta, MoveOrder, NodeVisitor, SearchOptions, SearchRequest, Searcher, Techniques,
    VisitedNode,
};
use komadai_testdata::openings;

fn options() -> SearchOptions {
    SearchOptions { hash_mib: 1, ..SearchOptions::default() }
}

fn without_time(analysis: Analysis) -> Analysis {
    Analysis { time: Duration::ZERO, ..analysis }
}

/// Checks what every node promises.
#[derive(Default)]
struct Checker {
    root_key: u64,
    roots: Vec<(u32, Option<Move>, Score)>,
    inner: u64,
    quiescence: u64,
    deepest: u32,
}

impl Checker {
    fn check(&mut self, node: &VisitedNode<'_>) {
        assert!(node.best().is_none_or(|m| node.position().is_legal(m)));
        assert!(node.alpha() < node.beta());
        let score = node.score();
        if !score.is_mate() && !node.alpha().is_mate() && !node.beta().is_mate() {
            let expected = if score >= node.beta() {
                Bound::Lower
            } else if score <= node.alpha() {
                Bound::Upper
            } else {
                Bound::Exact
            };
            assert_eq!(node.bound(), expected);
        }
        let mut position = node.position().clone();
        for &m in node.line() {
            assert!(position.is_legal(m));
            position.do_move(m);
        }
        if node.ply() == 0 {
            assert_eq!(node.position().key(), self.root_key);
        }
        self.deepest = self.deepest.max(node.depth());
    }
}

impl NodeVisitor for Checker {
    fn root(&mut self, node: &VisitedNode<'_>) {
        self.check(node);
        assert_eq!(node.line().first().copied(), node.best());
        self.roots.push((node.depth(), node.best(), node.score()));
    }

    fn inner(&mut self, node: &VisitedNode<'_>) {
        assert!(node.depth() > 0 && node.ply() > 0);
        self.check(node);
        self.inner += 1;
    }

    fn quiescence(&mut self, node: &VisitedNode<'_>) {
        assert_eq!(node.depth(), 0);
        self.check(node);
        self.quiescence += 1;
    }
}

#[test]
fn a_visitor_sees_the_nodes_and_changes_nothing() {
    for sfen in openings::sfens().take(3) {
        let position = Position::from_sfen(sfen).unwrap();
        let budget = Budget::nodes(5_000);
        let mut checker = Checker { root_key: position.key(), ..Checker::default() };
        let mut iterations = Vec::new();
        let visited = AlphaBeta::new(Classical::default(), options()).search_visited(
            &SearchRequest::new(&position, &budget),
            &mut checker,
            &mut |found| {
                let score = found.score().unwrap();
                iterations.push((found.depth, found.best_move(), score));
            },
        );
        let mut plain = AlphaBeta::new(Classical::default(), options());
        let plain = plain.search(&position, &budget, &mut |_| {});
        assert_eq!(without_time(visited), without_time(plain));
        assert_eq!(checker.roots, iterations);
        assert!(checker.inner > 500 && checker.quiescence > 1_000 && checker.deepest >= 5);
        assert!(checker.inner + checker.quiescence < 10_000);
    }
}

#[test]
fn without_quiescence_and_pruning_a_visited_value_is_that_of_the_position() {
    /// Compares values of depth 1 with the best static value after a move.
    struct OnePly(u64);

    impl NodeVisitor for OnePly {
        fn inner(&mut self, node: &VisitedNode<'_>) {
            if node.depth() == 1 && node.bound() == Bound::Exact {
                let after = |m| -Material.evaluate_position(&node.position().after(m));
                let best = node.position().legal_moves().into_iter().map(after).max();
                assert_eq!(Some(node.score()), best);
                self.0 += 1;
            }
        }
    }

    let techniques = Techniques::empty();
    let mut searcher = AlphaBeta::new(Material, SearchOptions { techniques, ..options() });
    let mut visitor = OnePly(0);
    let budget = Budget::depth(2);
    let position = Position::hirate();
    let request = SearchRequest::new(&position, &budget);
    searcher.search_visited(&request, &mut visitor, &mut |_| {});
    assert!(visitor.0 > 0);
}

/// Orders drops and moves to the first file first, and counts its calls.
#[derive(Default)]
struct Edge {
    quiets: AtomicU64,
}

impl MoveOrder for Edge {
    fn root(&self, _: &Position, m: Move) -> i32 {
        i32::from(m.to_string().ends_with("1f"))
    }

    fn quiet(&self, position: &Position, m: Move) -> i32 {
        assert!(position.is_legal(m) && position.piece_on(m.to()).is_none() && !m.is_promotion());
        self.quiets.fetch_add(1, Ordering::Relaxed);
        i32::MAX
    }
}

#[test]
fn an_order_is_asked_for_root_moves_and_quiet_moves() {
    let position = Position::hirate();
    let mut searcher = AlphaBeta::new(Material, options());
    let order = Arc::new(Edge::default());
    searcher.set_move_order(Some(order.clone()));
    // After one ply, all moves have the same material.
    let first = searcher.search(&position, &Budget::depth(1), &mut |_| {});
    assert_eq!(first.best_move(), Some("1g1f".parse().unwrap()));
    let budget = Budget::nodes(3_000);
    let ordered = searcher.search(&position, &budget, &mut |_| {});
    assert!(position.is_legal(ordered.best_move().unwrap()));
    assert!(order.quiets.load(Ordering::Relaxed) > 1_000);
    // Without it, the searcher is like a new one.
    searcher.set_move_order(None);
    let again = searcher.search(&position, &budget, &mut |_| {});
    let new = AlphaBeta::new(Material, options()).search(&position, &budget, &mut |_| {});
    assert_eq!(without_time(again), without_time(new));
}

#[test]
fn an_order_that_adds_nothing_changes_nothing() {
    struct Nothing;
    impl MoveOrder for Nothing {}

    let (position, budget) = (Position::hirate(), Budget::nodes(5_000));
    let mut searcher = AlphaBeta::new(Classical::default(), options());
    searcher.set_move_order(Some(Arc::new(Nothing)));
    let ordered = searcher.search(&position, &budget, &mut |_| {});
    let plain =
        AlphaBeta::new(Classical::default(), options()).search(&position, &budget, &mut |_| {});
    assert_eq!(without_time(ordered), without_time(plain));
}
