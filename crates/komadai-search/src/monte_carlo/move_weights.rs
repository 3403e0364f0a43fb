//! Fast integer weights of moves, for priors and random games.

use komadai_core::{Bitboard, CheckInfo, Move, PieceKind, Position, Square, attacks};
use komadai_eval::AttackMap;
use komadai_movegen::exchange::{capture_value, exchange_value};
use komadai_movegen::gives_check;

use crate::history::piece_to::PieceTo;
use crate::move_probability::MoveProbability;

/// Integer weights of moves: sums of terms, each in sixteenths of a doubling, so that a term of 16
/// makes a move twice as probable. The terms are those of
/// [`LogisticMoves::FITTED`](crate::LogisticMoves::FITTED), rounded.
///
/// Exchanges are estimated from attack maps, because exact ones take longer than all other terms
/// together.
///
/// Source: the appeal document of ym-shogi, which names the conditions: exchange, drop, capture,
/// attack at the destination, distances to both kings, moving forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveWeights;

/// Thousand centipawns won by the exchange on the destination.
const GAIN: i32 = 48;
/// Thousand centipawns lost by it.
const LOSS: i32 = 65;
/// A capture.
const CAPTURE: i32 = 26;
/// A capture of the piece that moved last.
const RECAPTURE: i32 = 25;
/// A promotion.
const PROMOTION: i32 = -7;
/// A promotion that is possible and not made.
const NO_PROMOTION: i32 = -26;
/// A dropped pawn.
const PAWN_DROP: i32 = 2;
/// Another dropped piece.
const DROP: i32 = -14;
/// A drop next to the opponent's king.
const DROP_NEAR_KING: i32 = 16;
/// A check.
const CHECK: i32 = 50;
/// A destination that the opponent attacks.
const ATTACKED: i32 = 12;
/// A destination that a pawn of the opponent attacks.
const ATTACKED_BY_PAWN: i32 = -14;
/// A piece that leaves an attacked square without a guard.
const ESCAPE: i32 = 17;
/// A piece that leaves a square attacked by a pawn, or a piece worth more than a silver one
/// attacked by a minor piece.
const ESCAPE_FROM_CHEAPER: i32 = 39;
/// Each rank forward or backward.
const FORWARD: i32 = 2;
/// Each step that the destination is nearer to the opponent's king than eight squares.
const NEAR_ENEMY_KING: i32 = 3;
/// The same for the own king.
const NEAR_OWN_KING: i32 = 1;
/// The same for the destination of the last move.
const NEAR_LAST_MOVE: i32 = 6;
/// A move of the king.
const KING: i32 = -3;
/// A move of the king in the first forty moves.
const EARLY_KING: i32 = 24;
/// A move of a pawn.
const PAWN_MOVE: i32 = 7;
/// A move of a lance or knight.
const MINOR_MOVE: i32 = -12;
/// A move of a silver or gold.
const GENERAL_MOVE: i32 = 3;
/// A move of the piece that moved last.
const SAME_PIECE: i32 = 10;

/// The moves of the first part of a game, in which kings move into castles.
const EARLY_PLIES: u32 = 40;

/// The number of steps by which two squares are nearer than eight.
static NEARNESS: [[i16; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT * Square::COUNT {
        let a = Square::ALL[index / Square::COUNT];
        let b = Square::ALL[index % Square::COUNT];
        table[a as usize][b as usize] = 8 - a.distance(b) as i16;
        index += 1;
    }
    table
};

/// Returns the term of the kind of a piece that moves on the board.
const fn term_of_kind(kind: PieceKind, is_early: bool) -> i32 {
    match kind {
        PieceKind::King if is_early => KING + EARLY_KING,
        PieceKind::King => KING,
        PieceKind::Pawn => PAWN_MOVE,
        PieceKind::Lance | PieceKind::Knight => MINOR_MOVE,
        PieceKind::Silver | PieceKind::Gold => GENERAL_MOVE,
        _ => 0,
    }
}

/// The inputs of the weights that all moves of a position share.
pub(super) struct MoveContext<'a> {
    position: &'a Position,
    info: CheckInfo,
    own: AttackMap,
    enemy: AttackMap,
    own_king: Bitboard,
    enemy_king: Bitboard,
    /// The squares that the opponent attacks.
    attacked: Bitboard,
    /// True in the first part of a game.
    is_early: bool,
    /// The terms of a destination: its distances.
    to: [i16; Square::COUNT],
    last: Option<Square>,
    own_last: Option<Square>,
}

