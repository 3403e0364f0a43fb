//! Which positions make the book longer.

use std::cmp::Reverse;
use std::collections::HashMap;

use komadai_core::{Color, Position};

use super::GameWalk;
use super::game_walk::{position_of, text_of};
use komadai_bookfile::position_key::PositionKey;

/// The positions by which games extend a book: from the turn at which a game left the book, the
/// next turns of the book's side whose positions are not in it (S1.3), each position once.
///
/// # Examples
///
/// ```
/// use komadai_book::games::{ExtensionTargets, GameWalk};
/// use komadai_bookgraph::{BookGame, BookGraph};
/// use komadai_core::{Color, Setup};
///
/// let game = BookGame {
///     start: Setup::hirate(),
///     moves: ["2g2f", "8c8d", "2f2e"].into_iter().map(str::parse).collect::<Result<_, _>>()?,
///     book_side: Color::Black,
///     winner: None,
///     opponent: "engine".to_owned(),
///     generation: 0,
///     left_at: None,
///     times_ms: Vec::new(),
///     scores: Vec::new(),
///     ending: "repetition".to_owned(),
///     when: 0,
/// };
/// let mut targets = ExtensionTargets::default();
/// let empty = BookGraph::from_records([])?;
/// targets.add(&GameWalk::new(&game, &empty)?);
/// assert_eq!(targets.sorted().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExtensionTargets {
    turns: usize,
    targets: HashMap<PositionKey, Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    count: u32,
    ply: u32,
}

/// A position to be searched and added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionTarget {
    /// The position, turned so that Black is to move, with its least move number.
    pub position: Position,
    /// How often it came up. A game that repeats itself counts each time.
    pub count: u32,
}

impl Default for ExtensionTargets {
    /// Eight turns of each game, sixteen plies, as in the paper.
    fn default() -> Self {
        Self::new(8)
    }
}

impl ExtensionTargets {
    /// So many turns of the book's side of each game, those whose positions are in the book
    /// included.
    #[must_use]
    pub fn new(turns: usize) -> Self {
        Self { turns, targets: HashMap::new() }
    }

    /// Takes the positions of a game.
    pub fn add(&mut self, walk: &GameWalk) {
        if let Some(left_at) = walk.left_at() {
            self.add_from(walk, left_at);
        }
    }

    /// Takes the positions of a game from the turn on before which so many moves had been made: where
    /// its player said that the book ended, whatever the book has learned since.
    pub fn add_from(&mut self, walk: &GameWalk, left_at: u32) {
        let unknown = |turn: &&super::BookTurn| turn.known().is_none();
        let beyond = walk.turns().filter(|turn| turn.moves_made() >= left_at);
        for turn in beyond.take(self.turns).filter(unknown) {
            let seen = Seen { count: 0, ply: turn.ply() };
            let seen = self.targets.entry(turn.key.position).or_insert(seen);
            seen.count = seen.count.saturating_add(1);
            seen.ply = seen.ply.min(turn.ply());
        }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The positions, those that came up most often first, equal ones sorted by text.
    #[must_use]
    pub fn sorted(&self) -> Vec<ExtensionTarget> {
        let mut targets: Vec<(&PositionKey, &Seen)> = self.targets.iter().collect();
        targets.sort_by_cached_key(|(key, seen)| (Reverse(seen.count), text_of(key)));
        let target = |(key, seen): (&PositionKey, &Seen)| ExtensionTarget {
            position: position_of(key, Color::Black, seen.ply),
            count: seen.count,
        };
        targets.into_iter().map(target).collect()
    }
}
