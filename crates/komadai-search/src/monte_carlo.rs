//! Monte Carlo tree search (モンテカルロ木探索): a tree that grows where results are promising.
//!
//! Every round descends from the root by a bandit rule, values a leaf, and backs the result up. The
//! tree knows how often each move was tried and with what result, for all moves of a position at
//! once: rates of winning, shares of visits, any number of good lines.
//!
//! ```text
//! until the budget is used up:
//!     descend from the root by the bandit to a node without moves            selection.rs
//!     give it moves with priors, if it has been visited before               explorer.rs
//!     value it: quiescence, alpha-beta, or a random game                     explorer.rs, playout.rs
//!     back the result up; pass proven results on                             backup.rs
//! ```
//!
//! | concept | file below `monte_carlo/` |
//! |---|---|
//! | settings and presets | `options.rs`, `preset.rs` |
//! | nodes and moves in 48 and 16 bytes | `node.rs` |
//! | memory, positions that transpose, recycling | `tree.rs`, `arena.rs` |
//! | UCB1, UCB1-tuned, PUCT, progressive widening, first-play urgency | `selection.rs` |
//! | mean, best child, implicit minimax, proven results | `backup.rs` |
//! | results of moves made later in a line | `rave.rs` |
//! | one thread's round | `explorer.rs` |
//! | deep networks: the seam, and a round that fills a batch | `policy_value.rs`, `batch.rs` |
//! | roulette playouts and their history | `playout.rs` |
//! | integer weights of moves | `move_weights.rs` |
//! | priors: a node's moves, the most probable first | `priors.rs` |
//! | means over the tree of what moves were worth | `advantages.rs` |
//! | report: rates, visits, lines | `report.rs` |
//! | times of reports | `pace.rs` |
//! | a move that alpha-beta prefers | `favourite.rs` |
//! | levels of strength | `skill.rs` |
//!
//! Sources: R. Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search", CG
//! 2006; L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; the appeal
//! document of ym-shogi, 2012.

mod advantages;
mod arena;
mod backup;
mod batch;
mod explorer;
pub(crate) mod favourite;
mod move_weights;
mod node;
mod options;
mod pace;
mod playout;
mod policy_value;
mod preset;
mod priors;
mod rave;
mod report;
mod selection;
mod skill;
mod tree;

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Budget, Line, Move, Position, Pv, Score};
use komadai_eval::Evaluator;
use komadai_movegen::{MateSolver, MoveGen};

use crate::history::{Histories, History, ThreadHistory};
use crate::lazy_smp::shared_state::SharedState;
use crate::meter::Meter;
use crate::move_probability::MoveProbability;
use crate::move_probability::softmax::SoftmaxMoves;
use crate::options::SearchOptions;
use crate::proof_table::ProofTable;
use crate::scaled::Scaled;
use crate::searcher::root_visits::RootVisits;
use crate::searcher::{SearchRequest, Searcher, SearcherState};
use crate::transposition_table::TranspositionTable;
use crate::value::{WON_BY_RULE, Window};
use crate::worker::Worker;
use advantages::MeanAdvantages;
use explorer::{Explorer, Shared, TreeSearch};
use favourite::Favourite;
use pace::Pace;
use playout::Player;
use priors::{Model, PriorKnowledge};
use tree::Tree;

pub use crate::searcher::tree_move::{Proven, RootMove};
pub use move_weights::MoveWeights;
pub use options::{
    Advantages, Backup, Bandit, Judge, Leaf, MonteCarloOptions, Playout, PlayoutLearning,
    PlayoutMoves, Priors, Unvisited,
};
pub use policy_value::{EvaluatorPolicy, PolicyRequest, PolicyValue, PolicyValueError};
pub use preset::{TreePreset, UnknownTreePreset};
pub use report::Branch;
pub use skill::{Skill, Skilled};

/// Monte Carlo tree search, on one thread or several.
///
/// The tree is kept from one search to the next, as far as the next position is in it. After
/// [`new_game`](Searcher::new_game) the same position, seed and budget in nodes lead to the same
/// result on one thread. Nodes of the budget are moves done: in the tree, in quiescence and in
/// random games.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position, Score};
/// use komadai_eval::Classical;
/// use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
/// use komadai_search::Searcher;
///
/// let mut searcher = MonteCarlo::new(Classical::default(), MonteCarloOptions::modern());
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let analysis = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
/// assert_eq!(analysis.best_move(), Some("G*5b".parse()?));
/// assert_eq!(analysis.score(), Some(Score::mate_in(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MonteCarlo<E> {
    evaluator: Scaled<E>,
    options: MonteCarloOptions,
    priors: PriorKnowledge,
    /// The table of the quiescence and alpha-beta searches at the leaves.
    table: TranspositionTable,
    /// The table of an alpha-beta search, which the tree reads.
    advice: Option<Arc<TranspositionTable>>,
    history: History,
    tree: Tree,
    solver: Option<Box<dyn MateSolver + Send>>,
    /// The key of the last root.
    root: Option<u64>,
    /// The model of policy and value, in the place of that of `priors` and of the options' leaf.
    network: Option<Arc<dyn PolicyValue>>,
    /// Its error in the last search.
    failure: Option<PolicyValueError>,
    /// The moves of the last root, best first.
    root_moves: Vec<RootMove>,
    root_visits: Arc<RootVisits>,
    playouts: u64,
}

