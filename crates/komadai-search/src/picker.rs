//! The staged move picker, which yields the moves of a node in order of promise.
//!
//! A cutoff by an early move saves generating and ordering the rest. The stages are:
//!
//! 1. the move of the transposition table;
//! 2. captures that do not lose much material by exchange, by the captured piece and capture
//!    history;
//! 3. the refutations: killer moves and the counter move;
//! 4. the other quiet moves, promotions and drops, by their histories;
//! 5. captures that lose material by exchange;
//! 6. quiet moves with a bad history.
//!
//! In check all evasions form one stage, captures before the rest. Quiescence ends after stage 2.
//! With [`EARLY_COUNTER_MOVE`](Techniques::EARLY_COUNTER_MOVE) the counter move stands before stage 2.

mod check_map;
mod move_buffer;
mod ordering;

use core::ops::ControlFlow;

use komadai_core::{Move, Position};
use komadai_movegen::sink::ForEach;
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{MoveClass, MoveGen};

use crate::history::Histories;
use crate::parameters::Parameters;
use crate::tactical::is_capture;
use crate::techniques::Techniques;
use ordering::{CaptureSink, QuietOrder, QuietSink, add_rare_parts};

pub(crate) use move_buffer::{MoveBuffer, ScoredMove};
pub(crate) use ordering::OrderingContext;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    EarlyCounterMove,
    GenerateCaptures,
    Captures,
    Refutation(usize),
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

/// The moves that a node requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveFilter {
    /// All moves.
    All,
    /// Captures.
    Captures,
    /// Captures that win at least this much by exchange.
    Winning(i32),
}

/// Number of refutations: two killer moves and the counter move.
pub(crate) const REFUTATIONS: usize = 3;

/// Yields the moves of one node in order.
#[derive(Debug)]
pub(crate) struct Picker {
    stage: Stage,
    /// The stage after the table's move.
    generation: Stage,
    filter: MoveFilter,
    table_move: Option<Move>,
    refutations: [Option<Move>; REFUTATIONS],
    /// The index of the first refutation after the captures.
    next_refutation: usize,
    /// Start of this node's part of the buffer. `start..losing` holds losing captures; those before
    /// `next_losing` have been yielded. `next..` holds the other moves not yet yielded.
    start: usize,
    losing: usize,
    next_losing: usize,
    next: usize,
    /// The best moves of the blocks of quiet moves, which begin at `next`.
    maxima: usize,
    /// True if quiet moves are still yielded.
    yields_quiets: bool,
}

