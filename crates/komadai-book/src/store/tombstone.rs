//! Deletions, with their reasons and their undoing.

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Move, Position};
use redb::ReadableTable;
use serde::{Deserialize, Serialize};

use super::Store;
use super::codes::{move_of, position_of, side_of};
use super::error::{StoreError, StoreFault};
use super::log_row::{DeletedRow, LogRow, Seen};
use super::tables::{KeyBytes, TOMBSTONES, decode, encode};
use super::writer::Writer;

/// A move or position to be deleted from the view, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Deletion {
    /// The position.
    pub position: Position,
    /// The move; `None` for the whole position with all its moves.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Option<Move>,
    /// The reason, as a text for people.
    pub reason: String,
    /// The time in seconds since the start of 1970 (UTC); 0 if it does not matter.
    pub when: u64,
    /// The round of growing and pruning in which the deletion was made.
    pub generation: u32,
    /// The numbers of the games that are the evidence for it.
    pub games: Vec<u64>,
}

/// A deletion that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tombstone {
    /// The number of the deletion.
    pub id: u64,
    /// The deleted move or position, with the reason.
    pub deletion: Deletion,
    /// The time at which it was undone, in seconds since the start of 1970 (UTC); `None` while it
    /// is in force.
    pub undone: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct TombstoneRow {
    position: KeyBytes,
    seen: Seen,
    m: Option<u16>,
    reason: String,
    when: u64,
    generation: u32,
    games: Vec<u64>,
    undone: Option<u64>,
}

impl Store {
    /// Deletes moves and positions from the view, all or none, in one transaction. Returns the
    /// number of each deletion.
    ///
    /// Their rows stay in the log, and later analyses do not bring them back; only
    /// [`undo`](Self::undo) does. A second deletion of the same item changes nothing and returns
    /// the number of the first.
    ///
    /// # Errors
    ///
    /// If the view does not contain one of the items, or the file cannot be written.
    pub fn delete(&self, deletions: &[Deletion]) -> Result<Vec<u64>, StoreError> {
        self.write(|transaction| {
            let mut tombstones = transaction.open_table(TOMBSTONES)?;
            let mut writer = Writer::open(transaction)?;
            let mut ids = Vec::with_capacity(deletions.len());
            for deletion in deletions {
                let row = TombstoneRow::new(deletion)?;
                let key = PositionKey::from_bytes(row.position);
                let gathered = writer.gathered(&key)?;
                if let Some(id) = gathered.tombstone(row.m) {
                    ids.push(id);
                    continue;
                }
                if !gathered.has(row.m) {
                    return Err(not_in_book(deletion));
                }
                let id = tombstones.last()?.map_or(0, |(id, _)| id.value() + 1);
                tombstones.insert(id, encode(&row).as_slice())?;
                let deleted = DeletedRow { tombstone: id, m: row.m };
                writer.append(key, &LogRow::Deleted(deleted))?;
                ids.push(id);
            }
            writer.finish()?;
            Ok(ids)
        })
    }

    /// Undoes deletions, all or none, in one transaction. Returns the number of those that were in
    /// force; undoing another one changes nothing. `when` is in seconds since the start of 1970
    /// (UTC).
    ///
    /// A move returns with all its evaluations, those before the deletion and those after it.
    ///
    /// # Errors
    ///
    /// If there is no such deletion, or the file cannot be written.
    pub fn undo(&self, ids: &[u64], when: u64) -> Result<usize, StoreError> {
        self.write(|transaction| {
            let mut tombstones = transaction.open_table(TOMBSTONES)?;
            let mut writer = Writer::open(transaction)?;
            let mut undone = 0;
            for &id in ids {
                let mut row: TombstoneRow = match tombstones.get(id)? {
                    None => return Err(StoreError::NoTombstone { id }.into()),
                    Some(row) => decode("tombstones", &id.to_be_bytes(), row.value())?,
                };
                if row.undone.is_none() {
                    row.undone = Some(when);
                    tombstones.insert(id, encode(&row).as_slice())?;
                    let key = PositionKey::from_bytes(row.position);
                    writer.append(key, &LogRow::Restored(id))?;
                    undone += 1;
                }
            }
            writer.finish()?;
            Ok(undone)
        })
    }

    /// Every deletion, including undone ones, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn tombstones(&self) -> Result<Vec<Tombstone>, StoreError> {
        self.read(|transaction| {
            let mut tombstones = Vec::new();
            for row in transaction.open_table(TOMBSTONES)?.iter()? {
                let (id, row) = row?;
                let id = id.value();
                let row: TombstoneRow = decode("tombstones", &id.to_be_bytes(), row.value())?;
                let tombstone = row.into_tombstone(id);
                let corrupt =
                    |reason| StoreFault::corrupt_row("tombstones", &id.to_be_bytes(), reason);
                tombstones.push(tombstone.map_err(corrupt)?);
            }
            Ok(tombstones)
        })
    }
}

impl TombstoneRow {
    fn new(deletion: &Deletion) -> Result<Self, StoreFault> {
        let Deletion { position, m, reason, when, generation, games } = deletion;
        Ok(Self {
            position: *PositionKey::of(position)?.as_bytes(),
            seen: Seen::of(position),
            m: m.map(|m| turn(m, position.side()).to_bits()),
            reason: reason.clone(),
            when: *when,
            generation: *generation,
            games: games.clone(),
            undone: None,
        })
    }

    fn into_tombstone(self, id: u64) -> Result<Tombstone, String> {
        let side = side_of(self.seen.side)?;
        let m = self.m.map(|code| Ok::<_, String>(turn(move_of(code)?, side)));
        let deletion = Deletion {
            position: position_of(&PositionKey::from_bytes(self.position), side, self.seen.ply)?,
            m: m.transpose()?,
            reason: self.reason,
            when: self.when,
            generation: self.generation,
            games: self.games,
        };
        Ok(Tombstone { id, deletion, undone: self.undone })
    }
}

fn not_in_book(deletion: &Deletion) -> StoreFault {
    let position = &deletion.position;
    let what = match deletion.m {
        Some(m) => format!("{m} in {position}"),
        None => position.to_string(),
    };
    StoreError::NotInBook { what }.into()
}
