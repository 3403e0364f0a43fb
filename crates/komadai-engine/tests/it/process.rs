//! The engine as a process, driven by the client of `komadai-usi`.
//!
//! The engine is this test program, started again: if an environment variable is set, the test
//! [`engine`] runs as a USI engine on stdin and stdout and does not return.

use std::time::{Duration, Instant};

use komadai_core::{Budget, UsiPosition};
use komadai_engine::UsiEngine;
use komadai_usi::{
    BestMove, Checkmate, ClockTimes, EngineConfig, EngineProcess, GameResult, GoLimits, serve_stdio,
};

const AS_ENGINE: &str = "KOMADAI_TEST_AS_ENGINE";

#[test]
fn engine() {
    if std::env::var_os(AS_ENGINE).is_some() {
        serve_stdio(UsiEngine::new()).expect("the client listens");
        std::process::exit(0);
    }
}

fn launch() -> EngineProcess {
    let config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["process::engine", "--exact", "--test-threads=2"])
        .with_variable(AS_ENGINE, "1")
        .with_option("USI_Hash", "1")
        .with_option("MateHash", "1");
    EngineProcess::launch(config)
        .unwrap_or_else(|error| panic!("{error}\n{:?}", error.transcript()))
}

fn startpos() -> UsiPosition {
    UsiPosition::from_usi("startpos").expect("a position")
}

/// Plays a game against itself and returns the number of moves.
fn play(engine: &mut EngineProcess, limits: &GoLimits, most: usize) -> usize {
    let mut game = startpos();
    engine.new_game().unwrap();
    while game.moves.len() < most {
        // The client rejects illegal moves.
        match engine.go(&game, limits, &Budget::unlimited(), &mut |_| {}).unwrap().best {
            BestMove::Move { best, .. } => game.moves.push(best),
            BestMove::Resign | BestMove::Win => break,
        }
    }
    engine.game_over(GameResult::Draw).unwrap();
    game.moves.len()
}

#[test]
fn whole_games_are_played_and_the_process_ends_well() {
    let mut engine = launch();
    assert!(engine.identity().name.starts_with("komadai "));
    let nodes = GoLimits::nodes(300);
    assert!(play(&mut engine, &nodes, 200) > 20);
    let byoyomi = GoLimits::clock(ClockTimes::byoyomi(Duration::from_millis(10)));
    assert_eq!(play(&mut engine, &byoyomi, 20), 20);
    assert!(engine.quit().is_some_and(|status| status.success()));
}

#[test]
fn an_analysis_comes_through_whole() {
    let mut engine = launch();
    engine.set_option("MultiPV", Some("3")).unwrap();
    let budget = Budget::depth(4);
    let analysis = engine.analyse(startpos(), &budget, &mut |_| {}).unwrap();
    assert_eq!((analysis.lines.len(), analysis.depth), (3, 4));
    assert!(analysis.nodes > 100 && analysis.completed);
    assert!(analysis.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));

    let start = Instant::now();
    let deadline =
        Budget { deadline: Some(start + Duration::from_millis(50)), ..Budget::unlimited() };
    let analysis = engine.analyse(startpos(), &deadline, &mut |_| {}).unwrap();
    assert!(!analysis.lines.is_empty());

    let game = UsiPosition::from_usi("sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1").expect("a position");
    let mate = engine.find_mate(&game, &Budget::nodes(1_000), &mut |_| {}).unwrap();
    assert_eq!(mate, Checkmate::Mate("G*5b".parse().expect("a line")));
}

#[test]
fn a_search_without_limits_is_stopped_by_its_budget() {
    let mut engine = launch();
    let limits = GoLimits::infinite();
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    let answer = engine.go(startpos(), &limits, &budget, &mut |_| {}).unwrap();
    assert!(matches!(answer.best, BestMove::Move { .. }));
    assert!(!answer.analysis.completed);
}
