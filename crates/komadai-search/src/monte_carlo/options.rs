//! The settings of the tree search: what is selected, how results are backed up, what a leaf is
//! worth.

use crate::options::SearchOptions;

/// The rule by which a node chooses among its moves.
///
/// In the formulas, *q* is the rate of a move for its mover, *n* its visits, *N* those of the node
/// and *p* its prior.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Bandit {
    /// UCB1: *q* + `c` √(2 ln *N* / *n*).
    ///
    /// Source: P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed
    /// bandit problem", Machine Learning 47, 2002.
    Ucb1 {
        /// Weight of the second term; 1 in the source.
        c: f32,
    },
    /// UCB1-tuned: *q* + `c` √(ln *N* / *n* · min(¼, *V*)), where *V* = σ² + √(2 ln *N* / *n*) and
    /// σ² is the variance of the results.
    ///
    /// Source: the same paper.
    Ucb1Tuned {
        /// Weight of the second term; 1 in the source.
        c: f32,
    },
    /// PUCT: *q* + `c` *p* √*N* / (1 + *n*).
    ///
    /// Source: C. Rosin, "Multi-armed bandits with episode context", AMAI 61, 2011, in the form of
    /// D. Silver et al., "Mastering the game of Go with deep neural networks and tree search",
    /// Nature 529, 2016.
    Puct {
        /// Weight of the second term.
        c: f32,
    },
}

/// The rate of a move that has not been visited.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Unvisited {
    /// The lead of the bandit is infinite: every move is visited once before any is visited twice.
    First,
    /// A provisional rate from the prior, between `low` and `high`, with *n* = 1, so that the
    /// number of visited moves grows with the visits of the node (progressive widening).
    ///
    /// Source: the appeal document of ym-shogi; G. Chaslot et al., "Progressive strategies for
    /// Monte-Carlo tree search", 2008.
    Provisional {
        /// The rate of a move with prior 0.
        low: f32,
        /// The rate of the move with the largest prior.
        high: f32,
    },
    /// The rate of the node, less `reduction` times the root of the sum of the visited priors
    /// (first-play urgency).
    ///
    /// Source: S. Gelly and Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo Go",
    /// 2006; the reduction by visited priors is that of Leela Zero.
    FirstPlayUrgency {
        /// The factor of that root.
        reduction: f32,
    },
}

/// The rate of a node, from its results and its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Backup {
    /// The mean of the results.
    Mean,
    /// The mean in which each new result has at least the weight 1 − `gamma`, so that old ones fade
    /// (after discounted UCB).
    ///
    /// Source: L. Kocsis and C. Szepesvári, "Discounted UCB", 2nd PASCAL Challenges Workshop, 2006.
    Discounted {
        /// The factor by which the weight of earlier results falls with each new one, below 1.
        gamma: f32,
    },
    /// *w* · best + (1 − *w*) · mean, where best is the best rate among the moves with at least
    /// five visits, *n* its visits, and *w* = *n* / (*n* + `k`).
    ///
    /// Source: the appeal document of ym-shogi, which gives the rate of the best move and takes the
    /// mean into account while results are few; the mixture is ours.
    BestChild {
        /// Number of visits at which both count equally.
        k: f32,
    },
    /// (1 − `a`) · mean + `a` · the best rate backed up by minimax.
    ///
    /// Source: M. Lanctot et al., "Monte Carlo tree search with heuristic evaluations using
    /// implicit minimax backups", CIG 2014.
    ImplicitMinimax {
        /// Weight of the minimax rate, between 0 and 1.
        a: f32,
    },
}

/// The value of a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Leaf {
    /// The value of the quiescence search, as a rate.
    Quiescence,
    /// The value of an alpha-beta search, as a rate.
    Search {
        /// Its depth in plies.
        depth: u8,
    },
    /// The end of a random game.
    Playout(Playout),
}

/// A random game, from a leaf on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playout {
    /// The choice of moves.
    pub moves: PlayoutMoves,
    /// Number of moves; `None` for the whole game, which is drawn after [`Playout::LONGEST`].
    pub plies: Option<u32>,
    /// The verdict on the last position, if the game has not ended.
    pub judge: Judge,
    /// The moves whose weights change after the game.
    pub learning: PlayoutLearning,
}

