//! The probability of moves: a softmax over linear scores of cheap features.
//!
//! Source of the method: Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm
//! based on realization probability", ICGA Journal 25(3), 2002, which estimates the probability of
//! a move from its kind; logistic scores over all moves of a position go back to later versions of
//! the same program.

mod context;
mod tables;
mod features;
pub(crate) mod move_table_file;
pub(crate) mod softmax;
mod move_class;
pub(crate) mod classes;

use core::fmt::Debug;

use komadai_core::{Bitboard, Color, Move, PieceKind, Position, Square, attacks};
use komadai_movegen::MoveGen;
use komadai_movegen::exchange::{capture_value, exchange_value};

/// A model of the probability with which the moves of a position are played.
///
/// # Examples
///
/// A model in which all moves are equally probable:
///
/// ```
/// use komadai_core::{Move, Position};
/// use komadai_movegen::MoveGen;
/// use komadai_search::MoveProbability;
///
/// #[derive(Debug)]
/// struct Uniform;
///
/// impl MoveProbability for Uniform {
///     fn scores(&self, _: &Position, moves: &[Move]) -> Vec<f32> {
///         vec![0.0; moves.len()]
///     }
/// }
///
/// let position = Position::hirate();
/// let probabilities = Uniform.probabilities(&position, &position.legal_moves());
/// assert!((probabilities[0] - 1.0 / 30.0).abs() < 1e-6);
/// ```
pub trait MoveProbability: Debug + Send + Sync {
    /// Returns a score for each of `moves`, which are legal, in their order: the logarithm of its
    /// probability plus a constant of the position.
    fn scores(&self, position: &Position, moves: &[Move]) -> Vec<f32>;

    /// Returns the probabilities of `moves`, in their order, given that one of them is played.
    fn probabilities(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let mut scores = self.scores(position, moves);
        // Subtracting the largest score keeps the exponentials finite.
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for score in &mut scores {
            *score = (*score - most).exp();
        }
        let sum: f32 = scores.iter().sum();
        scores.iter().map(|score| score / sum).collect()
    }
}

/// A linear model of the probability of moves.
///
/// Its features are exchanges, drops, captures, promotions, checks, attacks on and by the piece at
/// its destination, the distance to both kings, the direction, and the last two moves.
/// [`SoftmaxMoves`](crate::SoftmaxMoves) agrees more often with good players, and takes about as
/// long.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
/// use komadai_search::{LogisticMoves, MoveProbability};
///
/// // White's bishop has just been exchanged on 2二; Black's silver or gold takes it back.
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let moves = position.legal_moves();
/// let probabilities = LogisticMoves::default().probabilities(&position, &moves);
/// let best = (0..moves.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
/// assert_eq!(best.map(|index| moves[index]), Some("3a2b".parse()?));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticMoves {
    /// The score of each unit of a feature, in the order of [`Self::FEATURES`].
    pub weights: [f32; Self::FEATURES.len()],
}

impl LogisticMoves {
    /// The names of the features.
    pub const FEATURES: [&'static str; 32] = [
        "gain by exchange, in thousands of centipawns",
        "loss by exchange, in thousands of centipawns",
        "captures",
        "value of the captured piece, in thousands of centipawns",
        "takes back",
        "takes the piece that moved last, which captured nothing",
        "promotes",
        "could promote and does not",
        "drops a pawn",
        "drops another piece",
        "drops near the opponent's king",
        "gives check without losing material",
        "gives check and loses material",
        "the destination is attacked",
        "the destination is attacked by a pawn",
        "the destination is guarded",
        "the origin is attacked and not guarded",
        "the origin is attacked by a cheaper piece",
        "attacks a more valuable or unguarded piece, without losing material",
        "attacks squares next to the opponent's king",
        "ranks forward",
        "ranks backward",
        "nearness of the destination to the opponent's king",
        "by how much it comes nearer to the opponent's king",
        "nearness of the destination to the own king",
        "moves the king",
        "moves the king in the first forty moves",
        "moves a pawn",
        "moves a lance or knight",
        "moves a silver or gold",
        "moves on with the piece moved last",
        "nearness of the destination to that of the last move",
    ];

    /// The weights fitted by `komadai-lab fit-moves` (2026-11-21) on 58 of the 77 bundled games.
    ///
    /// On the 2,449 positions of the other 19 games, with 73.6 moves each, the played move is the
    /// most probable one in a share of 0.2446, among the first three in 0.4398 and in the first
    /// fifth in 0.6448; the log-loss is 2.9128 (3.9292 with equal probabilities).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::LogisticMoves;
    ///
    /// let fitted = LogisticMoves::FITTED.weights;
    /// assert_eq!(fitted.len(), LogisticMoves::FEATURES.len());
    /// ```
    pub const FITTED: Self = Self {
        weights: [
            2.074, -2.824, 1.115, -0.437, 1.479, 0.864, -0.294, -1.129, 0.094, -0.590, 0.700,
            2.370, 1.767, 0.502, -0.611, 0.047, 0.745, 1.711, 1.242, 0.218, 0.074, 0.061, 0.118,
            -0.042, 0.057, -0.120, 1.044, 0.311, -0.505, 0.132, 0.456, 0.242,
        ],
    };

