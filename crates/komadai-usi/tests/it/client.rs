//! The client with engines that work, crash, are slow, do not read, or send invalid lines.
//!
//! The engines are this test program, started again: if an environment variable names a behaviour,
//! the test [`fake_engine`] runs as that engine and does not return. (The output of the test
//! harness before it is noise that a client has to accept.)

use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_core::{Budget, Position, Score, UsiPosition};
use komadai_testdata::programs::{play_engine, say};
use komadai_usi::{
    Answer, BestMove, Checkmate, ClientError, ClientFault, ClockTimes, EngineConfig, EngineProcess,
    GameResult, GoLimits, MessageError, OptionError, Patience,
};

const BEHAVIOUR: &str = "KOMADAI_FAKE_ENGINE";

#[test]
fn fake_engine() {
    play_engine(BEHAVIOUR, fake);
}

/// Runs as an engine until the end of the input.
fn fake(behaviour: &str) {
    match behaviour {
        "mute" => hang(),
        "endless line" => {
            say(&"x".repeat(2 << 20));
            hang();
        }
        "babbling" => loop {
            say("hello");
        },
        _ => {}
    }
    let mut position = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        match (behaviour, line.split(' ').next().unwrap_or_default()) {
            ("dies at usi", "usi") | ("dies at isready", "isready") | ("dies at go", "go") => {
                // Not `eprintln!`, which the harness captures.
                let _ = stderr().write_all(b"out of tea\n");
                std::process::exit(3);
            }
            ("aborts", "go") => std::process::abort(),
            ("noisy", "usi") => {
                let _ = stdout().lock().write_all(b"\xff\xfe \x83\x8a\n\n\r\nwelcome\r\n");
                introduce();
            }
            ("deaf", "usi") => say("option name Text type string default <empty>\nusiok"),
            ("deaf", "isready") => {
                say("readyok");
                hang();
            }
            (_, "usi") => introduce(),
            (_, "isready") => say("readyok\r"),
            (_, "position") => position = line,
            (_, "setoption") if line == "setoption name Die" => std::process::exit(4),
            (_, "go") => answer(behaviour, &line, &position),
            ("ignores stop", "stop") => {}
            (_, "stop") => say("bestmove 7g7f"),
            ("ignores quit", "quit") => hang(),
            (_, "quit") => return,
            (_, _) => {}
        }
    }
}

fn introduce() {
    say("id name Fake 1.0\nid author the komadai developers");
    say("option name USI_Hash type spin default 16 min 1 max 1024");
    say("option name Skill Level type spin default 20 min 0 max 20");
    say("option name Strange type slider default 3");
    say("option name Die type button\nusiok");
}

fn answer(behaviour: &str, go: &str, position: &str) {
    if let Some(word) = behaviour.strip_prefix("says ") {
        return say(&format!("bestmove {word}"));
    }
    match behaviour {
        "illegal" => say("bestmove 7g7e"),
        "garbage" => say("bestmove e2e4"),
        "off topic" if go.contains("mate") => say("bestmove 7g7f"),
        "off topic" => say("checkmate nomate"),
        "hasty" => say("bestmove 7g7f\nbestmove 2g2f"),
        "ignores stop" => {}
        "false mate" => say("checkmate 7g7f 3c3d 3c3d"),
        _ if go.contains("mate") => say("checkmate nomate"),
        _ if go.contains("infinite") || go == "go" => say("info depth 1 score cp 9 pv 7g7f"),
        _ if position.ends_with("resign here") => say("bestmove resign"),
        _ => {
            say("info string thinking about it");
            say("info depth 2 seldepth 3 score cp 35 nodes 120 time 1 pv 7g7f 3c3d 7g7f");
            say("bestmove 7g7f ponder 8h2b+");
        }
    }
}

/// Does nothing until the process is killed, or its parent has ended.
fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

fn config(behaviour: &str) -> EngineConfig {
    EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["client::fake_engine", "--exact", "--test-threads=2"])
        .with_variable(BEHAVIOUR, behaviour)
}

/// The configuration with other timeouts.
fn config_with(behaviour: &str, patience: Patience) -> EngineConfig {
    EngineConfig { patience, ..config(behaviour) }
}

fn launch(behaviour: &str) -> EngineProcess {
    EngineProcess::launch(config(behaviour)).unwrap_or_else(|error| panic!("{error}"))
}

/// Short timeouts, for engines that are silent on purpose.
fn impatient() -> Patience {
    let short = Duration::from_millis(200);
    Patience { launch: short, ready: short, stop: short, quit: short, ..Patience::default() }
}

