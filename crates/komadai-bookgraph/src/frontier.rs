//! The frontier: the positions to search next.
//!
//! A book for one side needs one good move for that side in each position, and a reply to every
//! move of the opponent that is not bad. So from a root the own side of the book follows only its
//! best move, and the opponent every move within a window of values. The first positions outside
//! the book on these lines are the *frontier*. If both sides choose between two moves, there are
//! 2^100 lines of 100 plies; if only one side does, there are 2^50.
//!
//! | module | |
//! |---|---|
//! | `options` | the options of a selection |
//! | `cuts` | counts of the ends of lines that yield no position |
//! | `choices` | the moves that are followed from one position |
//! | `line_tree`, `frontier_set` | the lines followed, and the positions found at their ends, each once |
//! | `selected`, `interleave` | the public frontier, and several frontiers taken in turn |
//! | `drop_out_expansion` | the walk breadth first, and by the price of lines |
//! | `rival`, `opponent_replies`, `reach_probability` | the model of a rival, and the walk by the probability of lines |
//! | `refutations`, `rejoins`, `unsolved`, `departures` | other reasons to search a position |
//! | `traps` | the probable mistakes of the opponent |
//! | `diff` | the comparison of two frontiers |

mod options;
mod cuts;
mod choices;
mod line_tree;
mod frontier_set;
mod selected;
mod drop_out_expansion;
mod rival;
mod opponent_replies;
mod reach_probability;
mod refutations;
mod rejoins;
mod unsolved;
mod departures;
mod traps;
mod interleave;
mod diff;

pub use cuts::Cuts;
pub use departures::{Departure, DepartureOptions, Leaver};
pub use diff::{FrontierDiff, SearchedPosition};
pub use drop_out_expansion::Alpha;
pub use frontier_set::Reason;
pub use interleave::in_turn;
pub use opponent_replies::OpponentReplies;
pub use options::{BookSides, FrontierOptions, OwnMoves, RootLimits, Window};
pub use reach_probability::ReachOptions;
pub use refutations::Refutation;
pub use rejoins::{Rejoin, RejoinMove};
pub use rival::{Rival, RivalBook};
pub use selected::{Frontier, FrontierPosition};
pub use traps::{Trap, TrapOptions, Traps};
pub use unsolved::{Unsolved, UnsolvedError};
