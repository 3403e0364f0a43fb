//! One small book of ShogiHome in six variants of YANEURAOU-DB2016 text.
//!
//! It has 5 positions and 18 moves, without values, with values, with columns left empty, and with
//! comments on positions and on moves. They are test files of sunfish-shogi/shogihome (MIT).

/// Line feeds and the usual header.
pub static PLAIN: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou.db");

/// Lines end in CR and LF.
pub static CRLF: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-crlf.db");

/// As [`CRLF`], with a byte order mark.
pub static BOM_CRLF: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-bom-crlf.db");

/// The header is missing.
pub static NO_HEADER: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou-no-header.db");

/// The header is missing, and a byte order mark stands before the first position.
pub static BOM_NO_HEADER: &[u8] =
    include_bytes!("../../data/books/shogihome/yaneuraou-bom-no-header.db");

/// The header names another version of the format.
pub static INVALID_HEADER: &[u8] =
    include_bytes!("../../data/books/shogihome/yaneuraou-invalid-header.db");
