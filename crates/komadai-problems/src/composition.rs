//! Reports on tsume compositions (詰将棋作品): lengths, main line, flaws, and the tree of all solutions.
//!
//! | | |
//! |---|---|
//! | [`Lengths`], [`Convention`] | plies of the shortest mate, with and without futile interpositions |
//! | [`CheckLengths`] | the same for mates that begin with one check or another |
//! | [`analyse`], [`CompositionReport`] | the main line, its flaws and the pieces left in hand |
//! | [`Cook`], [`CookKind`] | a flaw: a second solution, a shorter mate, a longer variation, … |
//! | [`SolutionTree`], [`TreeNode`], [`TreeState`] | all mates and all replies with exact distances, as text or JSON |
//! | [`CompositionOptions`], [`CompositionError`] | budget, convention, the author's line; faults |
//!
//! # Lengths
//!
//! *Strict*: the attacker plays for the shortest mate and the defender for the longest. Every legal
//! move counts.
//!
//! *Literature*: as strict, but futile interpositions (無駄合, mudaai) do not count. Books describe
//! them by examples; the definition here is recursive. In a position D with the defender in check:
//!
//! - An *interposition* (合駒) is a move to a square between the king and the only piece that gives
//!   check, by a drop or by a piece other than the king.
//! - It is *taken back* when a piece of the attacker captures the interposed piece and gives check
//!   from its square, and the captured piece returns to the defender's hand. The position D' after
//!   that differs from D in the place of the capturing piece (which may promote), and in the place
//!   of the interposed piece if it was not dropped.
//! - The attacker mates from D *within n plies* if, for every reply, it mates within n − 1 plies
//!   after the reply, or the reply is an interposition that can be taken back such that it mates
//!   from D' within n plies.
//!
//! The interposition and its capture thus count no plies if the attacker does not need the captured
//! piece. A reply is *futile* if only by taking it back the attacker mates within the length of D.
//! A check is mate (length 0) if all replies to it are futile. The recursion ends, since each
//! capture brings a checking piece nearer to the king. The literature length is at most the strict
//! one, and exists if and only if the strict one does.
//!
//! Measured on the 143 problems of Shogi Muso (1734) and Shogi Zuko (1755) with a recorded length
//! (2026-11-25): 5 diagrams have no mate, 6 are not decided within 12 million nodes a question. Of
//! the other 132, the literature length equals the recorded one for 89; 9 have a shorter mate than
//! recorded, and in 34 the defender has a longer variation. In 24 of the 25 whose recorded line was
//! examined, the king begins that variation, which no definition of futile interpositions removes.
//! `docs/tsume.md` of the repository lists the problems; the tests `recorded` and `literature`
//! check them.
//!
//! # Main line
//!
//! In the *main line* (本手順, also 作意手順 if the author intends it), the attacker plays a shortest mate
//! and the defender the longest defence. Of these lines, one is taken after which the attacker has
//! the fewest pieces in hand (駒余り, pieces left over, is a flaw), and of those the first in the
//! order of generation. After 300 positions the order of generation alone decides. If the longest
//! defence is an interposition that can be taken back only at the price of plies, the line contains
//! it with its capture and is two plies longer than the length.
//!
//! # Flaws
//!
//! The line under examination is the main line or that of the author. At each of its moves, *own*
//! is the number of plies in which the game ends after the move.
//!
//! | kind | alternative | term |
//! |---|---|---|
//! | [`ShorterMate`](CookKind::ShorterMate) | a check that mates in fewer plies than own | 早詰 |
//! | [`SecondSolution`](CookKind::SecondSolution) | another check that mates, also without the positions of the line | 余詰 |
//! | [`Detour`](CookKind::Detour) | a check that mates in more plies, only through a position of the line | 迂回手順 |
//! | [`MoveOrder`](CookKind::MoveOrder) | a check that mates in as many plies, only through a position of the line | 手順前後 |
//! | [`Promotion`](CookKind::Promotion) | the same move with or without promotion, as many plies | 成不成非限定 |
//! | [`DropSquare`](CookKind::DropSquare) | the same drop on another square, as many plies | 打ち場所非限定 |
//! | [`Destination`](CookKind::Destination) | the same piece to another square, as many plies | 移動先非限定 |
//! | [`LastMove`](CookKind::LastMove) | any other mate at the last move, usually ignored | 最終手余詰 |
//! | [`LongerVariation`](CookKind::LongerVariation) | a reply that takes more plies than own | 変長 |
//! | [`EqualVariation`](CookKind::EqualVariation) | a reply that takes as many plies as own | 変同 |
//!
//! A position counts as one of the line if the attacker moves, the board is the same and the
//! attacker holds the same pieces or fewer. Mates longer than own by more than
//! [`longer_by`](CompositionOptions::longer_by) plies are not reported; checks that may have such
//! mates are listed as [`unsettled`](CompositionReport::unsettled).
//!
//! # Cost
//!
//! A report on each of the 43 problems above, with mates up to 10 plies longer, takes 0.03 to 5.9
//! million nodes, 0.46 million in the median, at about 0.5 million nodes a second and 40 bytes a
//! node (2026-11-25, virtual processor).

mod options;
mod lengths;
mod main_line;
mod cook;
mod examine;
mod report;
mod words;
mod tree;

pub use cook::{Cook, CookKind};
pub use lengths::{CheckLengths, Lengths};
pub(crate) use options::MAX_LENGTH;
pub use options::{CompositionError, CompositionOptions, Convention};
pub use report::{CompositionReport, analyse};
pub use tree::{SolutionTree, TreeNode, TreeState};

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
