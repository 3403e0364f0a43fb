//! Messages from the engine to the GUI.

use core::fmt;
use core::str::FromStr;

use komadai_core::{Move, Pv};

use crate::info::Info;
use crate::option::{OptionError, OptionSpec};
use crate::words::{Labelled, OneLine, Words, one_line, shorten};

/// A line from the engine.
///
/// # Text
///
/// A message that has been read is written as a line that is read as the same message and written
/// as the same line. Reading normalises the text as for [`GuiCommand`](crate::GuiCommand#text):
/// free text (`id`, `info string`, the names and texts of options, and an unknown line) is kept
/// verbatim up to the blanks at its ends, a line break or a NUL inside counts as a space, and all
/// other parts are values, written with single spaces in a fixed order.
///
/// Text that a program puts into a message is written in the same form. The protocol has no
/// escapes: an option name that contains the word `type`, a choice that contains `default` or
/// `var`, the choice `<empty>`, and an [`Unknown`](Self::Unknown) line that begins like a message,
/// are read as something else.
///
/// # Examples
///
/// ```
/// use komadai_usi::{BestMove, EngineMessage, MessageError};
///
/// let message: EngineMessage = "bestmove 7g7f ponder 3c3d".parse()?;
/// let EngineMessage::BestMove(BestMove::Move { best, ponder }) = message else { panic!() };
/// assert_eq!(best, "7g7f".parse().unwrap());
/// assert!(ponder.is_some());
/// # Ok::<(), MessageError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineMessage {
    /// `id name …`: the name of the engine.
    Name(String),
    /// `id author …`: the author.
    Author(String),
    /// `option …`: a declared option.
    Option(OptionSpec),
    /// `usiok`: the end of name and options.
    UsiOk,
    /// `readyok`: the engine is prepared.
    ReadyOk,
    /// `info …`: a report of the search.
    Info(Info),
    /// `bestmove …`: the answer to `go`.
    BestMove(BestMove),
    /// `checkmate …`: the answer to `go mate`.
    Checkmate(Checkmate),
    /// A line that is none of these.
    Unknown(String),
}

/// The answer to `go`. The protocol defines no other, so that a `match` can handle all answers.
///
/// # Examples
///
/// ```
/// use komadai_usi::{BestMove, EngineMessage};
///
/// let answer = EngineMessage::BestMove(BestMove::Resign);
/// assert_eq!(answer.to_string(), "bestmove resign");
/// assert_eq!("bestmove win".parse(), Ok(EngineMessage::BestMove(BestMove::Win)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BestMove {
    /// A move.
    Move {
        /// The move.
        best: Move,
        /// The reply to ponder on.
        ponder: Option<Move>,
    },
    /// Resignation, or no legal move (投了).
    Resign,
    /// Declaration of a win by entering king (入玉宣言).
    Win,
}

impl BestMove {
    /// Returns the move, or `None` for a resignation or a declaration.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_usi::BestMove;
    ///
    /// assert_eq!(BestMove::Resign.to_move(), None);
    /// ```
    pub const fn to_move(&self) -> Option<Move> {
        match *self {
            Self::Move { best, .. } => Some(best),
            Self::Resign | Self::Win => None,
        }
    }
}

/// The answer to `go mate`. The protocol defines no other, so that a `match` can handle all
/// answers.
///
/// # Examples
///
/// ```
/// use komadai_usi::{Checkmate, EngineMessage};
///
/// let line = "checkmate G*5b";
/// let Ok(EngineMessage::Checkmate(Checkmate::Mate(moves))) = line.parse() else { panic!() };
/// assert_eq!(moves.len(), 1);
/// assert_eq!(EngineMessage::Checkmate(Checkmate::NoMate).to_string(), "checkmate nomate");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Checkmate {
    /// A mate, with all moves from the position to the mate.
    Mate(Pv),
    /// A proof that there is no mate.
    NoMate,
    /// No result within the limits.
    Timeout,
    /// The engine has no mate search.
    NotImplemented,
}

/// An error in a line that begins like a message.
///
/// # Examples
///
/// ```
/// use komadai_usi::EngineMessage;
///
/// let error = "bestmove e2e4".parse::<EngineMessage>().unwrap_err();
/// let text = "found \"e2e4\" after `bestmove`, expected a move, `resign` or `win`";
/// assert_eq!(error.to_string(), text);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// The line is empty. Engines send such lines to show that they are alive.
    #[error("empty line, expected a message")]
    Empty,
    /// `bestmove` without a move.
    #[error("found {found:?} after `bestmove`, expected a move, `resign` or `win`")]
    BadBestMove {
        /// The text found instead, shortened.
        found: String,
    },
    /// `checkmate` without moves.
    #[error(
        "found {found:?} after `checkmate`, expected moves, `nomate`, `timeout` or `notimplemented`"
    )]
    BadCheckmate {
        /// The text found instead, shortened.
        found: String,
    },
    /// An option that cannot be read.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl FromStr for EngineMessage {
    type Err = MessageError;

    /// Reads one line, normalised as described [above](EngineMessage#text).
    ///
    /// Lines with an unknown first word are [`Unknown`](EngineMessage::Unknown), because engines
    /// print greetings.
    fn from_str(line: &str) -> Result<Self, MessageError> {
        let line = &*one_line(line);
        let mut words = Words::new(line);
        let unknown = || Self::Unknown(line.trim_ascii().to_owned());
        let message = match words.next().ok_or(MessageError::Empty)? {
            "id" => match words.next() {
                Some("name") => Self::Name(words.rest().to_owned()),
                Some("author") => Self::Author(words.rest().to_owned()),
                _ => unknown(),
            },
            "option" => Self::Option(line.parse()?),
            "usiok" => Self::UsiOk,
            "readyok" => Self::ReadyOk,
            "info" => Self::Info(Info::from_usi(words.rest())),
            "bestmove" => Self::BestMove(BestMove::read(words)?),
            "checkmate" => Self::Checkmate(Checkmate::read(words.rest())?),
            _ => unknown(),
        };
        Ok(message)
    }
}