fn startpos() -> UsiPosition {
    UsiPosition::from_usi("startpos").expect("a position")
}

fn go(engine: &mut EngineProcess) -> Result<Answer, ClientError> {
    engine.go(startpos(), &GoLimits::nodes(100), &Budget::unlimited(), &mut |_| {})
}

#[test]
fn a_game_with_a_good_engine() {
    let mut engine = launch("good");
    assert_eq!(engine.identity().name, "Fake 1.0");
    let names: Vec<_> = engine.options().iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["USI_Hash", "Skill Level", "Die"]);

    engine.new_game().unwrap();
    let mut heard = 0;
    let answer = engine
        .go(startpos(), &GoLimits::nodes(5), &Budget::unlimited(), &mut |_| heard += 1)
        .unwrap();
    let best = "7g7f".parse().unwrap();
    assert_eq!(answer.best, BestMove::Move { best, ponder: None }, "its ponder move is illegal");
    assert_eq!(answer.analysis.score(), Some(Score::cp(35)));
    assert_eq!(answer.analysis.lines[0].pv.to_string(), "7g7f 3c3d", "cut where it is illegal");
    assert!(answer.analysis.completed);
    assert_eq!(heard, 2);

    let clock = ClockTimes::byoyomi(Duration::from_millis(100));
    let limits = GoLimits::clock(clock);
    engine.go(startpos(), &limits, &Budget::unlimited(), &mut |_| {}).unwrap();
    let mate = engine.find_mate(startpos(), &Budget::nodes(5), &mut |_| {}).unwrap();
    assert_eq!(mate, Checkmate::NoMate);
    engine.game_over(GameResult::Win).unwrap();

    let sent: Vec<_> =
        engine.transcript().into_iter().filter(|line| line.starts_with('<')).collect();
    let go = |limits| ["< position startpos".to_owned(), format!("< go {limits}")];
    let expected = [
        ["< usi", "< isready", "< isready", "< usinewgame"].map(str::to_owned),
        [go("nodes 5"), go("btime 0 wtime 0 byoyomi 100")].concat().try_into().unwrap(),
    ]
    .concat();
    assert_eq!(sent[..8], expected);
    assert_eq!(sent[8..], [&go("nodes 5 mate infinite")[..], &["< gameover win".into()]].concat());
    assert!(engine.quit().is_some_and(|status| status.success()));
}

#[test]
fn noise_is_borne() {
    let mut engine = launch("noisy");
    assert_eq!(engine.options().len(), 3);
    go(&mut engine).unwrap();
}

#[test]
fn an_analysis_follows_its_budget() {
    let mut engine = launch("good");
    let analysis = engine
        .analyse(&Position::hirate(), &Budget { depth: Some(3), ..Budget::nodes(7) }, &mut |_| {})
        .unwrap();
    assert_eq!((analysis.depth, analysis.seldepth, analysis.nodes), (2, 3, 120));
    assert!(engine.transcript().contains(&"< go depth 3 nodes 7".to_owned()));

    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
    let analysis =
        engine.analyse(startpos(), &budget, &mut |_| stop.store(true, Ordering::Relaxed)).unwrap();
    assert!(!analysis.completed);
    assert_eq!(analysis.score(), Some(Score::cp(9)));
}

#[test]
fn a_deadline_stops_an_engine_that_takes_its_time() {
    let mut engine = launch("good");
    let limits = GoLimits::infinite();
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    let answer = engine.go(startpos(), &limits, &budget, &mut |_| {}).unwrap();
    assert!(!answer.analysis.completed);
    // The engine continues to work.
    assert!(go(&mut engine).unwrap().analysis.completed);
}

#[test]
fn an_engine_that_ignores_stop_is_killed() {
    let mut engine =
        EngineProcess::launch(config_with("ignores stop", impatient_but_launching())).unwrap();
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    let error = engine.go(startpos(), &GoLimits::nodes(5), &budget, &mut |_| {}).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Silent { .. }), "{error}");
    assert_is_gone(&mut engine);
}

#[test]
fn a_silent_search_is_given_up() {
    let mut patience = impatient_but_launching();
    patience.silence = Duration::from_millis(50);
    let mut engine = EngineProcess::launch(config_with("ignores stop", patience)).unwrap();
    let error = go(&mut engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Silent { .. }), "{error}");
    assert_is_gone(&mut engine);
}

