//! Dialogues in unusual orders, with an engine that the test controls.

use std::collections::VecDeque;
use std::time::Duration;

use komadai_core::{Move, PositionError, UsiPosition};

use super::*;
use crate::command::GameResult;
use crate::handler::Identity;

mod queue;
mod static_evaluation;

/// An engine that records its calls and returns the events that the test gives it.
#[derive(Debug, Default)]
struct Puppet {
    calls: Vec<String>,
    events: VecDeque<Event>,
    received: Vec<Instant>,
    /// The number of evaluations; `None` if the engine does not know the command.
    evaluations: Option<i32>,
}

impl Handler for Puppet {
    type Error = PositionError;

    fn identity(&self) -> Identity {
        Identity { name: "Puppet".into(), author: "the komadai developers".into() }
    }

    fn options(&self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::spin("USI_Hash", 16, 1..=1024),
            OptionSpec::filename("BookFile", "no_book"),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), PositionError> {
        self.calls.push(format!("{name} = {value}"));
        Ok(())
    }

    fn prepare(&mut self) {
        self.calls.push("prepare".into());
    }

    fn new_game(&mut self) {
        self.calls.push("new game".into());
    }

    fn set_position(&mut self, position: &UsiPosition) -> Result<(), PositionError> {
        self.calls.push(format!("position {position}"));
        komadai_core::Position::from_setup(&position.setup).map(|_| ())
    }

    fn go(&mut self, limits: &GoLimits, received: Instant) {
        self.received.push(received);
        self.calls.push(format!("go {limits}").trim_end().to_owned());
    }

    fn stop(&mut self) {
        self.calls.push("stop".into());
    }

    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant) {
        self.received.push(received);
        let clock = clock.map(ToString::to_string).unwrap_or_default();
        self.calls.push(format!("ponderhit {clock}").trim_end().to_owned());
    }

    fn game_over(&mut self, result: GameResult) {
        self.calls.push(format!("game over {result}"));
    }

    fn evaluate(&mut self) -> Option<i32> {
        self.calls.push("evaluate".into());
        self.evaluations = self.evaluations.map(|number| number + 1);
        self.evaluations
    }

    fn poll(&mut self) -> Option<Event> {
        self.events.pop_front()
    }
}

/// A session with the calls of the puppet and the messages to the GUI since the last check.
struct Stage {
    session: Session<Puppet>,
}

impl Stage {
    /// Prepared, and without a past.
    fn ready() -> Self {
        let mut stage = Self { session: Session::new(Puppet::default()) };
        stage.gui("isready");
        stage.engine(Event::Ready);
        assert_eq!(stage.said(), ["readyok"]);
        assert_eq!(stage.done(), ["prepare"]);
        stage
    }

    fn gui(&mut self, line: &str) {
        self.session.feed_line(line);
    }

    fn engine(&mut self, event: Event) {
        self.session.handler.events.push_back(event);
    }

    fn plays(&mut self, usi: &str) {
        let best: Move = usi.parse().expect("a move");
        self.engine(Event::BestMove(BestMove::Move { best, ponder: None }));
    }

    fn said(&mut self) -> Vec<String> {
        self.session.poll().iter().map(ToString::to_string).collect()
    }

    fn done(&mut self) -> Vec<String> {
        std::mem::take(&mut self.session.handler.calls)
    }
}

const NOTHING: [&str; 0] = [];

#[test]
fn an_engine_introduces_itself_without_preparing() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    stage.gui("usi\r\n");
    assert_eq!(
        stage.said(),
        [
            "id name Puppet",
            "id author the komadai developers",
            "option name USI_Hash type spin default 16 min 1 max 1024",
            "option name BookFile type filename default no_book",
            "usiok",
        ],
    );
    assert_eq!(stage.done(), NOTHING);
}

