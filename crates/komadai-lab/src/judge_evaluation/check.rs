//! The evaluation against the pairs of the test data: castles and other themes.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use komadai::eval::Evaluator;
use komadai::prelude::*;
use komadai_testdata::castles;
use komadai_testdata::judged::{self, JudgedPair};
use rayon::prelude::*;

use crate::judge_evaluation::evaluators::{AnyEvaluation, Loaded, centipawns, searcher};
use crate::judge_evaluation::king_step;

/// Difference from which a wrong verdict counts as opposite, in centipawns.
const OPPOSITE_CP: i32 = 100;

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    evaluation: AnyEvaluation,
    /// Number of nodes per position.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
}

/// Two positions, and which one is better for a side.
struct Question {
    name: &'static str,
    /// The name by which the totals are counted.
    groups: Vec<&'static str>,
    positions: [Position; 2],
    side: Color,
    better: usize,
}

/// Numbers of answers.
#[derive(Default)]
struct Total {
    right: u32,
    wrong: u32,
    opposite: u32,
}

impl Check {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        match self.evaluation.load()? {
            Loaded::Classical(evaluator) => self.judge(&evaluator),
            Loaded::Network(evaluator) => self.judge(&evaluator),
            Loaded::Linear(evaluator) => self.judge(&evaluator),
        }
    }

    fn judge<E: Evaluator>(&self, evaluator: &Arc<E>) -> anyhow::Result<()> {
        let castles = castle_questions()?;
        println!(
            "castles at {} nodes: first, second, difference in favour of the better one",
            self.nodes
        );
        report(&castles, evaluator, self.nodes);
        println!("other themes");
        report(&other_questions()?, evaluator, self.nodes);
        king_step::report(castles.iter().flat_map(|question| &question.positions), evaluator);
        Ok(())
    }
}

fn castle_questions() -> anyhow::Result<Vec<Question>> {
    castles::pairs().map(|pair| Question::new(&pair.judged, pair.castles.to_vec())).collect()
}

fn other_questions() -> anyhow::Result<Vec<Question>> {
    judged::pairs().map(|pair| Question::new(&pair, vec![pair.theme])).collect()
}

/// Prints each answer, and the totals by group.
fn report<E: Evaluator>(questions: &[Question], evaluator: &Arc<E>, nodes: u64) {
    let answers: Vec<[i32; 2]> =
        questions.par_iter().map(|question| question.values(evaluator, nodes)).collect();
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    let (mut all, mut sum) = (Total::default(), 0);
    for (question, values) in questions.iter().zip(answers) {
        let difference = values[question.better] - values[1 - question.better];
        sum += i64::from(difference);
        let verdict = match difference {
            1.. => "right",
            _ if difference <= -OPPOSITE_CP => "OPPOSITE",
            _ => "wrong",
        };
        println!(
            "{:>6} {:>6} {difference:>+6} {verdict:<8}  {}",
            values[0], values[1], question.name
        );
        all.add(verdict);
        for group in &question.groups {
            totals.entry(group).or_default().add(verdict);
        }
    }
    for (group, total) in totals {
        println!(
            "{:>3} right {:>3} wrong {:>3} opposite  {group}",
            total.right, total.wrong, total.opposite
        );
    }
    let count = questions.len() as f64;
    println!(
        "{} of {} right ({:.1} %), {} wrong, {} of them opposite by {OPPOSITE_CP} cp or more; mean difference {:+.0} cp",
        all.right,
        questions.len(),
        100.0 * f64::from(all.right) / count,
        all.wrong + all.opposite,
        all.opposite,
        sum as f64 / count
    );
}

impl Question {
    fn new(pair: &JudgedPair, groups: Vec<&'static str>) -> anyhow::Result<Self> {
        let [first, second] = pair.sfens.map(Position::from_sfen);
        let side = if pair.side == 'b' { Color::Black } else { Color::White };
        let positions = [first?, second?];
        Ok(Self { name: pair.name, groups, positions, side, better: pair.better })
    }

    /// Returns the searched value of each position for the side under test.
    fn values<E: Evaluator>(&self, evaluator: &Arc<E>, nodes: u64) -> [i32; 2] {
        let mut searcher = searcher(evaluator);
        [0, 1].map(|index| {
            let position = &self.positions[index];
            searcher.new_game();
            let found = searcher.search(position, &Budget::nodes(nodes), &mut |_| {});
            let value = found.score().map_or(0, centipawns);
            if position.side() == self.side { value } else { -value }
        })
    }
}

impl Total {
    fn add(&mut self, verdict: &str) {
        match verdict {
            "right" => self.right += 1,
            "wrong" => self.wrong += 1,
            _ => self.opposite += 1,
        }
    }
}