impl<'a> MoveContext<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        let us = position.side();
        let own = AttackMap::new(position, us);
        let enemy = AttackMap::new(position, !us);
        let kings = [us, !us].map(|color| position.king_square(color));
        let [own_king, enemy_king] = kings.map(|king| king.map_or(Bitboard::EMPTY, attacks::king));
        let last = position.current().last_move().map(Move::to);
        let own_last = position.history().last().and_then(|ply| ply.last_move()).map(Move::to);
        let centres = [
            (kings[1], NEAR_ENEMY_KING as i16),
            (kings[0], NEAR_OWN_KING as i16),
            (last, NEAR_LAST_MOVE as i16),
        ];
        let mut to = [0; Square::COUNT];
        for (centre, weight) in centres {
            let Some(centre) = centre else { continue };
            for (term, nearness) in to.iter_mut().zip(&NEARNESS[centre as usize]) {
                *term += weight * nearness;
            }
        }
        Self {
            position,
            info: CheckInfo::new(position),
            attacked: enemy.once() | enemy_king,
            is_early: position.ply() <= EARLY_PLIES,
            own,
            enemy,
            own_king,
            enemy_king,
            to,
            last,
            own_last,
        }
    }

    /// Returns the sum of the terms of a legal move.
    #[inline]
    pub(super) fn score(&self, m: Move) -> i32 {
        self.scored(m).0
    }

    /// Returns the sum of the terms of a legal move, and the piece that it leaves on its
    /// destination.
    #[inline]
    pub(super) fn scored(&self, m: Move) -> (i32, PieceTo) {
        let to = m.to();
        let us = self.position.side();
        let Some(from) = m.from() else {
            let kind = m.dropped().unwrap_or(PieceKind::Pawn);
            return (self.drop(kind, to), PieceTo::new(us, kind, to));
        };
        let kind = self.position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind());
        let after = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        (self.board_move(m, from, [kind, after]), PieceTo::new(us, after, to))
    }

    #[inline]
    fn drop(&self, kind: PieceKind, to: Square) -> i32 {
        let mut score = i32::from(self.to[to as usize]);
        score += if kind == PieceKind::Pawn { PAWN_DROP } else { DROP };
        if self.info.check_squares(kind).contains(to) {
            score += CHECK;
        }
        if self.attacked.contains(to) {
            score += self.attack(to) + self.stake(self.exchange(kind, to, 0, self.own.once()));
        }
        score + if self.enemy_king.contains(to) { DROP_NEAR_KING } else { 0 }
    }

    /// Returns the terms of a destination that the opponent attacks.
    #[inline]
    fn attack(&self, to: Square) -> i32 {
        ATTACKED + if self.enemy.by_pawn().contains(to) { ATTACKED_BY_PAWN } else { 0 }
    }

    /// Returns the term of an exchange that wins or loses this many centipawns.
    #[inline]
    fn stake(&self, exchange: i32) -> i32 {
        let weight = if exchange > 0 { GAIN } else { LOSS };
        exchange.clamp(-2_000, 2_000) * weight / 1_000
    }

    /// Returns the sum of the terms of a move on the board; `kinds` are the piece before and after
    /// it.
    #[inline]
    fn board_move(&self, m: Move, from: Square, kinds: [PieceKind; 2]) -> i32 {
        let us = self.position.side();
        let to = m.to();
        let [kind, after] = kinds;
        let mut score = i32::from(self.to[to as usize]) + term_of_kind(kind, self.is_early);
        let captured = self.position.piece_on(to).map_or(0, |piece| capture_value(piece.kind()));
        if captured > 0 {
            score += CAPTURE + if self.last == Some(to) { RECAPTURE } else { 0 };
        }
        if self.attacked.contains(to) {
            score += self.attack(to);
            let guards = self.own.twice();
            score += self.stake(match kind {
                PieceKind::King => captured,
                _ => self.exchange(kind, to, captured, guards),
            });
        } else {
            score += self.stake(captured);
        }
        let is_check = self.info.check_squares(after).contains(to)
            || self.info.discoverers().contains(from) && gives_check(self.position, &self.info, m);
        score += if is_check { CHECK } else { 0 };
        let steps = from.rank().from_far_side(us) as i32 - to.rank().from_far_side(us) as i32;
        score += FORWARD * steps.abs().min(4);
        if m.is_promotion() {
            score += PROMOTION;
        } else if kind.can_promote() && (from.is_promotion_zone(us) || to.is_promotion_zone(us)) {
            score += NO_PROMOTION;
        }
        if self.own_last == Some(from) {
            score += SAME_PIECE;
        }
        if kind != PieceKind::King && self.enemy.once().contains(from) {
            score += self.escape(from, kind);
        }
        score
    }

    /// Returns the terms of a piece that leaves an attacked square.
    #[inline]
    fn escape(&self, from: Square, kind: PieceKind) -> i32 {
        let guarded = self.own.once().contains(from) || self.own_king.contains(from);
        let value = exchange_value(kind);
        let cheaper = self.enemy.by_pawn().contains(from) && value > PAWN
            || self.enemy.by_minor().contains(from) && value > MINOR
            || self.enemy.by_general().contains(from) && value > GENERAL;
        (if guarded { 0 } else { ESCAPE }) + if cheaper { ESCAPE_FROM_CHEAPER } else { 0 }
    }

    /// Returns what a move to an attacked square wins or loses there, in centipawns, if the
    /// cheapest attacker takes and a guard takes back. `guards` are the squares that are guarded
    /// after the move.
    #[inline]
    fn exchange(&self, kind: PieceKind, to: Square, gain: i32, guards: Bitboard) -> i32 {
        let at_stake = capture_value(kind);
        if !guards.contains(to) && !self.own_king.contains(to) {
            return gain - at_stake;
        }
        let attacker = if self.enemy.by_pawn().contains(to) {
            PAWN
        } else if self.enemy.by_minor().contains(to) {
            MINOR
        } else if self.enemy.by_general().contains(to) {
            GENERAL
        } else if self.enemy.once().contains(to) {
            SLIDER
        } else {
            // Only the king attacks, which cannot take a guarded piece.
            return gain;
        };
        gain - (at_stake - 2 * attacker).max(0)
    }
}

