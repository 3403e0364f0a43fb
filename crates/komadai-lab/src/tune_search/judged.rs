//! Positions with moves and values of long searches, and short searches of them.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use komadai::core::{Budget, Move, Position};
use komadai::engine::{Evaluation, Parts, SearcherKind};
use komadai::matches::Opening;
use komadai::nnue::{Network, Nnue};
use komadai::search::{Parameters, SearchOptions, Searcher};
use komadai_base::file::read_text;

/// Centipawns that turn an even game into one of 73 %.
const LOGIT_CP: f64 = 300.0;

/// A position with its best move and value.
pub(crate) struct Judged {
    pub(crate) usi: String,
    pub(crate) position: Position,
    pub(crate) truth: Option<(Move, i32)>,
}

impl Judged {
    /// Returns the line of the file.
    pub(crate) fn line(&self) -> String {
        let Self { usi, truth, .. } = self;
        match truth {
            Some((best, value)) => format!("{usi}\t{best}\t{value}\n"),
            None => format!("{usi}\n"),
        }
    }
}

/// Reads a file of positions; there must be one.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Judged>> {
    let text = read_text(file, u64::MAX)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let positions: anyhow::Result<Vec<_>> = lines
        .map(|(number, line)| {
            read_line(line).with_context(|| format!("{}:{number}", file.display()))
        })
        .collect();
    let positions = positions?;
    ensure!(!positions.is_empty(), "{}: no positions", file.display());
    Ok(positions)
}

/// Returns the network in the file, or the bundled one.
pub(crate) fn evaluation(network: Option<&Path>) -> anyhow::Result<Evaluation> {
    Ok(match network {
        Some(file) => Evaluation::Network(Nnue::new(Network::open(file)?)),
        None => Evaluation::default(),
    })
}

/// Returns a searcher with these numbers.
pub(crate) fn searcher(evaluation: &Evaluation, parameters: &Parameters) -> Box<dyn Searcher> {
    let kind = SearcherKind { evaluation: evaluation.clone(), ..SearcherKind::default() };
    let options =
        SearchOptions { hash_mib: 64, parameters: *parameters, ..SearchOptions::default() };
    Parts::default().searcher(&kind, options)
}

/// Returns best move, value and depth of a search that knows nothing of earlier ones.
pub(crate) fn search(
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

/// Returns the chance to win of a value in centipawns.
pub(crate) fn chance(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / LOGIT_CP).exp())
}

pub(crate) fn read_line(line: &str) -> anyhow::Result<Judged> {
    let columns: Vec<_> = line.split('\t').collect();
    let (usi, truth) = match columns[..] {
        [usi] => (usi, None),
        [usi, best, value] => (usi, Some((best.parse()?, value.parse()?))),
        _ => bail!("{} columns, expected 1 or 3", columns.len()),
    };
    let position = Opening::from_usi(usi)?.position().clone();
    Ok(Judged { usi: usi.to_owned(), position, truth })
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
}
