//! Taking in what another store knows.

use super::Store;
use super::change::{Change, KnownMove};
use super::error::{Fault, StoreError};
use super::writer::Writer;
use crate::input::Input;
use crate::merge::Merged;

/// Which of two stores is to blame.
enum Failure {
    Written(Fault),
    Read(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Read(error)
    }
}

impl Store {
    /// Adds what another store knows, all or nothing: one transaction, in memory that does not depend on
    /// the size of the other but for some 50 bytes a position. `None`, and no change, if a source of the
    /// same fingerprint has been read before; what a store has is told by its
    /// [fingerprint](Self::fingerprint), as its file changes whenever it is opened.
    ///
    /// Its moves come with their games, its analyses with their provenance, and with them the sources
    /// that it has read. Moves that were deleted there, and what was said of them, stay behind, as do
    /// deletions, snapshots, jobs, and games of matches. Games count again each time: take in a store
    /// that has grown since only where the games of its moves do not matter.
    ///
    /// # Errors
    ///
    /// If either file fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::Input;
    /// use komadai_book::store::Store;
    /// use komadai_core::Position;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let other = Store::create(folder.path().join("other.kbook"))?;
    /// other.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
    /// let fingerprint = other.fingerprint()?.number();
    /// let input = Input { fingerprint, games: 0, name: "other.kbook".to_owned() };
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// assert_eq!(store.import_store(&input, &other)?.map(|merged| merged.moves), Some(1));
    /// assert!(store.import_store(&input, &other)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import_store(&self, input: &Input, other: &Self) -> Result<Option<Merged>, StoreError> {
        let mut unreadable = None;
        let imported = self.write_if(|transaction| {
            let mut writer = Writer::open(transaction)?;
            if !writer.input(input)? {
                return Ok(None);
            }
            match take_in(other, &mut writer) {
                Ok(()) => writer.finish().map(Some),
                Err(Failure::Written(fault)) => Err(fault),
                Err(Failure::Read(error)) => {
                    unreadable = Some(error);
                    Ok(None)
                }
            }
        })?;
        unreadable.map_or(Ok(imported), Err)
    }
}

fn take_in(other: &Store, writer: &mut Writer<'_>) -> Result<(), Failure> {
    for input in other.inputs()? {
        writer.input(&input).map_err(Failure::Written)?;
    }
    other.for_each_position(|stored| {
        // The moves go first: they keep the order of the record.
        stored.record.moves.iter().try_for_each(|listed| {
            let position = stored.record.position.clone();
            let (m, ponder, games) = (listed.m, listed.ponder, listed.count.unwrap_or(0));
            let known = KnownMove { position, m, ponder, games };
            writer.apply(&Change::Move(known)).map_err(Failure::Written)
        })
    })?;
    other.for_each_analysis(|entry| {
        let mut logged = entry.analysis;
        let stored = other.position(&logged.position)?;
        let is_there = |m| stored.iter().flat_map(|s| &s.record.moves).any(|listed| listed.m == m);
        logged.analysis.lines.retain(|line| line.pv.first().copied().is_some_and(is_there));
        writer.apply(&logged.into()).map_err(Failure::Written)
    })
}
