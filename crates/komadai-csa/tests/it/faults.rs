//! Servers that break the protocol, and connections that break.

use std::io::Read as _;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use komadai_csa::{
    Action, Answer, CsaClient, CsaError, CsaPlayer, GameSummary, ProtocolError, Turn,
};

use crate::server::{Peer, Rambler, start, summary};

/// The error of a client whose server, after the log-in, says this.
fn after_login(lines: &'static str) -> CsaError {
    let (config, server) = start(move |listener| {
        let mut player = Peer::accept(&listener);
        player.log_in();
        player.send(lines);
        // Until the client leaves.
        while !player.receive().is_empty() {}
    });
    let error = CsaClient::connect(config).unwrap().play_game(&mut Rambler::default()).unwrap_err();
    server.join().unwrap();
    error
}

#[test]
fn a_refused_log_in_is_not_tried_again() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let line = player.receive();
        player.send("LOGIN:incorrect");
        line
    });
    let error = CsaClient::play_games(&config, 1, &mut Rambler::default()).unwrap_err();
    assert!(matches!(error, CsaError::LoginRefused), "{error}");
    assert_eq!(server.join().unwrap(), "LOGIN A test-60-0,x");
}

#[test]
fn a_server_that_does_not_answer_is_not_waited_for() {
    let (mut config, server) = start(|listener: TcpListener| {
        let (mut stream, _) = listener.accept().unwrap();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
    });
    config.patience = Duration::from_millis(300);
    let started = Instant::now();
    let error = CsaClient::connect(config).unwrap_err();
    assert!(matches!(error, CsaError::Silent { waiting_for: "LOGIN", .. }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    server.join().unwrap();
}

#[test]
fn no_server_is_an_error_with_the_address() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (mut config, _) = start(|_| ());
    config.port = port;
    let error = CsaClient::connect(config).unwrap_err().to_string();
    assert!(error.contains(&format!("127.0.0.1:{port}")), "{error}");
}

#[test]
fn summaries_with_faults_are_refused_by_line() {
    let error = after_login("BEGIN Game_Summary\nGame_ID:1\nEND Game_Summary");
    assert!(error.to_string().contains("found no Your_Turn"), "{error}");
    let error = after_login(
        "BEGIN Game_Summary\nYour_Turn:+\nBEGIN Position\nPI\n+\n+7775FU\nEND Position\nEND Game_Summary",
    );
    assert!(error.to_string().contains("+7775FU"), "{error}");
}

#[test]
fn unexpected_lines_are_named_and_unknown_ones_passed() {
    let error = after_login("hello\n##[HELP]\nSTART:1");
    let CsaError::Protocol(ProtocolError::Unexpected { found, .. }) = &error else {
        panic!("{error}");
    };
    assert_eq!(found, "START:1");
}

#[test]
fn an_endless_line_ends_the_connection() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        player.log_in();
        player.send(&"x".repeat(1 << 20));
        player.receive()
    });
    let error = CsaClient::connect(config).unwrap().play_game(&mut Rambler::default()).unwrap_err();
    assert!(
        matches!(&error, CsaError::Lost(lost) if lost.to_string().contains("4096 bytes")),
        "{error}"
    );
    server.join().unwrap();
}

#[test]
fn an_illegal_move_of_the_server_is_named() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '-', "Total_Time:60", "PI\n+"));
        player.receive();
        player.send("START:test-1\n+7774FU,T1");
        player.receive()
    });
    let error = CsaClient::connect(config).unwrap().play_game(&mut Rambler::default()).unwrap_err();
    assert!(error.to_string().contains("+7774FU"), "{error}");
    server.join().unwrap();
}