#[test]
fn a_game_in_good_order() {
    let mut stage = Stage::ready();
    stage.gui("usinewgame");
    stage.gui("position startpos moves 7g7f");
    stage.gui("go btime 1000 wtime 1000 byoyomi 0");
    assert_eq!(
        stage.done(),
        ["new game", "position startpos moves 7g7f", "go btime 1000 wtime 1000 byoyomi 0"],
    );
    stage.engine(Event::Info(Info::from_usi("depth 1 score cp 0 pv 3c3d")));
    assert_eq!(stage.said(), ["info depth 1 score cp 0 pv 3c3d"]);
    stage.plays("3c3d");
    assert_eq!(stage.said(), ["bestmove 3c3d"]);
    stage.gui("gameover win");
    stage.gui("isready");
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok"]);
    assert_eq!(stage.done(), ["game over win", "prepare"]);
    stage.gui("quit");
    assert!(stage.session.has_quit());
}

#[test]
fn stop_means_nothing_when_idle_or_twice() {
    let mut stage = Stage::ready();
    stage.gui("stop");
    stage.gui("ponderhit");
    assert_eq!(stage.done(), NOTHING);
    stage.gui("go infinite");
    stage.gui("stop");
    stage.gui("stop");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    stage.gui("stop");
    assert_eq!(stage.said(), NOTHING);
    assert_eq!(stage.done(), ["go infinite", "stop"]);
}

#[test]
fn an_endless_search_keeps_its_answer_until_stop() {
    for go in ["go infinite", "go", "go infinite depth 3", "go searchmoves 7g7f"] {
        let mut stage = Stage::ready();
        stage.gui(go);
        stage.plays("7g7f");
        stage.plays("2g2f");
        assert_eq!(stage.said(), NOTHING, "{go}");
        stage.gui("stop");
        assert_eq!(stage.said(), ["bestmove 7g7f"], "{go}");
        assert_eq!(stage.done(), [go], "a search that is done is not stopped");
    }
}

#[test]
fn pondering_keeps_its_answer_until_ponderhit() {
    for hit in ["ponderhit", "ponderhit btime 5 wtime 5 byoyomi 1", "stop"] {
        let mut stage = Stage::ready();
        stage.gui("go ponder");
        stage.plays("7g7f");
        assert_eq!(stage.said(), NOTHING);
        stage.gui(hit);
        assert_eq!(stage.said(), ["bestmove 7g7f"], "{hit}");
    }
}

#[test]
fn ponderhit_sets_the_clock_of_a_running_search() {
    let mut stage = Stage::ready();
    stage.gui("go ponder btime 5 wtime 5 byoyomi 1");
    stage.gui("ponderhit btime 4 wtime 4 byoyomi 1");
    stage.gui("ponderhit");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(
        stage.done(),
        ["go ponder btime 5 wtime 5 byoyomi 1", "ponderhit btime 4 wtime 4 byoyomi 1"],
    );
}

#[test]
fn ponderhit_alone_does_not_end_an_infinite_search() {
    let mut stage = Stage::ready();
    stage.gui("go ponder infinite");
    stage.plays("7g7f");
    stage.gui("ponderhit");
    assert_eq!(stage.said(), NOTHING);
    stage.gui("stop");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
}

#[test]
fn commands_that_a_search_cannot_bear_stop_it_and_wait() {
    for (line, done) in [
        ("position startpos moves 7g7f", "position startpos moves 7g7f"),
        ("isready", "prepare"),
        ("usinewgame", "new game"),
        ("gameover lose", "game over lose"),
        ("go nodes 5", "go nodes 5"),
    ] {
        let mut stage = Stage::ready();
        stage.gui("go infinite");
        stage.gui(line);
        assert_eq!(stage.said(), NOTHING);
        assert_eq!(stage.done(), ["go infinite", "stop"], "{line}");
        stage.plays("7g7f");
        assert_eq!(stage.said(), ["bestmove 7g7f"], "{line}");
        assert_eq!(stage.done(), [done], "{line}");
    }
}

#[test]
fn an_option_waits_for_the_answer_without_stopping_the_search() {
    let mut stage = Stage::ready();
    stage.gui("go nodes 5");
    stage.gui("setoption name USI_Hash value 64");
    assert_eq!(stage.said(), NOTHING);
    assert_eq!(stage.done(), ["go nodes 5"]);
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(stage.done(), ["USI_Hash = 64"]);
}

