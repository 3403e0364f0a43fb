//! The ordering scores of captures, quiet moves and evasions.

use komadai_core::{CheckInfo, Color, Move, Piece, PieceKind, Position};
use komadai_movegen::{MoveGen, gives_check};

use super::check_map::CheckMap;
use super::scored_move::ScoredMove;
use crate::history::History;
use crate::history::from_to::FromToRow;
use crate::history::low_ply::LowPlyHistory;
use crate::history::piece_to::{PieceTo, PieceToRow};
use crate::parameters::Parameters;
use crate::partial_keys;
use crate::searcher::move_order::MoveOrder;
use crate::tactical::{is_tactical, mvv_lva};
use crate::techniques::Techniques;

/// The score of evasions that capture or promote, above every history score.
const TACTICAL_EVASION: i32 = 1 << 20;

/// The context of a node's move ordering, besides the position and the history tables.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext<'a> {
    pub(crate) ply: usize,
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
/// Most time of a node goes into these scores, so that everything that its moves share is looked up
/// once. A table that is not used has a row of zeros, which is cheaper than a branch for each move.
pub(super) struct QuietOrder<'a> {
    position: &'a Position,
    context: &'a OrderingContext<'a>,
    side: Color,
    /// The continuation history of the moves 1, 2, 4 and 6 plies before.
    continuation: [PieceToRow<'a>; 4],
    butterfly: FromToRow<'a>,
    pawns: PieceToRow<'a>,
    checks: CheckMap,
}

impl<'a> QuietOrder<'a> {
    pub(super) fn new(
        position: &'a Position,
        history: &'a History,
        context: &'a OrderingContext<'a>,
    ) -> Self {
        let uses = |technique| context.techniques.contains(technique);
        let side = position.side();
        let earlier =
            if uses(Techniques::CONTINUATION_HISTORY) { context.earlier } else { [None; 4] };
        let butterfly = uses(Techniques::HISTORY).then(|| history.butterfly.row(side));
        let pawns =
            uses(Techniques::PAWN_HISTORY).then(|| history.pawn.row(partial_keys::pawns(position)));
        Self {
            position,
            context,
            side,
            continuation: earlier.map(|earlier| history.continuation.row(earlier)),
            butterfly: butterfly.unwrap_or(FromToRow::ZEROS),
            pawns: pawns.unwrap_or(PieceToRow::ZEROS),
            checks: context.info.map_or(CheckMap::NONE, CheckMap::new),
        }
    }

    /// Returns the score of a quiet move: a weighted sum of the histories.
    ///
    /// The weights follow Stockfish in kind: the latest two moves count in full, older ones less,
    /// the butterfly and pawn histories twice, because their range is half as wide as that of the
    /// continuation history. They have not been tuned here.
    #[inline(always)]
    pub(super) fn score(&self, m: Move) -> i32 {
        let from = m.from();
        let kind = match from {
            None => m.dropped(),
            Some(from) => self.position.piece_on(from).map(Piece::kind),
        };
        let kind = kind.unwrap_or(PieceKind::King);
        let piece_to = PieceTo::new(self.side, kind, m.to());
        let [last, own, fourth, sixth] = &self.continuation;
        let mut score = last.get(piece_to)
            + own.get(piece_to)
            + (fourth.get(piece_to) >> 1)
            + (sixth.get(piece_to) >> 2)
            + 2 * (self.butterfly.get(m) + self.pawns.get(piece_to));
        if self.checks.may_check(kind, from, m.to()) {
            score += self.check_score(m);
        }
        score
    }

    /// Returns the score of a check that does not lose material by exchange, on top of the
    /// histories.
    #[inline(never)]
    fn check_score(&self, m: Move) -> i32 {
        let Self { position, context, .. } = *self;
        let is_safe_check = context.info.is_some_and(|info| gives_check(position, info, m))
            && position.see_at_least(m, 0);
        if is_safe_check { context.parameters.check_order } else { 0 }
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

/// Adds the parts of the scores of quiet moves among `moves` that few nodes have: the low-ply
/// history and a [`MoveOrder`].
#[inline]
pub(super) fn add_rare_parts(
    position: &Position,
    history: &History,
    context: &OrderingContext<'_>,
    moves: &mut [ScoredMove],
) {
    let ply = context.ply;
    if ply < LowPlyHistory::PLIES && context.techniques.contains(Techniques::LOW_PLY_HISTORY) {
        add_to_quiets(position, moves, &|m| {
            // At the root four times, at the last of the low plies once.
            4 * history.low_ply.get(ply, m) / (1 + ply as i32)
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
            *scored = ScoredMove::new(m, scored.score().saturating_add(part(m)));
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
