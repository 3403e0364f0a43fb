//! The speed of each row by the processor's time, so that other work on the machine counts little.

use std::collections::HashMap;

use anyhow::Context as _;
use komadai::prelude::*;

use super::judged::Judged;
use super::row::Row;
use crate::thread_clock;
use komadai_study::Journal;
use komadai_study::statistics::median;

/// Number of positions of a measurement.
const POSITIONS: usize = 16;

/// Nodes of a search of a measurement: so many that the memory of its table costs little beside.
const NODES: u64 = 200_000;

/// The speed of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Speed {
    /// Nodes per second of processor time.
    pub(super) nodes: f64,
    /// The speed divided by that of the row to whose time all are compared.
    pub(super) ratio: f64,
}

/// The speeds of all rows.
#[derive(Debug)]
pub(super) struct Speeds(HashMap<String, Speed>);

impl Speeds {
    /// Measures all rows on this thread, each position by one row after another: the medians over
    /// the positions of the speed and of its ratio to that of the row `alpha-beta`, or else of the
    /// first one, so that neither what slows the machine for a while counts nor what slows it all
    /// the time. The journal keeps them, because a run that goes on needs the same numbers of
    /// nodes.
    pub(super) fn measure(
        rows: &[Row],
        judged: &[Judged],
        journal: &Journal,
    ) -> anyhow::Result<Self> {
        let is_reference = |row: &&Row| row.to_string() == "alpha-beta";
        let reference = rows.iter().find(is_reference).or(rows.first());
        let reference = reference.context("no row to compare with")?;
        let mut found = HashMap::new();
        let mut new = Vec::new();
        for row in rows {
            match journal.get(&key(row, reference))? {
                Some(text) => {
                    found.insert(row.to_string(), Speed::from_text(&text)?);
                }
                None => new.push((row, Vec::new())),
            }
        }
        let every = (judged.len() / POSITIONS).max(1);
        for judged in judged.iter().step_by(every).take(POSITIONS) {
            if new.is_empty() {
                break;
            }
            let of_reference = nodes_a_second(reference, judged);
            for (row, speeds) in &mut new {
                let nodes = nodes_a_second(row, judged);
                speeds.push(Speed { nodes, ratio: nodes / of_reference });
            }
        }
        for (row, speeds) in new {
            let middle = |of: fn(&Speed) -> f64| median(speeds.iter().map(of).collect());
            let is_reference = row.to_string() == reference.to_string();
            let ratio = if is_reference { 1.0 } else { middle(|speed| speed.ratio) };
            let speed = Speed { nodes: middle(|speed| speed.nodes), ratio };
            journal.add(key(row, reference), speed.to_text())?;
            found.insert(row.to_string(), speed);
        }
        Ok(Self(found))
    }

    #[cfg(test)]
    pub(super) fn new(by_row: HashMap<String, Speed>) -> Self {
        Self(by_row)
    }

    /// Returns the speed of a row.
    pub(super) fn of(&self, row: &Row) -> anyhow::Result<Speed> {
        let speed = self.0.get(&row.to_string()).copied();
        speed.with_context(|| format!("the speed of {row} was not measured"))
    }
}

impl Speed {
    /// Returns the nodes that are made in the time in which the reference makes `nodes`, to three
    /// digits.
    pub(super) fn nodes_in_equal_time(self, nodes: u64) -> u64 {
        let exact = nodes as f64 * self.ratio;
        let unit = 10_f64.powf((exact.max(1.0).log10() - 2.0).floor().max(0.0));
        ((exact / unit).round() * unit).max(1.0) as u64
    }

    pub(super) fn to_text(self) -> String {
        format!("{} {}", self.nodes, self.ratio)
    }

    pub(super) fn from_text(text: &str) -> anyhow::Result<Self> {
        let wrong = || format!("found the speed {text:?}, expected two numbers");
        let (nodes, ratio) = text.split_once(' ').with_context(wrong)?;
        Ok(Self {
            nodes: nodes.parse().with_context(wrong)?,
            ratio: ratio.parse().with_context(wrong)?,
        })
    }
}

/// Returns the nodes that a search of a row makes in a second of this thread's processor time.
fn nodes_a_second(row: &Row, judged: &Judged) -> f64 {
    let start = thread_clock::now();
    let (analysis, _) = row.search(&judged.position, &Budget::nodes(NODES), &mut |_| {});
    analysis.nodes as f64 / (thread_clock::now() - start).as_secs_f64().max(1e-9)
}

fn key(row: &Row, reference: &Row) -> String {
    format!("speed\t{row}\t{reference}")
}
