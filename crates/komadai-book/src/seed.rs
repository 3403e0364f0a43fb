//! The start of a book from the openings of game records.

use std::collections::HashMap;

use komadai_bookfile::position_key::{PositionKey, leads_out, turn};
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_core::{Color, Move, Position};
use komadai_kifu::{Outcome, Record};

use crate::games::replay::replay;
use crate::games::{GameError, GameOutcome, WinDrawLoss};

/// Filters for the moves of games that become part of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SeedOptions {
    /// Number of the first move taken from each game, from 1.
    pub min_ply: u32,
    /// Number of the last move taken from each game.
    pub max_ply: u32,
    /// The players whose moves are taken.
    pub sides: SeedSides,
    /// Minimum rating of both players, as stated in the record: floodgate writes `'black_rate:…`
    /// before the first move. A game without ratings is skipped. `None` takes all games.
    pub min_rating: Option<u32>,
    /// Minimum number of games in which a move was made.
    pub min_games: u32,
    /// Minimum share, in per cent, of the games with the move among the games taken that reached
    /// the position.
    pub min_share_percent: u32,
}

/// The players whose moves are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SeedSides {
    /// Both players of every game.
    #[default]
    Both,
    /// The winner. Drawn games and games without a known result are skipped.
    Winner,
}

impl Default for SeedOptions {
    /// The first 24 moves of every game; a move of a single game counts.
    fn default() -> Self {
        Self {
            min_ply: 1,
            max_ply: 24,
            sides: SeedSides::Both,
            min_rating: None,
            min_games: 1,
            min_share_percent: 0,
        }
    }
}

/// Collects the openings of games and makes a book of the moves that are frequent enough.
///
/// Games are counted per position and move. Transpositions, and positions with colours exchanged,
/// count as the same position. A move counts once per game. The moves have no values. Moves before
/// and after positions that a book [cannot hold](leads_out) are left out, and
/// [counted](Seeder::unheld).
///
/// # Examples
///
/// ```
/// use komadai_book::{SeedOptions, Seeder};
/// use komadai_core::Position;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let games = "startpos moves 7g7f 3c3d 2g2f\n\
///              startpos moves 7g7f 8c8d\n\
///              startpos moves 2g2f 8c8d\n";
/// let options = SeedOptions { min_games: 2, max_ply: 10, ..SeedOptions::default() };
/// let mut seeder = Seeder::new(options);
/// for game in parse_usi_games(games, Tolerance::Strict)?.records {
///     seeder.add(&game)?;
/// }
/// let records: Vec<_> = seeder.records().collect();
/// assert_eq!(records.len(), 1);
/// assert_eq!(records[0].position, Position::hirate());
/// let frequent: Vec<_> = records[0].moves.iter().map(|m| (m.m.to_string(), m.count)).collect();
/// assert_eq!(frequent, [("7g7f".to_owned(), Some(2))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Seeder {
    options: SeedOptions,
    positions: Vec<SeenPosition>,
    places: HashMap<PositionKey, usize>,
    games: u64,
    skipped: u64,
    unheld: u64,
}

/// A move of games, as returned by [`Seeder::moves`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SeededMove {
    /// The position, in the orientation of its first game.
    pub position: Position,
    /// The move, in the same orientation.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The number of games in which it was made.
    pub games: u32,
    /// The number of games that reached the position and made a move taken there.
    pub position_games: u32,
    /// The results for the side that made the move, without games whose result is not known.
    pub results: WinDrawLoss,
}

/// A position of games, with its moves in the orientation with Black to move.
#[derive(Debug, Clone)]
struct SeenPosition {
    key: PositionKey,
    ply: u32,
    side: Color,
    moves: Vec<SeenMove>,
}

#[derive(Debug, Clone)]
struct SeenMove {
    m: Move,
    games: u32,
    results: WinDrawLoss,
}

impl Seeder {
    /// Creates a seeder without games.
    pub fn new(options: SeedOptions) -> Self {
        let positions = Vec::new();
        let places = HashMap::new();
        Self { options, positions, places, games: 0, skipped: 0, unheld: 0 }
    }

