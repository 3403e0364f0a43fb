//! The protocol without input and output: offers, echoes and times that are not as usual.

use std::time::Duration;

use komadai_core::Color;
use komadai_csa::{CsaClient, CsaConfig, CsaError, Event, GameResult, Session, State};

use crate::server::{Peer, Rambler, start, summary};

fn receive(session: &mut Session, lines: &str) -> Option<Event> {
    let mut last = None;
    for line in lines.lines() {
        last = session.receive(line).unwrap();
    }
    last
}

/// A session of the player with Black in a game that has started.
fn playing(time: &str) -> Session {
    let mut session = offered("test-1", time);
    receive(&mut session, "START:test-1");
    session
}

fn offered(id: &str, time: &str) -> Session {
    let mut session = Session::new();
    receive(&mut session, "LOGIN:A OK");
    let event = receive(&mut session, &named(id, time));
    assert!(matches!(event, Some(Event::Offered(_))));
    session
}

fn named(id: &str, time: &str) -> String {
    let names = ["A", "B"].map(str::to_owned);
    summary(&names, '+', time, "PI\n+").replace("test-1", id)
}

#[test]
fn another_offer_before_the_start_is_not_agreed_to() {
    for (second, answer) in
        [("test-2", Some("REJECT test-2")), ("test-1", None), ("", Some("REJECT"))]
    {
        let (config, server) = start(move |listener| {
            let mut player = Peer::accept(&listener);
            player.log_in();
            player.send(&format!("{}\n{}", named("test-1", "Total_Time:60"), named(second, "")));
            let mut answers = vec![player.receive()];
            if answer.is_some() {
                answers.push(player.receive());
            }
            player.send("START:test-1");
            answers.push(player.receive());
            player.send("#RESIGN\n#LOSE");
            answers
        });
        let mut player = Rambler::default();
        let games = CsaClient::play_games(&config, 1, &mut player).unwrap();
        let answers = server.join().unwrap();
        assert_eq!(answers[0], "AGREE test-1");
        assert_eq!(answers[1..answers.len() - 1], answer.into_iter().collect::<Vec<_>>());
        assert!(answers.last().unwrap().starts_with('+'), "{answers:?}");
        assert_eq!(games[0].result, Some(GameResult::Lose));
        let again = Event::OfferedAnother { id: second.to_owned() };
        assert!(player.events.contains(&again), "{:?}", player.events);
    }
}

#[test]
fn only_the_offered_game_starts() {
    for (offer, start, starts) in [
        ("test-1", "START:test-1", true),
        ("test-1", "START:test-2", false),
        ("test-1", "START:test", false),
        ("test-1", "START:test-1 ", true),
        ("test-1", "START:", true),
        ("", "START:test-1", true),
    ] {
        let mut session = offered(offer, "Total_Time:60");
        let result = session.receive(start);
        assert_eq!(
            matches!(result, Ok(Some(Event::Started))),
            starts,
            "{offer}, {start}: {result:?}"
        );
        assert_eq!(session.state() == State::Playing, starts);
    }
}

#[test]
fn a_refused_offer_makes_room_for_the_next() {
    let mut session = offered("test-1", "Total_Time:60");
    assert_eq!(session.reject(), "REJECT test-1");
    assert_eq!((session.state(), session.summary()), (State::Waiting, None));
    assert_eq!(
        receive(&mut session, "REJECT:test-1 by A"),
        Some(Event::Rejected { by: "A".to_owned() })
    );
    assert!(matches!(receive(&mut session, &named("test-2", "")), Some(Event::Offered(_))));
    assert_eq!(session.agree(), "AGREE test-2");
}

