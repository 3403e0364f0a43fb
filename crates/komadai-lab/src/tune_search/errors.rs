//! The error of values and moves of short searches, judged by those of much longer ones.
//!
//! A game tells one bit about some hundred searches; here each search tells how far its value is
//! from a better one. The differences are no Elo: a match decides.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::engine::Evaluation;
use komadai::search::Parameters;
use komadai_base::atomic_file;

use crate::tune_search::change::Change;
use crate::tune_search::judged::{self, Judged, chance, search};

/// Options of `errors`.
#[derive(Debug, Args)]
pub(crate) struct Errors {
    /// Positions, one a line, as in USI (`startpos moves 7g7f …` or `sfen …`), and after a tab the
    /// best move, after another its value in centipawns for the side to move. Without them the
    /// default search finds both, with `--deep` nodes, and writes them into the file one by one.
    positions: PathBuf,
    /// Changes to compare with the defaults, as of `compare`.
    changes: Vec<Change>,
    /// Nodes of the searches that are judged.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Nodes of the searches that judge.
    #[arg(long, default_value_t = 2_000_000)]
    deep: u64,
    /// A network in place of the bundled one.
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

/// The errors of the values of a search in the positions, in winning chances, and its best moves.
struct Found {
    errors: Vec<f64>,
    hits: usize,
    depth: f64,
}

impl Errors {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut judged = judged::read(&self.positions)?;
        let evaluation = judged::evaluation(self.network.as_deref())?;
        if judged.iter().any(|judged| judged.truth.is_none()) {
            self.judge(&evaluation, &mut judged)?;
        }
        let usual = self.found(&evaluation, &judged, &Parameters::default())?;
        println!("| numbers | error of the winning chance | difference | same move | depth |");
        println!("|---|---|---|---|---|");
        println!("{}", row("default", &usual, None));
        for change in &self.changes {
            let mut parameters = Parameters::default();
            change.make(&mut parameters)?;
            let found = self.found(&evaluation, &judged, &parameters)?;
            println!("{}", row(&change.to_string(), &found, Some(&usual)));
        }
        Ok(())
    }

    /// Finds the missing values, and saves each.
    fn judge(&self, evaluation: &Evaluation, judged: &mut [Judged]) -> anyhow::Result<()> {
        let mut searcher = judged::searcher(evaluation, &Parameters::default());
        for index in 0..judged.len() {
            let Judged { usi, position, truth: None } = &judged[index] else { continue };
            let found = search(&mut *searcher, position, self.deep);
            let (best, value, _) = found.with_context(|| usi.clone())?;
            judged[index].truth = Some((best, value));
            let lines: String = judged.iter().map(Judged::line).collect();
            atomic_file::write(&self.positions, lines)?;
        }
        Ok(())
    }

    fn found(
        &self,
        evaluation: &Evaluation,
        judged: &[Judged],
        parameters: &Parameters,
    ) -> anyhow::Result<Found> {
        let mut searcher = judged::searcher(evaluation, parameters);
        let mut found = Found { errors: Vec::new(), hits: 0, depth: 0.0 };
        for Judged { usi, position, truth } in judged {
            let (best, expected) = truth.context("every position has been judged")?;
            let short = search(&mut *searcher, position, self.nodes);
            let (m, value, depth) = short.with_context(|| usi.clone())?;
            found.errors.push((chance(value) - chance(expected)).abs());
            found.hits += usize::from(m == best);
            found.depth += f64::from(depth) / judged.len() as f64;
        }
        Ok(found)
    }
}

fn row(name: &str, found: &Found, usual: Option<&Found>) -> String {
    let count = found.errors.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let difference = usual.map_or_else(String::new, |usual| {
        let pairs = found.errors.iter().zip(&usual.errors);
        let differences: Vec<f64> = pairs.map(|(one, other)| one - other).collect();
        let centre = mean(&differences);
        let squares: Vec<f64> = differences.iter().map(|d| (d - centre).powi(2)).collect();
        format!("{centre:+.4} ± {:.4}", 1.96 * (mean(&squares) / count).sqrt())
    });
    let hits = 100.0 * found.hits as f64 / count;
    format!(
        "| {name} | {:.4} | {difference} | {hits:.1} % | {:.1} |",
        mean(&found.errors),
        found.depth
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_the_same_positions() {
        let found = |errors: [f64; 2], hits| Found { errors: errors.into(), hits, depth: 9.0 };
        let (one, usual) = (found([0.1, 0.2], 1), found([0.2, 0.3], 2));
        assert_eq!(
            row("a=1", &one, Some(&usual)),
            "| a=1 | 0.1500 | -0.1000 ± 0.0000 | 50.0 % | 9.0 |"
        );
    }
}
