//! Lines of a CSA server.

use std::time::Duration;

/// A line of the server outside the summary of a game.
///
/// Every line is a message: those of an unknown form are [`Other`](Self::Other).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_csa::{EndReason, ServerMessage};
///
/// let sent = ServerMessage::read("+7776FU,T12");
/// let ServerMessage::Move { text, time } = sent else { panic!("this is a move") };
/// assert_eq!((&*text, time), ("+7776FU", Some(Duration::from_secs(12))));
/// assert_eq!(ServerMessage::read("#RESIGN"), ServerMessage::Reason(EndReason::Resign));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerMessage {
    /// `LOGIN:name OK`.
    LoginOk {
        /// The name.
        name: String,
    },
    /// `LOGIN:incorrect`.
    LoginRefused,
    /// `LOGOUT:completed`.
    LogoutDone,
    /// `BEGIN Game_Summary`.
    SummaryBegins,
    /// `START:game`.
    Start {
        /// The identifier of the game.
        game: String,
    },
    /// `REJECT:game by name`.
    Reject {
        /// The identifier of the game.
        game: String,
        /// The player who refused.
        by: String,
    },
    /// A move of either side, `+7776FU,T12`.
    Move {
        /// The move in CSA.
        text: String,
        /// The time used.
        time: Option<Duration>,
    },
    /// A word in place of a move, `%TORYO,T3`.
    Special {
        /// The word, with its percent sign.
        word: String,
        /// The time used.
        time: Option<Duration>,
    },
    /// The reason of the end of the game, `#RESIGN`.
    Reason(EndReason),
    /// The result of the game, `#WIN`.
    Result(GameResult),
    /// An empty line, which keeps the connection alive.
    Empty,
    /// Any other line.
    Other(String),
}

/// The reason of the end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndReason {
    /// `#RESIGN`: resignation.
    Resign,
    /// `#TIME_UP`: the time of a side is used up.
    TimeUp,
    /// `#ILLEGAL_MOVE`: a move broke a rule.
    IllegalMove,
    /// `#ILLEGAL_ACTION`: a side sent what is not allowed.
    IllegalAction,
    /// `#SENNICHITE`: fourfold repetition.
    Repetition,
    /// `#OUTE_SENNICHITE`: perpetual check.
    PerpetualCheck,
    /// `#JISHOGI`: a side declared a win with its king in the other camp.
    Declaration,
    /// `#MAX_MOVES`: the maximum number of moves.
    MaxMoves,
}

/// The result of a game for the player that receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameResult {
    /// `#WIN`.
    Win,
    /// `#LOSE`.
    Lose,
    /// `#DRAW`.
    Draw,
    /// `#CENSORED`: the game does not count.
    Censored,
    /// `#CHUDAN`: the game was interrupted.
    Interrupted,
}

impl ServerMessage {
    /// Reads a line without its line end.
    pub fn read(line: &str) -> Self {
        let line = line.trim_end();
        let other = || Self::Other(line.to_owned());
        if let Some(rest) = line.strip_prefix("LOGIN:") {
            return match rest.strip_suffix(" OK") {
                Some(name) => Self::LoginOk { name: name.to_owned() },
                None if rest == "incorrect" => Self::LoginRefused,
                None => other(),
            };
        }
        if let Some(game) = line.strip_prefix("START:") {
            return Self::Start { game: game.to_owned() };
        }
        if let Some(rest) = line.strip_prefix("REJECT:") {
            let (game, by) = rest.split_once(" by ").unwrap_or((rest, ""));
            return Self::Reject { game: game.to_owned(), by: by.to_owned() };
        }
        match line.as_bytes().first() {
            None => Self::Empty,
            Some(b'+' | b'-') => {
                // The own moves come back as well, with the time that the server has measured.
                let (text, time) = with_time(line);
                Self::Move { text, time }
            }
            Some(b'%') => {
                let (word, time) = with_time(line);
                Self::Special { word, time }
            }
            Some(b'#') => end_of(&line[1..]).unwrap_or_else(other),
            _ if line == "BEGIN Game_Summary" => Self::SummaryBegins,
            _ if line == "LOGOUT:completed" => Self::LogoutDone,
            _ => other(),
        }
    }
}

