//! Alpha-beta and Monte Carlo tree search side by side, and the choice between their moves.
//!
//! Both search the same position at the same time, each on its own threads. The tree reads the table
//! of alpha-beta, whose mates and best moves help it. At the end, [`choose`]
//! compares the two results.
//!
//! Source: the appeal document of ym-shogi, 2012, and its author's diary (2008-12-21 and 2012-04-11) for the
//! thresholds.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use komadai_core::{Analysis, Budget, Line, Move, Position, Pv, Score};
use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;

use crate::alpha_beta::AlphaBeta;
use crate::monte_carlo::{MonteCarlo, MonteCarloOptions, Proven, RootMove};
use crate::options::SearchOptions;
use crate::searcher::Searcher;

/// The thresholds of [`choose`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ChoiceRules {
    /// With fewer results, the tree's opinion does not count.
    pub min_playouts: u64,
    /// The rate of alpha-beta's move below which it is doubted.
    pub low_rate: f32,
    /// By how much the rate of the tree's move must be higher.
    pub rate_gap: f32,
    /// Visits of alpha-beta's move below which its rate does not count.
    pub min_visits: u32,
    /// The value of alpha-beta, in centipawns, below which the tree's move is chosen.
    pub losing_cp: i32,
}

impl Default for ChoiceRules {
    /// Returns 3,000 results, a rate of 0.45 with a gap of 0.15 after 200 visits, and −2,000 centipawns.
    ///
    /// The last is the author's; he compares rates of 0.40 and 0.60.
    fn default() -> Self {
        Self {
            min_playouts: 3_000,
            low_rate: 0.45,
            rate_gap: 0.15,
            min_visits: 200,
            losing_cp: -2_000,
        }
    }
}

/// The rule by which a move was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ChoiceRule {
    /// Alpha-beta has found a mate.
    AlphaBetaMate,
    /// The tree has proved a win.
    TreeProof,
    /// The tree has too few results.
    FewPlayouts,
    /// Both chose the same move.
    Agreement,
    /// The rate of alpha-beta's move is low and that of the tree's move is higher.
    LowRate,
    /// The value of alpha-beta is low.
    Losing,
    /// No other rule applies: alpha-beta's move.
    AlphaBeta,
}

impl fmt::Display for ChoiceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AlphaBetaMate => "alpha-beta mate",
            Self::TreeProof => "tree proof",
            Self::FewPlayouts => "few playouts",
            Self::Agreement => "agreement",
            Self::LowRate => "low rate",
            Self::Losing => "losing",
            Self::AlphaBeta => "alpha-beta",
        })
    }
}

/// A chosen move and the rule that chose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` if there is none.
    pub m: Option<Move>,
    /// The rule.
    pub rule: ChoiceRule,
}

/// Chooses between the moves of an alpha-beta search and a tree search, whose moves are `tree`, best
/// first, after `playouts` results.
///
/// The rules, in order: a mate by alpha-beta; a win proved by the tree; too few results; the same move;
/// a low rate of alpha-beta's move where the tree has a better one; a low value of alpha-beta; otherwise
/// alpha-beta's move.
#[must_use]
pub fn choose(
    alpha_beta: &Analysis,
    tree: &[RootMove],
    playouts: u64,
    rules: &ChoiceRules,
) -> Choice {
    let own = alpha_beta.best_move();
    let by = |rule| Choice { m: own, rule };
    let Some(best) = tree.first().filter(|_| own.is_some()) else {
        return by(ChoiceRule::AlphaBeta);
    };
    let from_tree = |rule| Choice { m: Some(best.m), rule };
    let score = alpha_beta.score().unwrap_or_default();
    if score.is_mate() && score > Score::ZERO {
        return by(ChoiceRule::AlphaBetaMate);
    }
    if matches!(best.proven, Some(Proven::Win { .. })) {
        return from_tree(ChoiceRule::TreeProof);
    }
    if playouts < rules.min_playouts {
        return by(ChoiceRule::FewPlayouts);
    }
    if own == Some(best.m) {
        return by(ChoiceRule::Agreement);
    }
    let rate_of_own = tree.iter().find(|root_move| own == Some(root_move.m));
    let is_doubted = rate_of_own.is_some_and(|own| {
        own.visits >= rules.min_visits
            && own.rate < rules.low_rate
            && best.rate >= own.rate + rules.rate_gap
    });
    if is_doubted {
        return from_tree(ChoiceRule::LowRate);
    }
    if score.raw() < rules.losing_cp {
        return from_tree(ChoiceRule::Losing);
    }
    by(ChoiceRule::AlphaBeta)
}

