//! Results in the order in which their jobs were planned.

use std::collections::{HashMap, HashSet, VecDeque};

use komadai_bookfile::position_key::PositionKey;

use crate::queue::QueuedResult;

/// The planned jobs without a result in the graph, in the order of the plan, with the results that
/// arrived before their turn.
///
/// The order in which analysts finish depends on their number and on their speed. A selection must
/// not: it sees the results of a beginning of the plan, however many more there are already.
#[derive(Debug, Default)]
pub(super) struct MergeOrder {
    jobs: VecDeque<PositionKey>,
    planned: HashSet<PositionKey>,
    arrived: HashMap<PositionKey, QueuedResult>,
    /// Results of jobs that are not part of the plan.
    others: VecDeque<QueuedResult>,
    /// The numbers of the results.
    ids: HashSet<u64>,
}

impl MergeOrder {
    /// Appends a job, unless it is part of the plan already.
    pub(super) fn push(&mut self, job: PositionKey) {
        if self.planned.insert(job) {
            self.jobs.push_back(job);
        }
    }

    /// The number of planned jobs whose results have not had their turn.
    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.others.is_empty()
    }

    /// The number of results that have not had their turn.
    pub(super) fn results(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether the result with this number is among them.
    pub(super) fn has(&self, id: u64) -> bool {
        self.ids.contains(&id)
    }

    /// Adds a result.
    pub(super) fn add(&mut self, result: QueuedResult) {
        self.ids.insert(result.id);
        let key = PositionKey::try_of(&result.result.position);
        let before = match key {
            Ok(key) if self.planned.contains(&key) => self.arrived.insert(key, result),
            _ => Some(result),
        };
        self.others.extend(before);
    }

    /// The result whose turn it is; `None` if it has not arrived.
    pub(super) fn next(&mut self) -> Option<QueuedResult> {
        let result = match self.others.pop_front() {
            Some(other) => other,
            None => {
                let result = self.arrived.remove(self.jobs.front()?)?;
                self.planned.remove(&self.jobs.pop_front()?);
                result
            }
        };
        self.ids.remove(&result.id);
        Some(result)
    }

    /// Gives up the jobs without a result.
    pub(super) fn skip_missing(&mut self) {
        self.jobs.retain(|job| self.arrived.contains_key(job));
        self.planned.retain(|job| self.arrived.contains_key(job));
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Analysis, AnalystId, Position};

    use super::*;
    use crate::logged_analysis::LoggedAnalysis;

    #[test]
    fn results_come_in_the_order_of_the_plan() {
        let moves = ["7g7f", "2g2f", "5g5f", "1g1f", "9g9f"];
        let at = |number: usize| {
            Position::hirate().after(moves[number].parse().unwrap()).without_history()
        };
        let result = |number: usize| QueuedResult {
            id: number as u64,
            result: LoggedAnalysis::new(at(number), Analysis::default(), AnalystId::default()),
            worker: String::new(),
        };
        let mut order = MergeOrder::default();
        for number in [0, 1, 2, 1, 3] {
            order.push(PositionKey::of(&at(number)).unwrap());
        }
        assert_eq!(order.len(), 4);
        order.add(result(2));
        order.add(result(1));
        assert_eq!(order.next(), None);
        order.add(result(4));
        order.add(result(0));
        assert!(order.has(2) && !order.has(3));
        assert_eq!(order.results(), 4);
        let next: Vec<_> = std::iter::from_fn(|| order.next()).map(|result| result.id).collect();
        assert_eq!(next, [4, 0, 1, 2]);
        assert_eq!((order.len(), order.results()), (1, 0));
        order.skip_missing();
        assert!(order.is_empty());
    }
}