    /// Returns the features of a legal move.
    pub fn features(position: &Position, m: Move) -> [f32; Self::FEATURES.len()] {
        FeatureContext::new(position).features(m)
    }
}

impl Default for LogisticMoves {
    fn default() -> Self {
        Self::FITTED
    }
}

impl MoveProbability for LogisticMoves {
    fn scores(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let context = FeatureContext::new(position);
        let score = |m| context.features(m).iter().zip(self.weights).map(|(x, w)| x * w).sum();
        moves.iter().map(|&m| score(m)).collect()
    }
}

/// The inputs of the features that all moves of a position share.
struct FeatureContext<'a> {
    position: &'a Position,
    us: Color,
    occupied: Bitboard,
    own_king: Option<Square>,
    king: Option<Square>,
    /// The destination of the opponent's last move, and whether it captured.
    last: Option<(Square, bool)>,
    /// The destination of the side's own last move.
    own_last: Option<Square>,
}

impl<'a> FeatureContext<'a> {
    fn new(position: &'a Position) -> Self {
        let us = position.side();
        let current = position.current();
        let last = current.last_move().map(|m| (m.to(), current.captured().is_some()));
        let own_last = position.history().last().and_then(|ply| ply.last_move()).map(Move::to);
        Self {
            position,
            us,
            occupied: position.occupied(),
            own_king: position.king_square(us),
            king: position.king_square(!us),
            last,
            own_last,
        }
    }

    fn features(&self, m: Move) -> [f32; LogisticMoves::FEATURES.len()] {
        let position = self.position;
        let to = m.to();
        let exchange = position.see(m) as f32 / 1_000.0;
        let loses = exchange < 0.0;
        let captured = position.piece_on(to).map(|piece| piece.kind());
        let value = captured.map_or(0.0, |kind| capture_value(kind) as f32 / 1_000.0);
        let takes_last = self.last.is_some_and(|(square, _)| square == to);
        let by_capture = self.last.is_some_and(|(_, captured)| captured);
        let from = m.from();
        let kind = from.and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
        let kind = kind.or(m.dropped()).unwrap_or(PieceKind::Pawn);
        let after = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        let pawn_drop = m.dropped() == Some(PieceKind::Pawn);
        let near_king = self.king.map_or(Bitboard::EMPTY, attacks::king);
        let checks = position.gives_check(m);
        let enemies = position.attackers_to(!self.us, to, self.occupied);
        let guards = position.attackers_to(self.us, to, self.occupied);
        // The moving piece does not guard its own destination.
        let guards = guards - from.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let (loose, chased) = from.map_or((false, false), |from| self.is_in_danger(from, kind));
        let reach = attacks::of(self.us, after, to, self.occupied);
        let (forward, backward) = from.map_or((0, 0), |from| {
            let start = from.rank();
            let end = to.rank();
            let steps = start.from_far_side(self.us) as i32 - end.from_far_side(self.us) as i32;
            (steps.max(0), (-steps).max(0))
        });
        // Eight is the largest distance on the board.
        let nearness = |a: Square, b: Square| 8.0 - f32::from(a.distance(b));
        let near = |king: Option<Square>| king.map_or(0.0, |king| nearness(king, to));
        let nearer =
            self.king.zip(from).map_or(0.0, |(king, from)| near(Some(king)) - nearness(king, from));
        let is = |kinds: &[PieceKind]| !m.is_drop() && kinds.contains(&kind);
        let king_move = is(&[PieceKind::King]);
        let yes = |condition: bool| f32::from(u8::from(condition));
        // The caps keep rare extremes from dominating a linear model.
        [
            exchange.clamp(0.0, 2.0),
            (-exchange).clamp(0.0, 2.0),
            yes(captured.is_some()),
            value.min(2.0),
            yes(takes_last && by_capture),
            yes(takes_last && !by_capture),
            yes(m.is_promotion()),
            yes(self.stays_unpromoted(m, kind)),
            yes(pawn_drop),
            yes(m.is_drop() && !pawn_drop),
            yes(m.is_drop() && near_king.contains(to)),
            yes(checks && !loses),
            yes(checks && loses),
            yes(!enemies.is_empty()),
            yes(!(enemies & position.kind(PieceKind::Pawn)).is_empty()),
            yes(!guards.is_empty()),
            yes(loose),
            yes(chased),
            yes(!loses && self.threatens(reach, after)),
            (reach & near_king).len() as f32,
            forward.min(4) as f32,
            backward.min(4) as f32,
            near(self.king),
            nearer.clamp(-3.0, 3.0),
            near(self.own_king),
            yes(king_move),
            yes(king_move && position.ply() <= 40),
            yes(is(&[PieceKind::Pawn])),
            yes(is(&[PieceKind::Lance, PieceKind::Knight])),
            yes(is(&[PieceKind::Silver, PieceKind::Gold])),
            yes(from.is_some() && from == self.own_last),
            self.last.map_or(0.0, |(square, _)| nearness(square, to)),
        ]
    }

