//! Dialogues with many waiting commands.

use proptest::prelude::*;

use super::*;

#[test]
fn only_the_last_of_the_positions_that_wait_is_set() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    for line in ["position startpos moves 7g7f", "position nonsense", "position startpos"] {
        stage.gui(line);
    }
    stage.gui("go nodes 5");
    stage.gui("position startpos moves 2g2f");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(stage.done(), ["go infinite", "stop", "position startpos", "go nodes 5", "stop"]);
    stage.plays("3c3d");
    assert_eq!(stage.said(), ["bestmove 3c3d"]);
    assert_eq!(stage.done(), ["position startpos moves 2g2f"]);
}

#[test]
fn only_the_last_value_that_waits_is_set() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    for number in 1..=6_000 {
        stage.gui(&format!("setoption name usi_hash value {}", number % 1000 + 1));
        stage.gui(&format!("setoption name BookFile value {number}.db"));
    }
    stage.gui("go depth 1");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    let done = ["go infinite", "stop", "USI_Hash = 1", "BookFile = 6000.db", "prepare"];
    assert_eq!(stage.done(), done);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), NOTHING);
    stage.plays("2g2f");
    assert_eq!(stage.said(), ["bestmove 2g2f"]);
}

#[test]
fn a_value_that_does_not_fit_is_refused_before_it_waits() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    stage.gui("setoption name USI_Hash value 64");
    stage.gui("setoption name USI_Hash value much");
    assert!(stage.said()[0].starts_with("info string option USI_Hash cannot be \"much\""));
    stage.gui("stop");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(stage.done(), ["go infinite", "stop", "USI_Hash = 64"]);
}

#[test]
fn each_isready_that_waits_is_answered() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    for _ in 0..5 {
        stage.gui("isready");
    }
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    for _ in 0..5 {
        stage.engine(Event::Ready);
        assert_eq!(stage.said(), ["readyok"]);
    }
    assert_eq!(stage.done()[2..], ["prepare"; 5]);
    assert!(!stage.session.is_busy());
}

#[test]
fn thousands_of_searches_ahead_are_all_done() {
    let mut stage = Stage::ready();
    for _ in 0..6_000 {
        stage.gui("go depth 1");
    }
    stage.session.close();
    for _ in 0..6_000 {
        assert!(!stage.session.has_quit());
        stage.plays("7g7f");
        assert_eq!(stage.said(), ["bestmove 7g7f"]);
    }
    assert!(stage.session.has_quit());
}

#[test]
fn beyond_the_bound_overtaken_searches_are_answered_without_being_done() {
    let mut stage = Stage::ready();
    stage.session.waiting.most_bytes = 0;
    for line in [
        "go infinite",
        "go mate infinite",
        "stop",
        "position startpos moves 7g7f",
        "go infinite",
        "ponderhit",
        "setoption name USI_Hash value 2",
        "isready",
        "position startpos moves 2g2f",
        "go mate 5",
        "stop",
        "setoption name USI_Hash value 3",
        "isready",
        "position startpos",
        "go ponder",
    ] {
        stage.gui(line);
    }
    let warning = "info string too many commands are waiting: \
                   a search that another one follows is answered without being done";
    assert_eq!(stage.said(), [warning]);
    assert_eq!(stage.done(), ["go infinite", "stop"]);
    stage.plays("7g7f");
    let overtaken = ["bestmove resign", "checkmate timeout", "checkmate timeout"];
    assert_eq!(stage.said(), [&["bestmove 7g7f"], &overtaken[..]].concat());
    assert_eq!(stage.done(), ["USI_Hash = 3", "prepare"]);
    for _ in 0..2 {
        stage.engine(Event::Ready);
        assert_eq!(stage.said(), ["readyok"]);
    }
    assert_eq!(stage.done(), ["prepare", "position startpos", "go ponder"]);
    stage.plays("2g2f");
    assert_eq!(stage.said(), NOTHING, "the last search is asked for its answer by nobody yet");
    stage.gui("ponderhit");
    assert_eq!(stage.said(), ["bestmove 2g2f"]);
}

#[test]
fn what_was_meant_for_an_overtaken_search_reaches_no_other() {
    let mut stage = Stage::ready();
    for line in ["go infinite", "go ponder", "go ponder infinite"] {
        stage.gui(line);
    }
    stage.session.waiting.most_bytes = 0;
    for line in ["ponderhit", "go nodes 5"] {
        stage.gui(line);
    }
    stage.plays("7g7f");
    stage.said();
    assert_eq!(stage.done(), ["go infinite", "stop", "go ponder", "stop"]);
    stage.plays("2g2f");
    assert_eq!(stage.said(), ["bestmove 2g2f", "bestmove resign"]);
    assert_eq!(stage.done(), ["go nodes 5"]);
}

#[test]
fn a_search_that_waits_for_its_preparation_may_be_overtaken() {
    for event in [Event::Ready, Event::NotReady("no such book".into())] {
        let mut stage = Stage { session: Session::new(Puppet::default()) };
        stage.session.waiting.most_bytes = 0;
        stage.gui("go mate 5");
        stage.gui("go nodes 5");
        stage.said();
        stage.engine(event.clone());
        let said = stage.said();
        assert_eq!(said.last().map(String::as_str), Some("checkmate timeout"), "{event:?}");
        let next = if event == Event::Ready { "go nodes 5" } else { "prepare" };
        assert_eq!(stage.done(), ["prepare", next]);
        stage.engine(Event::Ready);
        assert_eq!(stage.said(), NOTHING);
        stage.plays("7g7f");
        assert_eq!(stage.said(), ["bestmove 7g7f"], "{event:?}");
    }
}

