//! What a `.db` book says about itself.

use super::COUNT_PREFIX;

/// What a `.db` book says before its first position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DbHeader {
    /// The number of positions that is announced (`# NOE:`).
    pub positions: Option<u64>,
    /// What else is said on the line of that number, such as `AUTHOR:nobody`; mostly empty.
    pub more: String,
    /// The other comments, lines separated by `\n`; mostly empty.
    pub comment: String,
}

impl DbHeader {
    /// Reads the line that announces the number of positions; whether it is one.
    pub(super) fn read_count(&mut self, line: &str) -> bool {
        let Some(pairs) = line.strip_prefix(COUNT_PREFIX) else { return false };
        let (count, more) = pairs.split_once(',').unwrap_or((pairs, ""));
        let Ok(count) = count.trim_ascii().parse() else { return false };
        if self.positions.is_some() {
            return false;
        }
        self.positions = Some(count);
        self.more = more.trim_ascii().to_owned();
        true
    }
}
