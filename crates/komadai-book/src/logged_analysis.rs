//! Analyses with their provenance.

use komadai_bookfile::{BookRecord, RecordMove};
use komadai_core::{Analysis, AnalystId, Line, Move, Position, Pv};

/// An analysis of one position with its provenance.
///
/// # Examples
///
/// An analysis of the position after a move gives the value of the move:
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_core::{Analysis, AnalystId, Bound, Line, Position, Score};
///
/// let line = Line { bound: Bound::Lower, ..Line::exact(Score::cp(-20), "3c3d".parse()?) };
/// let after = Analysis { lines: vec![line], nodes: 9_000, ..Analysis::default() };
/// let analyst = AnalystId::new("engine", "1");
/// let logged = LoggedAnalysis::of_successor(Position::hirate(), "7g7f".parse()?, &after, analyst);
/// let line = &logged.analysis.lines[0];
/// assert_eq!((line.score, line.bound), (Score::cp(20), Bound::Upper));
/// assert_eq!(line.pv.to_string(), "7g7f 3c3d");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoggedAnalysis {
    /// The position. Its history is ignored.
    pub position: Position,
    /// The lines with their values for the side to move. Every line with a move is an evaluation of
    /// its first move.
    pub analysis: Analysis,
    /// The analyst.
    pub analyst: AnalystId,
    /// The way in which the values were obtained.
    pub source: Source,
    /// The time of the analysis in seconds since the start of 1970 (UTC); 0 if it is not known.
    pub when: u64,
    /// The name of the machine; empty if it does not matter.
    pub host: String,
}

impl LoggedAnalysis {
    /// An analysis of `position` itself, at an unknown time and on an unknown machine.
    pub fn new(position: Position, analysis: Analysis, analyst: AnalystId) -> Self {
        let source = Source::Search;
        let when = 0;
        let host = String::new();
        Self { position, analysis, analyst, source, when, host }
    }

    /// The evaluation of a move by an analysis of the position after it: the value there, negated.
    /// A mate is one ply further away.
    pub fn of_successor(
        position: Position,
        m: Move,
        successor: &Analysis,
        analyst: AnalystId,
    ) -> Self {
        let deeper = |plies: u32| if plies == 0 { 0 } else { plies.saturating_add(1) };
        let line = |line: &Line| Line {
            depth: deeper(line.depth),
            score: -line.score.from_ply(1),
            bound: !line.bound,
            pv: Pv::from_parts(m, &line.pv),
        };
        let analysis = Analysis {
            depth: successor.depth.saturating_add(1),
            seldepth: deeper(successor.seldepth),
            lines: successor.lines.first().map(line).into_iter().collect(),
            ..successor.clone()
        };
        Self { source: Source::Successor, ..Self::new(position, analysis, analyst) }
    }

    /// The record of the position: the first move of each line with its value, the expected answer
    /// and the depth. [`GraphChange::Add`](komadai_bookgraph::GraphChange::Add) adds it to a graph.
    pub fn to_record(&self) -> BookRecord {
        let depth = self.analysis.depth.try_into().unwrap_or(u16::MAX);
        let listed = |line: &Line| {
            let known = RecordMove::new(*line.pv.first()?);
            let ponder = line.pv.get(1).copied();
            Some(RecordMove { ponder, score: Some(line.score), depth: Some(depth), ..known })
        };
        let moves = self.analysis.lines.iter().filter_map(listed).collect();
        BookRecord { moves, ..BookRecord::new(self.position.clone()) }
    }

    /// The values of a book file's record as analyses by `analyst`. An analysis has one depth, so
    /// there is one for each depth that the record's moves have. Moves without a value are skipped.
    pub(crate) fn of_record(record: &BookRecord, analyst: &AnalystId) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for listed in &record.moves {
            let Some(score) = listed.score else { continue };
            let depth = u32::from(listed.depth.unwrap_or(0));
            let pv = Pv::from_parts(listed.m, listed.ponder.as_slice());
            let line = Line::exact(score, pv);
            match found.iter_mut().find(|logged| logged.analysis.depth == depth) {
                Some(logged) => logged.analysis.lines.push(line),
                None => {
                    let analysis = Analysis {
                        depth,
                        lines: vec![line],
                        completed: true,
                        ..Analysis::default()
                    };
                    let logged = Self::new(record.position.clone(), analysis, analyst.clone());
                    found.push(Self { source: Source::Import, ..logged });
                }
            }
        }
        found
    }
}

