//! The standing of a match, reported while it is played.

use std::cmp::Reverse;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use komadai::matches::{EloEstimate, Ending, MatchGame, SprtVerdict, Tally, Usage};
use komadai_base::text::printable;
use komadai_console::{note, print_json, stdout};
use serde_json::{Value, json};

use crate::matches::options::MatchArgs;
use crate::matches::plan::Plan;

/// Reports the standing of a match on standard error and its result on standard output.
#[derive(Debug)]
pub(super) struct Standing<'a> {
    pub(super) options: &'a MatchArgs,
    pub(super) plan: &'a Plan,
    pub(super) started: Instant,
    pub(super) games_before: u64,
    last_line: Instant,
}

/// The end of a run of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchEnd {
    /// All games have been played, or the sequential test has ended.
    Over,
    /// Ctrl-C has ended the run before that.
    Stopped,
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

    /// Returns true if all games have been played or the sequential test has ended.
    pub(super) fn is_over(&self, tally: &Tally) -> bool {
        tally.games() >= self.options.games as u64 || self.verdict(tally) != SprtVerdict::Undecided
    }

    /// Prints the result.
    pub(super) fn finish(&self, tally: &Tally, end: MatchEnd) -> io::Result<()> {
        if self.options.json {
            print_json(&self.to_json(tally, end))
        } else {
            write!(stdout(), "{}", self.to_text(tally))
        }
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

impl Standing<'_> {
    /// Returns the result as a few lines of text.
    pub(super) fn to_text(&self, tally: &Tally) -> String {
        let names = self.plan.names.each_ref().map(|name| printable(name));
        let [first, second] = &names;
        let mut text =
            format!("{first} vs {second}: {} games\n  {}\n", tally.games(), self.line(tally));
        let [ll, ld, dd, wd, ww] = tally.pairs().counts();
        let [black, draws, white] = tally.black_draw_white();
        text += &format!(
            "  pairs 0-2: {ll} {ld} {dd} {wd} {ww}; Black/draw/White: {black}/{draws}/{white}\n"
        );
        for (name, by_color) in names.iter().zip(by_color(tally)) {
            text += &format!("  {name}: {}\n", by_color_text(by_color));
        }
        let mut endings: Vec<_> = tally.endings().collect();
        endings.sort_by_key(|&(_, _, count)| Reverse(count));
        let endings: Vec<String> = endings
            .into_iter()
            .map(|(ending, loser, count)| match loser {
                Some(loser) => format!("{ending} ({} lost): {count}", names[loser]),
                None => format!("{ending}: {count}"),
            })
            .collect();
        text += &format!("  endings: {}\n", endings.join(", "));
        for (name, usage) in names.iter().zip(tally.usage()) {
            text += &format!("  {name}: {}\n", usage_text(usage));
        }
        if let Some(test) = self.options.sprt {
            let (elo0, elo1) = test.hypotheses();
            text += &match test.verdict(tally.pairs()) {
                SprtVerdict::Accepted => {
                    format!("  SPRT: accepted, {elo1} Elo rather than {elo0}\n")
                }
                SprtVerdict::Rejected => {
                    format!("  SPRT: rejected, {elo0} Elo rather than {elo1}\n")
                }
                SprtVerdict::Undecided => "  SPRT: undecided\n".to_owned(),
            };
        }
        text
    }

    /// Returns the result as a JSON object.
    pub(super) fn to_json(&self, tally: &Tally, end: MatchEnd) -> Value {
        let elo = tally.pairs().elo();
        let endings = tally.endings().map(|(ending, loser, count)| {
            json!({
                "ending": ending.name(),
                "is_fault": matches!(ending, Ending::Fault(_)),
                "loser": loser.map(|loser| self.plan.names[loser].as_str()),
                "games": count,
            })
        });
        json!({
            "names": self.plan.names,
            "games": tally.games(),
            "stopped": end == MatchEnd::Stopped,
            "wins_draws_losses": tally.wins_draws_losses(),
            "wins_draws_losses_in_pairs": tally.wins_draws_losses_in_pairs(),
            "black_draw_white": tally.black_draw_white(),
            // For each player as Black, and as White.
            "wins_draws_losses_by_color": by_color(tally),
            "pairs": tally.pairs().counts(),
            // Infinite values, which JSON does not have, become null.
            "elo": elo,
            "sprt": self.options.sprt.map(|test| json!({
                "llr": test.llr(tally.pairs()),
                "bounds": [test.bounds().0, test.bounds().1],
                "verdict": test.verdict(tally.pairs()),
            })),
            "endings": endings.collect::<Vec<_>>(),
            "players": tally.usage().each_ref().map(usage_json),
            "seconds": self.started.elapsed().as_secs_f64(),
            "settings": self.plan.settings,
        })
    }
}

/// Returns the wins, draws and losses of each player as Black, and as White.
pub(super) fn by_color(tally: &Tally) -> [[[u64; 3]; 2]; 2] {
    let first = tally.wins_draws_losses_by_color();
    [first, of_opponent(first)]
}

/// Returns the results of the other player of the same games.
pub(crate) fn of_opponent([mut black, mut white]: [[u64; 3]; 2]) -> [[u64; 3]; 2] {
    black.reverse();
    white.reverse();
    [white, black]
}

/// Returns results as `as Black +3 =1 -2, as White +2 =0 -4`.
pub(super) fn by_color_text([black, white]: [[u64; 3]; 2]) -> String {
    let text = |[wins, draws, losses]: [u64; 3]| format!("+{wins} ={draws} -{losses}");
    format!("as Black {}, as White {}", text(black), text(white))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

pub(super) fn usage_text(usage: &Usage) -> String {
    let cpu = usage.mean_cpu().map_or("unknown".to_owned(), |cpu| format!("{:.2}", millis(cpu)));
    let mut text = format!(
        "{} moves, {:.2} ms/move (longest {:.0}, CPU {cpu}), {:.0} nodes/move, depth {:.1}",
        usage.moves,
        millis(usage.mean_time()),
        millis(usage.longest),
        usage.mean_nodes(),
        usage.mean_depth(),
    );
    if let Some(rate) = usage.hit_rate() {
        text += &format!(
            ", start depth {:.1}, ponder hits {}/{} ({:.1}%)",
            usage.mean_start_depth(),
            usage.ponder_hits,
            usage.pondered,
            100.0 * rate
        );
    }
    text
}

fn usage_json(usage: &Usage) -> Value {
    json!({
        "moves": usage.moves,
        "ms_per_move": millis(usage.mean_time()),
        "longest_ms": millis(usage.longest),
        "cpu_ms_per_move": usage.mean_cpu().map(millis),
        "nodes_per_move": usage.mean_nodes(),
        "depth": usage.mean_depth(),
        "start_depth": usage.mean_start_depth(),
        "pondered": usage.pondered,
        "ponder_hits": usage.ponder_hits,
    })
}
