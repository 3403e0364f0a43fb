//! KIF, the record format of Kakinoki Shogi (柿木将棋), which most Japanese programs read and write.
//!
//! Source: Y. Kakinoki, "棋譜ファイル KIF 形式", <http://kakinoki.o.oo7.jp/kif_format.html>.

mod move_line;
mod reader;
mod write;

pub(crate) use move_line::is_move_line;
pub(crate) use reader::read_game;