/// The index of an analyst in the list of a book's analysts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct AnalystIndex(pub(crate) u16);

impl AnalystIndex {
    /// The place in the list of analysts.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// The way in which an evaluation was obtained.
///
/// # Examples
///
/// ```
/// use komadai_book::{LoggedAnalysis, Source};
/// use komadai_core::{Analysis, AnalystId, Line, Position, Score};
///
/// let start = Position::hirate();
/// let line = Line::exact(Score::cp(-30), "3c3d".parse()?);
/// let found = Analysis { lines: vec![line], ..Analysis::default() };
/// // The position after 7g7f was analysed; for Black, who made the move, it is worth 30.
/// let engine = AnalystId::new("engine", "1");
/// let logged = LoggedAnalysis::of_successor(start, "7g7f".parse()?, &found, engine);
/// assert_eq!(logged.source, Source::Successor);
/// assert_eq!(logged.analysis.score(), Some(Score::cp(30)));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Source {
    /// The position was analysed, and this move begins one of the lines found.
    Search,
    /// The position after the move was analysed, and its value negated.
    Successor,
    /// The value was read from a book file that contains no more about it.
    Import,
}

#[cfg(test)]
mod tests {
    use komadai_bookfile::RecordMove;

    use komadai_core::Score;

    use super::*;

    #[test]
    fn a_mate_after_the_move_is_a_ply_further_away() {
        let line = Line { depth: 10, ..Line::exact(Score::mate_in(5), Pv::new()) };
        let after = Analysis { lines: vec![line], depth: 9, seldepth: 12, ..Analysis::default() };
        let m = "7g7f".parse().unwrap();
        let logged =
            LoggedAnalysis::of_successor(Position::hirate(), m, &after, AnalystId::default());
        assert_eq!(logged.analysis.score(), Some(Score::mated_in(6)));
        assert_eq!((logged.analysis.depth, logged.analysis.seldepth), (10, 13));
        assert_eq!(logged.analysis.lines[0].depth, 11);
        assert_eq!(logged.source, Source::Successor);
        let none = Analysis::default();
        let logged =
            LoggedAnalysis::of_successor(Position::hirate(), m, &none, AnalystId::default());
        assert_eq!((logged.analysis.lines.len(), logged.analysis.seldepth), (0, 0));
    }

    #[test]
    fn a_record_is_one_analysis_for_each_depth() {
        let mut record = BookRecord::new(Position::hirate());
        for (m, score, depth) in
            [("7g7f", Some(30), Some(9)), ("2g2f", Some(20), Some(7)), ("5g5f", Some(-4), Some(9))]
        {
            let score = score.map(Score::cp);
            record.moves.push(RecordMove { score, depth, ..RecordMove::new(m.parse().unwrap()) });
        }
        record.moves.push(RecordMove::new("6g6f".parse().unwrap()));
        record.moves[0].ponder = Some("3c3d".parse().unwrap());
        let imported = LoggedAnalysis::of_record(&record, &AnalystId::new("x.db", ""));
        let lines = |logged: &LoggedAnalysis| {
            let lines = logged.analysis.lines.iter();
            lines.map(|line| (line.pv.to_string(), line.score.raw())).collect::<Vec<_>>()
        };
        assert_eq!(imported.len(), 2);
        assert_eq!(lines(&imported[0]), [("7g7f 3c3d".into(), 30), ("5g5f".into(), -4)]);
        assert_eq!(lines(&imported[1]), [("2g2f".into(), 20)]);
        assert!(imported.iter().all(|logged| logged.source == Source::Import));
    }
}