impl<E: fmt::Debug> fmt::Debug for MonteCarlo<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MonteCarlo")
            .field("evaluator", &self.evaluator.evaluator)
            .field("options", &self.options)
            .field("priors", &self.priors)
            .field("has_solver", &self.solver.is_some())
            .field("network", &self.network)
            .field("failure", &self.failure)
            .field("playouts", &self.playouts)
            .finish_non_exhaustive()
    }
}

/// The part of the memory for the transposition table is one over this.
const TABLE_SHARE: usize = 4;

fn table_mib(options: &SearchOptions) -> usize {
    (options.hash_mib / TABLE_SHARE).max(1)
}

/// The influence of another search on one of the tree beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beside<'a> {
    /// Ends the search of the tree.
    pub(crate) stop: Option<&'a AtomicBool>,
    /// Its best move, which gets visits.
    pub(crate) favourite: Option<&'a Favourite>,
    /// Receives the mates that the tree proves.
    pub(crate) proofs: Option<&'a ProofTable>,
}

/// The inputs of a search until its memory is full; then the tree is recycled, and the next phase
/// begins.
struct Phase<'a> {
    position: &'a Position,
    allowed: &'a [Move],
    budget: &'a Budget,
    state: &'a SharedState,
    shared: &'a Shared<'a>,
    start: &'a Instant,
}

impl<E: Evaluator> MonteCarlo<E> {
    /// Returns a searcher with an empty tree.
    pub fn new(evaluator: E, options: MonteCarloOptions) -> Self {
        let table = TranspositionTable::new(table_mib(&options.search));
        let model = match options.priors {
            Priors::Weights => Model::Weights,
            // The model is large, and the levels of strength do not use it.
            Priors::Softmax if cfg!(komadai_small) => Model::Weights,
            Priors::Softmax => Model::Other(Arc::new(SoftmaxMoves::default())),
        };
        let mut searcher = Self {
            evaluator: Scaled::new(evaluator),
            priors: PriorKnowledge {
                model,
                advantages: options.advantages.map(MeanAdvantages::new),
            },
            options,
            table,
            advice: None,
            history: History::new(),
            tree: Tree::new(0, false),
            solver: None,
            root: None,
            network: None,
            failure: None,
            root_moves: Vec::new(),
            root_visits: Arc::default(),
            playouts: 0,
        };
        searcher.tree = searcher.new_tree();
        searcher
    }

    /// Returns an empty tree.
    ///
    /// It has at most two thirds of its memory, so that the tree that replaces it when it is full
    /// fits in beside it.
    fn new_tree(&self) -> Tree {
        let options = &self.options.search;
        let mib = options.hash_mib.saturating_sub(table_mib(options)).max(1);
        Tree::new(mib.saturating_mul(1 << 20) / 3 * 2, self.options.rave.is_some())
    }

    /// Adopts the transposition table of an alpha-beta search, and empties the tree. The tree reads
    /// it, also while that search goes on: its exact mates are proofs, its best moves get the bonus
    /// of the options.
    pub(crate) fn set_advice(&mut self, table: Option<Arc<TranspositionTable>>) {
        self.advice = table;
        self.new_game();
    }

    /// Returns the settings.
    pub fn options(&self) -> &MonteCarloOptions {
        &self.options
    }

    /// Replaces the model of the priors, and empties the tree.
    pub fn set_move_probability(&mut self, model: Arc<dyn MoveProbability>) {
        self.priors.model = Model::Other(model);
        self.new_game();
    }

    /// Adopts a solver that is called at nodes with many visits, and empties the tree.
    pub fn set_mate_solver(&mut self, solver: Option<Box<dyn MateSolver + Send>>) {
        self.solver = solver;
        self.new_game();
    }

    /// Adopts a model that gives moves their priors and leaves their values, and empties the tree.
    ///
    /// The model takes the place of the [`MoveProbability`] and of the option
    /// [`leaf`](MonteCarloOptions::leaf). A node has its moves from its first visit on. Each thread
    /// collects a batch of leaves before it calls the model; mates, rules and the solver give
    /// results without it. The budget is not looked at during a call.
    pub fn set_policy_value(&mut self, network: Option<Arc<dyn PolicyValue>>) {
        self.network = network;
        self.new_game();
    }

