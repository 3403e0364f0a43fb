//! Which move next: stage by stage, so that a cut-off saves generating the rest.
//!
//! 1. the move the transposition table suggests;
//! 2. captures and promotions that do not lose material by exchange, the most valuable victim and the
//!    most successful capture first;
//! 3. the refutations: quiet moves that refuted a sibling (killers) or the last move elsewhere;
//! 4. the other quiet moves and drops, by their histories;
//! 5. captures and promotions that lose material;
//! 6. quiet moves with a bad history.
//!
//! In check all evasions form one stage, captures before the rest. Quiescence ends after stage 2.

use komadai_core::{CheckInfo, Move, Position};
use komadai_movegen::exchange::{capture_value, exchange_value};
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class, gives_check};

use crate::history::{Answers, Follower, History, LowPly};
use crate::{Parameters, Techniques};

/// A move and its place in the order, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    /// Turns the drop bit, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    pub(crate) fn new(m: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(m.to_bits() ^ Self::DROP))
    }

    pub(crate) fn m(self) -> Move {
        Move::from_bits(self.0 as u16 ^ Self::DROP).expect("made from a move")
    }

    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// The moves of all nodes of the current line, one node's after another's: no allocation and little
/// stack per node.
pub(crate) type MoveBuffer = Vec<ScoredMove>;

/// What the order of a node's moves depends on, besides the position and what has been learned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances<'a> {
    pub(crate) ply: usize,
    /// The key of the pawn structure.
    pub(crate) pawns: u64,
    /// The moves 1, 2, 4 and 6 plies before.
    pub(crate) earlier: [Option<Follower>; 4],
    /// Where pieces give check; `None` in quiescence.
    pub(crate) info: Option<&'a CheckInfo>,
    pub(crate) techniques: Techniques,
    pub(crate) parameters: &'a Parameters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateTactical,
    Tactical,
    Refutation(usize),
    GenerateQuiets,
    Quiets,
    Losing,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Which moves a node wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All.
    All,
    /// Captures and promotions.
    Tactical,
    /// Captures and promotions that win at least this much by exchange.
    Winning(i32),
}

/// How many quiet moves that were refutations elsewhere are tried early.
pub(crate) const REFUTATIONS: usize = 3;

/// Hands out the moves of one node in order.
#[derive(Debug)]
pub(crate) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    refutations: [Option<Move>; REFUTATIONS],
    /// This node's part of the buffer: `start..losing` holds losing captures, of which those before
    /// `next_losing` have been handed out, `next..` what is still to be handed out of the rest.
    start: usize,
    losing: usize,
    next_losing: usize,
    next: usize,
    /// How many moves have been found by looking for the best one left.
    picked: usize,
    /// Whether quiet moves are still wanted.
    wants_quiets: bool,
}

/// After this many picks the rest is sorted; most nodes are cut off before.
const PICKS_BEFORE_SORTING: usize = 6;

