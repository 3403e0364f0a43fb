//! Engines that close one of their streams, and engines behind scripts.

use komadai_core::{Budget, Position};
use komadai_usi::{ClientFault, EngineConfig, EngineProcess, GoLimits, Patience};

use super::processes::has_ended;
use super::{Faulty, SHORT, go};

/// Starts a shell script as an engine.
fn launch_script(script: &str) -> EngineProcess {
    let config = EngineConfig::new("/bin/sh").with_arguments(["-c", script]);
    EngineProcess::launch(config).unwrap_or_else(|error| panic!("{error}"))
}

/// The beginning of a script, until `readyok`.
const READY: &str = "read line; echo usiok; read line; echo readyok; ";

#[test]
fn an_engine_that_closes_its_input_is_noticed() {
    // The default timeout of a search is ten minutes.
    let mut engine = launch_script(&format!("{READY} exec <&-; exec sleep 1000"));
    let number = engine.id();
    let error = go(&mut engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Deaf), "{error}");
    assert!(has_ended(number));
}

#[test]
fn the_last_answer_before_that_counts() {
    let answer = "read position; read go; exec <&-; \
        echo info depth 1 score cp 5 pv 7g7f; sleep 0.1; echo bestmove 7g7f; exec sleep 1000";
    let mut engine = launch_script(&format!("{READY} {answer}"));
    assert_eq!(go(&mut engine).unwrap().best.to_move(), Some("7g7f".parse().unwrap()));
    let error = go(&mut engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Deaf), "{error}");
}

#[test]
fn an_engine_that_closes_its_output_is_noticed() {
    let mut engine = launch_script(&format!("{READY} exec >&-; exec sleep 1000"));
    let number = engine.id();
    let error = go(&mut engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Died { status: None, .. }), "{error}");
    assert!(has_ended(number));
}

#[test]
fn an_engine_behind_a_script_is_not_left_behind() {
    // The shell stays, because a command follows.
    let own = "\"$0\" faults::faulty_engine --exact --test-threads=2; true";
    for fault in ["hang at the end", "silent at go"] {
        let direct = Faulty::new(fault);
        let program = direct.config.program.as_os_str();
        let mut config = EngineConfig::new("/bin/sh");
        config.patience =
            Patience { silence: SHORT, stop: SHORT, quit: SHORT, ..Patience::default() };
        config.arguments = vec!["-c".into(), own.into(), program.into()];
        config.environment.clone_from(&direct.config.environment);
        let mut engine = EngineProcess::launch(config).unwrap();
        let numbers = direct.processes.numbers();
        assert!(numbers.len() == 1 && numbers[0] != engine.id(), "{numbers:?}");
        let limits = GoLimits::nodes(1);
        let answer = engine.go(&Position::hirate(), &limits, &Budget::unlimited(), &mut |_| {});
        assert_eq!(answer.is_ok(), fault == "hang at the end");
        drop(engine);
        direct.assert_no_process_is_left();
    }
}
