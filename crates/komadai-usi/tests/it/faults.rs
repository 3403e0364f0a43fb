//! Every fault of an engine yields a right answer or a typed error, and no process is left behind.
//!
//! The engines are this test program, started again: if an environment variable names a fault, the
//! test [`faulty_engine`] runs as that engine and does not return. Waits are unlimited where a
//! fault must be noticed without one.

mod faulty_engine;
mod processes;
#[cfg(unix)]
mod scripts;

use std::time::{Duration, Instant};

use komadai_core::{Budget, Position, Score, UsiPosition};
use komadai_testdata::programs::play_engine;
use komadai_usi::{
    Answer, BestMove, ClientError, ClientFault, EngineConfig, EngineProcess, GoLimits, Patience,
};

use self::faulty_engine::{PROCESSES, play};
use self::processes::Processes;

const FAULT: &str = "KOMADAI_FAULTY_ENGINE";

#[test]
fn faulty_engine() {
    play_engine(FAULT, play);
}

/// An engine with a fault, and the numbers of its processes.
struct Faulty {
    config: EngineConfig,
    processes: Processes,
}

impl Faulty {
    /// Returns an engine whose only short timeout is that for `stop`.
    fn new(fault: &str) -> Self {
        let processes = Processes::default();
        let long = Duration::from_secs(600);
        let patience =
            Patience { launch: long, ready: long, silence: long, stop: SHORT, quit: long };
        let config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
            .with_arguments(["faults::faulty_engine", "--exact", "--test-threads=2"])
            .with_variable(FAULT, fault)
            .with_variable(PROCESSES, processes.file());
        Self { config: EngineConfig { patience, ..config }, processes }
    }

    fn with_patience(mut self, change: impl FnOnce(Patience) -> Patience) -> Self {
        self.config.patience = change(self.config.patience);
        self
    }

