//! KI2, the record format of Kakinoki Shogi (柿木将棋) for people: moves in the official notation,
//! without times.
//!
//! Source: Y. Kakinoki, "棋譜ファイル KIF 形式", <http://kakinoki.o.oo7.jp/kif_format.html>.

mod between;
mod reader;
mod write;

pub(crate) use reader::read_game;
