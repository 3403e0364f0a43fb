//! Analyses that a working book keeps, and an analyst that takes them from there.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use komadai_book::clock::seconds_since_1970;
use komadai_book::file::position_key::PositionKey;
use komadai_book::store::{Change, Store, StoreError};
use komadai_book::{LoggedAnalysis, Source};
use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Bound, Budget, Line, Position};
use komadai_movegen::{MoveGen as _, Repetition};

/// The log of a working book as the memory of analyses: what an engine has analysed deeply enough is
/// taken from it, and what it analyses anew is added.
///
/// Each analysis is on disk when the next one begins. One process at a time has the book
/// ([`StoreError::InUse`]); any number of analysts of the process share it.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::sync::Arc;
///
/// use komadai_analysis::AnalysisMemory;
/// use komadai_analysis::game_analysis::GameAnalyst;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let folder = tempfile::tempdir()?;
/// let memory = Arc::new(AnalysisMemory::open(folder.path().join("memory.kbook"))?);
/// let record = parse_usi_games("startpos moves 7g7f 3c3d", Tolerance::Strict)?.records.remove(0);
/// for (taken, added) in [(0, 3), (3, 3)] {
///     let analyst = GameAnalyst::embedded(NonZero::<usize>::MIN).with_nodes(500);
///     analyst.with_memory(&memory).analyse(&record, |_| ())?;
///     assert_eq!((memory.taken(), memory.added()), (taken, added));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnalysisMemory {
    store: Store,
    taken: AtomicU64,
    added: AtomicU64,
    /// The first failure of the book. After it nothing is taken or added.
    failure: Mutex<Option<StoreError>>,
}

impl AnalysisMemory {
    /// Opens a working book, or creates it if there is no file.
    ///
    /// # Errors
    ///
    /// Those of [`Store::open_or_create`]: it is in use, not writable, or no store.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let store = Store::open_or_create(path)?;
        Ok(Self {
            store,
            taken: AtomicU64::new(0),
            added: AtomicU64::new(0),
            failure: Mutex::new(None),
        })
    }

    /// Returns the number of analyses that were taken from the book.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Returns the number of analyses that were added to the book.
    pub fn added(&self) -> u64 {
        self.added.load(Ordering::Relaxed)
    }

    /// Takes the first failure of the book, if there was one: analyses after it are not in the book.
    pub fn take_failure(&self) -> Option<StoreError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns an analysis of the position by the same engine that meets the budget and has as many
    /// lines as the engine would find now.
    fn find(&self, position: &Position, analyst: &AnalystId, budget: &Budget) -> Option<Analysis> {
        let entries = self.store.analyses(position);
        let entries = entries.map_err(|error| self.fail(error)).ok()?;
        let lines = lines_of(analyst).min(position.legal_moves().len());
        let fitting = entries.into_iter().map(|entry| entry.analysis).filter(|logged| {
            logged.source == Source::Search
                && is_same_engine(&logged.analyst, analyst)
                && logged.analysis.lines.len() >= lines
                && is_enough(&logged.analysis, budget)
        });
        let best = fitting.max_by_key(|logged| logged.analysis.nodes)?;
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(turned_to(position, best))
    }

    fn add(&self, position: &Position, analysis: &Analysis, analyst: AnalystId) {
        if self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return;
        }
        let position = position.without_history();
        let logged = LoggedAnalysis::new(position, analysis.clone(), analyst);
        let logged = LoggedAnalysis { when: seconds_since_1970(), ..logged };
        match self.store.merge_batch(&[Change::Analysis(logged)]) {
            Ok(_) => {
                self.added.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&self, error: StoreError) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
    }
}

/// An analyst that asks an [`AnalysisMemory`] first.
pub(crate) struct RememberingAnalyst {
    pub(crate) analyst: Box<dyn Analyst>,
    pub(crate) memory: Arc<AnalysisMemory>,
}

impl Analyst for RememberingAnalyst {
    fn identity(&self) -> AnalystId {
        self.analyst.identity()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        // The value of a position that stood before depends on the moves between.
        let can_be_kept = PositionKey::try_of(&position.without_history()).is_ok()
            && position.repetition() == Repetition::None;
        if !can_be_kept {
            return self.analyst.analyse(position, budget);
        }
        let identity = self.analyst.identity();
        if let Some(known) = self.memory.find(position, &identity, budget) {
            return Ok(known);
        }
        let found = self.analyst.analyse(position, budget)?;
        // An analysis that was stopped would look like one that needed no more.
        if !budget.is_stopped() && !found.lines.is_empty() {
            self.memory.add(position, &found, identity);
        }
        Ok(found)
    }

    fn set_lines(&mut self, lines: Option<std::num::NonZero<u16>>) -> Result<(), AnalystError> {
        self.analyst.set_lines(lines)
    }

    fn scale(&self) -> f64 {
        self.analyst.scale()
    }

    fn forget(&mut self) {
        self.analyst.forget();
    }
}

/// The options of an analyst that change the speed of a search or the number of its lines, and not the
/// meaning of its values.
const NEUTRAL_OPTIONS: [&str; 3] = ["USI_Hash=", "Threads=", "MultiPV="];

