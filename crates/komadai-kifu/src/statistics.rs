//! Statistics of many games: results, ends, lengths, openings, players, ratings.

mod formation_results;
mod lengths;
mod rook_file;

use std::collections::HashMap;

use komadai_core::{Color, Move, Setup};

pub use formation_results::{FormationResults, FormationStatistics};
pub use lengths::Lengths;
pub use rook_file::RookFile;

use crate::end::{EndKind, Outcome};
use crate::header::HeaderKey;
use crate::record::Record;

/// Largest number of different names, first lines and unknown end words that are kept.
const MAX_KEYS: usize = 1_000_000;

/// Games counted by their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Results {
    /// Games that Black won.
    pub black: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games without a result.
    pub unknown: u64,
}

impl Results {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Win(Color::Black) => &mut self.black,
            Outcome::Win(Color::White) => &mut self.white,
            Outcome::Draw => &mut self.draws,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.black + self.white + self.draws + self.unknown
    }

    /// Returns Black's share of the points, 0 to 1, with half a point for a draw; `None` if no game
    /// has a result.
    pub fn black_share(&self) -> Option<f64> {
        let decided = self.black + self.white + self.draws;
        let points = self.black as f64 + self.draws as f64 / 2.0;
        (decided > 0).then(|| points / decided as f64)
    }
}

/// The games of one player, under the name that the records state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlayerGames {
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The rating in the game read last that states one.
    pub rating: Option<f64>,
}

/// The numbers of many games, added one by one.
///
/// Memory is proportional to the number of different names and first lines, each at most a million;
/// the rest is not counted there.
///
/// # Examples
///
/// ```
/// use komadai_kifu::statistics::RecordStatistics;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let games = "startpos moves 7g7f 3c3d resign\nstartpos moves 7g7f 8c8d 2g2f resign\n";
/// let mut statistics = RecordStatistics::new(2);
/// for game in parse_usi_games(games, Tolerance::Strict)?.records {
///     statistics.add(&game);
/// }
/// assert_eq!((statistics.results.black, statistics.results.white), (1, 1));
/// assert_eq!(statistics.lengths.mean(), Some(2.5));
/// assert_eq!(statistics.first_lines().len(), 2);
/// assert!(statistics.players().is_empty()); // `PlayerGames` by name, where records have names
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RecordStatistics {
    /// The results.
    pub results: Results,
    /// Games that do not start from the even position.
    pub other_starts: u64,
    /// Games with variations.
    pub with_variations: u64,
    /// Games with times.
    pub with_times: u64,
    /// The lengths in plies.
    pub lengths: Lengths,
    /// The number of moves of a first line.
    plies: usize,
    ends: HashMap<Option<EndKind>, u64>,
    rooks: HashMap<[RookFile; 2], Results>,
    first_lines: HashMap<Box<[Move]>, Results>,
    players: HashMap<String, PlayerGames>,
    /// Stated ratings, by hundreds.
    ratings: HashMap<i32, u64>,
}

impl RecordStatistics {
    /// Creates statistics without games, which count the first `plies` moves of games together.
    pub fn new(plies: usize) -> Self {
        Self { plies, ..Self::default() }
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Record) {
        let outcome = record.outcome();
        let is_even = record.setup == Setup::hirate();
        self.results.add(outcome);
        self.other_starts += u64::from(!is_even);
        self.with_variations += u64::from(!record.variations.is_empty());
        self.with_times += u64::from(record.moves.iter().any(|played| played.time.is_some()));
        self.lengths.add(record.moves.len());
        if let Some(count) = slot(&mut self.ends, record.end.as_ref().map(|end| end.kind.clone())) {
            *count += 1;
        }
        if let Some(rooks) = RookFile::of(record) {
            self.rooks.entry(rooks).or_default().add(outcome);
        }
        if is_even && record.moves.len() >= self.plies {
            let line = record.moves[..self.plies].iter().map(|played| played.m).collect();
            if let Some(results) = slot(&mut self.first_lines, line) {
                results.add(outcome);
            }
        }
        for color in Color::ALL {
            self.add_player(record, color, outcome);
        }
    }

