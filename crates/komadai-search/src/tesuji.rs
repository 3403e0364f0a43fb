//! Tesuji macros (手筋マクロ): short sequences of moves that belong together.
//!
//! A pawn is dropped before a silver, the silver takes it, a pawn drives the silver back: where such
//! a sequence comes up, its last move says little by itself, because it was to be expected. It is
//! searched a ply deeper, so that the search looks past the routine.
//!
//! The sequences are mined from game records by `examples/mine_tesuji.rs`: of all sequences of two
//! and three [`Descriptor`]s those are kept whose number, multiplied by how much the moves before
//! tell about the last one (in bits), is largest.
//!
//! Source: the glossary of computer shogi (2009), "tesuji macro" and "n-gram tesuji macro", the
//! latter after T. Ohtsuki's talk at the Game Programming Workshop; what describes a move is our own.

mod descriptor;

use core::fmt;
use std::sync::LazyLock;

use komadai_core::{Move, Piece, PieceKind, Position};
use komadai_eval::Evaluator;

use crate::Techniques;
use crate::pruning;
use crate::worker::Worker;

use descriptor::Way;
pub use descriptor::{Descriptor, DescriptorError};

/// A sequence of two or three moves, the sides in turn.
///
/// # Examples
///
/// ```
/// use komadai_search::Tesuji;
///
/// let moves = ["P*".parse()?, "SxP@0,0".parse()?, "P*@0,1".parse()?];
/// let tesuji = Tesuji::new(&moves).expect("two or three moves, related to each other");
/// assert_eq!(tesuji.to_string(), "P* SxP@0,0 P*@0,1");
/// # Ok::<(), komadai_search::DescriptorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tesuji {
    /// All but the last.
    prefix: Prefix,
    last: Descriptor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Prefix {
    One(Descriptor),
    Two([Descriptor; 2]),
}

impl Tesuji {
    /// A sequence of these moves; `None` unless there are two or three and all but the first, and
    /// they alone, are described relative to the one before.
    #[must_use]
    pub fn new(moves: &[Descriptor]) -> Option<Self> {
        let is_related = moves.iter().enumerate().all(|(index, m)| m.is_relative() == (index > 0));
        let prefix = match *moves {
            [first, _] => Prefix::One(first),
            [first, second, _] => Prefix::Two([first, second]),
            _ => return None,
        };
        let last = *moves.last()?;
        is_related.then_some(Self { prefix, last })
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = Descriptor> {
        let (first, second) = match self.prefix {
            Prefix::One(first) => (first, None),
            Prefix::Two([first, second]) => (first, Some(second)),
        };
        [Some(first), second, Some(self.last)].into_iter().flatten()
    }

    /// The moves in one number, those before the last in its high bits.
    fn key(&self) -> u64 {
        self.prefix.key() << Descriptor::BITS | self.last.code()
    }
}

impl Prefix {
    #[inline]
    fn key(self) -> u64 {
        match self {
            Self::One(first) => first.code(),
            Self::Two([first, second]) => first.code() << Descriptor::BITS | second.code(),
        }
    }
}

impl fmt::Display for Tesuji {
    /// The moves, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for m in self.moves() {
            write!(f, "{space}{m}")?;
            space = " ";
        }
        Ok(())
    }
}

/// Sequences of moves whose completion [`TESUJI_EXTENSION`](Techniques::TESUJI_EXTENSION) searches
/// deeper.
///
/// # Examples
///
/// ```
/// use komadai_search::TesujiTable;
///
/// let table = TesujiTable::from_text("# taking back\nPxP SxP@0,0\nPxP GxP@0,0  # as well\n")?;
/// assert_eq!(table.len(), 2);
/// assert!(TesujiTable::bundled().len() > 100);
/// # Ok::<(), komadai_search::TesujiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TesujiTable {
    /// Keys of sequences of two, ascending.
    pairs: Vec<u64>,
    /// Keys of sequences of three, ascending.
    triples: Vec<u64>,
}

/// Why a text is no [`TesujiTable`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TesujiError {
    /// A word is no move.
    #[error("line {line}: {error}")]
    Move {
        /// Where, from 1.
        line: usize,
        /// What was found there.
        #[source]
        error: DescriptorError,
    },
    /// A line has one move, or more than three.
    #[error("line {line} has {found} moves, expected two or three")]
    Length {
        /// Where, from 1.
        line: usize,
        /// How many moves it has.
        found: usize,
    },
    /// A move says where it goes though nothing came before it, or does not say it.
    #[error("line {line}: all moves but the first, and they alone, say where they go (@0,0)")]
    Relation {
        /// Where, from 1.
        line: usize,
    },
}

static BUNDLED: LazyLock<TesujiTable> = LazyLock::new(|| {
    TesujiTable::from_text(include_str!("../data/tesuji.txt")).expect("a test reads the same file")
});

