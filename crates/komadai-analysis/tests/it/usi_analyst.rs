//! Analyses by engines that work, crash, hang, are slow or send invalid lines.
//!
//! The engines are this test program, started again: if an environment variable names a behaviour,
//! the test [`fake_engine`] runs as that engine and does not return. An engine that fails only once
//! records that in a file.

use std::io::{BufRead, stdin};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_analysis::UsiAnalyst;
use komadai_book::{BatchEnd, LoggedAnalysis, analyse_all};
use komadai_bookgraph::BookGraph;
use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Bound, Budget, Position, Score};
use komadai_testdata::programs::{play_engine, say};
use komadai_usi::EngineConfig;

const BEHAVIOUR: &str = "KOMADAI_FAKE_ANALYST";
const MEMORY: &str = "KOMADAI_FAKE_ANALYST_MEMORY";

#[test]
fn fake_engine() {
    play_engine(BEHAVIOUR, |behaviour| {
        let memory = std::env::var_os(MEMORY).map(PathBuf::from);
        fake(behaviour, memory.as_deref());
    });
}

fn fake(behaviour: &str, memory: Option<&Path>) {
    let is_chatting = Arc::new(AtomicBool::new(false));
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split(' ').next().unwrap_or_default() {
            "usi" => {
                say("id name Fake 1.0\nid author the komadai developers");
                say("option name MultiPV type spin default 1 min 1 max 8");
                say("option name USI_Hash type spin default 16 min 1 max 1024");
                if behaviour.starts_with("network") {
                    let eval_file = behaviour.strip_prefix("network ").unwrap_or("nn.bin");
                    say("option name EvalDir type string default eval");
                    say(&format!("option name EvalFile type filename default {eval_file}"));
                }
                if behaviour == "another build" {
                    say("option name Contempt type spin default 7 min 0 max 10");
                    say("option name ClearHash type button");
                }
                say("option name NetworkDelay type spin default 120 min 0 max 10000\nusiok");
            }
            "isready" => say("readyok"),
            "go" => {
                // Behaviours that succeed at the second attempt have recorded the first one.
                let first_time = memory.is_none_or(|file| {
                    !std::fs::exists(file).unwrap() && std::fs::write(file, "once").is_ok()
                });
                answer(if first_time { behaviour } else { "well" }, &line, &is_chatting);
            }
            // The others have already answered.
            "stop" if matches!(behaviour, "hangs" | "chatters") => {
                is_chatting.store(false, Ordering::Relaxed);
                say("bestmove 7g7f");
            }
            "quit" => return,
            _ => {}
        }
    }
}

fn answer(behaviour: &str, go: &str, is_chatting: &Arc<AtomicBool>) {
    match behaviour {
        "crashes" => {
            say("info depth 9 score cp 500 pv 7g7f");
            std::process::exit(3);
        }
        "hangs" | "deaf to stop" => say("info depth 9 score cp 500 nodes 70 pv 7g7f"),
        "garbage" => say("info depth 1 score cp 1 pv 7g7f\nbestmove e2e4"),
        "illegal move" => say("info depth 1 score cp 1 pv 7g7f\nbestmove 7g7e"),
        "illegal variation" => say("info depth 1 score cp 1 pv 7g7e 3c3d\nbestmove 7g7f"),
        "no value" => say("info depth 1 nodes 7 pv 7g7f\nbestmove 7g7f"),
        "silent" => say("bestmove 7g7f"),
        "resigns" => say("info depth 5 score cp -1148897 nodes 176 pv resign\nbestmove resign"),
        "resigns silently" => say("info depth 5\nbestmove resign"),
        "chatters" => {
            is_chatting.store(true, Ordering::Relaxed);
            let is_chatting = Arc::clone(is_chatting);
            std::thread::spawn(move || {
                while is_chatting.load(Ordering::Relaxed) {
                    say("info depth 1 score cp 1 pv 7g7f");
                    std::thread::park_timeout(Duration::from_millis(5));
                }
            });
        }
        "slow" => {
            std::thread::park_timeout(Duration::from_millis(300));
            well(go);
        }
        _ => well(go),
    }
}

