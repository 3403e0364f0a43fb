//! The use of a book to its side in many games.

use std::collections::BTreeMap;
use std::fmt;

use super::json;
use super::text_table::{Column, TextTable};
use super::{BookUse, WinDrawLoss};

/// A table of games grouped by generation, by opponent or by both, one row a group: the length of
/// the book lines, the share of games in which the book's side is ahead afterwards, the time won
/// and the results.
///
/// # Examples
///
/// ```
/// use komadai_book::games::{BookUse, GameOutcome, UseGrouping, UseTable};
/// use komadai_core::Color;
///
/// let game = |generation, length| BookUse {
///     opponent: "engine".to_owned(),
///     generation,
///     book_side: Color::Black,
///     outcome: GameOutcome::Win,
///     length,
///     left_at: Some(length + 1),
///     own_thought_at: Some(length + 1),
///     opponent_thought_at: Some(2),
///     score: Some(40),
///     lead_ms: Some(3_000),
/// };
/// let games = [game(0, 10), game(0, 14), game(1, 20)];
/// let table = UseTable::new(&games, UseGrouping::Generation);
/// assert_eq!(table.groups.len(), 2);
/// assert_eq!(table.groups[0].mean_length, 12.0);
/// println!("{table}");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UseTable {
    /// The groups: generations in order, opponents sorted by name.
    pub groups: Vec<UseGroup>,
}

/// The way in which games are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum UseGrouping {
    /// One group for each generation.
    Generation,
    /// One group for each opponent.
    Opponent,
    /// One group for each generation and opponent.
    GenerationAndOpponent,
}

/// The mean values of a group of games.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UseGroup {
    /// The generation, if games are grouped by it.
    pub generation: Option<u32>,
    /// The opponent, if games are grouped by it.
    pub opponent: Option<String>,
    /// The results of the book's side.
    pub results: WinDrawLoss,
    /// The mean number of moves until the book was left or the game ended.
    pub mean_length: f64,
    /// The largest number of moves until the book was left or the game ended.
    pub longest: u32,
    /// The number of games in which the book was left.
    pub left: u32,
    /// The number of these games in which the book's side reported a value afterwards.
    pub scored: u32,
    /// The number of these games in which the first value was above zero.
    pub ahead: u32,
    /// The mean of the first values in centipawns, each limited to ±3,000, mate scores included;
    /// `None` without values.
    pub mean_score: Option<f64>,
    /// The mean number of the first move for which the book's side used time.
    pub own_thought_at: Option<f64>,
    /// The mean number of the first move for which the opponent used time.
    pub opponent_thought_at: Option<f64>,
    /// The mean time won by the book, in milliseconds.
    pub mean_lead_ms: Option<f64>,
}

/// Largest value that counts in a mean, in centipawns: without it a single mate score would
/// dominate.
const MOST_SCORE: i32 = 3_000;

impl UseTable {
    /// Groups games.
    pub fn new(games: &[BookUse], grouping: UseGrouping) -> Self {
        let mut groups: BTreeMap<(Option<u32>, Option<&str>), Vec<&BookUse>> = BTreeMap::new();
        for game in games {
            let generation = (grouping != UseGrouping::Opponent).then_some(game.generation);
            let opponent = (grouping != UseGrouping::Generation).then_some(game.opponent.as_str());
            groups.entry((generation, opponent)).or_default().push(game);
        }
        let group = |((generation, opponent), games): ((_, Option<&str>), Vec<&BookUse>)| {
            UseGroup { generation, opponent: opponent.map(str::to_owned), ..UseGroup::of(&games) }
        };
        Self { groups: groups.into_iter().map(group).collect() }
    }

    /// Returns the table as JSON: an array of objects, one a line, with the names of the fields of
    /// [`UseGroup`] as members; the results are `wins`, `draws`, `losses`, `rate`, `low` and
    /// `high`.
    pub fn to_json(&self) -> String {
        json::array_of_lines(self.groups.iter().map(UseGroup::to_json))
    }
}

impl UseGroup {
    /// Returns the values of a group of games.
    fn of(games: &[&BookUse]) -> Self {
        let scores = || games.iter().filter_map(|game| game.score);
        let thought = |at: fn(&BookUse) -> Option<u32>| {
            mean(games.iter().filter_map(|game| at(game)).map(f64::from))
        };
        Self {
            generation: None,
            opponent: None,
            results: games.iter().map(|game| game.outcome).collect(),
            mean_length: mean(games.iter().map(|game| f64::from(game.length))).unwrap_or(0.0),
            longest: games.iter().map(|game| game.length).max().unwrap_or(0),
            left: games.iter().filter(|game| game.left_at.is_some()).count() as u32,
            scored: scores().count() as u32,
            ahead: scores().filter(|&score| score > 0).count() as u32,
            mean_score: mean(scores().map(|score| f64::from(score.clamp(-MOST_SCORE, MOST_SCORE)))),
            own_thought_at: thought(|game| game.own_thought_at),
            opponent_thought_at: thought(|game| game.opponent_thought_at),
            mean_lead_ms: mean(
                games.iter().filter_map(|game| game.lead_ms).map(|lead| lead as f64),
            ),
        }
    }

    fn to_json(&self) -> String {
        let generation = self.generation.map(|number| ("generation", number.to_string()));
        let opponent = self.opponent.as_deref().map(|name| ("opponent", json::quoted(name)));
        let rest = [
            ("mean_length", json::real(Some(self.mean_length))),
            ("longest", self.longest.to_string()),
            ("left", self.left.to_string()),
            ("scored", self.scored.to_string()),
            ("ahead", self.ahead.to_string()),
            ("mean_score", json::real(self.mean_score)),
            ("own_thought_at", json::real(self.own_thought_at)),
            ("opponent_thought_at", json::real(self.opponent_thought_at)),
            ("mean_lead_ms", json::real(self.mean_lead_ms)),
        ];
        let group = generation.into_iter().chain(opponent);
        json::object(group.chain(json::results(&self.results)).chain(rest))
    }
}

/// Returns the mean, or `None` without values.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl fmt::Display for UseTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = [
            Column::Right("generation"),
            Column::Left("opponent"),
            Column::Right("w-d-l"),
            Column::Right("points (95 %)"),
            Column::Right("moves in book"),
            Column::Right("longest"),
            Column::Right("left ahead"),
            Column::Right("value then"),
            Column::Right("own thought"),
            Column::Right("opponent's"),
            Column::Right("time won"),
        ];
        let mut table = TextTable::new(columns, "  ");
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let number = |mean: Option<f64>| or_dash(mean.map(|mean| format!("{mean:.1}")));
        for group in &self.groups {
            table.add([
                group.generation.map_or_else(|| "all".to_owned(), |number| number.to_string()),
                group.opponent.clone().unwrap_or_else(|| "all".to_owned()),
                group.results.to_string(),
                group.results.rate_text(),
                format!("{:.1}", group.mean_length),
                group.longest.to_string(),
                format!("{} of {}", group.ahead, group.scored),
                or_dash(group.mean_score.map(|score| format!("{score:+.0}"))),
                number(group.own_thought_at),
                number(group.opponent_thought_at),
                or_dash(group.mean_lead_ms.map(|lead| format!("{:.1} s", lead / 1_000.0))),
            ]);
        }
        table.fmt(f)
    }
}
