//! How a game ended, and who won.

use std::time::Duration;

use komadai_core::Color;

use crate::comment::Comment;

/// The end mark of a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct End {
    /// What it means.
    pub kind: EndKind,
    /// The time used up to it, by the side to move.
    pub time: Option<Duration>,
    /// Comments after it.
    pub comments: Vec<Comment>,
}

impl End {
    /// An end mark without time and comments.
    #[must_use]
    pub fn new(kind: EndKind) -> Self {
        Self { kind, time: None, comments: Vec::new() }
    }
}

/// The ways in which a game ends.
///
/// Where a side is meant and the name does not say which, it is the side to move.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::{EndKind, Outcome};
///
/// assert_eq!(EndKind::Resign.outcome(Color::White), Outcome::Win(Color::Black));
/// assert_eq!(EndKind::IllegalWin.outcome(Color::White), Outcome::Win(Color::White));
/// assert_eq!(EndKind::Interrupt.outcome(Color::White), Outcome::Unknown);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndKind {
    /// 投了: the side to move resigned.
    Resign,
    /// 詰み: the side to move is checkmated, or its mate is forced.
    Checkmate,
    /// 不詰: a problem has no mate.
    NoMate,
    /// 切れ負け: the side to move used up its time.
    TimeUp,
    /// 反則負け: the side to move broke a rule and loses.
    IllegalLoss,
    /// 反則勝ち: the side that moved last broke a rule; the side to move wins.
    IllegalWin,
    /// 入玉勝ち: the side to move declared a win.
    EnteringKingWin,
    /// 千日手: fourfold repetition, a draw.
    Repetition,
    /// 持将棋: an impasse, a draw.
    Impasse,
    /// 引き分け: a draw for another reason.
    Draw,
    /// The limit of moves was reached.
    MaxMoves,
    /// 中断: the game was broken off.
    Interrupt,
    /// The program that wrote the record failed.
    Error,
    /// A word that is not known, as the file has it.
    Other(String),
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side.
    Win(Color),
    /// No one: a draw.
    Draw,
    /// The game has no result, or the record does not give it.
    Unknown,
}

impl EndKind {
    /// Who won, if the game ended so with `side` to move.
    #[must_use]
    pub fn outcome(&self, side: Color) -> Outcome {
        match self {
            Self::Resign | Self::Checkmate | Self::TimeUp | Self::IllegalLoss => {
                Outcome::Win(!side)
            }
            Self::IllegalWin | Self::EnteringKingWin => Outcome::Win(side),
            Self::Repetition | Self::Impasse | Self::Draw => Outcome::Draw,
            Self::NoMate | Self::MaxMoves | Self::Interrupt | Self::Error | Self::Other(_) => {
                Outcome::Unknown
            }
        }
    }
}
