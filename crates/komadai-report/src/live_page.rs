//! The parts of pages about work in progress: boards, figures, tables.
//!
//! | module | |
//! |---|---|
//! | `parts` | what a page shows, as plain data |
//! | `html` | the data as HTML |
//! | `style.css` | the style sheet |

mod html;
mod parts;

pub use parts::{LiveBoard, LivePage, LiveProgress, LiveTable};