/// Alpha-beta and Monte Carlo tree search side by side.
///
/// Each gets the whole budget: with one thread each they use two processors. The nodes of the result are
/// those of both.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Classical;
/// use komadai_search::hybrid::Hybrid;
/// use komadai_search::monte_carlo::MonteCarloOptions;
/// use komadai_search::{SearchOptions, Searcher};
///
/// let mut searcher = Hybrid::new(
///     Classical::default(),
///     SearchOptions::default(),
///     MonteCarloOptions::modern(),
/// );
/// let analysis = searcher.search(&Position::hirate(), &Budget::nodes(5_000), &mut |_| {});
/// let choice = searcher.last_choice().expect("a search has been made");
/// assert_eq!(analysis.best_move(), choice.m);
/// ```
#[derive(Debug)]
pub struct Hybrid<E> {
    alpha_beta: AlphaBeta<Arc<E>>,
    tree: MonteCarlo<Arc<E>>,
    rules: ChoiceRules,
    last: Option<Choice>,
}

impl<E: Evaluator> Hybrid<E> {
    /// Returns the two searchers, each with half of the memory of `options`. Rules and draw value of the
    /// tree search are those of `options` as well.
    #[must_use]
    pub fn new(evaluator: E, options: SearchOptions, tree: MonteCarloOptions) -> Self {
        let evaluator = Arc::new(evaluator);
        let (options, mut tree) = (half(options), tree);
        tree.search = options.clone();
        let alpha_beta = AlphaBeta::new(Arc::clone(&evaluator), options);
        let mut tree = MonteCarlo::new(evaluator, tree);
        tree.set_advice(Some(Arc::clone(alpha_beta.table())));
        Self { alpha_beta, tree, rules: ChoiceRules::default(), last: None }
    }

    /// Changes the thresholds of the choice.
    pub fn set_rules(&mut self, rules: ChoiceRules) {
        self.rules = rules;
    }

    /// Adopts a solver for the tree search.
    pub fn set_mate_solver(&mut self, solver: Option<Box<dyn MateSolver + Send>>) {
        self.tree.set_mate_solver(solver);
    }

    /// Returns the choice of the last search.
    #[must_use]
    pub fn last_choice(&self) -> Option<Choice> {
        self.last
    }

    /// Returns the tree search.
    #[must_use]
    pub fn tree(&self) -> &MonteCarlo<Arc<E>> {
        &self.tree
    }

    fn run(
        &mut self,
        position: &Position,
        only: Option<&[Move]>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let is_over = AtomicBool::new(false);
        let Self { alpha_beta, tree, .. } = self;
        let (mut found, tree_found) = std::thread::scope(|scope| {
            let is_over = &is_over;
            let handle = scope.spawn(move || {
                tree.search_until(position, only, budget, Some(is_over), &mut |_| {})
            });
            let found = match only {
                Some(moves) => alpha_beta.search_among(position, moves, budget, progress),
                None => alpha_beta.search(position, budget, progress),
            };
            // A search that ends before its budget has proved its result, or has reached its depth.
            if found.completed || budget.nodes.is_none() {
                is_over.store(true, Ordering::Relaxed);
            }
            (found, handle.join().ok())
        });
        let choice = choose(&found, self.tree.root_moves(), self.tree.playouts(), &self.rules);
        self.last = Some(choice);
        let tree_found = tree_found.unwrap_or_default();
        found.nodes += tree_found.nodes;
        if choice.m != found.best_move()
            && let Some(m) = choice.m
        {
            let line = tree_found.lines.into_iter().find(|line| line.pv.first() == Some(&m));
            let line = line.unwrap_or_else(|| Line::exact(Score::ZERO, Pv::from_parts(m, &[])));
            found.lines.retain(|other| other.pv.first() != Some(&m));
            found.lines.insert(0, line);
            found.lines.truncate(self.alpha_beta.options().multi_pv.max(1));
        }
        found
    }
}

/// Half of the memory for each of the two.
fn half(options: SearchOptions) -> SearchOptions {
    let hash_mib = (options.hash_mib / 2).max(1);
    options.with_hash_mib(hash_mib)
}

impl<E: Evaluator> Searcher for Hybrid<E> {
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(position, None, budget, progress)
    }

    fn search_among(
        &mut self,
        position: &Position,
        moves: &[Move],
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(position, Some(moves), budget, progress)
    }

    fn new_game(&mut self) {
        self.alpha_beta.new_game();
        self.tree.new_game();
    }

    fn set_options(&mut self, options: SearchOptions) {
        let options = half(options);
        self.alpha_beta.set_options(options.clone());
        self.tree.set_options(options);
        self.tree.set_advice(Some(Arc::clone(self.alpha_beta.table())));
    }

    fn memory_mib(&self) -> usize {
        self.alpha_beta.memory_mib() + self.tree.memory_mib()
    }

    fn hash_full(&self) -> Option<u32> {
        self.alpha_beta.hash_full()
    }
}

#[cfg(test)]
mod tests {
    use komadai_eval::Classical;
    use komadai_testdata::positions;

