//! The classical evaluation: its features were chosen by hand, its weights were tuned.
//!
//! ```text
//! score = Σ weight(phase) · coefficient, Black's minus White's
//!
//! updated with each move     placement.rs   pieces by kind, square, own and enemy king; hands
//!                            castle.rs      paths into castles
//! computed in each call      near_king.rs   attackers of the squares near a king; holes; escapes
//!                            threat.rs      pieces that can be captured; the second largest threat
//! interpolation              phase.rs       danger of both kings, danger of one king
//! the sum as a list          features.rs    weights and coefficients, for tuning
//!                            explain.rs     the same with names, pieces and squares, for people
//! ```

mod castle;
mod threat;
mod groups;
mod parameters;
mod patches;
mod hand_set;
mod packed;
mod phase;
mod placement;
mod near_king;
mod features;
mod explain;

use core::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use komadai_core::{Color, Move, PieceKind, Position, Score};

use crate::attack_map::AttackMap;
use crate::evaluator::Evaluator;
use crate::material::owned;
use crate::scale;
use near_king::{NearKing, View};
use packed::{Packed, Unpacked};
use phase::Phases;
use placement::{Placement, Sums};
use threat::{Contact, Largest};

pub use explain::{Explanation, ExplanationDifference, Term, TermChange};
pub use features::{Feature, Features, features};
pub use groups::{Group, PARAMETER_COUNT, Weight};
pub use parameters::{Parameters, ParametersError};
pub use patches::{Patch, PatchError};
pub use phase::Phase;

/// An evaluation of material, placement, king safety, threats and tempo, interpolated between early
/// and late weights.
///
/// The features were chosen by hand; the weights are a set of [`Parameters`]. Placement and hands
/// are updated with each move. Attacks are computed in each evaluation. The evaluation is
/// symmetric: it treats both colours alike, and mirrored positions have the same score.
///
/// It plays by itself, explains every value in terms that a player knows
/// ([`Explanation`](crate::Explanation)), and needs no file. Where strength alone counts, a network of
/// `komadai-nnue` is better: the bundled one adds to this evaluation what no term says. For tests of
/// searches, [`Material`](crate::Material) is cheaper and easier to foresee.
///
/// A clone shares the tables, which take 0.8 MB.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Score};
/// use komadai_eval::{Classical, Evaluator, Material};
///
/// // Both sides have a gold; only Black's guards its king.
/// let position = Position::from_sfen("g3k4/9/9/9/9/9/9/4G4/4K4 b - 1")?;
/// assert!(Classical::default().evaluate_position(&position) > Score::ZERO);
/// assert_eq!(Material.evaluate_position(&position), Score::ZERO);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Clone)]
pub struct Classical {
    tables: Arc<Tables>,
}

/// The weights, arranged for lookups.
struct Tables {
    /// The weights as they were given, for explanations.
    parameters: Parameters,
    placement: Placement,
    near_king: NearKing,
    /// `[own turn, other's turn][kind][contact]`.
    threats: [[[Unpacked; Contact::COUNT]; PieceKind::COUNT]; 2],
    second_threat: [Unpacked; 2],
    pawn_files: [Packed; 10],
    tempo: Unpacked,
    /// The scale, once it has been measured.
    scale: OnceLock<f64>,
}

/// Largest absolute value of an evaluation, in centipawns: far beyond any real one and far below
/// mate scores.
const MAX_EVALUATION: i32 = 20_000;

impl Classical {
    /// Creates the evaluation with these weights. This takes about a millisecond, so clone it
    /// instead of creating it again.
    pub fn new(parameters: &Parameters) -> Self {
        let packed = |index| Packed::from(parameters.get(index));
        let threats = |turn: usize| {
            PieceKind::ALL.map(|kind| {
                core::array::from_fn(|contact| {
                    packed(Group::Threat.index(&[turn, kind.index(), contact])).unpack()
                })
            })
        };
        let second = |turn| packed(Group::SecondThreat.index(&[turn])).unpack();
        let tables = Tables {
            parameters: parameters.clone(),
            placement: Placement::new(parameters),
            near_king: NearKing::new(parameters),
            threats: [threats(0), threats(1)],
            second_threat: [second(0), second(1)],
            pawn_files: core::array::from_fn(|count| packed(Group::PawnFiles.index(&[count]))),
            tempo: packed(Group::Tempo.first()).unpack(),
            scale: OnceLock::new(),
        };
        Self { tables: Arc::new(tables) }
    }

