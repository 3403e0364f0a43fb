//! What one thread of a search holds: its position, its line, what it has learned.

use komadai_core::{Bound, CheckInfo, Move, Position, Pv, Score};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveGen, Repetition};

use crate::abdada::{self, BusyTable};
use crate::history::{Follower, History};
use crate::meter::Meter;
use crate::partial_keys;
use crate::picker::{Circumstances, MoveBuffer, Picker, is_tactical};
use crate::quiescence::{Quiescence, STAGE_ONE_TABLE_BITS, ValueTable};
use crate::value::{MAX_EVALUATION, MAX_PLY, SUPERIOR, Value, WON_BY_RULE, Window, mated};
use crate::{Entry, Parameters, SearchOptions, Techniques, TesujiTable, TranspositionTable};

/// One thread at work on one search.
pub(crate) struct Worker<'a, E: Evaluator> {
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a TranspositionTable,
    /// Sequences whose completion is searched deeper.
    pub(crate) tesuji: &'a TesujiTable,
    pub(crate) options: &'a SearchOptions,
    pub(crate) history: &'a History,
    pub(crate) meter: Meter<'a>,
    pub(crate) position: Position,
    pub(crate) state: E::State,
    /// One for each ply from the root.
    pub(crate) frames: Vec<Frame>,
    pub(crate) buffer: MoveBuffer,
    /// The depth of the iteration.
    pub(crate) iteration: i32,
    /// The longest line of the iteration in plies.
    pub(crate) longest: usize,
    /// Null moves are not tried nearer to the root: one is being verified.
    pub(crate) null_from: usize,
    /// What the first stage of the two-stage quiescence search remembers.
    pub(crate) stage_one_table: ValueTable,
}

/// What is kept for one ply of the current line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    /// The move being searched; `None` for a null move.
    pub(crate) current: Option<Move>,
    /// What it leaves on its destination.
    pub(crate) follower: Option<Follower>,
    /// Whether it captures or promotes.
    pub(crate) tactical: bool,
    /// Its place in the order, from 0.
    pub(crate) place: usize,
    /// By how much its search is shortened, in 1,024ths of a ply.
    pub(crate) reduction: i32,
    /// `None` in check.
    pub(crate) static_value: Option<Value>,
    pub(crate) killers: [Option<Move>; 2],
    /// How often the moves of this ply were cut off since the ply two before was entered.
    pub(crate) cutoffs: u32,
    pub(crate) pv: Pv,
}

