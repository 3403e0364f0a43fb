//! A USI engine as a child process: its name, an analysis, a move by the clock.
//!
//! ```text
//! cargo run --release --example drive_engine                        # drives itself
//! cargo run --release --example drive_engine -- /path/to/an/engine
//! ```

use std::time::Duration;

use komadai::engine::UsiEngine;
use komadai::prelude::*;
use komadai::usi::{ClockTimes, EngineConfig, EngineProcess, GoLimits, serve_stdio};

fn main() -> anyhow::Result<()> {
    let program = match std::env::args().nth(1) {
        // The engine that is driven if no other is named: this program, started a second time.
        Some(word) if word == "serve" => return Ok(serve_stdio(UsiEngine::new())?),
        Some(path) => EngineConfig::new(path),
        None => EngineConfig::new(std::env::current_exe()?).with_arguments(["serve"]),
    };
    // `launch` sends `usi` and `isready` and waits. An engine that crashes, hangs or answers an
    // illegal move is an error with the last lines of the dialogue; it never blocks this program
    // for ever.
    let mut engine = EngineProcess::launch(program.with_option("USI_Hash", "16"))?;
    println!("{}", engine.identity().name);

    let position = Position::hirate().after("7g7f".parse()?);
    let found = engine.analyse(&position, &Budget::nodes(20_000), &mut |_info| {})?;
    println!("analysis: depth {}, {} nodes, {}", found.depth, found.nodes, found.lines[0].pv);

    // In a game the engine gets the clocks; nodes and byoyomi can be combined.
    let clock = ClockTimes::byoyomi(Duration::from_secs(1));
    let limits = GoLimits { nodes: Some(20_000), ..GoLimits::clock(clock) };
    let answer = engine.go(&position, &limits, &Budget::unlimited(), &mut |_info| {})?;
    println!("bestmove {}", answer.best);
    Ok(())
}
