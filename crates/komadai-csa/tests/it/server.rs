//! Servers for the tests: one that pairs two players and keeps the rules, and one that says what a
//! test wants.

use std::io::{BufRead as _, BufReader, Write as _};
use std::iter;
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use komadai_core::Position;
use komadai_csa::{Action, Answer, CsaConfig, CsaPlayer, Event, FinishedGame, Turn};
use komadai_kifu::notation::read_csa_move;
use komadai_movegen::MoveGen as _;

/// One end of a connection.
pub(crate) struct Peer {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Peer {
    pub(crate) fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), writer: stream }
    }

    /// Sends lines; a client that has left does not matter.
    pub(crate) fn send(&mut self, lines: &str) {
        let _ = self.writer.write_all(format!("{lines}\n").as_bytes());
    }

    /// The next line that is not empty; empty if the client has left.
    pub(crate) fn receive(&mut self) -> String {
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) | Err(_) => return String::new(),
                Ok(_) if line.trim_end().is_empty() => {}
                Ok(_) => return line.trim_end().to_owned(),
            }
        }
    }

    /// Accepts a log-in.
    pub(crate) fn log_in(&mut self) -> String {
        let line = self.receive();
        let name = line.split(' ').nth(1).unwrap_or_default().to_owned();
        self.send(&format!("LOGIN:{name} OK"));
        name
    }
}

/// A summary with names, side, times and position.
pub(crate) fn summary(names: &[String; 2], turn: char, time: &str, position: &str) -> String {
    let [black, white] = names;
    format!(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
         Declaration:Jishogi 1.1\nGame_ID:test-1\nName+:{black}\nName-:{white}\nYour_Turn:{turn}\n\
         Rematch_On_Draw:NO\nTo_Move:+\nBEGIN Time\n{time}\nEND Time\nBEGIN Position\n{position}\n\
         END Position\nEND Game_Summary"
    )
}

/// Starts a server on a free port that does what `script` says with a listener.
pub(crate) fn start<T: Send + 'static>(
    script: impl FnOnce(TcpListener) -> T + Send + 'static,
) -> (CsaConfig, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config = CsaConfig::new("A", "test-60-0,x");
    config.port = listener.local_addr().unwrap().port();
    config.patience = Duration::from_secs(5);
    config.pause = Duration::from_millis(10);
    (config, thread::spawn(move || script(listener)))
}

/// Plays one game between two clients by the rules, and returns the moves.
pub(crate) fn referee(listener: &TcpListener, time: &str, max_moves: usize) -> Vec<String> {
    let mut players = [Peer::accept(listener), Peer::accept(listener)];
    let names = players.each_mut().map(Peer::log_in);
    play(&mut players, &names, time, max_moves)
}

pub(crate) fn play(
    players: &mut [Peer; 2],
    names: &[String; 2],
    time: &str,
    max_moves: usize,
) -> Vec<String> {
    for (player, turn) in players.iter_mut().zip(['+', '-']) {
        player.send(&summary(names, turn, time, "PI\n+"));
    }
    for player in players.iter_mut() {
        // The player to move may have sent one before it read that the game before had ended.
        let late = |line: &String| line.starts_with(['+', '-']);
        let answer = iter::repeat_with(|| player.receive()).find(|line| !late(line)).unwrap();
        assert!(answer.starts_with("AGREE"), "{answer:?}");
    }
    for player in players.iter_mut() {
        player.send("START:test-1");
    }
    let mut position = Position::hirate();
    let mut moves = Vec::new();
    let end = |players: &mut [Peer; 2], reason: &str, results: [&str; 2]| {
        for (player, result) in players.iter_mut().zip(results) {
            player.send(reason);
            player.send(result);
        }
    };
    loop {
        let side = position.side().index();
        let asked = Instant::now();
        let line = players[side].receive();
        let seconds = asked.elapsed().as_secs();
        let text = line.split(',').next().unwrap();
        let lost = if side == 0 { ["#LOSE", "#WIN"] } else { ["#WIN", "#LOSE"] };
        if text == "%TORYO" {
            players.iter_mut().for_each(|player| player.send(&format!("%TORYO,T{seconds}")));
            end(players, "#RESIGN", lost);
            return moves;
        }
        match read_csa_move(&position, text) {
            Ok(m) => position.do_move(m),
            Err(_) => {
                end(players, "#ILLEGAL_MOVE", lost);
                return moves;
            }
        }
        moves.push(line.clone());
        players.iter_mut().for_each(|player| player.send(&format!("{text},T{seconds}")));
        if moves.len() == max_moves {
            end(players, "#MAX_MOVES", ["#CENSORED", "#CENSORED"]);
            return moves;
        }
        if position.legal_moves().is_empty() {
            // The client resigns.
            continue;
        }
    }
}

/// A player that makes a legal move chosen by a number, and resigns without one.
#[derive(Debug, Default)]
pub(crate) struct Rambler {
    pub(crate) seed: usize,
    pub(crate) games: Vec<FinishedGame>,
    /// The numbers of moves of the games in play that it has received.
    pub(crate) so_far: Vec<usize>,
    pub(crate) events: Vec<Event>,
}

impl CsaPlayer for Rambler {
    fn choose(
        &mut self,
        turn: &Turn<'_>,
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let moves: Vec<_> = turn.position.legal_moves().into_iter().collect();
        self.seed = self.seed.wrapping_mul(25_214_903_917).wrapping_add(11);
        let chosen = moves.get((self.seed >> 16) % moves.len().max(1));
        let mut answer = Answer::new(chosen.map_or(Action::Resign, |&m| Action::Move(m)));
        answer.score = Some(komadai_core::Score::cp(30));
        Ok(answer)
    }

    fn see(&mut self, event: &Event) {
        self.events.push(event.clone());
    }

    fn game_so_far(&mut self, game: &FinishedGame) {
        assert_eq!((game.result, &game.fault), (None, &None));
        self.so_far.push(game.record.moves.len());
    }

    fn game_over(&mut self, game: &FinishedGame) {
        self.games.push(game.clone());
    }
}
