//! Alpha-beta and Monte Carlo tree search side by side, and the choice between their moves.
//!
//! Both search the same position at the same time, each on its own threads. The tree reads the
//! table of alpha-beta, whose mates and best moves help it; alpha-beta reads the mates that the tree
//! proves, which end its search at the root and at nodes of the principal variation. At the end,
//! [`choose`] compares the two results.
//!
//! Source: the appeal document of ym-shogi, 2012, and its author's diary (2008-12-21 and
//! 2012-04-11) for the thresholds.

use core::cmp::Reverse;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use komadai_core::{Analysis, Budget, Line, Move, Position, Pv, Score};
use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;

use crate::alpha_beta::AlphaBeta;
use crate::lazy_smp::BesideTree;
use crate::monte_carlo::favourite::Favourite;
use crate::monte_carlo::{Beside, MonteCarlo, MonteCarloOptions, Proven, RootMove, StopOnPanic};
use crate::options::SearchOptions;
use crate::proof_table::ProofTable;
use crate::searcher::{SearchRequest, Searcher, SearcherState};

/// The thresholds of [`choose`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiceRules {
    /// With fewer nodes of the tree search, its opinion does not count. They are results times
    /// nodes a result, so that quiescence leaves of nine nodes and random games of twenty meet the
    /// same bar.
    pub min_nodes: u64,
    /// The rate of alpha-beta's move below which it is doubted.
    pub low_rate: f32,
    /// By how much the rate of the tree's move must be higher.
    pub rate_gap: f32,
    /// Visits of alpha-beta's move below which its rate does not count.
    pub min_visits: u32,
    /// The value of alpha-beta below which the tree's move is chosen: in the centipawns of the
    /// values for [`choose`], in those of an evaluator of scale 1 for [`Hybrid`].
    pub losing_cp: i32,
}

impl Default for ChoiceRules {
    /// Returns 10,000 nodes, a rate of 0.45 with a gap of 0.15 after 200 visits, and −2,000
    /// centipawns.
    ///
    /// The last is the author's; he compares rates of 0.40 and 0.60. The nodes, untuned, are those of
    /// 500 to 1,100 results; alpha-beta's move gets a quarter of them.
    fn default() -> Self {
        Self {
            min_nodes: 10_000,
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
    /// The tree has had too few nodes.
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

/// A chosen move, the rule that chose it, and the two moves to choose between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` if there is none.
    pub m: Option<Move>,
    /// The rule.
    pub rule: ChoiceRule,
    /// The move of alpha-beta.
    pub alpha_beta: Option<Move>,
    /// The best move of the tree.
    pub tree: Option<Move>,
}

/// Shows the rule and both moves: `rule=low rate alpha-beta=7g7f tree=2g2f`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |m: Option<Move>| m.map_or_else(|| "none".to_owned(), |m| m.to_string());
        let alpha_beta = text(self.alpha_beta);
        let tree = text(self.tree);
        write!(f, "rule={} alpha-beta={alpha_beta} tree={tree}", self.rule)
    }
}

