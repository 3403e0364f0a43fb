//! The order in which positions are analysed again after a change of the engine.

use core::cmp::Reverse;
use std::collections::HashMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};

use crate::logged_analysis::AnalystIndex;
use crate::stored_record::StoredRecord;

/// The definition of fresh values and of contenders for the best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RefreshOptions {
    /// The engine whose values are wanted; `None` for an engine without any analysis in the book,
    /// so that no value is fresh.
    pub wanted: Option<AnalystIndex>,
    /// Minimum number of nodes of a fresh value.
    pub min_nodes: u64,
    /// Maximum difference in centipawns between the best move and a contender. After an engine
    /// change 30 to 50 is appropriate, because the scales of engines differ.
    pub eval_diff: u32,
}

impl RefreshOptions {
    /// Creates options with contenders within 30 centipawns, and any number of nodes for a fresh
    /// value.
    pub fn new(wanted: impl Into<Option<AnalystIndex>>) -> Self {
        Self { wanted: wanted.into(), min_nodes: 0, eval_diff: 30 }
    }
}

/// A position that is analysed before others, such as a position of the frontier or of the
/// principal variation.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Urgent {
    /// The position. It need not be in the book.
    pub position: Position,
    /// The priority; higher ones come first.
    pub priority: i64,
}

/// A position to be analysed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshItem {
    /// The reason for its place in the plan.
    pub rank: RefreshRank,
    /// The number of moves whose values are not fresh; 0 for a position that is not in the book.
    pub stale_moves: usize,
    key: PositionKey,
    side: Color,
    ply: u32,
}

/// The reason for the place of a position in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RefreshRank {
    /// The position is urgent, with this priority.
    Urgent(i64),
    /// The best move of the position is in question.
    Contested {
        /// The number of moves, including the best, whose values lie within `eval_diff` of the best
        /// and are not fresh. With more contenders a change of the best move is more likely.
        contenders: usize,
        /// The sum of the differences between the best value and the contenders, in centipawns.
        distance: u64,
    },
}

impl RefreshItem {
    /// Returns the position in the orientation of the book or of the list of urgent positions.
    #[expect(clippy::missing_panics_doc, reason = "every key of a plan was made of a position")]
    pub fn position(&self) -> Position {
        self.key.position(self.side, self.ply).expect("the key was made of a position")
    }
}

/// Plans the positions to be analysed again, from records that are added one at a time, as by
/// `Store::records`. They come in this order:
///
/// 1. urgent positions that are not in the book or have a value that is not fresh, the highest
///    priority first;
/// 2. other positions whose best move is in question, because a value within `eval_diff` of the
///    best is not fresh: the positions with most contenders first, and among these the positions
///    whose contenders are nearest to the best.
///
/// Ties are broken by the bytes of the packed positions. A value is fresh if it comes from the
/// wanted engine with at least `min_nodes` nodes. Positions that a book cannot hold are passed
/// over. Takes time O(n log n) and about a hundred bytes for each planned position.
#[derive(Debug)]
pub struct RefreshPlanner {
    options: RefreshOptions,
    /// The urgent positions that have not been added so far.
    urgent: HashMap<PositionKey, RefreshItem>,
    items: Vec<RefreshItem>,
    unheld: usize,
}

impl RefreshPlanner {
    /// Creates a plan with these urgent positions. The higher priority counts for a repeated
    /// position.
    pub fn new(urgent: &[Urgent], options: RefreshOptions) -> Self {
        let mut named: HashMap<PositionKey, RefreshItem> = HashMap::new();
        let mut unheld = 0;
        for Urgent { position, priority } in urgent {
            let Ok(key) = PositionKey::try_of(position) else {
                unheld += 1;
                continue;
            };
            let item = item(position, key, RefreshRank::Urgent(*priority), 0);
            let known = named.entry(key).or_insert(item);
            if matches!(known.rank, RefreshRank::Urgent(known) if known < *priority) {
                known.rank = item.rank;
            }
        }
        Self { options, urgent: named, items: Vec::new(), unheld }
    }