#[test]
fn stop_reaches_the_running_search_past_a_waiting_option() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    stage.gui("setoption name USI_Hash value 64");
    stage.gui("stop");
    assert_eq!(stage.done(), ["go infinite", "stop"]);
}

#[test]
fn stop_belongs_to_the_go_before_it() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    stage.gui("position startpos moves 2g2f");
    stage.gui("go infinite searchmoves 7g7f");
    stage.gui("stop");
    assert_eq!(stage.done(), ["go infinite", "stop"]);
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    let second = ["position startpos moves 2g2f", "go infinite searchmoves 7g7f", "stop"];
    assert_eq!(stage.done(), second);
    stage.plays("3c3d");
    assert_eq!(stage.said(), ["bestmove 3c3d"]);
}

#[test]
fn many_searches_in_a_row_have_one_answer_each() {
    let mut stage = Stage::ready();
    for _ in 0..5 {
        stage.gui("position startpos");
        stage.gui("go infinite");
    }
    stage.gui("gameover draw");
    let mut answers = 0;
    while stage.session.is_busy() {
        stage.plays("7g7f");
        answers += stage.said().iter().filter(|line| line.starts_with("bestmove")).count();
    }
    assert_eq!(answers, 5);
    assert_eq!(stage.done().last().map(String::as_str), Some("game over draw"));
}

#[test]
fn a_late_answer_after_gameover_comes_before_readyok() {
    let mut stage = Stage::ready();
    stage.gui("go btime 1000 wtime 1000");
    stage.gui("stop");
    stage.gui("gameover win");
    stage.gui("isready");
    stage.plays("7g7f");
    stage.engine(Event::Info(Info::text("late")));
    assert_eq!(stage.said(), ["bestmove 7g7f", "info string late"]);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok"]);
}

#[test]
fn isready_twice_is_answered_twice() {
    let mut stage = Stage::ready();
    stage.gui("isready");
    stage.gui("isready");
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok"]);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok"]);
    assert_eq!(stage.done(), ["prepare", "prepare"]);
}

#[test]
fn go_without_isready_prepares_first() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    stage.gui("go nodes 5");
    assert_eq!(stage.done(), ["prepare"]);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), NOTHING);
    assert_eq!(stage.done(), ["go nodes 5"]);
}

#[test]
fn stop_while_the_engine_prepares_for_a_go_is_not_lost() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    stage.gui("go ponder");
    stage.gui("setoption name USI_Hash value 2");
    stage.gui("ponderhit byoyomi 1000");
    stage.gui("stop");
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), NOTHING);
    let calls = stage.done();
    let hit = "ponderhit btime 0 wtime 0 byoyomi 1000";
    assert_eq!(calls, ["prepare", "go ponder", hit, "stop"]);
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(stage.done(), ["USI_Hash = 2"]);
}

#[test]
fn an_engine_that_cannot_prepare_says_so_and_still_answers() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    stage.gui("isready");
    stage.engine(Event::NotReady("no such book".into()));
    assert_eq!(stage.said(), ["info string Error! : no such book"]);
    stage.gui("go byoyomi 1000");
    stage.engine(Event::NotReady("no such book".into()));
    assert_eq!(stage.said(), ["info string Error! : no such book", "bestmove resign"]);
}

#[test]
fn a_changed_option_is_prepared_for_before_the_next_search() {
    let mut stage = Stage::ready();
    stage.gui("setoption name USI_Hash value 64");
    stage.gui("go nodes 5");
    assert_eq!(stage.done(), ["USI_Hash = 64", "prepare"]);
}