    /// Returns the number of games added, including skipped ones.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games skipped because of their players' ratings or their result.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns the number of moves left out because a book cannot hold the position before or after
    /// them: some positions with only one king. Moves that several games make count for each of
    /// them.
    pub fn unheld(&self) -> u64 {
        self.unheld
    }

    /// Adds the moves of a game that pass the filters.
    ///
    /// # Errors
    ///
    /// If the game breaks a rule before the last of these moves. The moves before the fault have
    /// been added.
    pub fn add(&mut self, record: &Record) -> Result<(), GameError> {
        self.add_until(record, self.options.max_ply)
    }

    /// Adds the moves of a game up to number `last`, from 1: lists of games contain such a limit
    /// for each game.
    ///
    /// # Errors
    ///
    /// The errors of [`add`](Self::add).
    pub(crate) fn add_until(&mut self, record: &Record, last: u32) -> Result<(), GameError> {
        self.games += 1;
        let outcome = record.outcome();
        let is_wanted = match self.options.sides {
            SeedSides::Both => true,
            SeedSides::Winner => matches!(outcome, Outcome::Win(_)),
        };
        if !is_wanted || !self.is_rated(record) {
            self.skipped += 1;
            return Ok(());
        }
        let most = self.options.max_ply.min(last) as usize;
        if most == 0 {
            return Ok(());
        }
        let mut counted = Vec::new();
        // The moves after the last one wanted need not be legal.
        let moves = record.moves.iter().take(most).map(|played| played.m);
        replay(&record.setup, moves, |index, position, m| {
            let number = index + 1;
            if number < self.options.min_ply as usize || !self.takes(outcome, position.side()) {
                return Ok(());
            }
            match PositionKey::try_of(position) {
                Ok(key) if !leads_out(position, m) => {
                    self.count(key, position, m, outcome, &mut counted);
                }
                _ => self.unheld += 1,
            }
            Ok(())
        })
    }

    /// Returns true if both players have the minimum rating.
    fn is_rated(&self, record: &Record) -> bool {
        let Some(least) = self.options.min_rating else { return true };
        let is_enough = |color| record.rating(color).is_some_and(|own| own >= f64::from(least));
        Color::ALL.into_iter().all(is_enough)
    }

    /// Returns true if moves of `side` are taken.
    fn takes(&self, outcome: Outcome, side: Color) -> bool {
        self.options.sides == SeedSides::Both || outcome == Outcome::Win(side)
    }

    /// Counts a move, unless `counted` shows that the same game has been counted for it.
    fn count(
        &mut self,
        key: PositionKey,
        position: &Position,
        m: Move,
        outcome: Outcome,
        counted: &mut Vec<(usize, Move)>,
    ) {
        let place = self.place(key, position);
        let m = turn(m, position.side());
        if counted.contains(&(place, m)) {
            return;
        }
        counted.push((place, m));
        let seen = self.positions[place].seen_move(m);
        seen.games = seen.games.saturating_add(1);
        match outcome {
            Outcome::Win(winner) if winner == position.side() => {
                seen.results.add(GameOutcome::Win);
            }
            Outcome::Win(_) => seen.results.add(GameOutcome::Loss),
            Outcome::Draw => seen.results.add(GameOutcome::Draw),
            Outcome::Unknown => {}
        }
    }

    /// Returns the index of a position. A new position is added.
    fn place(&mut self, key: PositionKey, position: &Position) -> usize {
        let next = self.positions.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            let ply = position.ply();
            let side = position.side();
            self.positions.push(SeenPosition { key, ply, side, moves: Vec::new() });
        }
        place
    }

    /// Returns all moves that are frequent enough, grouped by position, in the order of first
    /// occurrence.
    pub fn moves(&self) -> impl Iterator<Item = SeededMove> + '_ {
        self.positions.iter().flat_map(|seen| {
            let position = seen.position();
            let position_games = seen.games();
            seen.frequent(&self.options).map(move |frequent| SeededMove {
                position: position.clone(),
                m: turn(frequent.m, seen.side),
                games: frequent.games,
                position_games,
                results: frequent.results,
            })
        })
    }

    /// Returns the positions with a move that is frequent enough as records without values, in the
    /// order of first occurrence.
    pub fn records(&self) -> impl Iterator<Item = BookRecord> + '_ {
        self.positions.iter().filter_map(|seen| {
            let moves: Vec<RecordMove> = seen
                .frequent(&self.options)
                .map(|frequent| RecordMove {
                    count: Some(frequent.games),
                    ..RecordMove::new(turn(frequent.m, seen.side))
                })
                .collect();
            (!moves.is_empty()).then(|| BookRecord { moves, ..BookRecord::new(seen.position()) })
        })
    }
}

