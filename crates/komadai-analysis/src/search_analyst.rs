//! A searcher that analyses book positions.

use std::fmt;
use std::num::NonZero;

use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position};
use komadai_engine::{Evaluation, standard_searcher};
use komadai_eval::Evaluator;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};

/// Analyses positions by a search in this process.
///
/// [`standard`](SearchAnalyst::standard) uses the searcher of the embedded player,
/// [`new`](SearchAnalyst::new) the alpha-beta search with any evaluator,
/// [`with_searcher`](SearchAnalyst::with_searcher) any other [`Searcher`].
///
/// # Examples
///
/// ```
/// use komadai_analysis::{Memory, SearchAnalyst};
/// use komadai_core::{Analyst, Budget, Position};
/// use komadai_search::SearchOptions;
///
/// let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
/// let mut analyst = SearchAnalyst::standard(options, Memory::Fresh);
/// let analysis = analyst.analyse(&Position::hirate(), &Budget::nodes(2_000))?;
/// assert!(analysis.best_move().is_some());
/// assert!(analyst.identity().options.ends_with("MultiPV=1 USI_Hash=4"));
/// # Ok::<(), komadai_core::AnalystError>(())
/// ```
///
/// An evaluation of your own, under a name that the book will show:
///
/// ```
/// use komadai_analysis::{Memory, SearchAnalyst};
/// use komadai_core::{Analyst, Budget, PieceKind, Position};
/// use komadai_eval::from_fn;
/// use komadai_search::SearchOptions;
///
/// let pawns = from_fn(|position: &Position| {
///     let held = |color| position.hand(color).count(PieceKind::Pawn) as i32;
///     100 * (held(position.side()) - held(!position.side()))
/// });
/// let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
/// let mut analyst = SearchAnalyst::new("Pawns-1", pawns, options, Memory::Fresh);
/// assert!(analyst.analyse(&Position::hirate(), &Budget::nodes(500))?.best_move().is_some());
/// assert_eq!(analyst.identity().options, "Evaluator=Pawns-1 MultiPV=1 USI_Hash=1");
/// # Ok::<(), komadai_core::AnalystError>(())
/// ```
pub struct SearchAnalyst<S = Box<dyn Searcher>> {
    identity: AnalystId,
    searcher: S,
    memory: Memory,
    /// The name of the evaluation and the options, if they are known: then the number of lines can
    /// be set.
    own: Option<(String, SearchOptions)>,
}

/// The memory of a searcher between two positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Memory {
    /// Cleared before each position. With one search thread, a budget in nodes then leads to the
    /// same analysis, whatever was analysed before and however many analysts share the positions.
    /// Forgetting visits only the memory that the last search has used: 0.1 ms after 500 nodes.
    #[default]
    Fresh,
    /// Kept, which helps for positions that follow each other.
    Kept,
}

impl<S> fmt::Debug for SearchAnalyst<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchAnalyst")
            .field("identity", &self.identity)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl SearchAnalyst {
    /// Returns an analyst with the searcher of the embedded player. Its identity names the
    /// evaluation.
    pub fn standard(options: SearchOptions, memory: Memory) -> Self {
        let name = Evaluation::default().name().to_owned();
        let identity = identity_of(&name, &options);
        let searcher = standard_searcher(options.clone());
        Self { own: Some((name, options)), ..Self::with_searcher(identity, searcher, memory) }
    }
}

impl<E: Evaluator> SearchAnalyst<AlphaBeta<E>> {
    /// Returns an analyst that searches with these options. The name of the evaluator becomes part
    /// of its [`identity`](Analyst::identity).
    pub fn new(evaluator_name: &str, evaluator: E, options: SearchOptions, memory: Memory) -> Self {
        let identity = identity_of(evaluator_name, &options);
        let searcher = AlphaBeta::new(evaluator, options.clone());
        let own = Some((evaluator_name.to_owned(), options));
        Self { own, ..Self::with_searcher(identity, searcher, memory) }
    }
}

/// The identity of an alpha-beta search with this evaluator and these options.
fn identity_of(evaluator_name: &str, options: &SearchOptions) -> AnalystId {
    let SearchOptions { hash_mib, multi_pv, .. } = options;
    let text = format!("Evaluator={evaluator_name} MultiPV={multi_pv} USI_Hash={hash_mib}");
    AnalystId { options: text, ..AnalystId::new("komadai", env!("CARGO_PKG_VERSION")) }
}

impl<S: Searcher> SearchAnalyst<S> {
    /// Returns an analyst with this searcher. The identity must name everything that the analyses
    /// depend on: program, version, evaluation and options. The number of lines is the searcher's.
    pub fn with_searcher(identity: AnalystId, searcher: S, memory: Memory) -> Self {
        Self { identity, searcher, memory, own: None }
    }

    /// Clears what the searcher has learned, whatever the memory between positions is.
    pub(crate) fn clear(&mut self) {
        self.searcher.new_game();
    }

    /// The searcher.
    pub fn searcher(&self) -> &S {
        &self.searcher
    }
}

impl<S: Searcher> Analyst for SearchAnalyst<S> {
    fn identity(&self) -> AnalystId {
        self.identity.clone()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        if self.memory == Memory::Fresh {
            self.searcher.new_game();
        }
        Ok(self.searcher.search(position, budget, &mut |_| {}))
    }

    fn scale(&self) -> f64 {
        self.searcher.scale()
    }

    /// The number becomes part of the identity.
    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        let Some((name, own)) = &self.own else { return Ok(()) };
        let multi_pv = lines.map_or(own.multi_pv, |lines| lines.get().into());
        let options = SearchOptions { multi_pv, ..own.clone() };
        let identity = identity_of(name, &options);
        if identity != self.identity {
            self.searcher.set_options(options);
            self.identity = identity;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analyst(memory: Memory) -> SearchAnalyst {
        let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
        SearchAnalyst::standard(options, memory)
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
    fn the_number_of_lines_can_be_set_and_is_part_of_the_identity() {
        let mut analyst = analyst(Memory::Fresh);
        let own = analyst.identity();
        let budget = Budget::nodes(2_000);
        for (lines, count) in [(3, 3), (1, 1), (0, 1), (600, 30), (2, 2), (0, 1)] {
            analyst.set_lines(NonZero::new(lines)).expect("no failure");
            let found = analyst.analyse(&Position::hirate(), &budget).expect("no failure");
            assert_eq!(found.lines.len(), count, "{lines} lines");
            let multi_pv = format!(" MultiPV={} ", lines.max(1));
            assert!(analyst.identity().options.contains(&multi_pv), "{}", analyst.identity());
        }
        assert_eq!(analyst.identity(), own);
        let of_its_own = AnalystId::new("mine", "1");
        let searcher = standard_searcher(SearchOptions { hash_mib: 1, ..SearchOptions::default() });
        let mut analyst = SearchAnalyst::with_searcher(of_its_own.clone(), searcher, Memory::Fresh);
        analyst.set_lines(NonZero::new(3)).expect("no failure");
        assert_eq!(analyst.identity(), of_its_own);
    }

    #[test]
    fn a_kept_memory_helps() {
        let mut analyst = analyst(Memory::Kept);
        let budget = Budget::depth(5);
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
