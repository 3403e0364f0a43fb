//! ShogiGUI's book format (`.sbk`), a protocol buffer.
//!
//! ```text
//! book:  1 author, 2 description, 3 states…
//! state: 1 number, 2 key of the board, 3 key of the hands, 4 games, 5 won by Black, 6 won by White,
//!        7 position, 8 comment, 9 moves…, 10 judgements…
//! move:  1 move, 2 mark, 3 weight, 4 number of the state after it
//! judgement: 1 value, 2 depth, 3 greatest depth, 4 nodes, 5 line, 6 engine
//! ```
//!
//! As a rule only the state of the start has a position; the others are known by the moves that lead
//! to them. The keys are hashes of ShogiGUI's own; other programs leave them 0, and so does this one.
//! A judgement's value is for Black, as ShogiGUI shows values: in a sample made with it, the lines
//! that an engine found for White stand best first, and their values rise.
//!
//! Sources: the description in ai5/BookConv (<https://github.com/ai5/BookConv>, CC0); the files of
//! ShogiGUI and ShogiHome. The layout is a fact of the format.

mod move_code;
mod reader;
mod state;
mod wire;
mod writer;

pub use reader::SbkReader;
pub use writer::SbkWriter;
