//! Which move next: stage by stage, so that a cut-off saves generating the rest.
//!
//! 1. the move the transposition table suggests;
//! 2. captures and promotions that do not lose material by exchange, the most valuable victim
//!    first, by the least valuable attacker first;
//! 3. the killers: quiet moves that refuted a sibling;
//! 4. the other quiet moves and drops, by history;
//! 5. captures and promotions that lose material.
//!
//! In check all evasions form one stage, captures before the rest. Quiescence ends after stage 2.

use komadai_core::{Move, Position};
use komadai_movegen::{
    MoveClass, MoveGen, MoveList, capture_value, exchange_value, generate_class,
};

use crate::history::History;

/// A move and its place in the order, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    /// Turns the drop bit, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    fn new(m: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(m.to_bits() ^ Self::DROP))
    }

    fn m(self) -> Move {
        Move::from_bits(self.0 as u16 ^ Self::DROP).expect("made from a move")
    }
}

/// The moves of all nodes of the current line, one node's after another's: no allocation and little
/// stack per node.
pub(crate) type MoveBuffer = Vec<ScoredMove>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateTactical,
    Tactical,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    Losing,
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
    /// Captures and promotions that do not lose material by exchange.
    Winning,
}

/// Hands out the moves of one node in order.
#[derive(Debug)]
pub(crate) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// This node's part of the buffer: `start..losing` holds losing captures, `next..` what is
    /// still to be handed out.
    start: usize,
    losing: usize,
    next: usize,
    /// How many moves have been found by looking for the best one left.
    picked: usize,
    /// Whether the order of the quiet moves still matters.
    orders_quiets: bool,
}

/// After this many picks the rest is sorted; most nodes are cut off before.
const PICKS_BEFORE_SORTING: usize = 6;

impl Picker {
    /// For a node of the main search, or one in check anywhere.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        buffer: &MoveBuffer,
    ) -> Self {
        Self::with(position, Wanted::All, table_move, killers, buffer)
    }

    /// For a node of the quiescence search that is not in check.
    pub(crate) fn quiescence(
        position: &Position,
        wanted: Wanted,
        table_move: Option<Move>,
        buffer: &MoveBuffer,
    ) -> Self {
        let table_move = table_move.filter(|&m| is_tactical(position, m));
        Self::with(position, wanted, table_move, [None; 2], buffer)
    }

    fn with(
        position: &Position,
        wanted: Wanted,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        buffer: &MoveBuffer,
    ) -> Self {
        let table_move = table_move.filter(|&m| position.is_legal(m));
        let start = buffer.len();
        Self {
            stage: Stage::TableMove,
            wanted,
            table_move,
            killers,
            start,
            losing: start,
            next: start,
            picked: 0,
            orders_quiets: true,
        }
    }

    /// The next move, or `None` when there is none left.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        history: &History,
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
                    generate(position, MoveClass::TACTICAL, buffer, |m| {
                        tactical_score(position, m)
                    });
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => {
                    while let Some(m) = self.pick(buffer) {
                        if self.wanted == Wanted::Tactical || position.see_at_least(m, 0) {
                            return Some(m);
                        }
                        // The place is free: at least one move has been picked since.
                        buffer[self.losing] = ScoredMove::new(m, 0);
                        self.losing += 1;
                    }
                    self.stage =
                        if self.wanted == Wanted::All { Stage::FirstKiller } else { Stage::Done };
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(m) = self.killer(0, position) {
                        return Some(m);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiets;
                    if let Some(m) = self.killer(1, position) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiets => {
                    let class = MoveClass::QUIETS | MoveClass::DROPS | MoveClass::USEFUL;
                    let side = position.side();
                    let info = komadai_core::CheckInfo::new(position);
                    generate(position, class, buffer, |m| {
                        history.get(side, m)
                            + if komadai_movegen::gives_check(position, &info, m)
                                && position.see_at_least(m, 0)
                            {
                                4_000
                            } else {
                                0
                            }
                    });
                    self.picked = 0;
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    while let Some(m) = self.pick_quiet(buffer) {
                        if !self.killers.contains(&Some(m)) {
                            return Some(m);
                        }
                    }
                    self.next = self.start;
                    self.stage = Stage::Losing;
                }
                Stage::Losing => {
                    if self.next < self.losing {
                        self.next += 1;
                        return Some(buffer[self.next - 1].m());
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    let class = MoveClass::EVASIONS | MoveClass::USEFUL;
                    let side = position.side();
                    generate(position, class, buffer, |m| {
                        if is_tactical(position, m) {
                            2 * History::MAX + tactical_score(position, m)
                        } else {
                            history.get(side, m)
                        }
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    let m = self.pick(buffer);
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Saves the sorting of quiet moves of which hardly any will be searched.
    pub(crate) fn stop_ordering(&mut self) {
        self.orders_quiets = false;
    }

    /// Gives this node's part of the buffer back.
    pub(crate) fn finish(self, buffer: &mut MoveBuffer) {
        buffer.truncate(self.start);
    }

    /// The best move left in the buffer that is not the table's.
    fn pick(&mut self, buffer: &mut MoveBuffer) -> Option<Move> {
        loop {
            let left = buffer.get_mut(self.next..)?;
            if self.picked < PICKS_BEFORE_SORTING {
                let best = (0..left.len()).max_by_key(|&index| left[index])?;
                left.swap(0, best);
            } else if self.picked == PICKS_BEFORE_SORTING {
                left.sort_unstable_by(|a, b| b.cmp(a));
            }
            let m = left.first()?.m();
            self.picked += 1;
            self.next += 1;
            if self.table_move != Some(m) {
                return Some(m);
            }
        }
    }

    /// The best quiet move left, or any if the order does not matter.
    fn pick_quiet(&mut self, buffer: &mut MoveBuffer) -> Option<Move> {
        if !self.orders_quiets {
            self.picked = PICKS_BEFORE_SORTING + 1;
        }
        self.pick(buffer)
    }

    /// A killer, if it is a legal quiet move here.
    fn killer(&mut self, index: usize, position: &Position) -> Option<Move> {
        let usable = |&m: &Move| {
            self.table_move != Some(m) && !is_tactical(position, m) && position.is_legal(m)
        };
        self.killers[index] = self.killers[index].filter(usable);
        self.killers[index]
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
fn tactical_score(position: &Position, m: Move) -> i32 {
    let attacker = m.from().and_then(|from| position.piece_on(from));
    let cost = attacker.map_or(0, |piece| exchange_value(piece.kind()).min(2_000) / 16);
    (gain(position, m) - cost).max(0)
}

#[cfg(test)]
mod tests;
