//! How the match stands, for people and for programs.

use std::time::{Duration, Instant};

use komadai::engine::arena::{EloEstimate, Ending, MatchGame, SprtVerdict, Tally, Usage};
use serde_json::{Value, json};

use crate::options::Options;
use crate::plan::Plan;

/// Tells of a match.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    options: &'a Options,
    plan: &'a Plan,
    started: Instant,
    games_before: u64,
    last_line: Instant,
}

/// Faults that are told of one by one; the rest is only counted.
const MOST_FAULTS_TOLD: u64 = 20;

impl<'a> Report<'a> {
    /// Begins, and says what there is to go on with.
    pub(crate) fn new(options: &'a Options, plan: &'a Plan, tally: &Tally) -> Self {
        let now = Instant::now();
        let report =
            Self { options, plan, started: now, games_before: tally.games(), last_line: now };
        if tally.games() > 0 {
            report.say(&format!("going on after {} games", tally.games()));
        }
        let pairs = options.games.div_ceil(2);
        if pairs > plan.game.openings.len() && options.random_plies == 0 {
            report.say(&format!(
                "warning: {pairs} pairs but {} openings: without --random-plies, players that always \
                 answer alike repeat their games",
                plan.game.openings.len()
            ));
        }
        report
    }

    fn say(&self, text: &str) {
        if !self.options.quiet {
            eprintln!("{text}");
        }
    }

    /// What the sequential test says; undecided without one.
    pub(crate) fn verdict(&self, tally: &Tally) -> SprtVerdict {
        let test = self.options.sprt;
        test.map_or(SprtVerdict::Undecided, |test| test.verdict(tally.pairs()))
    }

    /// After a game: a fault at once, the standing now and then.
    pub(crate) fn tell(&mut self, played: &MatchGame, tally: &Tally) {
        let verdict = played.game.verdict;
        if let (Ending::Fault(_) | Ending::TimeForfeit, Some(winner)) =
            (verdict.ending, verdict.winner)
        {
            let failures = tally.endings().filter(|(ending, ..)| is_failure(*ending));
            if failures.map(|(_, _, count)| count).sum::<u64>() <= MOST_FAULTS_TOLD {
                let name = &self.plan.names[usize::from(winner == played.first)];
                let (number, detail) = (played.number + 1, &played.game.detail);
                self.say(&format!("game {number}: {name} lost by {}: {detail}", verdict.ending));
            }
        }
        if self.last_line.elapsed() >= Duration::from_secs(self.options.every) {
            self.last_line = Instant::now();
            let per_second =
                (tally.games() - self.games_before) as f64 / self.started.elapsed().as_secs_f64();
            let rest = format!("{per_second:.2} games/s");
            self.say(&format!(
                "{}/{} {} {rest}",
                tally.games(),
                self.options.games,
                self.line(tally)
            ));
        }
    }

    /// `+3 =1 -2  Elo …  LOS …  LLR …`.
    fn line(&self, tally: &Tally) -> String {
        let [wins, draws, losses] = tally.wins_draws_losses();
        let elo =
            tally.pairs().elo().map_or_else(|| "no pairs yet".to_owned(), |elo| elo_text(&elo));
        let llr = self.options.sprt.map_or_else(String::new, |test| {
            let (lower, upper) = test.bounds();
            format!("  LLR {:+.2} [{lower:.2}, {upper:.2}]", test.llr(tally.pairs()))
        });
        format!("+{wins} ={draws} -{losses}  {elo}{llr}")
    }

    /// At the end.
    pub(crate) fn finish(&self, tally: &Tally, is_stopped: bool) {
        if self.options.json {
            println!("{}", self.to_json(tally, is_stopped));
        } else {
            print!("{}", self.to_text(tally));
        }
        if is_stopped {
            self.say(match self.options.out {
                Some(_) => "stopped; the same command goes on",
                None => "stopped",
            });
        }
    }