/// Splits off the time. What else follows the move is a comment.
fn with_time(line: &str) -> (String, Option<Duration>) {
    let mut parts = line.split(',');
    let text = parts.next().unwrap_or_default().to_owned();
    (text, parts.find_map(|part| read_seconds(part.strip_prefix('T')?)))
}

/// Reads a number of seconds, which has a fraction on some servers: `12`, `1.250`.
fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    // Digits beyond nanoseconds do not count.
    let nanos: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    Some(Duration::new(whole.parse().ok()?, nanos.parse().ok()?))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn end_of(word: &str) -> Option<ServerMessage> {
    let result = match word {
        "WIN" => GameResult::Win,
        "LOSE" => GameResult::Lose,
        "DRAW" => GameResult::Draw,
        "CENSORED" => GameResult::Censored,
        "CHUDAN" => GameResult::Interrupted,
        _ => return Some(ServerMessage::Reason(reason_of(word)?)),
    };
    Some(ServerMessage::Result(result))
}

fn reason_of(word: &str) -> Option<EndReason> {
    Some(match word {
        "RESIGN" => EndReason::Resign,
        "TIME_UP" => EndReason::TimeUp,
        "ILLEGAL_MOVE" => EndReason::IllegalMove,
        "ILLEGAL_ACTION" => EndReason::IllegalAction,
        "SENNICHITE" => EndReason::Repetition,
        "OUTE_SENNICHITE" => EndReason::PerpetualCheck,
        "JISHOGI" => EndReason::Declaration,
        "MAX_MOVES" => EndReason::MaxMoves,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_message() {
        let other = |text: &str| ServerMessage::Other(text.to_owned());
        for (line, message) in [
            ("LOGIN:a OK", ServerMessage::LoginOk { name: "a".to_owned() }),
            ("LOGIN:incorrect", ServerMessage::LoginRefused),
            ("LOGIN:what", other("LOGIN:what")),
            ("START:x y", ServerMessage::Start { game: "x y".to_owned() }),
            ("REJECT:g by b", ServerMessage::Reject { game: "g".to_owned(), by: "b".to_owned() }),
            ("#CHUDAN", ServerMessage::Result(GameResult::Interrupted)),
            ("#NEW", other("#NEW")),
            ("##[HELP]", other("##[HELP]")),
            ("", ServerMessage::Empty),
            ("hello", other("hello")),
        ] {
            assert_eq!(ServerMessage::read(line), message, "{line}");
        }
        let sent = ServerMessage::read("%TORYO,T3\r");
        let time = Some(Duration::from_secs(3));
        assert_eq!(sent, ServerMessage::Special { word: "%TORYO".to_owned(), time });
    }

    #[test]
    fn times_are_whole_seconds_or_have_fractions() {
        for (text, millis) in [
            ("T12", Some(12_000)),
            ("T0", Some(0)),
            ("T1.250", Some(1_250)),
            ("T1.25", Some(1_250)),
            ("T0.5", Some(500)),
            ("T3.000000000999", Some(3_000)),
            ("'* 30,T7", Some(7_000)),
            ("T2,T9", Some(2_000)),
            ("Tx", None),
            ("T", None),
            ("T-1", None),
            ("T+1", None),
            ("T1.", None),
            ("T.5", None),
            ("T1,5", Some(1_000)),
            ("T1.2.3", None),
            ("T1e3", None),
            ("T１", None),
            ("T99999999999999999999999", None),
            ("12", None),
        ] {
            let sent = ServerMessage::read(&format!("-3334FU,{text}"));
            let time = millis.map(Duration::from_millis);
            let expected = ServerMessage::Move { text: "-3334FU".to_owned(), time };
            assert_eq!(sent, expected, "{text}");
            let sent = ServerMessage::read(&format!("%TORYO,{text}"));
            assert_eq!(sent, ServerMessage::Special { word: "%TORYO".to_owned(), time }, "{text}");
        }
    }
}