    fn add_player(&mut self, record: &Record, color: Color, outcome: Outcome) {
        let rating = record.rating(color);
        if let Some(rating) = rating {
            let hundreds = (rating / 100.0).floor().clamp(-1_000.0, 1_000.0) as i32;
            *self.ratings.entry(hundreds).or_default() += 1;
        }
        let name = record.header.get(&HeaderKey::player(color)).unwrap_or_default().trim();
        if name.is_empty() {
            return;
        }
        let Some(player) = slot(&mut self.players, name.to_owned()) else { return };
        player.games += 1;
        match outcome {
            Outcome::Win(winner) if winner == color => player.wins += 1,
            Outcome::Win(_) => player.losses += 1,
            Outcome::Draw => player.draws += 1,
            Outcome::Unknown => {}
        }
        player.rating = rating.or(player.rating);
    }

    /// Returns the ends with their numbers of games, the most frequent first; `None` is a game
    /// without an end mark.
    pub fn ends(&self) -> Vec<(Option<&EndKind>, u64)> {
        let ends = self.ends.iter().map(|(end, &games)| (end.as_ref(), games));
        sorted(ends, |&(end, games)| (games, format!("{end:?}")))
    }

    /// Returns the classes of openings, Black's and White's, with their results, the most frequent
    /// first.
    pub fn rooks(&self) -> Vec<([RookFile; 2], Results)> {
        let rooks = self.rooks.iter().map(|(&rooks, &results)| (rooks, results));
        sorted(rooks, |&(rooks, results)| (results.games(), format!("{rooks:?}")))
    }

    /// Returns the first moves of games from the even position with their results, the most
    /// frequent first. Shorter games are not counted.
    pub fn first_lines(&self) -> Vec<(&[Move], Results)> {
        let lines = self.first_lines.iter().map(|(line, &results)| (&**line, results));
        sorted(lines, |&(line, results)| (results.games(), format!("{line:?}")))
    }

    /// Returns the players, those with the most games first.
    pub fn players(&self) -> Vec<(&str, PlayerGames)> {
        let players = self.players.iter().map(|(name, &games)| (name.as_str(), games));
        sorted(players, |&(name, player)| (player.games, name.to_owned()))
    }

    /// Returns the numbers of ratings that games state, by intervals of 100 in rising order: the
    /// lower bound and the number.
    pub fn ratings(&self) -> Vec<(i32, u64)> {
        let mut ratings: Vec<_> =
            self.ratings.iter().map(|(&hundreds, &count)| (hundreds * 100, count)).collect();
        ratings.sort_unstable();
        ratings
    }
}

/// The value of a key; `None` if it is new and there are too many already.
fn slot<K: Eq + std::hash::Hash, V: Default>(map: &mut HashMap<K, V>, key: K) -> Option<&mut V> {
    let has_room = map.len() < MAX_KEYS;
    match map.entry(key) {
        std::collections::hash_map::Entry::Vacant(_) if !has_room => None,
        entry => Some(entry.or_default()),
    }
}

/// Sorts by falling numbers, then by rising names.
fn sorted<T>(items: impl Iterator<Item = T>, key: impl Fn(&T) -> (u64, String)) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_by_cached_key(|item| {
        let (number, name) = key(item);
        (std::cmp::Reverse(number), name)
    });
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_reader::parse_usi_games;
    use komadai_base::reading::Tolerance;

    fn of(games: &str, plies: usize) -> RecordStatistics {
        let mut statistics = RecordStatistics::new(plies);
        let records = parse_usi_games(games, Tolerance::Strict).unwrap().records;
        records.iter().for_each(|game| statistics.add(game));
        statistics
    }

    #[test]
    fn rooks_are_classified_for_both_sides() {
        let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
                     4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
        let statistics = of(&format!("startpos moves {moves} resign\n"), 3);
        let [(rooks, results)] = statistics.rooks()[..] else { panic!("one class") };
        assert_eq!(rooks, [RookFile::FourthFile, RookFile::Static]);
        assert_eq!((results.white, results.black_share()), (1, Some(0.0)));
        assert_eq!(statistics.ends(), [(Some(&EndKind::Resign), 1)]);
    }

    #[test]
    fn the_most_frequent_comes_first() {
        let games = "startpos moves 2g2f\nstartpos moves 7g7f\nstartpos moves 7g7f 3c3d resign\n";
        let statistics = of(games, 1);
        let lines: Vec<u64> =
            statistics.first_lines().iter().map(|(_, results)| results.games()).collect();
        assert_eq!(lines, [2, 1]);
        assert_eq!(statistics.ends()[0], (None, 2));
        let none = of("startpos\n", 1);
        assert!(none.first_lines().is_empty() && none.rooks().is_empty());
    }
}