/// Chooses between the moves of an alpha-beta search and a tree search, whose moves are `tree`,
/// best first, after `tree_nodes` nodes of its own.
///
/// The rules, in order: a mate by alpha-beta; a win proved by the tree; too few nodes; the same
/// move; a low rate of alpha-beta's move where the tree has a better one; a low value of
/// alpha-beta; otherwise alpha-beta's move.
pub fn choose(
    alpha_beta: &Analysis,
    tree: &[RootMove],
    tree_nodes: u64,
    rules: &ChoiceRules,
) -> Choice {
    let own = alpha_beta.best_move();
    let best_of_tree = tree.first().map(|best| best.m);
    let by = |rule| Choice { m: own, rule, alpha_beta: own, tree: best_of_tree };
    let Some(best) = tree.first().filter(|_| own.is_some()) else {
        return by(ChoiceRule::AlphaBeta);
    };
    let from_tree = |rule| Choice { m: best_of_tree, ..by(rule) };
    let score = alpha_beta.score().unwrap_or_default();
    if score.is_mate() && score > Score::ZERO {
        return by(ChoiceRule::AlphaBetaMate);
    }
    if matches!(best.proven, Some(Proven::Win { .. })) {
        return from_tree(ChoiceRule::TreeProof);
    }
    if tree_nodes < rules.min_nodes {
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
/// The threads are divided: the tree gets half of them, rounded down, and each search at least one,
/// so that one thread in the options means two. Each gets the whole budget; the nodes of the result
/// are those of both. A limit of depth is one for alpha-beta.
///
/// While both search, the best move of alpha-beta gets a quarter of the tree's results until it has
/// the visits that the rules demand. A win that the tree proves ends the search.
///
/// Alpha-beta finds the mates of the tree when it comes to them, so that with the settings of both
/// and one thread for each, two searches may differ where there are mates. Elsewhere the moves of
/// alpha-beta are those of [`AlphaBeta`] alone.
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
    /// The mates that the tree has proved.
    proofs: Box<ProofTable>,
    rules: ChoiceRules,
    last: Option<Choice>,
}

impl<E: Evaluator> Hybrid<E> {
    /// Returns the two searchers, each with half of the memory of `options`. Rules and draw value
    /// of the tree search are those of `options` as well.
    pub fn new(evaluator: E, options: SearchOptions, tree: MonteCarloOptions) -> Self {
        Self::with_shared(Arc::new(evaluator), options, tree)
    }

    /// Returns the two searchers with an evaluator that others use as well; see [`new`](Self::new).
    pub fn with_shared(
        evaluator: Arc<E>,
        options: SearchOptions,
        mut tree: MonteCarloOptions,
    ) -> Self {
        let [own, of_tree] = divide(options);
        tree.search = of_tree;
        let alpha_beta = AlphaBeta::new(Arc::clone(&evaluator), own);
        let mut tree = MonteCarlo::new(evaluator, tree);
        tree.set_advice(Some(Arc::clone(alpha_beta.table())));
        let proofs = Box::new(ProofTable::new());
        Self { alpha_beta, tree, proofs, rules: ChoiceRules::default(), last: None }
    }

    /// Changes the thresholds of the choice.
    pub fn set_rules(&mut self, rules: ChoiceRules) {
        self.rules = rules;
    }

    /// Adopts a solver for each of the two searches, which `make` makes, and empties their tables.
    /// Alpha-beta uses its own as far as the techniques allow: see
    /// [`AlphaBeta::set_mate_solver`].
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_eval::Material;
    /// use komadai_movegen::MateInOne;
    /// use komadai_search::hybrid::Hybrid;
    /// use komadai_search::monte_carlo::MonteCarloOptions;
    /// use komadai_search::{SearchOptions, Techniques};
    ///
    /// let mut options = SearchOptions::default();
    /// options.techniques |= Techniques::MATE_SOLVER;
    /// let mut searcher = Hybrid::new(Material, options, MonteCarloOptions::modern());
    /// // `komadai_tsume::DfPn` finds longer mates.
    /// searcher.set_mate_solvers(|| Box::new(MateInOne));
    /// ```
    pub fn set_mate_solvers(&mut self, make: impl Fn() -> Box<dyn MateSolver + Send>) {
        self.alpha_beta.set_mate_solver(Some(make()));
        self.tree.set_mate_solver(Some(make()));
        self.proofs.clear();
    }

    /// Returns the choice of the last search.
    pub fn last_choice(&self) -> Option<Choice> {
        self.last
    }

    /// Returns the number of nodes of alpha-beta's last search whose value was a mate that the tree
    /// had proved.
    pub fn used_proofs(&self) -> u64 {
        self.proofs.uses()
    }

    /// Returns the tree search.
    pub fn tree(&self) -> &MonteCarlo<Arc<E>> {
        &self.tree
    }
}

/// Returns the options of alpha-beta and those of the tree: half of the memory for each, and half
/// of the threads, but at least one.
fn divide(options: SearchOptions) -> [SearchOptions; 2] {
    let hash_mib = (options.hash_mib / 2).max(1);
    let threads = options.threads;
    let of_tree = (threads / 2).max(1);
    let own = threads.saturating_sub(of_tree).max(1);
    [own, of_tree].map(|threads| SearchOptions { hash_mib, threads, ..options.clone() })
}

/// Returns the moves of a tree in its own order, best first: without the visits that it was granted,
/// which would make any move of alpha-beta the most visited one of a short search.
fn by_own_visits(moves: &[RootMove], granted: impl Fn(Move) -> u32) -> Vec<RootMove> {
    // Won moves stand first and lost ones last, by the distance of the end.
    let class = |root_move: &RootMove| match root_move.proven {
        Some(Proven::Win { .. }) => 0,
        None => 1,
        Some(Proven::Loss { .. }) => 2,
    };
    let visits = |root_move: &RootMove| match root_move.proven {
        None => root_move.visits.saturating_sub(granted(root_move.m)),
        Some(_) => 0,
    };
    let mut moves = moves.to_vec();
    moves.sort_by_key(|root_move| (class(root_move), Reverse(visits(root_move))));
    moves
}

impl<E: Evaluator> Searcher for Hybrid<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let is_over = AtomicBool::new(false);
        let is_won = AtomicBool::new(false);
        let favourite = Favourite::new(self.rules.min_visits);
        let budget_of_tree = Budget { depth: None, ..request.budget.clone() };
        let of_tree = SearchRequest { budget: &budget_of_tree, ..*request };
        let Self { alpha_beta, tree, proofs, .. } = self;
        proofs.start_search();
        // A mate may come too late for a limit of moves.
        let proofs = Some(&**proofs).filter(|_| alpha_beta.options().max_moves.is_none());
        let (mut found, tree_found) = std::thread::scope(|scope| {
            let _guard = StopOnPanic(&is_over);
            let beside = Beside { stop: Some(&is_over), favourite: Some(&favourite), proofs };
            let is_won = &is_won;
            let search_tree = move || {
                let found = tree.search_beside(&of_tree, beside, &mut |_| {});
                let best = tree.root_moves().first().and_then(|best| best.proven);
                if matches!(best, Some(Proven::Win { .. })) {
                    is_won.store(true, Ordering::Relaxed);
                }
                found
            };
            let handle = std::thread::Builder::new().spawn_scoped(scope, search_tree);
            let mut progress = |analysis: &Analysis| {
                favourite.set(analysis.best_move());
                progress(analysis);
            };
            let beside = BesideTree { halt: Some(is_won), proofs };
            let found = alpha_beta.search_beside(request, beside, &mut progress);
            // A search that ends before its budget has proved its result, or has reached its depth.
            if found.completed || request.budget.least_nodes().is_none() {
                is_over.store(true, Ordering::Relaxed);
            }
            favourite.set(found.best_move());
            // A tree that panicked has no say, nor one that the system has no thread for.
            (found, handle.ok().and_then(|handle| handle.join().ok()))
        });
        let losing_cp = self.alpha_beta.units().score(self.rules.losing_cp).raw();
        let rules = ChoiceRules { losing_cp, ..self.rules };
        let tree_found = tree_found.unwrap_or_default();
        let moves = by_own_visits(self.tree.root_moves(), |m| favourite.granted(m));
        let choice = choose(&found, &moves, tree_found.nodes, &rules);
        self.last = Some(choice);
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

    fn scale(&self) -> f64 {
        self.alpha_beta.scale()
    }

    fn new_game(&mut self) {
        self.alpha_beta.new_game();
        self.tree.new_game();
        self.proofs.clear();
    }

    fn warm_up(&mut self) {
        self.alpha_beta.warm_up();
    }

    fn set_options(&mut self, options: SearchOptions) {
        let [own, of_tree] = divide(options);
        let table = Arc::clone(self.alpha_beta.table());
        self.alpha_beta.set_options(own);
        self.tree.set_options(of_tree);
        if !Arc::ptr_eq(&table, self.alpha_beta.table()) {
            self.tree.set_advice(Some(Arc::clone(self.alpha_beta.table())));
        }
    }

    /// Returns no visits, because the reports are those of alpha-beta.
    fn state(&self) -> SearcherState {
        let mut state = self.alpha_beta.state();
        let tree = self.tree.state();
        state.memory_mib += tree.memory_mib;
        state.root_moves = tree.root_moves;
        state.remarks = tree.remarks;
        state.remarks.extend(self.last.map(|choice| format!("hybrid {choice}")));
        state
    }

    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        self.alpha_beta.expected_reply(position, m)
    }
}

#[cfg(test)]
mod tests;
