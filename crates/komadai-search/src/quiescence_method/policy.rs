//! The policies that choose the moves of a selective quiescence search.

use core::fmt::Debug;

use komadai_core::{Move, Position, Score};
use komadai_eval::Progress;
use komadai_movegen::MoveList;

use super::classes::QuiescenceClasses;
use super::stand_pat::StandPat;

/// Chooses the classes of moves to try at each node of a quiescence search.
///
/// The search calls it where the side to move may stand pat, after the static evaluation has caused
/// no cutoff. It does not call it in check, where all evasions are tried, except with
/// [`InCheck::Classes`](crate::InCheck::Classes). The result must depend on the node only, so that
/// searches are deterministic.
///
/// # Examples
///
/// A policy with checks near the end of the game only, and no quiet moves at the last ply.
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
///     fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
///         let mut classes = QuiescenceClasses::SEE;
///         if node.progress().get() >= 10 {
///             classes |= QuiescenceClasses::CHECK;
///         }
///         if node.depth_left > 1 {
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
    /// Returns the classes of moves to try at a node.
    fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses;

    /// Returns those of the classes' moves that are worth their search; by default all of them.
    fn select(&self, node: &QuiescenceNode<'_>, moves: MoveList) -> MoveList {
        let _ = node;
        moves
    }

    /// Returns the classes, if they are the same at every node. This saves the call at each node
    /// and the prediction of threatmates.
    fn fixed(&self) -> Option<QuiescenceClasses> {
        None
    }

    /// Returns the value of standing pat: the static evaluation unless the policy states another.
    fn stand_pat(&self) -> StandPat {
        StandPat::Static
    }

    /// Returns the number of plies after which a side only stands pat, if it is less than the depth
    /// of the search.
    fn max_plies(&self) -> u32 {
        u32::MAX
    }
}

/// A node of the quiescence search, as a [`QuiescencePolicy`] sees it.
///
/// # Examples
///
/// ```
/// use komadai_search::{QuiescenceClasses, QuiescenceNode, QuiescencePolicy};
///
/// /// Captures that win material, and all captures while the position is close to alpha.
/// #[derive(Debug)]
/// struct Close;
///
/// impl QuiescencePolicy for Close {
///     fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
///         let is_close = node.static_score + 100 > node.alpha && node.plies == 0;
///         if is_close { QuiescenceClasses::CAPTURE } else { QuiescenceClasses::SEE }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct QuiescenceNode<'a> {
    /// The position with the moves that led to it. It is not in check, except with
    /// [`InCheck::Classes`](crate::InCheck::Classes).
    pub position: &'a Position,
    /// The value of standing pat, for the side to move.
    pub static_score: Score,
    /// The value that the side to move has already, standing pat included.
    pub alpha: Score,
    /// The value that the opponent will not allow; greater than the static score.
    pub beta: Score,
    /// Number of remaining plies, at least 1. Only evasions are searched beyond them.
    pub depth_left: u32,
    /// Number of plies since the start of the quiescence search, 0 at its first node.
    pub plies: u32,
    /// The logarithm of the odds that the side's move two plies earlier was a threatmate (詰めろ);
    /// negative infinity without such a move.
    pub threatmate_log_odds: f32,
}

impl<'a> QuiescenceNode<'a> {
    /// Computes the progress of the game.
    pub fn progress(&self) -> Progress {
        Progress::of(self.position)
    }

    /// Returns the moves that led to the node, the last one first; `None` for a null move. They are
    /// those of the searched line and of the game before it, as far as the position holds them.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::{QuiescenceClasses, QuiescenceNode, QuiescencePolicy};
    ///
    /// /// Captures; after a promotion, escapes as well.
    /// #[derive(Debug)]
    /// struct Careful;
    ///
    /// impl QuiescencePolicy for Careful {
    ///     fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
    ///         let last = node.previous_moves().next().flatten();
    ///         match last.is_some_and(|m| m.is_promotion()) {
    ///             true => QuiescenceClasses::CAPTURE | QuiescenceClasses::ESCAPE,
    ///             false => QuiescenceClasses::CAPTURE,
    ///         }
    ///     }
    /// }
    /// ```
    pub fn previous_moves(&self) -> impl Iterator<Item = Option<Move>> + use<'a> {
        let earlier = self.position.history().len();
        let latest = core::iter::once(self.position.current());
        let plies = latest.chain(self.position.history().iter().rev());
        plies.take(earlier).map(komadai_core::history::Ply::last_move)
    }
}

impl QuiescencePolicy for QuiescenceClasses {
    fn classes(&self, _: &QuiescenceNode<'_>) -> Self {
        *self
    }

    fn fixed(&self) -> Option<Self> {
        Some(*self)
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
        let node = QuiescenceNode {
            position: &position,
            static_score: Score::ZERO,
            alpha: Score::ZERO,
            beta: Score::cp(1),
            depth_left: 1,
            plies: 0,
            threatmate_log_odds: f32::NEG_INFINITY,
        };
        let previous: Vec<_> = node.previous_moves().collect();
        assert_eq!(previous, [None, Some(moves[2]), Some(moves[1]), Some(moves[0])]);
    }
}
