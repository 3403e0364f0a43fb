//! The results of each move at a branch of games.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;

use komadai_bookfile::EntryError;
use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Position};

use super::game_walk::{MoveKey, position_of, text_of};
use super::replay::replay;
use super::text_table::{Column, TextTable};
use super::{GameError, GameOutcome, WinDrawLoss};

/// The ending of games by a declaration, as matches name it.
const DECLARATION: &str = "declaration";

/// The moves made at one or several move numbers with the results of the book's side, as in figures 1 and 2 of
/// Shiba's paper.
///
/// # Examples
///
/// ```
/// use komadai_book::games::Branches;
/// use komadai_bookgraph::BookGame;
/// use komadai_core::{Color, Setup};
///
/// let mut branches = Branches::at(2);
/// for (answer, winner) in [("3c3d", Color::White), ("8c8d", Color::White), ("3c3d", Color::Black)] {
///     branches.add(&BookGame {
///         start: Setup::hirate(),
///         moves: vec!["2g2f".parse()?, answer.parse()?],
///         book_side: Color::White,
///         winner: Some(winner),
///         opponent: "engine".to_owned(),
///         generation: 0,
///         left_at: None,
///         times_ms: Vec::new(),
///         scores: Vec::new(),
///         ending: "resignation".to_owned(),
///         when: 0,
///     })?;
/// }
/// let points = branches.points();
/// let moves: Vec<String> =
///     points[0].moves.iter().map(|made| format!("{} {}", made.m, made.results)).collect();
/// assert_eq!(moves, ["3c3d 1-0-1", "8c8d 1-0-0"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Branches {
    move_numbers: RangeInclusive<u32>,
    /// The position that a game must have come through to be counted.
    through: Option<PositionKey>,
    points: HashMap<(PositionKey, Mover), Point>,
}

#[derive(Debug, Clone)]
struct Point {
    /// The side to move in the first game.
    side: Color,
    /// The smallest number of the moves.
    ply: u32,
    moves: HashMap<Move, (WinDrawLoss, u32)>,
}

/// The player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Mover {
    /// The side with the book.
    BookSide,
    /// The other side.
    Opponent,
}

/// A position with the moves played there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BranchPoint {
    /// The position, in the orientation of the first game that reached it.
    pub position: Position,
    /// The player to move.
    pub mover: Mover,
    /// The moves, the most frequent first.
    pub moves: Vec<BranchMove>,
}

/// A move at a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BranchMove {
    /// The move, in the orientation of its position.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The results of the book's side.
    pub results: WinDrawLoss,
    /// The number of games that a declaration ended (入玉宣言): in which a king entered the camp.
    pub declarations: u32,
}

impl Branches {
    /// Creates the empty set of moves with this number. The first move from the start position has
    /// number 1.
    pub fn at(move_number: u32) -> Self {
        Self::within(move_number..=move_number)
    }

    /// Creates the empty set of moves with these numbers.
    pub fn within(move_numbers: RangeInclusive<u32>) -> Self {
        Self { move_numbers, through: None, points: HashMap::new() }
    }

    /// Creates the empty set of moves with this number in games that came through a position, in
    /// either orientation, before the move or at it.
    ///
    /// # Errors
    ///
    /// If a book cannot hold the position.
    pub fn after(position: &Position, move_number: u32) -> Result<Self, EntryError> {
        Ok(Self { through: Some(PositionKey::of(position)?), ..Self::at(move_number) })
    }

    /// Counts the moves of a game that have such a number, in positions that a book can hold.
    /// Numbers are those of the game's positions: a game from an opening of twelve moves has no
    /// move 5. A game that repeats a move counts once there.
    ///
    /// # Errors
    ///
    /// If the game has an illegal move or start. It is then not counted.
    pub fn add(&mut self, game: &BookGame) -> Result<(), GameError> {
        let mut found = Vec::new();
        let mut came_through = self.through.is_none();
        replay(&game.start, game.moves.iter().copied(), |_, position, m| {
            let ply = position.ply();
            if !came_through && ply <= *self.move_numbers.end() {
                came_through = PositionKey::try_of(position).ok() == self.through;
            }
            if came_through && self.move_numbers.contains(&ply) {
                let key = MoveKey::of(position, m);
                found.extend(key.map(|key| (position.side(), ply, key)));
            }
            Ok(())
        })?;
        let mut seen = HashSet::new();
        for (side, ply, key) in found {
            if seen.insert(key) {
                let mover = if side == game.book_side { Mover::BookSide } else { Mover::Opponent };
                let point = self.points.entry((key.position, mover));
                let point = point.or_insert_with(|| Point { side, ply, moves: HashMap::new() });
                point.ply = point.ply.min(ply);
                let (results, declarations) = point.moves.entry(key.m).or_default();
                results.add(GameOutcome::of(game));
                *declarations += u32::from(game.ending == DECLARATION);
            }
        }
        Ok(())
    }

    /// Returns the positions, those of most games first, ties sorted by SFEN.
    pub fn points(&self) -> Vec<BranchPoint> {
        let mut points: Vec<_> = self.points.iter().collect();
        points.sort_by_cached_key(|((key, mover), point)| {
            let results: WinDrawLoss = point.moves.values().map(|&(results, _)| results).sum();
            (Reverse(results.games()), text_of(key), *mover)
        });
        let point = |((key, mover), point): (&(PositionKey, Mover), &Point)| BranchPoint {
            position: position_of(key, point.side, point.ply),
            mover: *mover,
            moves: sorted_moves(point),
        };
        points.into_iter().map(point).collect()
    }
}

/// Returns the moves of a position, the most frequent first, in the orientation of the first game.
fn sorted_moves(point: &Point) -> Vec<BranchMove> {
    let made = |(&m, &(results, declarations))| BranchMove {
        m: turn(m, point.side),
        results,
        declarations,
    };
    let mut moves: Vec<BranchMove> = point.moves.iter().map(made).collect();
    moves.sort_by_key(|made| (Reverse(made.results.games()), usi_order(made.m)));
    moves
}

/// Writes a table for each position.
impl fmt::Display for Branches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, point) in self.points().iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            point.fmt(f)?;
        }
        Ok(())
    }
}

/// Writes the position and a table of its moves.
impl fmt::Display for BranchPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mover = match self.mover {
            Mover::BookSide => "the book's side",
            Mover::Opponent => "the opponent",
        };
        writeln!(f, "move {} by {mover}: {}", self.position.ply(), self.position)?;
        let columns = [
            Column::Left("move"),
            Column::Right("games"),
            Column::Right("w-d-l"),
            Column::Right("points (95 %)"),
            Column::Right("entering king"),
        ];
        let mut table = TextTable::new(columns, "  ");
        for BranchMove { m, results, declarations } in &self.moves {
            table.add([
                m.to_string(),
                results.games().to_string(),
                results.to_string(),
                results.rate_text(),
                declarations.to_string(),
            ]);
        }
        table.fmt(f)
    }
}
