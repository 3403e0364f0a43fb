//! The graph of a book's positions: what follows from everything that is known.
//!
//! | module | |
//! |---|---|
//! | `short_lists`, `bloom_filter` | two containers |
//! | `listed_move`, `positions`, `barred` | what a book says, in few bytes |
//! | `links` | which positions lead to which, by any legal move |
//! | `values`, `graphical_game` | what is solved for, and the game that is solved |
//! | `solve`, `perpetual_check` | its exact solution |
//! | `book_graph`, `builder` | the graph as its users see it, and how it comes about |
//! | `unmoves`, `changes`, `update` | changing it, looking only at what can change |
//! | `write` | writing it |

mod short_lists;
mod bloom_filter;
mod listed_move;
mod positions;
mod barred;
mod links;
mod values;
mod graphical_game;
mod solve;
mod perpetual_check;
mod book_graph;
mod builder;
mod read;
mod unmoves;
mod changes;
mod update;
mod write;

pub use book_graph::{BookGraph, RankedMove, Value};
pub use builder::GraphBuilder;
pub use changes::GraphChange;
pub use graphical_game::DrawValue;
pub use read::GraphImport;
pub use update::Updated;
pub use values::{Basis, PERPETUAL_PLIES, REPETITION_PLIES};
pub use write::{DbOptions, UnknownMoves, WrittenMoves};