    fn to_text(&self, tally: &Tally) -> String {
        let [first, second] = &self.plan.names;
        let mut text =
            format!("{first} vs {second}: {} games\n  {}\n", tally.games(), self.line(tally));
        let [ll, ld, dd, wd, ww] = tally.pairs().counts();
        let [black, draws, white] = tally.black_draw_white();
        text += &format!(
            "  pairs 0-2: {ll} {ld} {dd} {wd} {ww}; Black/draw/White: {black}/{draws}/{white}\n"
        );
        let mut endings: Vec<_> = tally.endings().collect();
        endings.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
        let endings: Vec<String> = endings
            .into_iter()
            .map(|(ending, loser, count)| match loser {
                Some(loser) => format!("{ending} ({} lost): {count}", self.plan.names[loser]),
                None => format!("{ending}: {count}"),
            })
            .collect();
        text += &format!("  endings: {}\n", endings.join(", "));
        for (name, usage) in self.plan.names.iter().zip(tally.usage()) {
            text += &format!("  {name}: {}\n", usage_text(usage));
        }
        match self.verdict(tally) {
            SprtVerdict::Accepted => text += "  SPRT: accepted\n",
            SprtVerdict::Rejected => text += "  SPRT: rejected\n",
            SprtVerdict::Undecided => {}
        }
        text
    }

    fn to_json(&self, tally: &Tally, is_stopped: bool) -> Value {
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
            "stopped": is_stopped,
            "wins_draws_losses": tally.wins_draws_losses(),
            "black_draw_white": tally.black_draw_white(),
            "pairs": tally.pairs().counts(),
            // Infinite values, which JSON does not have, become null.
            "elo": elo.map(|elo| json!({ "elo": elo.elo, "low": elo.low, "high": elo.high, "los": elo.los })),
            "sprt": self.options.sprt.map(|test| json!({
                "llr": test.llr(tally.pairs()),
                "bounds": [test.bounds().0, test.bounds().1],
                "verdict": match test.verdict(tally.pairs()) {
                    SprtVerdict::Accepted => "accepted",
                    SprtVerdict::Rejected => "rejected",
                    SprtVerdict::Undecided => "undecided",
                },
            })),
            "endings": endings.collect::<Vec<_>>(),
            "players": tally.usage().each_ref().map(usage_json),
            "seconds": self.started.elapsed().as_secs_f64(),
            "settings": self.plan.settings,
        })
    }
}

fn is_failure(ending: Ending) -> bool {
    matches!(ending, Ending::Fault(_) | Ending::TimeForfeit)
}

fn elo_text(elo: &EloEstimate) -> String {
    let end = |elo: f64| match elo {
        f64::INFINITY => "+inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        elo => format!("{elo:+.1}"),
    };
    let range = match (elo.low.is_finite(), elo.high.is_finite(), elo.elo.is_finite()) {
        (true, _, false) => format!("Elo > {} (95% one-sided)", end(elo.low)),
        (_, true, false) => format!("Elo < {} (95% one-sided)", end(elo.high)),
        _ => format!("Elo {} 95% [{}, {}]", end(elo.elo), end(elo.low), end(elo.high)),
    };
    format!("{range}  LOS {:.1}%", 100.0 * elo.los)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn usage_text(usage: &Usage) -> String {
    let cpu = usage.mean_cpu().map_or("unknown".to_owned(), |cpu| format!("{:.2}", millis(cpu)));
    format!(
        "{} moves, {:.2} ms/move (longest {:.0}, CPU {cpu}), {:.0} nodes/move, depth {:.1}",
        usage.moves,
        millis(usage.mean_time()),
        millis(usage.longest),
        usage.mean_nodes(),
        usage.mean_depth(),
    )
}

fn usage_json(usage: &Usage) -> Value {
    json!({
        "moves": usage.moves,
        "ms_per_move": millis(usage.mean_time()),
        "longest_ms": millis(usage.longest),
        "cpu_ms_per_move": usage.mean_cpu().map(millis),
        "nodes_per_move": usage.mean_nodes(),
        "depth": usage.mean_depth(),
    })
}
