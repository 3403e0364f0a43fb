//! Which moves of a book are good enough.

use komadai_bookfile::RecordMove;
use komadai_core::{Analysis, Bound, Color, Line, Move, Pv, Score};

use komadai_core::SplitMix64;

/// Which moves of a book are good enough to be played. The names are those of the USI options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPolicy {
    /// The last move number at which the book is asked (`BookMoves`).
    pub moves: u32,
    /// How much worse than the best a move may be, in centipawns (`BookEvalDiff`).
    pub eval_diff: i32,
    /// What a move of Black must be worth at least, in centipawns for Black
    /// (`BookEvalBlackLimit`).
    pub black_limit: i32,
    /// What a move of White must be worth at least, in centipawns for White
    /// (`BookEvalWhiteLimit`).
    pub white_limit: i32,
    /// How deep a move must have been looked at, in plies; 0 for any (`BookDepthLimit`).
    pub depth_limit: u32,
    /// Whether a move is chosen the likelier the more games it was made in
    /// (`ConsiderBookMoveCount`).
    pub by_games: bool,
}

impl Default for BookPolicy {
    /// The values that YaneuraOu has made usual, but any depth: a book of shallow searches is
    /// better than none.
    fn default() -> Self {
        Self {
            moves: 16,
            eval_diff: 30,
            black_limit: 0,
            white_limit: -140,
            depth_limit: 0,
            by_games: false,
        }
    }
}

/// A move of a book, with what decides whether it is played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    value: Option<BookValue>,
    games: u32,
}

#[derive(Debug, Clone, Copy)]
struct BookValue {
    score: Score,
    bound: Bound,
    depth: u16,
}

impl BookPolicy {
    /// Those that are good enough. A move without a value is only if no move has one.
    pub(crate) fn good(&self, mut moves: Vec<Candidate>, side: Color) -> Vec<Candidate> {
        let best = moves.iter().filter_map(|m| Some(m.value?.score)).max();
        if let Some(best) = best {
            moves.retain(|m| m.value.is_some_and(|value| self.accepts(value, best, side)));
        }
        moves
    }

    fn accepts(&self, value: BookValue, best: Score, side: Color) -> bool {
        let limit = match side {
            Color::Black => self.black_limit,
            Color::White => self.white_limit,
        };
        value.score >= Score::cp(limit)
            && value.score >= best - self.eval_diff
            && u32::from(value.depth) >= self.depth_limit
    }

    /// One of the moves, by chance; the first, if none may be drawn.
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
    /// What the book knows about it; no lines if that is nothing.
    pub(crate) fn analysis(&self) -> Analysis {
        let Some(value) = self.value else {
            return Analysis { completed: true, ..Analysis::default() };
        };
        let mut pv = Pv::new();
        pv.push(self.m);
        pv.extend(self.ponder);
        Analysis {
            depth: value.depth.into(),
            lines: vec![Line { score: value.score, bound: value.bound, pv }],
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
        Self { m: listed.m, ponder: listed.ponder, value, games }
    }
}
