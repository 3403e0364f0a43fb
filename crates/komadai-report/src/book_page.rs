//! An HTML page about an opening book: its growth, its lines and frontier, its engines, and the
//! results of its games.
//!
//! [`ReportData`] holds all numbers, gathered from a [`BookGraph`](komadai_bookgraph::BookGraph) or
//! a working book. [`write_report`] writes them as HTML with pictures and a board, without network.
//! Every list is bounded, so the page of a book of millions of positions is as long as that of a
//! small one.
//!
//! | module | |
//! |---|---|
//! | `options`, `data`, `look` | the options of a report, its data, and the language of its page |
//! | `for_black` | values from the point of view of Black |
//! | `book_state`, `frontier_size`, `value_depths`, `first_moves` | a book in numbers |
//! | `main_lines`, `game_tally` | a tree of its lines, and the results of games in them |
//! | `value_changes`, `lines_to` | the comparison of two states, and the moves to positions |
//! | `working_data`, `history`, `log_census`, `disagreements`, `match_data` | data of working books only |
//! | `page` | the page |
//! | `scale_plot` | a picture of the values of two engines |

mod options;
mod look;
mod lines_to;
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
mod match_data;
mod working_data;
mod data;
mod page;
mod scale_plot;

pub use book_state::BookState;
pub use data::ReportData;
pub use first_moves::FirstMove;
pub use frontier_size::{FrontierCount, FrontierShape};
pub use look::PageLook;
pub use main_lines::{LineEnd, LineMove, MainLines};
pub use options::ReportOptions;
#[cfg(test)]
pub(crate) use page::{SCRIPT, SCRIPT_HASH};
pub use page::{write_branches, write_report, write_traps};
pub use scale_plot::scale_plot;
pub use value_changes::{ValueChange, ValueChanges};
pub use value_depths::ValueDepths;

pub use disagreements::{Disagreement, EnginePair};
pub use history::ROOT_FIGURE;
pub use match_data::MatchData;
pub use working_data::{Deletions, WorkingData};
