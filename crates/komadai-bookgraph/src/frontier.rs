//! What to search next.
//!
//! A book for one side needs one good move for that side in each position, and an answer to every
//! move of the opponent that is not bad. So from a root the book's own side follows only its best
//! move, the opponent every move within a window of values; the first positions outside the book on
//! these lines are the *frontier*. If both sides may choose among two moves, there are 2^100 lines of
//! 100 plies; if one may, 2^50.
//!
//! | module | |
//! |---|---|
//! | `options` | which lines are followed |
//! | `choices` | the moves to follow from one position |
//! | `frontier_set` | the positions found, each once, and how they were reached |
//! | `selected` | the frontier as its users see it |
//! | `drop_out_expansion` | the walk breadth first, and by the price of lines |
//! | `rival`, `reach_probability` | how a rival chooses, and the walk by the probability of lines |
//! | `refutations`, `rejoins`, `unsolved`, `departures` | other reasons to search a position |
//! | `diff` | what became of a frontier |

mod options;
mod choices;
mod frontier_set;
mod selected;
mod drop_out_expansion;
mod rival;
mod reach_probability;
mod refutations;
mod rejoins;
mod unsolved;
mod departures;
mod interleave;
mod diff;

pub use departures::{Departure, DepartureOptions, Leaver};
pub use diff::{FrontierDiff, SearchedPosition};
pub use drop_out_expansion::Alpha;
pub use frontier_set::Reason;
pub use options::{BookSides, FrontierOptions, OwnMoves, Window};
pub use reach_probability::ReachOptions;
pub use refutations::Refutation;
pub use rejoins::{Rejoin, RejoinMove};
pub use rival::{Rival, RivalBook, RivalMove};
pub use selected::{Frontier, FrontierPosition};
pub use unsolved::{Unsolved, UnsolvedError};
