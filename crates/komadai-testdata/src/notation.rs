//! Moves with their names in the official notation.

use crate::table::{Table, table};

/// A move and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NamedMove {
    /// The position.
    pub sfen: &'static str,
    /// The move.
    pub usi: &'static str,
    /// The name, without the sign of the side: `４六馬寄`.
    pub notation: &'static str,
}

static OFFICIAL: Table<3> = table!("kifu/notation.tsv", ["sfen", "usi", "notation"]);

/// 6,499 moves in positions with up to eight pieces that can move to one square.
///
/// # Examples
///
/// ```
/// use komadai_testdata::notation;
///
/// assert!(notation::official().any(|row| row.notation.ends_with("左上成")));
/// ```
pub fn official() -> impl Iterator<Item = NamedMove> {
    OFFICIAL.rows().map(|row| {
        let [sfen, usi, notation] = row.cells;
        NamedMove { sfen, usi, notation }
    })
}