impl Playout {
    /// Number of moves after which every random game ends.
    pub const LONGEST: u32 = 400;
}

/// The moves of a decided line that change the history by piece and destination, which adds to the
/// weights of moves in later random games. The history of a thread lasts for one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayoutLearning {
    /// All moves of the winner are credited, those in the tree as well as those of the random game;
    /// the loser's fade towards zero, so that a number is the share of winners among those who made
    /// the move.
    ///
    /// Source: the appeal document of ym-shogi, which stores all moves of the winner, drops and
    /// captures too; the fading is ours.
    Winner,
    /// The moves of the random game: the winner's are credited, the loser's blamed as much.
    Both,
}

/// The choice of moves in a random game.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PlayoutMoves {
    /// Every legal move is equally probable.
    Uniform,
    /// The probability is proportional to the weight of the move (roulette).
    Roulette,
    /// The heaviest of some moves chosen at random.
    BestOf(u8),
}

/// The verdict on the last position of a random game that has not ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Judge {
    /// Won if the evaluation is above `draw_cp`, lost if it is below −`draw_cp`, drawn between
    /// them.
    Sign {
        /// Half the width of the band of draws, in centipawns.
        draw_cp: i32,
    },
    /// The rate of the evaluation.
    Rate,
    /// Won if the quiescence value is above that of the root by more than `draw_cp`.
    Gain {
        /// Half the width of the band of draws, in centipawns.
        draw_cp: i32,
    },
}

/// The model that gives moves their priors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Priors {
    /// [`MoveWeights`](super::MoveWeights), sums of integers.
    Weights,
    /// [`SoftmaxMoves`](crate::SoftmaxMoves), which knows more, and takes some microseconds a
    /// position.
    Softmax,
}

/// The settings of the means of advantages. Numbers that are not finite count as zero, as does a
/// negative doubt; larger weights count as 1,000.
///
/// # Examples
///
/// ```
/// use komadai_search::monte_carlo::{Advantages, MonteCarloOptions};
///
/// let mut options = MonteCarloOptions::modern();
/// options.advantages = Some(Advantages { reply_weight: 0.0, ..Advantages::default() });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantages {
    /// The factor of a move's mean advantage, a difference of rates, in the logarithm of its prior.
    pub move_weight: f32,
    /// The factor of its mean advantage as a reply to the move before.
    pub reply_weight: f32,
    /// The number of results at which a mean counts half.
    pub doubt: f32,
    /// The number of results after which earlier ones fade, at most 1,023.
    pub memory: u32,
}

impl Advantages {
    /// The largest factor, positive or negative.
    pub(super) const LARGEST_WEIGHT: f32 = 1_000.0;

    /// The largest number of results that a mean remembers.
    pub(super) const LONGEST_MEMORY: u32 = 1_023;
}

impl Default for Advantages {
    fn default() -> Self {
        Self { move_weight: 10.0, reply_weight: 20.0, doubt: 16.0, memory: 100 }
    }
}

