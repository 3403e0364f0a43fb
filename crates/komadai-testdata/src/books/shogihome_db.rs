//! One small book of ShogiHome in six variants of YANEURAOU-DB2016 text.
//!
//! It has 5 positions and 18 moves, without values, with values, with columns left empty, and with
//! comments on positions and on moves. They are test files of sunfish-shogi/shogihome (MIT).

/// The variant with line feeds and the usual header.
pub static PLAIN: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou.db");

/// The variant with lines that end in CR and LF.
pub static CRLF: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-crlf.db");

/// The variant [`CRLF`] with a byte order mark.
pub static BOM_CRLF: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-bom-crlf.db");

/// The variant without a header.
pub static NO_HEADER: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-no-header.db");

/// The variant without a header, with a byte order mark before the first position.
pub static BOM_NO_HEADER: &[u8] =
    include_bytes!("../../data/books/shogihome/yaneuraou-bom-no-header.db");

/// The variant with the header of another version of the format.
pub static INVALID_HEADER: &[u8] =
    include_bytes!("../../data/books/shogihome/yaneuraou-invalid-header.db");
