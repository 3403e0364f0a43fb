//! The two-stage quiescence search of ym-shogi.
//!
//! ```text
//! stage one(plies):
//!     the table of this stage has the value:    return
//!     a mate in one:                            return
//!     not in check:                             stand pat, at a discount when pieces are threatened
//!     captures and promotions that lose nothing by exchange,
//!     escapes of threatened pieces to where they lose nothing, or all evasions:
//!         stage one(plies − 1), or stage two on the destination after the last ply
//!
//! stage two(square):
//!     stand pat, or capture on the square:      stage two(square)
//! ```
//!
//! Source: the appeal document of ym-shogi, which gives the kinds of moves, the threats and the
//! table, and mentions conditions on exchanges, board and kind of piece. The conditions are our
//! choice: pawns do not escape, and no move may lose material by its static exchange evaluation.
//!
//! A value depends only on the position and the remaining plies, so that the table changes no
//! value. For this reason repetition and the move limit are tested at the first node and not below.
//! In check the second stage stands pat as well, unless it is mate.

use komadai_core::{Move, PieceKind, Square};
use komadai_eval::Evaluator;
use komadai_movegen::exchange::exchange_value;
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class};

use super::QuiescenceState;
use super::threat::{NodePlace, Threats};
use crate::settings::Settings;
use crate::value::{
    INFINITE, MAX_EVALUATION, MAX_PLY, Value, WON_BY_RULE, Window, bound_of, mated, mating,
};
use crate::worker::Worker;

/// Number of plies of the first stage. A limit is needed, because escapes do not end by themselves;
/// four is [`Quiescence::DEPTH`](crate::quiescence_method::Quiescence::DEPTH).
const STAGE_ONE_PLIES: u8 = 4;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of a position in which the game has not ended.
    // Inlined, it would slow down every leaf of the standard method.
    #[inline(never)]
    pub(super) fn two_stage<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        self.stage_one::<PV>(STAGE_ONE_PLIES, window, ply)
    }

    fn stage_one<const PV: bool>(&mut self, depth: u8, window: Window, ply: usize) -> Value {
        if depth < STAGE_ONE_PLIES {
            self.meter.count_quiescence();
        }
        self.pvs[ply].clear();
        if self.meter.is_over() {
            return 0;
        }
        if self.can_declare() {
            return WON_BY_RULE;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        let key = self.position.key();
        if !PV && let Some(value) = self.stage_one_table.cutoff(key, depth, window, ply) {
            return value;
        }
        if !self.position.in_check()
            && let Some(m) = self.position.mate_in_one()
        {
            self.pvs[ply].set(m, &[]);
            return mating(ply + 1);
        }
        let value = self.stage_one_node::<PV>(depth, window, ply);
        if !self.meter.is_over() {
            self.stage_one_table.store(key, depth, value, bound_of(value, window), ply);
        }
        value
    }

    fn stage_one_node<const PV: bool>(&mut self, depth: u8, window: Window, ply: usize) -> Value {
        let mut node = QuiescenceState { best: None, best_value: -INFINITE, window, ply };
        let mut threats = Threats::default();
        let static_value = self.static_evaluation(None, ply).map(|evaluation| evaluation.corrected);
        self.frames[ply].static_value = static_value;
        if let Some(static_value) = static_value {
            let place = if depth == STAGE_ONE_PLIES { NodePlace::First } else { NodePlace::Below };
            threats = Threats::of(&mut self.position);
            node.best_value = (static_value - threats.cost(place)).max(-MAX_EVALUATION);
            if node.best_value >= window.beta {
                return node.best_value;
            }
            node.window.alpha = window.alpha.max(node.best_value);
        }
        let start = self.buffer.len();
        let list = self.stage_one_moves(&threats);
        self.push_in_order(&list, None);
        for index in start..self.buffer.len() {
            let m = self.buffer[index].m();
            self.do_move(m, ply);
            let window = node.window.reversed();
            let value = if depth > 1 {
                -self.stage_one::<PV>(depth - 1, window, ply + 1)
            } else {
                -self.stage_two::<PV>(m.to(), window, ply + 1)
            };
            self.undo_move();
            if self.meter.is_over() || self.update_best::<PV>(&mut node, m, value) {
                break;
            }
        }
        self.buffer.truncate(start);
        if node.best_value == -INFINITE { mated(ply) } else { node.best_value }
    }

    /// Returns the moves of the first stage.
    fn stage_one_moves(&self, threats: &Threats) -> MoveList {
        let position = &self.position;
        let mut moves = MoveList::new();
        if position.in_check() {
            generate_class(position, MoveClass::EVASIONS | MoveClass::USEFUL, &mut moves);
            return moves;
        }
        let escaping = threats.pieces - position.kind(PieceKind::Pawn);
        let quiets = if escaping.is_empty() { MoveClass::empty() } else { MoveClass::QUIETS };
        let mut candidates = MoveList::new();
        generate_class(position, MoveClass::TACTICAL | quiets, &mut candidates);
        for m in candidates {
            let tactical = m.is_promotion() || position.piece_on(m.to()).is_some();
            let escapes = m.from().is_some_and(|from| escaping.contains(from));
            if (tactical || escapes) && position.see_at_least(m, 0) {
                moves.push(m);
            }
        }
        moves
    }

    /// Returns the value if both sides may only capture on `square`.
    fn stage_two<const PV: bool>(&mut self, square: Square, window: Window, ply: usize) -> Value {
        self.meter.count_quiescence();
        self.pvs[ply].clear();
        if self.meter.is_over() {
            return 0;
        }
        if self.position.in_check() && !self.position.has_legal_move() {
            return mated(ply);
        }
        let best_value = self.evaluate();
        let mut node = QuiescenceState { best: None, best_value, window, ply };
        if best_value >= window.beta || ply >= MAX_PLY {
            return best_value;
        }
        node.window.alpha = window.alpha.max(best_value);
        for m in self.captures_on(square) {
            self.do_move(m, ply);
            let value = -self.stage_two::<PV>(square, node.window.reversed(), ply + 1);
            self.undo_move();
            if self.meter.is_over() || self.update_best::<PV>(&mut node, m, value) {
                break;
            }
        }
        node.best_value
    }

    /// Returns the captures on a square, by the least valuable piece first.
    fn captures_on(&self, square: Square) -> Vec<Move> {
        let position = &self.position;
        let mut captures = MoveList::new();
        generate_class(position, MoveClass::CAPTURES | MoveClass::USEFUL, &mut captures);
        let mut moves: Vec<Move> = captures.into_iter().filter(|m| m.to() == square).collect();
        moves.sort_by_key(|m| {
            let piece = m.from().and_then(|from| position.piece_on(from));
            piece.map_or(0, |piece| exchange_value(piece.kind()))
        });
        moves
    }
}
