//! Import of another store.

use komadai_bookfile::BookRecord;

use super::Store;
use super::change::{Change, KnownMove};
use super::error::{StoreError, StoreFault};
use super::writer::Writer;
use crate::merge::{Input, Merged};

impl Store {
    /// Adds the content of another store in one transaction, with about 50 bytes of memory a
    /// position. Returns `None` and changes nothing if a source with the same fingerprint has been
    /// read before. `input` contains the [fingerprint](Self::fingerprint) of the other store's
    /// content, because opening a store changes its file.
    ///
    /// Moves are added with their games, analyses with their provenance, and the sources that the
    /// other store has read. Deleted moves and their analyses, deletions, snapshots, jobs, and
    /// games of matches are not added. Numbers of games are added each time: import a store again
    /// after it has grown only if the numbers of games do not matter.
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
        self.write_if(|transaction| {
            let mut writer = Writer::open(transaction)?;
            if !writer.input(input)? {
                return Ok(None);
            }
            copy(other, &mut writer)?;
            writer.finish().map(Some)
        })
    }
}

/// The errors of `other` name its file.
fn copy(other: &Store, writer: &mut Writer<'_>) -> Result<(), StoreFault> {
    for input in other.inputs()? {
        writer.input(&input)?;
    }
    // The moves come first because they keep the order of the record.
    for stored in other.records()? {
        let BookRecord { position, moves, .. } = stored?.record;
        for listed in moves {
            let m = listed.m;
            let ponder = listed.ponder;
            let games = listed.count.unwrap_or(0);
            let known = KnownMove { position: position.clone(), m, ponder, games };
            writer.apply(&Change::Move(known))?;
        }
    }
    for entry in other.log()? {
        let mut logged = entry?.analysis;
        let stored = other.position(&logged.position)?;
        let is_in_view =
            |m| stored.iter().flat_map(|s| &s.record.moves).any(|listed| listed.m == m);
        logged.analysis.lines.retain(|line| line.pv.first().copied().is_some_and(is_in_view));
        writer.apply(&logged.into())?;
    }
    Ok(())
}
