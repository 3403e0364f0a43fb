//! The standing of a match, reported while it is played.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use komadai::matches::{EloEstimate, Ending, MatchGame, SprtVerdict, Tally};
use komadai_console::note;
use komadai_console::output::{print_json, stdout};

use super::options::MatchArgs;
use super::plan::Plan;

/// Reports the standing of a match on standard error and its result on standard output.
#[derive(Debug)]
pub(super) struct Standing<'a> {
    pub(super) options: &'a MatchArgs,
    pub(super) plan: &'a Plan,
    pub(super) started: Instant,
    games_before: u64,
    last_line: Instant,
}

/// Number of faults reported one by one; further ones are only counted.
const MAX_REPORTED_FAULTS: u64 = 20;

impl<'a> Standing<'a> {
    /// Starts a report, with the games of earlier runs.
    pub(super) fn new(options: &'a MatchArgs, plan: &'a Plan, tally: &Tally) -> Self {
        let now = Instant::now();
        let report =
            Self { options, plan, started: now, games_before: tally.games(), last_line: now };
        for warning in plan.declaration.warnings(&plan.names) {
            report.print(&warning);
        }
        if tally.games() > 0 {
            report.print(&format!("continuing after {} games", tally.games()));
        }
        let pairs = options.games.div_ceil(2);
        if pairs > plan.game.openings.len() && options.random_plies == 0 {
            report.print(&format!(
                "warning: {pairs} pairs but {} openings: without --random-plies, deterministic players \
                 repeat their games",
                plan.game.openings.len()
            ));
        }
        report
    }

    fn print(&self, text: &str) {
        if !self.options.quiet {
            note!("{text}");
        }
    }

    /// Returns the verdict of the sequential test; undecided without a test.
    pub(super) fn verdict(&self, tally: &Tally) -> SprtVerdict {
        let test = self.options.sprt;
        test.map_or(SprtVerdict::Undecided, |test| test.verdict(tally.pairs()))
    }

    /// Reports a game: a fault at once, the standing at intervals.
    pub(super) fn report(&mut self, played: &MatchGame, tally: &Tally) {
        let verdict = played.game.verdict;
        if let (Ending::Fault(_) | Ending::TimeForfeit, Some(winner)) =
            (verdict.ending, verdict.winner)
        {
            let failures = tally.endings().filter(|(ending, ..)| is_failure(*ending));
            if failures.map(|(_, _, count)| count).sum::<u64>() <= MAX_REPORTED_FAULTS {
                let name = &self.plan.names[usize::from(winner == played.first)];
                let (number, detail) = (played.number + 1, &played.game.detail);
                self.print(&format!("game {number}: {name} lost by {}: {detail}", verdict.ending));
            }
        }
        if self.last_line.elapsed() >= Duration::from_secs(self.options.every) {
            self.last_line = Instant::now();
            let per_second =
                (tally.games() - self.games_before) as f64 / self.started.elapsed().as_secs_f64();
            let left = (self.options.games as u64).saturating_sub(tally.games());
            let rest = format!("{per_second:.2} games/s, {:.0} s left", left as f64 / per_second);
            self.print(&format!(
                "{}/{} {} {rest}",
                tally.games(),
                self.options.games,
                self.line(tally)
            ));
        }
    }

    /// Returns the standing as `+3 =1 -2  Elo …  LOS …  LLR …`.
    pub(super) fn line(&self, tally: &Tally) -> String {
        let [wins, draws, losses] = tally.wins_draws_losses();
        let elo =
            tally.pairs().elo().map_or_else(|| "no pairs yet".to_owned(), |elo| elo_text(&elo));
        let llr = self.options.sprt.map_or_else(String::new, |test| {
            let (lower, upper) = test.bounds();
            format!("  LLR {:+.2} [{lower:.2}, {upper:.2}]", test.llr(tally.pairs()))
        });
        let paired: u64 = tally.wins_draws_losses_in_pairs().iter().sum();
        let counted = if paired < tally.games() {
            format!("  ({paired} of {} games in pairs)", tally.games())
        } else {
            String::new()
        };
        format!("+{wins} ={draws} -{losses}  {elo}{counted}{llr}")
    }

    /// Prints the result.
    pub(super) fn finish(&self, tally: &Tally, is_stopped: bool) -> io::Result<()> {
        let is_over = tally.games() >= self.options.games as u64
            || self.verdict(tally) != SprtVerdict::Undecided;
        let is_stopped = is_stopped && !is_over;
        if self.options.json {
            print_json(&self.to_json(tally, is_stopped))?;
        } else {
            write!(stdout(), "{}", self.to_text(tally))?;
        }
        if is_stopped {
            self.print(match self.options.out {
                Some(_) => "stopped; the same command continues",
                None => "stopped",
            });
        }
        Ok(())
    }
}

fn is_failure(ending: Ending) -> bool {
    matches!(ending, Ending::Fault(_) | Ending::TimeForfeit)
}

fn elo_text(elo: &EloEstimate) -> String {
    let end = |elo: f64| match elo {
        f64::INFINITY => "+inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        // Adding zero turns −0 into +0.
        elo => format!("{:+.1}", elo + 0.0),
    };
    let range = match (elo.low.is_finite(), elo.high.is_finite(), elo.elo.is_finite()) {
        (true, _, false) => format!("Elo > {} (95% one-sided)", end(elo.low)),
        (_, true, false) => format!("Elo < {} (95% one-sided)", end(elo.high)),
        _ => format!("Elo {} 95% [{}, {}]", end(elo.elo), end(elo.low), end(elo.high)),
    };
    format!("{range}  LOS {:.1}%", 100.0 * elo.los)
}
