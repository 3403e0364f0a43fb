//! Growing a long book by games, and pruning it by wins and losses.
//!
//! A book gets long where it is played: a side with the book plays against opponents without it
//! (S1.2), and each game is worth two things.
//!
//! 1. **Extension** (S1.3). Where a [`GameWalk`] leaves the book, the next positions of the book's
//!    side are [`ExtensionTargets`]: searched deeply and added, they make the book up to sixteen
//!    plies longer in the lines that opponents choose.
//! 2. **Pruning** (S1.4). A search cannot see its own mistakes, results can. [`GameResults`] count
//!    wins, draws and losses per position and move of the book's side; a move whose games are lost
//!    is a [`PruneCandidate`]. There are few, so they go to a person as a [`ReviewList`], and what
//!    the person leaves standing becomes [`RemovedMoves`]: a layer above the book that can be
//!    undone.
//!
//! Both steps alternate for some generations (S1.5). [`BookUse`] and [`Branches`] tell what they
//! achieve (S1.6, S1.7).
//!
//! Source: Seiji Shiba, "コンピュータ将棋における定跡生成法の一提案" (Offering an effective method to
//! make opening books on computer shogi), IPSJ SIG Game Informatics, 2018. Differences: a book is
//! turned with its positions, so results of both colours meet in one row; the limits are options;
//! every candidate carries the games behind it and an interval.

mod known_moves;
mod game_error;
pub(crate) mod replay;
mod game_walk;
mod win_draw_loss;
mod text_table;
mod json;
mod game_results;
mod shiba_pruning;
mod review;
mod removed_moves;
mod extension;
mod book_use;
mod use_table;
mod branches;

pub use book_use::{BookUse, UseOptions};
pub use branches::{BranchPoint, Branches, Mover};
pub use extension::{ExtensionTarget, ExtensionTargets};
pub use game_error::GameError;
pub use game_results::{CountedGame, GameResults, MoveResults};
pub use game_walk::{BookTurn, GameWalk};
pub use known_moves::{KnownMoves, PlayableMove};
pub use removed_moves::{Applied, Remaining, RemovedMoves};
pub use review::{Removal, ReviewList};
pub use shiba_pruning::{PruneCandidate, PruneOptions, PruneReason, PruneScope};
pub use use_table::{UseGroup, UseGrouping, UseTable};
pub use win_draw_loss::{GameOutcome, WinDrawLoss};
