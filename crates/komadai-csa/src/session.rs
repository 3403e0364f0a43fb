//! The protocol of a client, without input and output.

use std::time::Duration;

use komadai_base::text;
use komadai_core::{Color, Move, Position};

use crate::clock::ClockState;
use crate::error::ProtocolError;
use crate::game::{FinishedGame, Game, MadeMove};
use crate::message::ServerMessage;
use crate::summary::GameSummary;

/// Largest number of lines of a summary that are collected.
const MAX_SUMMARY_LINES: usize = 20_001;

/// The meaning of a line of the server.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The log-in succeeded, with this name.
    LoggedIn {
        /// The name.
        name: String,
    },
    /// Name or password are wrong.
    LoginRefused,
    /// The server offers a game, to be answered by [`Session::agree`] or [`Session::reject`].
    Offered(Box<GameSummary>),
    /// The server offers another game, with this identifier, while one is offered. The first one
    /// stays.
    OfferedAnother {
        /// The identifier of the other game.
        id: String,
    },
    /// The offered game was refused by a player.
    Rejected {
        /// The player.
        by: String,
    },
    /// The game starts.
    Started,
    /// A move of either side.
    Moved {
        /// The side.
        color: Color,
        /// The move.
        m: Move,
        /// The time that the server counted; by the own clock if it states none that can be read.
        time: Option<Duration>,
        /// The own move that was sent, if the server made another one. The server's counts.
        sent: Option<Move>,
    },
    /// The game is over.
    Over(Box<FinishedGame>),
    /// The server has logged the client out.
    LoggedOut,
    /// A line that the protocol does not know.
    Other(String),
}

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum State {
    /// Before the answer to the log-in.
    #[default]
    LoggingIn,
    /// Between games.
    Waiting,
    /// Within the summary of a game.
    ReadingSummary,
    /// A game is offered and has not started.
    Offered,
    /// A game is in play.
    Playing,
    /// After the log-out, or after a log-in that was refused.
    Ended,
}

/// The protocol of a client: takes lines of the server, returns what they mean, and writes the
/// lines of the client.
///
/// It keeps the game (position, clocks, record), checks that the server keeps to the rules, and makes
/// an own move when the server confirms it, because only the server's moves and times count. It has
/// no connection, no clock and no player, so that a test or another kind of connection can drive it;
/// [`CsaClient`](crate::CsaClient) joins it with TCP and a [`CsaPlayer`](crate::CsaPlayer), and is
/// what a program that plays on floodgate needs.
///
/// # Examples
///
/// ```
/// use komadai_csa::{Event, Session, State};
///
/// let mut session = Session::new();
/// assert_eq!(session.login("KOMADAI", "test-60-0,secret"), "LOGIN KOMADAI test-60-0,secret");
/// session.receive("LOGIN:KOMADAI OK")?;
/// for line in "BEGIN Game_Summary\nGame_ID:1\nYour_Turn:+\nBEGIN Position\nPI\n+\nEND Position".lines() {
///     assert_eq!(session.receive(line)?, None);
/// }
/// let Some(Event::Offered(game)) = session.receive("END Game_Summary")? else { panic!("it is complete") };
/// assert_eq!(session.agree(), "AGREE 1");
/// session.receive("START:1")?;
/// assert!(session.is_own_turn());
/// assert_eq!(session.play("7g7f".parse()?, None), "+7776FU");
/// session.receive_after("+7776FU,T1", None)?; // `receive`, with a time by the own clock
/// assert_eq!(session.position().map(|position| position.ply()), Some(2));
/// session.receive("%TORYO,T2")?;
/// session.receive("#RESIGN")?;
/// let Some(Event::Over(game)) = session.receive("#WIN")? else { panic!("it is over") };
/// assert!(game.record.to_csa()?.ends_with("+7776FU\nT1\n%TORYO\nT2\n"));
/// assert_eq!(session.state(), State::Waiting);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Session {
    state: State,
    summary_lines: Vec<String>,
    game: Option<Game>,
    /// True while `game` is in play, also after the end of the session.
    has_started: bool,
    /// The identifier of a game whose summary has a fault.
    faulty: Option<String>,
}

impl Session {
    /// Creates a session before its log-in.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the state.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns the offered game, or that in play.
    pub fn summary(&self) -> Option<&GameSummary> {
        self.game.as_ref().map(|game| &game.summary)
    }

    /// Returns the position of the game.
    pub fn position(&self) -> Option<&Position> {
        self.game.as_ref().map(|game| &game.position)
    }

    /// Returns the clocks of the game.
    pub fn clock(&self) -> Option<&ClockState> {
        self.game.as_ref().map(|game| &game.clock)
    }

