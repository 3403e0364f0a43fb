//! The questions to a solver that a prediction saves.

use crate::prediction_quality::{Scored, probability};

/// The smallest probabilities at which the solver is asked.
const LEAST: [f64; 6] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.5];

/// The questions to a solver that is asked from a probability on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Questions {
    /// Share of the positions in which it is asked.
    pub(super) asked: f64,
    /// Share of the mates that it finds.
    pub(super) found: f64,
    /// Mates in a hundred questions.
    pub(super) mates_in_a_hundred: f64,
}

impl Questions {
    /// Returns the questions among positions with a check and so many without.
    pub(super) fn of(scored: &[Scored], without_checks: usize, least: f64) -> Self {
        let asked = || scored.iter().filter(|one| probability(one.log_odds) >= least);
        let count = asked().count() as f64;
        let mates = asked().filter(|one| one.is_yes).count() as f64;
        let all_mates = scored.iter().filter(|one| one.is_yes).count().max(1) as f64;
        Self {
            asked: count / (scored.len() + without_checks).max(1) as f64,
            found: mates / all_mates,
            mates_in_a_hundred: 100.0 * mates / count.max(1.0),
        }
    }
}

/// Prints a line for each smallest probability.
pub(super) fn print(scored: &[Scored], without_checks: usize) {
    println!(
        "  asked from a probability on: share of all positions, of the mates; mates a hundred"
    );
    for least in LEAST {
        let Questions { asked, found, mates_in_a_hundred } =
            Questions::of(scored, without_checks, least);
        println!("    {least:.2}: {asked:.4}, {found:.4}; {mates_in_a_hundred:.1}");
    }
}
