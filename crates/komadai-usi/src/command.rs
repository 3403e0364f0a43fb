//! Commands from the GUI to the engine.

use core::fmt;
use core::str::FromStr;

use komadai_core::{UsiError, UsiPosition};

use crate::limits::{ClockTimes, GoLimits};
use crate::words::{OneLine, Words, one_line};

/// A command from the GUI, or from another program in its place.
///
/// # Text
///
/// A command that has been read is written as a line that is read as the same command and written
/// as the same line. For this, reading normalises the text:
///
/// - ASCII blanks around words and at the ends of the line are dropped. A line break or a NUL
///   inside the line counts as a space.
/// - The arguments of known commands are values: their order, the spelling of numbers, and words
///   without a meaning are not kept.
/// - Free text (name and value of an option, and an unknown line) is kept verbatim, runs of blanks
///   and characters outside ASCII included, up to the blanks at its ends. An empty value is written
///   as `<empty>`.
///
/// Text that a program puts into a command is written in the same form, so that no value can start
/// another command. The protocol has no escapes: an option name that is empty or contains the word
/// `value`, and an [`Unknown`](Self::Unknown) line that begins like a command, are read as
/// something else.
///
/// # Examples
///
/// ```
/// use komadai_usi::{CommandError, GuiCommand};
///
/// let command: GuiCommand = "setoption name USI_Hash value 256".parse()?;
/// assert_eq!(
///     command,
///     GuiCommand::SetOption { name: "USI_Hash".into(), value: Some("256".into()) },
/// );
/// assert!(matches!("position startpos moves 7g7f".parse()?, GuiCommand::Position(_)));
/// # Ok::<(), CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GuiCommand {
    /// `usi`: send name and options, then `usiok`.
    Usi,
    /// `setoption name N value V`: set an option, or press a button without a value.
    SetOption {
        /// The name, which may contain blanks. They are kept.
        name: String,
        /// The value up to the end of the line, verbatim. `<empty>` is read as the empty text.
        value: Option<String>,
    },
    /// `isready`: prepare, then send `readyok`.
    IsReady,
    /// `usinewgame`: a new game begins.
    NewGame,
    /// `position …`: the position to search, with the game that led to it.
    Position(UsiPosition),
    /// `go …`: search.
    Go(GoLimits),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the opponent has made the expected move. ShogiHome may add the clocks.
    PonderHit(Option<ClockTimes>),
    /// `gameover …`: the game has ended, with this result for the engine.
    GameOver(GameResult),
    /// `e`: print the static evaluation of the position. YaneuraOu has it; it is not part of USI.
    Evaluate,
    /// `quit`: exit.
    Quit,
    /// A line that is none of these.
    Unknown(String),
}

/// The result of a game for the engine that receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// A win of the engine.
    Win,
    /// A loss of the engine.
    Lose,
    /// A draw, or an interrupted game.
    Draw,
    /// A missing or unknown word.
    Unknown,
}

/// An error in a line that begins like a command.
///
/// # Examples
///
/// ```
/// use komadai_usi::{CommandError, GuiCommand};
///
/// let error = "position startpos moves 7g7x".parse::<GuiCommand>().unwrap_err();
/// assert!(matches!(error, CommandError::Position(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The line is empty.
    #[error("empty line, expected a command")]
    Empty,
    /// `setoption` has no name.
    #[error("found {found:?} after `setoption`, expected `name` and the name of an option")]
    NoOptionName {
        /// The text found instead, shortened.
        found: String,
    },
    /// `position` cannot be read. Offsets count from the start of the line.
    #[error("position: {0}")]
    Position(#[from] UsiError),
}

impl FromStr for GuiCommand {
    type Err = CommandError;

    /// Reads one line, normalised as described [above](GuiCommand#text).
    ///
    /// Blanks may be doubled, and the line may end in `\r\n`. `sfen …` and `startpos …` without
    /// `position`, which occur in logs, are positions. Lines with an unknown first word are
    /// [`Unknown`](GuiCommand::Unknown), not errors.
    fn from_str(line: &str) -> Result<Self, CommandError> {
        let line = &*one_line(line);
        let mut words = Words::new(line);
        let command = match words.next().ok_or(CommandError::Empty)? {
            "usi" => Self::Usi,
            "setoption" => read_option(words)?,
            "isready" => Self::IsReady,
            "usinewgame" => Self::NewGame,
            "position" | "sfen" | "startpos" => Self::Position(UsiPosition::from_usi(line)?),
            "go" => Self::Go(GoLimits::from_usi(words.rest())),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit(ClockTimes::read(&mut words)),
            "gameover" => Self::GameOver(GameResult::read(words.next())),
            "e" => Self::Evaluate,
            "quit" => Self::Quit,
            _ => Self::Unknown(line.trim_ascii().to_owned()),
        };
        Ok(command)
    }
}

fn read_option(mut words: Words<'_>) -> Result<GuiCommand, CommandError> {
    let found = crate::words::shorten(words.rest());
    if !words.eat("name") {
        return Err(CommandError::NoOptionName { found });
    }
    // Names contain blanks, so that only the next word of the protocol ends one.
    let name = words.until(|word| word == "value");
    if name.is_empty() {
        return Err(CommandError::NoOptionName { found });
    }
    let value = words.eat("value").then(|| match words.rest() {
        "<empty>" => String::new(),
        value => value.to_owned(),
    });
    Ok(GuiCommand::SetOption { name: name.to_owned(), value })
}

