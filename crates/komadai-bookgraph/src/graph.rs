//! The graph of a book's positions, and the values that follow from all of it.
//!
//! | module | |
//! |---|---|
//! | `short_lists`, `bloom_filter` | containers |
//! | `listed_move`, `positions` | the contents of a book, in few bytes |
//! | `links` | the edges between positions, by any legal move |
//! | `values`, `draw_value`, `graphical_game` | the values, and the game that is solved for them |
//! | `solve`, `perpetual_check`, `check_components` | its exact solution |
//! | `book_graph`, `builder`, `read` | the public graph, its construction, and reading it from a file |
//! | `unmoves`, `update` | changes, after which only affected values are computed |
//! | `write` | writing a `.db` book |

mod short_lists;
mod bloom_filter;
mod listed_move;
mod positions;
mod links;
mod values;
mod draw_value;
mod graphical_game;
mod solve;
mod check_components;
mod perpetual_check;
mod book_graph;
mod builder;
mod read;
mod unmoves;
mod update;
mod write;

pub use book_graph::{BookGraph, Expectation, RankedMove, Value};
pub use builder::GraphBuilder;
pub use draw_value::DrawValue;
pub use read::GraphImport;
pub use update::{GraphChange, Updated};
pub use values::{Basis, PERPETUAL_PLIES, REPETITION_PLIES};
pub use write::{DbOptions, UnknownMoves, WrittenMoves};
