//! Conversion of `info` lines to an analysis.

use std::collections::BTreeMap;
use std::time::Duration;

use komadai_core::{Analysis, Line, Move, Position, Pv};
use komadai_movegen::MoveGen;

use crate::info::Info;

/// Maximum number of moves kept of a variation. A line of 1 MiB has room for two hundred thousand,
/// and there may be hundreds of lines.
const LONGEST_PV: usize = 4096;

/// Collects the `info` lines of one search and builds an analysis from them.
///
/// Variations are cut at the first illegal move, so that all moves of the analysis can be played,
/// and after 4,096 moves.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Score};
/// use komadai_usi::{AnalysisBuilder, Info};
///
/// let mut builder = AnalysisBuilder::new(&Position::hirate());
/// builder.add(&Info::from_usi("depth 1 nodes 30 score cp 12 pv 7g7f"));
/// builder.add(&Info::from_usi("depth 2 nodes 90 score cp 0 pv 2g2f 8c8d 8h2b+"));
/// let analysis = builder.into_analysis();
/// assert_eq!((analysis.depth, analysis.nodes), (2, 90));
/// assert_eq!(analysis.score(), Some(Score::ZERO));
/// assert_eq!(analysis.lines[0].pv.to_string(), "2g2f 8c8d");
/// ```
#[derive(Debug, Clone)]
pub struct AnalysisBuilder {
    position: Position,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time: Duration,
    /// The latest line of each rank.
    lines: BTreeMap<u32, Line>,
}

impl AnalysisBuilder {
    /// Returns a builder for this position.
    pub fn new(position: &Position) -> Self {
        Self {
            position: position.clone(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time: Duration::ZERO,
            lines: BTreeMap::new(),
        }
    }

    /// Adds an `info` line.
    pub fn add(&mut self, info: &Info) {
        self.nodes = info.nodes.unwrap_or(self.nodes);
        self.time = info.time.unwrap_or(self.time);
        let Some(mut line) = info.line() else { return };
        let rank = info.multi_pv.unwrap_or(1).max(1);
        if rank as usize > Move::MAX_LEGAL {
            return;
        }
        self.depth = info.depth.unwrap_or(self.depth);
        self.seldepth = info.seldepth.unwrap_or(self.seldepth);
        line.pv = self.legal_part(&line.pv);
        self.lines.insert(rank, line);
    }

    /// Returns the analysis, with [`completed`](Analysis::completed) set. A caller that stopped the
    /// engine has to clear it.
    ///
    /// The lines are in the order of the engine's ranks. A line with the same first move as a line
    /// of better rank comes from an earlier depth and is omitted.
    #[must_use]
    pub fn into_analysis(self) -> Analysis {
        let mut lines: Vec<Line> = Vec::with_capacity(self.lines.len());
        for line in self.lines.into_values() {
            // Engines send the lines of a depth one by one: a worse rank may still be of the depth
            // before.
            if lines.is_empty() || !lines.iter().any(|better| better.pv.first() == line.pv.first())
            {
                lines.push(line);
            }
        }
        Analysis {
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            time: self.time,
            lines,
            completed: true,
        }
    }

    fn legal_part(&mut self, pv: &[Move]) -> Pv {
        let length = pv
            .iter()
            .take(LONGEST_PV)
            .take_while(|&&m| {
                let is_legal = self.position.is_legal(m);
                if is_legal {
                    self.position.do_move(m);
                }
                is_legal
            })
            .count();
        // The position is the root again for the next line.
        for _ in 0..length {
            self.position.undo_move();
        }
        pv[..length].into()
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Score};

    use super::*;

    fn build(infos: &[&str]) -> Analysis {
        let mut builder = AnalysisBuilder::new(&Position::hirate());
        infos.iter().for_each(|info| builder.add(&Info::from_usi(info)));
        builder.into_analysis()
    }

    #[test]
    fn the_latest_line_of_each_rank_counts() {
        let analysis = build(&[
            "depth 1 seldepth 2 multipv 1 score cp 30 nodes 10 time 1 pv 7g7f",
            "depth 1 seldepth 2 multipv 2 score cp 20 nodes 10 time 1 pv 2g2f",
            "depth 1 seldepth 2 multipv 3 score cp 10 nodes 10 time 1 pv 5g5f",
            "depth 2 seldepth 4 multipv 1 score cp 25 upperbound nodes 50 time 3 pv 2g2f 3c3d",
            "nodes 60 time 4",
            "currmove 1g1f",
            "string hello",
        ]);
        let starts: Vec<_> = analysis.lines.iter().map(|line| line.pv.to_string()).collect();
        assert_eq!(starts, ["2g2f 3c3d", "5g5f"]);
        assert_eq!([0, 1].map(|rank| analysis.lines[rank].depth), [2, 1]);
        assert_eq!((analysis.depth, analysis.seldepth, analysis.nodes), (2, 4, 60));
        assert_eq!(analysis.time, Duration::from_millis(4));
        assert_eq!(analysis.lines[0].bound, Bound::Upper);
    }

    #[test]
    fn invalid_lines_are_skipped() {
        let analysis = build(&[
            "depth 3 multipv 4000000000 score cp 1 pv 7g7f",
            "depth 4 multipv 0 score cp 2 pv 7g7f 7g7f",
            "depth 9 pv 2g2f",
        ]);
        assert_eq!(analysis.lines.len(), 1);
        assert_eq!(analysis.lines[0].pv.to_string(), "7g7f");
        assert_eq!(analysis.depth, 4);
    }

    #[test]
    fn variations_of_any_length_take_bounded_memory() {
        let moves = " 5i5h 5a5b 5h5i 5b5a".repeat(LONGEST_PV);
        let analysis = build(&[&format!("depth 1 score cp 1 pv{moves}")]);
        assert_eq!(analysis.lines[0].pv.len(), LONGEST_PV);
    }

    #[test]
    fn a_score_alone_is_a_line_without_moves() {
        let analysis = build(&["depth 0 score cp 7 string book"]);
        assert_eq!((analysis.score(), analysis.best_move()), (Some(Score::cp(7)), None));
        assert_eq!(build(&["string nothing"]).lines, []);
    }
}
