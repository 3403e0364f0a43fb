//! The parts that the formats of Kakinoki (柿木将棋), KIF and KI2, have in common.
//!
//! Source: Y. Kakinoki, "棋譜ファイル KIF 形式", <http://kakinoki.o.oo7.jp/kif_format.html>.

pub(crate) mod board_text;
pub(crate) mod ends;
pub(crate) mod game;
pub(crate) mod keys;
pub(crate) mod line;
pub(crate) mod reading;
pub(crate) mod start;
pub(crate) mod words;
pub(crate) mod write;
