//! CSA, the record format of the Computer Shogi Association (コンピュータ将棋協会), versions 1 to 3.
//!
//! Sources: the definitions of versions 2.2 and 3.0 on computer-shogi.org (`record_v22.html`,
//! `record_v3.html`).

mod escapes;
mod keys;
mod words;
mod statement;
mod start;
mod summary;
mod game;
mod reader;
mod write;

pub use write::{CsaVariations, CsaVersion, CsaWriteOptions, write_csa_games};

pub(crate) use keys::{key_of as header_key_of, word_of as header_word_of};
pub(crate) use reader::read_game;
pub(crate) use start::place_of;
pub(crate) use words::{digits, kind_of, letters_of, sign};
#[cfg(feature = "jkf")]
pub(crate) use words::{end_of, word_of};
