//! A client over TCP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::{Color, Move, Position, Score};
use komadai_kifu::Notation;
use komadai_movegen::check_legality;

use crate::config::CsaConfig;
use crate::connection::{Connection, TICK};
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
/// It joins the three parts of this crate: the connection, whose thread reads lines and sends empty
/// ones in quiet times, the [`Session`], which knows the protocol, and a [`CsaPlayer`], which knows
/// the game. The client calls the player when it is its turn, and the server's moves and times
/// count.
///
/// [`play_game`](Self::play_game) is for one game. [`play_games`](Self::play_games) is for a stay
/// on a server: it logs in again after a fault that may [pass](CsaError::is_passing), waits longer
/// each time, and returns the games that were broken off as well.
///
/// It is no server, and no player: `komadai csa` plays by the engine of this library or by a USI
/// engine. A program with an event loop of its own feeds a [`Session`] instead.
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
    /// The time of the last move, or of the start of the game.
    last_move: Instant,
}

/// An error and the game that it has broken off.
#[derive(Debug)]
struct Broken {
    error: CsaError,
    game: Option<Box<FinishedGame>>,
}

impl CsaClient {
    /// Connects and logs in.
    ///
    /// # Errors
    ///
    /// If name or password cannot be sent, or the server cannot be reached, does not answer, or
    /// refuses the log-in.
    pub fn connect(config: CsaConfig) -> Result<Self, CsaError> {
        Self::connect_until(config, &Arc::default())
    }

    fn connect_until(config: CsaConfig, interrupt: &Arc<AtomicBool>) -> Result<Self, CsaError> {
        config.check()?;
        let connection = Connection::open(&config, interrupt)?;
        let session = Session::new();
        connection.send(&session.login(&config.user, &config.password))?;
        let last_move = Instant::now();
        let mut client = Self { config, connection, session, last_move };
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

    /// Plays `games` games. After a lost connection or a fault of the server in the protocol the
    /// client logs in again, with pauses; the game that was broken off by it counts.
    ///
    /// # Errors
    ///
    /// If the log-in is refused, the player fails, or there were more faults than
    /// [`retries`](CsaConfig::retries), one after the other.
    pub fn play_games(
        config: &CsaConfig,
        games: usize,
        player: &mut impl CsaPlayer,
    ) -> Result<Vec<FinishedGame>, CsaError> {
        Self::play_games_until(config, games, player, &Arc::default())
    }

    /// Plays games as [`play_games`](Self::play_games) does, but stops with [`CsaError::Stopped`]
    /// soon after `interrupt` is set. A game in play is broken off then: the player receives it.
    ///
    /// # Errors
    ///
    /// The same as those of [`play_games`](Self::play_games).
    pub fn play_games_until(
        config: &CsaConfig,
        games: usize,
        player: &mut impl CsaPlayer,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Vec<FinishedGame>, CsaError> {
        let mut played = Vec::new();
        let mut failures = 0;
        let mut pause = config.pause;
        let mut client: Option<Self> = None;
        while played.len() < games {
            let result = match &mut client {
                Some(client) => client.play(player),
                None => Self::connect_until(config.clone(), interrupt)
                    .map_err(|error| Broken { error, game: None })
                    .and_then(|connected| client.insert(connected).play(player)),
            };
            let Broken { error, game } = match result {
                Ok(game) => {
                    played.push(game);
                    (failures, pause) = (0, config.pause);
                    continue;
                }
                Err(broken) => broken,
            };
            played.extend(game.map(|game| *game));
            let was_logged_in = client.take().is_some();
            let is_passing =
                error.is_passing() || matches!(error, CsaError::Protocol(_)) && was_logged_in;
            if !is_passing || failures >= config.retries {
                return Err(error);
            }
            if played.len() < games {
                player.logs_in_again(&error);
                rest(pause, interrupt);
            }
            failures += 1;
            pause = (pause * 2).min(LONGEST_PAUSE);
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
    /// If the connection is lost, the server breaks the protocol, or the player fails. If a game
    /// was in play, the player has received it as one that is broken off; a player that fails has
    /// resigned. A game that cannot be played, because its summary has a fault or its start is
    /// impossible, has been refused, and the client has logged out.
    pub fn play_game(&mut self, player: &mut impl CsaPlayer) -> Result<FinishedGame, CsaError> {
        self.play(player).map_err(|broken| broken.error)
    }

    /// Plays a game. An error comes with the game that it has broken off.
    fn play(&mut self, player: &mut impl CsaPlayer) -> Result<FinishedGame, Broken> {
        self.wait_and_play(player).map_err(|error| {
            if self.session.state() == State::Waiting {
                // An error is reported already; that this does not arrive, either, adds nothing.
                let refusal = self.session.reject_faulty();
                for line in refusal.iter().map(String::as_str).chain(["LOGOUT"]) {
                    let _ = self.connection.send(line);
                }
            }
            let game = self.session.abandon(&error.to_string());
            game.iter().for_each(|game| player.game_over(game));
            Broken { error, game: game.map(Box::new) }
        })
    }

    fn wait_and_play(&mut self, player: &mut impl CsaPlayer) -> Result<FinishedGame, CsaError> {
        let mut fault = None;
        loop {
            let Some(event) = self.next_event(None)? else { continue };
            player.see(&event);
            if matches!(event, Event::Started | Event::Moved { .. }) {
                self.last_move = Instant::now();
                self.session.game_so_far().iter().for_each(|game| player.game_so_far(game));
            }
            match event {
                Event::Offered(game) => {
                    self.connection.stop.store(false, Ordering::Relaxed);
                    let accepted = player.accept(&game);
                    let accepts = matches!(accepted, Ok(true));
                    self.connection.send(&if accepts {
                        self.session.agree()
                    } else {
                        self.session.reject()
                    })?;
                    accepted.map_err(CsaError::Player)?;
                }
                // Its refusal would refuse the first one as well if both have one identifier.
                Event::OfferedAnother { id }
                    if self.session.summary().is_some_and(|game| game.id != id) =>
                {
                    self.connection.send(format!("REJECT {id}").trim_end())?;
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
                Event::Moved { .. } if fault.is_none() => {
                    let stop = Arc::clone(&self.connection.stop);
                    if let Some(turn) = self.turn(&stop) {
                        player.ponder(&turn);
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
        let stop = Arc::clone(&self.connection.stop);
        let Some(turn) = self.turn(&stop) else { return Ok(()) };
        let position = turn.position;
        let answer = player.choose(&turn).map_err(CsaError::Player)?;
        // The game is over or the connection lost: nobody waits for the move.
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

    /// The game in play for its player.
    fn turn<'a>(&'a self, stop: &'a Arc<AtomicBool>) -> Option<Turn<'a>> {
        let (position, summary) = (self.session.position()?, self.session.summary()?);
        let clock = self.session.clock()?;
        Some(Turn { position, color: summary.color, summary, clock, stop })
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

    /// Returns the next event; `None` if the time is up.
    fn next_event(&mut self, limit: Option<Duration>) -> Result<Option<Event>, CsaError> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let Some(line) = self.connection.receive(left)? else { return Ok(None) };
            let measured = Some(self.last_move.elapsed());
            if let Some(event) = self.session.receive_after(&line, measured)? {
                return Ok(Some(event));
            }
        }
    }
}

/// Waits, but not after `interrupt` is set.
fn rest(pause: Duration, interrupt: &AtomicBool) {
    let end = Instant::now() + pause;
    while !interrupt.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(TICK));
    }
}

/// The comment of a move, as floodgate defines it: value for Black in centipawns, moves expected
/// after it.
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