#[test]
fn options_are_fitted_or_refused() {
    let mut stage = Stage::ready();
    stage.gui("setoption name usi_hash value 99999999");
    stage.gui("setoption name USI_Hash value ");
    stage.gui("setoption name USI_Hash");
    stage.gui("setoption name BookFile value ");
    stage.gui("setoption name BookFile value <empty>");
    stage.gui("setoption name USI_Ponder value true");
    stage.gui("setoption name Skill Level value 3");
    stage.gui("setoption USI_Hash 3");
    let refused = "option USI_Hash cannot be \"\", expected a number from 1 to 1024";
    assert_eq!(
        stage.said(),
        [
            "info string USI_Hash: 99999999 is cut to 1024".to_owned(),
            format!("info string {refused}"),
            format!("info string {refused}"),
            "info string no option is named \"Skill Level\"".to_owned(),
            "info string found \"USI_Hash 3\" after `setoption`, \
             expected `name` and the name of an option"
                .to_owned(),
        ],
    );
    let set = ["USI_Hash = 1024", "BookFile = <empty>", "BookFile = <empty>"];
    assert_eq!(stage.done(), set);
}

#[test]
fn a_bad_move_leaves_the_game_before_it() {
    let mut stage = Stage::ready();
    stage.gui("position startpos moves 7g7f 3c3x 2g2f");
    let said = stage.said();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("info string Error! : position: found \"3c3x\" at byte 29"),
        "{said:?}"
    );
    assert_eq!(stage.done(), ["position startpos moves 7g7f"]);
}

#[test]
fn without_a_position_every_go_is_answered_at_once() {
    // The first cannot be read, the second violates a rule that only the handler checks.
    for position in ["position sfen 9/9 b - 1", "position sfen 9/9/9/9/9/9/9/9/9 b - 1"] {
        let mut stage = Stage::ready();
        stage.gui(position);
        assert!(stage.said()[0].starts_with("info string Error! : position: "));
        stage.gui("go byoyomi 1000");
        assert_eq!(stage.said()[1..], ["bestmove resign"]);
        stage.gui("go mate infinite");
        assert_eq!(stage.said()[1..], ["checkmate timeout"]);
        stage.gui("go infinite");
        assert_eq!(stage.said().len(), 1);
        stage.gui("stop");
        assert_eq!(stage.said(), ["bestmove resign"]);
        stage.gui("position startpos");
        stage.gui("go byoyomi 1000");
        stage.plays("7g7f");
        assert_eq!(stage.said(), ["bestmove 7g7f"]);
    }
}

#[test]
fn an_unreadable_position_waits_its_turn() {
    let mut stage = Stage::ready();
    stage.gui("go infinite");
    stage.gui("position nonsense");
    stage.gui("go byoyomi 5");
    stage.plays("7g7f");
    let said = stage.said();
    assert_eq!(said.first().map(String::as_str), Some("bestmove 7g7f"));
    assert_eq!(said.last().map(String::as_str), Some("bestmove resign"));
}

#[test]
fn a_search_whose_limits_were_cut_off_ends_at_once() {
    let mut stage = Stage::ready();
    stage.session.feed_cut_line_at("go searchmoves 7g7f", Instant::now());
    assert_eq!(stage.done(), ["go movetime 0 searchmoves 7g7f"]);
    stage.plays("7g7f");
    let said = ["info string Error! : a line of more than 1 MiB, cut", "bestmove 7g7f"];
    assert_eq!(stage.said(), said);
}

#[test]
fn a_mate_search_is_answered_with_checkmate_whatever_the_engine_says() {
    let mut stage = Stage::ready();
    stage.gui("go mate infinite");
    stage.engine(Event::Checkmate(Checkmate::Mate("G*5b".parse().expect("a line"))));
    assert_eq!(stage.said(), ["checkmate G*5b"]);
    stage.gui("go mate 1000");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["checkmate notimplemented"]);
    stage.gui("go byoyomi 1");
    stage.engine(Event::Checkmate(Checkmate::NoMate));
    assert_eq!(stage.said(), ["bestmove resign"]);
}

#[test]
fn answers_without_a_search_are_dropped() {
    let mut stage = Stage::ready();
    stage.plays("7g7f");
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), NOTHING);
}

