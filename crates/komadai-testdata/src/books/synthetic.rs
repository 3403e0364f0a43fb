//! Synthetic books with known exact values.
//!
//! The value of a position is the maximum over its moves. The value of a move to a position of the
//! book is the negated value of that position; the value of any other listed move is the one
//! written beside it. A move to a position of the book counts even if the book does not list the
//! move. Endless play is a draw (0), unless one side gives check on every move of it: that side
//! loses (32000).

use crate::table::{Table, table};

/// A book and the result of propagation through it.
#[derive(Debug, Clone, Copy)]
pub struct SyntheticBook {
    /// `small50`, `perpetual1` or `perpetual3`.
    pub name: &'static str,
    /// The book in YANEURAOU-DB2016 text.
    pub input: &'static str,
    /// The same book after propagation, moves best first. A move of equal value to the best but of
    /// another depth is written one point lower.
    pub solved: &'static str,
    /// The output of YaneuraOu's `makebook peta_shock` for the same input. Its values of positions
    /// equal ours; its depths in loops of checks differ.
    pub yaneuraou: &'static str,
    /// The number of positions.
    pub positions: usize,
    /// The number of moves from a position of the book to another, listed or not.
    pub edges: usize,
    /// The number of those moves that the book does not list.
    pub edges_not_listed: usize,
    /// The number of listed moves that leave the book.
    pub leaf_moves: usize,
    values: &'static Table<4>,
}

/// A position of a book and its exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SolvedRow {
    /// The position, in the text of the book.
    pub sfen: &'static str,
    /// The exact value: centipawns, positive is good for the side to move.
    pub value: i32,
    /// The number of plies to the move from which the value comes. Exact only for
    /// [`ValueKind::Leaf`]; 9998 and 9999 stand for endless play.
    pub depth: u32,
    /// The origin of the value.
    pub kind: ValueKind,
}

/// The origin of the value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// The value written beside a move that leaves the book.
    Leaf,
    /// A draw by endless play.
    Repetition,
    /// The threat of perpetual check, which the checking side loses.
    Perpetual,
}

impl SyntheticBook {
    /// The exact value of every position of the book.
    pub fn values(&self) -> impl Iterator<Item = SolvedRow> {
        self.values.rows().map(|row| {
            let [sfen, value, depth, kind] = row.cells;
            SolvedRow {
                sfen,
                value: row.number(value),
                depth: row.number(depth),
                kind: match kind {
                    "leaf" => ValueKind::Leaf,
                    "rep" => ValueKind::Repetition,
                    "perp" => ValueKind::Perpetual,
                    _ => row.reject(kind),
                },
            }
        })
    }
}

static MANIFEST: Table<5> = table!(
    "books/synthetic/manifest.tsv",
    ["book", "positions", "edges", "edges_not_listed", "leaf_moves"]
);
static SMALL50: Table<4> =
    table!("books/synthetic/small50.expected.tsv", ["sfen", "value", "depth", "kind"]);
static PERPETUAL1: Table<4> =
    table!("books/synthetic/perpetual1.expected.tsv", ["sfen", "value", "depth", "kind"]);
static PERPETUAL3: Table<4> =
    table!("books/synthetic/perpetual3.expected.tsv", ["sfen", "value", "depth", "kind"]);

/// Embeds the three texts of a book: the input, the solution, and the solution of YaneuraOu.
macro_rules! texts {
    ($book:literal) => {
        [
            include_str!(concat!("../../data/books/synthetic/", $book, ".db")),
            include_str!(concat!("../../data/books/synthetic/", $book, ".expected.db")),
            include_str!(concat!("../../data/books/synthetic/", $book, ".yaneuraou.db")),
        ]
    };
}

/// Three books: `small50` (56 positions, small enough to check by eye), and `perpetual1` (60) and
/// `perpetual3` (90), both with many loops of checks. In `perpetual1` six values depend on them.
///
/// # Examples
///
/// ```
/// use komadai_testdata::books::synthetic::{self, ValueKind};
///
/// let book = synthetic::books().find(|book| book.name == "perpetual1").expect("a book");
/// let forced = book.values().filter(|row| row.kind == ValueKind::Perpetual).count();
/// assert_eq!((book.positions, forced), (60, 6));
/// ```
pub fn books() -> impl Iterator<Item = SyntheticBook> {
    MANIFEST.rows().map(|row| {
        let [name, positions, edges, edges_not_listed, leaf_moves] = row.cells;
        let (values, [input, solved, yaneuraou]) = match name {
            "small50" => (&SMALL50, texts!("small50")),
            "perpetual1" => (&PERPETUAL1, texts!("perpetual1")),
            "perpetual3" => (&PERPETUAL3, texts!("perpetual3")),
            _ => row.reject(name),
        };
        SyntheticBook {
            name,
            input,
            solved,
            yaneuraou,
            positions: row.number(positions),
            edges: row.number(edges),
            edges_not_listed: row.number(edges_not_listed),
            leaf_moves: row.number(leaf_moves),
            values,
        }
    })
}
