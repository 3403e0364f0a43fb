//! The results of generations as tables.

use std::collections::BTreeSet;
use std::fmt;

use komadai::book::WorkingBook;
use komadai::book::games::{BookUse, UseGrouping, UseOptions, UseTable};
use komadai::book::store::{Deletion, Snapshot};
use serde_json::{Value, json};

/// The tables of one generation or of all.
pub(crate) struct Tables {
    uses: Vec<BookUse>,
    snapshots: Vec<Snapshot>,
    deletions: Vec<Deletion>,
    /// Number of games with different moves, by generation.
    distinct: Vec<usize>,
    is_single: bool,
}

impl Tables {
    /// Returns the tables of all generations in the book.
    pub(crate) fn of_all(book: &WorkingBook) -> anyhow::Result<Self> {
        let mut lines: Vec<BTreeSet<(String, String)>> = Vec::new();
        for game in book.store().games()? {
            let (_, game) = game?;
            let generation = game.generation as usize;
            lines.resize_with(lines.len().max(generation + 1), BTreeSet::new);
            let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
            lines[generation].insert((game.start.to_string(), moves.join(" ")));
        }
        let tombstones = book.store().tombstones()?.into_iter();
        let in_force = tombstones.filter(|tombstone| tombstone.undone.is_none());
        Ok(Self {
            uses: book.book_uses(&UseOptions::default())?,
            snapshots: book.generations()?,
            deletions: in_force.map(|tombstone| tombstone.deletion).collect(),
            distinct: lines.iter().map(BTreeSet::len).collect(),
            is_single: false,
        })
    }

    /// Returns the tables of one generation.
    pub(crate) fn of_generation(book: &WorkingBook, generation: u32) -> anyhow::Result<Self> {
        let mut tables = Self::of_all(book)?;
        tables.uses.retain(|used| used.generation == generation);
        tables.snapshots.retain(|snapshot| snapshot.taken.generation == generation);
        tables.deletions.retain(|deletion| deletion.generation == generation);
        tables.is_single = true;
        Ok(tables)
    }

    /// Returns all tables as a JSON object.
    pub(crate) fn to_json(&self) -> Value {
        let table = |grouping| -> Value {
            let text = UseTable::new(&self.uses, grouping).to_json();
            serde_json::from_str(&text).expect("the library writes JSON")
        };
        let snapshots = self.snapshots.iter().map(|snapshot| {
            let figures: serde_json::Map<String, Value> =
                snapshot.taken.figures.iter().map(|(name, n)| (name.clone(), json!(n))).collect();
            json!({
                "generation": snapshot.taken.generation,
                "positions": snapshot.positions,
                "distinct_games": self.distinct.get(snapshot.taken.generation as usize),
                "figures": figures,
            })
        });
        let deletions = self.deletions.iter().map(|deletion| {
            json!({
                "generation": deletion.generation,
                "sfen": deletion.position,
                "move": deletion.m,
                "reason": deletion.reason,
                "games": deletion.games,
            })
        });
        json!({
            "generations": snapshots.collect::<Vec<_>>(),
            "by_generation": table(UseGrouping::Generation),
            "by_opponent": table(UseGrouping::Opponent),
            "by_generation_and_opponent": table(UseGrouping::GenerationAndOpponent),
            "deletions": deletions.collect::<Vec<_>>(),
        })
    }

    /// Returns the numbers of different games of the generations that are shown.
    fn distinct_of_shown(&self) -> impl Iterator<Item = usize> {
        let numbers = self.snapshots.iter().map(|snapshot| snapshot.taken.generation as usize);
        numbers.filter_map(|generation| self.distinct.get(generation).copied())
    }

    fn write_generations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions  different games  value of the start  deletions")?;
        for snapshot in &self.snapshots {
            let taken = &snapshot.taken;
            let figure = |name: &str| {
                let found = taken.figures.iter().find(|(other, _)| other == name);
                found.map_or("-".to_owned(), |(_, figure)| figure.to_string())
            };
            let distinct = self.distinct.get(taken.generation as usize).copied().unwrap_or(0);
            writeln!(
                f,
                "{:>10}  {:>9}  {distinct:>15}  {:>18}  {:>9}",
                taken.generation,
                snapshot.positions,
                figure("root_cp"),
                figure("deletions"),
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_single {
            writeln!(f, "\nAll generations")?;
            write!(f, "{}", UseTable::new(&self.uses, UseGrouping::Generation))?;
        }
        writeln!(f)?;
        write!(f, "{}", UseTable::new(&self.uses, UseGrouping::GenerationAndOpponent))?;
        writeln!(f)?;
        self.write_generations(f)?;
        if self.is_single {
            let distinct: usize = self.distinct_of_shown().sum();
            if distinct < self.uses.len() {
                writeln!(
                    f,
                    "{} of {} games are repeated; more openings give different ones",
                    self.uses.len() - distinct,
                    self.uses.len()
                )?;
            }
            writeln!(f)?;
            write!(f, "{}", BookUse::thought_table(&self.uses))?;
        }
        for deletion in &self.deletions {
            let m = deletion.m.map_or("all moves".to_owned(), |m| m.to_string());
            let Deletion { position, reason, generation, games, .. } = deletion;
            let games: Vec<String> = games.iter().map(ToString::to_string).collect();
            writeln!(
                f,
                "deleted in generation {generation}: {position} {m}: {reason}; games {}",
                games.join(" ")
            )?;
        }
        Ok(())
    }
}
