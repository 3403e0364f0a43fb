//! The solver of this project, with its options or with one of them changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cpu_time::ProcessTime;
use komadai_core::Budget;
use komadai_movegen::{CheckClass, MateResult};
use komadai_tsume::{DfPn, DfPnOptions, Techniques};

use crate::problems::Problem;
use crate::solver::{Answer, Solver, Verdict};
use crate::suite::{Goal, SetSpec};

/// The options of one variant: a change of the defaults.
type Change = fn(DfPnOptions) -> DfPnOptions;

/// The variants with a name of their own. The first is the solver as it is.
///
/// Each of its [`Techniques`] makes one more, which is without it, or has it if the solver as it is
/// does not: see [`techniques`].
const VARIANTS: [(&str, Change); 5] = [
    ("komadai", |options| options),
    ("komadai-short", |options| match options.goal {
        komadai_tsume::Goal::AnyMate => {
            DfPnOptions { goal: komadai_tsume::Goal::ShortMate, ..options }
        }
        _ => options,
    }),
    ("komadai-1-mib", |options| DfPnOptions { hash_mib: 1, ..options }),
    ("komadai-1-gib", |options| DfPnOptions { hash_mib: 1 << 10, ..options }),
    ("komadai-2-threads", |options| DfPnOptions { threads: 2, ..options }),
];

/// Returns the names of all variants.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let own = VARIANTS.iter().map(|&(name, _)| name.to_owned());
    own.chain(techniques().map(|(name, _)| name))
}

/// Returns the variants that differ in one technique, as `without-one-chain` or `with-mate-in-one`.
fn techniques() -> impl Iterator<Item = (String, Techniques)> {
    let usual = Techniques::default();
    Techniques::all().iter_names().map(move |(name, technique)| {
        let change = if usual.contains(technique) { "without" } else { "with" };
        let name = name.to_lowercase().replace('_', "-");
        (format!("{change}-{name}"), usual ^ technique)
    })
}

/// The solver of this project, called without a process between.
#[derive(Debug)]
pub(crate) struct Variant {
    name: String,
    options: DfPnOptions,
    /// Applied to the options of each set.
    change: Change,
    solver: Option<DfPn>,
}

impl Variant {
    /// Returns the variant of this name, with tables of this size unless it changes that.
    pub(crate) fn new(name: &str, hash_mib: usize) -> Option<Self> {
        let options = DfPnOptions { hash_mib, ..DfPnOptions::default() };
        let (change, options) = match VARIANTS.iter().find(|(known, _)| *known == name) {
            Some(&(_, change)) => (change, options),
            None => {
                let (_, techniques) = techniques().find(|(known, _)| known == name)?;
                (VARIANTS[0].1, DfPnOptions { techniques, ..options })
            }
        };
        Some(Self { name: name.to_owned(), options, change, solver: None })
    }
}

impl Solver for Variant {
    fn name(&self) -> &str {
        &self.name
    }

    fn takes(&self, _: Goal) -> bool {
        true
    }

    fn begin(&mut self, set: &SetSpec) -> anyhow::Result<()> {
        let goal = match set.goal {
            Goal::Any => komadai_tsume::Goal::AnyMate,
            Goal::Shortest => komadai_tsume::Goal::ShortestMate,
        };
        // The old tables are freed before the new ones are allocated.
        self.solver = None;
        self.solver = Some(DfPn::new((self.change)(DfPnOptions { goal, ..self.options })));
        Ok(())
    }

    fn solve(&mut self, problem: &Problem, set: &SetSpec) -> anyhow::Result<Answer> {
        let solver = self.solver.get_or_insert_with(|| DfPn::new((self.change)(self.options)));
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
        budget.nodes = set.nodes;
        let (begin, start) = (Instant::now(), ProcessTime::now());
        let report = solver.solve_with(&problem.position, &budget, CheckClass::All, &mut |_| {
            if start.elapsed() >= set.limit {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let (cpu, wall) = (start.elapsed(), begin.elapsed());
        let verdict = match report.result {
            MateResult::Mate { line, shortest } => Verdict::Mate { line: line.to_vec(), shortest },
            MateResult::MateWithoutLine { .. } => Verdict::MateWithoutLine,
            MateResult::NoMate => Verdict::NoMate,
            _ => Verdict::Unknown,
        };
        Ok(Answer { verdict, nodes: report.nodes, cpu, wall })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variant_solves_bundled_problems() {
        let set: SetSpec = "random_mate,every=40,goal=shortest".parse().unwrap();
        let mut solver = Variant::new("komadai", 4).unwrap();
        solver.begin(&set).unwrap();
        for problem in crate::problems::load(&set).unwrap() {
            let answer = solver.solve(&problem, &set).unwrap();
            let found = crate::judge::judge(&problem, &answer.verdict);
            assert_eq!(found, crate::judge::Judgement::Shortest, "{}", problem.id);
        }
    }

    #[test]
    fn each_technique_makes_a_variant() {
        let options = |name| Variant::new(name, 1).map(|variant| variant.options.techniques);
        let usual = Techniques::default();
        assert_eq!(options("without-one-chain"), Some(usual - Techniques::ONE_CHAIN));
        assert_eq!(options("with-mate-in-one"), Some(usual | Techniques::MATE_IN_ONE));
        assert_eq!(options("with-one-chain"), None);
        assert!(names().all(|name| Variant::new(&name, 1).is_some()));
    }

    #[test]
    fn the_limit_of_nodes_holds() {
        let set: SetSpec = "classic,every=50,nodes=50".parse().unwrap();
        let mut solver = Variant::new("komadai", 1).unwrap();
        solver.begin(&set).unwrap();
        for problem in crate::problems::load(&set).unwrap() {
            let answer = solver.solve(&problem, &set).unwrap();
            assert_eq!((answer.verdict, answer.nodes), (Verdict::Unknown, 50), "{}", problem.id);
        }
    }
}