    /// Returns whether the piece on `from` is attacked without a guard, and whether by a cheaper
    /// piece.
    fn is_in_danger(&self, from: Square, kind: PieceKind) -> (bool, bool) {
        let enemies = self.position.attackers_to(!self.us, from, self.occupied);
        if enemies.is_empty() || kind == PieceKind::King {
            return (false, false);
        }
        let guards = self.position.attackers_to(self.us, from, self.occupied);
        let cheaper = |square| {
            let attacker = self.position.piece_on(square);
            attacker.is_some_and(|piece| exchange_value(piece.kind()) < exchange_value(kind))
        };
        (guards.is_empty(), enemies.iter().any(cheaper))
    }

    /// Checks whether a piece of `kind` that attacks `reach` attacks a more valuable or unguarded
    /// piece.
    fn threatens(&self, reach: Bitboard, kind: PieceKind) -> bool {
        let position = self.position;
        let targets = reach & position.color(!self.us);
        // Checks and attacks on pawns are other features, or too common to count.
        (targets - position.kind(PieceKind::King) - position.kind(PieceKind::Pawn)).iter().any(
            |square| {
                let better = position
                    .piece_on(square)
                    .is_some_and(|piece| exchange_value(piece.kind()) > exchange_value(kind));
                better || position.attackers_to(!self.us, square, self.occupied).is_empty()
            },
        )
    }

    fn stays_unpromoted(&self, m: Move, kind: PieceKind) -> bool {
        let reaches = m.to().is_promotion_zone(self.us);
        let leaves = m.from().is_some_and(|from| from.is_promotion_zone(self.us));
        !m.is_drop() && !m.is_promotion() && kind.can_promote() && (reaches || leaves)
    }
}

/// Returns a move as it is on the rotated board.
#[cfg(test)]
fn turned(m: Move) -> Move {
    match (m.from(), m.dropped()) {
        (Some(from), _) if m.is_promotion() => Move::promotion(from.flipped(), m.to().flipped()),
        (Some(from), _) => Move::new(from.flipped(), m.to().flipped()),
        (None, kind) => Move::drop(kind.unwrap(), m.to().flipped()),
    }
}

#[cfg(test)]
mod logistic_tests {
    use komadai_testdata::positions;

    use super::*;

    #[test]
    fn probabilities_add_up_to_one_and_follow_the_scores() {
        let model = LogisticMoves::default();
        for bench in positions::bench() {
            let position = Position::from_sfen(bench.sfen).unwrap();
            let moves = position.legal_moves();
            let (scores, probabilities) =
                (model.scores(&position, &moves), model.probabilities(&position, &moves));
            assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{}", bench.name);
            for i in 1..moves.len() {
                let order = probabilities[i - 1].total_cmp(&probabilities[i]);
                assert!(scores[i - 1] == scores[i] || order == scores[i - 1].total_cmp(&scores[i]));
            }
        }
    }

    #[test]
    fn features_do_not_depend_on_the_colour() {
        for bench in positions::bench() {
            let position = Position::from_sfen(bench.sfen).unwrap();
            let flipped = position.flipped();
            for m in position.legal_moves() {
                let turned = turned(m);
                // Of two captors of a kind, the exchange takes the one on the first square.
                if position.see(m) != flipped.see(turned) {
                    continue;
                }
                let features = LogisticMoves::features(&position, m);
                assert_eq!(features, LogisticMoves::features(&flipped, turned), "{m}");
            }
        }
    }

    #[test]
    fn features_describe_a_move() {
        let named = |sfen: &str, line: &[&str], m: &str| -> Vec<&str> {
            let mut position = Position::from_sfen(sfen).unwrap();
            for m in line {
                position.do_move(m.parse().unwrap());
            }
            let features = LogisticMoves::features(&position, m.parse().unwrap());
            LogisticMoves::FEATURES
                .into_iter()
                .zip(features)
                .filter(|(name, value)| *value > 0.0 && !name.contains("near"))
                .map(|(name, _)| name)
                .collect()
        };
        let taken_back = named(positions::STARTPOS, &["7g7f", "3c3d", "8h2b+"], "3a2b");
        assert_eq!(
            taken_back,
            [
                "gain by exchange, in thousands of centipawns",
                "captures",
                "value of the captured piece, in thousands of centipawns",
                "takes back",
                "the destination is guarded",
                "ranks forward",
                "moves a silver or gold",
            ],
        );
    }
}

#[cfg(test)]
mod tests;
