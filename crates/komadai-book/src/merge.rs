//! Bringing together what is known.

use komadai_core::{Analysis, Bound, Move, Position, Score};

use crate::book::{Book, EntryError, judge};
use crate::evaluation::{AnalystIndex, Evaluation, Source};

/// By whom and when an analysis was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// Who analysed.
    pub analyst: AnalystIndex,
    /// When, in seconds since the beginning of 1970 (UTC), 0 if it does not matter.
    pub when: u64,
}

/// What merging has added to a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Merged {
    /// New positions.
    pub positions: usize,
    /// New moves, those of new positions included.
    pub moves: usize,
    /// New evaluations.
    pub evaluations: usize,
}

impl core::ops::AddAssign for Merged {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.moves += other.moves;
        self.evaluations += other.evaluations;
    }
}

impl Book {
    /// Adds what an analyst found out about a position: an evaluation of the first move of each
    /// line. An analysis without lines adds nothing, not even the position.
    ///
    /// # Errors
    ///
    /// If a line begins with an illegal move; nothing has been added then.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::{AnalystId, Book, Provenance};
    /// use komadai_core::{Analysis, Bound, Line, Position, Score};
    ///
    /// let mut book = Book::new();
    /// let analyst = book.analyst(&AnalystId::new("engine", "1.0"));
    /// let line = Line { score: Score::cp(35), bound: Bound::Exact, pv: "2g2f 8c8d".parse()? };
    /// let analysis = Analysis { lines: vec![line], nodes: 50_000, ..Analysis::default() };
    /// let start = Position::hirate();
    /// book.merge_analysis(&start, &analysis, Provenance { analyst, when: 1_700_000_000 })?;
    ///
    /// let best = book.entry(&start).and_then(|entry| entry.best()).expect("a valued move");
    /// assert_eq!((best.score(), best.ponder), (Some(Score::cp(35)), Some("8c8d".parse()?)));
    /// assert_eq!(best.evaluation().map(|evaluation| evaluation.nodes), Some(50_000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge_analysis(
        &mut self,
        position: &Position,
        analysis: &Analysis,
        provenance: Provenance,
    ) -> Result<Merged, EntryError> {
        let mut merged = Merged::default();
        for line in &analysis.lines {
            line.pv.first().map_or(Ok(()), |&m| judge(position, m))?;
        }
        for line in &analysis.lines {
            let Some(&m) = line.pv.first() else { continue };
            let evaluation =
                evaluation_of(analysis, line.score, line.bound, Source::Search, provenance);
            let (positions, moves) = (self.len(), self.moves_of(position));
            merged.evaluations += usize::from(self.log(position, m, evaluation)?);
            merged.positions += self.len() - positions;
            merged.moves += self.moves_of(position) - moves;
            if let Some(&ponder) = line.pv.get(1) {
                // A line may go on with nonsense; the value stands all the same.
                let _ = self.set_ponder(position, m, ponder);
            }
        }
        Ok(merged)
    }

    /// Adds the value of a move that follows from an analysis of the position after it: the value
    /// there, negated, one ply further away. An analysis without lines adds nothing.
    ///
    /// # Errors
    ///
    /// If the move is illegal.
    pub fn merge_successor_analysis(
        &mut self,
        position: &Position,
        m: Move,
        analysis: &Analysis,
        provenance: Provenance,
    ) -> Result<Merged, EntryError> {
        let Some(line) = analysis.lines.first() else { return Ok(Merged::default()) };
        let score = -line.score.from_ply(1);
        let mut evaluation =
            evaluation_of(analysis, score, !line.bound, Source::Successor, provenance);
        evaluation.depth = evaluation.depth.saturating_add(1);
        let (positions, moves) = (self.len(), self.moves_of(position));
        let is_new = self.log(position, m, evaluation)?;
        if let Some(&ponder) = line.pv.first() {
            let _ = self.set_ponder(position, m, ponder);
        }
        Ok(Merged {
            positions: self.len() - positions,
            moves: self.moves_of(position) - moves,
            evaluations: usize::from(is_new),
        })
    }

    /// Adds everything that `other` has. Counts of games are added; merging the same games twice
    /// counts them twice, while equal evaluations are one.
    ///
    /// # Errors
    ///
    /// If this book is full.
    pub fn merge(&mut self, other: &Self) -> Result<Merged, EntryError> {
        let analysts = other.analysts().iter().map(|id| self.try_analyst(id));
        let analysts: Vec<_> = analysts.collect::<Result<_, _>>()?;
        let mut merged = Merged::default();
        for entry in other.entries() {
            let position = entry.position();
            let (positions, moves) = (self.len(), self.moves_of(&position));
            for theirs in entry.moves() {
                self.add_games(&position, theirs.m, theirs.games)?;
                if let Some(ponder) = theirs.ponder {
                    self.set_ponder(&position, theirs.m, ponder)?;
                }
                for evaluation in theirs.log {
                    let analyst = analysts[evaluation.analyst.index()];
                    let is_new =
                        self.log(&position, theirs.m, Evaluation { analyst, ..*evaluation })?;
                    merged.evaluations += usize::from(is_new);
                }
            }
            merged.positions += self.len() - positions;
            merged.moves += self.moves_of(&position) - moves;
        }
        Ok(merged)
    }

    fn moves_of(&self, position: &Position) -> usize {
        self.entry(position).map_or(0, |entry| entry.moves().len())
    }
}

