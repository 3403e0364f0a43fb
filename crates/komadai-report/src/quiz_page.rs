//! An HTML page with positions in which the reader has to find the move (次の一手).

mod page;
mod question;

pub use page::QuizPage;
#[cfg(test)]
pub(crate) use page::{SCRIPT, SCRIPT_HASH};
pub use question::{QuizChoice, QuizPrompt, QuizQuestion};
