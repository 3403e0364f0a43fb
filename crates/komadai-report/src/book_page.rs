//! One page that shows a book: how it grew, where it ends, who says so, and what games made of it.
//!
//! Numbers and page are apart. [`ReportData`] is everything that is told, gathered from a
//! [`BookGraph`](komadai_bookgraph::BookGraph) or a working book; [`write_report`] turns it into HTML with pictures in
//! it, which needs no network and no script. Every list has a bound, so the page of a book of millions of
//! positions is as long as that of a small one.
//!
//! | module | |
//! |---|---|
//! | `options`, `data` | what is asked for, and all that is found |
//! | `for_black` | the point of view |
//! | `book_state`, `frontier_size`, `value_depths`, `first_moves` | a book in numbers |
//! | `main_lines`, `game_tally` | a tree of its lines, and how games went in them |
//! | `value_changes` | two states compared |
//! | `working_data`, `history`, `log_census`, `disagreements`, `match_data` | what only a working book knows |
//! | `page` | the page |

mod options;
mod for_black;
mod book_state;
mod frontier_size;
mod value_depths;
mod first_moves;
mod main_lines;
mod game_tally;
mod value_changes;
mod disagreements;
mod history;
mod log_census;
mod match_data;
mod working_data;
mod data;
mod page;

pub use book_state::BookState;
pub use data::ReportData;
pub use first_moves::FirstMove;
pub use frontier_size::{FrontierCount, FrontierShape};
pub use main_lines::{LineEnd, LineMove, MainLines};
pub use options::ReportOptions;
pub use page::write_report;
pub use value_changes::{ValueChange, ValueChanges};
pub use value_depths::ValueDepths;

pub use disagreements::{Disagreement, EnginePair};
pub use history::ROOT_FIGURE;
pub use match_data::MatchData;
pub use working_data::{Deletions, WorkingData};