impl SeenPosition {
    /// Returns the position in the orientation of its first game.
    fn position(&self) -> Position {
        self.key.position(self.side, self.ply).expect("the key was made of a position")
    }

    /// Returns the number of games that made a move taken here.
    fn games(&self) -> u32 {
        self.moves.iter().fold(0, |games, seen| games.saturating_add(seen.games))
    }

    /// Returns the counts of a move. A new move is added.
    fn seen_move(&mut self, m: Move) -> &mut SeenMove {
        let place = self.moves.iter().position(|seen| seen.m == m).unwrap_or_else(|| {
            self.moves.push(SeenMove { m, games: 0, results: WinDrawLoss::default() });
            self.moves.len() - 1
        });
        &mut self.moves[place]
    }

    /// Returns the moves that pass the limits on games and share.
    fn frequent<'s>(
        &'s self,
        options: &SeedOptions,
    ) -> impl Iterator<Item = &'s SeenMove> + use<'s> {
        let least = options.min_games;
        let percent = u64::from(options.min_share_percent);
        let all = u64::from(self.games());
        let is_frequent =
            move |games: u32| games >= least && u64::from(games) * 100 >= percent * all;
        self.moves.iter().filter(move |seen| is_frequent(seen.games))
    }
}

#[cfg(test)]
mod tests {
    use komadai_kifu::{Tolerance, parse_csa, parse_usi_games};

    use super::*;

    fn seed(games: &str, options: SeedOptions) -> (Vec<BookRecord>, Vec<Result<(), GameError>>) {
        let mut seeder = Seeder::new(options);
        let records = parse_usi_games(games, Tolerance::Lenient).unwrap().records;
        let results = records.iter().map(|record| seeder.add(record)).collect();
        (seeder.records().collect(), results)
    }

    fn counts(records: &[BookRecord]) -> Vec<Vec<(String, u32)>> {
        let count = |listed: &RecordMove| (listed.m.to_string(), listed.count.unwrap_or(0));
        records.iter().map(|record| record.moves.iter().map(count).collect()).collect()
    }

    #[test]
    fn a_move_counts_once_a_game_and_once_a_position() {
        // Both rooks move back and forth, so the start position recurs after four plies.
        let walk = "2h3h 8b7b 3h2h 7b8b";
        let (book, _) = seed(&format!("startpos moves {walk} {walk} 7g7f"), SeedOptions::default());
        let start = counts(&book)[0].clone();
        assert_eq!(start, [("2h3h".to_owned(), 1), ("7g7f".to_owned(), 1)]);
        // The same opening with colours exchanged counts as the same opening.
        let turned = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves";
        let both = format!("startpos moves 7g7f\n{turned} 3c3d\n");
        assert_eq!(counts(&seed(&both, SeedOptions::default()).0), [[("7g7f".to_owned(), 2)]]);
    }

    #[test]
    fn only_the_opening_counts() {
        let options = SeedOptions { max_ply: 2, ..SeedOptions::default() };
        let (book, results) = seed("startpos moves 7g7f 3c3d 7f7d 1c1d\n", options);
        assert_eq!((book.len(), &results[..]), (2, &[Ok(())][..]));
        let (book, results) = seed("startpos moves 7g7f 3c3d 7f7d 1c1d\n", SeedOptions::default());
        assert_eq!(book.len(), 2);
        assert!(matches!(results[..], [Err(GameError::IllegalMove { number: 3, .. })]));
    }

