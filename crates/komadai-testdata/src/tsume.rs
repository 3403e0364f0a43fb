//! Tsume problems (詰将棋) and positions without a mate.
//!
//! Lengths count every legal interposition. The literature omits futile ones (無駄合い), so that its
//! lengths may be shorter: see [`Problem::literature_plies`].

use crate::table::{Row, Table, table};

/// A collection of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Set {
    /// 337 mates of 1 to 11 plies from self-play, both kings on the board; all lengths proven.
    ShortSelfplay,
    /// 292 mates of 1 to 23 plies in random small compositions; all lengths proven.
    RandomMate,
    /// 644 positions without a mate. Some notes name the rule on which the answer depends:
    /// `REPETITION-dependent` or `UCHIFUZUME-dependent`.
    NoMate,
    /// 1690 self-play positions with at least one check, typical of a search. The set contains
    /// [`Set::ShortSelfplay`].
    Realistic,
    /// 148 problems of Shogi Muso (1734) and Shogi Zuko (1755), and variants of some.
    Classic,
    /// 17 positions from public bug reports of solvers.
    RegressIssues,
}

impl Set {
    /// Every set.
    pub const ALL: [Set; 6] = [
        Set::ShortSelfplay,
        Set::RandomMate,
        Set::NoMate,
        Set::Realistic,
        Set::Classic,
        Set::RegressIssues,
    ];
}

/// A position and the known facts about a mate in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Problem {
    /// A short name, unique in its set.
    pub id: &'static str,
    /// The position; the side to move attacks. Pieces that neither side has may be missing.
    pub sfen: &'static str,
    /// The known facts.
    pub expected: Expected,
    /// The origin of the position.
    pub source: &'static str,
    /// The verification of `expected`, and remarks.
    pub notes: &'static str,
}

/// The known facts about a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    /// The shortest mate has this many plies, proven.
    ShortestMate(u32),
    /// There is a mate in this many plies; a shorter one was not excluded.
    MateWithin(u32),
    /// There is a mate of unknown length.
    Mate,
    /// There is no mate.
    NoMate,
    /// Neither a mate nor its absence is proven.
    Unknown,
}

impl Problem {
    /// The number of plies of the main line in the literature, futile interpositions not counted.
    ///
    /// Known for most of [`Set::Classic`]. It is not a bound in either direction: a problem may
    /// have a shorter mate, or none.
    pub fn literature_plies(&self) -> Option<u32> {
        let (_, rest) = self.notes.split_once("lit=")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    }
}

/// Embeds the table of a set; all have the same columns.
macro_rules! problems {
    ($file:literal) => {
        table!($file, ["id", "sfen", "expected", "source", "notes"])
    };
}

static SHORT_SELFPLAY: Table<5> = problems!("tsume/short_selfplay.tsv");
static RANDOM_MATE: Table<5> = problems!("tsume/random_mate.tsv");
static NO_MATE: Table<5> = problems!("tsume/nomate.tsv");
static REALISTIC: Table<5> = problems!("tsume/realistic.tsv");
static CLASSIC: Table<5> = problems!("tsume/classic.tsv");
static REGRESS_ISSUES: Table<5> = problems!("tsume/regress_issues.tsv");

/// The problems of a set.
///
/// # Examples
///
/// ```
/// use komadai_testdata::tsume::{self, Expected, Set};
///
/// let quick = tsume::set(Set::ShortSelfplay)
///     .filter(|problem| problem.expected == Expected::ShortestMate(3))
///     .count();
/// assert_eq!(quick, 62);
/// ```
pub fn set(set: Set) -> impl Iterator<Item = Problem> {
    let table = match set {
        Set::ShortSelfplay => &SHORT_SELFPLAY,
        Set::RandomMate => &RANDOM_MATE,
        Set::NoMate => &NO_MATE,
        Set::Realistic => &REALISTIC,
        Set::Classic => &CLASSIC,
        Set::RegressIssues => &REGRESS_ISSUES,
    };
    table.rows().map(|row| {
        let [id, sfen, _, source, notes] = row.cells;
        Problem { id, sfen, expected: expected(&row), source, notes }
    })
}

fn expected(row: &Row<5>) -> Expected {
    let [_, _, expected, _, notes] = row.cells;
    match expected {
        "?" => Expected::Unknown,
        "nomate" => Expected::NoMate,
        "mate" => Expected::Mate,
        plies if notes.starts_with("verified:") => Expected::ShortestMate(row.number(plies)),
        plies if notes.starts_with("verified-mate:") => Expected::MateWithin(row.number(plies)),
        _ => row.reject(notes),
    }
}