impl Picker {
    /// For a node of the main search, or one in check anywhere.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        refutations: [Option<Move>; REFUTATIONS],
        buffer: &MoveBuffer,
    ) -> Self {
        Self::with(position, Wanted::All, table_move, refutations, buffer)
    }

    /// For a node that is not in check and wants some captures and promotions only.
    pub(crate) fn tactical(
        position: &Position,
        wanted: Wanted,
        table_move: Option<Move>,
        buffer: &MoveBuffer,
    ) -> Self {
        let table_move = table_move.filter(|&m| is_tactical(position, m));
        Self::with(position, wanted, table_move, [None; REFUTATIONS], buffer)
    }

    fn with(
        position: &Position,
        wanted: Wanted,
        table_move: Option<Move>,
        refutations: [Option<Move>; REFUTATIONS],
        buffer: &MoveBuffer,
    ) -> Self {
        let table_move = table_move.filter(|&m| position.is_legal(m));
        let start = buffer.len();
        Self {
            stage: Stage::TableMove,
            wanted,
            table_move,
            refutations,
            start,
            losing: start,
            next_losing: start,
            next: start,
            picked: 0,
            wants_quiets: true,
        }
    }

    /// The next move, or `None` when there is none left.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        history: &History,
        here: &Circumstances<'_>,
        buffer: &mut MoveBuffer,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = if position.in_check() {
                        Stage::GenerateEvasions
                    } else {
                        Stage::GenerateTactical
                    };
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateTactical => {
                    let uses_history = here.techniques.contains(Techniques::CAPTURE_HISTORY);
                    generate(position, MoveClass::TACTICAL, buffer, |m| {
                        let history =
                            if uses_history { capture_history(position, history, m) } else { 0 };
                        tactical_score(position, m) + history / 16
                    });
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => {
                    while let Some(m) = self.pick(buffer) {
                        let m = m.m();
                        let least = match self.wanted {
                            Wanted::Tactical => return Some(m),
                            Wanted::Winning(least) => least,
                            Wanted::All => 0,
                        };
                        if position.see_at_least(m, least) {
                            return Some(m);
                        }
                        // The place is free: at least one move has been picked since.
                        buffer[self.losing] = ScoredMove::new(m, 0);
                        self.losing += 1;
                    }
                    self.stage =
                        if self.wanted == Wanted::All { Stage::Refutation(0) } else { Stage::Done };
                }
                Stage::Refutation(index) => {
                    self.stage = if index + 1 < REFUTATIONS {
                        Stage::Refutation(index + 1)
                    } else {
                        Stage::GenerateQuiets
                    };
                    if let Some(m) = self.refutation(index, position)
                        && self.wants_quiets
                    {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Losing;
                    if self.wants_quiets {
                        let class = MoveClass::QUIETS | MoveClass::DROPS | MoveClass::USEFUL;
                        let order = QuietOrder::new(position, history, here);
                        generate(position, class, buffer, |m| order.score(m));
                        self.picked = 0;
                        self.stage = Stage::Quiets;
                    }
                }
                Stage::Quiets => {
                    while self.wants_quiets
                        && let Some(m) = self.pick(buffer)
                    {
                        if m.score() < -here.parameters.bad_quiet {
                            self.next -= 1;
                            break;
                        }
                        if !self.refutations.contains(&Some(m.m())) {
                            return Some(m.m());
                        }
                    }
                    self.stage = Stage::Losing;
                }
                Stage::Losing => {
                    if self.next_losing < self.losing {
                        self.next_losing += 1;
                        return Some(buffer[self.next_losing - 1].m());
                    }
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => {
                    while self.wants_quiets
                        && let Some(m) = self.pick(buffer)
                    {
                        if !self.refutations.contains(&Some(m.m())) {
                            return Some(m.m());
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    let class = MoveClass::EVASIONS | MoveClass::USEFUL;
                    let order = QuietOrder::new(position, history, here);
                    generate(position, class, buffer, |m| {
                        if is_tactical(position, m) {
                            (1 << 20) + tactical_score(position, m)
                        } else {
                            order.score(m)
                        }
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    let m = self.pick(buffer);
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m.map(ScoredMove::m);
                }
                Stage::Done => return None,
            }
        }
    }

    /// Leaves out the quiet moves not yet handed out.
    pub(crate) fn skip_quiets(&mut self) {
        self.wants_quiets = false;
    }

    /// Gives this node's part of the buffer back.
    pub(crate) fn finish(self, buffer: &mut MoveBuffer) {
        buffer.truncate(self.start);
    }

    /// The best move left in the buffer that is not the table's.
    fn pick(&mut self, buffer: &mut MoveBuffer) -> Option<ScoredMove> {
        loop {
            let left = buffer.get_mut(self.next..)?;
            if self.picked < PICKS_BEFORE_SORTING {
                let best = (0..left.len()).max_by_key(|&index| left[index])?;
                left.swap(0, best);
            } else if self.picked == PICKS_BEFORE_SORTING {
                left.sort_unstable_by(|a, b| b.cmp(a));
            }
            let m = *left.first()?;
            self.picked += 1;
            self.next += 1;
            if self.table_move != Some(m.m()) {
                return Some(m);
            }
        }
    }

    /// A refutation, if it is a legal quiet move here that has not been handed out.
    fn refutation(&mut self, index: usize, position: &Position) -> Option<Move> {
        let (earlier, rest) = self.refutations.split_at_mut(index);
        rest[0] = rest[0].filter(|&m| {
            self.table_move != Some(m)
                && !earlier.contains(&Some(m))
                && !is_tactical(position, m)
                && position.is_legal(m)
        });
        rest[0]
    }
}

/// The order of quiet moves.
struct QuietOrder<'a> {
    position: &'a Position,
    history: &'a History,
    here: &'a Circumstances<'a>,
    answers: [Answers<'a>; 4],
}

impl<'a> QuietOrder<'a> {
    fn new(position: &'a Position, history: &'a History, here: &'a Circumstances<'a>) -> Self {
        let uses = here.techniques.contains(Techniques::CONTINUATION_HISTORY);
        let earlier = if uses { here.earlier } else { [None; 4] };
        let answers = earlier.map(|earlier| history.continuation.after(earlier));
        Self { position, history, here, answers }
    }

    fn score(&self, m: Move) -> i32 {
        let Self { position, history, here, .. } = *self;
        let side = position.side();
        let follower = Follower::of(position, m);
        let [last, own, fourth, sixth] = self.answers.map(|answers| answers.get(follower));
        let mut score = last + own + fourth / 2 + sixth / 4;
        if here.techniques.contains(Techniques::HISTORY) {
            score += 2 * history.butterfly.get(side, m);
        }
        if here.techniques.contains(Techniques::PAWN_HISTORY) {
            score += 2 * history.pawns.get(here.pawns, follower);
        }
        if here.ply < LowPly::PLIES && here.techniques.contains(Techniques::LOW_PLY_HISTORY) {
            score += 4 * history.low_ply.get(here.ply, m) / (1 + here.ply as i32);
        }
        if let Some(info) = here.info
            && gives_check(position, info, m)
            && position.see_at_least(m, 0)
        {
            score += here.parameters.check_order;
        }
        score
    }
}

/// Appends the moves of a class with their scores.
#[inline(never)]
fn generate(
    position: &Position,
    class: MoveClass,
    buffer: &mut MoveBuffer,
    score: impl Fn(Move) -> i32,
) {
    let mut list = MoveList::new();
    generate_class(position, class, &mut list);
    buffer.extend(list.into_iter().map(|m| ScoredMove::new(m, score(m))));
}

/// How well a capture or promotion did elsewhere.
#[inline]
pub(crate) fn capture_history(position: &Position, history: &History, m: Move) -> i32 {
    let captured = position.piece_on(m.to()).map(|piece| piece.kind());
    history.captures.get(Follower::of(position, m), captured)
}

/// Whether a move captures or promotes.
#[inline]
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    m.is_promotion() || (!m.is_drop() && position.piece_on(m.to()).is_some())
}

/// What a capture or promotion takes and promotes, in centipawns.
#[inline]
pub(crate) fn gain(position: &Position, m: Move) -> i32 {
    let taken = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
    taken + promotion_gain(position, m)
}

fn promotion_gain(position: &Position, m: Move) -> i32 {
    if !m.is_promotion() {
        return 0;
    }
    let kind = m.from().and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
    kind.map_or(0, |kind| {
        kind.promoted().map_or(0, |promoted| exchange_value(promoted) - exchange_value(kind))
    })
}

/// The most valuable victim first, then the least valuable attacker; never negative.
pub(crate) fn tactical_score(position: &Position, m: Move) -> i32 {
    let attacker = m.from().and_then(|from| position.piece_on(from));
    let cost = attacker.map_or(0, |piece| exchange_value(piece.kind()).min(2_000) / 16);
    (gain(position, m) - cost).max(0)
}

#[cfg(test)]
mod tests;
