//! The graph of a book's positions: what follows from everything that is known.
//!
//! | module | |
//! |---|---|
//! | `short_lists`, `key_filter` | two containers |
//! | `listed_move`, `positions`, `barred` | what a book says, in few bytes |
//! | `links` | which positions lead to which, by any legal move |
//! | `values`, `game` | what is solved for, and the game that is solved |
//! | `solve`, `check_loops` | its exact solution |
//! | `book_graph`, `builder` | the graph as its users see it, and how it comes about |
//! | `retro`, `changes`, `update` | changing it, looking only at what can change |
//! | `write` | writing it |

mod short_lists;
mod key_filter;
mod listed_move;
mod positions;
mod barred;
mod links;
mod values;
mod game;
mod solve;
mod check_loops;
mod book_graph;
mod builder;
mod read;
mod retro;
mod changes;
mod update;
mod write;

pub use book_graph::{BookGraph, RankedMove, Value};
pub use builder::GraphBuilder;
pub use changes::GraphChange;
pub use game::DrawValue;
pub use read::GraphImport;
pub use update::Updated;
pub use values::{Basis, PERPETUAL_PLIES, REPETITION_PLIES};
pub use write::{DbOptions, UnknownMoves, WrittenMoves};
