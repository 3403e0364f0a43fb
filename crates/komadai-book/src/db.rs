//! YANEURAOU-DB2016, the text format in which shogi programs exchange books (`.db`).
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 35 18 120
//! 2g2f none 30 18 97
//! ```
//!
//! A line of a move has the move, the answer expected, the value in centipawns for the side to move,
//! the depth, and the number of games; all but the move may be missing or `none`.
//!
//! Sources: the files of YaneuraOu (<https://github.com/yaneurao/YaneuraOu>) and of ShogiHome
//! (<https://github.com/sunfish-shogi/shogihome>); the layout is a fact of the format.

mod reader;
mod writer;

pub use reader::{DbImport, DbMove, DbReader, DbRecord};
pub use writer::UnknownMoves;

/// The first line.
pub(crate) const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// How the number of positions is announced on the second line.
pub(crate) const COUNT_PREFIX: &str = "# NOE:";

/// What stands for no move and no number.
const NONE: &str = "none";

/// A value that means that there is none.
const UNKNOWN_VALUE: i64 = -32_768;
