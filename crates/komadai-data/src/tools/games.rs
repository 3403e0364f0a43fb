//! The games in a file of records.

use crate::records::PackedSfenValue;
use komadai_core::Color;
use komadai_kifu::Outcome;

use super::error::ToolError;
use super::sources::Sources;
use super::watch::Watch;

/// Recognises the first record of each game, in records that are in the order of their games.
///
/// In files of self-play, a game begins where the move number is not the next one. In other files
/// records may be missing, as after a filter: there, a game begins where the move number is not
/// larger than the one before, or where another side has won. Two games count as one there if the
/// second begins with a larger move number than the last of the first, and the same side won both.
#[derive(Debug, Clone, Default)]
pub(super) struct Games {
    last: Option<Last>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Last {
    /// The index of the file.
    file: usize,
    ply: u16,
    outcome: Outcome,
}

impl Games {
    /// Returns whether a game begins with the record, which follows the one of the call before.
    pub(super) fn begins(
        &mut self,
        file: usize,
        has_whole_games: bool,
        record: &PackedSfenValue,
    ) -> bool {
        let outcome = record.result.outcome(side(record));
        let last = self.last.replace(Last { file, ply: record.ply, outcome });
        last.is_none_or(|last| {
            let is_next = match has_whole_games {
                true => last.ply.checked_add(1) == Some(record.ply),
                false => last.ply < record.ply && last.outcome == outcome,
            };
            last.file != file || !is_next
        })
    }
}

/// The least mean number of records of a game. In a random order it is about two.
const LEAST_MEAN: u64 = 4;
/// The number of records from which on their order can be judged.
const JUDGED: u64 = 256;

/// Refuses records that are not in the order of their games, by the number of games that they seem
/// to be.
pub(super) fn check_order(records: u64, games: u64) -> Result<(), ToolError> {
    if records >= JUDGED && records < LEAST_MEAN * games {
        return Err(ToolError::NotInGames { records, runs: games });
    }
    Ok(())
}

impl Sources {
    /// Checks that the records are in the order of their games, as before a
    /// [`shuffle`](super::shuffle). Whoever holds out whole games needs this order: otherwise
    /// positions of one game are on both sides.
    ///
    /// Fewer than 256 records are not judged.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::NotInGames`] for records in another order, and the errors of reading
    /// them.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_data::records::{PackedSfenValue, RecordResult};
    /// use komadai_data::tools::{OnDamage, Sources, ToolError, Watch};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("games.psv");
    /// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Draw)?;
    /// let with_ply = |ply| PackedSfenValue { ply, ..record }.to_bytes();
    /// let order = |plies: Vec<u16>| -> Result<(), ToolError> {
    ///     std::fs::write(&file, plies.into_iter().map(with_ply).collect::<Vec<_>>().concat()).unwrap();
    ///     Sources::find(&[file.clone()], OnDamage::Refuse)?.check_order(&mut Watch::none())
    /// };
    /// assert!(order((1..=300).map(|record| record % 100).collect()).is_ok());
    /// let shuffled = order((1..=300).map(|record| record * 37 % 100).collect());
    /// assert!(matches!(shuffled, Err(ToolError::NotInGames { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_order(&self, watch: &mut Watch<'_>) -> Result<(), ToolError> {
        let (mut games, mut records, mut runs) = (Games::default(), 0, 0);
        self.read(
            "order",
            watch,
            |_, record| Ok(record.unpack().map(drop)?),
            |taken| {
                records += 1;
                let begins = games.begins(taken.index, taken.input.has_whole_games, &taken.record);
                runs += u64::from(begins);
                Ok(())
            },
        )?;
        check_order(records, runs)
    }
}

/// Returns the side to move.
pub(super) fn side(record: &PackedSfenValue) -> Color {
    record.position.side()
}

#[cfg(test)]
mod tests {
    use crate::records::RecordResult::{self, Draw, Loss, Win};
    use komadai_core::Position;

    use super::*;

    /// Returns for each record whether a game begins with it.
    fn begins(has_whole_games: bool, records: &[(u16, RecordResult)]) -> Vec<bool> {
        let mut games = Games::default();
        let [start, next] = [Position::hirate(), Position::hirate().after("7g7f".parse().unwrap())];
        let record = |&(ply, result): &(u16, RecordResult)| {
            let position = if ply % 2 == 1 { &start } else { &next };
            let record = PackedSfenValue::new(position, 0, None, result).unwrap();
            games.begins(0, has_whole_games, &PackedSfenValue { ply, ..record })
        };
        records.iter().map(record).collect()
    }

    #[test]
    fn games_begin_where_their_numbers_or_results_do() {
        // Black wins three records, Black wins two, White wins two, and two are of a draw.
        let records = [
            (1, Win),
            (2, Loss),
            (4, Loss),
            (3, Win),
            (4, Loss),
            (5, Loss),
            (6, Win),
            (7, Draw),
            (8, Draw),
        ];
        let expected = [true, false, false, true, false, true, false, true, false];
        assert_eq!(begins(false, &records), expected);
        let expected = [true, false, true, true, false, false, false, false, false];
        assert_eq!(begins(true, &records), expected);
    }

    #[test]
    fn games_end_with_their_file() {
        let mut games = Games::default();
        let record = PackedSfenValue::new(&Position::hirate(), 0, None, Win).unwrap();
        assert!(games.begins(0, true, &record));
        assert!(games.begins(1, true, &PackedSfenValue { ply: 2, ..record }));
        assert!(!games.begins(1, true, &PackedSfenValue { ply: 3, ..record }));
    }
}