    use super::*;

    const OWN: &str = "7g7f";
    const OTHER: &str = "2g2f";

    fn analysis(score: Score) -> Analysis {
        let pv = Pv::from_parts(OWN.parse().unwrap(), &[]);
        Analysis { lines: vec![Line::exact(score, pv)], ..Analysis::default() }
    }

    fn root_move(m: &str, visits: u32, rate: f32) -> RootMove {
        RootMove::new(m.parse().unwrap(), visits, rate)
    }

    /// Returns the rule for a score of alpha-beta, and the rates of its move and of the tree's.
    fn rule(score: Score, own: (u32, f32), other: f32, playouts: u64) -> ChoiceRule {
        let tree = [root_move(OTHER, 5_000, other), root_move(OWN, own.0, own.1)];
        let choice = choose(&analysis(score), &tree, playouts, &ChoiceRules::default());
        let is_tree =
            matches!(choice.rule, ChoiceRule::LowRate | ChoiceRule::Losing | ChoiceRule::TreeProof);
        assert_eq!(choice.m, Some((if is_tree { OTHER } else { OWN }).parse().unwrap()));
        choice.rule
    }

    #[test]
    fn rules_apply_in_order_and_at_their_bounds() {
        use ChoiceRule::*;
        let cp = Score::cp;
        // The rates of the author's example: 0.40 against 0.60.
        assert_eq!(rule(cp(0), (200, 0.40), 0.60, 3_000), LowRate);
        assert_eq!(rule(cp(0), (199, 0.40), 0.60, 3_000), AlphaBeta, "too few visits");
        assert_eq!(rule(cp(0), (200, 0.45), 0.65, 3_000), AlphaBeta, "not low");
        assert_eq!(rule(cp(0), (200, 0.44), 0.58, 3_000), AlphaBeta, "the gap is too small");
        assert_eq!(rule(cp(0), (200, 0.40), 0.60, 2_999), FewPlayouts);
        assert_eq!(rule(cp(-2_001), (200, 0.5), 0.5, 3_000), Losing);
        assert_eq!(rule(cp(-2_000), (200, 0.5), 0.5, 3_000), AlphaBeta);
        assert_eq!(rule(cp(-2_001), (200, 0.5), 0.5, 10), FewPlayouts);
        assert_eq!(rule(Score::mate_in(5), (200, 0.1), 0.9, 3_000), AlphaBetaMate);
        assert_eq!(rule(Score::mated_in(5), (200, 0.1), 0.1, 3_000), Losing);
    }

    #[test]
    fn a_proven_win_outranks_all_but_a_mate_of_alpha_beta() {
        let mut won = root_move(OTHER, 10, 1.0);
        won.proven = Some(Proven::Win { plies: 3 });
        let tree = [won, root_move(OWN, 10, 0.9)];
        let chosen = |score| choose(&analysis(score), &tree, 10, &ChoiceRules::default()).rule;
        assert_eq!(chosen(Score::cp(500)), ChoiceRule::TreeProof);
        assert_eq!(chosen(Score::mate_in(9)), ChoiceRule::AlphaBetaMate);
    }

    #[test]
    fn the_same_move_is_agreement_and_without_a_move_alpha_beta_decides() {
        let tree = [root_move(OWN, 10, 0.1), root_move(OTHER, 10, 0.9)];
        let rules = ChoiceRules::default();
        let chosen = choose(&analysis(Score::cp(-5_000)), &tree, 10_000, &rules);
        assert_eq!(chosen.rule, ChoiceRule::Agreement);
        let none = choose(&Analysis::default(), &tree, 10_000, &rules);
        assert_eq!((none.m, none.rule), (None, ChoiceRule::AlphaBeta));
        assert_eq!(choose(&analysis(Score::ZERO), &[], 0, &rules).rule, ChoiceRule::AlphaBeta);
    }

    #[test]
    fn with_too_few_playouts_the_result_is_that_of_alpha_beta_alone() {
        let budget = Budget::nodes(8_000);
        let options = || SearchOptions::default().with_hash_mib(16);
        let mut both = Hybrid::new(Classical::default(), options(), MonteCarloOptions::modern());
        both.set_rules(ChoiceRules { min_playouts: u64::MAX, ..ChoiceRules::default() });
        let mut alone = AlphaBeta::new(Classical::default(), half(options()));
        for bench in positions::bench() {
            let position = Position::from_sfen(bench.sfen).unwrap();
            both.new_game();
            alone.new_game();
            let found = both.search(&position, &budget, &mut |_| {});
            let expected = alone.search(&position, &budget, &mut |_| {});
            if both.last_choice().unwrap().rule != ChoiceRule::TreeProof {
                assert_eq!(found.lines, expected.lines, "{}", bench.name);
            }
        }
    }
}
