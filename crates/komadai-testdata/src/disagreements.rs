//! Positions in which at least one known program counts the legal moves wrongly.

use crate::table::{Table, table};

/// A position, its correct number of legal moves, and the answers of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Disagreement {
    /// The position.
    pub sfen: &'static str,
    /// The correct number of legal moves.
    pub legal_moves: u32,
    /// The answers of other programs, in the order of [`PROGRAMS`].
    pub answers: [u32; 8],
}

/// The programs whose answers are recorded.
pub const PROGRAMS: [&str; 8] = [
    "nshogi",
    "cshogi",
    "haitaka 0.3.2",
    "yasai 0.5.0",
    "rsshogi 1.2.3",
    "rshogi-core 0.5.2",
    "apery_rust",
    "shogi_legality_lite 0.1.3",
];

static ROWS: Table<10> = table!(
    "movegen/disagreements_d1.tsv",
    [
        "sfen",
        "yo_clang",
        "nshogi",
        "cshogi_clang",
        "d_haitaka",
        "d_yasai",
        "d_rsshogi",
        "d_rshogi",
        "d_apery",
        "d_lite"
    ]
);

/// 192 positions, in each of which a pawn drop would give mate (打ち歩詰め) and is not legal.
///
/// # Examples
///
/// ```
/// use komadai_testdata::disagreements;
///
/// // A generator that never excludes mating pawn drops is wrong by one move in each of them.
/// assert!(disagreements::rows().all(|row| row.answers[0] == row.legal_moves + 1));
/// ```
pub fn rows() -> impl Iterator<Item = Disagreement> {
    ROWS.rows().map(|row| {
        let [sfen, legal_moves, answers @ ..] = row.cells;
        Disagreement {
            sfen,
            legal_moves: row.number(legal_moves),
            answers: answers.map(|answer| row.number(answer)),
        }
    })
}
