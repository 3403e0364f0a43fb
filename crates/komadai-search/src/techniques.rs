//! The switches of the search's techniques. Each technique can be turned off to be measured.

use bitflags::bitflags;

bitflags! {
    /// A set of search techniques.
    ///
    /// The empty set is a plain alpha-beta search by iterative deepening with static evaluation of
    /// the leaves. [`default`](Self::default) contains the techniques that gained strength here;
    /// the others are from the literature, for studies.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::Techniques;
    ///
    /// let without_null_move = Techniques::default() - Techniques::NULL_MOVE;
    /// assert!(!without_null_move.contains(Techniques::NULL_MOVE));
    /// assert_eq!(Techniques::from_name("HISTORY"), Some(Techniques::HISTORY));
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[doc(alias("枝刈り", "edakari"))]
    pub struct Techniques: u64 {
        /// Aspiration windows: iterations after the first few start with a narrow window around the
        /// last value.
        const ASPIRATION = 1;
        /// Classical aspiration windows: 150 centipawns on each side, and a side that fails is
        /// opened completely.
        const CLASSICAL_ASPIRATION = 1 << 1;
        /// Principal variation search: moves after the first are tested with a zero window first.
        const ZERO_WINDOW = 1 << 2;
        /// Transposition table: cutoffs and the best move of an earlier visit.
        const TABLE = 1 << 3;
        /// The transposition table's value replaces the static evaluation where its bound shows
        /// that it is closer to the truth.
        const TABLE_VALUE = 1 << 4;
        /// Mate distance pruning: lines that cannot be shorter than a mate already found are
        /// pruned.
        const MATE_DISTANCE = 1 << 5;
        /// Correction history: static evaluations are corrected by the search values of similar
        /// positions.
        const CORRECTION = 1 << 6;

        /// Killer moves: quiet moves that refuted a sibling are tried early.
        const KILLERS = 1 << 7;
        /// Counter moves: the quiet move that refuted the last move elsewhere is tried early.
        const COUNTER_MOVES = 1 << 8;
        /// The counter move is tried right after the table's move, before the captures
        /// (ym-shogi); [`COUNTER_MOVES`](Self::COUNTER_MOVES) tries it after them.
        const EARLY_COUNTER_MOVE = 1 << 54;
        /// Butterfly history: quiet moves are ordered by their success elsewhere in the tree.
        const HISTORY = 1 << 9;
        /// Continuation history: quiet moves are ordered by their success after the last moves.
        const CONTINUATION_HISTORY = 1 << 10;
        /// Pawn history: quiet moves are ordered by their success with the same pawn structure.
        const PAWN_HISTORY = 1 << 11;
        /// Low-ply history: near the root, quiet moves are ordered by their success there.
        const LOW_PLY_HISTORY = 1 << 12;
        /// Capture history: captures are ordered by their success elsewhere in the tree.
        const CAPTURE_HISTORY = 1 << 13;
        /// A quiet move after which the static evaluation rose gets a history bonus.
        const EVALUATION_DIFFERENCE = 1 << 14;

        /// Quiescence search: leaves are searched on until no capture or check is pending.
        const QUIESCENCE = 1 << 15;
        /// The quiescence search prunes moves that lose material by exchange.
        const EXCHANGE = 1 << 16;
        /// Delta pruning: the quiescence search prunes captures that cannot bring the value near
        /// the window.
        const DELTA = 1 << 17;
        /// The quiescence search tries few moves that are not recaptures.
        const FEW_CAPTURES = 1 << 18;

        /// The quiescence search tries few quiet evasions once one holds.
        const FEW_EVASIONS = 1 << 31;

        /// A mate in one is tested first, where the opponent's king is confined.
        const MATE_IN_ONE = 1 << 19;

        /// Razoring: a node far below the window is left to the quiescence search.
        const RAZORING = 1 << 20;
        /// Reverse futility pruning: near the leaves, a static evaluation far above the window
        /// decides the node.
        const REVERSE_FUTILITY = 1 << 21;
        /// Two-ply futility pruning: two plies from the leaves, a quiescence value far from the
        /// window decides the node.
        const TWO_PLY_FUTILITY = 1 << 22;
        /// Null move pruning: a node whose side stays above the window after passing is cut off.
        const NULL_MOVE = 1 << 23;
        /// Null moves are reduced by two plies, or three at depth 6 and more, independent of the
        /// evaluation.
        const CLASSICAL_NULL_MOVE = 1 << 24;
        /// Far from the leaves, the success of a null move is verified by a reduced search.
        const NULL_MOVE_VERIFICATION = 1 << 25;
        /// ProbCut of captures, in the form of Stockfish: a good capture above the window with a
        /// margin in a shallow search decides the node.
        const CAPTURE_PROBCUT = 1 << 26;
        /// ProbCut by an entry of the transposition table.
        const TABLE_PROBCUT = 1 << 27;
        /// ProbCut by regression, as its author had it: at some depths, a shallow search decides the
        /// node, if the value that it predicts for a deep one is far outside the window.
        const REGRESSION_PROBCUT = 1 << 44;
        /// Internal iterative reduction: nodes without a table move are searched a ply less deep.
        const ITERATIVE_REDUCTION = 1 << 28;
        /// Internal iterative deepening: nodes without a table move are searched less deep first to
        /// find one.
        const ITERATIVE_DEEPENING = 1 << 29;
        /// Hindsight reduction and extension: the depth is corrected when the static evaluation
        /// contradicts the reduction of the previous move.
        const HINDSIGHT = 1 << 30;

        /// Late move pruning: near the leaves, quiet moves late in the order are pruned.
        const LATE_MOVE_PRUNING = 1 << 32;
        /// Futility pruning: near the leaves, quiet moves are pruned when the static evaluation is
        /// far below the window.
        const FUTILITY = 1 << 33;
        /// Futility pruning of captures.
        const CAPTURE_FUTILITY = 1 << 34;
        /// History pruning: near the leaves, quiet moves with a bad continuation history are
        /// pruned.
        const HISTORY_PRUNING = 1 << 35;
        /// Exchange pruning: near the leaves, moves that lose much material by exchange are pruned.
        const EXCHANGE_PRUNING = 1 << 36;
        /// In the last two plies, every move that loses material by exchange is pruned (ym-shogi).
        const LAST_PLIES_EXCHANGE = 1 << 37;

        /// Late move reduction: moves late in the order are first searched less deep.
        const LATE_MOVE_REDUCTION = 1 << 38;
        /// Late move reduction by probability: far from the leaves, a late move is reduced the more,
        /// the less probable a model finds it.
        const PROBABILITY_REDUCTION = 1 << 45;
        /// Singular extension: a move without an alternative is searched deeper.
        const SINGULAR_EXTENSION = 1 << 39;
        /// Singular extension by information: a singular move is extended the more, the less
        /// probable a model has found it.
        const INFORMATION_EXTENSION = 1 << 46;
        /// Multi-cut: a node is cut off when an alternative to the table's move is good enough as
        /// well.
        const MULTI_CUT = 1 << 40;
        /// Negative extension: the table's move is searched less deep when alternatives may be as
        /// good.
        const NEGATIVE_EXTENSION = 1 << 41;
        /// Check extension: checks that lose no material are searched a ply deeper.
        const CHECK_EXTENSION = 1 << 42;
        /// Recapture extension: recaptures are searched a ply deeper on the principal variation.
        const RECAPTURE_EXTENSION = 1 << 43;

        /// Hand dominance: nodes are cut off by results of the same board with a better or worse
        /// hand.
        const HAND_DOMINANCE = 1 << 48;
        /// Tesuji extension: the last move of a typical sequence of moves is searched a ply deeper.
        const TESUJI_EXTENSION = 1 << 49;
        /// Pseudo search extension: a move that offers material and only delays a loss gets a
        /// penalty.
        const PSEUDO_SEARCH_EXTENSION = 1 << 50;
        /// The solver of [`AlphaBeta::set_mate_solver`](crate::AlphaBeta::set_mate_solver) is
        /// called at the root.
        const MATE_SOLVER = 1 << 51;
        /// That solver is called at nodes of the principal variation below the root.
        const PV_MATE_SOLVER = 1 << 52;
        /// That solver is called at other nodes, where the static evaluation has just risen much.
        const SWING_MATE_SOLVER = 1 << 53;
        /// That solver is called at any node where a prediction from the position finds a mate
        /// probable enough.
        const PREDICTED_MATE_SOLVER = 1 << 47;
        /// All calls of that solver.
        const ANY_MATE_SOLVER = Self::MATE_SOLVER.bits()
            | Self::PV_MATE_SOLVER.bits()
            | Self::SWING_MATE_SOLVER.bits()
            | Self::PREDICTED_MATE_SOLVER.bits();

        /// The techniques that only save time. With these alone, and positions that do not repeat,
        /// the value of a search to a given depth is that of minimax.
        const SOUND = Self::ASPIRATION.bits()
            | Self::CLASSICAL_ASPIRATION.bits()
            | Self::ZERO_WINDOW.bits()
            | Self::TABLE.bits()
            | Self::MATE_DISTANCE.bits()
            | Self::KILLERS.bits()
            | Self::COUNTER_MOVES.bits()
            | Self::EARLY_COUNTER_MOVE.bits()
            | Self::HISTORY.bits()
            | Self::CONTINUATION_HISTORY.bits()
            | Self::PAWN_HISTORY.bits()
            | Self::LOW_PLY_HISTORY.bits()
            | Self::CAPTURE_HISTORY.bits();

        /// The techniques that are off by default: older forms of others, and those that gained no
        /// strength here.
        const OPTIONAL = Self::CLASSICAL_ASPIRATION.bits()
            | Self::CLASSICAL_NULL_MOVE.bits()
            | Self::TWO_PLY_FUTILITY.bits()
            | Self::ITERATIVE_DEEPENING.bits()
            | Self::KILLERS.bits()
            | Self::COUNTER_MOVES.bits()
            | Self::EARLY_COUNTER_MOVE.bits()
            | Self::LAST_PLIES_EXCHANGE.bits()
            | Self::REGRESSION_PROBCUT.bits()
            | Self::PROBABILITY_REDUCTION.bits()
            | Self::INFORMATION_EXTENSION.bits()
            | Self::CHECK_EXTENSION.bits()
            | Self::RECAPTURE_EXTENSION.bits()
            | Self::HAND_DOMINANCE.bits()
            | Self::TESUJI_EXTENSION.bits()
            | Self::PSEUDO_SEARCH_EXTENSION.bits()
            | Self::ANY_MATE_SOLVER.bits();
    }
}

impl Techniques {
    /// The [`default`](Self::default), for code that is compiled for it.
    pub(crate) const DEFAULT: Self = Self::all().difference(Self::OPTIONAL);

    /// Names that flags had before, so that settings that were saved with them are understood. None
    /// of them is the name of another flag.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::Techniques;
    ///
    /// // It is not the ProbCut of Buro, which is REGRESSION_PROBCUT.
    /// assert!(Techniques::FORMER_NAMES.contains(&("PROBCUT", Techniques::CAPTURE_PROBCUT)));
    /// ```
    pub const FORMER_NAMES: &'static [(&'static str, Self)] = &[("PROBCUT", Self::CAPTURE_PROBCUT)];
}

impl Default for Techniques {
    /// Returns all techniques but the [`OPTIONAL`](Self::OPTIONAL) ones.
    fn default() -> Self {
        Self::DEFAULT
    }
}
