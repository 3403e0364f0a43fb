//! Records: positions of book files with their moves.

use std::cmp::Reverse;

use komadai_core::{Move, Position, Score};

/// A position of a book file and its moves, as the file states them.
///
/// Nothing is added, and a record can hold everything that any of the formats can hold. Readers
/// yield records one at a time, writers take them one at a time. The formats differ in the parts
/// that they can hold; a writer counts the parts that it omits.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_core::{Position, Score};
///
/// let mut record = BookRecord::new(Position::hirate());
/// for (m, score) in [("2g2f", 30), ("7g7f", 40)] {
///     let mut listed = RecordMove::new(m.parse()?);
///     listed.score = Some(Score::cp(score));
///     record.moves.push(listed);
/// }
/// record.sort_best_first();
/// assert_eq!(record.moves[0].m, "7g7f".parse()?);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BookRecord {
    /// The position, in the orientation of the file. Its move number is [`ply`](Self::ply), or 1.
    pub position: Position,
    /// The move number, if the file states one.
    pub ply: Option<u32>,
    /// Its moves in the order of the file.
    #[cfg_attr(feature = "serde", serde(default))]
    pub moves: Vec<RecordMove>,
    /// The comment on the position, lines separated by `\n`; usually empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub comment: String,
    /// The results of the games through the position, where the format counts them.
    pub results: Option<RecordResults>,
    /// Evaluations of the position as a whole, where the format has them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub evals: Vec<RecordEval>,
}

/// A move of a [`BookRecord`]. An item that the file does not state is absent.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::RecordMove;
///
/// // An item that is not stated is absent; it is not zero.
/// let listed = RecordMove::new("7g7f".parse()?);
/// assert_eq!((listed.score, listed.depth, listed.count), (None, None, None));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordMove {
    /// The move, in the orientation of the record.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The value for the side that makes the move.
    pub score: Option<Score>,
    /// The search depth in plies.
    pub depth: Option<u16>,
    /// The number of games in which the move was made, or its weight.
    pub count: Option<u32>,
    /// The mark that a person gave the move.
    pub mark: Option<MoveMark>,
    /// The comment on the move, lines separated by `\n`; usually empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub comment: String,
}

/// A person's mark on a move (ShogiGUI).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MoveMark {
    /// The only move.
    Forced,
    /// A good move.
    Good,
    /// A bad move.
    Bad,
    /// A blunder.
    Blunder,
}

/// The results of the games through a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordResults {
    /// The number of all games.
    pub games: u32,
    /// The number of games that Black won.
    pub black_wins: u32,
    /// The number of games that White won.
    pub white_wins: u32,
}

/// An evaluation of a position as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordEval {
    /// The value for the side to move.
    pub score: Score,
    /// The search depth in plies.
    pub depth: u32,
    /// The length in plies of the longest line searched.
    pub seldepth: u32,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The principal variation, in the notation of the file.
    pub variation: String,
    /// The name of the engine.
    pub engine: String,
}

impl BookRecord {
    /// A position without moves.
    pub fn new(position: Position) -> Self {
        let ply = Some(position.ply());
        Self {
            position,
            ply,
            moves: Vec::new(),
            comment: String::new(),
            results: None,
            evals: Vec::new(),
        }
    }

    /// A position with moves without further data.
    pub fn with_moves(position: Position, moves: impl IntoIterator<Item = Move>) -> Self {
        let moves = moves.into_iter().map(RecordMove::new).collect();
        Self { moves, ..Self::new(position) }
    }

    /// Sorts the moves, best first: by value, moves without a value last, then by the number of
    /// games. The sort is stable.
    pub fn sort_best_first(&mut self) {
        self.moves.sort_by_key(|listed| Reverse((listed.score, listed.count)));
    }

    /// The same record with the board turned by 180 degrees and the colours exchanged.
    ///
    /// Comments and variations are not changed.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.position = self.position.flipped();
        for listed in &mut self.moves {
            listed.m = listed.m.flipped();
            listed.ponder = listed.ponder.map(Move::flipped);
        }
        if let Some(results) = &mut self.results {
            std::mem::swap(&mut results.black_wins, &mut results.white_wins);
        }
        self
    }
}

impl RecordMove {
    /// A move without further data.
    pub fn new(m: Move) -> Self {
        Self {
            m,
            ponder: None,
            score: None,
            depth: None,
            count: None,
            mark: None,
            comment: String::new(),
        }
    }
}
