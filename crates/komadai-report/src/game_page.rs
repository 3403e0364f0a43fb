//! An HTML page about one game that can be replayed in it.
//!
//! The page is one file without network, fonts or images of its own. Without its script it shows
//! the start position and the list of the moves; the script replays the game from the SFEN of each
//! position, which the list holds, and never handles texts of the record as markup. A content
//! security policy permits this script only.
//!
//! | module | |
//! |---|---|
//! | `evaluations` | the values in the comments of a record |
//! | `lines` | the lines of a record as nodes with positions |
//! | `words` | words in both languages |
//! | `head`, `sides`, `moves`, `page` | the parts of the page, and the page |
//! | `script.js`, `style.css` | the script and the style sheet |

mod evaluations;
mod head;
mod lines;
mod moves;
mod page;
mod sides;
mod words;

pub use evaluations::game_points;
pub use page::GamePage;
#[cfg(test)]
pub(crate) use page::{SCRIPT, SCRIPT_HASH};
pub use sides::SideFigures;
