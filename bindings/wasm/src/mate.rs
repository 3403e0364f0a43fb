//! Mates: the df-pn solver and reports on problems.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::{Budget, Position};
use komadai::movegen::MateResult;
use komadai::problems::composition::{self, CompositionOptions};
use komadai::tsume::{DfPn, DfPnOptions, Goal};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{Checked, Code, json, one_of, whole};
use crate::host::stoppable;
use crate::position::{NativePosition, usi_of};

/// Default size of the solver's table in MiB. A small problem touches little of it.
const HASH_MIB: usize = 32;

/// The answer of the solver as the package shows it.
#[derive(Serialize)]
struct Answer {
    status: &'static str,
    moves: Vec<String>,
    shortest: bool,
    nodes: u64,
}

/// Searches for a mate and returns the answer as JSON.
pub fn solve(position: &Position, budget: &Budget, goal: &str) -> Checked<String> {
    let goals =
        [("any", Goal::AnyMate), ("short", Goal::ShortMate), ("shortest", Goal::ShortestMate)];
    let goal = one_of("goal", goal, &goals)?;
    let options = DfPnOptions { hash_mib: HASH_MIB, goal, ..DfPnOptions::default() };
    let report = DfPn::new(options).solve_mate(position, budget);
    let (status, moves, shortest) = match &report.result {
        MateResult::Mate { line, shortest } => ("mate", usi_of(line), *shortest),
        MateResult::MateWithoutLine { .. } => ("mate", Vec::new(), false),
        MateResult::NoMate => ("nomate", Vec::new(), false),
        _ => ("unknown", Vec::new(), false),
    };
    Ok(json(&Answer { status, moves, shortest, nodes: report.nodes }))
}

/// Searches for a mate on this thread.
#[wasm_bindgen(js_name = solveMate)]
pub fn solve_mate(position: &NativePosition, nodes: f64, goal: &str) -> Checked<String> {
    solve(&position.position, &Budget::nodes(whole("nodes", nodes)?), goal)
}

/// A flaw of a problem.
#[derive(Serialize)]
struct Cook {
    ply: u32,
    kind: String,
    moves: Vec<String>,
}

/// A report on a problem.
#[derive(Serialize)]
struct Report {
    moves: Vec<String>,
    sound: bool,
    complete: bool,
    cooks: Vec<Cook>,
    text: String,
    nodes: u64,
}

/// Examines a problem and returns the report as JSON.
pub fn check(position: &Position, nodes: u64, stop: Arc<AtomicBool>) -> Checked<String> {
    let budget = Budget { stop: Some(stop), ..Budget::nodes(nodes) };
    let options = CompositionOptions { budget, ..CompositionOptions::default() };
    let report =
        composition::analyse(position, &options).map_err(|error| Code::Mate.error(error))?;
    let cook = |cook: &composition::Cook| Cook {
        ply: cook.ply,
        kind: cook.kind.to_string(),
        moves: usi_of(&cook.moves),
    };
    Ok(json(&Report {
        moves: usi_of(&report.line),
        sound: report.is_sound(),
        complete: report.is_complete(),
        cooks: report.cooks.iter().map(cook).collect(),
        text: report.to_string(),
        nodes: report.nodes,
    }))
}

/// Examines a problem on this thread.
#[wasm_bindgen(js_name = checkProblem)]
pub fn check_problem(position: &NativePosition, nodes: f64) -> Checked<String> {
    let nodes = whole("nodes", nodes)?;
    stoppable(|stop| check(&position.position, nodes, stop))
}
