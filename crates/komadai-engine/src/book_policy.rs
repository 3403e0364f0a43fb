//! The choice among the moves of a book.

use komadai_bookfile::RecordMove;
use komadai_core::{Analysis, Bound, Color, Line, Move, Position, Pv, Score, SplitMix64};
use komadai_movegen::{MoveGen as _, Repetition};

/// Conditions for book moves to be played. The fields correspond to USI options.
///
/// # Examples
///
/// ```
/// use komadai_engine::{BookPolicy, Settings};
///
/// let book_policy = BookPolicy {
///     eval_diff: 0,   // only the best moves
///     by_games: true, // among them, those of more games more often
///     ..BookPolicy::default()
/// };
/// let settings = Settings { book_policy, ..Settings::default() };
/// assert_eq!(settings.book_policy.moves, 16);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BookPolicy {
    /// The last move number at which the book is used (`BookMoves`).
    pub moves: u32,
    /// Maximum difference to the best move, in centipawns (`BookEvalDiff`).
    pub eval_diff: i32,
    /// The same for moves of Black (`BookEvalBlackDiff`); `None` for `eval_diff`.
    pub black_diff: Option<u32>,
    /// The same for moves of White (`BookEvalWhiteDiff`); `None` for `eval_diff`.
    pub white_diff: Option<u32>,
    /// Minimum value of a move of Black, in centipawns for Black (`BookEvalBlackLimit`).
    pub black_limit: i32,
    /// Minimum value of a move of White, in centipawns for White (`BookEvalWhiteLimit`).
    pub white_limit: i32,
    /// Minimum depth of the search of a move, in plies; 0 for any (`BookDepthLimit`).
    pub depth_limit: u32,
    /// True to choose moves with a probability proportional to their number of games
    /// (`ConsiderBookMoveCount`).
    pub by_games: bool,
}

impl Default for BookPolicy {
    /// Returns the defaults of YaneuraOu, but with any depth: a book of shallow searches is better
    /// than none.
    fn default() -> Self {
        Self {
            moves: 16,
            eval_diff: 30,
            black_diff: None,
            white_diff: None,
            black_limit: 0,
            white_limit: -140,
            depth_limit: 0,
            by_games: false,
        }
    }
}

/// A move of a book with the data for the choice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    value: Option<BookValue>,
    games: u32,
    /// True if the move makes a draw by repetition that is worse than what the book promises.
    spoils: bool,
}

#[derive(Debug, Clone, Copy)]
struct BookValue {
    score: Score,
    bound: Bound,
    depth: u16,
}

impl BookPolicy {
    /// Returns the moves that meet the conditions. If any move has a value, moves without one do
    /// not. A draw that is worse than what the book promises is not chosen, but the other moves are
    /// measured against it.
    pub(crate) fn select(&self, mut moves: Vec<Candidate>, side: Color) -> Vec<Candidate> {
        let best = moves.iter().filter_map(|m| Some(m.value?.score)).max();
        if let Some(best) = best {
            moves.retain(|m| m.value.is_some_and(|value| self.accepts(value, best, side)));
        }
        moves.retain(|m| !m.spoils);
        moves
    }

    fn accepts(&self, value: BookValue, best: Score, side: Color) -> bool {
        let (limit, diff) = match side {
            Color::Black => (self.black_limit, self.black_diff),
            Color::White => (self.white_limit, self.white_diff),
        };
        let diff = diff.map_or(self.eval_diff, |diff| i32::try_from(diff).unwrap_or(i32::MAX));
        value.score >= Score::cp(limit)
            && value.score >= best - diff
            && u32::from(value.depth) >= self.depth_limit
    }

    /// Draws one of the moves at random. Returns the first if all weights are 0.
    pub(crate) fn draw(&self, moves: &[Candidate], random: &mut SplitMix64) -> Option<Candidate> {
        let weight = |m: &Candidate| if self.by_games { u64::from(m.games) } else { 1 };
        let total: u64 = moves.iter().map(weight).sum();
        if total == 0 {
            return moves.first().copied();
        }
        let mut ticket = random.below(total);
        let drawn = moves.iter().find(|m| {
            let is_drawn = ticket < weight(m);
            ticket = ticket.wrapping_sub(weight(m));
            is_drawn
        });
        drawn.copied()
    }
}

impl Candidate {
    /// Returns the move as it counts after the game that led to `position`, where a draw has the
    /// value `draw` for the side to move; `None` for a move that is illegal or loses by perpetual
    /// check, and for one without a value that makes a draw.
    ///
    /// A book knows positions, not games: the value of a move that makes the fourth occurrence of a
    /// position is that of the end of the game.
    pub(crate) fn in_game(self, position: &Position, draw: Score) -> Option<Self> {
        if !position.is_legal(self.m) {
            return None;
        }
        let after = position.after(self.m);
        // The repetition is that for the opponent, who is to move.
        let result = match after.repetition() {
            Repetition::None => {
                let ponder = self.ponder.filter(|&reply| after.is_legal(reply));
                return Some(Self { ponder, ..self });
            }
            Repetition::Win => return None,
            Repetition::Draw => draw,
            // Perpetual check of the opponent ends here. (The others are no rules of the game.)
            _ => return Some(Self { ponder: None, ..self }),
        };
        let listed = self.value?;
        let value = Some(BookValue { score: result, ..listed });
        Some(Self { ponder: None, value, spoils: listed.score > result, ..self })
    }

    /// Returns value, depth and line of the move as an analysis, without lines if the book has no
    /// value.
    pub(crate) fn analysis(&self) -> Analysis {
        let Some(value) = self.value else {
            return Analysis { completed: true, ..Analysis::default() };
        };
        let mut pv = Pv::new();
        pv.push(self.m);
        pv.extend(self.ponder);
        let depth = value.depth.into();
        Analysis {
            depth,
            lines: vec![Line { depth, bound: value.bound, ..Line::exact(value.score, pv) }],
            completed: true,
            ..Analysis::default()
        }
    }
}

impl From<&RecordMove> for Candidate {
    fn from(listed: &RecordMove) -> Self {
        let value = listed.score.map(|score| BookValue {
            score,
            bound: Bound::Exact,
            depth: listed.depth.unwrap_or(0),
        });
        let games = listed.count.unwrap_or(0);
        Self { m: listed.m, ponder: listed.ponder, value, games, spoils: false }
    }
}
