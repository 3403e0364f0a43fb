//! Positions and moves as the inputs and labels of deep networks.
//!
//! Both are seen from the side to move: for White, board and colours are turned around. A square
//! has the index 9 · (file − 1) + (rank − 1) after that, and a plane is a set of squares with the
//! value 1.

use crate::table::{Row, Table, table};

/// A position with its planes and the labels of its moves, in the representation of dlshogi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanesRow {
    /// The position; its move number has no plane.
    pub sfen: &'static str,
    /// The origin of the position: `bench`, `startpos`, `handicap …`, `play`, `no mate`, `opening`
    /// or `game`.
    pub source: &'static str,
    /// The planes of the first input: bit *n* is the square with index *n*.
    pub features1: [u128; 62],
    /// The planes of the second input; the value of a plane is the same on all squares.
    pub features2: [bool; 57],
    /// The label of each legal move, below 2,187, in the order of the moves' USI texts.
    pub labels: Vec<usize>,
}

static DLSHOGI: Table<5> =
    table!("planes/dlshogi.tsv", ["sfen", "source", "features1", "features2", "labels"]);

/// 94 positions with their planes and labels: bench positions, handicaps, play, 24 of them with
/// check.
///
/// # Examples
///
/// ```
/// use komadai_testdata::planes;
///
/// let startpos = planes::rows().find(|row| row.source == "startpos").expect("it is listed");
/// // Nine pawns of the side to move, and no piece in hand.
/// assert_eq!(startpos.features1[0].count_ones(), 9);
/// assert_eq!(startpos.features2, [false; 57]);
/// assert_eq!(startpos.labels.len(), 30);
/// ```
pub fn rows() -> impl Iterator<Item = PlanesRow> {
    DLSHOGI.rows().map(|row| {
        let [sfen, source, planes, set, labels] = row.cells;
        PlanesRow {
            sfen,
            source,
            features1: squares(&row, planes),
            features2: constants(&row, set),
            labels: labels.split(' ').map(|label| row.number(label)).collect(),
        }
    })
}

/// A position with the planes that networks with entering kings (入玉) have in addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnteringKingRow {
    /// The position.
    pub sfen: &'static str,
    /// The planes from number 57 of the second input on; the value of a plane is the same on all
    /// squares.
    pub planes: [bool; 62],
}

static ENTERING_KING: Table<2> = table!("planes/entering_king.tsv", ["sfen", "planes"]);

/// 226 positions with the planes of entering kings: 0 to 13 pieces in the enemy camp, 7 to 38
/// points in hand, kings on both sides of the border, and 60 random positions.
pub fn entering_king_rows() -> impl Iterator<Item = EnteringKingRow> {
    ENTERING_KING.rows().map(|row| {
        let [sfen, set] = row.cells;
        EnteringKingRow { sfen, planes: constants(&row, set) }
    })
}

/// Reads hexadecimal sets of squares, separated by dots; nothing stands for the empty set.
fn squares(row: &Row<5>, cell: &str) -> [u128; 62] {
    let read = |hex: &str| match hex {
        "" => 0,
        hex => u128::from_str_radix(hex, 16).unwrap_or_else(|_| row.reject(hex)),
    };
    let planes: Vec<u128> = cell.split('.').map(read).collect();
    planes.try_into().unwrap_or_else(|_| row.reject(cell))
}

/// Reads the numbers of the planes that are set.
fn constants<const CELLS: usize, const PLANES: usize>(
    row: &Row<CELLS>,
    cell: &str,
) -> [bool; PLANES] {
    let mut planes = [false; PLANES];
    for number in cell.split(' ').filter(|number| !number.is_empty()) {
        let plane = planes.get_mut(row.number::<usize>(number));
        *plane.unwrap_or_else(|| row.reject(number)) = true;
    }
    planes
}