    fn launch(&self) -> EngineProcess {
        EngineProcess::launch(self.config.clone()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts an engine that does not become ready.
    fn launch_error(&self) -> ClientError {
        EngineProcess::launch(self.config.clone()).expect_err("this engine does not become ready")
    }

    /// Asserts that the only process has ended.
    fn assert_no_process_is_left(&self) {
        assert_eq!(self.processes.count_ended(), 1);
    }
}

const SHORT: Duration = Duration::from_millis(300);

fn go(engine: &mut EngineProcess) -> Result<Answer, ClientError> {
    go_within(engine, &Budget::unlimited())
}

fn go_within(engine: &mut EngineProcess, budget: &Budget) -> Result<Answer, ClientError> {
    engine.go(&Position::hirate(), &GoLimits::nodes(100), budget, &mut |_| {})
}

/// Asserts that a search fails, that the engine is not used after that, and that nothing of it is
/// left.
fn assert_search_fails(faulty: &Faulty, is_expected: impl Fn(&ClientFault) -> bool) {
    let mut engine = faulty.launch();
    let error = go(&mut engine).unwrap_err();
    assert!(is_expected(error.fault()), "{error}");
    drop(engine);
    faulty.assert_no_process_is_left();
}

/// Asserts that two searches succeed, and returns the second answer.
fn assert_search_succeeds(faulty: &Faulty) -> Answer {
    let mut engine = faulty.launch();
    for _ in 0..2 {
        let answer = go(&mut engine).unwrap();
        assert_eq!(answer.best.to_move(), Some("7g7f".parse().unwrap()));
        assert!(answer.analysis.completed);
    }
    let answer = go(&mut engine).unwrap();
    assert!(engine.quit().is_some_and(|status| status.success()));
    faulty.assert_no_process_is_left();
    answer
}

fn is_silent(fault: &ClientFault) -> bool {
    matches!(fault, ClientFault::Silent { .. })
}

fn has_crashed(fault: &ClientFault) -> bool {
    matches!(fault, ClientFault::Died { status: Some(status), .. } if status.code() == Some(3))
}

#[test]
fn silence_ends_at_the_timeout_of_its_stage() {
    let silent = |fault, change: fn(Patience) -> Patience| Faulty::new(fault).with_patience(change);
    for faulty in [
        silent("silent at usi", |patience| Patience { launch: SHORT, ..patience }),
        silent("silent at isready", |patience| Patience { ready: SHORT, ..patience }),
        silent("endless line at start", |patience| Patience { launch: SHORT, ..patience }),
        // Without a limit for all lines, this takes twenty thousand lines.
        silent("drip at start", |patience| Patience { launch: SHORT, ..patience }),
    ] {
        let error = faulty.launch_error();
        assert!(is_silent(error.fault()), "{error}");
        // A process that is killed early has recorded nothing.
        assert!(faulty.processes.count_ended() <= 1);
    }
    for fault in ["silent at go", "endless line"] {
        assert_search_fails(
            &silent(fault, |patience| Patience { silence: SHORT, ..patience }),
            is_silent,
        );
    }
}

#[test]
fn floods_at_the_start_are_given_up() {
    for fault in ["flood at start", "megabytes at start", "options for ever"] {
        let faulty = Faulty::new(fault);
        let error = faulty.launch_error();
        let ClientFault::Babble { lines, .. } = error.fault() else { panic!("{error}") };
        // Lines of a megabyte are refused long before twenty thousand of them.
        assert_eq!(*lines == 20_000, fault == "flood at start", "{lines}");
        faulty.assert_no_process_is_left();
    }
}

#[test]
fn a_name_of_a_megabyte_is_cut() {
    let engine = Faulty::new("long name").launch();
    let identity = engine.identity();
    assert_eq!([&identity.name, &identity.author], [&"名".repeat(200); 2]);
}

#[test]
fn crashes_are_noticed_at_every_stage() {
    for fault in ["crash at start", "crash at usi", "crash at isready"] {
        let faulty = Faulty::new(fault);
        let error = faulty.launch_error();
        assert!(has_crashed(error.fault()), "{error}");
        assert_reason_is_told(&error);
        faulty.assert_no_process_is_left();
    }
    for fault in ["crash at go", "crash in a report", "crash in the answer"] {
        assert_search_fails(&Faulty::new(fault), has_crashed);
    }
    let faulty = Faulty::new("crash after the answer");
    let mut engine = faulty.launch();
    go(&mut engine).expect("the answer was complete");
    let error = go(&mut engine).unwrap_err();
    assert!(has_crashed(error.fault()), "{error}");
    assert_reason_is_told(&error);
    faulty.assert_no_process_is_left();
    // The numbers of both processes are in the file.
    engine.restart().unwrap();
    go(&mut engine).unwrap();
    drop(engine);
    assert_eq!(faulty.processes.count_ended(), 2);
}

/// Asserts that the message has the last lines of the standard error.
fn assert_reason_is_told(error: &ClientError) {
    let text = error.to_string();
    let end = "; on its standard error: cannot read nn.bin / out of tea / good bye";
    assert!(text.ends_with(end), "{text}");
    assert!(error.transcript().iter().any(|line| line == "! loading"), "{error:?}");
}

#[test]
fn an_unfinished_answer_is_no_answer() {
    // The rest of the line may have been the promotion.
    let mut engine = Faulty::new("crash in the answer").launch();
    let game = UsiPosition::from_usi("startpos").unwrap();
    let error = engine.analyse(&game, &Budget::nodes(1), &mut |_| {}).unwrap_err();
    assert!(has_crashed(error.fault()), "{error}");
    assert!(error.transcript().iter().any(|line| line == "> bestmove 7g7f"), "{error:?}");
}

#[test]
fn noise_does_not_change_the_answer() {
    for fault in ["slow", "garbage", "many lines", "megabytes"] {
        let answer = assert_search_succeeds(&Faulty::new(fault));
        assert_eq!(answer.analysis.score(), Some(Score::cp(35)), "{fault}");
        assert_eq!(answer.analysis.lines[0].pv.to_string(), "7g7f 3c3d", "{fault}");
    }
}

#[test]
fn values_without_sense_are_omitted_or_bounded() {
    let faulty = Faulty::new("nonsense values");
    let mut engine = faulty.launch();
    let mut scores = Vec::new();
    let limits = GoLimits::nodes(1);
    let answer = engine.go(&Position::hirate(), &limits, &Budget::unlimited(), &mut |info| {
        scores.extend(info.score);
    });
    let answer = answer.unwrap();
    assert_eq!(scores, [Score::cp(5), Score::cp(i32::MAX), Score::cp(35)]);
    assert!(!Score::cp(i32::MAX).is_mate(), "no value is a mate by accident");
    assert_eq!(answer.analysis.lines.len(), 1);
}

#[test]
fn variations_end_at_their_first_illegal_move() {
    let mut engine = Faulty::new("illegal variations").launch();
    let analysis = go(&mut engine).unwrap().analysis;
    let lines: Vec<_> = analysis.lines.iter().map(|line| line.pv.to_string()).collect();
    assert_eq!(lines, ["7g7f 3c3d", ""]);
    let mut engine = Faulty::new("long variation").launch();
    let mut longest = 0;
    let limits = GoLimits::nodes(1);
    let answer = engine.go(&Position::hirate(), &limits, &Budget::unlimited(), &mut |info| {
        longest = longest.max(info.pv().len());
    });
    assert!(longest > 100_000, "{longest}");
    assert_eq!(answer.unwrap().best.to_move(), Some("7g7f".parse().unwrap()));
}

#[test]
fn lines_without_end_are_refused() {
    let is_endless = |fault: &ClientFault| matches!(fault, ClientFault::EndlessLine);
    assert_search_fails(&Faulty::new("too long line"), is_endless);
}

#[test]
fn a_flood_ends_with_the_budget() {
    let faulty = Faulty::new("flood");
    let mut engine = faulty.launch();
    let budget = Budget { deadline: Some(Instant::now() + SHORT), ..Budget::unlimited() };
    let error = go_within(&mut engine, &budget).unwrap_err();
    let ClientFault::Silent { waited, .. } = error.fault() else { panic!("{error}") };
    assert_eq!(*waited, SHORT, "the time from `stop` to the answer");
    faulty.assert_no_process_is_left();
}

#[test]
fn answers_that_the_rules_forbid_are_errors() {
    let is_illegal = |fault: &ClientFault| matches!(fault, ClientFault::IllegalMove { .. });
    assert_search_fails(&Faulty::new("illegal move"), is_illegal);
    let is_bad = |fault: &ClientFault| matches!(fault, ClientFault::BadAnswer(_));
    assert_search_fails(&Faulty::new("move without sense"), is_bad);
}

#[test]
fn a_second_answer_does_not_answer_the_next_question() {
    for fault in ["two answers", "belated answer"] {
        let faulty = Faulty::new(fault);
        let mut engine = faulty.launch();
        let answer = go(&mut engine).unwrap();
        assert!(matches!(answer.best, BestMove::Move { .. }));
        let error = match fault {
            // No `isready` stands between the questions.
            "two answers" => go(&mut engine).unwrap_err(),
            _ => engine.new_game().unwrap_err(),
        };
        let ClientFault::Unasked { found } = error.fault() else { panic!("{error}") };
        assert_eq!(found, "bestmove 2g2f");
        drop(engine);
        faulty.assert_no_process_is_left();
    }
}

#[test]
fn engines_that_stay_after_quit_are_killed() {
    for fault in ["hang at quit", "flood at quit"] {
        let faulty =
            Faulty::new(fault).with_patience(|patience| Patience { quit: SHORT, ..patience });
        let mut engine = faulty.launch();
        go(&mut engine).unwrap();
        assert_eq!(engine.quit(), None);
        faulty.assert_no_process_is_left();
    }
}

#[test]
fn reports_on_standard_error_do_not_block() {
    let faulty = Faulty::new("stderr flood");
    assert_search_succeeds(&faulty);
    let mut engine = faulty.launch();
    go(&mut engine).unwrap();
    // The dialogue is still there.
    assert!(engine.transcript().iter().any(|line| line.starts_with("< go")));
}