impl Picker {
    /// Returns a picker of all moves, for a node of the main search or a node in check.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        refutations: [Option<Move>; REFUTATIONS],
        buffer: &MoveBuffer,
    ) -> Self {
        Self::with_filter(position, MoveFilter::All, table_move, refutations, buffer)
    }

    /// Returns a picker of captures, for a node that is not in check.
    pub(crate) fn captures(
        position: &Position,
        filter: MoveFilter,
        table_move: Option<Move>,
        buffer: &MoveBuffer,
    ) -> Self {
        let table_move = table_move.filter(|&m| is_capture(position, m));
        Self::with_filter(position, filter, table_move, [None; REFUTATIONS], buffer)
    }

    /// Returns the picker with the counter move before the captures, not after the killer moves. In
    /// check nothing changes.
    pub(crate) fn with_early_counter_move(mut self) -> Self {
        if self.generation == Stage::GenerateCaptures {
            self.generation = Stage::EarlyCounterMove;
            if self.stage == Stage::GenerateCaptures {
                self.stage = Stage::EarlyCounterMove;
            }
            // The last one becomes the first.
            self.refutations.rotate_right(1);
            self.next_refutation = 1;
        }
        self
    }

    fn with_filter(
        position: &Position,
        filter: MoveFilter,
        table_move: Option<Move>,
        refutations: [Option<Move>; REFUTATIONS],
        buffer: &MoveBuffer,
    ) -> Self {
        // Another position may share the key, and another thread may have stored the entry.
        let table_move = table_move.filter(|&m| position.is_legal(m));
        let start = buffer.len();
        let generation =
            if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
        Self {
            stage: if table_move.is_some() { Stage::TableMove } else { generation },
            generation,
            filter,
            table_move,
            refutations,
            next_refutation: 0,
            start,
            losing: start,
            next_losing: start,
            next: start,
            maxima: start,
            yields_quiets: true,
        }
    }

    /// Returns the next move, or `None` when there is none left.
    ///
    /// Each stage either yields a move or sets the stage that follows.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        history: &Histories<'_>,
        context: &OrderingContext<'_>,
        buffer: &mut MoveBuffer,
    ) -> Option<Move> {
        loop {
            let m = match self.stage {
                Stage::TableMove => {
                    self.stage = self.generation;
                    self.table_move
                }
                Stage::EarlyCounterMove => {
                    self.stage = Stage::GenerateCaptures;
                    self.valid_refutation(0, position)
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, history, context, buffer);
                    None
                }
                Stage::Captures => self.next_capture(position, context.parameters, buffer),
                Stage::Refutation(index) => self.next_refutation(index, position),
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, history, context, buffer);
                    None
                }
                Stage::Quiets => self.next_quiet(-context.parameters.bad_quiet, buffer),
                Stage::LosingCaptures => self.next_losing_capture(buffer),
                Stage::BadQuiets => self.next_bad_quiet(buffer),
                Stage::GenerateEvasions => {
                    self.generate_evasions(position, history, context, buffer);
                    None
                }
                Stage::Evasions => self.next_evasion(buffer),
                Stage::Done => return None,
            };
            if m.is_some() {
                return m;
            }
        }
    }

    #[inline(never)]
    fn generate_captures(
        &mut self,
        position: &Position,
        history: &Histories<'_>,
        context: &OrderingContext<'_>,
        buffer: &mut MoveBuffer,
    ) {
        buffer.make_room();
        let uses_history = context.techniques.contains(Techniques::CAPTURE_HISTORY);
        let history = uses_history.then_some(&history.own.capture);
        // A buffer never breaks off the generation.
        let _ = generate_class_into(
            position,
            MoveClass::TACTICAL,
            &mut CaptureSink { position, history, buffer },
        );
        self.stage = Stage::Captures;
    }

    /// Yields captures, and sets aside those that lose too much material by exchange: the better
    /// the score, the more a capture may lose.
    #[inline]
    fn next_capture(
        &mut self,
        position: &Position,
        p: &Parameters,
        buffer: &mut MoveBuffer,
    ) -> Option<Move> {
        while let Some(scored) = self.pick(buffer) {
            let m = scored.m();
            let least = match self.filter {
                MoveFilter::Captures => return Some(m),
                MoveFilter::Winning(least) => least,
                MoveFilter::All => (p.capture_level - scored.score()) * p.capture_exchange / 100,
            };
            if position.see_at_least(m, least) {
                return Some(m);
            }
            // The slot is free, because at least this one move has been picked since `losing` was
            // last advanced.
            buffer[self.losing] = scored;
            self.losing += 1;
        }
        self.stage = if self.filter == MoveFilter::All {
            Stage::Refutation(self.next_refutation)
        } else {
            Stage::Done
        };
        None
    }

    #[inline]
    fn next_refutation(&mut self, index: usize, position: &Position) -> Option<Move> {
        self.stage = if index + 1 < REFUTATIONS {
            Stage::Refutation(index + 1)
        } else {
            Stage::GenerateQuiets
        };
        self.valid_refutation(index, position).filter(|_| self.yields_quiets)
    }

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        position: &Position,
        history: &Histories<'_>,
        context: &OrderingContext<'_>,
        buffer: &mut MoveBuffer,
    ) {
        self.stage = Stage::LosingCaptures;
        if self.yields_quiets {
            let class =
                MoveClass::PROMOTIONS | MoveClass::QUIETS | MoveClass::DROPS | MoveClass::USEFUL;
            let order = QuietOrder::new(position, history, context);
            let start = buffer.len();
            buffer.make_room();
            let sink = &mut QuietSink { order: &order, buffer };
            let _ = generate_class_into(position, class, sink);
            add_rare_parts(position, history, context, &mut buffer[start..]);
            self.next = start;
            self.maxima = buffer.part_into_blocks(start);
            self.stage = Stage::Quiets;
        }
    }

    /// Yields quiet moves with a score of at least `least`.
    #[inline]
    fn next_quiet(&mut self, least: i32, buffer: &mut MoveBuffer) -> Option<Move> {
        let m = self.take_quiet(least, buffer);
        if m.is_none() {
            self.stage = Stage::LosingCaptures;
        }
        m
    }

    #[inline]
    fn next_losing_capture(&mut self, buffer: &MoveBuffer) -> Option<Move> {
        if self.next_losing < self.losing {
            self.next_losing += 1;
            return Some(buffer[self.next_losing - 1].m());
        }
        self.stage = Stage::BadQuiets;
        None
    }

    #[inline]
    fn next_bad_quiet(&mut self, buffer: &mut MoveBuffer) -> Option<Move> {
        let m = self.take_quiet(ScoredMove::LEAST_SCORE, buffer);
        if m.is_none() {
            self.stage = Stage::Done;
        }
        m
    }

    /// Returns the best quiet move left with a score of at least `least`, if quiet moves are still
    /// yielded.
    #[inline(never)]
    fn take_quiet(&mut self, least: i32, buffer: &mut MoveBuffer) -> Option<Move> {
        if !self.yields_quiets {
            return None;
        }
        loop {
            let scored = buffer.take_best(self.next, self.maxima, least)?;
            let is_yielded = |&m: &Option<Move>| scored.is(m);
            if !is_yielded(&self.table_move) && !self.refutations.iter().any(is_yielded) {
                return Some(scored.m());
            }
        }
    }

    #[inline(never)]
    fn generate_evasions(
        &mut self,
        position: &Position,
        history: &Histories<'_>,
        context: &OrderingContext<'_>,
        buffer: &mut MoveBuffer,
    ) {
        let class = MoveClass::EVASIONS | MoveClass::USEFUL;
        let order = QuietOrder::new(position, history, context);
        let start = buffer.len();
        let sink = &mut ForEach(|m| {
            buffer.push(ScoredMove::new(m, order.evasion_score(m)));
            ControlFlow::Continue(())
        });
        let _ = generate_class_into(position, class, sink);
        add_rare_parts(position, history, context, &mut buffer[start..]);
        self.stage = Stage::Evasions;
    }

    #[inline]
    fn next_evasion(&mut self, buffer: &mut MoveBuffer) -> Option<Move> {
        let m = self.pick(buffer);
        if m.is_none() {
            self.stage = Stage::Done;
        }
        m.map(ScoredMove::m)
    }

    /// Skips the quiet moves not yet yielded.
    pub(crate) fn skip_quiets(&mut self) {
        self.yields_quiets = false;
    }

    /// Removes this node's part of the buffer.
    pub(crate) fn finish(self, buffer: &mut MoveBuffer) {
        buffer.truncate(self.start);
    }

    /// Returns the best capture or evasion left in the buffer, except the table's move.
    #[inline(never)]
    fn pick(&mut self, buffer: &mut MoveBuffer) -> Option<ScoredMove> {
        loop {
            let best = buffer.bring_best(self.next)?;
            self.next += 1;
            // The table's move has been yielded in the first stage.
            if !best.is(self.table_move) {
                return Some(best);
            }
        }
    }

    /// Returns a refutation, if it is a legal quiet move here and has not been yielded.
    ///
    /// A refutation that fails this test is removed, so that the quiet stages do not skip the move.
    fn valid_refutation(&mut self, index: usize, position: &Position) -> Option<Move> {
        let (earlier, rest) = self.refutations.split_at_mut(index);
        rest[0] = rest[0].filter(|&m| {
            self.table_move != Some(m)
                && !earlier.contains(&Some(m))
                && !is_capture(position, m)
                && position.is_legal(m)
        });
        rest[0]
    }
}

#[cfg(test)]
mod tests;
