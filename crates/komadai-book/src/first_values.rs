//! First values for moves that have none, such as moves of games.
//!
//! The position after each such move is analysed briefly. The result is the value of the move. If
//! the position after the move is part of the book as well, the result also gives it the engine's
//! own move: otherwise the value of that position would follow from the moves of the games alone.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Line, Move, Position, Pv, Score,
};
use komadai_movegen::MoveGen as _;

use crate::analyse_all::analyse_all;
use crate::clock::seconds_since_1970;
use crate::logged_analysis::LoggedAnalysis;
use crate::run_error::RunError;
use crate::store::{Change, Store, StoreError};

/// The maximum number of positions of one batch. It bounds the memory.
const BATCH: usize = 20_000;

/// The number of analyses that are merged in one transaction: a transaction takes as long as a
/// short search.
const PER_TRANSACTION: usize = 32;

/// Events while moves get their first values.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum FirstValuesEvent {
    /// A batch of positions was collected.
    Batch {
        /// The number of positions.
        positions: usize,
    },
    /// A position of the batch was analysed, or its analyst failed.
    Analysed {
        /// The number of nodes that the earlier analyses of the batch visited.
        nodes: u64,
    },
    /// The batch is done.
    BatchDone,
}

/// The work that was done to give moves their first values.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_book::store::Store;
/// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position};
///
/// /// Has no opinion on any position.
/// struct Silent;
///
/// impl Analyst for Silent {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("silent", "1")
///     }
///
///     fn analyse(&mut self, _: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         Ok(Analysis::default())
///     }
/// }
///
/// // An empty store has no move without a value, so that nothing is analysed.
/// let folder = tempfile::tempdir()?;
/// let store = Store::create(folder.path().join("book.kbook"))?;
/// let (budget, stop) = (Budget::nodes(1_000), Arc::default());
/// let done = store.analyse_unvalued(&mut [Silent], &budget, &stop, &mut |_| {})?;
/// assert_eq!((done.analysed, done.nodes), (0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct FirstValues {
    /// The number of positions analysed.
    pub analysed: usize,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
    /// The number of moves without a value that were passed over because a book [cannot
    /// hold](komadai_bookfile::position_key::leads_out) the position after them. An import leaves
    /// such moves out.
    pub unheld: usize,
}

impl Store {
    /// Analyses positions until every move of the view has a value, with one thread for each
    /// analyst.
    ///
    /// Each position after a move without a value is analysed once, also if several moves lead
    /// there or it occurs in both orientations. Positions without any value are analysed
    /// themselves. Positions that a book cannot hold are passed over, and the moves to them stay
    /// without a value. Results are merged in the order of the positions. With a budget of nodes
    /// they do not depend on the number of analysts, except that all of them are logged under the
    /// identity of the first analyst.
    ///
    /// If `stop` is set, the analyses that are running are discarded and the method returns;
    /// calling it again continues the work. An error sets `stop`, so that the other analysts end
    /// early.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written, an analyst fails, or an analyst finds no line in a
    /// position that has legal moves. The results before are in the store.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use komadai_book::store::Store;
    /// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Line, Position, Score};
    /// use komadai_movegen::{MoveList, generate_legal};
    ///
    /// /// Gives every position the value 20 for the side to move.
    /// struct Optimist;
    ///
    /// impl Analyst for Optimist {
    ///     fn identity(&self) -> AnalystId {
    ///         AnalystId::new("optimist", "1")
    ///     }
    ///
    ///     fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
    ///         let mut moves = MoveList::new();
    ///         generate_legal(position, &mut moves);
    ///         let line = |&m| Line::exact(Score::cp(20), [m].into_iter().collect());
    ///         Ok(Analysis { lines: moves.first().map(line).into_iter().collect(), ..Analysis::default() })
    ///     }
    /// }
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// store.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
    /// let (budget, stop) = (Budget::nodes(1_000), Arc::default());
    /// let done = store.analyse_unvalued(&mut [Optimist], &budget, &stop, &mut |_| {})?;
    /// // The position after the move, and the start, which had no value.
    /// assert_eq!(done.analysed, 2);
    /// let start = store.position(&Position::hirate())?.expect("the move is in the view");
    /// assert_eq!(start.values[0].map(|value| value.score), Some(Score::cp(-20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse_unvalued<A: Analyst>(
        &self,
        analysts: &mut [A],
        budget: &Budget,
        stop: &Arc<AtomicBool>,
        on_event: &mut dyn FnMut(FirstValuesEvent),
    ) -> Result<FirstValues, RunError> {
        let budget = Budget { stop: Some(Arc::clone(stop)), ..budget.clone() };
        let mut total = FirstValues::default();
        loop {
            let Tasks { tasks, unheld, .. } = unvalued(self, BATCH)?;
            total.unheld = unheld;
            if tasks.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(total);
            }
            let Some(first) = analysts.first() else {
                return Err(RunError::NoAnalysts { positions: tasks.len() });
            };
            let analyst = first.identity();
            on_event(FirstValuesEvent::Batch { positions: tasks.len() });
            let batch = Batch { store: self, tasks: &tasks, analyst, stop };
            let done = batch.analyse(analysts, &budget, on_event)?;
            total.analysed += done.analysed;
            total.nodes += done.nodes;
            total.time += done.time;
            on_event(FirstValuesEvent::BatchDone);
        }
    }
}

