//! A client over TCP.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::{Color, Move, Position, Score};
use komadai_kifu::Notation;
use komadai_movegen::check_legality;

use crate::config::CsaConfig;
use crate::connection::Connection;
use crate::error::CsaError;
use crate::game::FinishedGame;
use crate::player::{Action, Answer, CsaPlayer, Turn};
use crate::session::{Event, Session, State};

/// Largest value in a comment, in centipawns; that of a mate.
const MATE_CP: i32 = 30_000;

/// Largest number of bytes of a comment: servers cut long lines.
const MAX_COMMENT: usize = 200;

/// The longest pause between attempts to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A client that is logged in. Dropping it closes the connection.
///
/// # Examples
///
/// A player that makes the first legal move, in one game:
///
/// ```no_run
/// use std::error::Error;
///
/// use komadai_csa::{Action, Answer, CsaClient, CsaConfig, CsaPlayer, Turn};
/// use komadai_movegen::MoveGen as _;
///
/// struct First;
///
/// impl CsaPlayer for First {
///     fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Box<dyn Error + Send + Sync>> {
///         let first = turn.position.legal_moves().into_iter().next();
///         Ok(Answer::new(first.map_or(Action::Resign, Action::Move)))
///     }
/// }
///
/// let mut client = CsaClient::connect(CsaConfig::new("FIRST", "test-60-0,secret"))?;
/// let game = client.play_game(&mut First)?;
/// println!("{:?}\n{}", game.result, game.record.to_csa()?);
/// client.logout()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CsaClient {
    config: CsaConfig,
    connection: Connection,
    session: Session,
}

