//! The switches: every technique of the search can be turned off, so that it can be measured.

use bitflags::bitflags;

bitflags! {
    /// A set of search techniques.
    ///
    /// Without any, the search is a plain alpha-beta search by iterative deepening that judges its
    /// leaves statically.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::Techniques;
    ///
    /// let without_null_move = Techniques::all() - Techniques::NULL_MOVE;
    /// assert!(!without_null_move.contains(Techniques::NULL_MOVE));
    /// assert_eq!(Techniques::from_name("HISTORY"), Some(Techniques::HISTORY));
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Techniques: u64 {
        /// Iterations after the first few start with a narrow window around the last value.
        const ASPIRATION = 1;
        /// Principal variation search: moves after the first are first only tested to be no better.
        const ZERO_WINDOW = 1 << 1;
        /// The transposition table: cut-offs and the best move of an earlier visit.
        const TABLE = 1 << 2;
        /// Quiet moves that refuted a sibling are tried early.
        const KILLERS = 1 << 3;
        /// Quiet moves are tried in the order of their success elsewhere in the tree.
        const HISTORY = 1 << 4;
        /// Lines that cannot be shorter than a mate already found are cut.
        const MATE_DISTANCE = 1 << 5;

        /// Leaves are searched on until no capture, promotion or check is pending.
        const QUIESCENCE = 1 << 6;
        /// The quiescence search leaves out moves that lose material by exchange.
        const EXCHANGE = 1 << 7;
        /// The quiescence search leaves out captures that cannot bring the value near the window.
        const DELTA = 1 << 8;

        /// Every node looks for a mate in one move first.
        const MATE_IN_ONE = 1 << 9;
        /// Good checks are searched a ply deeper.
        const CHECK_EXTENSION = 1 << 10;
        /// A side that is well off even after passing is taken to be well off.
        const NULL_MOVE = 1 << 11;
        /// Near the leaves, a static value far above the window is taken for the value.
        const REVERSE_FUTILITY = 1 << 12;
        /// Near the leaves, quiet moves are left out when the static value is far below the window.
        const FUTILITY = 1 << 13;
        /// Near the leaves, quiet moves late in the order are left out.
        const LATE_MOVE_PRUNING = 1 << 14;
        /// Near the leaves, moves that lose much material by exchange are left out.
        const EXCHANGE_PRUNING = 1 << 15;
        /// Moves late in the order are first searched less deep.
        const LATE_MOVE_REDUCTION = 1 << 16;

        /// The techniques that only save time: with them alone, and positions that do not repeat,
        /// the value of a search to a given depth is that of minimax.
        const SOUND = Self::ASPIRATION.bits()
            | Self::ZERO_WINDOW.bits()
            | Self::TABLE.bits()
            | Self::KILLERS.bits()
            | Self::HISTORY.bits()
            | Self::MATE_DISTANCE.bits();
    }
}

impl Default for Techniques {
    /// All of them.
    fn default() -> Self {
        Self::all()
    }
}
