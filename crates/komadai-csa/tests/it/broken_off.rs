//! Games that are broken off: their records are received, and the next game is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use komadai_csa::{Answer, CsaClient, CsaError, CsaPlayer, Event, FinishedGame, GameResult, Turn};
use komadai_kifu::EndKind;

use crate::server::{Peer, Rambler, start, summary};

/// Logs a player in and starts a game in which it has White, up to its first move, whose text is
/// returned.
fn begin(player: &mut Peer) -> String {
    let names = [player.log_in(), "B".to_owned()];
    player.send(&summary(&names, '-', "Total_Time:60", "PI\n+"));
    assert_eq!(player.receive(), "AGREE test-1");
    player.send("START:test-1\n+7776FU,T1");
    player.receive().split(',').next().unwrap().to_owned()
}

/// Faults of a server after the first move of the client, which stands for `MOVE`; the number of
/// moves made before, and a part of the message.
const FAULTS: [(&str, usize, &str); 10] = [
    ("MOVE,T1\n+7774FU,T1", 2, "+7774FU"),
    ("MOVE,T1\n+0055HI,T1", 2, "+0055HI"),
    ("MOVE,T1\n-8384FU,T1", 2, "-8384FU"),
    ("MOVE,T1\n+\u{1b}[2Jgarbage,T", 2, "garbage"),
    ("MOVE,T1\nBEGIN Game_Summary", 2, "BEGIN Game_Summary"),
    ("MOVE,T1\nLOGIN:A OK", 2, "LOGIN:A OK"),
    ("MOVE,T1\nSTART:test-2", 2, "START:test-2"),
    ("+2726FU,T1", 1, "+2726FU"),
    ("-5152OU5,T1", 1, "-5152OU5"),
    ("MOVE,T1\nLOGOUT:completed", 2, "connection was lost"),
];

fn assert_is_broken_off(game: &FinishedGame, moves: usize, reason: &str) {
    let fault = game.fault.as_deref().unwrap();
    assert!(fault.contains(reason) && !fault.contains('\u{1b}'), "{fault:?}");
    assert_eq!((game.result, game.record.moves.len()), (None, moves), "{reason}");
    let end = game.record.end.as_ref().unwrap();
    assert_eq!(end.kind, EndKind::Interrupt);
    assert_eq!(end.comments[0].text(), format!("broken off: {fault}"));
    assert!(game.record.to_csa().unwrap().contains("\n%CHUDAN\n"));
}

#[test]
fn a_game_that_the_server_spoils_is_received_with_the_reason() {
    for (fault, moves, reason) in FAULTS {
        let (mut config, server) = start(move |listener| {
            let mut player = Peer::accept(&listener);
            let own = begin(&mut player);
            player.send(&fault.replace("MOVE", &own));
            while !player.receive().is_empty() {}
        });
        config.retries = 0;
        let mut player = Rambler::default();
        let error = CsaClient::play_games(&config, 3, &mut player).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(player.games.len(), 1, "{reason}");
        assert_is_broken_off(&player.games[0], moves, reason);
        assert_eq!(player.so_far, (0..=moves).collect::<Vec<_>>());
        server.join().unwrap();
    }
}

#[test]
fn a_game_whose_connection_is_lost_is_received_without_another_attempt() {
    let (mut config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let own = begin(&mut player);
        player.send(&format!("{own},T1\n+2726FU,T1"));
        player.receive();
    });
    config.retries = 0;
    let mut player = Rambler::default();
    let error = CsaClient::play_games(&config, 1, &mut player).unwrap_err();
    assert!(matches!(error, CsaError::Lost(_)), "{error}");
    assert_is_broken_off(&player.games[0], 3, "connection was lost");
    server.join().unwrap();
}

#[test]
fn after_a_fault_of_the_server_the_next_game_is_played() {
    for (fault, moves, reason) in FAULTS {
        let (config, server) = start(move |listener| {
            let mut player = Peer::accept(&listener);
            let own = begin(&mut player);
            player.send(&fault.replace("MOVE", &own));
            while !player.receive().is_empty() {}
            let mut player = Peer::accept(&listener);
            begin(&mut player);
            player.send("#RESIGN\n#WIN");
            player.receive()
        });
        let mut player = Rambler::default();
        let games = CsaClient::play_games(&config, 2, &mut player).unwrap();
        assert_eq!(server.join().unwrap(), "LOGOUT");
        assert_eq!(games, player.games);
        assert_is_broken_off(&games[0], moves, reason);
        assert_eq!((games[1].result, &games[1].fault), (Some(GameResult::Win), &None));
    }
}