    /// Returns true if a game is in play and it is the turn of the own side.
    pub fn is_own_turn(&self) -> bool {
        let is_own = |game: &Game| game.position.side() == game.summary.color;
        self.state == State::Playing && self.game.as_ref().is_some_and(is_own)
    }

    /// Returns the line that logs in. On floodgate the password has the time control before a
    /// comma: `floodgate-300-10F,secret`.
    pub fn login(&self, user: &str, password: &str) -> String {
        format!("LOGIN {} {}", one_word(user), one_word(password))
    }

    /// Returns the line that accepts the offered game.
    pub fn agree(&self) -> String {
        format!("AGREE {}", self.summary().map_or("", |game| &game.id)).trim_end().to_owned()
    }

    /// Returns the line that refuses the offered game, which is then forgotten.
    #[must_use]
    pub fn reject(&mut self) -> String {
        if self.state == State::Offered {
            self.state = State::Waiting;
        }
        rejection(&self.game.take().map_or(String::new(), |game| game.summary.id))
    }

    /// Returns the line that refuses the game whose summary was an error, such as an impossible
    /// start; `None` if there was none since the last call.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_csa::Session;
    ///
    /// let mut session = Session::new();
    /// session.receive("LOGIN:KOMADAI OK")?;
    /// let summary = "BEGIN Game_Summary\nGame_ID:1\nYour_Turn:+\nBEGIN Position\nP1 *\nEND Position";
    /// for line in summary.lines() {
    ///     session.receive(line)?;
    /// }
    /// assert!(session.receive("END Game_Summary").is_err());
    /// assert_eq!(session.reject_faulty().as_deref(), Some("REJECT 1"));
    /// # Ok::<(), komadai_csa::ProtocolError>(())
    /// ```
    #[must_use]
    pub fn reject_faulty(&mut self) -> Option<String> {
        self.faulty.take().map(|id| rejection(&id))
    }

    /// Returns the game in play, with its moves so far, as one that is broken off now.
    pub fn game_so_far(&self) -> Option<FinishedGame> {
        let game = self.game.as_ref().filter(|_| self.state == State::Playing)?;
        Some(game.clone().finish(None, None))
    }

    /// Returns the line of a move, which must be legal, with a comment such as `* 30 -3334FU`
    /// (value for Black in centipawns, expected moves). The move is made when the server confirms
    /// it. Empty without a game.
    #[must_use]
    pub fn play(&mut self, m: Move, comment: Option<&str>) -> String {
        let comment = comment.map(|text| text.replace(|c: char| c.is_control(), " "));
        self.game.as_mut().map(|game| game.send(m, comment)).unwrap_or_default()
    }

    /// Takes a line of the server, without its line end.
    ///
    /// # Errors
    ///
    /// If the line is against the protocol or the rules of the game. A session whose server breaks
    /// the rules cannot go on.
    pub fn receive(&mut self, line: &str) -> Result<Option<Event>, ProtocolError> {
        self.receive_after(line, None)
    }

    /// Takes a line of the server, as [`receive`](Self::receive) does. `measured` is the time since
    /// the start of the game or the last move by the own clock. It counts for a move for which the
    /// server states no time that can be read.
    ///
    /// # Errors
    ///
    /// The same as those of [`receive`](Self::receive).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_csa::{Event, Session};
    ///
    /// let mut session = Session::new();
    /// session.receive("LOGIN:KOMADAI OK")?;
    /// let summary = "BEGIN Game_Summary\nGame_ID:1\nYour_Turn:-\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary";
    /// for line in summary.lines().chain(["START:1"]) {
    ///     session.receive(line)?;
    /// }
    /// // The server states no time.
    /// let event = session.receive_after("+7776FU", Some(Duration::from_secs(3)))?;
    /// assert!(matches!(event, Some(Event::Moved { time: Some(time), .. }) if time.as_secs() == 3));
    /// # Ok::<(), komadai_csa::ProtocolError>(())
    /// ```
    pub fn receive_after(
        &mut self,
        line: &str,
        measured: Option<Duration>,
    ) -> Result<Option<Event>, ProtocolError> {
        if self.state == State::ReadingSummary {
            return self.receive_summary(line);
        }
        let message = ServerMessage::read(line);
        let unexpected = |expected| ProtocolError::Unexpected { found: shorten(line), expected };
        Ok(Some(match (message, self.state) {
            (ServerMessage::Empty, _) => return Ok(None),
            (ServerMessage::LoginOk { name }, State::LoggingIn) => {
                self.state = State::Waiting;
                Event::LoggedIn { name }
            }
            (ServerMessage::LoginRefused, State::LoggingIn) => {
                self.state = State::Ended;
                Event::LoginRefused
            }
            (ServerMessage::LogoutDone, _) => {
                self.state = State::Ended;
                Event::LoggedOut
            }
            (ServerMessage::SummaryBegins, State::Waiting | State::Offered) => {
                self.state = State::ReadingSummary;
                self.summary_lines.clear();
                return Ok(None);
            }
            (ServerMessage::Start { game }, State::Offered) if self.is_offered(&game) => {
                (self.state, self.has_started) = (State::Playing, true);
                Event::Started
            }
            (ServerMessage::Reject { by, .. }, State::Offered) => {
                (self.state, self.game) = (State::Waiting, None);
                Event::Rejected { by }
            }
            // The answer to a refusal of the own side.
            (ServerMessage::Reject { by, .. }, State::Waiting) => Event::Rejected { by },
            (ServerMessage::Other(text), _) => Event::Other(text),
            (message, State::Playing) => return self.receive_in_game(message, line, measured),
            // The end of a game that was given up may arrive late.
            (ServerMessage::Reason(_) | ServerMessage::Result(_), State::Waiting) => {
                Event::Other(line.to_owned())
            }
            (_, State::LoggingIn) => {
                return Err(unexpected("an answer to the log-in, `LOGIN:name OK`"));
            }
            (_, State::Offered) => {
                return Err(unexpected("`START` or `REJECT` of the offered game"));
            }
            _ => return Err(unexpected("the summary of a game")),
        }))
    }

