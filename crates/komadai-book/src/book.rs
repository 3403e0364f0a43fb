//! A book in memory.

use std::collections::HashMap;

use komadai_core::{Color, Move, PackedError, PackedSfen, Position};
use komadai_movegen::{IllegalMove, check_legality};
use smallvec::SmallVec;

use crate::AnalystId;
use crate::entry::Entry;
use crate::evaluation::{AnalystIndex, Evaluation, ValuePolicy};
use crate::key_index::KeyIndex;
use crate::merge::Merged;
use crate::orientation::{pack, turn, turned_key};

/// Positions with the moves that are known there, each with a log of evaluations.
///
/// A position is one entry whichever way it is reached, and with whichever colours: turning the
/// board and exchanging the colours leads to the same entry. Its move number does not tell positions
/// apart either; the number and the orientation in which a position was added first are remembered
/// for writing.
///
/// # Examples
///
/// ```
/// use komadai_book::Book;
/// use komadai_core::Position;
///
/// let mut book = Book::new();
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "2g2f"] {
///     book.add_games(&position, m.parse()?, 1)?;
///     position.do_move(m.parse()?);
/// }
/// assert_eq!(book.len(), 3);
///
/// // The same moves from the other side of the board.
/// let turned = Position::from_sfen(
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
/// )?;
/// let entry = book.entry(&turned).expect("the start position");
/// let first = entry.moves().next().expect("one move");
/// assert_eq!((first.m, first.games, first.score()), ("3c3d".parse()?, 1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Book {
    pub(crate) positions: Vec<StoredPosition>,
    /// By [`turned_key`].
    index: KeyIndex,
    analysts: Vec<AnalystId>,
    /// The index of each analyst.
    analyst_indices: HashMap<AnalystId, AnalystIndex>,
    inputs: Vec<Input>,
    policy: ValuePolicy,
}

/// A source that has been read into a book, such as a file of games.
///
/// It is remembered so that its games are not counted again when it is read once more.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Input {
    /// A number that only this content has; see [`Fingerprint`](crate::Fingerprint).
    pub fingerprint: u64,
    /// The number of games in it.
    pub games: u64,
    /// What it is called.
    pub name: String,
}

/// A position, its moves in the orientation with Black to move.
#[derive(Debug, Clone)]
pub(crate) struct StoredPosition {
    pub(crate) packed: PackedSfen,
    pub(crate) turned_key: u64,
    /// The move number and the side to move with which the position was added.
    pub(crate) ply: u32,
    pub(crate) side: Color,
    pub(crate) moves: Vec<StoredMove>,
}

/// A move, in the orientation with Black to move.
#[derive(Debug, Clone)]
pub(crate) struct StoredMove {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    pub(crate) games: u32,
    pub(crate) log: SmallVec<[Evaluation; 1]>,
}

/// A move for [`Book::add_record`], in the orientation of its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AddedMove {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    pub(crate) games: u32,
    pub(crate) evaluation: Option<Evaluation>,
}

/// Why something cannot be put into a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The move is illegal.
    #[error("{m} is illegal in {position}: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// The position as SFEN.
        position: String,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// The position does not fit into the 32 bytes that a book keeps of it, as happens with one king
    /// only.
    #[error("a book cannot hold {position}: {reason}")]
    Position {
        /// The position as SFEN.
        position: String,
        /// Why not.
        #[source]
        reason: PackedError,
    },
    /// The book is full: it has as many positions as it can number.
    #[error("the book cannot hold more than {limit} {what}")]
    Full {
        /// Of what there are too many.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
}

impl Book {
    /// An empty book.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Which evaluations count.
    #[must_use]
    pub fn policy(&self) -> ValuePolicy {
        self.policy
    }

    /// Decides which evaluations count. Nothing is lost by it.
    pub fn set_policy(&mut self, policy: ValuePolicy) {
        self.policy = policy;
    }

