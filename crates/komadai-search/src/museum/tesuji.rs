//! Tesuji macros (手筋マクロ): short sequences of moves that typically follow each other.
//!
//! An example: a pawn is dropped before a silver, the silver takes it, and a pawn drives the silver
//! back. The last move of such a sequence is expected. It is searched a ply deeper, so that the
//! search sees the position after the routine moves.
//!
//! The sequences are mined from game records by `komadai-lab mine-tesuji`. It counts all sequences
//! of two and three [`Descriptor`]s, and keeps those with the largest product of their number and
//! the information (in bits) that the moves before contain about the last one.
//!
//! Source: the glossary of computer shogi (2009), "tesuji macro" and "n-gram tesuji macro", the
//! latter after T. Ohtsuki's talk at the Game Programming Workshop. The description of a move is
//! our own.

pub(crate) mod descriptor;
pub(crate) mod file;

use core::fmt;
use std::sync::LazyLock;

use komadai_core::{Move, Piece, PieceKind, Position};

use descriptor::{Descriptor, DescriptorError, Offset};

/// A sequence of two or three moves by the sides in turn.
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
    /// The moves before the last one.
    prefix: Prefix,
    last: Descriptor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Prefix {
    One(Descriptor),
    Two([Descriptor; 2]),
}

impl Tesuji {
    /// Returns the sequence of these moves.
    ///
    /// `None` unless there are two or three moves, the first one is described without an offset and
    /// all others with the offset from the move before.
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

    /// Returns the moves in order.
    pub fn moves(&self) -> impl Iterator<Item = Descriptor> {
        let (first, second) = match self.prefix {
            Prefix::One(first) => (first, None),
            Prefix::Two([first, second]) => (first, Some(second)),
        };
        [Some(first), second, Some(self.last)].into_iter().flatten()
    }

    /// Returns the sequence as a number, with the moves before the last in its high bits.
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
    /// Writes the moves, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for m in self.moves() {
            write!(f, "{space}{m}")?;
            space = " ";
        }
        Ok(())
    }
}

/// The sequences of moves whose completion is searched deeper by
/// [`TESUJI_EXTENSION`](crate::Techniques::TESUJI_EXTENSION).
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

/// A text that is not a valid [`TesujiTable`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TesujiError {
    /// A word is not the description of a move.
    #[error("line {line}: {error}")]
    Move {
        /// Line number, from 1.
        line: usize,
        /// The error of the word.
        #[source]
        error: DescriptorError,
    },
    /// A line has one move, or more than three.
    #[error("line {line} has {found} moves, expected two or three")]
    Length {
        /// Line number, from 1.
        line: usize,
        /// Number of moves in the line.
        found: usize,
    },
    /// The first move has an offset, or another move has none.
    #[error("line {line}: expected an offset (@0,0) on every move but the first")]
    Relation {
        /// Line number, from 1.
        line: usize,
    },
}

static BUNDLED: LazyLock<TesujiTable> = LazyLock::new(|| {
    TesujiTable::from_text(include_str!("tesuji/tesuji.txt")).expect("a test reads the same file")
});

impl TesujiTable {
    /// Returns the bundled sequences.
    ///
    /// They were mined from 77 tournament games of programs and 600 games of this engine against
    /// itself: see the head of `museum/tesuji/tesuji.txt`.
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Parses sequences: one a line, moves separated by spaces. Text after `#` is ignored.
    ///
    /// # Errors
    ///
    /// [`TesujiError`], if a line is neither empty nor a sequence of two or three moves.
    pub fn from_text(text: &str) -> Result<Self, TesujiError> {
        Self::from_lines(text, 1)
    }

    /// Parses sequences, one a line; the first line has this number.
    fn from_lines(text: &str, first: usize) -> Result<Self, TesujiError> {
        let mut sequences = Vec::new();
        for (line, content) in (first..).zip(text.lines()) {
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

    /// Returns the number of sequences.
    pub fn len(&self) -> usize {
        self.pairs.len() + self.triples.len()
    }

    /// Checks whether there are no sequences.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks whether `m` completes a sequence with the last moves of the line that led to
    /// `position`.
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
    pub fn is_completed(&self, position: &Position, m: Move) -> bool {
        self.completions(position).contains(position, m)
    }

    /// Returns the moves that complete a sequence in this position.
    pub(crate) fn completions(&self, position: &Position) -> TesujiCompletions<'_> {
        // Few positions continue a sequence, so the moves of a node are compared with few keys or
        // none.
        let Some((last, before)) = last_moves(position) else {
            return TesujiCompletions::default();
        };
        let pairs = with_prefix(&self.pairs, Prefix::One(last.without_offset()));
        let triples = before.map(|before| with_prefix(&self.triples, Prefix::Two([before, last])));
        TesujiCompletions { pairs, triples: triples.unwrap_or_default() }
    }
}

impl FromIterator<Tesuji> for TesujiTable {
    /// Collects sequences. Duplicates count once.
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

/// Returns the keys that start with a prefix; `keys` is sorted.
#[inline]
fn with_prefix(keys: &[u64], prefix: Prefix) -> &[u64] {
    let first = keys.partition_point(|key| key >> Descriptor::BITS < prefix.key());
    let rest = &keys[first..];
    let count = rest.iter().take_while(|&key| key >> Descriptor::BITS == prefix.key()).count();
    &rest[..count]
}

/// The moves that complete a sequence in one position; in most positions none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TesujiCompletions<'a> {
    pairs: &'a [u64],
    triples: &'a [u64],
}

impl TesujiCompletions<'_> {
    /// Checks whether `m` completes a sequence in `position`, for which this value was computed.
    #[inline]
    pub(crate) fn contains(&self, position: &Position, m: Move) -> bool {
        if self.pairs.is_empty() && self.triples.is_empty() {
            return false;
        }
        let last = position.current().last_move().map(Move::to);
        let Some(m) = Descriptor::of(position, m, last) else { return false };
        const LAST: u64 = (1 << Descriptor::BITS) - 1;
        self.pairs.iter().chain(self.triples).any(|key| key & LAST == m.code())
    }
}

/// Describes the move that led to a position, with the offset from the move before, and that move,
/// if there was one.
fn last_moves(position: &Position) -> Option<(Descriptor, Option<Descriptor>)> {
    let now = position.current();
    let last = now.last_move()?;
    let opponent = !position.side();
    let kind = kind_before(last, position.piece_on(last.to()))?;
    let captured = now.captured().map(Piece::kind);
    let describe = |offset| Descriptor::new(kind, last, captured, offset);
    let earlier = position.history().last();
    let Some((then, before)) = earlier.and_then(|then| then.last_move().map(|m| (then, m))) else {
        return Some((describe(None), None));
    };
    let offset = Offset::between(before.to(), last.to(), opponent);
    // The last move may have captured the piece that moved before.
    let stood =
        if before.to() == last.to() { now.captured() } else { position.piece_on(before.to()) };
    let before = kind_before(before, stood)
        .map(|kind| Descriptor::new(kind, before, then.captured().map(Piece::kind), None));
    Some((describe(Some(offset)), before))
}

/// Returns the kind of a piece before it made a move.
fn kind_before(m: Move, piece: Option<Piece>) -> Option<PieceKind> {
    let kind = piece?.kind();
    Some(if m.is_promotion() { kind.unpromoted() } else { kind })
}

#[cfg(test)]
mod tests;