#[test]
fn a_broken_last_game_needs_no_other_log_in() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        begin(&mut player);
        player.send("+7774FU,T1");
        while !player.receive().is_empty() {}
    });
    let games = CsaClient::play_games(&config, 1, &mut Rambler::default()).unwrap();
    assert_is_broken_off(&games[0], 1, "+7774FU");
    server.join().unwrap();
}

/// Starts to think, is interrupted, and stops.
struct Interrupted {
    interrupt: Arc<AtomicBool>,
    inner: Rambler,
}

impl CsaPlayer for Interrupted {
    fn choose(
        &mut self,
        turn: &Turn<'_>,
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        self.interrupt.store(true, Ordering::Relaxed);
        while !turn.stop.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        self.inner.choose(turn)
    }

    fn see(&mut self, event: &Event) {
        self.inner.see(event);
    }

    fn game_over(&mut self, game: &FinishedGame) {
        self.inner.game_over(game);
    }
}

#[test]
fn an_interrupt_breaks_the_game_off() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        begin(&mut player)
    });
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut player = Interrupted { interrupt: interrupt.clone(), inner: Rambler::default() };
    let error = CsaClient::play_games_until(&config, 5, &mut player, &interrupt).unwrap_err();
    assert!(matches!(error, CsaError::Stopped), "{error}");
    // The move that it makes when it is stopped is not sent.
    assert_eq!(server.join().unwrap(), "");
    assert_is_broken_off(&player.inner.games[0], 1, "stopped");
}

#[test]
fn an_interrupt_between_games_logs_out() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        player.log_in();
        player.receive()
    });
    let interrupt = Arc::new(AtomicBool::new(true));
    let mut player = Rambler::default();
    let error = CsaClient::play_games_until(&config, 1, &mut player, &interrupt).unwrap_err();
    assert!(matches!(error, CsaError::Stopped), "{error}");
    // Whether the log-in is answered before the interrupt is seen is chance.
    assert!(["LOGOUT", ""].contains(&server.join().unwrap().as_str()));
    assert!(player.games.is_empty());
}

#[test]
fn impossible_starts_are_rejected() {
    let board = |rows: &str, rest: &str| {
        let mut rows: Vec<String> = rows.split('/').map(str::to_owned).collect();
        while rows.len() < 9 {
            rows.push(" * * * * * * * * *".to_owned());
        }
        let numbered = rows.iter().enumerate().map(|(at, row)| format!("P{}{row}\n", at + 1));
        numbered.collect::<String>() + rest
    };
    let empty = " * * * * * * * * *";
    for position in [
        // Three bishops; two pawns on a file; a pawn without a move; no king; the side not to move
        // is in check.
        board(&format!("{empty}/ * -KA-KA-KA * * *-OU *"), "+"),
        board(&format!("{empty}/ * * * * * * * *-OU/ * * * * * * *+FU */ * * * * * * *+FU *"), "+"),
        board("-OU * * *+FU * * * *", "+"),
        board(empty, "+"),
        board("-OU * * * * * * *+HI", "+"),
        // Moves already made that are none.
        "PI\n+\n+7775FU".to_owned(),
        "PI\n+\n+7776FU\n+2726FU".to_owned(),
        "PI\n+\n+7776FU\n%TORYO\n-3334FU".to_owned(),
        "P1-XX\n+".to_owned(),
        "P+00XX\n+".to_owned(),
        "garbage".to_owned(),
        String::new(),
    ] {
        let text = position.clone();
        let (mut config, server) = start(move |listener| {
            let mut player = Peer::accept(&listener);
            let names = [player.log_in(), "B".to_owned()];
            player.send(&summary(&names, '+', "Total_Time:60", &text));
            [player.receive(), player.receive(), player.receive()]
        });
        config.retries = 0;
        let error = CsaClient::play_games(&config, 2, &mut Rambler::default()).unwrap_err();
        assert!(matches!(error, CsaError::Protocol(_)), "{error} of {position}");
        assert_eq!(server.join().unwrap(), ["REJECT test-1", "LOGOUT", ""], "{position}");
    }
}

#[test]
fn after_an_impossible_start_the_client_logs_in_again() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '+', "Total_Time:much", "PI\n+"));
        assert_eq!([player.receive(), player.receive()], ["REJECT test-1", "LOGOUT"]);
        let mut player = Peer::accept(&listener);
        begin(&mut player);
        player.send("#RESIGN\n#LOSE");
        player.receive()
    });
    let games = CsaClient::play_games(&config, 1, &mut Rambler::default()).unwrap();
    assert_eq!(server.join().unwrap(), "LOGOUT");
    assert_eq!(games.len(), 1);
}
