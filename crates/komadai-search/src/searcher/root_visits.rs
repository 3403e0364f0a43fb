//! The lead of the most visited move of the root, for the keeper of the clock.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The results of a tree search that goes on, and the lead of its best move.
///
/// The move of the most visits is played. Once its lead is larger than the number of results that
/// are still to come, no other move can overtake it, and more time changes nothing but a proof.
///
/// Source: H. Baier and M. Winands, "Time management for Monte Carlo tree search", IEEE
/// Transactions on Computational Intelligence and AI in Games 8, 2016.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Material;
/// use komadai_search::Searcher;
/// use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
///
/// let mut searcher = MonteCarlo::new(Material, MonteCarloOptions::modern());
/// let visits = searcher.state().root_visits.expect("a tree search has them");
/// searcher.search(&Position::hirate(), &Budget::nodes(10_000), &mut |_| {
///     assert!(u64::from(visits.lead()) <= visits.results());
/// });
/// ```
#[derive(Debug, Default)]
pub struct RootVisits {
    lead: AtomicU32,
    results: AtomicU64,
}

impl RootVisits {
    /// Returns the visits of the most visited move less those of the next one, [`u32::MAX`] if all
    /// other moves are proven losses. It is as old as the last report of the search.
    pub fn lead(&self) -> u32 {
        self.lead.load(Ordering::Relaxed)
    }

    /// Returns the number of results of this search at its last report.
    pub fn results(&self) -> u64 {
        self.results.load(Ordering::Relaxed)
    }

    pub(crate) fn reset(&self) {
        self.lead.store(0, Ordering::Relaxed);
        self.results.store(0, Ordering::Relaxed);
    }

    /// Stores the lead among the visits of the moves that are not proven losses, in any order.
    pub(crate) fn update(&self, visits: impl Iterator<Item = u32>, results: u64) {
        let mut first = None;
        let mut second = None;
        for visits in visits {
            if Some(visits) > first {
                (first, second) = (Some(visits), first);
            } else {
                second = second.max(Some(visits));
            }
        }
        let lead = match (first, second) {
            (Some(first), Some(second)) => first - second,
            (Some(_), None) => u32::MAX,
            (None, _) => 0,
        };
        self.lead.store(lead, Ordering::Relaxed);
        self.results.store(results, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_that_over_the_next_move() {
        for (moves, lead) in [
            (&[][..], 0),
            (&[0, 0], 0),
            (&[2, 9, 4], 5),
            (&[9, 4], 5),
            (&[3, 3], 0),
            (&[0], u32::MAX),
        ] {
            let visits = RootVisits::default();
            visits.update(moves.iter().copied(), 7);
            assert_eq!(visits.results(), 7);
            assert_eq!(visits.lead(), lead, "{moves:?}");
        }
    }
}
