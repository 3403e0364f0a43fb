//! The counts of move sequences in games, and the table of the best ones.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use komadai::kifu::Record;
use komadai::search::{Descriptor, Tesuji};

use crate::Arguments;

/// The number of times that each move followed the same moves.
type Next = BTreeMap<Descriptor, u32>;

/// The counts of sequences of moves in games.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    games: usize,
    moves: usize,
    after_any: Next,
    after: BTreeMap<Vec<Descriptor>, Next>,
}

impl Counts {
    /// Counts the moves of a game.
    pub(crate) fn add(&mut self, game: &Record) {
        self.games += 1;
        let mut played_before: Vec<Descriptor> = Vec::new();
        let mut last = None;
        // What follows an illegal move is not counted.
        let _ = game.replay(|position, played| {
            let Some(next) = Descriptor::of(position, played.m, last) else {
                return ControlFlow::Break(());
            };
            self.moves += 1;
            if last.is_some() {
                *self.after_any.entry(next).or_default() += 1;
            }
            for length in 1..=played_before.len().min(2) {
                let mut before = played_before[played_before.len() - length..].to_vec();
                before[0] = before[0].without_offset();
                *self.after.entry(before).or_default().entry(next).or_default() += 1;
            }
            played_before.push(next);
            last = Some(played.m.to());
            ControlFlow::Continue(())
        });
    }

    /// Returns the best sequences as a table, one a line.
    pub(crate) fn table(&self, arguments: &Arguments) -> String {
        let Arguments { reach, least_count, least_share, .. } = *arguments;
        let prior = entropy(&self.after_any);
        let mut found = Vec::new();
        for (before, next) in &self.after {
            let (gain, total) = (prior - entropy(next), next.values().sum::<u32>());
            for (&last, &count) in next {
                let moves = [before.as_slice(), &[last]].concat();
                let is_near = moves[1..].iter().all(|m| m.distance() <= Some(reach));
                if is_near && count >= least_count && 100 * count >= least_share * total {
                    let tesuji = Tesuji::new(&moves).expect("two or three moves in a row");
                    found.push((f64::from(count) * gain, count, 100 * count / total, tesuji));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Where the last two moves of three are a sequence by themselves, the first adds nothing.
        let pairs: HashSet<Tesuji> = found.iter().map(|&(.., tesuji)| tesuji).collect();
        found.retain(|(.., tesuji)| {
            let mut end: Vec<_> = tesuji.moves().skip(1).collect();
            end[0] = end[0].without_offset();
            Tesuji::new(&end).is_none_or(|end| !pairs.contains(&end))
        });
        found.truncate(arguments.most);
        let mut text = format!(
            "# Tesuji: moves that belong together, by what they are and where they go, best first.\n\
             # {}\n\
             # Mined from {} games with {} moves; {prior:.2} bits a move. Each move goes at most {reach}\n\
             # squares from the one before; played {least_count} times or more, and at least {least_share} % of the times\n\
             # that its beginning was. After each: times, percent, bits gained in all.\n",
            arguments.note, self.games, self.moves,
        );
        for (score, count, share, tesuji) in found {
            writeln!(text, "{tesuji} # {count} {share} {score:.0}").expect("strings take any text");
        }
        text
    }
}

/// Returns the entropy in bits, with Miller and Madow's correction for the number of different moves.
fn entropy(counts: &Next) -> f64 {
    let total = f64::from(counts.values().sum::<u32>());
    let plain: f64 =
        counts.values().map(|&count| f64::from(count) / total).map(|p| -p * p.log2()).sum();
    plain + (counts.len() as f64 - 1.0) / (2.0 * std::f64::consts::LN_2 * total)
}