    #[test]
    fn a_single_game_may_end_sooner_and_keeps_its_result() {
        let mut seeder = Seeder::new(SeedOptions::default());
        let games = parse_usi_games("startpos moves 7g7f 3c3d 2g2f resign\n", Tolerance::Strict);
        seeder.add_until(&games.unwrap().records[0], 2).unwrap();
        let seen: Vec<_> =
            seeder.moves().map(|seeded| (seeded.m.to_string(), seeded.results)).collect();
        let lost = WinDrawLoss { losses: 1, ..WinDrawLoss::default() };
        let won = WinDrawLoss { wins: 1, ..WinDrawLoss::default() };
        assert_eq!(seen, [("7g7f".to_owned(), won), ("3c3d".to_owned(), lost)]);
    }

    /// Returns the moves with results that a seeder takes from CSA games, and the number of skipped
    /// games.
    fn seeded(games: &str, options: SeedOptions) -> (Vec<String>, u64) {
        let mut seeder = Seeder::new(options);
        for record in parse_csa(games, Tolerance::Strict).unwrap().records {
            seeder.add(&record).unwrap();
        }
        let text = |seeded: SeededMove| {
            format!("{} {} of {} {}", seeded.m, seeded.games, seeded.position_games, seeded.results)
        };
        (seeder.moves().map(text).collect(), seeder.skipped())
    }

    const CSA: &str = "V2.2\nPI\n+\n'black_rate:a+x:y:3000.5\n'white_rate:b:2500.0\n+2726FU\n-8384FU\n%TORYO\n/\n\
        PI\n+\n'black_rate:a:3000.0\n'white_rate:b:3100.0\n+2726FU\n-3334FU\n+7776FU\n%TORYO\n/\n\
        PI\n+\n+7776FU\n-3334FU\n%SENNICHITE\n/\n\
        PI\n+\n+2726FU\n%CHUDAN\n";

    #[test]
    fn results_are_those_of_the_mover() {
        let (moves, skipped) = seeded(CSA, SeedOptions::default());
        assert_eq!(
            moves,
            [
                "2g2f 3 of 4 1-0-1",
                "7g7f 1 of 4 0-1-0",
                "8c8d 1 of 2 1-0-0",
                "3c3d 1 of 2 0-0-1",
                "7g7f 1 of 1 1-0-0",
                "3c3d 1 of 1 0-1-0",
            ]
            .map(|row| row.to_owned())
        );
        assert_eq!(skipped, 0);
    }

    #[test]
    fn each_filter_skips_the_moves_it_names() {
        let default = SeedOptions::default();
        let winners = SeedOptions { sides: SeedSides::Winner, ..default };
        let (moves, skipped) = seeded(CSA, winners);
        assert_eq!(moves, ["8c8d 1 of 1 1-0-0", "2g2f 1 of 1 1-0-0", "7g7f 1 of 1 1-0-0"]);
        assert_eq!(skipped, 2);
        let rated = SeedOptions { min_rating: Some(3_000), max_ply: 1, ..default };
        assert_eq!(seeded(CSA, rated), (vec!["2g2f 1 of 1 1-0-0".to_owned()], 3));
        let share = SeedOptions { min_share_percent: 50, max_ply: 1, ..default };
        assert_eq!(seeded(CSA, share).0, ["2g2f 3 of 4 1-0-1"]);
        let share = SeedOptions { min_share_percent: 76, max_ply: 1, ..default };
        assert!(seeded(CSA, share).0.is_empty());
        let later = SeedOptions { min_ply: 3, ..default };
        assert_eq!(seeded(CSA, later).0, ["7g7f 1 of 1 1-0-0"]);
    }

    #[test]
    fn ratings_of_a_floodgate_record_are_read() {
        let record = komadai_testdata::kifu::samples()
            .filter_map(|sample| std::str::from_utf8(sample.bytes).ok())
            .filter(|text| text.contains("'black_rate:"))
            .map(|text| parse_csa(text, Tolerance::Lenient).unwrap().records.remove(0))
            .find(|record| record.rating(Color::Black) == Some(3_382.0));
        assert_eq!(record.expect("the sample").rating(Color::White), Some(3_613.0));
    }
}