    fn receive_summary(&mut self, line: &str) -> Result<Option<Event>, ProtocolError> {
        if line.trim_end() != "END Game_Summary" {
            if self.summary_lines.len() < MAX_SUMMARY_LINES {
                self.summary_lines.push(line.to_owned());
            }
            return Ok(None);
        }
        let lines = std::mem::take(&mut self.summary_lines);
        // The game that was offered before stands, so that the summary of this one need not be
        // read.
        if self.game.is_some() {
            self.state = State::Offered;
            return Ok(Some(Event::OfferedAnother { id: id_of(&lines) }));
        }
        self.state = State::Waiting;
        match read_summary(&lines) {
            Ok(game) => {
                let summary = Box::new(game.summary.clone());
                (self.state, self.game) = (State::Offered, Some(game));
                Ok(Some(Event::Offered(summary)))
            }
            Err(error) => {
                // Kept for the refusal, since the server waits for an answer to its offer.
                self.faulty = Some(id_of(&lines));
                Err(error)
            }
        }
    }

    /// Returns true if this is the identifier of the offered game, or if there is none to compare.
    fn is_offered(&self, id: &str) -> bool {
        let offered = self.summary().map_or("", |game| &game.id);
        id.is_empty() || offered.is_empty() || id == offered
    }

    fn receive_in_game(
        &mut self,
        message: ServerMessage,
        line: &str,
        measured: Option<Duration>,
    ) -> Result<Option<Event>, ProtocolError> {
        let expected = "a move or the end of the game";
        let unexpected = || ProtocolError::Unexpected { found: shorten(line), expected };
        let Some(game) = &mut self.game else { return Err(unexpected()) };
        match message {
            ServerMessage::Move { text, time } => {
                let MadeMove { color, m, time, sent } = game.make_move(&text, time, measured)?;
                Ok(Some(Event::Moved { color, m, time, sent }))
            }
            ServerMessage::Special { time, .. } => {
                game.end_time = time;
                Ok(None)
            }
            ServerMessage::Reason(reason) => {
                game.reason = Some(reason);
                Ok(None)
            }
            ServerMessage::Result(result) => {
                (self.state, self.has_started) = (State::Waiting, false);
                let game = self.game.take().map(|game| game.finish(Some(result), None));
                Ok(game.map(|game| Event::Over(Box::new(game))))
            }
            _ => Err(unexpected()),
        }
    }

    /// Ends the session for this reason, for example because the connection is lost, and returns
    /// the game that was in play.
    pub fn abandon(&mut self, reason: &str) -> Option<FinishedGame> {
        self.state = State::Ended;
        let was_playing = std::mem::take(&mut self.has_started);
        let game = self.game.take().filter(|_| was_playing)?;
        Some(game.finish(None, Some(reason.to_owned())))
    }
}

fn rejection(id: &str) -> String {
    format!("REJECT {id}").trim_end().to_owned()
}

fn read_summary(lines: &[String]) -> Result<Game, ProtocolError> {
    Game::new(GameSummary::read(lines.iter().map(String::as_str))?)
}

/// The identifier in a summary, which may have faults elsewhere.
fn id_of(lines: &[String]) -> String {
    let id = lines.iter().find_map(|line| line.strip_prefix("Game_ID:"));
    id.unwrap_or_default().trim_end().to_owned()
}

/// A word without blanks and line ends, which would add a line to what is sent.
fn one_word(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

fn shorten(line: &str) -> String {
    text::shorten(line, 80)
}