/// A position to analyse, and the moves without a value that lead there.
struct Task {
    position: Position,
    moves: Vec<(Position, Move)>,
}

struct Batch<'b> {
    store: &'b Store,
    tasks: &'b [Task],
    /// The identity under which all results are logged.
    analyst: AnalystId,
    stop: &'b Arc<AtomicBool>,
}

impl Batch<'_> {
    fn analyse<A: Analyst>(
        &self,
        analysts: &mut [A],
        budget: &Budget,
        on_event: &mut dyn FnMut(FirstValuesEvent),
    ) -> Result<FirstValues, RunError> {
        let started = Instant::now();
        let mut done = FirstValues::default();
        let mut changes = Vec::new();
        let mut failure = None;
        let positions: Vec<Position> =
            self.tasks.iter().map(|task| task.position.clone()).collect();
        analyse_all(analysts, &positions, budget, |index, result| {
            on_event(FirstValuesEvent::Analysed { nodes: done.nodes });
            let merged = result.map_err(RunError::from).and_then(|found| {
                done.analysed += 1;
                done.nodes += found.nodes;
                changes.extend(self.changes(&self.tasks[index], found)?);
                if done.analysed.is_multiple_of(PER_TRANSACTION) {
                    self.store.merge_batch(&mem::take(&mut changes))?;
                }
                Ok(())
            });
            if let Err(error) = merged {
                failure.get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
            }
        });
        // The results before a failure are merged as well.
        let merged = self.store.merge_batch(&changes);
        done.time = started.elapsed();
        match failure {
            Some(error) => Err(error),
            None => Ok(merged.map(|_| done)?),
        }
    }

    /// The evaluations that follow from an analysis of a task's position.
    fn changes(&self, task: &Task, found: Analysis) -> Result<Vec<Change>, RunError> {
        let when = seconds_since_1970();
        let mut logged = Vec::new();
        let after = self.with_line(&task.position, &found)?;
        if self.store.position(&task.position)?.is_some() {
            let analyst = self.analyst.clone();
            logged.push(LoggedAnalysis::new(task.position.clone(), found, analyst));
        }
        logged.extend(task.moves.iter().map(|(position, m)| {
            LoggedAnalysis::of_successor(position.clone(), *m, &after, self.analyst.clone())
        }));
        Ok(logged.into_iter().map(|logged| LoggedAnalysis { when, ..logged }.into()).collect())
    }

    /// The analysis. In a position without legal moves analysts find no line: it is lost for the
    /// side to move.
    fn with_line(&self, position: &Position, found: &Analysis) -> Result<Analysis, AnalystError> {
        if !found.lines.is_empty() {
            return Ok(found.clone());
        }
        if position.has_legal_move() {
            let engine = self.analyst.name.clone();
            let position = position.to_string();
            return Err(AnalystError::NoLine { engine, position });
        }
        let lost = Line::exact(Score::mated_in(0), Pv::new());
        Ok(Analysis { lines: vec![lost], ..found.clone() })
    }
}

/// The positions after moves without a value, each once, then the positions without any value; at
/// most about `limit` of them, but with all moves without a value of the last position.
fn unvalued(store: &Store, limit: usize) -> Result<Tasks, StoreError> {
    let mut tasks = Tasks::default();
    let mut without_value = Vec::new();
    for stored in store.records()? {
        let stored = stored?;
        if tasks.tasks.len() >= limit {
            continue;
        }
        let position = &stored.record.position;
        for (listed, _) in stored.moves().filter(|(_, value)| value.is_none()) {
            let next = position.after(listed.m).without_history();
            match tasks.of(next) {
                Some(task) => task.moves.push((position.clone(), listed.m)),
                None => tasks.unheld += 1,
            }
        }
        if stored.best_score().is_none() {
            without_value.push(position.clone());
        }
    }
    // The start of the game follows no move. With a full batch, other positions without a value may
    // be successors of positions that were not visited yet: they are left to the next batch.
    if tasks.tasks.len() < limit {
        for position in without_value {
            tasks.of(position);
        }
    }
    Ok(tasks)
}

#[derive(Default)]
struct Tasks {
    tasks: Vec<Task>,
    /// The index of each position's task.
    indices: HashMap<PositionKey, usize>,
    /// The number of moves to positions that a book cannot hold.
    unheld: usize,
}

impl Tasks {
    /// The task of a position, which is added if there is none; `None` if a book cannot hold the
    /// position.
    fn of(&mut self, position: Position) -> Option<&mut Task> {
        let next = self.tasks.len();
        let index = *self.indices.entry(PositionKey::try_of(&position).ok()?).or_insert(next);
        if index == next {
            self.tasks.push(Task { position, moves: Vec::new() });
        }
        Some(&mut self.tasks[index])
    }
}

#[cfg(test)]
mod tests;