impl CsaClient {
    /// Connects and logs in.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, does not answer, or refuses the log-in.
    pub fn connect(config: CsaConfig) -> Result<Self, CsaError> {
        let connection = Connection::open(&config)?;
        let session = Session::new();
        connection.send(&session.login(&config.user, &config.password))?;
        let mut client = Self { config, connection, session };
        let limit = client.config.patience;
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match client.next_event(Some(left))? {
                None => return Err(CsaError::Silent { waiting_for: "LOGIN", limit }),
                Some(Event::LoggedIn { .. }) => return Ok(client),
                Some(Event::LoginRefused) => return Err(CsaError::LoginRefused),
                Some(_) => {}
            }
        }
    }

    /// Plays `games` games. After a lost connection the client logs in again, with pauses; the game that was lost by it counts.
    ///
    /// # Errors
    ///
    /// If the log-in is refused, the server breaks the protocol, the player fails, or the connection cannot be made again.
    pub fn play_games(
        config: &CsaConfig,
        games: usize,
        player: &mut impl CsaPlayer,
    ) -> Result<Vec<FinishedGame>, CsaError> {
        let mut played = Vec::new();
        let (mut failures, mut pause) = (0, config.pause);
        let mut client: Option<Self> = None;
        while played.len() < games {
            let result = match &mut client {
                Some(client) => client.play_game(player),
                None => Self::connect(config.clone())
                    .and_then(|connected| client.insert(connected).play_game(player)),
            };
            match result {
                Ok(game) => {
                    played.push(game);
                    (failures, pause) = (0, config.pause);
                }
                Err(error) if error.is_passing() && failures < config.retries => {
                    if let Some(mut lost) = client.take() {
                        played.extend(lost.abandon(player));
                    }
                    failures += 1;
                    thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(client) = client {
            // The games are played; that the server closes first is no fault.
            client
                .logout()
                .or_else(|error| if error.is_passing() { Ok(()) } else { Err(error) })?;
        }
        Ok(played)
    }

    /// Waits for a game and plays it to its end.
    ///
    /// # Errors
    ///
    /// If the connection is lost, the server breaks the protocol, or the player fails. If a game was in play, the player has
    /// received it as one without a result; a player that fails has resigned.
    pub fn play_game(&mut self, player: &mut impl CsaPlayer) -> Result<FinishedGame, CsaError> {
        let mut fault = None;
        loop {
            let Some(event) = self.next_event(None)? else { continue };
            player.see(&event);
            match event {
                Event::Offered(game) => {
                    self.connection.stop().store(false, Ordering::Relaxed);
                    let accepted = player.accept(&game);
                    let accepts = matches!(accepted, Ok(true));
                    self.connection.send(&if accepts {
                        self.session.agree()
                    } else {
                        self.session.reject()
                    })?;
                    accepted.map_err(CsaError::Player)?;
                }
                Event::Started | Event::Moved { .. } if self.session.is_own_turn() => {
                    if let Err(error) = self.take_turn(player) {
                        match error {
                            // The result of the game that is resigned comes first.
                            CsaError::Player(error) => {
                                self.connection.send("%TORYO")?;
                                fault = Some(error);
                            }
                            error => return Err(error),
                        }
                    }
                }
                Event::Over(game) => {
                    player.game_over(&game);
                    return match fault {
                        Some(fault) => Err(CsaError::Player(fault)),
                        None => Ok(*game),
                    };
                }
                Event::LoggedOut => {
                    return Err(CsaError::Lost(std::io::ErrorKind::ConnectionAborted.into()));
                }
                _ => {}
            }
        }
    }

    /// Asks the player for a move and sends it, unless the game has ended meanwhile.
    fn take_turn(&mut self, player: &mut impl CsaPlayer) -> Result<(), CsaError> {
        let stop = Arc::clone(self.connection.stop());
        let (Some(position), Some(summary), Some(clock)) =
            (self.session.position(), self.session.summary(), self.session.clock())
        else {
            return Ok(());
        };
        let turn = Turn { position, color: summary.color, summary, clock, stop: &stop };
        let answer = player.choose(&turn).map_err(CsaError::Player)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let line = match answer.action {
            Action::Resign => "%TORYO".to_owned(),
            Action::DeclareWin => "%KACHI".to_owned(),
            Action::Move(m) => {
                check_legality(position, m).map_err(|error| CsaError::Player(Box::new(error)))?;
                let comment = comment_of(position, m, &answer);
                self.session.play(m, comment.as_deref())
            }
        };
        self.connection.send(&line)
    }

    /// Logs out and closes the connection.
    ///
    /// # Errors
    ///
    /// If the connection is lost before.
    pub fn logout(mut self) -> Result<(), CsaError> {
        self.connection.send("LOGOUT")?;
        let deadline = Instant::now() + self.config.patience;
        while self.session.state() != State::Ended {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.next_event(Some(left)) {
                // Some servers close without an answer.
                Ok(None) | Err(CsaError::Lost(_)) => break,
                Ok(Some(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Ends the game because the connection is lost, and tells the player.
    fn abandon(&mut self, player: &mut impl CsaPlayer) -> Option<FinishedGame> {
        let game = self.session.abandon()?;
        player.game_over(&game);
        Some(game)
    }

    /// Returns the next event; `None` if the time is up.
    fn next_event(&mut self, limit: Option<Duration>) -> Result<Option<Event>, CsaError> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let Some(line) = self.connection.receive(left)? else { return Ok(None) };
            if let Some(event) = self.session.receive(&line)? {
                return Ok(Some(event));
            }
        }
    }
}

/// The comment of a move, as floodgate defines it: value for Black in centipawns, moves expected after it.
fn comment_of(position: &Position, m: Move, answer: &Answer) -> Option<String> {
    let score = answer.score?;
    let own = if score.is_mate() {
        if score > Score::ZERO { MATE_CP } else { -MATE_CP }
    } else {
        score.to_cp().unwrap_or_default().clamp(-MATE_CP, MATE_CP)
    };
    let for_black = if position.side() == Color::Black { own } else { -own };
    let mut text = format!("* {for_black}");
    let mut position = position.clone();
    position.do_move(m);
    for &next in &answer.line {
        if text.len() + 8 > MAX_COMMENT || check_legality(&position, next).is_err() {
            break;
        }
        text += &format!(" {}", Notation::Csa.name(&position, next));
        position.do_move(next);
    }
    Some(text)
}
