//! Whole games.

use std::thread;
use std::time::Duration;

use komadai_core::Color;
use komadai_csa::{CsaClient, EndReason, GameResult};
use komadai_kifu::{EndKind, Outcome, Tolerance, parse_csa};

use crate::server::{Peer, Rambler, play, referee, start, summary};

#[test]
fn two_clients_play_a_game_and_have_the_same_record() {
    let (config, server) =
        start(|listener| referee(&listener, "Time_Unit:1sec\nTotal_Time:60\nByoyomi:0", 120));
    let other = {
        let mut config = config.clone();
        config.user = "B".to_owned();
        thread::spawn(move || CsaClient::play_games(&config, 1, &mut Rambler::default()).unwrap())
    };
    let mut player = Rambler { seed: 7, ..Rambler::default() };
    let own = CsaClient::play_games(&config, 1, &mut player).unwrap().remove(0);
    let other = other.join().unwrap().remove(0);
    let sent = server.join().unwrap();
    assert_eq!(sent.len(), own.record.moves.len());
    let plain = |game: &komadai_csa::FinishedGame| game.record.to_usi_line();
    assert_eq!(plain(&own), plain(&other));
    assert_eq!(own.color, !other.color);
    assert_eq!(player.games.len(), 1);
    assert!(own.record.moves.iter().all(|played| played.time.is_some()));
    // The own moves have the values for Black that were sent with them.
    let first = usize::from(own.color == Color::White);
    let value = if own.color == Color::Black { "30" } else { "-30" };
    assert!(sent[first].ends_with(&format!(",'* {value}")), "{}", sent[first]);
    assert_eq!(own.record.moves[first].comments[0].text(), format!("* {value}"));
    let text = own.record.to_csa().unwrap();
    assert_eq!(parse_csa(&text, Tolerance::Strict).unwrap().records[0].to_csa().unwrap(), text);
}

#[test]
fn a_second_game_follows_on_the_same_connection() {
    let (config, server) = start(|listener| {
        let mut players = [Peer::accept(&listener), Peer::accept(&listener)];
        let names = players.each_mut().map(Peer::log_in);
        [8, 6].map(|moves| play(&mut players, &names, "Total_Time:60", moves).len())
    });
    let other = config.clone();
    let other =
        thread::spawn(move || CsaClient::play_games(&other, 2, &mut Rambler::default()).unwrap());
    let games = CsaClient::play_games(&config, 2, &mut Rambler::default()).unwrap();
    other.join().unwrap();
    assert_eq!(server.join().unwrap(), [8, 6]);
    let lengths: Vec<_> = games.iter().map(|game| game.record.moves.len()).collect();
    assert_eq!(lengths, [8, 6]);
    assert_eq!(games[0].reason, Some(EndReason::MaxMoves));
    assert_eq!(games[0].record.end.as_ref().unwrap().kind, EndKind::MaxMoves);
}

#[test]
fn a_game_that_goes_on_with_a_handicap_starts_from_its_last_position() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        let position = "PI82HI22KA\n-\n-3334FU,T5\n+7776FU,T6";
        let time = "Time_Unit:100msec\nTotal_Time:3000\nIncrement:20";
        player.send(&summary(&names, '-', time, position));
        assert_eq!(player.receive(), "AGREE test-1");
        player.send("START:test-1");
        let sent = player.receive();
        player.send(&format!("{},T2", sent.split(',').next().unwrap()));
        player.send("%TORYO,T1\n#RESIGN\n#WIN");
        sent
    });
    let mut clocks = Clocks::default();
    let game = CsaClient::play_games(&config, 1, &mut clocks).unwrap().remove(0);
    let sent = server.join().unwrap();
    assert!(sent.starts_with('-'), "{sent}");
    // 300 s and 2 s a move; 5 s were used.
    assert_eq!(clocks.left, Some(Duration::from_secs(300 - 5 + 2)));
    assert_eq!((game.result, game.record.moves.len()), (Some(GameResult::Win), 3));
    assert_eq!(game.record.outcome(), Outcome::Win(Color::White));
}

#[derive(Default)]
struct Clocks {
    left: Option<Duration>,
    rambler: Rambler,
}

impl komadai_csa::CsaPlayer for Clocks {
    fn choose(
        &mut self,
        turn: &komadai_csa::Turn<'_>,
    ) -> Result<komadai_csa::Answer, Box<dyn std::error::Error + Send + Sync>> {
        self.left = Some(turn.clock.left(turn.color));
        self.rambler.choose(turn)
    }
}

#[test]
fn the_end_of_the_game_stops_a_player_that_thinks() {
    let (config, server) = start(|listener| {
        let mut player = Peer::accept(&listener);
        let names = [player.log_in(), "B".to_owned()];
        player.send(&summary(&names, '+', "Total_Time:1", "PI\n+"));
        player.receive();
        player.send("START:test-1");
        thread::sleep(Duration::from_millis(100));
        player.send("#TIME_UP\n#LOSE");
        player.receive()
    });
    let game = CsaClient::play_games(&config, 1, &mut Thinker).unwrap().remove(0);
    assert_eq!((game.reason, game.result), (Some(EndReason::TimeUp), Some(GameResult::Lose)));
    assert_eq!(game.record.outcome(), Outcome::Win(Color::White));
    // Its late move is not sent.
    assert_eq!(server.join().unwrap(), "LOGOUT");
}

/// Thinks until it is stopped.
struct Thinker;

impl komadai_csa::CsaPlayer for Thinker {
    fn choose(
        &mut self,
        turn: &komadai_csa::Turn<'_>,
    ) -> Result<komadai_csa::Answer, Box<dyn std::error::Error + Send + Sync>> {
        while !turn.stop.load(std::sync::atomic::Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        Rambler::default().choose(turn)
    }
}
