//! Rules for joining two records of one position.

use crate::record::{BookRecord, RecordMove, RecordResults};

/// The rule for several records of one position, in any orientation, from one book or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MergeRule {
    /// The first record, whole.
    First,
    /// The last record, whole, but in the orientation and with the move number of the first.
    Last,
    /// The moves, comments and evaluations of all records, and the sums of counts and results. A
    /// move of several records gets its value by the [`Conflict`] rule.
    Union(Conflict),
}

/// The rule for the value, depth and expected answer of a move that several records have.
///
/// With every rule, a record with a value takes precedence over one without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Conflict {
    /// The data of the first record.
    First,
    /// The data of the last record, which is the newest if the books are given oldest first.
    Last,
    /// The data of the record with the greatest depth; of the first for equal or unknown depths.
    Deeper,
}

impl MergeRule {
    /// Joins `next`, which comes later and has the same orientation, into `first`. Returns the
    /// number of moves for which the records have different values.
    pub(super) fn join(self, first: &mut BookRecord, next: BookRecord) -> u64 {
        match self {
            Self::First => 0,
            Self::Last => {
                let BookRecord { position: _, ply: _, moves, comment, results, evals } = next;
                (first.moves, first.comment) = (moves, comment);
                (first.results, first.evals) = (results, evals);
                0
            }
            Self::Union(conflict) => unite(first, next, conflict),
        }
    }
}

fn unite(first: &mut BookRecord, next: BookRecord, conflict: Conflict) -> u64 {
    let BookRecord { position: _, ply: _, moves, comment, results, evals } = next;
    join_comments(&mut first.comment, comment);
    first.results = match (first.results, results) {
        (Some(ours), Some(theirs)) => Some(sum(ours, theirs)),
        (ours, theirs) => ours.or(theirs),
    };
    for eval in evals {
        if !first.evals.contains(&eval) {
            first.evals.push(eval);
        }
    }
    let mut conflicts = 0;
    for listed in moves {
        match first.moves.iter_mut().find(|known| known.m == listed.m) {
            None => first.moves.push(listed),
            Some(known) => {
                let differ = known.score.is_some() && listed.score.is_some();
                conflicts += u64::from(differ && known.score != listed.score);
                join_moves(known, listed, conflict);
            }
        }
    }
    conflicts
}

fn join_moves(first: &mut RecordMove, next: RecordMove, conflict: Conflict) {
    let takes_next = match (first.score, next.score) {
        (None, Some(_)) => true,
        (_, None) => false,
        (Some(_), Some(_)) => match conflict {
            Conflict::First => false,
            Conflict::Last => true,
            Conflict::Deeper => next.depth > first.depth,
        },
    };
    if takes_next {
        first.score = next.score;
        first.depth = next.depth;
        first.ponder = next.ponder.or(first.ponder);
        first.mark = next.mark.or(first.mark);
    } else {
        first.depth = first.depth.or(next.depth.filter(|_| first.score == next.score));
        first.ponder = first.ponder.or(next.ponder);
        first.mark = first.mark.or(next.mark);
    }
    first.count = match (first.count, next.count) {
        (Some(ours), Some(theirs)) => Some(ours.saturating_add(theirs)),
        (ours, theirs) => ours.or(theirs),
    };
    join_comments(&mut first.comment, next.comment);
}

/// Appends a comment as another line, unless the two are equal.
fn join_comments(first: &mut String, next: String) {
    if first.is_empty() {
        *first = next;
    } else if !next.is_empty() && *first != next {
        first.push('\n');
        first.push_str(&next);
    }
}

fn sum(ours: RecordResults, theirs: RecordResults) -> RecordResults {
    RecordResults {
        games: ours.games.saturating_add(theirs.games),
        black_wins: ours.black_wins.saturating_add(theirs.black_wins),
        white_wins: ours.white_wins.saturating_add(theirs.white_wins),
    }
}
