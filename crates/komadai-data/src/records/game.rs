//! Games with a score for every move, as the formats of whole games have them.

use komadai_core::{Color, Hcp, Move, PackedError, PackedSfen, Position};
use komadai_kifu::Outcome;

use super::psv::PackedSfenValue;
use super::record_result::RecordResult;

/// A game of a training file: HCPE3, `.pack` or sbinpack. All moves are legal.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{TrainingEnd, TrainingGame, TrainingMove};
/// use komadai_kifu::Outcome;
///
/// let game = TrainingGame {
///     start: Position::hirate(),
///     outcome: Outcome::Draw,
///     end: TrainingEnd::Repetition,
///     moves: vec![TrainingMove::new("7g7f".parse()?, 35), TrainingMove::new("3c3d".parse()?, -20)],
/// };
/// assert_eq!(game.to_pack()?.len(), 1 + 2 * 4 + 3);
/// assert_eq!(game.records().map(|record| record.score).collect::<Vec<_>>(), [35, -20]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// The position before the first move.
    pub start: Position,
    /// The outcome.
    pub outcome: Outcome,
    /// The kind of the end.
    pub end: TrainingEnd,
    /// The moves that were played.
    pub moves: Vec<TrainingMove>,
}

/// The kind of the end of a game, as far as the formats of training games tell kinds apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TrainingEnd {
    /// A resignation, or a mate.
    #[default]
    Resignation,
    /// A repetition (千日手).
    Repetition,
    /// A declaration (入玉宣言).
    Declaration,
    /// The largest number of moves.
    MoveLimit,
    /// Another end, or one that the format does not tell.
    Other,
}

/// A move of a [`TrainingGame`], with the score of the position before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingMove {
    /// The move that was played; it need not be the best one.
    pub played: Move,
    /// The score for the side to move, in the unit of the program that wrote it.
    pub score: i16,
    /// True if the position is one to learn from. HCPE3 has positions that are not, as in an
    /// opening.
    pub is_labelled: bool,
    /// The moves that the search considered, with the share of each; only HCPE3 has them.
    pub candidates: Vec<Candidate>,
}

/// A move that a search considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// Number of visits.
    pub visits: u16,
}

impl TrainingMove {
    /// Creates a move with a position to learn from, without candidates.
    pub fn new(played: Move, score: i16) -> Self {
        Self { played, score, is_labelled: true, candidates: Vec::new() }
    }
}

/// The reason why a game does not fit into a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameWriteError {
    /// The start does not fit into 256 bits.
    #[error(transparent)]
    Position(#[from] PackedError),
    /// There are more moves than the format counts.
    #[error("the game has {found} moves, expected at most {most}")]
    TooLong {
        /// Number of moves.
        found: usize,
        /// The largest number.
        most: usize,
    },
    /// The outcome is unknown.
    #[error("the outcome of the game is unknown")]
    Unknown,
}

/// The largest number of moves of a game in a file.
pub(crate) const MOST_MOVES: usize = u16::MAX as usize;
/// The largest number of candidates of a position: no position has more legal moves.
pub(super) const MOST_CANDIDATES: u16 = 593;
/// Number of bytes before the moves of a game of HCPE3.
pub(super) const HCPE3_HEAD: usize = 36;
/// Number of bytes of a move of HCPE3 before its candidates.
pub(super) const HCPE3_MOVE: usize = 6;
/// Number of bytes of a candidate of HCPE3.
pub(super) const HCPE3_CANDIDATE: usize = 4;

impl TrainingGame {
    /// Returns the records of the positions to learn from, with the moves that were played as best
    /// moves. A game of unknown outcome has none, and a position that does not fit into 256 bits is
    /// left out.
    pub fn records(&self) -> impl Iterator<Item = PackedSfenValue> {
        let mut position = self.start.clone();
        self.moves.iter().filter_map(move |played| {
            let record = record_of(&position, played.played, played.score, self.outcome);
            position.do_move(played.played);
            record.filter(|_| played.is_labelled)
        })
    }