/// The settings of a [`MonteCarlo`](super::MonteCarlo) search.
///
/// # Examples
///
/// ```
/// use komadai_search::monte_carlo::{Leaf, MonteCarloOptions};
///
/// let mut options = MonteCarloOptions::modern();
/// options.leaf = Leaf::Search { depth: 2 };
/// options.seed = 7;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MonteCarloOptions {
    /// The choice among moves.
    pub bandit: Bandit,
    /// The rate of moves that have not been visited.
    pub unvisited: Unvisited,
    /// The same at the root; `None` for the rule of the other nodes.
    pub root_unvisited: Option<Unvisited>,
    /// The rate of nodes.
    pub backup: Backup,
    /// The value of leaves.
    pub leaf: Leaf,
    /// The model of the priors; [`set_move_probability`](super::MonteCarlo::set_move_probability)
    /// replaces it.
    pub priors: Priors,
    /// Number of visits after which a node gets moves, at least 1.
    pub expansion_visits: u32,
    /// Nodes this many plies from the root get no moves.
    pub tree_plies: Option<u32>,
    /// Number of visits at which the results of lines in which a move was made later count as much
    /// as its own (RAVE); `None` without them. They take 8 bytes a move.
    ///
    /// Source: S. Gelly and D. Silver, "Combining online and offline knowledge in UCT", ICML 2007.
    pub rave: Option<f32>,
    /// The addition to the rate of the best move in the transposition table.
    pub hash_move_bonus: f32,
    /// The share of the priors, between 0 and 1, that the best move of the searches at the leaves
    /// gets when the leaf gets its moves.
    pub hash_move_prior: f32,
    /// Factor of the logarithms of the priors: below 1 they are sharper, above it flatter.
    pub temperature: f32,
    /// Additions to the logarithms of the priors for moves that did well elsewhere in the tree;
    /// `None` without. They last from one search of a game to the next, take 1.5 MiB besides the
    /// memory of the tree, and do not count with a model of policy and value.
    pub advantages: Option<Advantages>,
    /// Score in centipawns at which a side wins *e* / (*e* + 1) of the games.
    pub scale_cp: f32,
    /// True if mates are found and proven results are passed on.
    pub proofs: bool,
    /// Visits at which a node is given to the mate solver, if there is one.
    pub solver_visits: u32,
    /// Nodes of the mate solver for each call.
    pub solver_nodes: u64,
    /// Largest number of results of a search; `None` for no limit but the budget.
    pub playouts: Option<u64>,
    /// The seed of random numbers.
    pub seed: u64,
    /// Memory, threads, lines, rules and draw value; quiescence search and techniques at the
    /// leaves.
    ///
    /// A quarter of the memory is the transposition table, the rest the tree.
    pub search: SearchOptions,
}

impl Default for MonteCarloOptions {
    fn default() -> Self {
        Self::modern()
    }
}

impl MonteCarloOptions {
    /// The search as it is done today: PUCT, first-play urgency, quiescence values at the leaves.
    pub fn modern() -> Self {
        Self {
            bandit: Bandit::Puct { c: 1.0 },
            unvisited: Unvisited::FirstPlayUrgency { reduction: 0.0 },
            root_unvisited: None,
            backup: Backup::ImplicitMinimax { a: 0.3 },
            leaf: Leaf::Quiescence,
            priors: Priors::Softmax,
            expansion_visits: 1,
            tree_plies: None,
            rave: None,
            hash_move_bonus: 0.0,
            hash_move_prior: 0.0,
            temperature: 1.3,
            advantages: Some(Advantages::default()),
            scale_cp: 600.0,
            proofs: true,
            solver_visits: 64,
            solver_nodes: 500,
            playouts: None,
            seed: 1,
            search: SearchOptions { hash_mib: 256, ..SearchOptions::default() },
        }
    }

    /// The search of ym-shogi: UCB1-tuned to a depth of five plies, roulette playouts of limited
    /// length, rates of the best child, provisional rates and the alpha-beta search's hash move.
    /// Every move of the root gets a result before any gets two; below it, moves wait for their
    /// turn (progressive widening).
    ///
    /// Source: the appeal document of ym-shogi, 2012. What it leaves open (lengths, rates, bonus)
    /// is ours.
    pub fn ym2012() -> Self {
        Self {
            bandit: Bandit::Ucb1Tuned { c: 1.0 },
            unvisited: Unvisited::Provisional { low: 0.3, high: 0.55 },
            root_unvisited: Some(Unvisited::First),
            backup: Backup::BestChild { k: 30.0 },
            leaf: Leaf::Playout(Playout {
                moves: PlayoutMoves::Roulette,
                plies: Some(16),
                judge: Judge::Sign { draw_cp: 50 },
                learning: PlayoutLearning::Winner,
            }),
            priors: Priors::Weights,
            tree_plies: Some(5),
            hash_move_bonus: 0.1,
            advantages: None,
            ..Self::modern()
        }
    }

    /// UCT without knowledge: UCB1 from equal priors, uniform playouts to the end of the game,
    /// means.
    ///
    /// Source: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006.
    pub fn plain_uct() -> Self {
        Self {
            bandit: Bandit::Ucb1 { c: 1.0 },
            unvisited: Unvisited::First,
            backup: Backup::Mean,
            leaf: Leaf::Playout(Playout {
                moves: PlayoutMoves::Uniform,
                plies: None,
                judge: Judge::Sign { draw_cp: 0 },
                learning: PlayoutLearning::Both,
            }),
            priors: Priors::Weights,
            temperature: f32::INFINITY,
            advantages: None,
            proofs: false,
            ..Self::modern()
        }
    }
}