    /// The entry of a position, seen in the orientation of `position`.
    #[must_use]
    pub fn entry(&self, position: &Position) -> Option<Entry<'_>> {
        let found = self.find(position)?;
        Some(Entry::new(self, &self.positions[found], position.side()))
    }

    /// All entries in the order in which they were added, each in the orientation in which it was.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> {
        self.positions.iter().map(|stored| Entry::new(self, stored, stored.side))
    }

    /// The entry added as number `at`, in its own orientation.
    pub(crate) fn entry_at(&self, at: usize) -> Entry<'_> {
        let stored = &self.positions[at];
        Entry::new(self, stored, stored.side)
    }

    /// Everyone who has evaluated something, in the order in which they were first named.
    #[must_use]
    pub fn analysts(&self) -> &[AnalystId] {
        &self.analysts
    }

    /// The analyst with this index.
    ///
    /// # Panics
    ///
    /// Panics if the index comes from another book that has more analysts.
    #[must_use]
    pub fn analyst_id(&self, analyst: AnalystIndex) -> &AnalystId {
        &self.analysts[analyst.index()]
    }

    /// The index of an analyst, who is added if the book does not know it.
    ///
    /// # Panics
    ///
    /// Panics if the book has 65,536 analysts already.
    pub fn analyst(&mut self, id: &AnalystId) -> AnalystIndex {
        self.try_analyst(id).expect("a book has no more than 65,536 analysts")
    }

    /// As [`analyst`](Self::analyst), for names of unknown origin.
    pub(crate) fn try_analyst(&mut self, id: &AnalystId) -> Result<AnalystIndex, EntryError> {
        if let Some(&known) = self.analyst_indices.get(id) {
            return Ok(known);
        }
        let full = |_| EntryError::Full { what: "analysts", limit: 1 << 16 };
        let index = AnalystIndex(u16::try_from(self.analysts.len()).map_err(full)?);
        self.analysts.push(id.clone());
        self.analyst_indices.insert(id.clone(), index);
        Ok(index)
    }

    /// The sources that have been read, in that order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Notes that a source has been read, unless one of the same fingerprint has been.
    pub fn add_input(&mut self, input: Input) {
        if self.inputs.iter().all(|known| known.fingerprint != input.fingerprint) {
            self.inputs.push(input);
        }
    }

    /// Adds a move, and the position if it is new, without saying anything about its value.
    ///
    /// # Errors
    ///
    /// If the move is illegal, or the position one that a book cannot hold.
    pub fn add_move(&mut self, position: &Position, m: Move) -> Result<(), EntryError> {
        self.legal_move_mut(position, m).map(|_| ())
    }

    /// Adds to the number of games in which the move was made.
    ///
    /// # Errors
    ///
    /// As [`add_move`](Self::add_move).
    pub fn add_games(
        &mut self,
        position: &Position,
        m: Move,
        games: u32,
    ) -> Result<(), EntryError> {
        let stored = self.legal_move_mut(position, m)?;
        stored.games = stored.games.saturating_add(games);
        Ok(())
    }

    /// Notes what the opponent is expected to answer.
    ///
    /// # Errors
    ///
    /// As [`add_move`](Self::add_move), for both moves.
    pub fn set_ponder(
        &mut self,
        position: &Position,
        m: Move,
        ponder: Move,
    ) -> Result<(), EntryError> {
        judge(position, m)?;
        judge(&position.after(m), ponder)?;
        let turned = turn(ponder, position.side());
        self.move_mut(position, m)?.ponder = Some(turned);
        Ok(())
    }

    /// Adds an evaluation to the log of a move, unless the very same one is there: merging twice is
    /// merging once. Returns whether it was added.
    ///
    /// # Errors
    ///
    /// As [`add_move`](Self::add_move).
    pub fn log(
        &mut self,
        position: &Position,
        m: Move,
        evaluation: Evaluation,
    ) -> Result<bool, EntryError> {
        let log = &mut self.legal_move_mut(position, m)?.log;
        let is_new = !log.contains(&evaluation);
        if is_new {
            log.push(evaluation);
        }
        Ok(is_new)
    }

    /// Adds a position with several moves, all of which must be legal.
    pub(crate) fn add_record(
        &mut self,
        position: &Position,
        added: impl Iterator<Item = AddedMove>,
    ) -> Result<Merged, EntryError> {
        let (side, positions) = (position.side(), self.len());
        let at = self.position_or_new(position)?;
        let mut merged = Merged { positions: self.len() - positions, ..Merged::default() };
        let moves = &mut self.positions[at].moves;
        let before = moves.len();
        for AddedMove { m, ponder, games, evaluation } in added {
            let stored = stored_move(moves, turn(m, side));
            stored.games = stored.games.saturating_add(games);
            stored.ponder = ponder.map(|ponder| turn(ponder, side)).or(stored.ponder);
            let new = evaluation.filter(|evaluation| !stored.log.contains(evaluation));
            merged.evaluations += usize::from(new.is_some());
            stored.log.extend(new);
        }
        merged.moves = moves.len() - before;
        Ok(merged)
    }

    /// The number of evaluations of all moves.
    #[must_use]
    pub fn evaluations(&self) -> usize {
        self.positions.iter().flat_map(|stored| &stored.moves).map(|stored| stored.log.len()).sum()
    }

    /// Where a position is kept.
    pub(crate) fn find(&self, position: &Position) -> Option<usize> {
        let packed = pack(position).ok()?;
        self.find_packed(turned_key(position), &packed)
    }

    pub(crate) fn find_packed(&self, turned_key: u64, packed: &PackedSfen) -> Option<usize> {
        let is_it = |number: u32| self.positions[number as usize].packed == *packed;
        self.index.find(turned_key, is_it).map(|number| number as usize)
    }

    fn legal_move_mut(
        &mut self,
        position: &Position,
        m: Move,
    ) -> Result<&mut StoredMove, EntryError> {
        judge(position, m)?;
        self.move_mut(position, m)
    }

    /// The stored move, added if it is not there. The move must be legal.
    pub(crate) fn move_mut(
        &mut self,
        position: &Position,
        m: Move,
    ) -> Result<&mut StoredMove, EntryError> {
        let at = self.position_or_new(position)?;
        Ok(stored_move(&mut self.positions[at].moves, turn(m, position.side())))
    }

    fn position_or_new(&mut self, position: &Position) -> Result<usize, EntryError> {
        let packed = pack(position)
            .map_err(|reason| EntryError::Position { position: position.to_string(), reason })?;
        let turned_key = turned_key(position);
        if let Some(found) = self.find_packed(turned_key, &packed) {
            return Ok(found);
        }
        let number = u32::try_from(self.positions.len())
            .ok()
            .filter(|&number| number < KeyIndex::MAX_LEN)
            .ok_or(EntryError::Full { what: "positions", limit: KeyIndex::MAX_LEN.into() })?;
        let (ply, side) = (position.ply(), position.side());
        self.index.insert(turned_key, number);
        self.positions.push(StoredPosition { packed, turned_key, ply, side, moves: Vec::new() });
        Ok(number as usize)
    }
}

