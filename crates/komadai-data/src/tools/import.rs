//! Training data from game records with the scores of engines.

use std::collections::BTreeMap;
use std::str::FromStr;

use komadai_core::{Bound, Color, Position};
use komadai_kifu::{HeaderKey, Line, Outcome, Record};
use komadai_movegen::MoveGen as _;
use serde::Serialize;

use super::convert::GamePart;
use super::error::ToolError;
use super::filter::{DropReason, Filter};
use super::filtering::{Dropped, options};
use super::origin::{InputOrigin, Origin};
use super::output::Output;
use crate::records::{TrainingEnd, TrainingFormat, TrainingGame, TrainingMove, record_of};

/// The games that are taken, by players and time. The default takes all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GameFilter {
    /// The least rating of both players, as floodgate states it; games without ratings are left out
    /// then.
    pub min_rating: Option<u32>,
    /// The first day of the period. Games without a date are left out then.
    pub since: Option<GameDate>,
    /// The last day of the period. Games without a date are left out then.
    pub until: Option<GameDate>,
    /// A part of the name of one of the players, in small or capital letters.
    pub player: Option<String>,
}

/// A day, as in `2025-07-31` or `2025/07/31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GameDate {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

/// The text is no day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no day, expected one as 2025-07-31")]
#[non_exhaustive]
pub struct GameDateError {
    /// The text.
    pub found: String,
}

impl FromStr for GameDate {
    type Err = GameDateError;

    /// Reads the day at the start of a text; a time may follow.
    fn from_str(text: &str) -> Result<Self, GameDateError> {
        let mut numbers = text.trim().split(|letter: char| !letter.is_ascii_digit());
        let date = (|| {
            let year = numbers.next()?.parse().ok()?;
            let month = numbers.next()?.parse().ok().filter(|month| (1..=12).contains(month))?;
            let day = numbers.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
            Some(Self { year, month, day })
        })();
        date.ok_or_else(|| GameDateError { found: text.chars().take(40).collect() })
    }
}

impl GameFilter {
    /// Returns the first condition that the game does not fulfil; `None` if it fulfils all.
    pub fn drops(&self, game: &Record) -> Option<DropReason> {
        if let Some(least) = self.min_rating {
            let is_enough =
                |color| game.rating(color).is_some_and(|rating| rating >= f64::from(least));
            if !Color::ALL.into_iter().all(is_enough) {
                return Some(DropReason::Rating);
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let header = &game.header;
            let stated = header.get(&HeaderKey::StartTime).or_else(|| header.get(&HeaderKey::Date));
            let date = stated.and_then(|text| text.parse::<GameDate>().ok());
            let is_within = |date: GameDate| {
                self.since.is_none_or(|since| since <= date)
                    && self.until.is_none_or(|until| date <= until)
            };
            if !date.is_some_and(is_within) {
                return Some(DropReason::Period);
            }
        }
        if let Some(part) = &self.player {
            let part = part.to_lowercase();
            let is_he = |color| {
                game.header.player(color).is_some_and(|name| name.to_lowercase().contains(&part))
            };
            if !Color::ALL.into_iter().any(is_he) {
                return Some(DropReason::Player);
            }
        }
        None
    }
}

/// The options of [`GameImport`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportOptions {
    /// The games that are taken.
    pub games: GameFilter,
    /// The conditions of positions.
    pub filter: Filter,
    /// Positions whose move has no score are taken, too, with the score 0: enough to learn moves
    /// from, but not scores.
    pub unscored: bool,
}

/// The options in the note of origin.
#[derive(Serialize)]
struct Note<'a> {
    format: String,
    #[serde(flatten)]
    options: &'a ImportOptions,
}

/// Writes training data from game records: the positions for whose moves an engine has written a
/// score into the record, as those of floodgate, with the moves that were played as best moves.
///
/// # Examples
///
/// ```
/// use komadai_data::records::TrainingFormat;
/// use komadai_data::tools::{Existing, GameImport, ImportOptions, Output};
/// use komadai_kifu::{Tolerance, parse_csa};
///
/// let text = "PI\n+\n+7776FU\n'** 104 -3334FU\n-3334FU\n%TORYO\n";
/// let game = parse_csa(text, Tolerance::Strict)?.records.remove(0);
/// let folder = tempfile::tempdir()?;
/// let output = Output::create(&folder.path().join("games.psv"), Existing::Refuse)?;
/// let mut import = GameImport::new(output, TrainingFormat::Psv, ImportOptions::default());
/// import.add(0, &game)?;
/// let origin = import.finish(Vec::new())?;
/// assert_eq!((origin.read, origin.records, origin.dropped["no_score"]), (2, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameImport {
    output: Output,
    format: TrainingFormat,
    options: ImportOptions,
    dropped: Dropped,
    read: u64,
    games: u64,
    /// Number of records of each input.
    records: BTreeMap<usize, u64>,
}

