//! Tests of growing books: the loop, generations of games, results of games.

mod book_use;
mod branches;
mod generations;
mod grow;
mod pruning_holds;
mod release;
mod review_list;
mod sample_games;
mod shiba;
mod variation;
#[cfg(feature = "serde")]
mod serde_reports;
mod shared_queue;
