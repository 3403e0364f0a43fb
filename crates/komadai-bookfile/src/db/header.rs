//! The header of a `.db` book.

use super::COUNT_PREFIX;

/// The content of a `.db` book before its first position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct DbHeader {
    /// The announced number of positions (`# NOE:`).
    pub positions: Option<u64>,
    /// The rest of the line of that number, such as `AUTHOR:someone`; usually empty.
    pub more: String,
    /// The other comments, lines separated by `\n`; usually empty.
    pub comment: String,
}

impl DbHeader {
    /// Reads the line that announces the number of positions. Returns false if `line` is another
    /// one.
    pub(super) fn read_count(&mut self, line: &str) -> bool {
        let Some(pairs) = line.strip_prefix(COUNT_PREFIX) else { return false };
        let (count, more) = pairs.split_once(',').unwrap_or((pairs, ""));
        let Ok(count) = count.trim_ascii().parse() else { return false };
        // A second announcement is an ordinary comment, so that writing keeps it.
        if self.positions.is_some() {
            return false;
        }
        self.positions = Some(count);
        self.more = more.trim_ascii().to_owned();
        true
    }
}
