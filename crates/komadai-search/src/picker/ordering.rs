//! The ordering scores of captures, quiet moves and evasions.

use core::ops::ControlFlow;

use core::cell::OnceCell;

use komadai_core::{Bitboard, CheckInfo, Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::exchange::capture_value;
use komadai_movegen::sink::{Drops, MoveSink, Promotion, Step};
use komadai_movegen::{MoveGen, gives_check};

use super::check_map::CheckMap;
use super::move_buffer::{MoveBuffer, ScoredMove};

use crate::history::Histories;
use crate::history::from_to::{FromToRow, LowPlyHistory};
use crate::history::piece_to::{CaptureHistory, PLIES_BACK, PieceTo, PieceToRow};
use crate::parameters::Parameters;
use crate::searcher::move_order::MoveOrder;
use crate::tactical::{ATTACKER_COST, PROMOTION_GAIN, is_tactical, mvv_lva};
use crate::techniques::Techniques;

/// The score of evasions that capture or promote, above every history score.
const TACTICAL_EVASION: i32 = 1 << 20;

/// The context of a node's move ordering, besides the position and the history tables.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext<'a> {
    pub(crate) ply: usize,
    /// The moves before, the last one last.
    pub(crate) earlier: [Option<PieceTo>; PLIES_BACK],
    /// The squares from which pieces give check, computed at the first use; `None` in quiescence.
    pub(crate) info: Option<&'a OnceCell<CheckInfo>>,
    pub(crate) techniques: Techniques,
    pub(crate) parameters: &'a Parameters,
    /// Adds to the scores of quiet moves.
    pub(crate) order: Option<&'a dyn MoveOrder>,
}

/// The order of the quiet moves of one node.
///
/// Most time of a node goes into these scores, so that everything that its moves share is looked up
/// once. A table that is not used has a row of zeros, which is cheaper than a branch for each move.
pub(super) struct QuietOrder<'a> {
    position: &'a Position,
    context: &'a OrderingContext<'a>,
    /// The first index of the side's pieces in the tables by piece and destination.
    first_piece: usize,
    /// The continuation history of the moves 1, 2, 4 and 6 plies before.
    continuation: [PieceToRow<'a>; 4],
    butterfly: FromToRow<'a>,
    pawns: PieceToRow<'a>,
    checks: CheckMap,
    info: Option<&'a CheckInfo>,
}

impl<'a> QuietOrder<'a> {
    pub(super) fn new(
        position: &'a Position,
        history: &'a Histories<'_>,
        context: &'a OrderingContext<'a>,
    ) -> Self {
        let uses = |technique| context.techniques.contains(technique);
        let side = position.side();
        let row = |plies| {
            let earlier: Option<PieceTo> = context.earlier[PLIES_BACK - plies];
            history
                .shared
                .continuation
                .row(earlier.filter(|_| uses(Techniques::CONTINUATION_HISTORY)))
        };
        let info = context.info.map(|info| info.get_or_init(|| CheckInfo::new(position)));
        let butterfly = uses(Techniques::HISTORY).then(|| history.own.butterfly.row(side));
        let pawns = uses(Techniques::PAWN_HISTORY)
            .then(|| history.shared.pawn.row(position.part_keys().pawns()));
        Self {
            position,
            context,
            first_piece: PieceTo::first_index(side, PieceKind::ALL[0]),
            // Replies to the opponent's last move and continuations of the side's own last three.
            continuation: [row(1), row(2), row(4), row(6)],
            butterfly: butterfly.unwrap_or(FromToRow::ZEROS),
            pawns: pawns.unwrap_or(PieceToRow::ZEROS),
            checks: info.map_or(CheckMap::NONE, CheckMap::new),
            info,
        }
    }