impl GameResult {
    fn read(word: Option<&str>) -> Self {
        match word {
            Some("win") => Self::Win,
            Some("lose") => Self::Lose,
            Some("draw") => Self::Draw,
            _ => Self::Unknown,
        }
    }
}

/// Writes the line without a line break.
impl fmt::Display for GuiCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usi => f.write_str("usi"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {}", OneLine(name))?;
                match value.as_deref().map(OneLine) {
                    None => Ok(()),
                    // Some engines do not accept a line that ends with `value `.
                    Some(value) if value.is_empty() => f.write_str(" value <empty>"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("usinewgame"),
            Self::Position(position) => write!(f, "position {position}"),
            Self::Go(limits) => match limits.to_string() {
                limits if limits.is_empty() => f.write_str("go"),
                limits => write!(f, "go {limits}"),
            },
            Self::Stop => f.write_str("stop"),
            Self::PonderHit(None) => f.write_str("ponderhit"),
            Self::PonderHit(Some(clock)) => write!(f, "ponderhit {clock}"),
            Self::GameOver(result) => write!(f, "gameover {result}"),
            Self::Evaluate => f.write_str("e"),
            Self::Quit => f.write_str("quit"),
            Self::Unknown(line) => write!(f, "{}", OneLine(line)),
        }
    }
}

/// Writes the word after `gameover`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Draw => "draw",
            Self::Unknown => "unknown",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> GuiCommand {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn every_command_reads_back() {
        for line in [
            "usi",
            "setoption name USI_Hash value 256",
            "setoption name Clear Hash",
            "setoption name Debug Log File value C:\\a folder\\log.txt",
            "setoption name BookFile value <empty>",
            "isready",
            "usinewgame",
            "position startpos",
            "position startpos moves 7g7f 3c3d",
            "position sfen 4k4/9/9/9/9/9/9/9/4K4 w RB2Pp 9 moves 5a5b",
            "go",
            "go infinite",
            "go ponder btime 1 wtime 2 byoyomi 3",
            "stop",
            "ponderhit",
            "ponderhit btime 1 wtime 2 binc 3 winc 3",
            "gameover win",
            "gameover lose",
            "gameover draw",
            "gameover unknown",
            "e",
            "quit",
            "bench 5",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn carriage_returns_and_doubled_blanks_do_not_matter() {
        assert_eq!(read(" isready \r\n"), GuiCommand::IsReady);
        assert_eq!(
            read("\tposition   startpos  moves   7g7f\r"),
            read("position startpos moves 7g7f")
        );
        assert_eq!(
            read("setoption  name   Skill Level  value   a  b \r\n"),
            GuiCommand::SetOption { name: "Skill Level".into(), value: Some("a  b".into()) },
        );
    }

    #[test]
    fn an_option_may_have_no_value_or_an_empty_one() {
        let option = |value: Option<&str>| GuiCommand::SetOption {
            name: "X".into(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("setoption name X"), option(None));
        assert_eq!(read("setoption name X value"), option(Some("")));
        assert_eq!(read("setoption name X value "), option(Some("")));
        assert_eq!(read("setoption name X value <empty>"), option(Some("")));
        assert_eq!(read("setoption name X value value 3"), option(Some("value 3")));
        for (line, found) in [
            ("setoption", ""),
            ("setoption USI_Hash value 3", "USI_Hash value 3"),
            ("setoption name", "name"),
            ("setoption name value 3", "name value 3"),
        ] {
            let error = CommandError::NoOptionName { found: found.into() };
            assert_eq!(line.parse::<GuiCommand>(), Err(error), "{line}");
        }
    }

    #[test]
    fn positions_need_no_word_before_them() {
        let position = read("position startpos moves 7g7f");
        assert_eq!(read("startpos moves 7g7f"), position);
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        assert_eq!(read(&format!("sfen {sfen}")), read(&format!("position sfen {sfen}")));
        assert_eq!(read(&format!("position {sfen}")), read(&format!("position sfen {sfen}")));
    }

    #[test]
    fn broken_positions_say_where() {
        let error = "position startpos moves 7g7f 7x".parse::<GuiCommand>().unwrap_err();
        let at_29 = UsiError::BadMove { token: "7x".into(), at: 29 };
        assert_eq!(error, CommandError::Position(at_29));
        assert!("position".parse::<GuiCommand>().is_err());
        assert!("position sfen 9/9".parse::<GuiCommand>().is_err());
    }

    #[test]
    fn other_words_are_kept() {
        assert_eq!("  ".parse::<GuiCommand>(), Err(CommandError::Empty));
        assert_eq!(read("gameover abandoned"), GuiCommand::GameOver(GameResult::Unknown));
        assert_eq!(read("gameover"), GuiCommand::GameOver(GameResult::Unknown));
        assert_eq!(read("USI"), GuiCommand::Unknown("USI".into()));
        assert_eq!(read("stopp now "), GuiCommand::Unknown("stopp now".into()));
    }

    #[test]
    fn a_value_cannot_smuggle_in_a_command() {
        let command = GuiCommand::SetOption { name: "X".into(), value: Some("1\nquit".into()) };
        assert_eq!(command.to_string(), "setoption name X value 1 quit");
    }

    #[test]
    fn long_games_are_read() {
        let mut line = String::from("position startpos moves");
        for _ in 0..3_000 {
            line.push_str(" 5i5h 5a5b 5h5i 5b5a");
        }
        let GuiCommand::Position(position) = read(&line) else { panic!("a position") };
        assert_eq!(position.moves.len(), 12_000);
    }
}
