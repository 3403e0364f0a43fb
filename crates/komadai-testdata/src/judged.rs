//! Positions with the values of other engines: pairs of several themes, and positions of real
//! games.

use crate::table::{Row, Table, table};

/// Two positions, and which one three engines think better for a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JudgedPair {
    /// The theme: `castle`, `activity` of a piece, value in `hand`, `entering king` or `handicap`.
    pub theme: &'static str,
    /// The contents of both positions; unique.
    pub name: &'static str,
    /// The positions.
    pub sfens: [&'static str; 2],
    /// The side for which they are compared, `b` or `w`.
    pub side: char,
    /// The index of the position that is better for that side.
    pub better: usize,
    /// The values of both positions for that side, by YaneuraOu MATERIAL 9, Fairy-Stockfish and
    /// GPSshogi, each in its own unit: a pawn in hand is about 100, 100 and 281.
    pub judges: [[i32; 2]; 3],
}

static PAIRS: Table<12> = table!(
    "evaluation/sanity.tsv",
    [
        "theme",
        "name",
        "first",
        "second",
        "side",
        "sign",
        "yaneuraou_first",
        "yaneuraou_second",
        "fairy_first",
        "fairy_second",
        "gps_first",
        "gps_second"
    ]
);

/// 25 pairs of positions of other themes than castles. At least two of three engines prefer the
/// same position by half a pawn or more, and none prefers the other one.
///
/// # Examples
///
/// ```
/// use komadai_testdata::judged;
///
/// let pair = judged::pairs().find(|pair| pair.theme == "handicap").expect("a pair of handicaps");
/// assert_eq!((pair.name, pair.better), ("HIRATE, KY", 0));
/// ```
pub fn pairs() -> impl Iterator<Item = JudgedPair> {
    PAIRS.rows().map(|row| {
        let [theme, name, judged @ ..] = row.cells;
        JudgedPair::new(&row, theme, name, judged)
    })
}

impl JudgedPair {
    /// Reads the positions, the side, the sign and the values of a row.
    pub(crate) fn new<const N: usize>(
        row: &Row<N>,
        theme: &'static str,
        name: &'static str,
        cells: [&'static str; 10],
    ) -> Self {
        let [first, second, side, sign, judges @ ..] = cells;
        let [y1, y2, f1, f2, g1, g2] = judges.map(|cell| row.number(cell));
        Self {
            theme,
            name,
            sfens: [first, second],
            side: match side {
                "b" => 'b',
                "w" => 'w',
                _ => row.reject(side),
            },
            better: match sign {
                "1" => 0,
                "-1" => 1,
                _ => row.reject(sign),
            },
            judges: [[y1, y2], [f1, f2], [g1, g2]],
        }
    }
}

/// A quiet position of a real game and its values for the side to move, each in the unit of its
/// engine; a mate is ±30,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JudgedPosition {
    /// The position.
    pub sfen: &'static str,
    /// The value by YaneuraOu MATERIAL 9 at 100,000 nodes.
    pub yaneuraou: i32,
    /// The value by Fairy-Stockfish at 100,000 nodes.
    pub fairy: i32,
    /// The value by GPSshogi at depth 4.
    pub gps: i32,
    /// The value by a search of 1,000,000 nodes with the built-in evaluation of 2026-11-22, for
    /// some of the positions.
    pub searched: Option<i32>,
}

static GAME_POSITIONS: Table<5> =
    table!("evaluation/game_positions.tsv", ["sfen", "yaneuraou", "fairy", "gps", "komadai"]);

/// 1,000 quiet positions of the games of [`tournament`](crate::games::tournament).
///
/// # Examples
///
/// ```
/// use komadai_testdata::judged;
///
/// assert_eq!(judged::game_positions().count(), 1_000);
/// ```
pub fn game_positions() -> impl Iterator<Item = JudgedPosition> {
    GAME_POSITIONS.rows().map(|row| {
        let [sfen, yaneuraou, fairy, gps, searched] = row.cells;
        JudgedPosition {
            sfen,
            yaneuraou: row.number(yaneuraou),
            fairy: row.number(fairy),
            gps: row.number(gps),
            searched: (!searched.is_empty()).then(|| row.number(searched)),
        }
    })
}
