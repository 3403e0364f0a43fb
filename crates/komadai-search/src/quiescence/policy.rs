//! Who decides which moves a quiescence search tries at a node.

use core::fmt::Debug;

use komadai_core::{Move, Position, Score};
use komadai_eval::Progress;

use super::classes::QuiescenceClasses;

/// Chooses the classes of moves to try at each node of a quiescence search.
///
/// It is asked where the side to move may stand pat, after the static value has turned out not to
/// cut the node off. It is not asked in check, where all evasions are tried. To keep results the same
/// every time, the answer must depend on the node only.
///
/// # Examples
///
/// Checks near the end of the game only, and no quiet moves at the last ply.
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Material;
/// use komadai_search::{
///     AlphaBeta, Quiescence, QuiescenceClasses, QuiescenceNode, QuiescencePolicy, SearchOptions,
///     Searcher, SelectedQuiescence,
/// };
///
/// #[derive(Debug)]
/// struct LateChecks;
///
/// impl QuiescencePolicy for LateChecks {
///     fn classes(&self, here: &QuiescenceNode<'_>) -> QuiescenceClasses {
///         let mut classes = QuiescenceClasses::SEE;
///         if here.progress().get() >= 10 {
///             classes |= QuiescenceClasses::CHECK;
///         }
///         if here.depth_left > 1 {
///             classes |= QuiescenceClasses::ESCAPE;
///         }
///         classes
///     }
/// }
///
/// let selected = SelectedQuiescence::new(Arc::new(LateChecks), 4);
/// let quiescence = Quiescence::Selected(selected);
/// let options = SearchOptions { quiescence, ..SearchOptions::default() };
/// let mut searcher = AlphaBeta::new(Material, options);
/// assert!(searcher.search(&Position::hirate(), &Budget::nodes(1_000), &mut |_| {}).nodes > 0);
/// ```
pub trait QuiescencePolicy: Debug + Send + Sync {
    /// What to try at a node.
    fn classes(&self, here: &QuiescenceNode<'_>) -> QuiescenceClasses;

    /// The classes, if they are the same everywhere. It saves asking, and what the question costs.
    fn fixed(&self) -> Option<QuiescenceClasses> {
        None
    }
}

/// What a [`QuiescencePolicy`] sees of a node.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct QuiescenceNode<'a> {
    /// The position, which is not in check, with the moves that led to it.
    pub position: &'a Position,
    /// The value of standing pat, for the side to move.
    pub static_score: Score,
    /// What the side to move has already; standing pat counted.
    pub alpha: Score,
    /// What the opponent will not allow; greater than the static score.
    pub beta: Score,
    /// How many plies may still be played, at least 1; only evasions go on beyond.
    pub depth_left: u32,
    /// The plies from where the quiescence search began, 0 there.
    pub plies: u32,
    /// The logarithm of the odds that the side's move two plies earlier was a threatmate (詰めろ).
    /// Negative infinity where there was none.
    pub threatmate_log_odds: f32,
}

impl<'a> QuiescenceNode<'a> {
    /// How far the game has come. It is found out when asked for.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress::of(self.position)
    }

    /// The moves that led here, the last one first; `None` for a null move. All of the line searched,
    /// and those of the game before it as far as they are known.
    pub fn previous_moves(&self) -> impl Iterator<Item = Option<Move>> + use<'a> {
        let earlier = self.position.history().len();
        let latest = core::iter::once(self.position.current());
        let plies = latest.chain(self.position.history().iter().rev());
        plies.take(earlier).map(komadai_core::history::Ply::last_move)
    }
}

/// Classes by the progress of the game and the plies left: an example of a dynamic policy.
///
/// Pieces escape in the opening and middle game, promotions count from the middle game on, and checks
/// after an unparried threatmate at the end. The last ply tries winning captures only.
///
/// The bands (up to 4, up to 9, from 10) and what is useful in each are those of S. Takeuchi,
/// T. Kaneko and K. Yamaguchi; the composition is ours and has not been tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByProgress;

impl QuiescencePolicy for ByProgress {
    fn classes(&self, here: &QuiescenceNode<'_>) -> QuiescenceClasses {
        use QuiescenceClasses as Class;
        if here.depth_left <= 1 {
            return Class::SEE;
        }
        match here.progress().get() {
            ..=4 => Class::SEE | Class::ESCAPE,
            5..=9 => Class::SEE | Class::ESCAPE | Class::PROMOTE,
            10.. => Class::SEE | Class::PROMOTE | Class::THREATMATE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_previous_moves_come_last_first() {
        let mut position = Position::hirate();
        let moves: [Move; 3] = ["7g7f", "3c3d", "2g2f"].map(|m| m.parse().unwrap());
        for m in moves {
            position.do_move(m);
        }
        position.do_null_move();
        let here = QuiescenceNode {
            position: &position,
            static_score: Score::ZERO,
            alpha: Score::ZERO,
            beta: Score::cp(1),
            depth_left: 1,
            plies: 0,
            threatmate_log_odds: f32::NEG_INFINITY,
        };
        let previous: Vec<_> = here.previous_moves().collect();
        assert_eq!(previous, [None, Some(moves[2]), Some(moves[1]), Some(moves[0])]);
        assert_eq!(ByProgress.classes(&here), QuiescenceClasses::SEE);
        let longer = QuiescenceNode { depth_left: 2, ..here };
        let opening = QuiescenceClasses::SEE | QuiescenceClasses::ESCAPE;
        assert_eq!(ByProgress.classes(&longer), opening);
    }
}
