//! The values that differ between two states of a book.

use komadai_bookgraph::BookGraph;
use komadai_core::{Move, Position, Score};
use rayon::prelude::*;

use super::for_black::for_black;
use super::lines_to::lines_to;

/// The changes of the values of a book since an earlier state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChanges {
    /// The name of the earlier state; empty if it has none.
    pub since: String,
    /// The number of positions that have a value in both.
    pub compared: u64,
    /// The number of positions whose values differ.
    pub changed: u64,
    /// The number of positions that have a value only now.
    pub gained: u64,
    /// The number of positions that had a value only before.
    pub lost: u64,
    /// The largest changes, largest first, at the positions where they originate. Positions that
    /// only pass on a change after their best move are omitted.
    pub biggest: Vec<ValueChange>,
}

/// A position whose value has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// The position.
    pub position: Position,
    /// The earlier value for Black.
    pub before: Score,
    /// The later value for Black.
    pub after: Score,
    /// The move that was best before.
    pub best_before: Option<Move>,
    /// The move that is best after.
    pub best_after: Option<Move>,
    /// The moves of the later book that lead from the root of the report to the position; `None` if
    /// none do, or the book is too large to search.
    pub line: Option<Vec<Move>>,
}

/// The bound of the values that are compared, in centipawns: games beyond it are decided, so
/// differences there do not matter.
const MOST_COUNTED: i32 = 3_000;

impl ValueChanges {
    /// Compares two states, and returns at most `most` of the largest changes, with lines from
    /// `root`.
    ///
    /// Takes time proportional to the book, on all cores.
    pub fn between(earlier: &BookGraph, later: &BookGraph, root: &Position, most: usize) -> Self {
        let numbers = later.numbers();
        let valued: Vec<ComparedPosition> = numbers
            .into_par_iter()
            .filter_map(|number| ComparedPosition::of(earlier, later, number))
            .collect();
        let compared = valued.iter().filter(|found| found.difference.is_some()).count() as u64;
        let mut changed: Vec<(i32, u32)> = valued
            .iter()
            .filter_map(|found| Some((found.difference.filter(|&by| by != 0)?, found.number)))
            .collect();
        changed.sort_by_key(|&(by, number)| (-by.abs(), number));
        let biggest = changed.iter().filter_map(|&(_, number)| origin(earlier, later, number));
        let mut biggest: Vec<ValueChange> = biggest.take(most).collect();
        let positions: Vec<&Position> = biggest.iter().map(|change| &change.position).collect();
        let lines = lines_to(later, root, &positions);
        biggest.iter_mut().zip(lines).for_each(|(change, line)| change.line = line);
        Self {
            since: String::new(),
            compared,
            changed: changed.len() as u64,
            gained: valued.len() as u64 - compared,
            lost: (earlier.len() as u64).saturating_sub(compared),
            biggest,
        }
    }
}

/// A position with a value in the later state.
struct ComparedPosition {
    number: u32,
    /// The later value minus the earlier one, if there is one.
    difference: Option<i32>,
}

impl ComparedPosition {
    fn of(earlier: &BookGraph, later: &BookGraph, number: u32) -> Option<Self> {
        let after = later.value_at(number)?.score;
        let before = earlier.value(&later.position_at(number));
        let counted = |score: Score| score.raw().clamp(-MOST_COUNTED, MOST_COUNTED);
        let difference = before.map(|before| counted(after) - counted(before.score));
        Some(Self { number, difference })
    }
}

/// The change of a position if it originates there.
fn origin(earlier: &BookGraph, later: &BookGraph, number: u32) -> Option<ValueChange> {
    let position = later.position_at(number);
    let (before, after) = (earlier.value(&position)?.score, later.value(&position)?.score);
    let best_of = |graph: &BookGraph| graph.moves(&position).first().map(|best| best.m);
    let (best_before, best_after) = (best_of(earlier), best_of(later));
    if let Some(m) = best_after {
        let next = position.after(m);
        let passed_on = |graph: &BookGraph, value: Score| {
            graph.value(&next).is_some_and(|next| -next.score == value)
        };
        if passed_on(earlier, before) && passed_on(later, after) {
            return None;
        }
    }
    let [before, after] = [before, after].map(|score| for_black(score, position.side()));
    Some(ValueChange { position, before, after, best_before, best_after, line: None })
}