#[test]
fn quit_works_at_any_time() {
    for job in ["isready", "go infinite", "position startpos"] {
        let mut stage = Stage::ready();
        stage.gui(job);
        stage.gui("quit");
        stage.gui("isready");
        assert!(stage.session.has_quit(), "{job}");
        assert!(!stage.session.is_busy(), "{job}");
    }
}

#[test]
fn at_the_end_of_input_limited_work_is_finished() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    for line in ["isready", "position startpos", "go nodes 5", "go byoyomi 60000"] {
        stage.gui(line);
    }
    stage.session.close();
    assert_eq!(stage.said(), NOTHING);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok"]);
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert!(!stage.session.has_quit());
    stage.plays("2g2f");
    assert_eq!(stage.said(), ["bestmove 2g2f"]);
    assert!(stage.session.has_quit());
    // `stop` is for the first one, because the second `go` came while it was in work.
    let searches = ["go nodes 5", "stop", "go btime 0 wtime 0 byoyomi 60000"];
    assert_eq!(stage.done()[2..], searches);
}

#[test]
fn at_the_end_of_input_a_search_with_a_limit_of_its_own_is_finished() {
    for go in [
        "go nodes 5",
        "go depth 5",
        "go movetime 60000",
        "go rtime 60000",
        "go byoyomi 60000",
        "go btime 60000 wtime 60000",
        "go btime 0 wtime 0 binc 9000 winc 9000",
        "go mate 60000",
    ] {
        let mut stage = Stage::ready();
        stage.gui(go);
        stage.session.close();
        assert_eq!(stage.done().len(), 1, "{go}: {:?}", stage.done());
        assert!(!stage.session.has_quit(), "{go}");
        stage.plays("7g7f");
        assert_eq!(stage.said().len(), 1, "{go}");
        assert!(stage.session.has_quit(), "{go}");
    }
}

#[test]
fn at_the_end_of_input_a_search_is_finished_after_its_ponder_hit() {
    for (go, hit, is_stopped) in [
        ("go ponder byoyomi 60000", "ponderhit", false),
        ("go ponder", "ponderhit btime 60000 wtime 60000", false),
        ("go ponder nodes 5", "ponderhit", false),
        ("go ponder byoyomi 60000", "", true),
    ] {
        let mut stage = Stage::ready();
        stage.gui(go);
        if !hit.is_empty() {
            stage.gui(hit);
        }
        stage.session.close();
        let stops = stage.done().iter().filter(|done| *done == "stop").count();
        assert_eq!(stops, usize::from(is_stopped), "{go}, {hit}");
    }
}

#[test]
fn at_the_end_of_input_an_endless_search_is_stopped() {
    for go in ["go infinite", "go", "go ponder", "go ponder byoyomi 60000", "go mate infinite"] {
        let mut stage = Stage::ready();
        stage.gui(go);
        stage.session.close();
        assert_eq!(stage.done()[1..], ["stop"], "{go}");
        stage.plays("7g7f");
        assert_eq!(stage.said().len(), 1);
        assert!(stage.session.has_quit());
    }
}

#[test]
fn the_clock_runs_from_when_the_line_came() {
    let mut stage = Stage { session: Session::new(Puppet::default()) };
    let [early, late] = [7, 2].map(|seconds| Instant::now() - Duration::from_secs(seconds));
    // The preparation that the search needs comes out of its own time.
    stage.session.feed_line_at("go ponder", early);
    stage.session.feed_line_at("ponderhit", late);
    stage.session.feed_line_at("ponderhit", Instant::now());
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), NOTHING);
    assert_eq!(stage.session.handler().received, [early, late]);
}

#[test]
fn a_script_has_its_time_when_its_turn_comes() {
    let mut stage = Stage::ready();
    let early = Instant::now() - Duration::from_secs(60);
    stage.session.feed_line_at("go nodes 5", early);
    stage.session.feed_line_at("go movetime 1000", early);
    stage.session.close();
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    let [first, second] = stage.session.handler().received[..] else { panic!("two searches") };
    assert_eq!(first, early);
    assert!(second.elapsed() < Duration::from_secs(60));
}
