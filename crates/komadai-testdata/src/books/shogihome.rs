//! Small books in binary formats, from the tests of ShogiHome.

/// The book of `shogihome_db` as YANE-BINBOOK-V1, with depths; values that are not known are 0.
pub static YANEURAOU_YBB: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou.ybb");

/// A book of 21 moves as Apery writes it.
pub static APERY_BIN: &[u8] = include_bytes!("../../data/books/shogihome/apery.bin");

/// A book of 69 states as ShogiGUI writes it, with a comment, marks and judgements.
pub static SHOGIGUI01_SBK: &[u8] = include_bytes!("../../data/books/shogihome/shogigui01.sbk");

/// A book of 132 states as ShogiGUI writes it, with results of games.
pub static SHOGIGUI02_SBK: &[u8] = include_bytes!("../../data/books/shogihome/shogigui02.sbk");
