//! The ordering scores of captures, quiet moves and evasions.

use komadai_core::{CheckInfo, Color, Move, Piece, PieceKind, Position};
use komadai_movegen::{MoveGen, gives_check};

use super::scored_move::ScoredMove;
use crate::history::History;
use crate::history::butterfly::ButterflyHistory;
use crate::history::continuation::ContinuationRow;
use crate::history::low_ply::LowPlyHistory;
use crate::history::pawn::PawnRow;
use crate::history::piece_to::PieceTo;
use crate::parameters::Parameters;
use crate::searcher::move_order::MoveOrder;
use crate::tactical::{is_tactical, mvv_lva};
use crate::techniques::Techniques;

/// The score of evasions that capture or promote, above every history score.
const TACTICAL_EVASION: i32 = 1 << 20;

/// The context of a node's move ordering, besides the position and the history tables.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext<'a> {
    pub(crate) ply: usize,
    /// The key of the pawn structure.
    pub(crate) pawn_key: u64,
    /// The moves 1, 2, 4 and 6 plies before.
    pub(crate) earlier: [Option<PieceTo>; 4],
    /// The squares from which pieces give check; `None` in quiescence.
    pub(crate) info: Option<&'a CheckInfo>,
    pub(crate) techniques: Techniques,
    pub(crate) parameters: &'a Parameters,
    /// Adds to the scores of quiet moves.
    pub(crate) order: Option<&'a dyn MoveOrder>,
}

/// The order of the quiet moves of one node.
///
/// Most time of a node goes into these scores, so that everything that its moves share is looked up once.
pub(super) struct QuietOrder<'a> {
    position: &'a Position,
    context: &'a OrderingContext<'a>,
    side: Color,
    /// The continuation history of the moves 1, 2, 4 and 6 plies before.
    continuation: [ContinuationRow<'a>; 4],
    butterfly: Option<&'a ButterflyHistory>,
    pawns: Option<PawnRow<'a>>,
    low_ply: Option<&'a LowPlyHistory>,
}

impl<'a> QuietOrder<'a> {
    pub(super) fn new(
        position: &'a Position,
        history: &'a History,
        context: &'a OrderingContext<'a>,
    ) -> Self {
        let uses = |technique| context.techniques.contains(technique);
        let earlier =
            if uses(Techniques::CONTINUATION_HISTORY) { context.earlier } else { [None; 4] };
        let is_low = context.ply < LowPlyHistory::PLIES && uses(Techniques::LOW_PLY_HISTORY);
        Self {
            position,
            context,
            side: position.side(),
            continuation: earlier.map(|earlier| history.continuation.row(earlier)),
            butterfly: uses(Techniques::HISTORY).then_some(&history.butterfly),
            pawns: uses(Techniques::PAWN_HISTORY).then(|| history.pawn.row(context.pawn_key)),
            low_ply: is_low.then_some(&history.low_ply),
        }
    }

    /// Returns the score of a quiet move: a weighted sum of the histories.
    ///
    /// The weights follow Stockfish in kind: the latest two moves count in full, older ones less, the
    /// butterfly and pawn histories twice, because their range is half as wide as that of the
    /// continuation history. They have not been tuned here.
    #[inline(always)]
    pub(super) fn score(&self, m: Move) -> i32 {
        let Self { position, context, .. } = *self;
        let from = m.from();
        let kind = match from {
            None => m.dropped(),
            Some(from) => position.piece_on(from).map(Piece::kind),
        };
        let kind = kind.unwrap_or(PieceKind::King);
        let piece_to = PieceTo::new(self.side, kind, m.to());
        let [last, own, fourth, sixth] = self.continuation.map(|row| row.get(piece_to));
        let mut score = last + own + fourth / 2 + sixth / 4;
        if let Some(butterfly) = self.butterfly {
            score += 2 * butterfly.get(self.side, m);
        }
        if let Some(pawns) = self.pawns {
            score += 2 * pawns.get(piece_to);
        }
        if let Some(low_ply) = self.low_ply {
            // At the root four times, at the last of the low plies once.
            score += 4 * low_ply.get(context.ply, m) / (1 + context.ply as i32);
        }
        if let Some(info) = context.info
            && (info.check_squares(kind).contains(m.to())
                || from.is_some_and(|from| info.discoverers().contains(from)))
            && gives_check(position, info, m)
            && position.see_at_least(m, 0)
        {
            score += context.parameters.check_order;
        }
        score
    }

    /// Returns the score of an evasion: captures and promotions first, then by history.
    pub(super) fn evasion_score(&self, m: Move) -> i32 {
        if is_tactical(self.position, m) {
            TACTICAL_EVASION + mvv_lva(self.position, m)
        } else {
            self.score(m)
        }
    }
}

/// Adds the scores of a [`MoveOrder`] to those of the quiet moves among `moves`.
#[cold]
pub(super) fn add_order(position: &Position, order: &dyn MoveOrder, moves: &mut [ScoredMove]) {
    for scored in moves {
        let m = scored.m();
        if !is_tactical(position, m) {
            *scored = ScoredMove::new(m, scored.score().saturating_add(order.quiet(position, m)));
        }
    }
}

/// Returns the score of a capture or promotion: MVV-LVA, adjusted by the capture history.
pub(super) fn tactical_score(
    position: &Position,
    history: &History,
    context: &OrderingContext<'_>,
    m: Move,
) -> i32 {
    let success = if context.techniques.contains(Techniques::CAPTURE_HISTORY) {
        capture_history(position, history, m)
    } else {
        0
    };
    // A sixteenth of the history's range is 640 centipawns: it decides between similar captures and
    // does not place a pawn before a rook.
    mvv_lva(position, m) + success / 16
}

/// Returns the capture history of a capture or promotion.
#[inline]
pub(crate) fn capture_history(position: &Position, history: &History, m: Move) -> i32 {
    let captured = position.piece_on(m.to()).map(|piece| piece.kind());
    history.capture.get(PieceTo::of(position, m), captured)
}