impl Frame {
    /// Remembers a quiet move that refuted the line, the latest first.
    pub(crate) fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        table: &'a TranspositionTable,
        options: &'a SearchOptions,
        history: &'a History,
        meter: Meter<'a>,
        position: &Position,
    ) -> Self {
        Self {
            evaluator,
            table,
            tesuji: TesujiTable::bundled(),
            options,
            history,
            meter,
            position: position.clone(),
            state: evaluator.refresh(position),
            frames: vec![Frame::default(); MAX_PLY + 2],
            buffer: MoveBuffer::with_capacity(4_096),
            iteration: 0,
            longest: 0,
            null_from: 0,
            stage_one_table: match options.quiescence {
                Quiescence::TwoStage => ValueTable::with_bits(STAGE_ONE_TABLE_BITS),
                _ => ValueTable::default(),
            },
        }
    }

    #[inline]
    pub(crate) fn parameters(&self) -> &'a Parameters {
        &self.options.parameters
    }

    #[inline]
    pub(crate) fn uses(&self, technique: Techniques) -> bool {
        self.options.techniques.contains(technique)
    }

    /// What the order of a node's moves depends on.
    #[inline]
    pub(crate) fn circumstances<'b>(
        &self,
        ply: usize,
        info: Option<&'b CheckInfo>,
    ) -> Circumstances<'b>
    where
        'a: 'b,
    {
        Circumstances {
            ply,
            pawns: partial_keys::pawns(&self.position),
            earlier: [1, 2, 4, 6].map(|plies| self.earlier(ply, plies)),
            info,
            techniques: self.options.techniques,
            parameters: self.parameters(),
        }
    }

    /// What the move some plies before `ply` has left on its destination.
    #[inline]
    pub(crate) fn earlier(&self, ply: usize, plies: usize) -> Option<Follower> {
        ply.checked_sub(plies).and_then(|earlier| self.frames[earlier].follower)
    }

    /// The next move of a node.
    #[inline]
    pub(crate) fn next_move(
        &mut self,
        picker: &mut Picker,
        here: &Circumstances<'_>,
    ) -> Option<Move> {
        picker.next(&self.position, self.history, here, &mut self.buffer)
    }

    #[inline]
    pub(crate) fn do_move(&mut self, m: Move, ply: usize) {
        self.meter.count();
        self.table.prefetch(self.position.key_after(m));
        let follower = Follower::of(&self.position, m);
        let tactical = is_tactical(&self.position, m);
        let frame = &mut self.frames[ply];
        (frame.current, frame.follower, frame.tactical) = (Some(m), Some(follower), tactical);
        self.longest = self.longest.max(ply + 1);
        self.evaluator.do_move(&mut self.position, m, &mut self.state);
    }

    /// Where the threads share out the moves of a node: what they are at, and the key after `m`.
    #[inline]
    pub(crate) fn shared_out(&self, m: Move, depth: i32) -> Option<(&'a BusyTable, u64)> {
        let together = self.meter.together().filter(|_| depth >= abdada::LEAST_DEPTH)?;
        Some((&together.busy, self.position.key_after(m)))
    }

    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.evaluator.undo_move(&mut self.position, &mut self.state);
    }

    #[inline]
    pub(crate) fn do_null_move(&mut self, ply: usize) {
        self.meter.count();
        let frame = &mut self.frames[ply];
        (frame.current, frame.follower, frame.tactical) = (None, None, false);
        (frame.place, frame.reduction) = (0, 0);
        self.position.do_null_move();
    }

    /// What the evaluator says.
    #[inline]
    pub(crate) fn evaluate(&self) -> Value {
        let score = self.evaluator.evaluate(&self.position, &self.state);
        score.raw().clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The value if the game ends here by a rule: repetition, the last move, a declaration.
    #[inline]
    pub(crate) fn ended(&self, ply: usize) -> Option<Value> {
        match self.position.search_repetition(ply) {
            Repetition::None => {}
            Repetition::Win => return Some(WON_BY_RULE),
            Repetition::Lose => return Some(-WON_BY_RULE),
            Repetition::Superior => return Some(SUPERIOR),
            Repetition::Inferior => return Some(-SUPERIOR),
            _ => return Some(self.draw(ply)),
        }
        if self.options.max_moves.is_some_and(|limit| limit.is_reached(&self.position)) {
            return Some(if self.position.has_legal_move() { self.draw(ply) } else { mated(ply) });
        }
        self.can_declare().then_some(WON_BY_RULE)
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(crate) fn draw(&self, ply: usize) -> Value {
        let value = self.options.draw_value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if ply.is_multiple_of(2) { value } else { -value }
    }

    /// Whether the side to move can declare to have won.
    #[inline]
    pub(crate) fn can_declare(&self) -> bool {
        let us = self.position.side();
        let entered = self.position.king_square(us).is_some_and(|king| king.is_promotion_zone(us));
        entered && self.position.declaration(self.options.declaration).wins()
    }

    /// What the table knows about the position.
    #[inline]
    pub(crate) fn known(&self, ply: usize) -> Option<Known> {
        if !self.uses(Techniques::TABLE) {
            return None;
        }
        let entry = self.table.probe(self.position.key())?;
        Some(Known {
            best: entry.best,
            value: entry.score.from_ply(ply as u32).raw(),
            static_value: entry.static_score.map(Score::raw),
            depth: i32::from(entry.depth),
            bound: entry.bound,
            pv: entry.pv,
        })
    }

    /// Tells the table what has been found about the position.
    #[inline]
    pub(crate) fn remember(&self, known: Known, ply: usize) {
        if !self.uses(Techniques::TABLE) {
            return;
        }
        let entry = Entry {
            best: known.best,
            score: Score::from_raw(known.value).to_ply(ply as u32),
            static_score: known.static_value.map(Score::from_raw),
            depth: known.depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound: known.bound,
            pv: known.pv,
        };
        self.table.store(self.position.key(), entry);
    }

    /// Keeps the line that starts with `m` and goes on as the next ply says.
    pub(crate) fn set_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        head[ply].pv.set(m, &tail[0].pv);
    }
}

/// An [`Entry`] in the search's own numbers: mates counted from the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) best: Option<Move>,
    pub(crate) value: Value,
    pub(crate) static_value: Option<Value>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was part of a principal variation.
    pub(crate) pv: bool,
}

impl Known {
    /// The value, if it settles a node with this window and depth.
    #[inline]
    pub(crate) fn settles(&self, window: Window, depth: i32) -> Option<Value> {
        let fits = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= window.beta,
            Bound::Upper => self.value <= window.alpha,
        };
        (fits && self.depth >= depth).then_some(self.value)
    }

    /// The value, if it is closer to the truth than a static value.
    #[inline]
    pub(crate) fn improves(&self, static_value: Value) -> Option<Value> {
        let fits = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > static_value,
            Bound::Upper => self.value < static_value,
        };
        fits.then_some(self.value)
    }
}

/// How a value relates to the truth when it was found with this window.
#[inline]
pub(crate) fn bound_of(value: Value, window: Window) -> Bound {
    if value >= window.beta {
        Bound::Lower
    } else if value <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
