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
use crate::tactical::{is_capture, mvv_lva};
use crate::techniques::Techniques;

/// The score of evasions that capture, above every history score.
const CAPTURING_EVASION: i32 = 1 << 20;

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
    /// The continuation history of the moves 1, 2, 3, 4 and 6 plies before.
    continuation: [PieceToRow<'a>; 5],
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
            // Replies to the opponent's moves and continuations of the side's own.
            continuation: [row(1), row(2), row(3), row(4), row(6)],
            butterfly: butterfly.unwrap_or(FromToRow::ZEROS),
            pawns: pawns.unwrap_or(PieceToRow::ZEROS),
            checks: info.map_or(CheckMap::NONE, CheckMap::new),
            info,
        }
    }

    /// Returns the score of a quiet move: a weighted sum of the histories.
    ///
    /// The weights are those of Stockfish: the butterfly and pawn histories count twice, because
    /// their range is a quarter of that of the continuation history.
    #[inline(always)]
    fn score(&self, piece: &PieceOrder, to: Square) -> i32 {
        let PieceOrder { origin, kind, may_uncover, piece, from } = *piece;
        let [first, second, third, fourth, sixth] = &self.continuation;
        let index = piece + to as usize;
        let mut score = first.at(index)
            + second.at(index)
            + third.at(index)
            + fourth.at(index)
            + sixth.at(index)
            + 2 * (self.butterfly.at(from + to as usize) + self.pawns.at(index));
        if may_uncover || self.checks.gives_check(kind, to) {
            score += self.check_score(origin, to);
        }
        score
    }

    /// Looks up everything that the moves of a piece share.
    #[inline(always)]
    fn of(&self, origin: Origin) -> PieceOrder {
        let kind_on = |from| self.position.piece_on(from).map_or(PieceKind::King, Piece::kind);
        let (kind, may_uncover) = match origin {
            Origin::Board(from) => (kind_on(from), self.checks.may_uncover(from)),
            Origin::Promotion(from) => {
                let kind = kind_on(from);
                (kind.promoted().unwrap_or(kind), self.checks.may_uncover(from))
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

    /// Returns the score of a check that does not lose much material by exchange, on top of the
    /// histories.
    #[inline(never)]
    fn check_score(&self, origin: Origin, to: Square) -> i32 {
        let Self { position, context, info, .. } = *self;
        let m = origin.to(to);
        let is_safe_check = info.is_some_and(|info| gives_check(position, info, m))
            && position.see_at_least(m, -context.parameters.check_exchange);
        if is_safe_check { context.parameters.check_order } else { 0 }
    }

    /// Returns the score of an evasion: captures first, then by the histories that say most about
    /// a forced move.
    pub(super) fn evasion_score(&self, m: Move) -> i32 {
        if is_capture(self.position, m) {
            return CAPTURING_EVASION + mvv_lva(self.position, m);
        }
        let Some(kind) = self.kind_after(m) else { return 0 };
        let to = m.to() as usize;
        let piece = self.first_piece + PieceTo::first_index(Color::Black, kind);
        let from = m.from().map_or(Square::COUNT + kind as usize, |from| from as usize);
        self.continuation[0].at(piece + to) + self.butterfly.at(from * Square::COUNT + to)
    }

    /// Returns the kind that a move leaves on its destination.
    fn kind_after(&self, m: Move) -> Option<PieceKind> {
        let Some(from) = m.from() else { return m.dropped() };
        let kind = self.position.piece_on(from)?.kind();
        if m.is_promotion() { kind.promoted() } else { Some(kind) }
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
    /// A square from which a piece promotes.
    Promotion(Square),
    Hand(PieceKind),
}

impl Origin {
    /// Returns the origin of moves on the board.
    #[inline(always)]
    fn on_board(from: Square, promotion: Promotion) -> Self {
        match promotion {
            Promotion::Stay => Self::Board(from),
            Promotion::Promote => Self::Promotion(from),
        }
    }

    /// Returns the index in tables by origin and destination.
    #[inline(always)]
    fn index(self) -> usize {
        match self {
            Self::Board(from) | Self::Promotion(from) => from as usize,
            Self::Hand(kind) => Square::COUNT + kind as usize,
        }
    }

    /// Returns the bits of a move from here, without its destination, which is added.
    #[inline(always)]
    fn bits(self) -> u16 {
        match self {
            Self::Board(from) => (from as u16) << 7,
            // Squares are added to a move from the first square, which is 0.
            Self::Promotion(from) => {
                const PROMOTES: u16 =
                    Move::promotion(Square::S12, Square::S11).to_bits() ^ (Square::S12 as u16) << 7;
                (from as u16) << 7 | PROMOTES
            }
            Self::Hand(kind) => Move::drop(kind, Square::S11).to_bits(),
        }
    }

    /// Returns the move to a square, which is not the origin.
    #[inline(always)]
    fn to(self, to: Square) -> Move {
        match self {
            Self::Board(from) => Move::new(from, to),
            Self::Promotion(from) => Move::promotion(from, to),
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
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        let Self { order, ref mut buffer } = *self;
        for (from, to) in step.moves(to) {
            let origin = Origin::on_board(from, promotion);
            let score = order.score(&order.of(origin), to);
            buffer.write(ScoredMove::from_bits(origin.bits() | to as u16, score));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        self.write(Origin::on_board(from, promotion), to);
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

/// The part of a number of the capture history that counts in the order of captures.
///
/// Three points of history are a centipawn, so that its range is 3,400 of them: what has worked
/// counts more than what is taken.
const HISTORY_SHARE: i32 = 3;

/// A sink that writes captures with their scores: the captured piece, adjusted by the capture
/// history. It ignores promotions that capture nothing.
pub(super) struct CaptureSink<'a, 'b> {
    pub(super) position: &'a Position,
    pub(super) history: Option<&'a CaptureHistory>,
    pub(super) buffer: &'b mut MoveBuffer,
}

impl MoveSink for CaptureSink<'_, '_> {
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
        let kind_after = match promotion {
            Promotion::Stay => kind,
            Promotion::Promote => kind.promoted().unwrap_or(kind),
        };
        let side = position.side();
        let history = self.history;
        for to in to {
            let Some(captured) = position.piece_on(to).map(Piece::kind) else { continue };
            let piece_to = PieceTo::new(side, kind_after, to);
            let success = history.map_or(0, |history| history.get(piece_to, Some(captured)));
            let m = match promotion {
                Promotion::Stay => Move::new(from, to),
                Promotion::Promote => Move::promotion(from, to),
            };
            let score = capture_value(captured) + success / HISTORY_SHARE;
            self.buffer.write(ScoredMove::new(m, score));
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
            // At the root eight times, at the last of the low plies hardly more than once.
            8 * history.own.low_ply.get(ply, m) / (1 + ply as i32)
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
        if !is_capture(position, m) {
            let score = scored.score().saturating_add(part(m)).max(ScoredMove::LEAST_SCORE);
            *scored = ScoredMove::new(m, score);
        }
    }
}