    /// Returns the error of the model of policy and value that has ended the last search, if any.
    pub fn policy_value_error(&self) -> Option<&PolicyValueError> {
        self.failure.as_ref()
    }

    /// Returns the moves of the last root, best first.
    pub fn root_moves(&self) -> &[RootMove] {
        &self.root_moves
    }

    /// Returns the moves of the tree below the last root, at most `most`: those with the most
    /// visits, each after the one before it. A position that several moves lead to is continued
    /// after each.
    ///
    /// After a search among some moves only, whose tree is not kept, there are none.
    pub fn branches(&self, most: usize) -> Vec<Branch> {
        let root = self.root.and_then(|root| self.tree.find(root));
        root.map_or_else(Vec::new, |root| report::branches(&self.tree, root, most))
    }

    /// Returns the number of results of the last search.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Searches until the budget is used up or the search beside it ends.
    pub(crate) fn search_beside(
        &mut self,
        request: &SearchRequest<'_>,
        beside: Beside<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let &SearchRequest { position, among, budget, .. } = request;
        let start = Instant::now();
        // There are no iterations to finish.
        let mut limits = budget.clone();
        limits.nodes = budget.least_nodes();
        let budget = &limits;
        self.root_moves.clear();
        self.root = Some(position.key());
        self.root_visits.reset();
        self.playouts = 0;
        self.failure = None;
        let moves = position.legal_moves();
        let is_allowed = |m: &Move| among.is_none_or(|among| among.contains(m));
        let allowed: Vec<Move> = moves.iter().copied().filter(is_allowed).collect();
        if allowed.is_empty() {
            return Analysis { completed: true, ..Analysis::default() };
        }
        let declaration = self.options.search.declaration;
        // Among some moves the declaration is none of them.
        if among.is_none() && position.declaration(declaration).wins() {
            let line = Line::exact(Score::from_raw(WON_BY_RULE), Pv::new());
            return Analysis { lines: vec![line], completed: true, ..Analysis::default() };
        }
        if among.is_some() {
            // The root of a tree has all moves of its position; this one has some.
            self.tree = self.new_tree();
        } else if self.tree.permille_used() > 500 {
            let is_over = || is_stopped(budget, beside.stop);
            if let Some(smaller) = self.tree.pruned(position.key(), 1, &is_over) {
                self.tree = smaller;
            }
        }
        self.table.age();
        let search = &self.options.search;
        self.history.start_search(search.threads, search.parameters.history_kept);
        // Some moves prove nothing about the position, nor does a mate that may come too late.
        let is_whole = among.is_none() && search.max_moves.is_none();
        let shared = Shared {
            stop: beside.stop,
            favourite: beside.favourite,
            proofs: beside.proofs.filter(|_| is_whole),
            ..Shared::default()
        };
        let state = SharedState::new();
        let phase = Phase {
            position,
            allowed: &allowed,
            budget,
            state: &state,
            shared: &shared,
            start: &start,
        };
        let mut nodes = 0;
        let analysis = loop {
            let analysis = self.phase(&phase, progress);
            nodes = nodes.max(analysis.nodes);
            let is_over = || is_stopped(budget, beside.stop);
            if !shared.is_full.swap(false, Ordering::Relaxed)
                || !self.recycle(position.key(), &is_over)
            {
                break analysis;
            }
        };
        self.failure = shared.failure.into_inner();
        if among.is_some() {
            self.tree = self.new_tree();
        }
        analysis
    }