#[test]
fn after_a_lost_connection_the_client_logs_in_again() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '+', "Total_Time:60", "PI\n+"));
        player.receive();
        player.send("START:test-1");
        let sent = player.receive();
        player.send(&format!("{},T1", sent.split(',').next().unwrap()));
        drop(player);
        let mut player = Peer::accept(&listener);
        player.log_in();
        player.send(&summary(&names, '-', "Total_Time:60", "PI\n+"));
        player.receive();
        player.send("START:test-1\n%TORYO,T1\n#RESIGN\n#WIN");
        player.receive()
    });
    let mut player = Rambler::default();
    let games = CsaClient::play_games(&config, 2, &mut player).unwrap();
    assert_eq!(server.join().unwrap(), "LOGOUT");
    let results: Vec<_> = games.iter().map(|game| (game.record.moves.len(), game.result)).collect();
    assert_eq!(results, [(1, None), (0, Some(komadai_csa::GameResult::Win))]);
    assert_eq!(player.games.len(), 2);
}

#[test]
fn attempts_to_connect_again_have_an_end() {
    let (mut config, server) = start(|listener| {
        for _ in 0..3 {
            drop(Peer::accept(&listener));
        }
    });
    config.retries = 2;
    let error = CsaClient::play_games(&config, 1, &mut Rambler::default()).unwrap_err();
    assert!(error.is_passing(), "{error}");
    server.join().unwrap();
}

#[test]
fn a_silent_connection_is_kept_alive() {
    let (mut config, server) = start(|listener| {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let mut read = [0; 64];
        let count = stream.read(&mut read).unwrap();
        std::io::Write::write_all(&mut stream, b"LOGIN:A OK\n").unwrap();
        let lines = [0; 2].map(|_: u8| {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            byte[0]
        });
        std::io::Write::write_all(&mut stream, b"LOGOUT:completed\n").unwrap();
        (String::from_utf8_lossy(&read[..count]).into_owned(), lines)
    });
    config.keep_alive = Duration::from_millis(300);
    let mut client = CsaClient::connect(config).unwrap();
    assert!(client.play_game(&mut Rambler::default()).is_err());
    let (login, lines) = server.join().unwrap();
    assert_eq!((&*login, lines), ("LOGIN A test-60-0,x\n", [b'\n'; 2]));
}

#[test]
fn a_game_that_the_player_does_not_want_is_rejected() {
    struct Choosy;
    impl CsaPlayer for Choosy {
        fn accept(
            &mut self,
            game: &GameSummary,
        ) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
            Ok(game.times[0].total.as_secs() >= 60)
        }
        fn choose(
            &mut self,
            _: &Turn<'_>,
        ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
            Ok(Answer::new(Action::Resign))
        }
    }
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '+', "Total_Time:1", "PI\n+"));
        let first = player.receive();
        player.send("REJECT:test-1 by A");
        player.send(&summary(&names, '+', "Total_Time:60", "PI\n+"));
        let second = player.receive();
        player.send("START:test-1");
        let third = player.receive();
        player.send("%TORYO,T0\n#RESIGN\n#LOSE");
        [first, second, third]
    });
    let game = CsaClient::connect(config).unwrap().play_game(&mut Choosy).unwrap();
    assert_eq!(server.join().unwrap(), ["REJECT test-1", "AGREE test-1", "%TORYO"]);
    assert_eq!(game.result, Some(komadai_csa::GameResult::Lose));
}

#[test]
fn a_player_that_fails_resigns_and_the_error_is_reported() {
    struct Broken;
    impl CsaPlayer for Broken {
        fn choose(
            &mut self,
            _: &Turn<'_>,
        ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
            // Not legal.
            Ok(Answer::new(Action::Move("5e5d".parse()?)))
        }
    }
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '+', "Total_Time:60", "PI\n+"));
        player.receive();
        player.send("START:test-1");
        let sent = player.receive();
        player.send("%TORYO,T0\n#RESIGN\n#LOSE");
        thread::sleep(Duration::from_millis(10));
        sent
    });
    let error = CsaClient::connect(config).unwrap().play_game(&mut Broken).unwrap_err();
    assert!(matches!(error, CsaError::Player(_)), "{error}");
    assert_eq!(server.join().unwrap(), "%TORYO");
}
