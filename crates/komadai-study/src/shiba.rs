//! A book grown by games and pruned by their results, beside the figures of Shiba's paper.
//!
//! Source: S. Shiba, "Offering an effective method to make opening books on computer shogi"
//! (コンピュータ将棋における定跡生成法の一提案), IPSJ SIG Game Informatics, 2018.

mod page;
mod paper;
#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::book::WorkingBook;
use komadai::book::games::{BookUse, GameOutcome, UseOptions};
use komadai::book::store::Store;

pub(crate) use crate::shiba::page::{NAME, page};

use crate::figure::Figure;
use crate::findings::Findings;

/// A generation with its games.
#[derive(Debug, Default)]
struct Generation {
    games: Vec<BookUse>,
    /// Positions of the book after it.
    positions: u64,
    deleted: u64,
}

/// Returns the numbers of a working book with games. `command` is the one that the page names.
///
/// # Errors
///
/// If the book cannot be read, or has fewer than two generations of games.
pub fn findings(path: &Path, command: &str) -> anyhow::Result<Findings> {
    let cannot_read = || format!("cannot read {}", path.display());
    let book = Store::open_to_read(path)
        .map_err(anyhow::Error::from)
        .and_then(|store| Ok(WorkingBook::of_store(store)?))
        .with_context(cannot_read)?;
    let mut generations: Vec<Generation> = Vec::new();
    let snapshots = book.generations().with_context(cannot_read)?;
    // The last generation may be unfinished.
    generations.resize_with(snapshots.len(), Generation::default);
    for snapshot in snapshots {
        if let Some(own) = generations.get_mut(snapshot.taken.generation as usize) {
            own.positions = snapshot.positions;
        }
    }
    for used in book.book_uses(&UseOptions::default()).with_context(cannot_read)? {
        if let Some(own) = generations.get_mut(used.generation as usize) {
            own.games.push(used);
        }
    }
    for tombstone in book.store().tombstones()?.iter().filter(|one| one.undone.is_none()) {
        if let Some(own) = generations.get_mut(tombstone.deletion.generation as usize) {
            own.deleted += 1;
        }
    }
    ensure!(
        generations.len() >= 2 && generations.iter().all(|own| !own.games.is_empty()),
        "{}: found {} generations with games, expected at least 2 (`komadai book shiba`)",
        path.display(),
        generations.iter().filter(|own| !own.games.is_empty()).count(),
    );
    Ok(of_generations(&generations, command))
}

/// A value on leaving the book from which on its side is clearly worse, in centipawns: about what
/// three pawns are worth.
const CLEARLY_WORSE: i32 = -300;

fn of_generations(generations: &[Generation], command: &str) -> Findings {
    let mut found = Findings::new(NAME, command);
    let all = generations.iter().flat_map(|own| &own.games);
    let mut opponents: Vec<&str> = all.clone().map(|game| game.opponent.as_str()).collect();
    opponents.sort_unstable();
    opponents.dedup();
    found.add_text("opponents", &opponents.join(", "));
    let games = all.count() as u64;
    found.add("generations", Figure::exact(generations.len() as f64, games));
    found.add("games", Figure::exact(games as f64, games));
    let mut before = 0;
    for (number, own) in generations.iter().enumerate() {
        let mut add = |key: &str, figure: Option<Figure>| {
            found.add_some(format!("generation {number} {key}"), figure);
        };
        let count = own.games.len() as u64;
        add("games", Some(Figure::exact(count as f64, count)));
        add("positions", Some(Figure::exact(own.positions as f64, count)));
        let new = own.positions.saturating_sub(before);
        before = own.positions;
        add("new positions", Some(Figure::exact(new as f64, count)));
        add("deleted", Some(Figure::exact(own.deleted as f64, count)));
        add("points", Figure::mean_of(&own.values(|game| Some(points(game)))));
        add("length", Figure::mean_of(&own.values(|game| Some(f64::from(game.length)))));
        let longest = own.games.iter().map(|game| game.length).max().unwrap_or(0);
        add("longest", Some(Figure::exact(f64::from(longest), count)));
        add("own thought", Figure::mean_of(&own.values(own_thought)));
        add("opponent thought", Figure::mean_of(&own.values(opponent_thought)));
        add("value", Figure::mean_of(&own.values(value)));
    }
    claims(generations, &mut found);
    found
}

/// Adds the numbers of the claims.
fn claims(generations: &[Generation], found: &mut Findings) {
    let (Some(first), Some(last)) = (generations.first(), generations.last()) else { return };
    let lengths = |own: &Generation| own.values(|game| Some(f64::from(game.length)));
    let difference =
        |value: &dyn Fn(&Generation) -> Vec<f64>, from: &[Generation], to: &[Generation]| {
            let of = |part: &[Generation]| part.iter().flat_map(value).collect::<Vec<f64>>();
            Figure::difference_of_means(&of(to), &of(from))
        };
    let growth = Figure::difference_of_means(&lengths(last), &lengths(first));
    found.add_some("length last − first", growth);
    let means: Vec<f64> =
        generations.iter().filter_map(|own| Some(Figure::mean_of(&lengths(own))?.value)).collect();
    let steps: Vec<f64> = means.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let falls = steps.iter().filter(|step| **step < 0.0).count();
    found.add("falls", Figure::exact(falls as f64, steps.len() as u64));
    let most = steps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    found.add("largest growth", Figure::exact(most, steps.len() as u64));
    let half = generations.len() / 2;
    let points_of = |own: &Generation| own.values(|game| Some(points(game)));
    found.add_some(
        "points later − earlier",
        difference(&points_of, &generations[..half], &generations[generations.len() - half..]),
    );
    let late = &generations[generations.len() - half..];
    let late_points: Vec<f64> = late.iter().flat_map(points_of).collect();
    found.add_some("points of the later half", Figure::mean_of(&late_points));
    found.add_some("own thought of the last", Figure::mean_of(&last.values(own_thought)));
    let lead = |game: &BookUse| Some(own_thought(game)? - opponent_thought(game)?);
    found.add_some("own − opponent's thought", Figure::mean_of(&last.values(lead)));
    let valued: Vec<i32> = last.games.iter().filter_map(|game| game.score).collect();
    let worse = valued.iter().filter(|score| **score <= CLEARLY_WORSE).count();
    found.add_some("clearly worse", Figure::share(worse as u64, valued.len() as u64));
    let deleted: u64 = generations.iter().map(|own| own.deleted).sum();
    let positions = last.positions.max(1);
    found.add("deleted : positions", Figure::exact(deleted as f64 / positions as f64, positions));
}

impl Generation {
    fn values(&self, value: impl Fn(&BookUse) -> Option<f64>) -> Vec<f64> {
        self.games.iter().filter_map(value).collect()
    }
}

/// Points of the book's side.
fn points(game: &BookUse) -> f64 {
    match game.outcome {
        GameOutcome::Win => 1.0,
        GameOutcome::Draw => 0.5,
        GameOutcome::Loss => 0.0,
    }
}

fn own_thought(game: &BookUse) -> Option<f64> {
    game.own_thought_at.map(f64::from)
}

fn opponent_thought(game: &BookUse) -> Option<f64> {
    game.opponent_thought_at.map(f64::from)
}

/// The value on leaving, limited as in the tables of `book match`.
fn value(game: &BookUse) -> Option<f64> {
    game.score.map(|score| f64::from(score.clamp(-3_000, 3_000)))
}
