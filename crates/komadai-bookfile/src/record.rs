//! A position of a book file.

use std::cmp::Reverse;

use komadai_core::{Move, Position, Score};

/// A position of a book file and its moves, as the file says it: nothing is made up, nothing that a
/// format of the field can say is lost.
///
/// Readers yield records one at a time, writers take them one at a time. Which parts a format can
/// hold differs; a writer counts what it had to leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRecord {
    /// The position, in the orientation of the file. Its move number is [`ply`](Self::ply), or 1.
    pub position: Position,
    /// The move number, if the file says one.
    pub ply: Option<u32>,
    /// Its moves in the order of the file.
    pub moves: Vec<RecordMove>,
    /// What a person wrote about the position, lines separated by `\n`; mostly empty.
    pub comment: String,
    /// The games that came through the position, where the format counts them.
    pub results: Option<RecordResults>,
    /// Judgements of the position as a whole, where the format has them.
    pub evals: Vec<RecordEval>,
}

/// A move of a [`BookRecord`]. What the file does not say is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordMove {
    /// The move, in the orientation of the record.
    pub m: Move,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The value for the side to move.
    pub score: Option<Score>,
    /// The number of plies looked ahead.
    pub depth: Option<u16>,
    /// The number of games in which the move was made, or its weight.
    pub count: Option<u32>,
    /// What a person thought of it.
    pub mark: Option<MoveMark>,
    /// What a person wrote about it, lines separated by `\n`; mostly empty.
    pub comment: String,
}

/// A person's mark on a move (ShogiGUI).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// The games that came through a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RecordResults {
    /// All games.
    pub games: u32,
    /// Those that Black won.
    pub black_wins: u32,
    /// Those that White won.
    pub white_wins: u32,
}

/// A judgement of a position as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordEval {
    /// The value for the side to move.
    pub score: Score,
    /// The number of plies looked ahead.
    pub depth: u32,
    /// The length of the longest line looked at.
    pub seldepth: u32,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The line found, as the file writes it.
    pub variation: String,
    /// Who judged.
    pub engine: String,
}

impl BookRecord {
    /// A position without moves.
    #[must_use]
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

    /// A position with moves of which nothing else is known.
    #[must_use]
    pub fn with_moves(position: Position, moves: impl IntoIterator<Item = Move>) -> Self {
        let moves = moves.into_iter().map(RecordMove::new).collect();
        Self { moves, ..Self::new(position) }
    }

    /// Puts the best moves first: by value, those without one last, and then by the number of games.
    /// Equal ones keep their order.
    pub fn sort_best_first(&mut self) {
        self.moves.sort_by_key(|listed| Reverse((listed.score, listed.count)));
    }

    /// The same record with the board turned by 180 degrees and the colours exchanged.
    ///
    /// What people and engines wrote stays as it is.
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
    /// A move of which nothing else is known.
    #[must_use]
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