/// Returns the number of lines that an analyst finds, as its options say.
fn lines_of(analyst: &AnalystId) -> usize {
    let lines = |word: &str| word.strip_prefix("MultiPV=")?.parse().ok();
    analyst.options.split_whitespace().find_map(lines).unwrap_or(1)
}

/// Returns whether two analysts are the same engine with the same evaluation.
fn is_same_engine(one: &AnalystId, other: &AnalystId) -> bool {
    let options = |id: &AnalystId| -> Vec<String> {
        let words = id.options.split_whitespace();
        let words =
            words.filter(|word| !NEUTRAL_OPTIONS.iter().any(|start| word.starts_with(start)));
        words.map(str::to_owned).collect()
    };
    (&one.name, &one.version) == (&other.name, &other.version) && options(one) == options(other)
}

/// Returns whether an analysis is what a search with this budget would find at least: an exact value
/// with as many nodes, plies or nine tenths of the time; a proven mate always is.
fn is_enough(analysis: &Analysis, budget: &Budget) -> bool {
    let Some(best) = analysis.lines.first() else { return false };
    if best.bound != Bound::Exact || best.pv.is_empty() {
        return false;
    }
    let time = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    best.score.is_mate()
        || budget.least_nodes().is_none_or(|nodes| analysis.nodes >= nodes)
            && budget.depth.is_none_or(|depth| analysis.depth >= depth)
            && time.is_none_or(|time| analysis.time >= time.mul_f64(0.9))
}

/// Returns an analysis for a position in the orientation of the position: both share one entry.
fn turned_to(position: &Position, logged: LoggedAnalysis) -> Analysis {
    if logged.position.side() == position.side() {
        return logged.analysis;
    }
    let turn = |line: Line| Line { pv: line.pv.iter().map(|m| m.flipped()).collect(), ..line };
    let lines = logged.analysis.lines.into_iter().map(turn).collect();
    Analysis { lines, ..logged.analysis }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use komadai_core::Score;

    use super::*;

    fn analysis(score: Score, nodes: u64, depth: u32) -> Analysis {
        let line = Line::exact(score, "7g7f 3c3d".parse().unwrap());
        Analysis { lines: vec![line], nodes, depth, completed: true, ..Analysis::default() }
    }

    fn engine(options: &str) -> AnalystId {
        AnalystId { options: options.to_owned(), ..AnalystId::new("engine", "1") }
    }

    #[test]
    fn engines_are_the_same_by_their_evaluation() {
        let one = engine("Evaluator=a MultiPV=1 USI_Hash=32");
        assert!(is_same_engine(&one, &engine("Evaluator=a MultiPV=4 USI_Hash=16 Threads=2")));
        assert!(!is_same_engine(&one, &engine("Evaluator=b MultiPV=1 USI_Hash=32")));
        let other = AnalystId { version: "2".to_owned(), ..one.clone() };
        assert!(!is_same_engine(&one, &other));
    }

    #[test]
    fn an_analysis_is_enough_by_the_limits_of_the_budget() {
        let known = analysis(Score::cp(30), 1_000, 9);
        for (budget, expected) in [
            (Budget::about(1_000), true),
            (Budget::about(1_001), false),
            (Budget::depth(9), true),
            (Budget::depth(10), false),
            (Budget::time(Duration::from_secs(60)), false),
        ] {
            assert_eq!(is_enough(&known, &budget), expected, "{budget:?}");
            assert!(is_enough(&analysis(Score::mate_in(5), 1, 1), &budget));
        }
        let mut bound = known.clone();
        bound.lines[0].bound = Bound::Lower;
        assert!(!is_enough(&bound, &Budget::about(1_000)));
        assert!(!is_enough(&Analysis::default(), &Budget::about(1)));
        let timed = Analysis { time: Duration::from_secs(58), ..known };
        assert!(is_enough(&timed, &Budget::time(Duration::from_secs(60))));
    }

    #[test]
    fn both_orientations_share_an_analysis() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.kbook");
        let memory = AnalysisMemory::open(&path).unwrap();
        let start = Position::hirate();
        memory.add(&start, &analysis(Score::cp(30), 1_000, 9), engine(""));
        let budget = Budget::about(500);
        let same = memory.find(&start, &engine(""), &budget).unwrap();
        assert_eq!(same.lines[0].pv.to_string(), "7g7f 3c3d");
        let turned = memory.find(&start.flipped(), &engine(""), &budget).unwrap();
        assert_eq!(turned.lines[0].pv.to_string(), "3c3d 7g7f");
        assert_eq!(turned.score(), same.score());
        assert!(memory.find(&start, &engine("Evaluator=other"), &budget).is_none());
        assert!(memory.find(&start, &engine(""), &Budget::about(5_000)).is_none());
        assert!(memory.find(&start, &engine("MultiPV=2"), &budget).is_none());
        assert_eq!((memory.taken(), memory.added()), (2, 1));
        assert!(matches!(AnalysisMemory::open(&path), Err(StoreError::InUse { .. })));
        drop(memory);
        let again = AnalysisMemory::open(&path).unwrap();
        assert!(again.find(&start, &engine(""), &budget).is_some());
        assert!(again.take_failure().is_none());
    }
}