impl TesujiTable {
    /// The sequences that come with the crate, mined from 77 tournament games of programs.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Reads sequences, one a line, moves separated by spaces. What follows `#` is not read.
    ///
    /// # Errors
    ///
    /// If a line is neither empty nor a sequence of two or three moves.
    pub fn from_text(text: &str) -> Result<Self, TesujiError> {
        let mut sequences = Vec::new();
        for (index, content) in text.lines().enumerate() {
            let line = index + 1;
            let content = content.split('#').next().unwrap_or_default();
            let moves: Vec<Descriptor> = content
                .split_whitespace()
                .map(str::parse)
                .collect::<Result<_, _>>()
                .map_err(|error| TesujiError::Move { line, error })?;
            match (moves.len(), Tesuji::new(&moves)) {
                (0, _) => {}
                (2 | 3, None) => return Err(TesujiError::Relation { line }),
                (_, Some(tesuji)) => sequences.push(tesuji),
                (found, None) => return Err(TesujiError::Length { line, found }),
            }
        }
        Ok(sequences.into_iter().collect())
    }

    /// How many sequences there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len() + self.triples.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `m` completes a sequence with the last moves of the line that led to `position`.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_search::TesujiTable;
    ///
    /// let table = TesujiTable::from_text("BxB+ SxB@0,0\nBxB+ Sx+B@0,0")?;
    /// let mut position = Position::hirate();
    /// for m in ["7g7f", "3c3d", "8h2b+"] {
    ///     position.do_move(m.parse()?);
    /// }
    /// assert!(table.is_completed(&position, "3a2b".parse()?));
    /// assert!(!table.is_completed(&position, "8b2b".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_completed(&self, position: &Position, m: Move) -> bool {
        self.routine(position).is_completed(position, m)
    }

    /// The moves that complete a sequence in this position.
    pub(crate) fn routine(&self, position: &Position) -> Routine<'_> {
        let Some((last, before)) = last_moves(position) else { return Routine::default() };
        let pairs = starting(&self.pairs, Prefix::One(last.alone()));
        let triples = before.map(|before| starting(&self.triples, Prefix::Two([before, last])));
        Routine { pairs, triples: triples.unwrap_or_default() }
    }
}

impl FromIterator<Tesuji> for TesujiTable {
    /// A sequence counts once, however often it comes.
    fn from_iter<I: IntoIterator<Item = Tesuji>>(sequences: I) -> Self {
        let mut table = Self::default();
        for tesuji in sequences {
            match tesuji.prefix {
                Prefix::One(_) => table.pairs.push(tesuji.key()),
                Prefix::Two(_) => table.triples.push(tesuji.key()),
            }
        }
        for keys in [&mut table.pairs, &mut table.triples] {
            keys.sort_unstable();
            keys.dedup();
        }
        table
    }
}

/// The keys that start with a prefix.
#[inline]
fn starting(keys: &[u64], prefix: Prefix) -> &[u64] {
    let first = keys.partition_point(|key| key >> Descriptor::BITS < prefix.key());
    let rest = &keys[first..];
    let count = rest.iter().take_while(|&key| key >> Descriptor::BITS == prefix.key()).count();
    &rest[..count]
}

/// The moves that complete a sequence in one position; mostly none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Routine<'a> {
    pairs: &'a [u64],
    triples: &'a [u64],
}

impl Routine<'_> {
    /// Whether `m` completes a sequence, in the position of which this is the routine.
    #[inline]
    pub(crate) fn is_completed(&self, position: &Position, m: Move) -> bool {
        if self.pairs.is_empty() && self.triples.is_empty() {
            return false;
        }
        let last = position.current().last_move().map(Move::to);
        let Some(m) = Descriptor::of(position, m, last) else { return false };
        const LAST: u64 = (1 << Descriptor::BITS) - 1;
        self.pairs.iter().chain(self.triples).any(|key| key & LAST == m.code())
    }
}

/// The move that led to a position, and the one before that, if there was one. The former is
/// described relative to the latter.
fn last_moves(position: &Position) -> Option<(Descriptor, Option<Descriptor>)> {
    let now = position.current();
    let last = now.last_move()?;
    let opponent = !position.side();
    let kind = moved(last, position.piece_on(last.to()))?;
    let captured = now.captured().map(Piece::kind);
    let describe = |way| Descriptor::new(kind, last, captured, way);
    let earlier = position.history().last();
    let Some((then, before)) = earlier.and_then(|then| then.last_move().map(|m| (then, m))) else {
        return Some((describe(None), None));
    };
    let way = Way::between(before.to(), last.to(), opponent);
    // The last move may have captured the piece that moved before.
    let stood =
        if before.to() == last.to() { now.captured() } else { position.piece_on(before.to()) };
    let before = moved(before, stood)
        .map(|kind| Descriptor::new(kind, before, then.captured().map(Piece::kind), None));
    Some((describe(Some(way)), before))
}

/// What a piece was before it made a move.
fn moved(m: Move, piece: Option<Piece>) -> Option<PieceKind> {
    let kind = piece?.kind();
    Some(if m.is_promotion() { kind.unpromoted() } else { kind })
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// The moves of this node that complete a sequence.
    #[inline]
    pub(crate) fn routine(&self) -> Routine<'a> {
        if self.uses(Techniques::TESUJI_EXTENSION) {
            self.tesuji.routine(&self.position)
        } else {
            Routine::default()
        }
    }

    /// By how many plies a move is extended for completing a sequence.
    #[inline]
    pub(crate) fn tesuji_extension(&self, routine: &Routine<'_>, m: Move, ply: usize) -> i32 {
        let extends = routine.is_completed(&self.position, m)
            && pruning::is_within_extension_budget(ply, self.iteration);
        i32::from(extends)
    }
}

#[cfg(test)]
mod tests;
