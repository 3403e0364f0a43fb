//! The parts that all pages share: head, footer, and the buttons of the board that scripts change.

mod board_buttons;
mod page_head;

pub(crate) use board_buttons::{board_buttons, button};
pub(crate) use page_head::{PageHead, footer};
