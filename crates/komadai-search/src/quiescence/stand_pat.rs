//! The values of standing pat in the selected quiescence search.

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_movegen::exchange::exchange_value;
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class};

use super::selected::Remaining;
use super::threat::{NodePlace, Threats};
use crate::node::static_evaluation::StaticEvaluation;
use crate::quiescence_method::InCheck;
use crate::quiescence_method::stand_pat::StandPat;
use crate::settings::Settings;
use crate::transposition_table::hit::TtHit;
use crate::value::Value;
use crate::worker::Worker;

/// The part of a piece's value that Tacos adds, in percent.
const PERCENT_OF_BEST_PIECE: Value = 75;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the static evaluation; in check `None`, unless the side may stand pat there.
    pub(super) fn standing_evaluation(
        &mut self,
        remaining: Remaining<'_>,
        hit: Option<TtHit>,
        ply: usize,
    ) -> Option<StaticEvaluation> {
        if !self.position.in_check() {
            return self.static_evaluation(hit, ply);
        }
        let stands = match remaining.selection.in_check() {
            InCheck::Evasions => false,
            InCheck::EvasionsWithinDepth => remaining.depth() == 0,
            InCheck::Classes => true,
        };
        if !stands || !self.position.has_legal_move() {
            return None;
        }
        let raw = self.evaluate();
        Some(StaticEvaluation { raw, corrected: raw, correction_keys: None })
    }

    /// Returns the correction of standing pat, in centipawns for the side to move.
    pub(super) fn correction(&mut self, remaining: Remaining<'_>) -> Value {
        let is_last = remaining.depth() == 0;
        match remaining.selection.policy().stand_pat() {
            StandPat::Threats if !self.position.in_check() => {
                let place = if remaining.plies == 0 { NodePlace::First } else { NodePlace::Below };
                -Threats::of(&mut self.position).cost(place)
            }
            StandPat::BestExchange if is_last => best_exchange(&self.position),
            StandPat::BestPiece if is_last => {
                best_piece(&self.position) * PERCENT_OF_BEST_PIECE / 100
            }
            _ => 0,
        }
    }
}

fn captures(position: &Position) -> MoveList {
    let mut captures = MoveList::new();
    generate_class(position, MoveClass::CAPTURES | MoveClass::USEFUL, &mut captures);
    captures
}

/// Returns the gain of the best capture by exchange, 0 if none gains.
fn best_exchange(position: &Position) -> Value {
    captures(position).into_iter().map(|m| position.see(m)).max().unwrap_or(0).max(0)
}

/// Returns the value of the most valuable piece that can be captured, 0 if there is none.
fn best_piece(position: &Position) -> Value {
    let captured = captures(position).into_iter().filter_map(|m| position.piece_on(m.to()));
    captured.map(|piece| exchange_value(piece.kind())).max().unwrap_or(0)
}
