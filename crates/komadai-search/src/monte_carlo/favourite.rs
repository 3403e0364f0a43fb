//! The move of the root that another search prefers, and the visits that it is owed.
//!
//! A search beside the tree asks for the rate of its own move, which the tree may have hardly
//! tried. The rate of a move counts only after some visits, so the tree makes them.
//!
//! Source: the appeal document of ym-shogi, 2012, where the rate of alpha-beta's move counts only
//! after some visits; the share of the visits is ours.

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use komadai_core::Move;

use super::node::{Edge, Node};

/// One result in this many goes to the favourite until it has its visits: of 3,000 results, 750
/// could.
const SHARE: u32 = 4;

/// The best move of another search, which changes while that goes on.
#[derive(Debug)]
pub(crate) struct Favourite {
    /// The bits of the move; 0 for none.
    m: AtomicU32,
    min_visits: u32,
    /// The moves that have got visits, and how many.
    granted: Mutex<Vec<(Move, u32)>>,
}

impl Favourite {
    /// Returns no move yet. A move gets visits while it has fewer than `min_visits`.
    pub(crate) const fn new(min_visits: u32) -> Self {
        Self { m: AtomicU32::new(0), min_visits, granted: Mutex::new(Vec::new()) }
    }

    /// Replaces the move.
    pub(crate) fn set(&self, m: Option<Move>) {
        self.m.store(m.map_or(0, |m| u32::from(m.to_bits())), Ordering::Relaxed);
    }

    /// Returns the move.
    pub(super) fn get(&self) -> Option<Move> {
        Move::from_bits(self.m.load(Ordering::Relaxed) as u16)
    }

    /// Returns the visits that a move has got as the favourite, which tell nothing about the tree's
    /// opinion of it.
    pub(crate) fn granted(&self, m: Move) -> u32 {
        let granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        granted.iter().find(|of| of.0 == m).map_or(0, |of| of.1)
    }

    fn grant(&self, m: Move) {
        let mut granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        match granted.iter_mut().find(|of| of.0 == m) {
            Some(of) => of.1 += 1,
            None => granted.push((m, 1)),
        }
    }

    /// Returns the index of the move if the next visit of the root is for it.
    pub(super) fn turn(&self, root: &Node, edges: &[Edge]) -> Option<usize> {
        if !root.visits().is_multiple_of(SHARE) {
            return None;
        }
        let m = self.get()?;
        let index = edges.iter().position(|edge| edge.m() == m)?;
        let edge = &edges[index];
        let is_owed = edge.visits() < self.min_visits && !edge.is_lost();
        is_owed.then(|| {
            self.grant(m);
            index
        })
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Budget, Position};
    use komadai_eval::Classical;

    use super::super::{Beside, MonteCarlo, MonteCarloOptions, RootMove};
    use super::*;
    use crate::searcher::SearchRequest;

    /// A rook for nothing: the tree looks at other moves once or never.
    const HANGING_ROOK: &str = "4k4/9/9/9/4r4/9/4P4/9/4KR3 b - 1";

    /// Returns the moves of the tree, the visits of the favourite, and those that it was granted.
    fn visits(favourite: Option<&str>, playouts: u64) -> (Vec<RootMove>, [u32; 2]) {
        let watched = favourite.unwrap_or("4i4h").parse::<Move>().unwrap();
        let handle = Favourite::new(200);
        handle.set(favourite.map(|_| watched));
        let mut options = MonteCarloOptions::modern();
        (options.playouts, options.search.hash_mib) = (Some(playouts), 16);
        let position = Position::from_sfen(HANGING_ROOK).unwrap();
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        let beside = Beside { favourite: Some(&handle), ..Beside::default() };
        let budget = Budget::unlimited();
        searcher.search_beside(&SearchRequest::new(&position, &budget), beside, &mut |_| {});
        let moves = searcher.root_moves().to_vec();
        let visits = moves.iter().find(|root_move| root_move.m == watched).unwrap().visits;
        (moves, [visits, handle.granted(watched)])
    }

    #[test]
    fn a_move_that_the_tree_ignores_gets_its_visits() {
        let (moves, [ignored, none]) = visits(None, 3_000);
        let (forced_moves, [forced, granted]) = visits(Some("4i4h"), 3_000);
        assert!(ignored < 200 && none == 0, "{moves:?}");
        assert!(granted + 100 > forced, "{granted} of {forced}");
        assert!((200..=260).contains(&forced), "{forced}");
        assert_ne!(forced_moves[0].m, "4i4h".parse().unwrap(), "{moves:?}");
    }

    #[test]
    fn the_share_is_a_quarter_until_the_visits_are_made() {
        let (_, [few, granted]) = visits(Some("4i4h"), 400);
        assert!((95..=110).contains(&few) && (90..=few).contains(&granted), "{granted} of {few}");
    }
}
