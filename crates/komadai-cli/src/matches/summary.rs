//! The result of a match as text and as JSON.

use std::cmp::Reverse;
use std::time::Duration;

use komadai::matches::{Ending, SprtVerdict, Tally, Usage};
use komadai_base::text::printable;
use serde_json::{Value, json};

use super::standing::Standing;

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
    pub(super) fn to_json(&self, tally: &Tally, is_stopped: bool) -> Value {
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
            "wins_draws_losses_in_pairs": tally.wins_draws_losses_in_pairs(),
            "black_draw_white": tally.black_draw_white(),
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