fn well(go: &str) {
    say(&format!("info string {go}"));
    say("info depth 3 multipv 1 score cp 30 nodes 300 time 2 pv 7g7f 3c3d");
    say("info depth 3 multipv 2 score cp 10 lowerbound nodes 300 time 2 pv 2g2f 2g2f");
    say("info depth 4 seldepth 6 multipv 1 score cp 45 nodes 900 time 5 pv 7g7f 8c8d");
    say("info depth 5 score cp -80 upperbound nodes 1200 time 7");
    say("bestmove 7g7f");
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn config(behaviour: &str) -> EngineConfig {
    let mut config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["usi_analyst::fake_engine", "--exact", "--test-threads=2"])
        .with_variable(BEHAVIOUR, behaviour);
    if matches!(behaviour, "hangs" | "deaf to stop") {
        config.patience.silence = ms(400);
        config.patience.stop = ms(400);
    }
    config
}

/// Returns an engine with the same behaviour at every attempt.
fn always(behaviour: &str) -> UsiAnalyst {
    UsiAnalyst::launch(config(behaviour)).expect("the fake starts")
}

/// Returns the analysis of the start position.
fn ask(analyst: &mut UsiAnalyst) -> Result<Analysis, AnalystError> {
    analyst.analyse(&Position::hirate(), &Budget::nodes(900))
}

#[test]
fn the_last_whole_line_of_each_rank_counts() {
    let mut analyst = always("well");
    let analysis = ask(&mut analyst).unwrap();
    assert!(analysis.completed);
    assert_eq!((analysis.depth, analysis.seldepth, analysis.nodes), (4, 6, 1_200));
    assert_eq!(analysis.time, ms(7));
    let lines: Vec<_> =
        analysis.lines.iter().map(|line| (line.score, line.bound, line.pv.to_string())).collect();
    assert_eq!(
        lines,
        [
            (Score::cp(45), Bound::Exact, "7g7f 8c8d".to_owned()),
            (Score::cp(10), Bound::Lower, "2g2f".to_owned()),
        ]
    );
    // The analysis can be merged into a book.
    let logged = LoggedAnalysis::new(Position::hirate(), analysis, analyst.identity());
    let record = logged.to_record();
    assert_eq!(record.moves.len(), 2);
    assert_eq!(BookGraph::from_records([record]).unwrap().len(), 1);
}

#[test]
fn the_budget_is_passed_on() {
    let mut analyst = always("well");
    let start = Position::hirate();
    let mut heard = |budget: Budget| analyst.analyse(&start, &budget).map(|_| ()).unwrap();
    heard(Budget { depth: Some(3), ..Budget::nodes(5) });
    heard(Budget::unlimited());
    heard(Budget { deadline: Some(Instant::now()), ..Budget::nodes(5) });
    // Not every engine knows `movetime`.
    heard(Budget { deadline: Some(Instant::now()), ..Budget::unlimited() });
    let said = analyst.transcript();
    let searches: Vec<_> = said.iter().filter(|line| line.starts_with("< go")).collect();
    let expected =
        ["< go depth 3 nodes 5", "< go infinite", "< go movetime 1 nodes 5", "< go infinite"];
    assert_eq!(searches, expected);
}

