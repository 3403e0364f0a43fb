//! Proof-number search and df-pn on mates and on positions without a mate.

use komadai::movegen::{CheckClass, MateResult, MateSolver};
use komadai::prelude::*;
use komadai::problems::problems;
use komadai::tsume::{DfPn, DfPnOptions, PnSearch, Techniques};

use crate::figure::Figure;
use crate::findings::Findings;
use crate::games;
use crate::glossary::options::GlossaryOptions;
use crate::parts::Parts;

/// Memory of a solver in MiB.
const HASH_MIB: usize = 64;

/// The names of the methods: proof-number search on a tree, df-pn without later techniques, df-pn as
/// the solver has it.
pub(super) const METHODS: [&str; 3] = ["pn", "bare df-pn", "df-pn"];

/// The solvers of a thread, in the order of the names.
struct Solvers(Vec<Box<dyn MateSolver + Send>>);

impl Solvers {
    fn new() -> Self {
        let with = |techniques| {
            let options = DfPnOptions { hash_mib: HASH_MIB, techniques, ..DfPnOptions::default() };
            Box::new(DfPn::new(options))
        };
        Self(vec![
            Box::new(PnSearch::new(HASH_MIB)),
            with(Techniques::empty()),
            with(Techniques::default()),
        ])
    }

    /// Returns the verdict and the nodes of each method; true is a mate.
    fn solve(&mut self, position: &Position, nodes: u64) -> Vec<(Option<bool>, u64)> {
        let budget = Budget::nodes(nodes);
        let solve = |solver: &mut Box<dyn MateSolver + Send>| {
            let report = solver.solve(position, &budget, CheckClass::All);
            let verdict = match &report.result {
                MateResult::NoMate => Some(false),
                _ => report.is_mate().then_some(true),
            };
            (verdict, report.nodes.max(1))
        };
        self.0.iter_mut().map(solve).collect()
    }
}

/// A position with what is known of it: the plies of its mate, or that it has none.
struct Task {
    position: Position,
    plies: Option<u32>,
}

pub(super) fn measure(
    options: &GlossaryOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    let all = problems().count();
    let every = (all / options.problems.max(1)).max(1);
    let mates = problems().step_by(every).take(options.problems);
    let mut tasks: Vec<Task> = mates
        .map(|problem| Task { plies: Some(problem.plies()), position: problem.position })
        .collect();
    tasks.extend(without_mate(options.problems));
    let solved = parts.each("mates", tasks, Solvers::new, |solvers, task| {
        let answers = solvers.solve(&task.position, options.nodes);
        (task.plies, answers)
    })?;
    // A position of a game is without a mate if the solver proves it; the others are left out.
    let is_used = |(plies, answers): &&(Option<u32>, Vec<(Option<bool>, u64)>)| {
        plies.is_some() || answers.iter().any(|(verdict, _)| *verdict == Some(false))
    };
    let solved: Vec<_> = solved.iter().filter(is_used).collect();
    let nodes = |method: usize, is_meant: &dyn Fn(Option<u32>) -> bool| -> Vec<f64> {
        let meant = solved.iter().filter(|(plies, _)| is_meant(*plies));
        meant.map(|(_, answers)| answers[method].1 as f64).collect()
    };
    let is_mate = |plies: Option<u32>| plies.is_some();
    let is_none = |plies: Option<u32>| plies.is_none();
    let is_short = |plies: Option<u32>| plies == Some(3);
    for (method, name) in METHODS.into_iter().enumerate() {
        for (kind, is_meant) in
            [("mates", &is_mate as &dyn Fn(_) -> bool), ("none", &is_none), ("short", &is_short)]
        {
            found.add_some(
                format!("{name} nodes {kind}"),
                Figure::mean_of(&nodes(method, is_meant)),
            );
            let meant = solved.iter().filter(|(plies, _)| is_meant(*plies));
            let decided = meant.clone().filter(|(_, answers)| answers[method].0.is_some()).count();
            let share = Figure::share(decided as u64, meant.count() as u64);
            found.add_some(format!("{name} decided {kind}"), share);
        }
        let ratio = Figure::ratio_of_means(&nodes(method, &is_none), &nodes(method, &is_mate));
        found.add_some(format!("{name} nodes none : mates"), ratio);
        for (kind, is_meant) in
            [("mates", &is_mate as &dyn Fn(_) -> bool), ("none", &is_none), ("short", &is_short)]
        {
            let pairs = nodes(method, is_meant).into_iter().zip(nodes(0, is_meant));
            let ratios: Vec<f64> = pairs.map(|(own, tree)| own / tree).collect();
            found.add_some(format!("{name} : pn {kind}"), Figure::geometric_mean_of(&ratios));
        }
    }
    Ok(())
}

/// Returns positions of games in which the side to move can give check.
fn without_mate(most: usize) -> Vec<Task> {
    /// Positions of a game before the first one.
    const FIRST: usize = 40;
    let games = games::bundled();
    let all: Vec<Position> = games
        .iter()
        .flat_map(|game| game.plies().skip(FIRST))
        .map(|(position, _)| position)
        .filter(|position| !position.in_check())
        .filter(|position| position.legal_moves().iter().any(|&m| position.gives_check(m)))
        .collect();
    let every = (all.len() / most.max(1)).max(1);
    let chosen = all.into_iter().step_by(every).take(most);
    chosen.map(|position| Task { position: position.without_history(), plies: None }).collect()
}
