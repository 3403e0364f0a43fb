//! Positions and moves in the binary forms of training data.
//!
//! Two families of formats exist and are easily confused: that of YaneuraOu (PackedSfen) and that
//! of Apery (HuffmanCodedPos). The codes of knight and silver are exchanged between them, and they
//! use different bits for drops and promotions.

use crate::table::{Row, Table, table};

/// A position and its 32 bytes in both encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedRow {
    /// The position; its move number is not part of the packed forms.
    pub sfen: &'static str,
    /// The position as a PackedSfen of YaneuraOu.
    pub packed_sfen: [u8; 32],
    /// The position as a HuffmanCodedPos of Apery.
    pub hcp: [u8; 32],
    /// The origin of the position: `startpos`, `handicap …` or `play`.
    pub source: &'static str,
}

/// A move and its 16 bits in both encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move16Row {
    /// The move in USI notation.
    pub usi: &'static str,
    /// The move in the encoding of Apery.
    pub apery: u16,
    /// The move in the encoding of YaneuraOu, which differs from Apery's for drops and promotions.
    pub yaneuraou: u16,
}

static POSITIONS: Table<4> =
    table!("packed/packed.tsv", ["sfen", "packed_sfen_hex", "hcp_hex", "source"]);
static MOVES: Table<3> = table!("packed/move16.tsv", ["usi", "apery_move16", "yaneuraou_move16"]);

/// 160 packed positions: the start position, 15 handicaps, and 144 from play.
///
/// # Examples
///
/// ```
/// use komadai_testdata::packed;
///
/// let startpos = packed::rows().next().expect("the start position comes first");
/// assert_eq!(startpos.packed_sfen[..4], [0x58, 0xa4, 0x51, 0x22]);
/// assert_eq!(startpos.hcp[..4], [0x58, 0xa4, 0x49, 0x21]);
/// ```
pub fn rows() -> impl Iterator<Item = PackedRow> {
    POSITIONS.rows().map(|row| {
        let [sfen, packed_sfen, hcp, source] = row.cells;
        PackedRow { sfen, packed_sfen: bytes(&row, packed_sfen), hcp: bytes(&row, hcp), source }
    })
}

/// 900 moves: 477 plain ones, 160 with promotion, and 263 drops of all seven kinds.
///
/// # Examples
///
/// ```
/// use komadai_testdata::packed;
///
/// let drop = packed::move16_rows().find(|row| row.usi == "G*1i").expect("a drop");
/// assert_eq!((drop.apery, drop.yaneuraou), (11144, 17288));
/// ```
pub fn move16_rows() -> impl Iterator<Item = Move16Row> {
    MOVES.rows().map(|row| {
        let [usi, apery, yaneuraou] = row.cells;
        Move16Row { usi, apery: row.number(apery), yaneuraou: row.number(yaneuraou) }
    })
}

/// Reads 64 hexadecimal digits.
fn bytes(row: &Row<4>, hex: &str) -> [u8; 32] {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        row.reject(hex);
    }
    std::array::from_fn(|index| {
        let digits = str::from_utf8(&pairs[index]).unwrap_or_else(|_| row.reject(hex));
        u8::from_str_radix(digits, 16).unwrap_or_else(|_| row.reject(hex))
    })
}
