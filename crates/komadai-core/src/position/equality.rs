//! Equality of positions: with the history, or of the placement alone.

use core::hash::{Hash, Hasher};

use super::Position;

impl Position {
    /// Returns whether both positions have the same board, hands and side to move. The history and
    /// the move number are ignored.
    ///
    /// This is the equality of the repetition rule and of books. Such positions have equal
    /// [keys](Self::key); [`==`](PartialEq) compares the history, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    ///
    /// let [mut one, mut other] = [Position::hirate(), Position::hirate()];
    /// for (m, n) in [("7g7f", "2g2f"), ("3c3d", "3c3d"), ("2g2f", "7g7f")] {
    ///     one.do_move(m.parse()?);
    ///     other.do_move(n.parse()?);
    /// }
    /// assert!(one.same_placement(&other));
    /// assert_ne!(one, other);
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn same_placement(&self, other: &Self) -> bool {
        self.side == other.side && self.hands == other.hands && self.board == other.board
    }
}

/// Hashes the [key](Position::key), the move number and the length of the history, so that the cost
/// does not grow with the history.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
        self.first_ply.hash(state);
        self.plies.len().hash(state);
    }
}
