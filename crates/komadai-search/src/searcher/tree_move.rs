//! The moves of the root of a tree search.

use core::fmt;

use komadai_core::Move;

/// A move of the root and what the tree has found about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Number of times that it was tried.
    pub visits: u32,
    /// Expected result for the side to move: 1 for a win, ½ for a draw, 0 for a loss.
    pub rate: f32,
    /// The probability before the search.
    pub prior: f32,
    /// The proven result, if there is one.
    pub proven: Option<Proven>,
}

impl RootMove {
    /// Returns a move with these results, for rules that compare moves.
    pub fn new(m: Move, visits: u32, rate: f32) -> Self {
        Self { m, visits, rate, prior: 0.0, proven: None }
    }
}

/// Shows the move with its rate, visits and prior, or with its proven result:
/// `7g7f 54.3% 1234 visits prior 12.5%`, `5i5h lost in 6`.
impl fmt::Display for RootMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { m, visits, rate, prior, proven } = self;
        match proven {
            Some(Proven::Win { plies }) => write!(f, "{m} won in {plies}"),
            Some(Proven::Loss { plies }) => write!(f, "{m} lost in {plies}"),
            None => {
                let rate = 100.0 * rate;
                let prior = 100.0 * prior;
                write!(f, "{m} {rate:.1}% {visits} visits prior {prior:.1}%")
            }
        }
    }
}

/// A proven result of a move, for the side that makes it, and the number of plies to the end of
/// the game, the move included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proven {
    /// It wins.
    Win {
        /// The plies.
        plies: u32,
    },
    /// It loses.
    Loss {
        /// The plies.
        plies: u32,
    },
}