#[test]
fn an_echo_of_another_move_is_told_and_the_servers_move_counts() {
    let m = |text: &str| text.parse().unwrap();
    for (echo, sent) in [
        ("+2726FU,T1", None),
        ("+9796FU,T1", Some(m("2g2f"))),
        ("+7776FU", Some(m("2g2f"))),
        ("+2826HI", None),
    ] {
        let mut session = playing("Total_Time:60");
        assert_eq!(session.play(m("2g2f"), Some("* 30 -3334FU")), "+2726FU,'* 30 -3334FU");
        let Ok(Some(event)) = session.receive(echo) else {
            assert_eq!(echo, "+2826HI", "only this one is illegal");
            continue;
        };
        let Event::Moved { color: Color::Black, sent: told, .. } = event else {
            panic!("{event:?}")
        };
        assert_eq!(told, sent, "{echo}");
        let game = session.game_so_far().unwrap();
        let comments: Vec<_> = game.record.moves[0].comments.iter().map(|c| c.text()).collect();
        // The value belongs to the move that was sent.
        assert_eq!(comments, if sent.is_none() { vec!["* 30 -3334FU"] } else { vec![] });
        // The next own move is compared with its own echo.
        receive(&mut session, "-3334FU,T1");
        assert_eq!(session.play(m("2h1h"), None), "+2818HI");
        let event = receive(&mut session, "+2818HI");
        assert!(matches!(event, Some(Event::Moved { sent: None, .. })), "{event:?}");
    }
}

#[test]
fn the_time_of_a_move_is_that_of_the_server_or_else_that_of_the_own_clock() {
    let millis = Duration::from_millis;
    let seconds = "Time_Unit:1sec\nTotal_Time:300";
    for (rules, text, measured, time) in [
        (seconds, "+7776FU,T12", Some(3_000), Some(12_000)),
        (seconds, "+7776FU,T1.250", Some(3_000), Some(1_250)),
        (seconds, "+7776FU,T0.05", None, Some(50)),
        (seconds, "+7776FU,T0", Some(9_000), Some(0)),
        (seconds, "+7776FU", Some(3_700), Some(3_000)),
        (seconds, "+7776FU,T", Some(3_700), Some(3_000)),
        (seconds, "+7776FU,T1:02", Some(62_000), Some(62_000)),
        (seconds, "+7776FU,T-5", Some(5_500), Some(5_000)),
        (seconds, "+7776FU,Tx", None, None),
        ("Time_Unit:100msec\nTotal_Time:3000", "+7776FU", Some(3_770), Some(3_700)),
        ("Time_Unit:1sec\nTotal_Time:300\nTime_Roundup:YES", "+7776FU", Some(3_100), Some(4_000)),
        ("Total_Time:300\nLeast_Time_Per_Move:1", "+7776FU", Some(100), Some(1_000)),
    ] {
        let mut session = playing(rules);
        let event = session.receive_after(text, measured.map(millis)).unwrap().unwrap();
        let Event::Moved { time: counted, .. } = event else { panic!("{event:?}") };
        assert_eq!(counted, time.map(millis), "{text} with {rules}");
        let left = session.clock().unwrap().left(Color::Black);
        assert_eq!(left, Duration::from_secs(300) - millis(time.unwrap_or(0)), "{text}");
        assert_eq!(session.game_so_far().unwrap().record.moves[0].time, counted);
    }
}

#[test]
fn names_and_passwords_that_cannot_be_sent_are_refused_before_a_connection() {
    let (mut config, _) = start(|_| ());
    config.retries = 0;
    for text in ["", "u x", "u\nLOGOUT", "u\t", " u", "羽生", "é", "u\u{7f}", "u\u{202e}", "\0"]
    {
        assert!(!CsaConfig::is_word(text), "{text:?}");
        for (user, password) in [(text, "x"), ("A", text)] {
            (config.user, config.password) = (user.to_owned(), password.to_owned());
            let error = CsaClient::connect(config.clone()).unwrap_err();
            assert!(matches!(error, CsaError::BadWord { .. }), "{error}");
            assert!(error.to_string().ends_with("expected one word of printable ASCII"), "{error}");
            // Nothing of a password is shown, and nothing that a terminal obeys.
            assert_eq!(error.to_string().contains("found \""), user != "A", "{error}");
            assert!(!error.to_string().contains(|c: char| c.is_control()), "{error}");
        }
    }
    assert!(["A", "test-600-10F,secret", "!~'\""].into_iter().all(CsaConfig::is_word));
}
