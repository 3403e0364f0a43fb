//! The end of a game and its outcome.

use std::time::Duration;

use komadai_core::Color;
use komadai_movegen::Outcome as GameOutcome;

use crate::comment::Comment;

/// The end mark of a record.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_kifu::{End, EndKind, Record};
///
/// let mut record = Record::new(Setup::hirate());
/// record.end = Some(End::new(EndKind::Resign));
/// assert!(record.to_csa()?.ends_with("%TORYO\n"));
/// # Ok::<(), komadai_kifu::RecordTextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct End {
    /// The meaning of the mark.
    pub kind: EndKind,
    /// The time that the side to move used before it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub time: Option<Duration>,
    /// Comments after it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub comments: Vec<Comment>,
}

impl End {
    /// Creates an end mark without time and comments.
    pub fn new(kind: EndKind) -> Self {
        Self { kind, time: None, comments: Vec::new() }
    }
}

/// The ways in which a game ends.
///
/// If the name of an end does not state the side, it is the side to move.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EndKind {
    /// 投了: the side to move resigned.
    #[doc(alias("投了", "toryo"))]
    Resign,
    /// 詰み: the side to move is checkmated, or its mate is forced.
    #[doc(alias("詰み", "tsumi"))]
    Checkmate,
    /// 不詰: a problem has no mate.
    NoMate,
    /// 切れ負け: the side to move used up its time.
    #[doc(alias = "切れ負け")]
    TimeUp,
    /// 反則負け: the side to move broke a rule and loses.
    IllegalLoss,
    /// 反則勝ち: the side that moved last broke a rule; the side to move wins.
    IllegalWin,
    /// 連続王手の千日手: the side to move repeated the position by checks alone and loses.
    #[doc(alias("連続王手の千日手", "oute_sennichite"))]
    PerpetualCheckLoss,
    /// 連続王手の千日手: the side that moved last gave the checks; the side to move wins.
    PerpetualCheckWin,
    /// 入玉勝ち: the side to move declared a win.
    #[doc(alias("入玉勝ち", "nyugyoku"))]
    EnteringKingWin,
    /// 千日手: fourfold repetition, a draw.
    #[doc(alias("千日手", "sennichite"))]
    Repetition,
    /// 持将棋: an impasse, a draw.
    #[doc(alias("持将棋", "jishogi"))]
    Impasse,
    /// 引き分け: a draw for another reason.
    Draw,
    /// 最大手数: the maximum number of moves was reached, a draw.
    MaxMoves,
    /// 中断: the game was interrupted.
    Interrupt,
    /// The program that wrote the record failed.
    Error,
    /// A win for a reason that the other ends do not have, or of the other side than theirs: 不戦勝,
    /// a lost connection, the time of the side that is not to move.
    #[doc(alias("不戦勝", "不戦敗"))]
    Win {
        /// The winner.
        winner: Color,
        /// The reason, in a word of the file; `勝ち` if the file states the winner alone.
        reason: String,
    },
    /// An unknown word, as the file has it.
    Other(String),
}

/// The outcome of a game.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::{Outcome, Tolerance, parse_csa};
///
/// let games = parse_csa("PI\n+\n+7776FU\n%TORYO\n", Tolerance::Strict)?;
/// assert_eq!(games.records[0].outcome(), Outcome::Win(Color::Black)); // White resigned
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// A draw.
    Draw,
    /// The game has no result, or the record does not give it.
    Unknown,
}

impl From<GameOutcome> for Outcome {
    fn from(outcome: GameOutcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::Win)
    }
}

impl EndKind {
    /// Returns the outcome of a game that ended in this way with `side` to move.
    pub fn outcome(&self, side: Color) -> Outcome {
        match self {
            Self::Resign
            | Self::Checkmate
            | Self::TimeUp
            | Self::IllegalLoss
            | Self::PerpetualCheckLoss => Outcome::Win(!side),
            Self::IllegalWin | Self::PerpetualCheckWin | Self::EnteringKingWin => {
                Outcome::Win(side)
            }
            Self::Win { winner, .. } => Outcome::Win(*winner),
            Self::Repetition | Self::Impasse | Self::Draw | Self::MaxMoves => Outcome::Draw,
            Self::NoMate | Self::Interrupt | Self::Error | Self::Other(_) => Outcome::Unknown,
        }
    }

    /// Returns this end if it has this outcome with `side` to move, else an end that has it: a win
    /// for this reason, or a draw. An unknown outcome changes nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Color;
    /// use komadai_kifu::{EndKind, Outcome};
    ///
    /// let black_won = Outcome::Win(Color::Black);
    /// let kind = EndKind::TimeUp.with_outcome(black_won, Color::White, "time up");
    /// assert_eq!(kind, EndKind::TimeUp);
    /// let kind = EndKind::Interrupt.with_outcome(black_won, Color::White, "lost connection");
    /// assert_eq!(kind.outcome(Color::White), black_won);
    /// ```
    #[must_use]
    pub fn with_outcome(self, outcome: Outcome, side: Color, reason: &str) -> Self {
        match outcome {
            _ if self.outcome(side) == outcome => self,
            Outcome::Win(winner) => Self::Win { winner, reason: reason.to_owned() },
            Outcome::Draw => Self::Draw,
            Outcome::Unknown => self,
        }
    }

    /// Returns true if the end, with `side` to move, states that the last move lost the game: a
    /// foul (反則勝ち), perpetual check, or another reason for a win of the side to move. Such an end
    /// explains an illegal last move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Color;
    /// use komadai_kifu::EndKind;
    ///
    /// assert!(EndKind::IllegalWin.punishes_last_move(Color::White));
    /// assert!(!EndKind::Resign.punishes_last_move(Color::White));
    /// assert!(!EndKind::IllegalLoss.punishes_last_move(Color::White));
    /// ```
    pub fn punishes_last_move(&self, side: Color) -> bool {
        match self {
            Self::IllegalWin | Self::PerpetualCheckWin => true,
            Self::Win { winner, .. } => *winner == side,
            _ => false,
        }
    }

    /// Returns the end in which `self` happened to `color`, with `side` to move: a file may name
    /// the player who resigned or broke a rule. `reason` is the word of the file.
    pub(crate) fn of_player(self, color: Color, side: Color, reason: &str) -> Self {
        match self {
            kind if color == side => kind,
            Self::IllegalLoss => Self::IllegalWin,
            Self::IllegalWin => Self::IllegalLoss,
            Self::PerpetualCheckLoss => Self::PerpetualCheckWin,
            Self::PerpetualCheckWin => Self::PerpetualCheckLoss,
            kind => match kind.outcome(color) {
                Outcome::Win(winner) => Self::Win { winner, reason: reason.to_owned() },
                Outcome::Draw | Outcome::Unknown => kind,
            },
        }
    }

    /// Returns the end by which `winner` won, with `side` to move, if `self` states the reason; for
    /// a reason that decides no game, [`Win`](Self::Win) with the word of the file.
    pub(crate) fn won_by(self, winner: Color, side: Color, reason: &str) -> Self {
        // An end happens to its winner, as a declaration does, or to its loser.
        let player = match self.outcome(winner) {
            Outcome::Win(own) if own == winner => winner,
            Outcome::Win(_) => !winner,
            Outcome::Draw | Outcome::Unknown => {
                return Self::Win { winner, reason: reason.to_owned() };
            }
        };
        self.of_player(player, side, reason)
    }
}
