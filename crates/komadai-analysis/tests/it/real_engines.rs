//! A check with engines of other authors, as Debian packages them: gpsshogi and fairy-stockfish.
//!
//! `apt-get install gpsshogi fairy-stockfish`, then
//! `PATH=$PATH:/usr/games cargo test -p komadai-analysis --test it real_engines -- --ignored --nocapture`.
//! An engine that is not installed is named and left out. The README of this crate has the results.

use std::num::NonZero;
use std::time::{Duration, Instant};

use komadai_analysis::UsiAnalyst;
use komadai_analysis::game_analysis::{Effort, GameAnalyst};
use komadai_core::{Analyst, Budget, Position, UsiPosition};
use komadai_kifu::{KifuFormat, Tolerance, parse_records};
use komadai_testdata::kifu;
use komadai_usi::{Checkmate, EngineConfig, EngineProcess, GoLimits};

const TWO: NonZero<usize> = NonZero::new(2).expect("2 is not 0");

/// The gold that Black drops gives mate.
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";

fn gpsusi() -> EngineConfig {
    // From its book it answers without a value.
    EngineConfig::new("gpsusi").with_option("BookDepth", "0")
}

fn fairy_stockfish() -> EngineConfig {
    EngineConfig::new("fairy-stockfish").with_option("UCI_Variant", "shogi")
}

/// Returns the configuration if the engine is installed.
fn installed(config: EngineConfig) -> Option<EngineConfig> {
    match EngineProcess::launch(config.clone()) {
        Ok(engine) => {
            eprintln!("{}: {} options", engine.identity().name, engine.options().len());
            let status = engine.quit().expect("it ends by itself");
            assert!(status.success(), "{status}");
            Some(config)
        }
        Err(error) => {
            eprintln!("not checked: {error}");
            None
        }
    }
}

#[test]
#[ignore = "needs the Debian packages gpsshogi and fairy-stockfish"]
fn games_are_analysed() {
    let efforts = [Effort::Time(Duration::from_millis(300)), Effort::Nodes(20_000)];
    for (config, efforts) in [(gpsusi(), &efforts[..1]), (fairy_stockfish(), &efforts[..])] {
        let Some(config) = installed(config) else { continue };
        for &effort in efforts {
            let sample = kifu::kif_samples().find(|sample| sample.name == "gen__02.kifu").unwrap();
            let loaded = parse_records(sample.bytes, KifuFormat::Kif, Tolerance::Strict).unwrap();
            let record = &loaded.records[0];
            let mut analyst = GameAnalyst::usi(&config, TWO).unwrap();
            analyst.effort = effort;
            let start = Instant::now();
            let analysis = analyst.analyse(record, |_| {}).unwrap();
            let (plies, failures) = (analysis.plies.len(), analysis.failures());
            eprintln!("{effort:?}: {plies} positions, {failures} failures, {:?}", start.elapsed());
            for ply in &analysis.plies {
                assert!(ply.failure.is_some() || ply.score.is_some(), "move {}", ply.ply);
                if let Some(failure) = &ply.failure {
                    eprintln!("move {}: {failure}", ply.ply);
                }
            }
            // gpsusi plays some moves without a value, and a busy machine may leave no time for a
            // first report.
            assert!(failures * 20 <= plies, "{failures} of {plies}");
        }
    }
}

#[test]
#[ignore = "needs the Debian package gpsshogi"]
fn an_engine_that_ends_at_an_unknown_limit_is_reported_and_started_again() {
    let Some(config) = installed(gpsusi()) else { return };
    let mut analyst = UsiAnalyst::launch(config).unwrap();
    let start = Position::hirate();
    let error = analyst.analyse(&start, &Budget::nodes(1_000)).unwrap_err();
    eprintln!("{error}");
    assert!(error.to_string().contains("unknown option in go nodes"), "{error}");
    let budget = Budget::time(Duration::from_secs(1));
    assert!(analyst.analyse(&start, &budget).unwrap().best_move().is_some());
}

#[test]
#[ignore = "needs the Debian packages gpsshogi and fairy-stockfish"]
fn searches_are_stopped_and_mates_are_found() {
    for config in [gpsusi(), fairy_stockfish()] {
        let Some(config) = installed(config) else { continue };
        let mut engine = EngineProcess::launch(config).unwrap();
        for _ in 0..20 {
            let budget = Budget::time(Duration::from_millis(20));
            let start = Position::hirate();
            let answer = engine.go(&start, &GoLimits::infinite(), &budget, &mut |_| {}).unwrap();
            assert!(answer.best.to_move().is_some());
        }
        if engine.identity().name.starts_with("gpsshogi") {
            let game = UsiPosition::from_usi(MATE_IN_ONE).unwrap();
            let found = engine.find_mate(game, &Budget::time(Duration::from_secs(5)), &mut |_| {});
            let Checkmate::Mate(line) = found.unwrap() else { panic!("a mate in one") };
            assert_eq!(line.to_string(), "G*5b");
        }
        assert!(engine.quit().is_some_and(|status| status.success()));
    }
}