    /// Returns the number of positions that were passed over because a book
    /// [cannot hold](komadai_bookfile::position_key::leads_out) them.
    pub fn unheld(&self) -> usize {
        self.unheld
    }

    /// Adds a position of the book.
    pub fn add(&mut self, record: &StoredRecord) {
        let Ok(key) = PositionKey::try_of(&record.record.position) else {
            self.unheld += 1;
            return;
        };
        let named = self.urgent.remove(&key);
        let Some(best) = record.best_score() else {
            // Without values nothing can be contested: the position is planned only if it is
            // urgent.
            self.items.extend(named);
            return;
        };
        let mut stale_moves = 0;
        let mut contenders = 0;
        let mut distance = 0;
        for value in record.values.iter().flatten() {
            if Some(value.analyst) == self.options.wanted && value.nodes >= self.options.min_nodes {
                continue;
            }
            stale_moves += 1;
            let behind = best.raw().abs_diff(value.score.raw());
            if behind <= self.options.eval_diff {
                contenders += 1;
                distance += u64::from(behind);
            }
        }
        let rank = match named {
            Some(named) if stale_moves > 0 => named.rank,
            None if contenders > 0 => RefreshRank::Contested { contenders, distance },
            _ => return,
        };
        self.items.push(item(&record.record.position, key, rank, stale_moves));
    }

    /// Returns the plan. Urgent positions that were not added are not in the book, so they are
    /// planned.
    #[must_use]
    pub fn finish(mut self) -> Vec<RefreshItem> {
        self.items.extend(self.urgent.into_values());
        // Both variants share one key type; constants fill the fields that a variant does not use.
        self.items.sort_by_key(|item| match item.rank {
            RefreshRank::Urgent(priority) => (0, Reverse(priority), Reverse(0), 0, item.key),
            RefreshRank::Contested { contenders, distance } => {
                (1, Reverse(0), Reverse(contenders), distance, item.key)
            }
        });
        self.items
    }
}

fn item(
    position: &Position,
    key: PositionKey,
    rank: RefreshRank,
    stale_moves: usize,
) -> RefreshItem {
    RefreshItem { rank, stale_moves, key, side: position.side(), ply: position.ply() }
}

#[cfg(test)]
mod tests {
    use komadai_bookfile::{BookRecord, RecordMove};
    use komadai_core::{Bound, Score};

    use super::*;

    fn plan_refresh(
        records: &[StoredRecord],
        urgent: &[Urgent],
        options: &RefreshOptions,
    ) -> Vec<RefreshItem> {
        let mut planner = RefreshPlanner::new(urgent, *options);
        records.iter().for_each(|record| planner.add(record));
        planner.finish()
    }
    use crate::logged_analysis::Source;
    use crate::stored_record::StoredValue;

    const OLD: AnalystIndex = AnalystIndex(0);
    const NEW: AnalystIndex = AnalystIndex(1);
    const OPTIONS: RefreshOptions =
        RefreshOptions { wanted: Some(NEW), min_nodes: 1_000, eval_diff: 30 };

    /// Returns the record of the position after one move, with the values of the replies.
    fn record(first: &str, values: &[(&str, i32, AnalystIndex, u64)]) -> StoredRecord {
        let position = Position::hirate().after(first.parse().unwrap());
        let mut record = BookRecord::new(position);
        let mut stored = Vec::new();
        for &(m, cp, analyst, nodes) in values {
            let score = Score::cp(cp);
            let m = m.parse().unwrap();
            record.moves.push(RecordMove { score: Some(score), ..RecordMove::new(m) });
            stored.push(Some(StoredValue {
                score,
                bound: Bound::Exact,
                depth: 0,
                nodes,
                analyst,
                source: Source::Search,
                when: 0,
                sequence: 0,
                evaluations: 1,
            }));
        }
        StoredRecord { record, values: stored, barred: Vec::new() }
    }

