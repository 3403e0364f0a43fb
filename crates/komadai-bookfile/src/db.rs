//! YANEURAOU-DB2016, the text format in which shogi programs exchange books (`.db`).
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! # NOE:1
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! #a comment on the position
//! 7g7f 3c3d 35 18 120
//! #a comment on 7g7f
//! 2g2f none 30 18 97 another, on 2g2f
//! ```
//!
//! The line of a move has the move, the expected answer, the value in centipawns for the side to
//! move, the depth in plies, and the number of games; all but the move may be missing or `none`. `#
//! NOE:` announces the number of positions.
//!
//! Sources: the files of YaneuraOu (<https://github.com/yaneurao/YaneuraOu>) and of ShogiHome
//! (<https://github.com/sunfish-shogi/shogihome>); the layout is a fact of the format.

mod move_line;
mod parser;
mod reader;
mod blocks;
mod batches;
mod record_writer;

pub use batches::{DbBatch, DbBatches};
pub use parser::DbHeader;
pub use reader::DbReader;
pub use record_writer::DbWriter;

pub(crate) use record_writer::push_sfen;

/// The first line.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// The start of the second line, which announces the number of positions.
pub const COUNT_PREFIX: &str = "# NOE:";

/// The first word of the line of a position.
const POSITION_WORD: &str = "sfen";

/// The word for an absent move or number.
const NONE: &str = "none";

/// The number that YaneuraOu writes for an unknown value.
const UNKNOWN_VALUE: i64 = -32_768;

/// The maximum length of a line, in bytes. Comments may be long; positions and moves never are.
const MAX_LINE_BYTES: usize = 1 << 16;

/// The maximum length of all comments on one position and its moves, in bytes.
const MAX_COMMENT_BYTES: usize = 1 << 20;