/// Returns whether the text after `bestmove` is one of the words for no move that engines derived
/// from chess engines have.
pub(crate) fn says_no_move(found: &str) -> bool {
    let word = found.split_ascii_whitespace().next().unwrap_or_default();
    ["(none)", "none", "null", "pass", "0000"].iter().any(|none| word.eq_ignore_ascii_case(none))
}

impl BestMove {
    /// Reads the answer. A ponder move that cannot be read is ignored. The words of other protocols
    /// for no move are not read: only who knows the position can tell whether they are right.
    fn read(mut words: Words<'_>) -> Result<Self, MessageError> {
        let found = words.rest();
        match words.next() {
            Some("resign") => Ok(Self::Resign),
            Some("win") => Ok(Self::Win),
            Some(word) if word.parse::<Move>().is_ok() => {
                // A ponder move that cannot be read leaves the answer as good as it is.
                let best = word.parse().expect("it has just been read as a move");
                words.eat("ponder");
                let ponder = words.next().and_then(|word| word.parse().ok());
                Ok(Self::Move { best, ponder })
            }
            _ => Err(MessageError::BadBestMove { found: shorten(found) }),
        }
    }
}

impl Checkmate {
    fn read(text: &str) -> Result<Self, MessageError> {
        match text {
            "nomate" => Ok(Self::NoMate),
            "timeout" => Ok(Self::Timeout),
            "notimplemented" => Ok(Self::NotImplemented),
            moves => match moves.parse::<Pv>() {
                Ok(line) if !line.is_empty() => Ok(Self::Mate(line)),
                _ => Err(MessageError::BadCheckmate { found: shorten(text) }),
            },
        }
    }
}

/// Writes the line without a line break.
impl fmt::Display for EngineMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => Labelled("id name", name).fmt(f),
            Self::Author(author) => Labelled("id author", author).fmt(f),
            Self::Option(option) => option.fmt(f),
            Self::UsiOk => f.write_str("usiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) if *info == Info::default() => f.write_str("info"),
            Self::Info(info) => write!(f, "info {info}"),
            Self::BestMove(best) => write!(f, "bestmove {best}"),
            Self::Checkmate(checkmate) => write!(f, "checkmate {checkmate}"),
            Self::Unknown(line) => OneLine(line).fmt(f),
        }
    }
}

/// Writes the text after `bestmove`.
impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { best, ponder: None } => write!(f, "{best}"),
            Self::Move { best, ponder: Some(reply) } => write!(f, "{best} ponder {reply}"),
            Self::Resign => f.write_str("resign"),
            Self::Win => f.write_str("win"),
        }
    }
}

/// Writes the text after `checkmate`.
impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(line) => line.fmt(f),
            Self::NoMate => f.write_str("nomate"),
            Self::Timeout => f.write_str("timeout"),
            Self::NotImplemented => f.write_str("notimplemented"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> EngineMessage {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn every_message_reads_back() {
        for line in [
            "id name Some Engine 1.0",
            "id author A. Uthor, and others",
            "option name USI_Hash type spin default 16 min 1 max 1024",
            "usiok",
            "readyok",
            "info depth 3 score cp 5 pv 7g7f",
            "info string hello",
            "info string",
            "info pv",
            "info",
            "id name",
            "bestmove 7g7f",
            "bestmove P*5e ponder 8h2b+",
            "bestmove resign",
            "bestmove win",
            "checkmate G*5b",
            "checkmate R*5b 5a4a G*3a",
            "checkmate nomate",
            "checkmate timeout",
            "checkmate notimplemented",
            "id",
            "Welcome to Some Engine",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn ponder_moves_that_are_none_are_ignored() {
        let best = "7g7f".parse().unwrap();
        for line in ["bestmove 7g7f ponder", "bestmove 7g7f ponder (none)", " bestmove  7g7f \r"] {
            let expected = EngineMessage::BestMove(BestMove::Move { best, ponder: None });
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn answers_without_sense_are_refused() {
        for (line, found) in [
            ("bestmove", ""),
            ("bestmove e2e4", "e2e4"),
            ("bestmove 7g7g ponder 3c3d", "7g7g ponder 3c3d"),
            ("bestmove RESIGN", "RESIGN"),
            ("bestmove rep_draw", "rep_draw"),
        ] {
            let error = MessageError::BadBestMove { found: found.into() };
            assert_eq!(line.parse::<EngineMessage>(), Err(error), "{line}");
            assert!(!says_no_move(found), "{found}");
        }
        for found in ["(none)", "none", "null", "0000", "pass", "NULL", "None ponder 7g7f"] {
            let error = MessageError::BadBestMove { found: found.into() };
            let line = format!("bestmove {found}");
            assert_eq!(line.parse::<EngineMessage>(), Err(error), "{line}");
            assert!(says_no_move(found), "{found}");
        }
        for (line, found) in [
            ("checkmate", ""),
            ("checkmate yes", "yes"),
            ("checkmate G*5b x", "G*5b x"),
            ("checkmate resign", "resign"),
        ] {
            let error = MessageError::BadCheckmate { found: found.into() };
            assert_eq!(line.parse::<EngineMessage>(), Err(error), "{line}");
        }
        assert_eq!(" \r\n".parse::<EngineMessage>(), Err(MessageError::Empty));
        assert!(matches!(
            "option name X type y".parse::<EngineMessage>(),
            Err(MessageError::Option(_))
        ));
    }
}
