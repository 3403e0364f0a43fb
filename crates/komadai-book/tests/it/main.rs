//! Tests of growing books: the loop, generations of games, results of games.

mod book_use;
mod generations;
mod grow;
mod review_list;
mod sample_games;
mod shiba;
#[cfg(feature = "serde")]
mod serde_reports;
