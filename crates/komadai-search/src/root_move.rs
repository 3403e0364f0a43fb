//! A root move and its most recent search result.

use core::cmp::Reverse;

use komadai_core::{Bound, Line, Move, Position, Pv};
use komadai_movegen::{MoveGen, MoveList, generate_useful};

use crate::scaled::Units;
use crate::value::{INFINITE, Value, mating};

/// A root move and its most recent search result.
#[derive(Debug, Clone)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// −[`INFINITE`] before the first result.
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) pv: Pv,
    /// The iteration of the result; 0 before the first one.
    pub(crate) iteration: i32,
}

impl RootMove {
    fn new(m: Move) -> Self {
        Self { m, value: -INFINITE, bound: Bound::Exact, pv: Pv::new(), iteration: 0 }
    }

    /// Returns the line to report, with the value in the evaluator's centipawns; `None` before the
    /// first result.
    pub(crate) fn line(&self, units: Units) -> Option<Line> {
        let Self { value, bound, iteration, .. } = *self;
        let depth = iteration as u32;
        let score = units.score(value);
        (iteration > 0).then(|| Line { depth, score, bound, pv: self.pv.clone() })
    }

    /// Returns the sort key after a search: results of the latest iteration first, best first. One
    /// that is only known to be no better than something comes after the values.
    pub(crate) fn rank(&self) -> Reverse<(i32, bool, Value)> {
        Reverse((self.iteration, self.bound != Bound::Upper, self.value))
    }
}

/// Adopts a proven mate as the result of its first move in an iteration, and ranks the moves;
/// returns false if the caller has excluded that move.
pub(crate) fn adopt_mate(moves: &mut [RootMove], pv: Pv, iteration: i32) -> bool {
    let first = pv.first().copied();
    let Some(of_mate) = moves.iter_mut().find(|root_move| Some(root_move.m) == first) else {
        return false;
    };
    let (m, value) = (of_mate.m, mating(pv.len()));
    *of_mate = RootMove { m, value, bound: Bound::Exact, pv, iteration };
    moves.sort_by_key(RootMove::rank);
    true
}

/// Returns the root moves: the legal ones among `only`, or all useful legal moves.
pub(crate) fn root_moves(position: &Position, only: Option<&[Move]>) -> Vec<RootMove> {
    let mut list = MoveList::new();
    match only {
        Some(moves) => {
            for (index, &m) in moves.iter().enumerate() {
                if !moves[..index].contains(&m) && position.is_legal(m) {
                    list.push(m);
                }
            }
        }
        None => generate_useful(position, &mut list),
    }
    list.into_iter().map(RootMove::new).collect()
}
