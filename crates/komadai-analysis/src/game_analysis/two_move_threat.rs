//! Two-move threats (二手スキ).

use komadai_core::{Move, Position, Pv};

/// A two-move threat (二手スキ): with one more move its side threatens mate, so that it mates if the
/// opponent passes twice. Both moves are proven.
///
/// # Examples
///
/// ```
/// use komadai_analysis::game_analysis::TwoMoveThreat;
///
/// let threat = TwoMoveThreat { first: "S*5b".parse()?, mate: "G*4b".parse()? };
/// assert_eq!(threat.mate.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "二手スキ")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoMoveThreat {
    /// The move that would threaten mate.
    pub first: Move,
    /// The mate after a second pass.
    pub mate: Pv,
}

impl TwoMoveThreat {
    /// Returns the position in which the mate begins, if the side to move of `position` passes
    /// twice.
    pub fn before_mate(&self, position: &Position) -> Position {
        let mut passed = position.without_history();
        passed.do_null_move();
        passed.do_move(self.first);
        passed.do_null_move();
        passed
    }
}