    /// Returns the bytes of the game in the format HCPE3 of dlshogi. A position to learn from
    /// without candidates has the move that was played as the only one, with one visit.
    ///
    /// The format keeps no move number, and of the kinds of the end only repetitions, declarations
    /// and the move limit.
    ///
    /// # Errors
    ///
    /// Returns an error if the start does not fit, if the outcome is unknown, or if there are more
    /// than 65,535 moves.
    pub fn to_hcpe3(&self) -> Result<Vec<u8>, GameWriteError> {
        let mut bytes = Hcp::of(&self.start)?.as_bytes().to_vec();
        bytes.extend(self.count_moves()?.to_le_bytes());
        let end = match self.end {
            TrainingEnd::Repetition => 4,
            TrainingEnd::Declaration => 8,
            TrainingEnd::MoveLimit => 16,
            TrainingEnd::Resignation | TrainingEnd::Other => 0,
        };
        bytes.extend([self.winner()? | end, 0]);
        for TrainingMove { played, score, is_labelled, candidates } in &self.moves {
            let only = [Candidate { m: *played, visits: 1 }];
            let most = MOST_CANDIDATES.into();
            let candidates = match candidates.as_slice() {
                _ if !is_labelled => &[],
                [] => &only[..],
                some => &some[..some.len().min(most)],
            };
            bytes.extend(played.to_apery_bits().to_le_bytes());
            bytes.extend(score.to_le_bytes());
            bytes.extend((candidates.len() as u16).to_le_bytes());
            for Candidate { m, visits } in candidates {
                bytes.extend(m.to_apery_bits().to_le_bytes());
                bytes.extend(visits.to_le_bytes());
            }
        }
        Ok(bytes)
    }

    /// Returns the bytes of the game in the format `.pack` of GenSfen. Scores are limited to
    /// ±32,000. The format has neither candidates nor positions that are not to be learnt from.
    ///
    /// # Errors
    ///
    /// Returns an error if the start does not fit, if the outcome is unknown, or if there are more
    /// than 65,535 moves.
    pub fn to_pack(&self) -> Result<Vec<u8>, GameWriteError> {
        self.count_moves()?;
        let winner = u16::from(self.winner()?);
        let mut bytes = Vec::with_capacity(40 + 4 * self.moves.len());
        if self.start == Position::hirate() {
            bytes.push(1);
        } else {
            bytes.push(0);
            bytes.extend(Hcp::of(&self.start)?.as_bytes());
            bytes.extend(u16::try_from(self.start.ply()).unwrap_or(u16::MAX).to_le_bytes());
        }
        for TrainingMove { played, score, .. } in &self.moves {
            bytes.extend(played.to_apery_bits().to_le_bytes());
            bytes.extend((*score).clamp(-32_000, 32_000).to_le_bytes());
        }
        bytes.extend((winner | winner << 7).to_le_bytes());
        bytes.push(match self.end {
            TrainingEnd::Resignation => 0,
            TrainingEnd::Repetition => 1,
            TrainingEnd::MoveLimit => 2,
            TrainingEnd::Declaration => 12,
            TrainingEnd::Other => 255,
        });
        Ok(bytes)
    }

    fn count_moves(&self) -> Result<u16, GameWriteError> {
        let found = self.moves.len();
        u16::try_from(found).map_err(|_| GameWriteError::TooLong { found, most: MOST_MOVES })
    }

    /// Returns 0 for a draw, 1 if Black won, 2 if White won.
    fn winner(&self) -> Result<u8, GameWriteError> {
        match self.outcome {
            Outcome::Draw => Ok(0),
            Outcome::Win(Color::Black) => Ok(1),
            Outcome::Win(Color::White) => Ok(2),
            Outcome::Unknown => Err(GameWriteError::Unknown),
        }
    }
}

/// Returns the record of a position of a game; `None` if the outcome is unknown or the position
/// does not fit.
pub(crate) fn record_of(
    position: &Position,
    best: Move,
    score: i16,
    outcome: Outcome,
) -> Option<PackedSfenValue> {
    let result = RecordResult::of(outcome, position.side())?;
    let ply = u16::try_from(position.ply()).unwrap_or(u16::MAX);
    let position = PackedSfen::of(position).ok()?;
    Some(PackedSfenValue { position, score, best_move: Some(best), ply, result })
}

/// Returns the outcome with this number: 0 for a draw, 1 if Black won, 2 if White won.
pub(super) fn outcome_of(winner: u8) -> Option<Outcome> {
    match winner {
        0 => Some(Outcome::Draw),
        1 => Some(Outcome::Win(Color::Black)),
        2 => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}
