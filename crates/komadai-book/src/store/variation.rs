//! Whole variations, which a person cuts.

use std::collections::{HashMap, HashSet};

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Color, Move, Position};
use komadai_movegen::{MoveList, generate_legal};

use super::error::StoreError;
use super::{Deletion, Store};
use crate::games::MoveKey;

impl Store {
    /// Returns the deletions that cut a variation: the last move of a line, if the book lists it,
    /// and every position that the book can reach only through it. Between positions of one side
    /// any reply of the other counts, because a book may hold the positions of its own side only.
    ///
    /// All deletions have the same time, so that `when` identifies them.
    ///
    /// Takes time and memory proportional to the number of positions and of their replies.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotInBook`] if nothing is to be deleted, or if the file cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::store::Store;
    /// use komadai_core::Position;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// let start = Position::hirate();
    /// let after = start.after("7g7f".parse()?).after("3c3d".parse()?);
    /// store.add_games(&start, "7g7f".parse()?, 3)?;
    /// store.add_games(&start, "2g2f".parse()?, 2)?;
    /// store.add_games(&after, "2g2f".parse()?, 1)?;
    /// let cut = store.variation(&start, "7g7f".parse()?, 1_700_000_000, 4)?;
    /// assert_eq!(cut.len(), 2);
    /// let ids = store.delete(&cut)?;
    /// assert_eq!(store.len()?, 1);
    /// store.undo(&ids, 1_700_000_001)?;
    /// assert_eq!(store.len()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn variation(
        &self,
        before: &Position,
        m: Move,
        when: u64,
        generation: u32,
    ) -> Result<Vec<Deletion>, StoreError> {
        let book = ListedMoves::of(self)?;
        let cut = MoveKey::of(before, m);
        let before_key = PositionKey::of(before)?;
        let mut below = book.reached(book.after(before, m, None), None);
        below.remove(&before_key);
        // What is also reached from elsewhere stays, with all that follows from there.
        let elsewhere = book.moves.keys().filter(|key| !below.contains(key));
        let others = elsewhere.flat_map(|key| book.next(key, cut));
        let kept = book.reached(others.filter(|key| below.contains(key)).collect(), cut);
        let mut cut_off: Vec<&PositionKey> = below.difference(&kept).collect();
        cut_off.sort_unstable();

        let reason = format!("cut by hand: the variation after {m} in {before}");
        let deletion = |position: Position, m: Option<Move>| {
            let (reason, games) = (reason.clone(), Vec::new());
            Deletion { position, m, reason, when, generation, games }
        };
        let mut deletions = Vec::new();
        if book.moves.get(&before_key).is_some_and(|moves| moves.contains(&turn(m, before.side())))
        {
            deletions.push(deletion(before.without_history(), Some(m)));
        }
        for key in cut_off {
            deletions.push(deletion(position_of(key), None));
        }
        if deletions.is_empty() {
            return Err(StoreError::NotInBook { what: format!("{m} in {before}") });
        }
        Ok(deletions)
    }
}

/// The listed moves of all positions, with Black to move.
struct ListedMoves {
    moves: HashMap<PositionKey, Vec<Move>>,
}

impl ListedMoves {
    fn of(store: &Store) -> Result<Self, StoreError> {
        let mut moves = HashMap::new();
        for stored in store.records()? {
            let record = stored?.record;
            let side = record.position.side();
            let listed = record.moves.iter().map(|listed| turn(listed.m, side)).collect();
            moves.insert(PositionKey::of(&record.position)?, listed);
        }
        Ok(Self { moves })
    }

    /// Returns the positions of the book after a move, and after it and any reply except `cut`.
    fn after(&self, position: &Position, m: Move, cut: Option<MoveKey>) -> Vec<PositionKey> {
        let after = position.after(m);
        let mut found: Vec<PositionKey> = self.key(&after).into_iter().collect();
        let mut replies = MoveList::new();
        generate_legal(&after, &mut replies);
        let is_cut = |reply| cut.is_some() && MoveKey::of(&after, reply) == cut;
        let replies = replies.iter().filter(|&&reply| !is_cut(reply));
        found.extend(replies.filter_map(|&reply| self.key(&after.after(reply))));
        found
    }

    /// Returns the positions of the book after the moves of one, except those after `cut`.
    fn next(&self, key: &PositionKey, cut: Option<MoveKey>) -> Vec<PositionKey> {
        let position = position_of(key);
        let moves = self.moves.get(key).into_iter().flatten().copied();
        let followed = moves.filter(|&m| Some(MoveKey { position: *key, m }) != cut);
        followed.flat_map(|m| self.after(&position, m, cut)).collect()
    }

    /// Returns the positions that are reached from some without `cut`, with these.
    fn reached(&self, from: Vec<PositionKey>, cut: Option<MoveKey>) -> HashSet<PositionKey> {
        let mut reached = HashSet::new();
        let mut open = from;
        while let Some(key) = open.pop() {
            if reached.insert(key) {
                open.extend(self.next(&key, cut));
            }
        }
        reached
    }

    fn key(&self, position: &Position) -> Option<PositionKey> {
        let key = PositionKey::try_of(position).ok()?;
        self.moves.contains_key(&key).then_some(key)
    }
}

fn position_of(key: &PositionKey) -> Position {
    key.position(Color::Black, 1).expect("it is the key of a position of the book")
}
