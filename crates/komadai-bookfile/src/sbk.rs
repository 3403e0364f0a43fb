//! ShogiGUI's book format (`.sbk`), a protocol buffer.
//!
//! ```text
//! book:  1 author, 2 description, 3 states…
//! state: 1 number, 2 key of the board, 3 key of the hands, 4 games, 5 won by Black, 6 won by White,
//!        7 position, 8 comment, 9 moves…, 10 evaluations…
//! move:  1 move, 2 mark, 3 weight, 4 number of the state after it
//! evaluation: 1 value, 2 depth, 3 greatest depth, 4 nodes, 5 line, 6 engine
//! ```
//!
//! Usually only the start state has a position; those of the other states follow from the moves
//! that lead to them. The keys are hashes that only ShogiGUI computes; other programs, and this
//! crate, write 0 there. The value of an evaluation is for Black, as ShogiGUI shows values: in a
//! sample written by it, the lines of an engine for White are listed best first, with rising
//! values.
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