/// The move among `moves`, added if it is not there.
fn stored_move(moves: &mut Vec<StoredMove>, m: Move) -> &mut StoredMove {
    let place = moves.iter().position(|stored| stored.m == m).unwrap_or_else(|| {
        moves.push(StoredMove { m, ponder: None, games: 0, log: SmallVec::new() });
        moves.len() - 1
    });
    &mut moves[place]
}

/// Whether the move is legal, as a book's error.
pub(crate) fn judge(position: &Position, m: Move) -> Result<(), EntryError> {
    check_legality(position, m).map_err(|reason| EntryError::IllegalMove {
        m,
        position: position.to_string(),
        reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transpositions_and_orientations_are_one_entry() {
        let mut book = Book::new();
        let after = |moves: &str| {
            let mut position = Position::hirate();
            moves.split(' ').for_each(|m| position.do_move(m.parse().unwrap()));
            position
        };
        let add = |book: &mut Book, position: &Position, m: &str| {
            book.add_games(position, m.parse().unwrap(), 1).unwrap();
        };
        add(&mut book, &after("7g7f 3c3d 2g2f"), "8c8d");
        add(&mut book, &after("2g2f 3c3d 7g7f"), "8c8d");
        assert_eq!(book.len(), 1);
        // Black passes the move by way of a longer path: the colours are exchanged.
        let turned = after("7g7f 3c3d 2g2f").flipped();
        assert_eq!(turned.side(), Color::Black);
        add(&mut book, &turned, "2g2f");
        assert_eq!(book.len(), 1);
        let entry = book.entry(&turned).unwrap();
        let moves: Vec<_> = entry.moves().map(|m| (m.m.to_string(), m.games)).collect();
        assert_eq!(moves, [("2g2f".to_owned(), 3)]);
        assert_eq!(
            book.entries().next().unwrap().position(),
            after("7g7f 3c3d 2g2f").without_history()
        );
    }

    #[test]
    fn only_legal_moves_are_taken() {
        let mut book = Book::new();
        let start = Position::hirate();
        let error = book.add_move(&start, "7g7e".parse().unwrap()).unwrap_err();
        assert!(matches!(error, EntryError::IllegalMove { .. }));
        let error = book.set_ponder(&start, "7g7f".parse().unwrap(), "7f7e".parse().unwrap());
        assert!(matches!(error, Err(EntryError::IllegalMove { .. })));
        assert!(book.is_empty());
    }
}