#[test]
fn the_identity_has_the_options_that_matter() {
    let set = config("well")
        .with_option("USI_Hash", "64")
        .with_option("NetworkDelay", "0")
        .with_option("MultiPV", "2");
    let mut analyst = UsiAnalyst::launch(set).unwrap();
    assert_eq!(analyst.identity().to_string(), "Fake 1.0 (MultiPV=2 USI_Hash=64)");
    analyst.set_multi_pv(NonZero::new(5).unwrap()).unwrap();
    assert_eq!(analyst.identity().options, "MultiPV=5 USI_Hash=64");
    let error = analyst.set_multi_pv(NonZero::new(9).unwrap()).unwrap_err();
    assert!(matches!(error, AnalystError::BadAnswer { .. }), "{error}");
    assert_eq!(analyst.identity().options, "MultiPV=5 USI_Hash=64");
    // The number of lines of a job, and the own one again.
    for (lines, options) in [
        (3, "MultiPV=3 USI_Hash=64"),
        (3, "MultiPV=3 USI_Hash=64"),
        (0, "MultiPV=5 USI_Hash=64"),
        (1, "MultiPV=1 USI_Hash=64"),
        (0, "MultiPV=5 USI_Hash=64"),
    ] {
        analyst.set_lines(NonZero::new(lines)).unwrap();
        assert_eq!(analyst.identity().options, options);
    }
    assert!(analyst.set_lines(NonZero::new(9)).is_err());
    assert_eq!(analyst.identity().options, "MultiPV=5 USI_Hash=64");
    let sent = |analyst: &UsiAnalyst| {
        let said = analyst.transcript();
        said.iter().filter(|line| line.starts_with("< setoption name MultiPV")).count()
    };
    // The first value is sent at the start, and equal values once.
    assert_eq!(sent(&analyst), 6);
    let mut plain = UsiAnalyst::launch(config("well")).unwrap();
    for (lines, options) in [(1, ""), (4, "MultiPV=4"), (0, ""), (2, "MultiPV=2"), (1, "")] {
        plain.set_lines(NonZero::new(lines)).unwrap();
        assert_eq!(plain.identity().options, options);
    }
    assert_eq!(sent(&plain), 4);
    analyst.identity = AnalystId::new("Fake", "1");
    assert_eq!(analyst.identity().to_string(), "Fake 1");
}

/// Returns the version of an engine that runs in this folder.
fn version(config: EngineConfig, folder: &Path) -> String {
    let config = EngineConfig { directory: Some(folder.to_owned()), ..config };
    UsiAnalyst::launch(config).unwrap().identity().version
}

#[test]
fn two_networks_at_one_path_are_two_sources() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, content: &str| std::fs::write(folder.join(name), content).unwrap();
    std::fs::create_dir(folder.join("eval")).unwrap();
    let of = |behaviour: &str| {
        let version = version(config(behaviour), folder);
        let (options, network) = version.split_once(' ').unwrap_or((&version, ""));
        assert!(options.starts_with("options:"), "{options}");
        network.to_owned()
    };
    // Without a file the name alone counts. (The hashes are those of `sha256sum`.)
    assert_eq!(of("network"), "");
    write("eval/nn.bin", "abc");
    assert_eq!(of("network"), "nn.bin:ba7816bf8f01cfea");
    write("eval/nn.bin", "");
    assert_eq!(of("network"), "nn.bin:e3b0c44298fc1c14");
    // A name that is no file in the folder of evaluations is one in the folder of the engine; with
    // neither, and with a network inside the program, `nn.bin` is what could have been read.
    assert_eq!(of("network other.bin"), "nn.bin:e3b0c44298fc1c14");
    assert_eq!(of("network <internal>"), "nn.bin:e3b0c44298fc1c14");
    write("other.bin", "abc");
    assert_eq!(of("network other.bin"), "other.bin:ba7816bf8f01cfea");
    let absolute = folder.join("other.bin").display().to_string();
    let set = config("network").with_option("evalfile", absolute);
    assert!(version(set, folder).ends_with(" other.bin:ba7816bf8f01cfea"));
    let set = config("network").with_option("EvalDir", "elsewhere");
    assert!(!version(set, folder).contains("nn.bin"));
    // A folder is not read.
    std::fs::remove_file(folder.join("other.bin")).unwrap();
    std::fs::create_dir_all(folder.join("eval/other.bin")).unwrap();
    assert_eq!(of("network other.bin"), "nn.bin:e3b0c44298fc1c14");
}

