//! Shiba's method: a long book grows by games and is pruned by their results.
//!
//! In a match one side plays with the book against opponents without it. Each game serves two
//! purposes.
//!
//! 1. **Extension**. From the position where a [`GameWalk`] leaves the book, the next positions of
//!    the book's side are [`ExtensionTargets`]. Analysed deeply and added, they make the book up to
//!    sixteen plies longer in the lines that opponents choose.
//! 2. **Pruning**, also called Shiba pruning. A search cannot detect its own systematic errors, but
//!    results of games show them. [`GameResults`] count wins, draws and losses per position and
//!    move of the book's side; a move whose games are lost is a [`PruneCandidate`]. Candidates are
//!    few, so a person reviews them as a [`ReviewList`]. The moves that remain in the list become
//!    [`RemovedMoves`], a layer above the book that can be undone.
//!
//! Both steps alternate for several [generations](crate::generation). [`BookUse`], [`UseTable`] and
//! [`Branches`] measure their effect.
//!
//! Source: Seiji Shiba, "コンピュータ将棋における定跡生成法の一提案" (Offering an effective method to make opening books
//! on computer shogi), IPSJ SIG Game Informatics, 2018. Differences from the paper: positions with
//! colours exchanged count as one, so the results of both colours are added up; the limits are
//! options; each candidate has its games and a confidence interval.

mod known_moves;
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
pub use branches::{BranchMove, BranchPoint, Branches, Mover};
pub use extension::{ExtensionTarget, ExtensionTargets};
pub use game_results::{CountedGame, GameResults, MoveResults};
pub(crate) use game_walk::MoveKey;
pub use game_walk::{BookTurn, GameWalk};
pub use known_moves::KnownMoves;
pub use komadai_bookgraph::PlayableMove;
pub use removed_moves::{Applied, Remaining, RemovedMoves};
pub use replay::GameError;
pub use review::{Removal, ReviewList};
pub use shiba_pruning::{PruneCandidate, PruneHold, PruneOptions, PruneReason, PruneScope};
pub use use_table::{UseGroup, UseGrouping, UseTable};
pub use win_draw_loss::{GameOutcome, WinDrawLoss};
