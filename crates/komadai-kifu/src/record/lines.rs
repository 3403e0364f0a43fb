//! The lines of a record: variations, and the moves that lead to them.

use std::collections::HashMap;

use crate::end::End;
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::variation::{Line, Variation, VariationError};

impl Record {
    /// Appends an empty variation in place of move `ply` of `line`, and returns it as a line.
    ///
    /// A variation at the first move of another variation leaves the line which that one leaves.
    ///
    /// # Errors
    ///
    /// If the line does not exist, or has neither a move of this number nor ends before it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Line, RecordMove, Tolerance, parse_usi_games};
    ///
    /// let mut game = parse_usi_games("startpos moves 7g7f 3c3d", Tolerance::Strict)?.records.remove(0);
    /// let line = game.add_variation(Line::Main, 2)?;
    /// game.moves_of_mut(line).push(RecordMove::new("8c8d".parse()?));
    /// let path: Vec<String> = game.path(line).iter().map(|played| played.m.to_string()).collect();
    /// assert_eq!(path, ["7g7f", "8c8d"]);
    /// assert_eq!(game.alternatives(Line::Main, 2).collect::<Vec<_>>(), [line]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_variation(&mut self, line: Line, ply: usize) -> Result<Line, VariationError> {
        let Some((parent, first)) = self.origin(line) else {
            return Err(VariationError { line, ply, first: 0, last: 0 });
        };
        let last = first + self.moves_of(line).len();
        if !(first..=last).contains(&ply) {
            return Err(VariationError { line, ply, first, last });
        }
        let parent = if ply == first { parent.unwrap_or(line) } else { line };
        self.variations.push(Variation { parent, ply, moves: Vec::new(), end: None });
        Ok(Line::Variation(self.variations.len() - 1))
    }

    /// Returns the moves of a line itself, without those before it; none if there is no such line.
    pub fn moves_of(&self, line: Line) -> &[RecordMove] {
        match line {
            Line::Main => &self.moves,
            Line::Variation(index) => self.variations.get(index).map_or(&[], |v| &v.moves),
        }
    }

    /// Returns the moves of a line for changes.
    ///
    /// # Panics
    ///
    /// If there is no such line.
    pub fn moves_of_mut(&mut self, line: Line) -> &mut Vec<RecordMove> {
        match line {
            Line::Main => &mut self.moves,
            Line::Variation(index) => &mut self.variations[index].moves,
        }
    }

    /// Returns the end of a line, if it has one.
    pub fn end_of(&self, line: Line) -> Option<&End> {
        match line {
            Line::Main => self.end.as_ref(),
            Line::Variation(index) => self.variations.get(index)?.end.as_ref(),
        }
    }

    /// Returns the end of a line for changes.
    ///
    /// # Panics
    ///
    /// If there is no such line.
    pub fn end_of_mut(&mut self, line: Line) -> &mut Option<End> {
        match line {
            Line::Main => &mut self.end,
            Line::Variation(index) => &mut self.variations[index].end,
        }
    }

    /// Returns the number of the first move of a line, from 1.
    pub fn first_ply(&self, line: Line) -> usize {
        self.origin(line).map_or(1, |(_, ply)| ply)
    }

    /// Returns all moves from the start of the game to the end of a line.
    pub fn path(&self, line: Line) -> Vec<&RecordMove> {
        let mut parts: Vec<&[RecordMove]> = Vec::new();
        let (mut line, mut until) = (line, usize::MAX);
        while let Some((parent, first)) = self.origin(line) {
            let moves = self.moves_of(line);
            // The moves of this line before the one that the later line replaces.
            parts.push(&moves[..moves.len().min(until.saturating_sub(first))]);
            let Some(parent) = parent.filter(|&parent| is_before(parent, line)) else { break };
            (line, until) = (parent, first);
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// Returns the variations that replace move `ply` of `line`, in order.
    pub fn alternatives(&self, line: Line, ply: usize) -> impl Iterator<Item = Line> {
        let variations = self.variations.iter().enumerate();
        variations
            .filter(move |(_, variation)| variation.parent == line && variation.ply == ply)
            .map(|(index, _)| Line::Variation(index))
    }

    /// Returns the variations by the line that they leave and the number of their first move.
    pub(crate) fn forks(&self) -> HashMap<(Line, usize), Vec<Line>> {
        let mut forks: HashMap<(Line, usize), Vec<Line>> = HashMap::new();
        for (index, variation) in self.variations.iter().enumerate() {
            let origin = (variation.parent, variation.ply);
            forks.entry(origin).or_default().push(Line::Variation(index));
        }
        forks
    }

    /// Returns the parent of a line and the number of its first move.
    fn origin(&self, line: Line) -> Option<(Option<Line>, usize)> {
        match line {
            Line::Main => Some((None, 1)),
            Line::Variation(index) => {
                let variation = self.variations.get(index)?;
                Some((Some(variation.parent), variation.ply))
            }
        }
    }
}

/// Returns true if `parent` may be the parent of `line`: what was made by hand may contain rings.
fn is_before(parent: Line, line: Line) -> bool {
    match (parent, line) {
        (Line::Main, Line::Variation(_)) => true,
        (Line::Variation(parent), Line::Variation(index)) => parent < index,
        (_, Line::Main) => false,
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Setup;

    use super::*;

    fn record(moves: &[&str]) -> Record {
        let mut record = Record::new(Setup::hirate());
        record.moves = moves.iter().map(|m| RecordMove::new(m.parse().unwrap())).collect();
        record
    }

    fn add(record: &mut Record, line: Line, ply: usize, moves: &[&str]) -> Line {
        let line = record.add_variation(line, ply).unwrap();
        let moves = moves.iter().map(|m| RecordMove::new(m.parse().unwrap()));
        record.moves_of_mut(line).extend(moves);
        line
    }

    fn path(record: &Record, line: Line) -> String {
        record.path(line).iter().map(|m| m.m.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn paths_go_through_all_parents() {
        let mut record = record(&["7g7f", "3c3d", "2g2f", "4c4d"]);
        let a = add(&mut record, Line::Main, 3, &["6g6f", "8c8d"]);
        let b = add(&mut record, a, 4, &["3a3b"]);
        // At the first move of a variation, and after the last move of the game.
        let c = add(&mut record, a, 3, &["1g1f"]);
        let d = add(&mut record, Line::Main, 5, &["3i4h"]);
        assert_eq!(path(&record, Line::Main), "7g7f 3c3d 2g2f 4c4d");
        assert_eq!(path(&record, a), "7g7f 3c3d 6g6f 8c8d");
        assert_eq!(path(&record, b), "7g7f 3c3d 6g6f 3a3b");
        assert_eq!(path(&record, c), "7g7f 3c3d 1g1f");
        assert_eq!(path(&record, d), "7g7f 3c3d 2g2f 4c4d 3i4h");
        assert_eq!(record.alternatives(Line::Main, 3).collect::<Vec<_>>(), [a, c]);
        assert_eq!([a, b, c, d].map(|line| record.first_ply(line)), [3, 4, 3, 5]);
    }

    #[test]
    fn impossible_places_are_refused() {
        let mut record = record(&["7g7f"]);
        for ply in [0, 3, usize::MAX] {
            let error = record.add_variation(Line::Main, ply).unwrap_err();
            assert_eq!((error.first, error.last), (1, 2));
        }
        assert!(record.add_variation(Line::Variation(0), 1).is_err());
        assert!(record.variations.is_empty());
    }

    #[test]
    fn rings_made_by_hand_end() {
        let mut record = record(&["7g7f"]);
        let a = add(&mut record, Line::Main, 1, &["2g2f"]);
        record.variations[0].parent = a;
        assert_eq!(path(&record, a), "2g2f");
        assert_eq!(path(&record, Line::Variation(7)), "");
    }
}
