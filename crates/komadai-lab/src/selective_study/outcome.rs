//! The result of one search of a row, as a line of text.

use core::fmt::Display;
use core::str::FromStr;

use anyhow::Context as _;
use komadai::eval::Classical;
use komadai::prelude::*;

use super::judged::Judged;
use super::row::Row;
use komadai_study::Journal;
use komadai_study::referee::Referee;

/// The result of one search of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    pub(super) chosen: Move,
    /// The referee's value of the move, in centipawns for its mover.
    pub(super) value: i32,
    /// Number of finished iterations.
    pub(super) depth: u32,
    /// The longest line in plies.
    pub(super) longest: u32,
    /// The mean distance of the leaves, if the search counts them.
    pub(super) leaf: Option<f64>,
    /// The factor of the nodes from one iteration to the next, as a logarithm.
    pub(super) growth: Option<f64>,
    /// The nodes of the iteration from which on the referee's move was the best one to the end.
    pub(super) reached: Option<u64>,
}

impl Outcome {
    /// Searches a position, unless the journal has the result.
    pub(super) fn find(
        row: &Row,
        judged: &Judged,
        nodes: u64,
        referee: &Referee<Classical>,
        journal: &Journal,
    ) -> anyhow::Result<Self> {
        let key = format!("found\t{row}\t{nodes}\t{}\t{}", judged.position, referee.nodes());
        let search = || Ok(Self::search(row, judged, nodes, referee)?.to_text());
        Self::from_text(&journal.get_or_find(key, search)?)
    }

    fn search(
        row: &Row,
        judged: &Judged,
        nodes: u64,
        referee: &Referee<Classical>,
    ) -> anyhow::Result<Self> {
        let mut iterations: Vec<(u64, Option<Move>)> = Vec::new();
        let budget = Budget::nodes(nodes);
        let (analysis, leaf) = row.search(&judged.position, &budget, &mut |analysis| {
            iterations.push((analysis.nodes, analysis.best_move()));
        });
        let chosen = analysis.best_move().context("a position with moves has a best one")?;
        Ok(Self {
            chosen,
            value: referee.value(&judged.position, chosen)?,
            depth: analysis.depth,
            longest: analysis.seldepth,
            leaf,
            growth: growth(&iterations),
            reached: reached(&iterations, judged.best, (analysis.nodes, chosen)),
        })
    }

    pub(super) fn to_text(&self) -> String {
        let Self { chosen, value, depth, longest, leaf, growth, reached } = self;
        fn or_dash(value: Option<impl Display>) -> String {
            value.map_or("-".to_owned(), |value| value.to_string())
        }
        let (leaf, growth, reached) = (or_dash(*leaf), or_dash(*growth), or_dash(*reached));
        format!("{chosen} {value} {depth} {longest} {leaf} {growth} {reached}")
    }

    pub(super) fn from_text(text: &str) -> anyhow::Result<Self> {
        let wrong = || format!("found the result {text:?}, expected a move and six numbers");
        let words: Vec<&str> = text.split(' ').collect();
        let &[chosen, value, depth, longest, leaf, growth, reached] = &words[..] else {
            anyhow::bail!(wrong())
        };
        fn number<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
            word: &str,
        ) -> anyhow::Result<Option<T>> {
            Ok(if word == "-" { None } else { Some(word.parse()?) })
        }
        Ok(Self {
            chosen: chosen.parse().with_context(wrong)?,
            value: value.parse().with_context(wrong)?,
            depth: depth.parse().with_context(wrong)?,
            longest: longest.parse().with_context(wrong)?,
            leaf: number(leaf).with_context(wrong)?,
            growth: number(growth).with_context(wrong)?,
            reached: number(reached).with_context(wrong)?,
        })
    }
}

/// Returns the logarithm of the mean factor of the nodes from one iteration to the next, without
/// the first three iterations, which hardly search.
pub(super) fn growth(iterations: &[(u64, Option<Move>)]) -> Option<f64> {
    let (first, last) = (iterations.get(2)?.0, iterations.last()?.0);
    let steps = iterations.len() - 3;
    (steps > 0).then(|| (last as f64 / first as f64).ln() / steps as f64)
}

/// Returns the nodes at the end of the iteration from which on a move was the best one, those of
/// the whole search if only its unfinished iteration chose it; `None` if it was not chosen.
pub(super) fn reached(
    iterations: &[(u64, Option<Move>)],
    best: Move,
    (nodes, chosen): (u64, Move),
) -> Option<u64> {
    let agree = iterations.iter().rev().take_while(|(_, m)| *m == Some(best));
    (chosen == best).then(|| agree.last().map_or(nodes, |&(nodes, _)| nodes))
}