#[test]
fn two_builds_under_one_name_are_two_sources() {
    let folder = tempfile::tempdir().unwrap();
    let of = |config| version(config, folder.path());
    let plain = of(config("well"));
    assert_eq!(plain, of(config("slow")));
    let other = of(config("another build"));
    assert_ne!(plain, other);
    // Options that are set stand in the identity themselves, and others make no difference.
    assert_eq!(plain, of(config("another build").with_option("Contempt", "0")));
    assert_eq!(plain, of(config("well").with_option("MultiPV", "3")));
    assert_eq!(plain, of(config("well").with_option("NetworkDelay", "0")));
    assert_eq!(of(config("well").with_option("USI_Hash", "16")), "");
    // The version stays when the number of lines changes.
    let mut analyst = always("another build");
    analyst.set_multi_pv(NonZero::new(3).unwrap()).unwrap();
    assert_eq!(analyst.identity().to_string(), format!("Fake 1.0 {other} (MultiPV=3)"));
    assert!(analyst.identity().is_named("Fake 1.0 (MultiPV=3)"));
}

#[test]
fn whoever_fails_once_is_started_again_and_asked_once_more() {
    let folder = tempfile::tempdir().unwrap();
    for behaviour in
        ["crashes", "hangs", "garbage", "illegal move", "illegal variation", "no value"]
    {
        let memory = folder.path().join(behaviour);
        let mut analyst =
            UsiAnalyst::launch(config(behaviour).with_variable(MEMORY, &memory)).unwrap();
        let first = analyst.process_id();
        let analysis = ask(&mut analyst).unwrap();
        assert!(memory.exists(), "{behaviour}: it has failed");
        assert_eq!(analysis.score(), Some(Score::cp(45)), "{behaviour}");
        assert_ne!(analyst.process_id(), first, "{behaviour}");
        let second = analyst.process_id();
        assert!(ask(&mut analyst).is_ok(), "{behaviour}");
        assert_eq!(analyst.process_id(), second, "{behaviour}: no need to start again");
    }
}

#[test]
fn whoever_fails_again_is_reported() {
    let fails = |behaviour: &str| ask(&mut always(behaviour)).unwrap_err();
    let error = fails("crashes");
    assert!(matches!(error, AnalystError::Gone { .. }), "{error}");
    for behaviour in ["hangs", "deaf to stop"] {
        let error = fails(behaviour);
        assert!(matches!(error, AnalystError::Silent { waited_ms: 400, .. }), "{error}");
    }
    let expected = "a variation that begins with a legal move";
    for (behaviour, answer, due) in [
        ("garbage", "e2e4", "an answer that makes sense"),
        ("illegal move", "7g7e", "an answer that makes sense"),
        ("illegal variation", "7g7e", expected),
        ("no value", "7g7f", "a value and a variation before the answer"),
        ("silent", "7g7f", "a value and a variation before the answer"),
    ] {
        match fails(behaviour) {
            AnalystError::BadAnswer { answer: found, expected, .. } => {
                assert!(found.contains(answer), "{found}");
                assert_eq!(expected, due, "{behaviour}");
            }
            other => panic!("{behaviour}: {other}"),
        }
    }
    // The engine is started for the next position, whose time is not spent on that.
    let mut analyst = always("crashes");
    let first = analyst.process_id();
    assert!(ask(&mut analyst).is_err());
    let next = analyst.process_id();
    assert!(next.is_some() && next != first);
    assert!(ask(&mut analyst).is_err());
}

