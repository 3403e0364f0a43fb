//! Prediction of threatmates (詰めろ) from a few features, without search.
//!
//! A threatmate is a move after which its player would mate if the opponent passed. A proof
//! requires a mate solver, which is too slow for every node of a search. The prediction here is a
//! logistic regression on nine features of the position after the move.
//!
//! Sources: S. Takeuchi, T. Kaneko, S. Kawai, "An indicator of threatmates based on game records"
//! (棋譜に基づく詰めろの指標), 9th Game Programming Workshop, 2004, for the method; OpenShogiLib
//! (T. Kaneko and others) for eight of the features. The ninth, the king's free squares, and all
//! coefficients are our own.

use core::fmt::Debug;

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::progress::Progress;

/// A predictor of threatmates.
///
/// The odds are natural logarithms: sums and their comparison give the same result on every
/// machine, exponentials do not.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};
///
/// // The first move of a game threatens no mate.
/// let position = Position::hirate().after("7g7f".parse()?);
/// let predictor = LogisticThreatmate::default();
/// assert!(!predictor.is_threatmate(&position));
/// assert!(predictor.probability(&position) < 0.5);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub trait ThreatmatePredictor: Debug + Send + Sync {
    /// Returns the logarithm of the odds that the last move of `position` was a threatmate.
    ///
    /// The result is negative infinity if the move cannot be a threatmate: after a null move,
    /// without a last move, and in check, because a side in check cannot pass.
    fn log_odds(&self, position: &Position) -> f32;

    /// Returns true if the last move was more probably a threatmate than not.
    fn is_threatmate(&self, position: &Position) -> bool {
        self.log_odds(position) > 0.0
    }

    /// Returns the probability that the last move was a threatmate, 0 to 1.
    fn probability(&self, position: &Position) -> f32 {
        1.0 / (1.0 + (-self.log_odds(position)).exp())
    }
}

/// The features of [`LogisticThreatmate`] in the position after the move. The king is that of the
/// side to move; the attackers are the pieces of the other side.
///
/// # Examples
///
/// ```
/// use komadai_core::{PieceKind, Position};
/// use komadai_eval::ThreatmateFeatures;
///
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let features = ThreatmateFeatures::of(&position).expect("a move was made, without check");
/// assert_eq!(features.captured, Some(PieceKind::Bishop));
/// assert!(!features.touches_king);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThreatmateFeatures {
    /// The kind that the move captured, unpromoted.
    pub captured: Option<PieceKind>,
    /// True if the moved piece attacks a square next to the king.
    pub touches_king: bool,
    /// Number of squares next to the king to which a piece could move safely: only the king guards
    /// them, and they are attacked twice, or once with a slider behind the attacker.
    pub move_candidates: u32,
    /// Number of empty squares next to the king on which a piece could be dropped safely: only the
    /// king guards them, and they are attacked.
    pub drop_candidates: u32,
    /// The danger of the king, 0 to 15: its part of the [`Progress`].
    pub danger: u8,
    /// Number of squares next to the king that are neither attacked nor occupied by own pieces.
    pub free_squares: u32,
}

impl ThreatmateFeatures {
    /// Number of coefficients: a constant, and one for each number in [`to_array`](Self::to_array).
    pub const COUNT: usize = 10;

    /// Computes the features of the position after a move. Returns `None` in check, after a null
    /// move, and without a last move or a king.
    pub fn of(position: &Position) -> Option<Self> {
        let last = position.current().last_move()?;
        if position.in_check() {
            return None;
        }
        let king = position.king_square(position.side())?;
        let mut features = Self {
            captured: position.current().captured().map(|piece| piece.kind().unpromoted()),
            touches_king: !(reach(position, last.to()) & attacks::king(king)).is_empty(),
            danger: Progress::of_king(position, position.side()).get(),
            ..Self::default()
        };
        for square in attacks::king(king) {
            features.add_square(position, square);
        }
        Some(features)
    }

    /// Adds a square next to the king to the counts.
    fn add_square(&mut self, position: &Position, square: Square) {
        let us = position.side();
        let occupied = position.occupied();
        let own = position.color(us).contains(square);
        let attackers = position.attackers_to(!us, square, occupied);
        if attackers.is_empty() {
            self.free_squares += u32::from(!own);
            return;
        }
        // A second guard could recapture, so such a square is no target.
        let guards = position.attackers_to(us, square, occupied);
        if !(guards - position.kind(PieceKind::King)).is_empty() {
            return;
        }
        self.drop_candidates += u32::from(!occupied.contains(square));
        let by_the_attacker = position.color(!us).contains(square);
        if !by_the_attacker && (attackers.has_many() || is_backed(position, square, attackers)) {
            self.move_candidates += 1;
        }
    }

    /// Returns the features as numbers, the constant 1 first.
    #[must_use]
    pub fn to_array(self) -> [f32; Self::COUNT] {
        let captured = |kind| f32::from(u8::from(self.captured == Some(kind)));
        [
            1.0,
            captured(PieceKind::Silver),
            captured(PieceKind::Bishop),
            captured(PieceKind::Rook),
            captured(PieceKind::Gold),
            f32::from(u8::from(self.touches_king)),
            self.move_candidates as f32,
            self.drop_candidates as f32,
            f32::from(self.danger),
            self.free_squares as f32,
        ]
    }
}