    /// Returns the score of a quiet move: a weighted sum of the histories.
    ///
    /// The weights follow Stockfish in kind: the latest two moves count in full, older ones less,
    /// the butterfly and pawn histories twice, because their range is half as wide as that of the
    /// continuation history. They have not been tuned here.
    #[inline(always)]
    fn score(&self, piece: &PieceOrder, to: Square) -> i32 {
        let PieceOrder { origin, kind, may_uncover, piece, from } = *piece;
        let [last, own, fourth, sixth] = &self.continuation;
        let index = piece + to as usize;
        let mut score = last.at(index)
            + own.at(index)
            + (fourth.at(index) >> 1)
            + (sixth.at(index) >> 2)
            + 2 * (self.butterfly.at(from + to as usize) + self.pawns.at(index));
        if may_uncover || self.checks.gives_check(kind, to) {
            score += self.check_score(origin, to);
        }
        score
    }

    /// Looks up everything that the moves of a piece share.
    #[inline(always)]
    fn of(&self, origin: Origin) -> PieceOrder {
        let (kind, may_uncover) = match origin {
            Origin::Board(from) => {
                let piece = self.position.piece_on(from);
                (piece.map_or(PieceKind::King, Piece::kind), self.checks.may_uncover(from))
            }
            Origin::Hand(kind) => (kind, false),
        };
        PieceOrder {
            origin,
            kind,
            may_uncover,
            piece: self.first_piece + PieceTo::first_index(Color::Black, kind),
            from: origin.index() * Square::COUNT,
        }
    }

    /// Returns the score of a check that does not lose material by exchange, on top of the
    /// histories.
    #[inline(never)]
    fn check_score(&self, origin: Origin, to: Square) -> i32 {
        let Self { position, context, info, .. } = *self;
        let m = origin.to(to);
        let is_safe_check =
            info.is_some_and(|info| gives_check(position, info, m)) && position.see_at_least(m, 0);
        if is_safe_check { context.parameters.check_order } else { 0 }
    }

    /// Returns the score of an evasion: captures and promotions first, then by history.
    pub(super) fn evasion_score(&self, m: Move) -> i32 {
        if is_tactical(self.position, m) {
            return TACTICAL_EVASION + mvv_lva(self.position, m);
        }
        let origin = match (m.from(), m.dropped()) {
            (_, Some(kind)) => Origin::Hand(kind),
            (Some(from), None) => Origin::Board(from),
            (None, None) => return 0,
        };
        self.score(&self.of(origin), m.to())
    }
}

/// The part of the order that the quiet moves of one piece share.
#[derive(Clone, Copy)]
struct PieceOrder {
    origin: Origin,
    kind: PieceKind,
    may_uncover: bool,
    /// The index of a move to the first square in the tables by piece and destination.
    piece: usize,
    /// The same in the tables by origin and destination.
    from: usize,
}

/// The place that a quiet move comes from.
#[derive(Debug, Clone, Copy)]
enum Origin {
    Board(Square),
    Hand(PieceKind),
}

impl Origin {
    /// Returns the index in tables by origin and destination.
    #[inline(always)]
    fn index(self) -> usize {
        match self {
            Self::Board(from) => from as usize,
            Self::Hand(kind) => Square::COUNT + kind as usize,
        }
    }

    /// Returns the bits of a move from here, without its destination, which is added.
    #[inline(always)]
    fn bits(self) -> u16 {
        match self {
            Self::Board(from) => (from as u16) << 7,
            Self::Hand(kind) => Move::drop(kind, Square::S11).to_bits(),
        }
    }

    /// Returns the move to a square, which is not the origin.
    #[inline(always)]
    fn to(self, to: Square) -> Move {
        match self {
            Self::Board(from) => Move::new(from, to),
            Self::Hand(kind) => Move::drop(kind, to),
        }
    }
}

/// A sink that writes quiet moves with their scores.
pub(super) struct QuietSink<'a, 'b> {
    pub(super) order: &'b QuietOrder<'a>,
    pub(super) buffer: &'b mut MoveBuffer,
}

impl QuietSink<'_, '_> {
    /// Writes the moves from one place.
    #[inline(never)]
    fn write(&mut self, origin: Origin, to: Bitboard) {
        let Self { order, ref mut buffer } = *self;
        let piece = order.of(origin);
        let bits = origin.bits();
        for to in to {
            buffer.write(ScoredMove::from_bits(bits | to as u16, order.score(&piece, to)));
        }
    }
}