    fn plan(records: &[StoredRecord], urgent: &[(&str, i64)]) -> Vec<(String, RefreshRank)> {
        let position = |first: &str| Position::hirate().after(first.parse().unwrap());
        let urgent: Vec<_> = urgent
            .iter()
            .map(|&(first, priority)| Urgent { position: position(first), priority })
            .collect();
        let items = plan_refresh(records, &urgent, &OPTIONS);
        let name = |item: &RefreshItem| {
            let moves = ["7g7f", "2g2f", "5g5f", "6g6f", "1g1f", "9g9f", "3g3f"];
            let sfen = item.position().to_string();
            let found = moves.iter().find(|first| position(first).to_string() == sfen);
            found.unwrap().to_string()
        };
        items.iter().map(|item| (name(item), item.rank)).collect()
    }

    #[test]
    fn urgent_ones_come_first_and_contested_ones_by_their_contenders() {
        let records = [
            // One contender: the second move is 31 behind.
            record("7g7f", &[("3c3d", 40, OLD, 5_000), ("8c8d", 9, OLD, 5_000)]),
            // Fresh, and fresh but for its nodes.
            record("2g2f", &[("3c3d", 40, NEW, 1_000), ("8c8d", 39, NEW, 2_000)]),
            record("5g5f", &[("3c3d", 40, NEW, 999), ("8c8d", 20, OLD, 5_000)]),
            // Two contenders with a smaller distance.
            record("6g6f", &[("3c3d", 40, OLD, 5_000), ("8c8d", 35, OLD, 5_000)]),
            // The only stale move is far behind the best, so it is no contender.
            record("1g1f", &[("3c3d", 40, NEW, 5_000), ("8c8d", -90, OLD, 5_000)]),
            // Fresh, though urgent.
            record("9g9f", &[("3c3d", 40, NEW, 5_000)]),
        ];
        let contested = |contenders, distance| RefreshRank::Contested { contenders, distance };
        assert_eq!(
            plan(&records, &[]),
            [
                ("6g6f".into(), contested(2, 5)),
                ("5g5f".into(), contested(2, 20)),
                ("7g7f".into(), contested(1, 0)),
            ]
        );
        // Urgent positions are planned if they are not in the book or have a stale value, even a
        // bad one.
        let urgent = [("7g7f", 1), ("3g3f", 5), ("1g1f", -3), ("9g9f", 9), ("3g3f", 2)];
        assert_eq!(
            plan(&records, &urgent),
            [
                ("3g3f".into(), RefreshRank::Urgent(5)),
                ("7g7f".into(), RefreshRank::Urgent(1)),
                ("1g1f".into(), RefreshRank::Urgent(-3)),
                ("6g6f".into(), contested(2, 5)),
                ("5g5f".into(), contested(2, 20)),
            ]
        );
    }

    #[test]
    fn without_values_of_the_wanted_engine_no_value_is_fresh() {
        let fresh = [record("7g7f", &[("3c3d", 40, NEW, 5_000)])];
        let wanted = RefreshOptions { wanted: None, ..OPTIONS };
        assert_eq!(plan_refresh(&fresh, &[], &wanted).len(), 1);
        assert_eq!(plan_refresh(&fresh, &[], &OPTIONS), []);
    }

    #[test]
    fn a_position_without_values_is_planned_only_if_urgent() {
        let mut unknown = record("7g7f", &[]);
        unknown.record.moves.push(RecordMove::new("3c3d".parse().unwrap()));
        unknown.values.push(None);
        assert_eq!(plan(std::slice::from_ref(&unknown), &[]), []);
        let planned = plan(std::slice::from_ref(&unknown), &[("7g7f", 4)]);
        assert_eq!(planned, [("7g7f".into(), RefreshRank::Urgent(4))]);
    }
}