    /// Returns the sum of a side's threats, which is negative in general.
    #[inline]
    fn threats(&self, position: &Position, color: Color, maps: &[AttackMap; 2]) -> Unpacked {
        let turn = usize::from(position.side() != color);
        let mut sum = Unpacked::default();
        let mut largest = Largest::default();
        threat::visit(position, color, &maps[color], &maps[!color], |_, kind, contact, gain| {
            sum = sum.plus(self.tables.threats[turn][kind][contact as usize]);
            largest.add(gain);
        });
        // The weight is per pawn, the threat in centipawns.
        let Unpacked { early, late } = self.tables.second_threat[turn].times(largest.second);
        sum.plus(Unpacked { early: early / 100, late: late / 100 })
    }

    /// Returns the value of the files on which a side could drop a pawn.
    #[inline]
    fn pawn_files(&self, position: &Position, color: Color) -> Unpacked {
        if !position.hand(color).has(PieceKind::Pawn) {
            return Unpacked::default();
        }
        // Two unpromoted pawns on a file are illegal (nifu): each own pawn closes one file.
        let pawns = position.pieces(color, PieceKind::Pawn).len() as usize;
        self.tables.pawn_files[9 - pawns].unpack()
    }

    /// Returns the value of a king's surroundings and of the opponent's hand, interpolated by the
    /// danger of the king.
    #[inline]
    fn king(
        &self,
        position: &Position,
        color: Color,
        maps: &[AttackMap; 2],
        (sums, phases): (&Sums, Phases),
    ) -> i32 {
        // Negative, because the pieces that the opponent holds threaten this king.
        let held = Unpacked::default().minus(sums.attack(!color));
        let value = match position.king_square(color) {
            Some(king) => {
                let view = View::new(position, king, color, maps);
                held.plus(self.tables.near_king.value(&view))
            }
            None => held,
        };
        let (phase, whole) = phases.get(Phase::of_king(color));
        value.at(phase, whole)
    }
}

impl Default for Classical {
    /// Returns the evaluation with the tuned weights. All copies share one set of tables.
    fn default() -> Self {
        static TUNED: LazyLock<Classical> =
            LazyLock::new(|| Classical::new(&Parameters::default()));
        TUNED.clone()
    }
}

impl fmt::Debug for Classical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classical").finish_non_exhaustive()
    }
}

/// The incrementally updated state of [`Classical`].
#[derive(Debug, Clone, Default)]
pub struct ClassicalState {
    sums: Sums,
    /// The sums before each move done since the last refresh, oldest first.
    earlier: Vec<Sums>,
}

/// States are equal if they give the same evaluation; the sums of earlier positions are ignored.
impl PartialEq for ClassicalState {
    fn eq(&self, other: &Self) -> bool {
        self.sums == other.sums
    }
}

impl Eq for ClassicalState {}

/// Initial capacity for earlier sums: a line of this many moves allocates nothing.
const LINE: usize = 64;

impl Evaluator for Classical {
    type State = ClassicalState;

    fn refresh(&self, position: &Position) -> ClassicalState {
        let sums = self.tables.placement.sums(position);
        ClassicalState { sums, earlier: Vec::with_capacity(LINE) }
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, state: &mut ClassicalState) {
        state.earlier.push(state.sums);
        let mut observer = self.tables.placement.observe(position, state.sums);
        position.do_move_with(m, &mut observer);
        state.sums = observer.finish(position);
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut ClassicalState) {
        position.undo_move();
        // A state may have been created after the last moves of its position.
        state.sums = match state.earlier.pop() {
            Some(sums) => sums,
            None => self.tables.placement.sums(position),
        };
    }

    fn evaluate(&self, position: &Position, state: &mut ClassicalState) -> Score {
        // Written out: `Color::ALL.map` is not always inlined, and then copies the maps.
        let maps = [AttackMap::new(position, Color::Black), AttackMap::new(position, Color::White)];
        let phases = Phases::new(position, &maps);
        let by_side =
            |color| self.threats(position, color, &maps).plus(self.pawn_files(position, color));
        let mut game = state.sums.game();
        game = game.plus(by_side(Color::Black)).minus(by_side(Color::White));
        game = match position.side() {
            Color::Black => game.plus(self.tables.tempo),
            Color::White => game.minus(self.tables.tempo),
        };
        let (phase, whole) = phases.get(Phase::Game);
        let kings =
            Color::ALL.map(|color| self.king(position, color, &maps, (&state.sums, phases)));
        let black = (game.at(phase, whole) + kings[0] - kings[1]) / Parameters::UNIT;
        Score::cp(owned(position.side(), black.clamp(-MAX_EVALUATION, MAX_EVALUATION)))
    }

    fn scale(&self) -> f64 {
        *self
            .tables
            .scale
            .get_or_init(|| scale::measure(|position| self.evaluate_position(position)))
    }
}

#[cfg(test)]
mod tests;
