//! One small real book of 73 positions, in five formats.
//!
//! It is the shogi-opening-book of yuukiarchives (CC0 1.0).

/// The book in YANEURAOU-DB2016 text, with a byte order mark: 73 positions.
pub static YANEURAOU_DB: &str = include_str!("../../data/books/yuuki/yaneuraou.db");

/// The book in the format of Apery: 16 bytes per move, sorted by key.
pub static APERY_BIN: &[u8] = include_bytes!("../../data/books/yuuki/apery.bin");

/// The book in the format of Gikou.
pub static GIKOU_BIN: &[u8] = include_bytes!("../../data/books/yuuki/gikou.bin");

/// The book in the format of ShogiGUI (protocol buffers).
pub static SHOGIGUI_SBK: &[u8] = include_bytes!("../../data/books/yuuki/shogigui.sbk");

/// The book as a KIF record with variations, in Shift_JIS.
pub static SHOGIGUI_KIF: &[u8] = include_bytes!("../../data/books/yuuki/shogigui.kif");
