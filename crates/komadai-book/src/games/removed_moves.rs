//! A layer above a book that hides moves, and can show them again.

use std::collections::{BTreeMap, BTreeSet};

use komadai_core::{Color, Move, Position};

use super::game_walk::position_of;
use super::{KnownMoves, PlayableMove, Removal};
use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::{PositionKey, turn};

/// Moves that a person has removed from a book, without losing anything of it: they are hidden from
/// whoever asks through [`of`](Self::of), until they are restored.
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
/// let mut removed = RemovedMoves::new();
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
    /// By position, in the orientation with Black to move.
    moves: BTreeMap<PositionKey, BTreeSet<MoveBits>>,
}

/// A move's bits: moves have no order of their own.
type MoveBits = u16;

/// What became of removals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// How many moves are hidden now that were not before.
    pub removed: usize,
    /// How many had been removed already.
    pub already: usize,
    /// Those that the book does not have: the list is about another book, or an older one.
    pub unknown: Vec<Removal>,
    /// Positions in which the book has no move any more.
    pub emptied: Vec<Position>,
}

impl RemovedMoves {
    /// No moves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Hides the moves of a reviewed list, as far as the book has them.
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

    /// Hides a move. Answers whether it was not hidden before; a position that fits into no book is
    /// left alone.
    pub fn remove(&mut self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        self.moves.entry(key).or_default().insert(bits(position, m))
    }

    /// Shows a move again. Answers whether it was hidden.
    pub fn restore(&mut self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        let Some(moves) = self.moves.get_mut(&key) else { return false };
        let was_hidden = moves.remove(&bits(position, m));
        if moves.is_empty() {
            self.moves.remove(&key);
        }
        was_hidden
    }

    /// Whether a move is hidden.
    #[must_use]
    pub fn contains(&self, position: &Position, m: Move) -> bool {
        let Ok(key) = PositionKey::try_of(position) else { return false };
        self.moves.get(&key).is_some_and(|moves| moves.contains(&bits(position, m)))
    }

    /// The number of moves that are hidden.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.values().map(BTreeSet::len).sum()
    }

    /// Whether no move is hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Every move that is hidden, its position turned so that Black is to move. The order depends on
    /// nothing but the moves.
    pub fn iter(&self) -> impl Iterator<Item = Removal> + '_ {
        self.moves.iter().flat_map(|(key, moves)| {
            let mut moves: Vec<Move> =
                moves.iter().filter_map(|&bits| Move::from_bits(bits)).collect();
            moves.sort_by_key(|&m| usi_order(m));
            let position = position_of(key, Color::Black, 1);
            moves.into_iter().map(move |m| Removal { position: position.clone(), m })
        })
    }

    /// What is left of a book.
    pub fn of<'r, B: KnownMoves + ?Sized>(&'r self, book: &'r B) -> Remaining<'r, B> {
        Remaining { removed: self, book }
    }
}

fn bits(position: &Position, m: Move) -> MoveBits {
    turn(m, position.side()).to_bits()
}

/// A book without the moves that have been removed. Its positions are all there, even those without
/// a move left.
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