fn evaluation_of(
    analysis: &Analysis,
    score: Score,
    bound: Bound,
    source: Source,
    Provenance { analyst, when }: Provenance,
) -> Evaluation {
    Evaluation {
        score,
        bound,
        depth: analysis.depth.try_into().unwrap_or(u16::MAX),
        nodes: analysis.nodes,
        time_ms: analysis.time.as_millis().try_into().unwrap_or(u32::MAX),
        analyst,
        source,
        when,
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Line;

    use super::*;
    use crate::AnalystId;

    fn analysis(lines: &[(i32, &str)]) -> Analysis {
        let line = |&(raw, pv): &(i32, &str)| Line {
            score: Score::from_raw(raw),
            bound: Bound::Lower,
            pv: pv.parse().unwrap(),
        };
        Analysis { lines: lines.iter().map(line).collect(), depth: 9, ..Analysis::default() }
    }

    fn m(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn merging_twice_is_merging_once() {
        let mut book = Book::new();
        let provenance = Provenance { analyst: book.analyst(&AnalystId::new("e", "1")), when: 5 };
        let found = analysis(&[(30, "2g2f"), (20, "7g7f 7f7e")]);
        let start = Position::hirate();
        let first = book.merge_analysis(&start, &found, provenance).unwrap();
        assert_eq!(first, Merged { positions: 1, moves: 2, evaluations: 2 });
        let again = book.merge_analysis(&start, &found, provenance).unwrap();
        assert_eq!(again, Merged::default());
        // Another engine's equal judgement is another evaluation.
        let other = Provenance { analyst: book.analyst(&AnalystId::new("e", "2")), when: 5 };
        assert_eq!(book.merge_analysis(&start, &found, other).unwrap().evaluations, 2);
        assert_eq!(book.evaluations(), 4);
        let mut copy = Book::new();
        copy.analyst(&AnalystId::new("someone else", ""));
        assert_eq!(copy.merge(&book).unwrap(), Merged { positions: 1, moves: 2, evaluations: 4 });
        assert_eq!(copy.merge(&book).unwrap(), Merged::default());
        let log = copy.entry(&start).unwrap().find(m("2g2f")).unwrap().log;
        let names: Vec<_> = log.iter().map(|e| copy.analyst_id(e.analyst).to_string()).collect();
        assert_eq!(names, ["e 1", "e 2"]);
    }

    #[test]
    fn a_successors_value_is_negated_and_a_ply_further_away() {
        let mut book = Book::new();
        let provenance = Provenance { analyst: book.analyst(&AnalystId::new("e", "1")), when: 0 };
        let start = Position::hirate();
        let found = analysis(&[(Score::mate_in(5).raw(), "3c3d")]);
        book.merge_successor_analysis(&start, m("7g7f"), &found, provenance).unwrap();
        let entry = book.entry(&start).unwrap();
        let evaluation = entry.find(m("7g7f")).unwrap().log[0];
        assert_eq!(evaluation.score, Score::mated_in(6));
        assert_eq!((evaluation.bound, evaluation.depth), (Bound::Upper, 10));
    }

    #[test]
    fn an_analysis_without_lines_adds_no_position() {
        let mut book = Book::new();
        let provenance = Provenance { analyst: book.analyst(&AnalystId::new("e", "1")), when: 0 };
        let nothing = book.merge_analysis(&Position::hirate(), &analysis(&[]), provenance);
        assert_eq!((nothing, book.len()), (Ok(Merged::default()), 0));
    }
}