#[test]
fn memory_is_bounded_whatever_waits() {
    let moves = " 7g7f 3c3d".repeat(500);
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    for round in 0..4_000 {
        stage.gui(&format!("go mate infinite searchmoves{moves}"));
        if round % 4 == 0 {
            stage.gui(&format!("position startpos moves{moves}"));
            stage.gui(&format!("setoption name BookFile value {moves}"));
            stage.gui("usinewgame");
            stage.gui("gameover win");
            stage.gui("isready");
            stage.gui("ponderhit");
            stage.gui("stop");
        }
    }
    assert_eq!(stage.said().len(), 1, "the GUI is warned once");
    let bytes = stage.session.waiting.most_bytes;
    assert!((bytes..bytes + 32_000).contains(&stage.session.waiting.bytes()));
    for _ in 0..50_000 {
        stage.gui("go");
    }
    assert!((bytes..bytes + 32_000).contains(&stage.session.waiting.bytes()));
}

#[test]
fn many_answers_do_not_come_all_at_once() {
    let mut stage = Stage::ready();
    stage.session.waiting.most_bytes = 0;
    stage.gui("go infinite");
    for _ in 0..20_000 {
        stage.gui("go nodes 5");
    }
    stage.plays("7g7f");
    stage.plays("2g2f");
    let mut answers = 0;
    while stage.session.is_busy() {
        let said = stage.said();
        assert!(said.len() <= MOST_MESSAGES);
        answers += said.iter().filter(|line| line.starts_with("bestmove")).count();
        stage.plays("2g2f");
    }
    assert_eq!(answers, 20_001);
}

/// Returns the event that would end the last job of the puppet.
fn job_done(stage: &mut Stage, job: &mut Option<String>) -> Option<Event> {
    let is_job = |call: &String| call.starts_with("go") || call == "prepare";
    if let Some(latest) = stage.done().into_iter().rfind(is_job) {
        *job = Some(latest);
    }
    let job = job.take()?;
    Some(match job.as_str() {
        "prepare" => Event::Ready,
        go if go.contains("mate") => Event::Checkmate(Checkmate::NoMate),
        _ => Event::BestMove(BestMove::Win),
    })
}

/// The answers that are due for these lines, in their order.
fn answers_due<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    lines
        .filter_map(|line| match line {
            _ if line.starts_with("go mate") => Some("checkmate"),
            "go" => Some("bestmove"),
            _ if line.starts_with("go ") => Some("bestmove"),
            "isready" => Some("readyok"),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_go_has_one_answer_whatever_the_order_of_the_lines(
        script in proptest::collection::vec(
            prop_oneof![
                proptest::sample::select(&[
                    "go", "go nodes 5", "go ponder", "go infinite", "go byoyomi 5",
                    "go mate infinite", "go mate 5", "go mate infinite ponder",
                ][..]),
                proptest::sample::select(&[
                    "stop", "ponderhit", "isready", "usinewgame", "gameover win", "setoption",
                    "setoption name USI_Hash value 64", "setoption name BookFile value a.db",
                    "position startpos", "position startpos moves 7g7f", "position nonsense", "e",
                    "the engine is done", "the engine is done",
                ][..]),
            ],
            0..60,
        ),
        most_bytes in prop_oneof![Just(0_usize), Just(2_000), Just(usize::MAX)],
    ) {
        let mut stage = Stage { session: Session::new(Puppet::default()) };
        stage.session.waiting.most_bytes = most_bytes;
        let mut said = Vec::new();
        let mut searched = Vec::new();
        let mut job = None;
        for line in &script {
            if *line == "the engine is done" {
                searched.extend(stage.session.handler().calls.iter().cloned());
                let event = job_done(&mut stage, &mut job);
                stage.session.handler.events.extend(event);
            } else {
                stage.gui(line);
            }
            said.extend(stage.said());
        }
        stage.session.close();
        while !stage.session.has_quit() {
            searched.extend(stage.session.handler().calls.iter().cloned());
            let event = job_done(&mut stage, &mut job);
            stage.session.handler.events.extend(event);
            said.extend(stage.said());
        }
        searched.extend(stage.done());
        prop_assert_eq!(stage.session.waiting.bytes(), 0);

        let mut answers: Vec<_> = said
            .iter()
            .map(|line| line.split_once(' ').map_or(line.as_str(), |(word, _)| word))
            .filter(|word| *word != "info")
            .collect();
        let mut due = answers_due(script.iter().copied());
        if most_bytes < usize::MAX {
            // Answers without a search come together.
            answers.sort_unstable();
            due.sort_unstable();
        }
        prop_assert_eq!(answers, due);

        // The last search is done, and is about the last position before it.
        let Some(last_go) = script.iter().rposition(|line| line.starts_with("go")) else {
            return Ok(());
        };
        let last_position =
            script[..last_go].iter().rfind(|line| line.starts_with("position")).copied();
        if last_position == Some("position nonsense") {
            let word = if script[last_go].contains("mate") { "checkmate timeout" } else { "bestmove resign" };
            let last = said.iter().rfind(|line| !line.starts_with("info") && *line != "readyok");
            prop_assert_eq!(last.map(String::as_str), Some(word));
        } else {
            let last_search = searched.iter().rposition(|call| call.starts_with("go"));
            let set = searched[..last_search.expect("it is done")]
                .iter()
                .rfind(|call| call.starts_with("position"));
            prop_assert_eq!(set.map(String::as_str), last_position);
        }
    }
}
