//! The ordering scores of captures, quiet moves and evasions, and moves with their scores.

use core::cell::OnceCell;

use komadai_core::{Bitboard, CheckInfo, Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::{MoveGen, gives_check};

use crate::history::History;
use crate::history::from_to::{FromToRow, LowPlyHistory};
use crate::history::piece_to::{PLIES_BACK, PieceTo, PieceToRow};
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
    side: Color,
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
        history: &'a History,
        context: &'a OrderingContext<'a>,
    ) -> Self {
        let uses = |technique| context.techniques.contains(technique);
        let side = position.side();
        let row = |plies| {
            let earlier: Option<PieceTo> = context.earlier[PLIES_BACK - plies];
            history.continuation.row(earlier.filter(|_| uses(Techniques::CONTINUATION_HISTORY)))
        };
        let info = context.info.map(|info| info.get_or_init(|| CheckInfo::new(position)));
        let butterfly = uses(Techniques::HISTORY).then(|| history.butterfly.row(side));
        let pawns =
            uses(Techniques::PAWN_HISTORY).then(|| history.pawn.row(position.part_keys().pawns()));
        Self {
            position,
            context,
            side,
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
        let Self { position, context, info, .. } = *self;
        let is_safe_check =
            info.is_some_and(|info| gives_check(position, info, m)) && position.see_at_least(m, 0);
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
fn capture_history(position: &Position, history: &History, m: Move) -> i32 {
    let captured = position.piece_on(m.to()).map(|piece| piece.kind());
    history.capture.get(PieceTo::of(position, m), captured)
}

/// A move and its ordering score, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

/// The moves of all nodes of the current line, one node after another: no allocation and little
/// stack per node.
pub(crate) type MoveBuffer = Vec<ScoredMove>;

impl ScoredMove {
    /// The drop bit of a move. It is inverted, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    /// No move; it is never read as one.
    pub(super) const NONE: Self = Self(0);

    #[inline]
    pub(crate) fn new(m: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(m.to_bits() ^ Self::DROP))
    }

    #[inline]
    pub(crate) fn m(self) -> Move {
        Move::from_bits(self.0 as u16 ^ Self::DROP).expect("made from a move")
    }

    /// Returns whether this is the move `m`; cheaper than to compare [`m`](Self::m), which is
    /// checked.
    #[inline]
    pub(super) fn is(self, m: Option<Move>) -> bool {
        m.is_some_and(|m| self.0 as u16 ^ Self::DROP == m.to_bits())
    }

    pub(super) fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// The kinds that give check from each square, and the pieces that may uncover one.
///
/// One load and one shift test a move; with [`CheckInfo`] alone it takes four times as many
/// instructions.
pub(super) struct CheckMap {
    /// `[square]`, one bit for each kind.
    kinds: [u16; Square::COUNT],
    discoverers: Option<Bitboard>,
}

impl CheckMap {
    /// No checks.
    pub(super) const NONE: Self = Self { kinds: [0; Square::COUNT], discoverers: None };

    pub(super) fn new(info: &CheckInfo) -> Self {
        use PieceKind::*;
        let mut map = Self::NONE;
        for kind in [Pawn, Lance, Knight, Silver] {
            map.add(&[kind], info.check_squares(kind));
        }
        map.add(&[Gold, ProPawn, ProLance, ProKnight, ProSilver], info.check_squares(Gold));
        for (kind, promoted) in [(Bishop, Horse), (Rook, Dragon)] {
            let squares = info.check_squares(kind);
            map.add(&[kind, promoted], squares);
            map.add(&[promoted], info.check_squares(promoted) - squares);
        }
        map.discoverers = Some(info.discoverers()).filter(|discoverers| !discoverers.is_empty());
        map
    }

    #[inline(always)]
    fn add(&mut self, kinds: &[PieceKind], squares: Bitboard) {
        let kinds = kinds.iter().fold(0, |kinds, &kind| kinds | 1 << kind as u16);
        for square in squares {
            self.kinds[square as usize] |= kinds;
        }
    }

    /// Returns whether a move of a piece of `kind` may give check: surely if the piece itself gives
    /// it, perhaps if it may uncover one.
    #[inline(always)]
    pub(super) fn may_check(&self, kind: PieceKind, from: Option<Square>, to: Square) -> bool {
        self.kinds[to as usize] >> kind as u16 & 1 != 0
            || self.discoverers.is_some_and(|pieces| from.is_some_and(|from| pieces.contains(from)))
    }
}
