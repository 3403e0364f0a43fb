//! The positions by which games extend a book.

use std::cmp::Reverse;
use std::collections::HashMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};

use super::GameWalk;
use super::game_walk::{position_of, text_of};

/// The positions by which games extend a book: the positions of the next turns of the book's side
/// from the turn at which a game left the book, without positions that are in the book. Each
/// position is contained once.
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

/// The occurrences of a position.
#[derive(Debug, Clone, Copy)]
struct Seen {
    count: u32,
    ply: u32,
}

/// A position to be analysed and added to the book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExtensionTarget {
    /// The position, turned so that Black is to move, with the smallest move number of its
    /// occurrences.
    pub position: Position,
    /// The number of occurrences. A game with repetitions counts each time.
    pub count: u32,
}

impl Default for ExtensionTargets {
    /// Eight turns of each game, which are sixteen plies, as in Shiba's paper.
    fn default() -> Self {
        Self::new(8)
    }
}

impl ExtensionTargets {
    /// Creates an empty set that takes `turns` turns of the book's side from each game. Turns whose
    /// positions are in the book count, but are not added.
    pub fn new(turns: usize) -> Self {
        Self { turns, targets: HashMap::new() }
    }

    /// Adds the positions of a game from the turn at which it left the book.
    pub fn add(&mut self, walk: &GameWalk) {
        if let Some(left_at) = walk.left_at() {
            self.add_from(walk, left_at);
        }
    }

    /// Adds the positions of a game from the first turn with at least `left_at` moves before it.
    /// `left_at` is the point where the player reported the end of the book; the book may have
    /// grown since.
    pub(crate) fn add_from(&mut self, walk: &GameWalk, left_at: u32) {
        let unknown = |turn: &&super::BookTurn| turn.known().is_none();
        let beyond = walk.turns().filter(|turn| turn.moves_made() >= left_at);
        for turn in beyond.take(self.turns).filter(unknown) {
            let seen = Seen { count: 0, ply: turn.ply() };
            let seen = self.targets.entry(turn.key.position).or_insert(seen);
            seen.count = seen.count.saturating_add(1);
            seen.ply = seen.ply.min(turn.ply());
        }
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns true if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the positions, the most frequent first, ties sorted by SFEN.
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
