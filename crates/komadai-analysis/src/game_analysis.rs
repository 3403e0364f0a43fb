//! The analysis of a whole game: every position valued, every move judged.
//!
//! [`GameAnalyst`] gives the positions of a [`Record`](komadai_kifu::Record) to several workers,
//! each with a searcher or an engine process of its own, and returns a [`GameAnalysis`]: a
//! [`PlyAnalysis`] for each position.
//!
//! # Order of the positions
//!
//! The positions are divided into blocks of eight. A worker takes a block, forgets everything, and
//! analyses its positions from the last one to the first, so that the transposition table already
//! knows the positions after the one that is analysed. The blocks do not depend on the number of
//! workers: with a budget in nodes and one thread for each position, neither do the results. An
//! engine process receives `usinewgame` before each block; the rest is its own affair.
//!
//! # Values
//!
//! [Losses](PlyAnalysis::loss_cp) are differences of [bounded](bounded_cp) values, and the
//! [judgement](Judgement) of a move depends on the [probability of winning](win_probability) that
//! it loses. A budget in nodes is a [soft](komadai_core::Budget::about) one, so that nearly all
//! values are exact. One that is not has its [bound](PlyAnalysis::bound), and judges a move only if
//! the bound proves the loss.

mod judgement;
mod two_move_threat;
mod ply_analysis;
mod mate_finder;
mod analysed_position;
mod workers;
mod game_result;
mod side_summary;
mod annotation;
mod move_explanation;
mod game_analyst;
mod next_move_quiz;

pub use annotation::{AnnotationForm, OldAnalyses};
pub use game_analyst::{Effort, GameAnalyst, GameProgress};
pub use game_result::GameAnalysis;
#[doc(alias("悪手", "疑問手", "緩手"))]
pub use judgement::Judgement;
pub use judgement::{bounded_cp, win_probability};
pub use move_explanation::{GroupChange, MoveExplanation};
pub use next_move_quiz::{NextMoveQuiz, QuizReason};
#[doc(alias("詰めろ", "詰み逃し"))]
pub use ply_analysis::PlyAnalysis;
#[doc(alias("一致率", "平均損失"))]
pub use side_summary::SideSummary;
pub use two_move_threat::TwoMoveThreat;