/// Returns the squares that the piece on `square` attacks.
fn reach(position: &Position, square: Square) -> Bitboard {
    position.piece_on(square).map_or(Bitboard::EMPTY, |piece| {
        attacks::of(piece.color(), piece.kind(), square, position.occupied())
    })
}

/// Returns true if another attacker of `square` stands behind its only one.
fn is_backed(position: &Position, square: Square, only: Bitboard) -> bool {
    let attacker: Color = !position.side();
    // With the attacker removed, a slider behind it reaches the square.
    let without = position.occupied() - only;
    !(position.attackers_to(attacker, square, without) - only).is_empty()
}

/// A logistic regression on [`ThreatmateFeatures`].
///
/// # Examples
///
/// Black drops a silver. White's king has one escape square, and Black holds two golds.
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};
///
/// let predictor = LogisticThreatmate::default();
/// let mut position = Position::from_sfen("6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1")?;
/// assert!(!predictor.is_threatmate(&position), "nothing has been played");
/// position.do_move("S*4b".parse()?);
/// assert!(!predictor.is_threatmate(&position), "a check is no threatmate");
/// position.undo_move();
/// position.do_move("S*5b".parse()?);
/// assert!(predictor.is_threatmate(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticThreatmate {
    /// Coefficients: the amount that one unit of a feature adds to the logarithm of the odds, in
    /// the order of [`ThreatmateFeatures::to_array`].
    pub coefficients: [f32; ThreatmateFeatures::COUNT],
}

impl LogisticThreatmate {
    /// Coefficients fitted by `komadai-lab fit-threatmate` (`--games 1200`, 2026-11-21) on the 77
    /// bundled games and 1,200 self-play games with at least 400 nodes a move, from move 30 on. A
    /// move is a threatmate if the mate solver finds the mate within 2,000 nodes after a pass. The
    /// games were played with an earlier, simpler evaluation, so the same command gives other games
    /// today.
    ///
    /// One game in four was used as test data. On its 2,089 threatmates and 3,391 other moves (half
    /// of them played in the same games, half of them legal in the same positions): accuracy
    /// 0.8325, true positive rate 0.7405, true negative rate 0.8891, area under the ROC curve
    /// 0.9089. On all moves played in these games, of which one in twelve is a threatmate: accuracy
    /// 0.9247, precision 0.5230.
    pub const FITTED: Self = Self {
        coefficients: [-4.201, 1.731, 1.409, 1.680, 1.555, 1.289, 1.318, 0.290, 0.348, -0.140],
    };
}

impl Default for LogisticThreatmate {
    fn default() -> Self {
        Self::FITTED
    }
}

impl ThreatmatePredictor for LogisticThreatmate {
    fn log_odds(&self, position: &Position) -> f32 {
        let Some(features) = ThreatmateFeatures::of(position) else { return f32::NEG_INFINITY };
        features.to_array().iter().zip(self.coefficients).map(|(value, c)| value * c).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(sfen: &str, m: &str) -> Option<ThreatmateFeatures> {
        let mut position = Position::from_sfen(sfen).unwrap();
        position.do_move(m.parse().unwrap());
        ThreatmateFeatures::of(&position)
    }

    #[test]
    fn features_are_those_of_a_hand_made_position() {
        // The gold takes a promoted silver on 5三. It attacks 6二 and 5二, which are empty, and 4二,
        // where a silver stands; the rook behind it backs 5二 only. 6一 and 4一 are free.
        let found = after("4k4/5s3/4+s4/4G4/4R4/9/9/9/4K4 b - 1", "5d5c").unwrap();
        let expected = ThreatmateFeatures {
            captured: Some(PieceKind::Silver),
            touches_king: true,
            move_candidates: 1,
            drop_candidates: 2,
            danger: Progress::of_king(
                &Position::from_sfen("4k4/5s3/4G4/9/4R4/9/9/9/4K4 w S 2").unwrap(),
                Color::White,
            )
            .get(),
            free_squares: 2,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn positions_in_check_and_without_a_last_move_have_no_features() {
        assert_eq!(ThreatmateFeatures::of(&Position::hirate()), None);
        assert_eq!(after("4k4/9/4P4/9/9/9/9/9/4K4 b R 1", "R*5b"), None, "check");
        let mut position = Position::hirate();
        position.do_null_move();
        assert_eq!(ThreatmateFeatures::of(&position), None);
        let log_odds = LogisticThreatmate::default().log_odds(&position);
        assert_eq!(log_odds, f32::NEG_INFINITY);
        assert_eq!(LogisticThreatmate::default().probability(&position), 0.0);
    }

    #[test]
    fn both_colours_have_the_same_odds() {
        let sfen = "6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mut flipped = position.flipped();
        let mut position = position;
        position.do_move("S*5b".parse().unwrap());
        flipped.do_move("S*5h".parse().unwrap());
        let predictor = LogisticThreatmate::default();
        assert_eq!(predictor.log_odds(&position), predictor.log_odds(&flipped));
    }
}