impl MoveSink for QuietSink<'_, '_> {
    fn steps(&mut self, to: Bitboard, step: Step, _: Promotion) -> ControlFlow<()> {
        let Self { order, ref mut buffer } = *self;
        for (from, to) in step.moves(to) {
            let origin = Origin::Board(from);
            let score = order.score(&order.of(origin), to);
            buffer.write(ScoredMove::from_bits(origin.bits() | to as u16, score));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn moves(&mut self, from: Square, to: Bitboard, _: Promotion) -> ControlFlow<()> {
        self.write(Origin::Board(from), to);
        ControlFlow::Continue(())
    }

    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        PieceKind::HAND.into_iter().try_for_each(|kind| self.drops_of(kind, drops.targets(kind)))
    }

    #[inline]
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()> {
        if !to.is_empty() {
            self.write(Origin::Hand(kind), to);
        }
        ControlFlow::Continue(())
    }
}

/// A sink that writes captures and promotions with their scores: MVV-LVA, adjusted by the capture
/// history.
pub(super) struct TacticalSink<'a, 'b> {
    pub(super) position: &'a Position,
    pub(super) history: Option<&'a CaptureHistory>,
    pub(super) buffer: &'b mut MoveBuffer,
}

impl MoveSink for TacticalSink<'_, '_> {
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        for (from, to) in step.moves(to) {
            self.moves(from, to.into(), promotion)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        let Self { position, .. } = *self;
        let Some(piece) = position.piece_on(from) else { return ControlFlow::Continue(()) };
        let kind = piece.kind();
        let mut kind_after = kind;
        let mut gain = -ATTACKER_COST[kind];
        if promotion == Promotion::Promote
            && let Some(promoted) = kind.promoted()
        {
            kind_after = promoted;
            gain += PROMOTION_GAIN[kind];
        }
        let side = position.side();
        let history = self.history;
        for to in to {
            let captured = position.piece_on(to).map(Piece::kind);
            let gain = (gain + captured.map_or(0, capture_value)).max(0);
            let piece_to = PieceTo::new(side, kind_after, to);
            let success = history.map_or(0, |history| history.get(piece_to, captured));
            let m = match promotion {
                Promotion::Stay => Move::new(from, to),
                Promotion::Promote => Move::promotion(from, to),
            };
            // A sixteenth of the history's range is 640 centipawns: it decides between similar
            // captures and does not place a pawn before a rook.
            self.buffer.write(ScoredMove::new(m, gain + success / 16));
        }
        ControlFlow::Continue(())
    }

    fn drops(&mut self, _: Drops) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn drops_of(&mut self, _: PieceKind, _: Bitboard) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Adds the parts of the scores of quiet moves among `moves` that few nodes have: the low-ply
/// history and a [`MoveOrder`].
#[inline]
pub(super) fn add_rare_parts(
    position: &Position,
    history: &Histories<'_>,
    context: &OrderingContext<'_>,
    moves: &mut [ScoredMove],
) {
    let ply = context.ply;
    if ply < LowPlyHistory::PLIES && context.techniques.contains(Techniques::LOW_PLY_HISTORY) {
        add_to_quiets(position, moves, &|m| {
            // At the root four times, at the last of the low plies once.
            4 * history.own.low_ply.get(ply, m) / (1 + ply as i32)
        });
    }
    if let Some(order) = context.order {
        add_to_quiets(position, moves, &|m| order.quiet(position, m));
    }
}

#[cold]
fn add_to_quiets(position: &Position, moves: &mut [ScoredMove], part: &dyn Fn(Move) -> i32) {
    for scored in moves {
        let m = scored.m();
        if !is_tactical(position, m) {
            let score = scored.score().saturating_add(part(m)).max(ScoredMove::LEAST_SCORE);
            *scored = ScoredMove::new(m, score);
        }
    }
}