    /// Searches until the budget or the memory is used up.
    fn phase(&mut self, phase: &Phase<'_>, progress: &mut dyn FnMut(&Analysis)) -> Analysis {
        let &Phase { position, allowed, budget, state, shared, start } = phase;
        let root_visits = Arc::clone(&self.root_visits);
        let Self {
            evaluator, options, priors, table, advice, history, tree, solver, network, ..
        } = self;
        let tree = &*tree;
        let options = &*options;
        let priors = &*priors;
        let Some(root) = tree.find_or_add(position.key()) else { return Analysis::default() };
        let advice = advice.as_deref().unwrap_or(table);
        let search = TreeSearch { tree, root, options, knowledge: priors, advice, shared };
        let History { shared: shared_history, threads: histories } = history;
        let shared_history = &*shared_history;
        let (own, others) = ThreadHistory::split(histories);
        let explorer = |own, budget, thread: u64| {
            let meter = Meter::with_shared_state(budget, state);
            let history = Histories { shared: shared_history, own };
            let worker = Worker::new(evaluator, table, &options.search, history, meter, position);
            let seed = options.seed.wrapping_add(thread << 32);
            let player = Player::new(seed);
            let mut explorer = Explorer::new(worker, search, player);
            explorer.network = network.as_deref();
            explorer
        };
        let mut helper_budget = Budget::unlimited();
        helper_budget.nodes = budget.nodes;
        let mut first = explorer(own, budget, 0);
        first.solver = solver.as_deref_mut();
        let root_node = tree.node(root);
        if root_node.edges().is_none() {
            first.expand_root(root_node, allowed);
        }
        if let Leaf::Playout(Playout { plies: Some(_), judge: Judge::Gain { .. }, .. }) =
            options.leaf
        {
            first.root_value = first.worker.leaf::<false>(Window::FULL, 0);
        }
        let root_value = first.root_value;
        let units = evaluator.units;
        let report = |longest: usize| {
            let mut analysis = report::analysis(tree, root, position, options, units);
            analysis.seldepth = analysis.seldepth.max(longest as u32);
            analysis.nodes = state.nodes();
            analysis.time = start.elapsed();
            analysis
        };
        let is_enough = |playouts: u64| options.playouts.is_some_and(|most| playouts >= most);
        let mut pace = Pace::new(start.elapsed(), budget.depth);
        std::thread::scope(|scope| {
            let _guard = StopOnPanic(&shared.is_over);
            let budget_of_helpers = &helper_budget;
            let explorer = &explorer;
            let helper = |(own, thread)| {
                scope.spawn(move || {
                    let mut helper = explorer(own, budget_of_helpers, thread);
                    helper.root_value = root_value;
                    helper.run();
                })
            };
            let helpers: Vec<_> = others.iter_mut().zip(1..).map(helper).collect();
            first.worker.meter.enforce();
            while !first.is_over() && !pace.is_over() {
                first.round(options.playouts);
                let playouts = shared.playouts.load(Ordering::Relaxed);
                if pace.is_due(playouts, start.elapsed()) {
                    first.worker.meter.nodes();
                    let edges = tree.edges_of(root_node).unwrap_or_default();
                    root_visits.update(report::open_visits(edges), playouts);
                    let analysis = report(first.worker.longest);
                    pace.reported(playouts, analysis.depth);
                    progress(&analysis);
                }
                if is_enough(playouts) {
                    break;
                }
            }
            if !shared.is_full.load(Ordering::Relaxed) {
                shared.is_over.store(true, Ordering::Relaxed);
            }
            first.worker.meter.nodes();
            // A helper that panicked is lost with the result that it was about to add; the search
            // does not fail.
            helpers.into_iter().for_each(|helper| drop(helper.join()));
        });
        let longest = first.worker.longest;
        let mut analysis = report(longest);
        self.playouts = shared.playouts.load(Ordering::Relaxed);
        let tree = &self.tree;
        analysis.completed =
            tree.node(root).proof().is_some() || is_enough(self.playouts) || pace.is_over();
        self.root_moves = report::root_moves(tree, root);
        analysis
    }

    /// Makes room in a full tree: forgets the nodes with the fewest visits. Returns `false` if the
    /// search is over before that; the tree then stays as it is.
    fn recycle(&mut self, root: u64, is_over: &dyn Fn() -> bool) -> bool {
        let mut least = 2;
        loop {
            let Some(smaller) = self.tree.pruned(root, least, is_over) else { return false };
            if smaller.permille_used() <= 500 || least > u32::MAX / 2 {
                self.tree = smaller;
                return true;
            }
            least *= 2;
        }
    }
}

/// Returns whether a search has been ended from outside.
fn is_stopped(budget: &Budget, stop: Option<&AtomicBool>) -> bool {
    budget.is_exhausted(0) || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
}

impl<E: Evaluator> Searcher for MonteCarlo<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.search_beside(request, Beside::default(), progress)
    }

    fn scale(&self) -> f64 {
        self.evaluator.scale
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
        self.tree = self.new_tree();
        self.priors.advantages = self.options.advantages.map(MeanAdvantages::new);
    }

    fn set_options(&mut self, options: SearchOptions) {
        let before = core::mem::replace(&mut self.options.search, options);
        let options = &self.options.search;
        if options.hash_mib != before.hash_mib {
            self.table.resize(table_mib(options));
        }
        // Threads, lines and the value of a draw may change during a game; the rest changes
        // results.
        let &SearchOptions { threads, multi_pv, draw_value, .. } = options;
        if (SearchOptions { threads, multi_pv, draw_value, ..before }) != *options {
            self.new_game();
        }
    }

    fn state(&self) -> SearcherState {
        SearcherState {
            memory_mib: self.options.search.hash_mib,
            hash_full: Some(self.tree.permille_used()),
            remarks: report::remark(&self.root_moves).into_iter().collect(),
            root_visits: Some(Arc::clone(&self.root_visits)),
            root_moves: self.root_moves.clone(),
        }
    }
}

/// Sets a flag if its thread panics while it is in scope. A thread that waits for the others of its
/// search would otherwise wait for ever.
#[derive(Debug)]
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