/// Short timeouts after the start, which may take long on a busy machine.
fn impatient_but_launching() -> Patience {
    let Patience { launch, ready, .. } = Patience::default();
    Patience { launch, ready, ..impatient() }
}

fn assert_is_gone(engine: &mut EngineProcess) {
    let error = go(engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Died { .. }), "{error}");
}

#[test]
fn engines_that_die_are_noticed_at_every_stage() {
    for behaviour in ["dies at usi", "dies at isready"] {
        let error = EngineProcess::launch(config(behaviour)).unwrap_err();
        assert_died(&error, 3);
    }
    let mut engine = launch("dies at go");
    assert_died(&go(&mut engine).unwrap_err(), 3);
    assert_is_gone(&mut engine);
    let mut engine = launch("aborts");
    assert!(matches!(go(&mut engine).unwrap_err().fault(), ClientFault::Died { .. }));
}

fn assert_died(error: &ClientError, code: i32) {
    let ClientFault::Died { status: Some(status), .. } = error.fault() else { panic!("{error}") };
    assert_eq!(status.code(), Some(code), "{error}");
    let text = error.to_string();
    assert!(text.contains("gone while") && text.contains("exit"), "{text}");
    assert!(error.transcript().iter().any(|line| line == "! out of tea"), "{error:?}");
}

#[test]
fn a_dead_engine_can_be_restarted_with_its_options() {
    let mut engine = launch("good");
    engine.set_option("usi_hash", Some("64")).unwrap();
    let first = engine.id();
    engine.set_option("Die", None).unwrap();
    let error = go(&mut engine).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Died { .. }), "{error}");
    assert_eq!(error.engine(), "Fake 1.0");

    engine.restart().unwrap();
    assert_ne!(engine.id(), first);
    go(&mut engine).unwrap();
    assert!(engine.transcript().contains(&"< setoption name USI_Hash value 64".to_owned()));
}

#[test]
fn options_are_checked_before_they_are_sent() {
    let mut engine = launch("good");
    for (name, value) in [
        ("Contempt", Some("3")),
        ("USI_Hash", Some("4096")),
        ("USI_Hash", Some("much")),
        ("Skill Level", None),
    ] {
        let error = engine.set_option(name, value).unwrap_err();
        assert!(matches!(error.fault(), ClientFault::Option(_)), "{error}");
    }
    engine.set_option("Skill Level", Some("7")).unwrap();
    engine.set_option("USI_Ponder", Some("false")).unwrap();
    let sent = engine.transcript();
    assert_eq!(sent.iter().filter(|line| line.starts_with("< setoption")).count(), 2);
    let config = config("good").with_option("No Such Option", "1");
    let error = EngineProcess::launch(config).unwrap_err();
    let ClientFault::Option(OptionError::UnknownName { name }) = error.fault() else {
        panic!("{error}")
    };
    assert_eq!(name, "No Such Option");
}

#[test]
fn programs_that_are_no_engines_are_given_up() {
    let error = EngineProcess::launch(EngineConfig::new("/no/such/engine")).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Launch { .. }), "{error}");
    let error = EngineProcess::launch(config_with("mute", impatient())).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Silent { .. }), "{error}");
    let error = EngineProcess::launch(config("babbling")).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Babble { .. }), "{error}");
    assert_eq!(error.transcript().len(), 100);
    let error = EngineProcess::launch(config("endless line")).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::EndlessLine), "{error}");
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let mut engine = launch("deaf");
    let long = "x".repeat(100_000);
    let error = (0..1_000)
        .find_map(|_| engine.set_option("Text", Some(&long)).err())
        .expect("pipe and queue are finite");
    assert!(matches!(error.fault(), ClientFault::Deaf), "{error}");
}

#[test]
fn answers_that_make_no_sense_are_errors() {
    let fault = |behaviour| {
        let mut engine = launch(behaviour);
        go(&mut engine).unwrap_err()
    };
    let error = fault("illegal");
    let ClientFault::IllegalMove { m, position, .. } = error.fault() else { panic!("{error}") };
    assert_eq!((m.to_string().as_str(), position.as_str()), ("7g7e", "startpos"));
    let error = fault("garbage");
    let ClientFault::BadAnswer(MessageError::BadBestMove { found }) = error.fault() else {
        panic!("{error}")
    };
    assert_eq!(found, "e2e4");
    let error = fault("off topic");
    assert!(matches!(error.fault(), ClientFault::WrongAnswer { .. }), "{error}");

    let mate = |behaviour| {
        launch(behaviour).find_mate(startpos(), &Budget::unlimited(), &mut |_| {}).unwrap_err()
    };
    let error = mate("off topic");
    assert!(matches!(error.fault(), ClientFault::WrongAnswer { .. }), "{error}");
    let error = mate("false mate");
    let ClientFault::IllegalMove { position, .. } = error.fault() else { panic!("{error}") };
    assert_eq!(position, "startpos moves 7g7f 3c3d");
}

