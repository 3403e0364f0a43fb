//! The handicaps (駒落ち) that have a name in record formats.

use crate::table::{Table, table};

/// A handicap and its start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// The word after `手合割：` in KIF and KI2.
    pub kif: &'static str,
    /// The `preset` of JSON Kifu Format.
    pub jkf: &'static str,
    /// The start position; White, who gives the handicap, moves first.
    pub sfen: &'static str,
}

static ROWS: Table<3> = table!("kifu/handicaps.tsv", ["kif", "jkf", "sfen"]);

/// 16 start positions, the even game (平手) first.
///
/// # Examples
///
/// ```
/// use komadai_testdata::handicaps;
///
/// let rook = handicaps::rows().find(|row| row.jkf == "HI").expect("the rook handicap");
/// assert_eq!(rook.kif, "飛車落ち");
/// ```
pub fn rows() -> impl Iterator<Item = Handicap> {
    ROWS.rows().map(|row| {
        let [kif, jkf, sfen] = row.cells;
        Handicap { kif, jkf, sfen }
    })
}
