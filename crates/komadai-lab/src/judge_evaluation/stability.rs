//! The spread of the value of one position over depths and over switches that should matter little.

use std::path::PathBuf;

use clap::Args;
use komadai::core::Bound;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions, Techniques};
use rayon::prelude::*;

use crate::judge_evaluation::evaluators::{Evaluation, centipawns};
use crate::judge_evaluation::judged::{self, PARTS};
use komadai_study::statistics::median;

/// The depths that are compared.
const DEPTHS: [u32; 5] = [8, 9, 10, 11, 12];

/// The depth at which switches are compared.
const DEPTH: u32 = 10;

/// Options of `stability`.
#[derive(Debug, Args)]
pub(crate) struct Stability {
    /// Table of positions that `positions` has written.
    positions: PathBuf,
    /// Number of positions.
    #[arg(long, default_value_t = 100)]
    count: usize,
    #[command(flatten)]
    evaluation: Evaluation,
}

/// The values of one position.
struct Values {
    /// The number of the move.
    ply: u32,
    by_depth: [i32; DEPTHS.len()],
    by_switch: Vec<i32>,
}

impl Stability {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let evaluator = self.evaluation.load()?;
        let judged = judged::read(&self.positions)?;
        let step = (judged.len() / self.count.max(1)).max(1);
        let chosen: Vec<_> = judged.iter().step_by(step).take(self.count).collect();
        let values: Vec<Values> =
            chosen.par_iter().filter_map(|row| Values::of(&row.position, &evaluator)).collect();
        println!("{} positions, spread = largest − smallest value, medians", values.len());
        let of = |spread: fn(&Values) -> i32| {
            median(values.iter().map(|v| f64::from(spread(v))).collect())
        };
        println!("spread over depths 8 to 12: {:.0} cp", of(|values| spread(&values.by_depth)));
        for part in PARTS {
            let inside = values.iter().filter(|values| part.contains(&values.ply));
            let spreads: Vec<f64> = inside.map(|v| f64::from(spread(&v.by_depth))).collect();
            let count = spreads.len();
            println!("  from move {}: {:.0} cp, {count} positions", part.start, median(spreads));
        }
        println!("spread over switches at depth {DEPTH}: {:.0} cp", of(|v| spread(&v.by_switch)));
        println!("spread over both: {:.0} cp", of(Values::spread));
        println!(
            "even depths − odd depths: {:+.0} cp, size {:.0} cp",
            of(Values::parity),
            of(|v| v.parity().abs())
        );
        for (index, (name, _)) in switches().iter().enumerate() {
            let change = |v: &Values| f64::from((v.by_switch[index] - v.by_depth[2]).abs());
            println!("{:>4.0} cp by {name}", median(values.iter().map(change).collect()));
        }
        Ok(())
    }
}

/// The settings that should not change the value of a search by much.
fn switches() -> Vec<(&'static str, SearchOptions)> {
    let standard = SearchOptions::default;
    let without =
        |techniques| SearchOptions { techniques: Techniques::default() - techniques, ..standard() };
    let classical = Techniques::default() | Techniques::CLASSICAL_ASPIRATION;
    vec![
        ("a table of 1 MiB", SearchOptions { hash_mib: 1, ..standard() }),
        ("a table of 64 MiB", SearchOptions { hash_mib: 64, ..standard() }),
        ("no aspiration windows", without(Techniques::ASPIRATION)),
        ("classical aspiration windows", SearchOptions { techniques: classical, ..standard() }),
        ("no killer moves", without(Techniques::KILLERS)),
        ("no counter moves", without(Techniques::COUNTER_MOVES)),
        ("no pawn history", without(Techniques::PAWN_HISTORY)),
        ("no low-ply history", without(Techniques::LOW_PLY_HISTORY)),
        ("no capture history", without(Techniques::CAPTURE_HISTORY)),
        ("no evaluation difference", without(Techniques::EVALUATION_DIFFERENCE)),
    ]
}

impl Values {
    /// Returns the values of a position, `None` if a mate or a bound is among them.
    fn of(position: &Position, evaluator: &Classical) -> Option<Self> {
        let last = DEPTHS[DEPTHS.len() - 1];
        let deep = by_depth(position, evaluator, SearchOptions::default(), last);
        let mut values = [0; DEPTHS.len()];
        for (slot, depth) in values.iter_mut().zip(DEPTHS) {
            *slot = *deep.get(depth as usize)?.as_ref()?;
        }
        let by_switch = switches().into_iter().map(|(_, options)| {
            *by_depth(position, evaluator, options, DEPTH).get(DEPTH as usize)?
        });
        let by_switch = by_switch.collect::<Option<Vec<i32>>>()?;
        let all = values.iter().chain(&by_switch);
        let decided = all.copied().any(|value| value.abs() >= 3_000);
        (!decided).then_some(Self { ply: position.ply(), by_depth: values, by_switch })
    }

    fn spread(&self) -> i32 {
        let all: Vec<i32> = self.by_depth.iter().chain(&self.by_switch).copied().collect();
        spread(&all)
    }

    /// Returns the mean of the even depths minus that of the odd depths.
    fn parity(&self) -> i32 {
        let [a, b, c, d, e] = self.by_depth;
        (a + c + e) / 3 - (b + d) / 2
    }
}

fn spread(values: &[i32]) -> i32 {
    let largest = values.iter().max().copied().unwrap_or_default();
    largest - values.iter().min().copied().unwrap_or_default()
}

/// Returns the exact value of each iteration, by depth.
fn by_depth(
    position: &Position,
    evaluator: &Classical,
    options: SearchOptions,
    depth: u32,
) -> Vec<Option<i32>> {
    let mut values = vec![None; depth as usize + 1];
    let mut searcher = AlphaBeta::new(evaluator.clone(), options);
    let mut note = |analysis: &Analysis| {
        if let Some(line) = analysis.lines.first().filter(|line| line.bound == Bound::Exact)
            && let Some(slot) = values.get_mut(analysis.depth as usize)
        {
            *slot = Some(centipawns(line.score));
        }
    };
    let found = searcher.search(position, &Budget::depth(depth), &mut note);
    note(&found);
    values
}