#[test]
fn words_for_no_move_are_right_only_without_a_legal_move() {
    let mated = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    let mated = UsiPosition::from_usi(mated).expect("a position");
    for word in ["(none)", "none", "null", "0000", "pass", "NULL"] {
        let mut engine = launch(&format!("says {word}"));
        let answer =
            engine.go(mated.clone(), &GoLimits::nodes(9), &Budget::unlimited(), &mut |_| {});
        assert_eq!(answer.unwrap().best, BestMove::Resign, "{word}");
        let error = go(&mut engine).unwrap_err();
        let is_bad = matches!(error.fault(), ClientFault::BadAnswer(_));
        assert!(is_bad && error.to_string().contains(word), "{error}");
    }
    let mut engine = launch("says rep_draw");
    let answer = engine.go(mated, &GoLimits::nodes(9), &Budget::unlimited(), &mut |_| {});
    assert!(matches!(answer.unwrap_err().fault(), ClientFault::BadAnswer(_)));
}

#[test]
fn preferences_are_set_where_the_engine_has_them() {
    let preferences = [
        ("usi_hash", "64"),
        ("USI_Hash", "9999"),
        ("EnteringKingRule", "TryRule"),
        ("Skill Level", "3"),
    ];
    let mut config = config("good").with_option("Skill Level", "5");
    config.preferences = preferences.map(|(name, value)| (name.into(), value.into())).to_vec();
    let engine = EngineProcess::launch(config).unwrap();
    let transcript = engine.transcript();
    let set: Vec<_> =
        transcript.iter().filter_map(|line| line.strip_prefix("< setoption ")).collect();
    let expected =
        ["name USI_Hash value 64", "name Skill Level value 3", "name Skill Level value 5"];
    assert_eq!(set, expected);
    assert!(engine.has_value("skill level", "20") && !engine.has_value("Skill Level", "21"));
    assert!(!engine.has_value("EnteringKingRule", "TryRule"));
}

#[test]
fn an_engine_can_be_asked_for_its_name_alone() {
    let (identity, options) = EngineProcess::identify(config("dies at isready")).unwrap();
    assert_eq!((identity.name.as_str(), options.len()), ("Fake 1.0", 3));
    assert!(EngineProcess::identify(config("dies at usi")).is_err());
    assert!(EngineProcess::identify(EngineConfig::new("/no/such/engine")).is_err());
}

#[test]
fn silence_is_named_by_what_it_lacks() {
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    let mut engine = EngineProcess::launch(config_with("ignores stop", impatient())).unwrap();
    let error = engine.go(startpos(), &GoLimits::infinite(), &budget, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("no answer to `go` within 200 ms, killed"), "{error}");
    let error = go(&mut launch("dies at go")).unwrap_err();
    assert!(error.to_string().contains("gone while its answer to `go` was awaited"), "{error}");
}

#[test]
fn a_second_answer_is_not_taken_for_the_next_one() {
    let mut engine = launch("hasty");
    go(&mut engine).unwrap();
    // The second answer arrives before `readyok`.
    let error = engine.new_game().unwrap_err();
    let ClientFault::Unasked { found } = error.fault() else { panic!("{error}") };
    assert_eq!(found, "bestmove 2g2f");
}

#[test]
fn positions_are_checked_before_they_are_sent() {
    let mut engine = launch("good");
    let game = UsiPosition::from_usi("startpos moves 7g7f 7g7f").unwrap();
    let error = engine.analyse(&game, &Budget::nodes(5), &mut |_| {}).unwrap_err();
    assert!(matches!(error.fault(), ClientFault::Position(_)), "{error}");
    assert!(!engine.transcript().iter().any(|line| line.starts_with("< position")));
    go(&mut engine).unwrap();
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    let config = config_with("ignores quit", impatient_but_launching());
    assert_eq!(EngineProcess::launch(config).unwrap().quit(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_is_killed_on_drop() {
    let engine = launch("ignores quit");
    let process = std::path::PathBuf::from(format!("/proc/{}", engine.id()));
    assert!(process.exists());
    drop(engine);
    assert!(!process.exists());
}