/// Values of the classes of attackers, in centipawns.
const PAWN: i32 = 100;
const MINOR: i32 = 325;
const GENERAL: i32 = 525;
const SLIDER: i32 = 900;

/// 2^(i/16) in units of 2^-12.
const FRACTIONS: [u32; 16] = [
    4_096, 4_277, 4_467, 4_664, 4_871, 5_087, 5_312, 5_547, 5_793, 6_049, 6_317, 6_597, 6_889,
    7_194, 7_512, 7_845,
];

/// Returns 2^(score/16) as an integer of at least 1, where a score of 0 gives 16.
#[inline]
pub(super) fn weight(score: i32) -> u32 {
    let shifted = (score + 64).clamp(0, 335);
    let scaled = u64::from(FRACTIONS[(shifted & 15) as usize]) << (shifted >> 4);
    ((scaled >> 12) as u32).max(1)
}

impl MoveWeights {
    /// Returns the weights of legal moves, at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_movegen::MoveGen;
    /// use komadai_search::monte_carlo::MoveWeights;
    ///
    /// // White's bishop has just been taken on 2二; Black's silver takes back.
    /// let mut position = Position::hirate();
    /// for m in ["7g7f", "3c3d", "8h2b+"] {
    ///     position.do_move(m.parse()?);
    /// }
    /// let moves = position.legal_moves();
    /// let weights = MoveWeights.weights(&position, &moves);
    /// let best = (0..moves.len()).max_by_key(|&index| weights[index]);
    /// assert_eq!(best.map(|index| moves[index]), Some("3a2b".parse()?));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn weights(&self, position: &Position, moves: &[Move]) -> Vec<u32> {
        let context = MoveContext::new(position);
        moves.iter().map(|&m| weight(context.score(m))).collect()
    }
}

/// The natural logarithm of the factor of one unit.
pub(super) const UNIT: f32 = core::f32::consts::LN_2 / 16.0;

impl MoveProbability for MoveWeights {
    fn scores(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let context = MoveContext::new(position);
        moves.iter().map(|&m| context.score(m) as f32 * UNIT).collect()
    }
}

/// Numbers of the playout history: how often moves were made by winners, by piece and destination.
#[derive(Debug, Clone)]
pub(super) struct PlayoutHistory {
    /// In parts of [`FRACTION`](Self::FRACTION) of a quarter of a unit of weights.
    scores: Box<[i16]>,
}

impl PlayoutHistory {
    /// The number of a move that only winners make: a factor of two.
    pub(super) const CREDIT: i32 = 64;

    /// Without a fraction, small numbers would not move at all.
    const FRACTION: i32 = 64;

    pub(super) fn new() -> Self {
        Self { scores: vec![0; PieceTo::COUNT].into() }
    }

    #[inline]
    pub(super) fn score(&self, move_index: usize) -> i32 {
        i32::from(self.scores[move_index]) / (4 * Self::FRACTION)
    }

    /// Moves a number towards `goal` by a 32th of the way.
    pub(super) fn approach(&mut self, move_index: usize, goal: i32) {
        let score = &mut self.scores[move_index];
        let now = i32::from(*score);
        *score = (now + (goal * Self::FRACTION - now) / 32) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_doubles_the_weight() {
        assert_eq!(weight(0), 16);
        assert_eq!(weight(16), 32);
        assert_eq!(weight(-16), 8);
        assert_eq!(weight(-1_000), 1);
        assert!(weight(1_000) > weight(260) && weight(168) == 23_172);
    }
}
