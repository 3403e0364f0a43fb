//! The comparison of a game with a book.

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookgraph::{BookGame, PlayableMove};
use komadai_core::{Color, Move, Position};

use super::known_moves::KnownMoves;
use super::replay::{GameError, replay};

/// The turns of the book's side in a game, divided into those inside the book and those outside.
///
/// A game leaves the book at the first turn of the book's side whose position is not in the book,
/// or whose move is not a move of the book. All later turns are outside, even if the game returns
/// to positions of the book. Moves of the opponent are not compared with the book.
///
/// # Examples
///
/// ```
/// use komadai_book::games::GameWalk;
/// use komadai_bookfile::BookRecord;
/// use komadai_bookgraph::{BookGame, BookGraph};
/// use komadai_core::{Color, Position, Setup};
///
/// let start = BookRecord::with_moves(Position::hirate(), ["2g2f".parse()?]);
/// let book = BookGraph::from_records([start])?;
/// let game = BookGame {
///     start: Setup::hirate(),
///     moves: ["2g2f", "8c8d", "2f2e"].into_iter().map(str::parse).collect::<Result<_, _>>()?,
///     book_side: Color::Black,
///     winner: Some(Color::Black),
///     opponent: "engine".to_owned(),
///     generation: 0,
///     left_at: None,
///     times_ms: Vec::new(),
///     scores: Vec::new(),
///     ending: "resignation".to_owned(),
///     when: 0,
/// };
/// let walk = GameWalk::new(&game, &book)?;
/// assert_eq!(walk.left_at(), Some(2));
/// assert_eq!((walk.in_book().len(), walk.beyond().len()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameWalk {
    turns: Vec<BookTurn>,
    /// The number of turns inside the book; they come first.
    in_book: usize,
}

/// A turn of the book's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookTurn {
    pub(crate) key: MoveKey,
    moves_made: u32,
    ply: u32,
    known: Option<u32>,
    /// The value of the move less that of the best other move of the book.
    pub(super) lead_cp: Option<i32>,
}

/// A position and a move in the orientation with Black to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MoveKey {
    pub(crate) position: PositionKey,
    pub(crate) m: Move,
}

impl GameWalk {
    /// Replays a game and looks up each turn of the book's side in the book. Turns in positions
    /// that a book cannot hold end the part inside the book, and are no turns of the walk.
    ///
    /// # Errors
    ///
    /// If the game has an illegal move or start.
    pub fn new(game: &BookGame, book: &dyn KnownMoves) -> Result<Self, GameError> {
        let mut turns = Vec::new();
        let mut in_book = None;
        replay(&game.start, game.moves.iter().copied(), |index, position, m| {
            if position.side() != game.book_side {
                return Ok(());
            }
            let known = book.known_moves(position);
            let is_of_book = known.iter().flatten().any(|known| known.m == m);
            if !is_of_book && in_book.is_none() {
                in_book = Some(turns.len());
            }
            let Some(key) = MoveKey::of(position, m) else { return Ok(()) };
            turns.push(BookTurn {
                key,
                moves_made: index as u32,
                ply: position.ply(),
                lead_cp: known.as_deref().and_then(|known| lead_cp(known, m)),
                known: known.map(|moves| moves.len() as u32),
            });
            Ok(())
        })?;
        Ok(Self { in_book: in_book.unwrap_or(turns.len()), turns })
    }

    /// Returns all turns of the book's side in order.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = &BookTurn> {
        self.turns.iter()
    }

    /// Returns the turns inside the book in order.
    pub fn in_book(&self) -> &[BookTurn] {
        &self.turns[..self.in_book]
    }

    /// Returns the turns outside the book in order.
    pub fn beyond(&self) -> &[BookTurn] {
        &self.turns[self.in_book..]
    }

    /// Returns the number of moves made when the book was left, as in [`BookGame::left_at`], or
    /// `None` if the book was never left.
    pub fn left_at(&self) -> Option<u32> {
        Some(self.beyond().first()?.moves_made)
    }
}

impl BookTurn {
    /// Returns the number of moves of the game before this turn.
    pub fn moves_made(&self) -> u32 {
        self.moves_made
    }

    /// Returns the position, turned so that Black is to move.
    pub fn position(&self) -> Position {
        self.key.position(self.ply)
    }

    /// Returns the move, turned with the position.
    pub fn m(&self) -> Move {
        self.key.m
    }

    /// Returns the number of moves that the book has here, or `None` if it does not have the
    /// position.
    pub fn known(&self) -> Option<u32> {
        self.known
    }

    pub(super) fn ply(&self) -> u32 {
        self.ply
    }
}

/// Returns the value of a move less that of the best other move, in centipawns.
fn lead_cp(known: &[PlayableMove], m: Move) -> Option<i32> {
    let own = known.iter().find(|known| known.m == m)?.score?;
    let others = known.iter().filter(|known| known.m != m).filter_map(|known| known.score);
    Some(own.raw() - others.max()?.raw())
}

impl MoveKey {
    /// Returns the key of a move; `None` if a book cannot hold the position.
    pub(crate) fn of(position: &Position, m: Move) -> Option<Self> {
        let key = PositionKey::try_of(position).ok()?;
        Some(Self { position: key, m: turn(m, position.side()) })
    }

    pub(super) fn position(&self, ply: u32) -> Position {
        position_of(&self.position, Color::Black, ply)
    }
}

/// Returns the position of a key that was made of a position.
pub(super) fn position_of(key: &PositionKey, side: Color, ply: u32) -> Position {
    key.position(side, ply).expect("the key was made of a position")
}

/// Returns the SFEN of a position with Black to move, without the move number. Lists are sorted by
/// it.
pub(super) fn text_of(key: &PositionKey) -> String {
    let mut text = position_of(key, Color::Black, 1).to_string();
    text.truncate(text.rfind(' ').unwrap_or(text.len()));
    text
}