impl GameImport {
    /// Creates an import into a file of a format that is written: see [`convert`](super::convert).
    pub fn new(output: Output, format: TrainingFormat, options: ImportOptions) -> Self {
        let (dropped, records) = (Dropped::default(), BTreeMap::new());
        Self { output, format, options, dropped, read: 0, games: 0, records }
    }

    /// Returns the number of games that have been added, those left out included.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of positions that have been read.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Adds a game of the input with this index. A game is read up to its first illegal move.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Io`] if the system refuses, and [`ToolError::NotWritten`] for a format
    /// that is only read.
    pub fn add(&mut self, input: usize, record: &Record) -> Result<(), ToolError> {
        if matches!(self.format, TrainingFormat::Sbinpack | TrainingFormat::AperyRust) {
            return Err(ToolError::NotWritten { format: self.format });
        }
        self.games += 1;
        let moves = record.moves.len() as u64;
        self.read += moves;
        let before = self.output.records();
        let reason = self.options.games.drops(record);
        let reason =
            reason.or((record.outcome() == Outcome::Unknown).then_some(DropReason::NoResult));
        if let Some(reason) = reason {
            self.dropped.add_many(reason, moves);
            return Ok(());
        }
        let Some(game) = self.game(record) else {
            self.dropped.add_many(DropReason::Illegal, moves);
            return Ok(());
        };
        match GamePart::of(&game, self.format) {
            Ok(part) => part.write(&mut self.output, &mut self.dropped)?,
            Err(_) => self.dropped.add_many(DropReason::Illegal, moves),
        }
        *self.records.entry(input).or_default() += self.output.records() - before;
        Ok(())
    }

    /// Returns the game with the labels of its positions; `None` if its start is illegal.
    fn game(&mut self, record: &Record) -> Option<TrainingGame> {
        let start = Position::from_setup(&record.setup).ok()?;
        let mut scores = BTreeMap::new();
        for (ply, analysis) in record.analyses(Line::Main) {
            if analysis.bound == Bound::Exact && analysis.rank.is_none_or(|rank| rank == 1) {
                scores.entry(ply).or_insert(analysis);
            }
        }
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for (index, played) in record.moves.iter().enumerate() {
            if !position.is_legal(played.m) {
                let left = (record.moves.len() - index) as u64;
                self.dropped.add_many(DropReason::Illegal, left);
                break;
            }
            let score = scores.get(&(index + 1));
            let score = score.and_then(|analysis| analysis.score_for(position.side()));
            let is_unscored = score.is_none() && !self.options.unscored;
            let reason = is_unscored.then_some(DropReason::NoScore);
            let score = score.map_or(0, |score| score.raw().clamp(-32_000, 32_000) as i16);
            let reason = reason.or_else(|| {
                let labelled = record_of(&position, played.m, score, record.outcome())?;
                self.options.filter.drops(&labelled).ok().flatten()
            });
            if let Some(reason) = reason {
                self.dropped.add(reason);
            }
            let is_labelled = reason.is_none();
            let candidates = Vec::new();
            moves.push(TrainingMove { played: played.m, score, is_labelled, candidates });
            position.do_move(played.m);
        }
        let end = match position.repetition() {
            komadai_movegen::Repetition::None => TrainingEnd::Resignation,
            _ => TrainingEnd::Repetition,
        };
        Some(TrainingGame { start, outcome: record.outcome(), end, moves })
    }

    /// Completes the file, and writes the note of its origin with these inputs, whose numbers of
    /// records are filled in.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Io`] if the system refuses.
    pub fn finish(self, mut inputs: Vec<InputOrigin>) -> Result<Origin, ToolError> {
        for (index, records) in self.records {
            if let Some(input) = inputs.get_mut(index) {
                input.records = records;
            }
        }
        let note = Note { format: self.format.to_string(), options: &self.options };
        let mut origin =
            Origin { inputs, read: self.read, ..Origin::new("import", options(&note)) };
        origin.dropped = self.dropped.counts();
        self.output.finish_noted(origin)
    }
}
