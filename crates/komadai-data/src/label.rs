//! The search for the score of a training record.

use komadai_core::{Analysis, Budget, Position, Score};
use komadai_search::Searcher;

/// Searches a position with [about](Budget::about) this number of nodes. Returns the analysis and
/// the score to learn from, which is never a bound: if the search was cut off within an iteration,
/// that of the last finished one.
///
/// An edge of a search window depends on the window, not on the worth of the position.
pub(crate) fn search_label(
    search: &mut dyn Searcher,
    position: &Position,
    nodes: u64,
) -> (Analysis, Option<Score>) {
    let mut finished = None;
    let analysis = search.search(position, &Budget::about(nodes), &mut |iteration| {
        finished = iteration.exact_score().or(finished);
    });
    let score = analysis.exact_score().or(finished);
    (analysis, score)
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Line, Pv};
    use komadai_search::SearchRequest;

    use super::*;

    /// Reports these lines as iterations, and returns the last one.
    struct Script(Vec<Line>);

    impl Searcher for Script {
        fn run(&mut self, _: &SearchRequest<'_>, progress: &mut dyn FnMut(&Analysis)) -> Analysis {
            let mut last = Analysis::default();
            for line in &self.0 {
                progress(&last);
                last = Analysis { lines: vec![line.clone()], ..Analysis::default() };
            }
            last
        }

        fn new_game(&mut self) {}
    }

    #[test]
    fn the_score_is_the_last_one_that_is_no_bound() {
        let line = |cp, bound| Line { bound, ..Line::exact(Score::cp(cp), Pv::new()) };
        let (exact, lower, upper) = (Bound::Exact, Bound::Lower, Bound::Upper);
        for (lines, score) in [
            (vec![], None),
            (vec![line(10, exact)], Some(10)),
            (vec![line(10, exact), line(76, lower)], Some(10)),
            (vec![line(10, exact), line(20, exact), line(-46, upper)], Some(20)),
            (vec![line(10, exact), line(76, lower), line(300, exact)], Some(300)),
            (vec![line(76, lower)], None),
        ] {
            let found = search_label(&mut Script(lines.clone()), &Position::hirate(), 1);
            assert_eq!(found.1, score.map(Score::cp), "{lines:?}");
            assert_eq!(found.0.lines.first(), lines.last());
        }
    }
}
