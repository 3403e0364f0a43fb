//! The error of values and moves of short searches, judged by those of much longer ones.
//!
//! A game tells one bit about some hundred searches; here each search tells how far its value is
//! from a better one. The differences are no Elo: a match decides.

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use komadai::core::{Budget, Move, Position};
use komadai::engine::{Evaluation, Parts, SearcherKind};
use komadai::matches::Opening;
use komadai::nnue::{Network, Nnue};
use komadai::search::{Parameters, SearchOptions, Searcher};
use komadai_base::atomic_file;
use komadai_base::file::read_text;

use crate::tune_search::change::Change;

/// Centipawns that turn an even game into one of 73 %.
const LOGIT_CP: f64 = 300.0;

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

/// A position with its best move and value.
struct Judged {
    usi: String,
    position: Position,
    truth: Option<(Move, i32)>,
}

impl Judged {
    /// Returns the line of the file.
    fn line(&self) -> String {
        let Self { usi, truth, .. } = self;
        match truth {
            Some((best, value)) => format!("{usi}\t{best}\t{value}\n"),
            None => format!("{usi}\n"),
        }
    }
}

/// The errors of the values of a search in the positions, in winning chances, and its best moves.
struct Found {
    errors: Vec<f64>,
    hits: usize,
    depth: f64,
}

impl Errors {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut judged = self.read()?;
        ensure!(!judged.is_empty(), "{}: no positions", self.positions.display());
        if judged.iter().any(|judged| judged.truth.is_none()) {
            self.judge(&mut judged)?;
        }
        let usual = self.found(&judged, &Parameters::default())?;
        println!("| numbers | error of the winning chance | difference | same move | depth |");
        println!("|---|---|---|---|---|");
        println!("{}", row("default", &usual, None));
        for change in &self.changes {
            let mut parameters = Parameters::default();
            change.make(&mut parameters)?;
            let found = self.found(&judged, &parameters)?;
            println!("{}", row(&change.to_string(), &found, Some(&usual)));
        }
        Ok(())
    }

    fn read(&self) -> anyhow::Result<Vec<Judged>> {
        let file = self.positions.display();
        let text = read_text(&self.positions, u64::MAX)?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| read_line(line).with_context(|| format!("{file}:{number}")))
            .collect()
    }

    /// Finds the missing values, and saves each.
    fn judge(&self, judged: &mut [Judged]) -> anyhow::Result<()> {
        let mut searcher = self.searcher(&Parameters::default())?;
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

    fn found(&self, judged: &[Judged], parameters: &Parameters) -> anyhow::Result<Found> {
        let mut searcher = self.searcher(parameters)?;
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

    fn searcher(&self, parameters: &Parameters) -> anyhow::Result<Box<dyn Searcher>> {
        let mut kind = SearcherKind::default();
        if let Some(file) = &self.network {
            kind.evaluation = Evaluation::Network(Nnue::new(Network::open(file)?));
        }
        let options =
            SearchOptions { hash_mib: 64, parameters: *parameters, ..SearchOptions::default() };
        Ok(Parts::default().searcher(&kind, options))
    }
}

/// Returns best move, value and depth of a search that knows nothing of earlier ones.
fn search(
    searcher: &mut dyn Searcher,
    position: &Position,
    nodes: u64,
) -> anyhow::Result<(Move, i32, u32)> {
    searcher.new_game();
    let analysis = searcher.search(position, &Budget::nodes(nodes), &mut |_| {});
    let line = analysis.lines.first().context("the side to move has no move")?;
    let best = line.pv.first().context("a declaration needs no search")?;
    Ok((*best, line.score.raw(), analysis.depth))
}

fn chance(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / LOGIT_CP).exp())
}

fn read_line(line: &str) -> anyhow::Result<Judged> {
    let columns: Vec<_> = line.split('\t').collect();
    let (usi, truth) = match columns[..] {
        [usi] => (usi, None),
        [usi, best, value] => (usi, Some((best.parse()?, value.parse()?))),
        _ => bail!("{} columns, expected 1 or 3", columns.len()),
    };
    let position = Opening::from_usi(usi)?.position().clone();
    Ok(Judged { usi: usi.to_owned(), position, truth })
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
    fn lines_have_a_position_and_may_have_a_move_and_a_value() -> anyhow::Result<()> {
        assert_eq!(read_line("startpos")?.truth, None);
        let judged = read_line("startpos moves 7g7f\t3c3d\t-40")?;
        assert_eq!(judged.truth, Some(("3c3d".parse()?, -40)));
        assert_eq!(judged.line(), "startpos moves 7g7f\t3c3d\t-40\n");
        for line in [
            "",
            "startpos moves 7g7g",
            "startpos\t3c3d\tmuch",
            "startpos\t9z9z\t0",
            "startpos\t7g7f",
        ] {
            assert!(read_line(line).is_err(), "{line}");
        }
        Ok(())
    }

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
