//! The search as a judge of book positions.

use komadai_book::{Analyst, AnalystError, AnalystId};
use komadai_core::{Analysis, Budget, Position};
use komadai_eval::Evaluator;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};

/// Judges positions by searching them, in this process.
///
/// # Examples
///
/// ```
/// use komadai_book::Analyst;
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{Memory, SearchAnalyst};
/// use komadai_eval::Classical;
/// use komadai_search::SearchOptions;
///
/// let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
/// let mut analyst = SearchAnalyst::new("Classical", Classical::default(), options, Memory::Fresh);
/// let analysis = analyst.analyse(&Position::hirate(), &Budget::nodes(2_000))?;
/// assert!(analysis.best_move().is_some());
/// assert_eq!(analyst.identity().options, "Evaluator=Classical MultiPV=1 USI_Hash=4");
/// # Ok::<(), komadai_book::AnalystError>(())
/// ```
#[derive(Debug)]
pub struct SearchAnalyst<E: Evaluator> {
    evaluator_name: String,
    searcher: AlphaBeta<E>,
    memory: Memory,
}

/// What a searcher remembers from one position to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Memory {
    /// Nothing: a budget in nodes leads to the same analysis whatever was analysed before, on
    /// however many threads. Emptying the table costs about a millisecond for each 4 MiB.
    #[default]
    Fresh,
    /// Everything, which helps for positions that follow each other.
    Kept,
}

impl<E: Evaluator> SearchAnalyst<E> {
    /// An analyst that searches with these options. The evaluator's name becomes part of its
    /// [`identity`](Analyst::identity).
    #[must_use]
    pub fn new(evaluator_name: &str, evaluator: E, options: SearchOptions, memory: Memory) -> Self {
        let searcher = AlphaBeta::new(evaluator, options);
        Self { evaluator_name: evaluator_name.to_owned(), searcher, memory }
    }

    /// The search.
    #[must_use]
    pub fn searcher(&self) -> &AlphaBeta<E> {
        &self.searcher
    }
}

impl<E: Evaluator> Analyst for SearchAnalyst<E> {
    fn identity(&self) -> AnalystId {
        let SearchOptions { hash_mib, multi_pv, .. } = self.searcher.options();
        let options =
            format!("Evaluator={} MultiPV={multi_pv} USI_Hash={hash_mib}", self.evaluator_name);
        AnalystId::new("komadai", env!("CARGO_PKG_VERSION")).with_options(options)
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        if self.memory == Memory::Fresh {
            self.searcher.new_game();
        }
        Ok(self.searcher.search(position, budget, &mut |_| {}))
    }
}

#[cfg(test)]
mod tests {
    use komadai_eval::Classical;

    use super::*;

    fn analyst(memory: Memory) -> SearchAnalyst<Classical> {
        let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
        SearchAnalyst::new("Classical", Classical::default(), options, memory)
    }

    fn without_time(analysis: Analysis) -> Analysis {
        Analysis { time: std::time::Duration::ZERO, ..analysis }
    }

    #[test]
    fn a_fresh_memory_makes_the_order_of_positions_irrelevant() {
        let positions: Vec<Position> = komadai_testdata::openings::sfens()
            .take(3)
            .map(|sfen| Position::from_sfen(sfen).expect("an opening"))
            .collect();
        let budget = Budget::nodes(5_000);
        let mut analyse = {
            let mut analyst = analyst(Memory::Fresh);
            move |position| without_time(analyst.analyse(position, &budget).expect("no failure"))
        };
        let forward: Vec<_> = positions.iter().map(&mut analyse).collect();
        let mut backward: Vec<_> = positions.iter().rev().map(&mut analyse).collect();
        backward.reverse();
        assert_eq!(forward, backward);
        assert!(forward.iter().all(|analysis| analysis.nodes <= 5_000));
    }

    #[test]
    fn a_kept_memory_helps() {
        let mut analyst = analyst(Memory::Kept);
        let budget = Budget::unlimited().with_depth(5);
        let mut nodes = || analyst.analyse(&Position::hirate(), &budget).expect("no failure").nodes;
        let first = nodes();
        assert!(nodes() < first);
    }

    #[test]
    fn a_position_without_moves_has_no_lines() {
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").expect("a position");
        let analysis = analyst(Memory::Fresh).analyse(&mated, &Budget::nodes(100));
        assert_eq!(analysis.expect("no failure").lines, []);
    }
}
