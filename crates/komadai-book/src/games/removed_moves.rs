//! A layer above a book that hides moves and can restore them.

use std::collections::{BTreeMap, BTreeSet};

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Color, Move, Position};

use super::game_walk::position_of;
use super::{KnownMoves, PlayableMove, Removal};

/// Moves that a person has removed from a book. The book itself stays unchanged: the moves are
/// hidden in lookups through [`of`](Self::of) until they are restored.
///
/// # Examples
///
/// ```
/// use komadai_book::games::{KnownMoves, Removal, RemovedMoves};
/// use komadai_bookfile::BookRecord;
/// use komadai_bookgraph::BookGraph;
/// use komadai_core::Position;
///
/// let (start, m) = (Position::hirate(), "5g5f".parse()?);
/// let record = BookRecord::with_moves(start.clone(), ["2g2f".parse()?, m]);
/// let book = BookGraph::from_records([record])?;
///
/// let mut removed = RemovedMoves::default();
/// removed.apply([Removal { position: start.clone(), m }], &book);
/// let left = removed.of(&book).known_moves(&start).expect("the start position");
/// assert_eq!(left.len(), 1);
///
/// assert!(removed.restore(&start, m));
/// assert_eq!(removed.of(&book).known_moves(&start).map(|moves| moves.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovedMoves {
    /// The hidden moves of each position, in the orientation with Black to move.
    moves: BTreeMap<PositionKey, BTreeSet<MoveBits>>,
}

/// The bits of a move, because moves themselves have no order.
type MoveBits = u16;

/// The result of applying removals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Applied {
    /// The number of moves that are newly hidden.
    pub removed: usize,
    /// The number of moves that were hidden before.
    pub already: usize,
    /// Moves that the book does not have. The list then belongs to another or an older book.
    pub unknown: Vec<Removal>,
    /// Positions in which all moves of the book are hidden now.
    pub emptied: Vec<Position>,
}

impl RemovedMoves {
    /// Hides those moves of a reviewed list that the book has.
    pub fn apply(
        &mut self,
        removals: impl IntoIterator<Item = Removal>,
        book: &dyn KnownMoves,
    ) -> Applied {
        let mut applied = Applied::default();
        for removal in removals {
            let Removal { position, m } = &removal;
            let known = book.known_moves(position).unwrap_or_default();
            if !known.iter().any(|known| known.m == *m) {
                applied.unknown.push(removal);
                continue;
            }
            if !self.remove(position, *m) {
                applied.already += 1;
                continue;
            }
            applied.removed += 1;
            if known.iter().all(|known| self.contains(position, known.m)) {
                applied.emptied.push(removal.position);
            }
        }
        applied
    }

    /// Hides a move. Returns true if it is newly hidden, and false if it was hidden before or no
    /// book can hold the position.
    pub fn remove(&mut self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        self.moves.entry(key).or_default().insert(bits(position, m))
    }

    /// Restores a move. Returns true if it was hidden.
    pub fn restore(&mut self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        let Some(moves) = self.moves.get_mut(&key) else { return false };
        let was_hidden = moves.remove(&bits(position, m));
        if moves.is_empty() {
            self.moves.remove(&key);
        }
        was_hidden
    }

    /// Returns true if a move is hidden.
    pub fn contains(&self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        self.moves.get(&key).is_some_and(|moves| moves.contains(&bits(position, m)))
    }

    /// Returns the number of hidden moves.
    pub fn len(&self) -> usize {
        self.moves.values().map(BTreeSet::len).sum()
    }

    /// Returns true if no move is hidden.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns all hidden moves, their positions turned so that Black is to move. The order does
    /// not depend on the order of removal.
    pub fn iter(&self) -> impl Iterator<Item = Removal> + '_ {
        self.moves.iter().flat_map(|(key, moves)| {
            let mut moves: Vec<Move> =
                moves.iter().filter_map(|&bits| Move::from_bits(bits)).collect();
            moves.sort_by_key(|&m| usi_order(m));
            let position = position_of(key, Color::Black, 1);
            moves.into_iter().map(move |m| Removal { position: position.clone(), m })
        })
    }

    /// Returns a view of `book` without the hidden moves.
    pub fn of<'r, B: KnownMoves + ?Sized>(&'r self, book: &'r B) -> Remaining<'r, B> {
        Remaining { removed: self, book }
    }
}

/// Returns the bits of a move in the orientation with Black to move.
fn bits(position: &Position, m: Move) -> MoveBits {
    turn(m, position.side()).to_bits()
}

/// A view of a book without removed moves. It contains all positions of the book, even those whose
/// moves are all removed.
#[derive(Debug)]
pub struct Remaining<'r, B: ?Sized> {
    removed: &'r RemovedMoves,
    book: &'r B,
}

impl<B: KnownMoves + ?Sized> KnownMoves for Remaining<'_, B> {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        let mut moves = self.book.known_moves(position)?;
        moves.retain(|known| !self.removed.contains(position, known.m));
        Some(moves)
    }
}
