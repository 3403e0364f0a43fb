//! The switches: every technique of the search can be turned off, so that it can be measured.

use bitflags::bitflags;

bitflags! {
    /// A set of search techniques.
    ///
    /// Without any, the search is a plain alpha-beta search by iterative deepening that judges its
    /// leaves statically. [`default`](Self::default) holds those that have proved their worth here; the
    /// others are from the literature and can be turned on to be studied.
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
    pub struct Techniques: u64 {
        /// Iterations after the first few start with a narrow window around the last value.
        const ASPIRATION = 1;
        /// The first window is 150 centipawns wide on each side, and a failing side opens fully.
        const CLASSICAL_ASPIRATION = 1 << 1;
        /// Principal variation search: moves after the first are first only tested to be no better.
        const ZERO_WINDOW = 1 << 2;
        /// The transposition table: cut-offs and the best move of an earlier visit.
        const TABLE = 1 << 3;
        /// The table's value stands in for the static value where it is closer to the truth.
        const TABLE_VALUE = 1 << 4;
        /// Lines that cannot be shorter than a mate already found are cut.
        const MATE_DISTANCE = 1 << 5;
        /// Static values are corrected by what searches of similar positions found.
        const CORRECTION = 1 << 6;

        /// Quiet moves that refuted a sibling are tried early.
        const KILLERS = 1 << 7;
        /// The quiet move that refuted the last move elsewhere is tried early.
        const COUNTER_MOVES = 1 << 8;
        /// Quiet moves are tried in the order of their success elsewhere in the tree.
        const HISTORY = 1 << 9;
        /// Quiet moves are tried in the order of their success as answers to the last moves.
        const CONTINUATION_HISTORY = 1 << 10;
        /// Quiet moves are tried in the order of their success with the same pawns.
        const PAWN_HISTORY = 1 << 11;
        /// Near the root, quiet moves are tried in the order of their success there.
        const LOW_PLY_HISTORY = 1 << 12;
        /// Captures are tried in the order of their success elsewhere in the tree.
        const CAPTURE_HISTORY = 1 << 13;
        /// A quiet move after which the evaluation rose is tried earlier.
        const EVALUATION_DIFFERENCE = 1 << 14;

        /// Leaves are searched on until no capture, promotion or check is pending.
        const QUIESCENCE = 1 << 15;
        /// The quiescence search leaves out moves that lose material by exchange.
        const EXCHANGE = 1 << 16;
        /// The quiescence search leaves out captures that cannot bring the value near the window.
        const DELTA = 1 << 17;
        /// The quiescence search tries few moves that do not take back.
        const FEW_CAPTURES = 1 << 18;

        /// The quiescence search tries few quiet evasions once one holds.
        const FEW_EVASIONS = 1 << 31;

        /// Where the other king is confined, a mate in one move is looked for first.
        const MATE_IN_ONE = 1 << 19;

        /// A node far behind is given up to the quiescence search.
        const RAZORING = 1 << 20;
        /// Near the leaves, a static value far above the window is taken for the value.
        const REVERSE_FUTILITY = 1 << 21;
        /// Two plies from the leaves, a quiescence value far from the window is taken for the value.
        const TWO_PLY_FUTILITY = 1 << 22;
        /// A side that is well off even after passing is taken to be well off.
        const NULL_MOVE = 1 << 23;
        /// Null moves are reduced by two plies, or three when six or more are left, whatever the
        /// evaluation.
        const CLASSICAL_NULL_MOVE = 1 << 24;
        /// Far from the leaves, the success of a null move is verified by a reduced search.
        const NULL_MOVE_VERIFICATION = 1 << 25;
        /// A good capture that holds the window with a margin in a shallow search settles the node.
        const PROBCUT = 1 << 26;
        /// The same from what the table knows.
        const TABLE_PROBCUT = 1 << 27;
        /// Nodes about whose best move nothing is known are searched a ply less deep.
        const ITERATIVE_REDUCTION = 1 << 28;
        /// Nodes about whose best move nothing is known are searched less deep first to find one.
        const ITERATIVE_DEEPENING = 1 << 29;
        /// The depth is corrected when the reduction of the move that led here turns out unfounded.
        const HINDSIGHT = 1 << 30;

        /// Near the leaves, quiet moves late in the order are left out.
        const LATE_MOVE_PRUNING = 1 << 32;
        /// Near the leaves, quiet moves are left out when the static value is far below the window.
        const FUTILITY = 1 << 33;
        /// The same for captures.
        const CAPTURE_FUTILITY = 1 << 34;
        /// Near the leaves, quiet moves that never were good answers are left out.
        const HISTORY_PRUNING = 1 << 35;
        /// Near the leaves, moves that lose much material by exchange are left out.
        const EXCHANGE_PRUNING = 1 << 36;
        /// In the last two plies, every move that loses material by exchange is left out (S3.10).
        const LAST_PLIES_EXCHANGE = 1 << 37;

        /// Moves late in the order are first searched less deep.
        const LATE_MOVE_REDUCTION = 1 << 38;
        /// A move to which there is no alternative is searched deeper.
        const SINGULAR_EXTENSION = 1 << 39;
        /// When the alternatives to the table's move are good enough as well, the node is cut.
        const MULTI_CUT = 1 << 40;
        /// When the alternatives to the table's move may be as good, it is searched less deep.
        const NEGATIVE_EXTENSION = 1 << 41;
        /// Good checks are searched a ply deeper.
        const CHECK_EXTENSION = 1 << 42;
        /// Moves that take back are searched a ply deeper on the principal variation.
        const RECAPTURE_EXTENSION = 1 << 43;

        /// Nodes are cut by what was found about the same board with a better or worse hand (S3.11).
        const HAND_DOMINANCE = 1 << 48;
        /// The last move of a known sequence of moves (tesuji) is searched a ply deeper (S2.3).
        const TESUJI_EXTENSION = 1 << 49;
        /// A move that offers material and only delays what comes anyway is worth less (S3.11).
        const PSEUDO_SEARCH_EXTENSION = 1 << 50;

        /// The techniques that only save time: with them alone, and positions that do not repeat,
        /// the value of a search to a given depth is that of minimax.
        const SOUND = Self::ASPIRATION.bits()
            | Self::CLASSICAL_ASPIRATION.bits()
            | Self::ZERO_WINDOW.bits()
            | Self::TABLE.bits()
            | Self::MATE_DISTANCE.bits()
            | Self::KILLERS.bits()
            | Self::COUNTER_MOVES.bits()
            | Self::HISTORY.bits()
            | Self::CONTINUATION_HISTORY.bits()
            | Self::PAWN_HISTORY.bits()
            | Self::LOW_PLY_HISTORY.bits()
            | Self::CAPTURE_HISTORY.bits();

        /// The techniques that are off unless asked for: older forms of others, and such as have not
        /// proved their worth here.
        const OPTIONAL = Self::CLASSICAL_ASPIRATION.bits()
            | Self::CLASSICAL_NULL_MOVE.bits()
            | Self::TWO_PLY_FUTILITY.bits()
            | Self::ITERATIVE_DEEPENING.bits()
            | Self::LAST_PLIES_EXCHANGE.bits()
            | Self::CHECK_EXTENSION.bits()
            | Self::RECAPTURE_EXTENSION.bits()
            | Self::HAND_DOMINANCE.bits()
            | Self::TESUJI_EXTENSION.bits()
            | Self::PSEUDO_SEARCH_EXTENSION.bits();
    }
}

impl Default for Techniques {
    /// All but the [`OPTIONAL`](Self::OPTIONAL) ones.
    fn default() -> Self {
        Self::all() - Self::OPTIONAL
    }
}