#[test]
fn a_resignation_is_no_fault() {
    let mut analyst = always("resigns");
    let analysis = ask(&mut analyst).unwrap();
    assert_eq!((analysis.score(), analysis.best_move()), (Some(Score::cp(-1_148_897)), None));
    let mut analyst = always("resigns silently");
    let process = analyst.process_id();
    let error = ask(&mut analyst).unwrap_err();
    assert!(matches!(error, AnalystError::NoLine { .. }), "{error}");
    assert_eq!(analyst.process_id(), process, "the same process");
}

#[test]
fn slowness_is_no_fault_but_endlessness_is() {
    assert_eq!(ask(&mut always("slow")).unwrap().score(), Some(Score::cp(45)));
    let mut chatterer = always("chatters");
    chatterer.job_limit = ms(200);
    let error = ask(&mut chatterer).unwrap_err();
    assert!(matches!(error, AnalystError::Silent { waited_ms: 200, .. }), "{error}");
}

#[test]
fn a_deadline_or_a_flag_is_no_fault() {
    let start = Position::hirate();
    let mut analyst = always("hangs");
    let process = analyst.process_id();
    let deadline = Budget { deadline: Some(Instant::now() + ms(100)), ..Budget::unlimited() };
    let analysis = analyst.analyse(&start, &deadline).unwrap();
    assert_eq!((analysis.completed, analysis.score()), (false, Some(Score::cp(500))));
    let stop = Arc::new(AtomicBool::new(true));
    let analysis =
        analyst.analyse(&start, &Budget { stop: Some(stop), ..Budget::unlimited() }).unwrap();
    assert!(!analysis.completed);
    assert_eq!(analyst.process_id(), process);
    // The end of an engine during a stop is not an error.
    let stop = Arc::new(AtomicBool::new(true));
    let analysis = always("deaf to stop")
        .analyse(&start, &Budget { stop: Some(stop), ..Budget::unlimited() })
        .unwrap();
    assert_eq!(analysis, Analysis::default());
}

#[test]
fn a_position_without_moves_needs_no_engine() {
    let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    let analysis = always("crashes").analyse(&mated, &Budget::nodes(1)).unwrap();
    assert!(analysis.lines.is_empty() && analysis.completed);
}

#[test]
fn engines_that_do_not_start_are_reported() {
    let error = UsiAnalyst::launch(EngineConfig::new("/no/such/engine")).unwrap_err();
    assert!(matches!(error, AnalystError::Gone { .. }), "{error}");
    let error = UsiAnalyst::launch(config("well").with_option("Contempt", "3")).unwrap_err();
    assert!(matches!(error, AnalystError::BadAnswer { .. }), "{error}");
}

#[test]
fn a_pool_shares_the_positions() {
    let pool = UsiAnalyst::launch_pool(&config("well"), NonZero::new(2).unwrap()).unwrap();
    let mut pool: Vec<Box<dyn Analyst>> = pool.into_iter().map(|one| Box::new(one) as _).collect();
    // One engine of the pool fails at every position.
    let mut silent = always("silent");
    silent.identity = AnalystId::new("silent", "");
    pool.push(Box::new(silent));
    let identities: Vec<_> = pool.iter().map(|one| one.identity().to_string()).collect();
    assert!(identities[0].starts_with("Fake 1.0 options:"), "{identities:?}");
    assert_eq!(identities[1..], [identities[0].clone(), "silent".to_owned()]);
    let positions: Vec<Position> = (1..=12)
        .map(|ply| {
            let mut setup = komadai_core::Setup::hirate();
            setup.ply = ply;
            Position::from_setup(&setup).unwrap()
        })
        .collect();
    let mut heard = Vec::new();
    let end = analyse_all(&mut pool, &positions, &Budget::nodes(10), |index, result| {
        heard.push(index);
        if let Err(AnalystError::BadAnswer { engine, .. }) = &result {
            assert_eq!(engine, "silent");
        } else {
            assert_eq!(result.map(|analysis| analysis.nodes), Ok(1_200));
        }
    });
    assert_eq!((end, heard), (BatchEnd::Done, (0..12).collect()));
}
