//! The list of pruning candidates that a person reviews.

use std::fmt;
use std::io::BufRead;

use komadai_bookfile::fields::shorten;
use komadai_core::{Move, Position};
use komadai_kifu::text::LineReader;
use komadai_kifu::{TextFault, TextFaultKind};
use komadai_movegen::check_legality;

use super::json;
use super::text_table::{Column, TextTable};
use super::{PruneCandidate, PruneHold};
use crate::list_error::ListError;

/// Candidates for pruning as a text that a person reviews. To keep a move, the person deletes its
/// line or puts a `#` before it. [`Removal::read_list`] reads the remaining lines.
///
/// ```text
/// # Moves that may go. To keep a move, delete its line or put a # before it.
/// # position and move                                                   | w-d-l | different | points (95 %) | …
/// lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 2g2f  | 0-0-3 |         2 | …
/// ```
///
/// Candidates that are [held](PruneCandidate::hold) come last, with a `#` before them.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReviewList {
    /// The candidates, in the order of the list.
    pub candidates: Vec<PruneCandidate>,
}

/// A move that a person has decided to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removal {
    /// The position.
    pub position: Position,
    /// The move, legal there.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
}

/// Maximum length of a line in bytes. A line of this program has at most a few hundred; the limit
/// bounds the memory for a file of another kind.
const LONGEST_LINE: usize = 1 << 20;

/// Maximum number of lost games in a line, so that lines stay readable.
const MOST_NAMED_GAMES: usize = 20;

impl ReviewList {
    /// Creates a list of candidates.
    pub fn new(candidates: Vec<PruneCandidate>) -> Self {
        Self { candidates }
    }

    /// Returns the list as JSON: an array of objects, one a line, with the members `sfen`, `move`,
    /// `opponent` (or `null`), `wins`, `draws`, `losses`, `rate`, `low`, `high` (the ends of the
    /// interval), `all` (the results in all games), `reason`, `hold` (the reason to keep the move,
    /// or `null`), `distinct_games`, `alternatives` and `games`, an array of objects with `number`, `opponent`, `generation` and `outcome`.
    pub fn to_json(&self) -> String {
        json::array_of_lines(self.candidates.iter().map(candidate_json))
    }
}

/// Returns a candidate as a JSON object.
fn candidate_json(candidate: &PruneCandidate) -> String {
    let opponent = candidate.opponent.as_deref();
    let games = candidate.games.iter().map(|game| {
        json::object([
            ("number", game.number.to_string()),
            ("opponent", json::quoted(&game.opponent)),
            ("generation", game.generation.to_string()),
            ("outcome", json::quoted(game.outcome.name())),
        ])
    });
    let games: Vec<String> = games.collect();
    let head = [
        ("sfen", json::quoted(&candidate.position.to_string())),
        ("move", json::quoted(&candidate.m.to_string())),
        ("opponent", opponent.map_or_else(|| "null".to_owned(), json::quoted)),
    ];
    let tail = [
        ("all", json::quoted(&candidate.all.to_string())),
        ("reason", json::quoted(candidate.reason.name())),
        (
            "hold",
            candidate.hold.map_or_else(|| "null".to_owned(), |hold| json::quoted(hold.name())),
        ),
        ("distinct_games", candidate.distinct_games.to_string()),
        ("alternatives", candidate.alternatives.to_string()),
        ("games", format!("[{}]", games.join(", "))),
    ];
    json::object(head.into_iter().chain(json::results(&candidate.results)).chain(tail))
}

impl fmt::Display for ReviewList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = [
            Column::Left("position and move"),
            Column::Right("w-d-l"),
            Column::Right("different"),
            Column::Right("points (95 %)"),
            Column::Left("reason"),
            Column::Left("against"),
            Column::Right("in all"),
            Column::Right("other moves"),
            Column::Left("lost games"),
            Column::Left("kept because"),
        ];
        let mut table = TextTable::new(columns, " | ");
        let (held, free): (Vec<_>, Vec<_>) =
            self.candidates.iter().partition(|candidate| candidate.hold.is_some());
        for candidate in free.into_iter().chain(held) {
            let mark = if candidate.hold.is_some() { "#" } else { "" };
            table.add([
                format!("{mark}{} {}", candidate.position, candidate.m),
                candidate.results.to_string(),
                candidate.distinct_games.to_string(),
                candidate.results.rate_text(),
                candidate.reason.name().to_owned(),
                candidate.opponent.clone().unwrap_or_else(|| "all".to_owned()),
                candidate.all.to_string(),
                candidate.alternatives.to_string(),
                lost_games(candidate),
                candidate.hold.map_or("", PruneHold::name).to_owned(),
            ]);
        }
        writeln!(f, "# Moves that may go. To keep a move, delete its line or put a # before it.")?;
        table.write_headings(f, "# ")?;
        table.write_rows(f)
    }
}

/// Returns the numbers of the first lost games, with `…` for the others.
fn lost_games(candidate: &PruneCandidate) -> String {
    let mut numbers: Vec<String> =
        candidate.lost_games().take(MOST_NAMED_GAMES).map(|number| number.to_string()).collect();
    if candidate.results.losses as usize > MOST_NAMED_GAMES {
        numbers.push("…".to_owned());
    }
    numbers.join(" ")
}

impl Removal {
    /// Reads the removals from a reviewed [`ReviewList`].
    ///
    /// Empty lines and lines that start with `#` are skipped. In other lines only the text before
    /// the first `|` is read: the four fields of a position, and a move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::games::Removal;
    ///
    /// let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// let list = format!("#{start} 7g7f | 0-0-3\n{start} 5g5f | 0-0-4\n");
    /// let removals = Removal::read_list(list.as_bytes())?;
    /// assert_eq!(removals.len(), 1);
    /// assert_eq!(removals[0].m.to_string(), "5g5f");
    /// # Ok::<(), komadai_book::ListError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault. A list is used as a whole or not at all.
    pub fn read_list(list: impl BufRead) -> Result<Vec<Self>, ListError> {
        let mut lines = LineReader::new(list, LONGEST_LINE);
        let mut removals = Vec::new();
        loop {
            let line = lines.number() + 1;
            let Some(bytes) = lines.next_line()? else { return Ok(removals) };
            let text = std::str::from_utf8(bytes).map_err(|_| not_utf8(line))?;
            let text = text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                removals.push(Self::read(text, line)?);
            }
        }
    }

    /// Reads one line.
    fn read(text: &str, line: u64) -> Result<Self, ListError> {
        let entry = text.split('|').next().unwrap_or_default().trim();
        let fields: Vec<&str> = entry.split_ascii_whitespace().collect();
        let [board, side, hands, number, m] = fields[..] else {
            return Err(syntax(line, entry, "the four fields of a position and a move"));
        };
        let position = Position::from_sfen(&format!("{board} {side} {hands} {number}"))
            .map_err(|error| ListError::Sfen { line, error })?;
        let m: Move = m.parse().map_err(|_| syntax(line, m, "a move such as 7g7f or P*5e"))?;
        match check_legality(&position, m) {
            Ok(()) => Ok(Self { position, m }),
            Err(reason) => Err(ListError::IllegalMove { line, m, reason }),
        }
    }
}

fn not_utf8(line: u64) -> ListError {
    TextFault::in_line(line, TextFaultKind::Encoding { expected: "UTF-8" }).into()
}

fn syntax(line: u64, found: &str, expected: &'static str) -> ListError {
    let found = shorten(found);
    TextFault::in_line(line, TextFaultKind::Syntax { found, expected }).into()
}
