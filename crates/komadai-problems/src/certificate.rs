//! Written proofs of a mate and of its absence, and their checker.
//!
//! A solver's word is only as good as its table, its comparison of hands and its treatment of
//! repetition. A certificate needs none of them. It lists positions with the attacker to move,
//! exact in every piece, and states the moves of one side:
//!
//! - *Mate*: one check for each position, and a number of plies within which it mates. After each
//!   reply the position is listed too, with a smaller number. The numbers end at a checkmate, so no
//!   repetition occurs.
//! - *No mate*: one reply for each check in each position. The position after it is listed too. The
//!   defender who follows the list is therefore never mated: the checks end or the positions
//!   repeat, and a repetition is a failure of the attacker.
//!
//! [`certify`] asks a [`MateSolver`](komadai_movegen::MateSolver) and writes a [`Certificate`].
//! [`check`] reads the text of one and accepts it or says where it fails. The checker plays legal
//! moves and tests for check; it uses neither solver nor hashes.
//!
//! # Format
//!
//! The text is ASCII with a line for each position. Positions are in SFEN without the move number,
//! moves in USI notation:
//!
//! ```text
//! komadai-certificate 1
//! claim mate 3
//! 9/4k4/9/4P4/9/9/9/9/9 b 2G: 3 G*5c
//! 5k3/9/4G4/4P4/9/9/9/9/9 b G: 1 G*4b
//! 4k4/9/4G4/4P4/9/9/9/9/9 b G: 1 G*5b
//! 3k5/9/4G4/4P4/9/9/9/9/9 b G: 1 G*6b
//! end 4
//! ```
//!
//! and, where a dropped pawn would be needed:
//!
//! ```text
//! komadai-certificate 1
//! claim nomate
//! 7nk/9/8G/9/9/9/9/9/9 b P: 1c1b 1a1b 1c2b 1a2b
//! 7n1/8k/9/9/9/9/9/9/9 b Pg: P*1c 2a1c
//! 7n1/7k1/9/9/9/9/9/9/9 b Pg: P*2c 2b3c
//! 9/8k/8n/9/9/9/9/9/9 b gp:
//! 7n1/9/6kP1/9/9/9/9/9/9 b g:
//! end 5
//! ```
//!
//! The second line is `claim mate N`, a mate within N plies, or `claim nomate`. The first position
//! is that of the claim. Each further position must have been reached by an earlier line, and is
//! listed once. In a proof of a mate a position is followed by its number of plies and the check;
//! in a proof of no mate by pairs of a check and its reply, one for each legal check, in any order.
//! The last line has the number of positions.
//!
//! # Examples
//!
//! ```
//! use komadai_core::{Budget, Position};
//! use komadai_tsume::DfPn;
//! use komadai_problems::certificate::{Claim, certify, check};
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
//! let certificate = certify(&position, &mut DfPn::default(), &Budget::nodes(10_000), 1_000)?;
//! let text = certificate.to_string();
//! assert_eq!(text, "komadai-certificate 1\nclaim mate 1\n\
//!                   4k4/9/4P4/9/9/9/9/9/9 b G: 1 G*5b\nend 1\n");
//!
//! let checked = check(text.as_bytes(), 1_000)?;
//! assert!(checked.position.same_placement(&position));
//! assert_eq!(checked.claim, Claim::MateWithin(1));
//! assert!(check(text.replace("G*5b", "G*4b").as_bytes(), 1_000).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod listing;
mod reader;
mod check;
mod certify;
mod words;
#[cfg(test)]
mod tests;

pub use certify::certify;
pub use check::check;
pub use error::{CertificateError, CertifyError};
pub use listing::{Certificate, Checked, Claim};
