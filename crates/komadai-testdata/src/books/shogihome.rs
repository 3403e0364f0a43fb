//! Small books in binary formats, from the tests of ShogiHome.

/// The book of `shogihome_db` as YANE-BINBOOK-V1, with depths; unknown values are 0.
pub static YANEURAOU_YBB: &[u8] = include_bytes!("../../data/books/shogihome/yaneuraou.ybb");

/// A book of 21 moves in the format of Apery.
pub static APERY_BIN: &[u8] = include_bytes!("../../data/books/shogihome/apery.bin");

/// A book of 69 states in the format of ShogiGUI, with a comment, marks and evaluations.
pub static SHOGIGUI01_SBK: &[u8] = include_bytes!("../../data/books/shogihome/shogigui01.sbk");

/// A book of 132 states in the format of ShogiGUI, with results of games.
pub static SHOGIGUI02_SBK: &[u8] = include_bytes!("../../data/books/shogihome/shogigui02.sbk");
