//! The figures of a solver on a set.

use std::time::Duration;

use crate::record::Row;

/// The results of one solver on one set.
#[derive(Debug)]
pub(crate) struct Figures<'a> {
    pub(crate) solver: &'a str,
    rows: Vec<&'a Row>,
}

impl<'a> Figures<'a> {
    /// Returns the figures of each solver that took part in a set, in the order of their first
    /// results, over the problems that all of them were given.
    pub(crate) fn of_set(rows: &'a [Row], set: &str) -> Vec<Self> {
        let rows = || rows.iter().filter(|row| row.set == set);
        let mut all: Vec<Self> = Vec::new();
        for row in rows() {
            match all.iter_mut().find(|figures| figures.solver == row.solver) {
                Some(figures) => figures.rows.push(row),
                None => all.push(Self { solver: &row.solver, rows: vec![row] }),
            }
        }
        let common: Vec<&str> = rows()
            .map(|row| row.id.as_str())
            .filter(|id| all.iter().all(|one| one.rows.iter().any(|row| row.id == *id)))
            .collect();
        for figures in &mut all {
            figures.rows.retain(|row| common.contains(&row.id.as_str()));
            figures.rows.sort_by_key(|row| common.iter().position(|id| *id == row.id));
        }
        all
    }

    /// Returns the results, in the same order for each solver of a set.
    pub(crate) fn rows(&self) -> &[&'a Row] {
        &self.rows
    }

    /// Returns the number of rows with a property.
    pub(crate) fn count(&self, is_counted: impl Fn(&Row) -> bool) -> usize {
        self.rows.iter().filter(|row| is_counted(row)).count()
    }

    /// Returns the times of the decided problems in milliseconds, ascending.
    pub(crate) fn decided_ms(&self) -> Vec<f64> {
        let decided = self.rows.iter().filter(|row| row.judgement.is_decided());
        let mut times: Vec<f64> = decided.map(|row| milliseconds(row.cpu)).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Returns the processor time of all problems in seconds.
    pub(crate) fn total_seconds(&self) -> f64 {
        self.rows.iter().map(|row| row.cpu.as_secs_f64()).sum()
    }

    /// Returns the wall-clock time of all problems in seconds, if it was measured.
    pub(crate) fn wall_seconds(&self) -> Option<f64> {
        self.rows.iter().map(|row| row.wall.map(|wall| wall.as_secs_f64())).sum()
    }

    /// Returns the nodes per second over all problems whose nodes are reported.
    pub(crate) fn rate(&self) -> Option<f64> {
        let counted: Vec<_> = self.rows.iter().filter(|row| row.nodes > 0).collect();
        let nodes: u64 = counted.iter().map(|row| row.nodes).sum();
        let seconds: f64 = counted.iter().map(|row| row.cpu.as_secs_f64()).sum();
        (nodes > 0 && seconds > 0.0).then(|| nodes as f64 / seconds)
    }

    /// Returns the geometric mean of the ratios of a quantity of this solver to that of another,
    /// over the problems that both decided, and the number of these.
    pub(crate) fn ratio(
        &self,
        other: &Self,
        quantity: impl Fn(&Row) -> f64,
    ) -> Option<(f64, usize)> {
        let both = self.rows.iter().zip(&other.rows);
        let both = both.filter(|(a, b)| a.judgement.is_decided() && b.judgement.is_decided());
        let quantities = both.map(|(a, b)| (quantity(a), quantity(b)));
        let logarithms: Vec<f64> =
            quantities.filter(|&(a, b)| a > 0.0 && b > 0.0).map(|(a, b)| (a / b).ln()).collect();
        let count = logarithms.len();
        (count > 0).then(|| ((logarithms.iter().sum::<f64>() / count as f64).exp(), count))
    }
}

/// Returns a time in milliseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns the mean, or `None` without values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the median of sorted values: of an even number, the mean of the middle two.
pub(crate) fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => Some(sorted[middle]),
        _ => mean(sorted.get(middle.checked_sub(1)?..=middle)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judgement;

    fn row(solver: &str, id: &str, judgement: Judgement, ms: u64) -> Row {
        Row {
            set: "s".into(),
            solver: solver.into(),
            id: id.into(),
            known_plies: None,
            judgement,
            plies: None,
            is_claimed_shortest: false,
            nodes: 10 * ms,
            cpu: Duration::from_millis(ms),
            wall: None,
            line: String::new(),
        }
    }

    #[test]
    fn ratios_are_over_problems_that_both_decided() {
        use Judgement::{Mate, NoMate, Undecided};
        let rows = [
            row("a", "1", Mate, 1),
            row("b", "1", Mate, 2),
            row("a", "2", NoMate, 1),
            row("b", "2", NoMate, 8),
            row("a", "3", Mate, 5),
            row("b", "3", Undecided, 900),
            row("a", "4", Mate, 7),
        ];
        let all = Figures::of_set(&rows, "s");
        let [a, b] = &all[..] else { panic!("{all:?}") };
        assert_eq!((a.rows.len(), b.rows.len()), (3, 3), "problem 4 was given to one only");
        let (ratio, count) = b.ratio(a, |row| milliseconds(row.cpu)).unwrap();
        assert!((ratio - 4.0).abs() < 1e-9 && count == 2, "{ratio} {count}");
        assert_eq!(a.decided_ms(), [1.0, 1.0, 5.0]);
        assert!(b.rate().is_some_and(|rate| (rate - 10_000.0).abs() < 1e-6));
    }

    #[test]
    fn medians_of_even_numbers_are_between() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), Some(3.0));
    }
}
