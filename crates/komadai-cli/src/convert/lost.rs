//! The parts of games that a format did not keep, counted by kind.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use komadai::kifu::{HeaderKey, Loss};
use komadai_base::text::printable;

/// Largest number of kinds that are counted. Records can have any number of headers with names of
/// their own.
const MAX_KINDS: usize = 1_000;

/// The losses of a number of games.
#[derive(Debug, Default)]
pub(super) struct Lost {
    games: u64,
    /// The losses of the first game in full; they are shown if it is the only one.
    first: Vec<Loss>,
    kinds: BTreeMap<String, u64>,
    /// The number of games with losses beyond the kinds that are counted.
    others: u64,
}

impl Lost {
    /// Adds the losses of the next game.
    pub(super) fn add(&mut self, losses: Vec<Loss>) {
        self.games += 1;
        let mut has_others = false;
        for kind in losses.iter().map(kind).collect::<BTreeSet<_>>() {
            if let Some(count) = self.kinds.get_mut(&kind) {
                *count += 1;
            } else if self.kinds.len() < MAX_KINDS {
                self.kinds.insert(kind, 1);
            } else {
                has_others = true;
            }
        }
        self.others += u64::from(has_others);
        self.first = if self.games == 1 { losses } else { Vec::new() };
    }
}

/// Writes a line for each loss of one game, or for each kind of many games.
impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.games == 1 {
            for loss in &self.first {
                writeln!(f, "lost: {}", printable(&loss.to_string()))?;
            }
            return Ok(());
        }
        for (kind, games) in &self.kinds {
            write_kind(f, *games, &printable(kind))?;
        }
        if self.others > 0 {
            write_kind(f, self.others, "other headers")?;
        }
        Ok(())
    }
}

fn write_kind(f: &mut fmt::Formatter<'_>, games: u64, kind: &str) -> fmt::Result {
    let plural = if games == 1 { "" } else { "s" };
    writeln!(f, "lost in {games} game{plural}: {kind}")
}

/// The kind of a loss: what was lost without its number and its content.
fn kind(loss: &Loss) -> String {
    let kind = match loss {
        Loss::Header { key: HeaderKey::Custom(key), .. } => return format!("header {key}"),
        Loss::Header { key, .. } => return format!("header {key:?}"),
        Loss::Moves { .. } => "moves of the game",
        Loss::Variations { .. } => "variations",
        Loss::Times { .. } => "times of moves",
        Loss::Fractions { .. } => "fractions of a second in times",
        Loss::Comments { .. } => "comments",
        Loss::Bookmarks { .. } => "bookmarks",
        loss => return loss.to_string(),
    };
    kind.to_owned()
}
