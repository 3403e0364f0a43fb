//! The hand-shaped evaluation: what counts was chosen by hand, how much was tuned.
//!
//! ```text
//! score = Σ weight(phase) · how often it counts, Black's minus White's
//!
//! follows the moves          placement.rs   pieces by kind, square, own and enemy king; hands
//!                            castle.rs      paths into castles
//! looked at in each call     near_king.rs   who attacks the squares near a king; holes; escapes
//!                            threat.rs      what the opponent could take; the second threat
//! interpolates               phase.rs       danger of both kings, danger of one
//! ```

mod groups;
mod relation;
mod castle;
mod packed;
mod phase;
mod placement;
mod near_king;
mod threat;
mod features;
mod parameters;
mod hand_set;

use core::fmt;
use std::sync::{Arc, LazyLock};

use komadai_core::{Color, Move, PieceKind, Position, Score};

use crate::Evaluator;
use crate::attack_map::AttackMap;
use crate::material::owned;
use features::danger_of;
use near_king::{NearKing, View};
use packed::{Packed, Unpacked};
use phase::Phases;
use placement::{Placement, Sums};
use threat::{Contact, Largest};

pub use features::{Feature, Features, features};
pub use groups::{Group, PARAMETER_COUNT, Phase};
pub use parameters::{Parameters, ParametersError, Weight};

/// Material, placement, king safety, threats and tempo, each early and late in the game.
///
/// What counts was chosen by hand; how much is a set of [`Parameters`]. Where pieces stand and what
/// is in hand is followed move by move; attacks are looked at anew in each evaluation. Both colours
/// are judged alike, and so are left and right.
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
/// assert!(Classical::default().judge(&position) > Score::ZERO);
/// assert_eq!(Material.judge(&position), Score::ZERO);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Clone)]
pub struct Classical {
    tables: Arc<Tables>,
}

/// The weights, gathered by what is asked for.
struct Tables {
    placement: Placement,
    near_king: NearKing,
    /// `[own turn, other's turn][kind][contact]`.
    threats: [[[Unpacked; Contact::COUNT]; PieceKind::COUNT]; 2],
    second_threat: [Unpacked; 2],
    pawn_files: [Packed; 10],
    tempo: Unpacked,
}

/// No evaluation is further from 0, in centipawns.
const MAX_EVALUATION: i32 = 20_000;

impl Classical {
    /// The evaluation with these weights. Takes about a millisecond; clone it where it is needed more
    /// than once.
    #[must_use]
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
            placement: Placement::new(parameters),
            near_king: NearKing::new(parameters),
            threats: [threats(0), threats(1)],
            second_threat: [second(0), second(1)],
            pawn_files: core::array::from_fn(|count| packed(Group::PawnFiles.index(&[count]))),
            tempo: packed(Group::Tempo.first()).unpack(),
        };
        Self { tables: Arc::new(tables) }
    }

    /// What a side's threatened pieces cost it.
    #[inline]
    fn threatened(&self, position: &Position, color: Color, maps: &[AttackMap; 2]) -> Unpacked {
        let turn = usize::from(position.side() != color);
        let (mut sum, mut largest) = (Unpacked::default(), Largest::default());
        threat::visit(position, color, &maps[color], &maps[!color], |kind, contact, gain| {
            sum = sum.plus(self.tables.threats[turn][kind][contact as usize]);
            largest.add(gain);
        });
        let Unpacked { early, late } = self.tables.second_threat[turn].times(largest.second);
        sum.plus(Unpacked { early: early / 100, late: late / 100 })
    }

    /// What a side gains by the files where it could drop a pawn.
    #[inline]
    fn pawn_files(&self, position: &Position, color: Color) -> Unpacked {
        if !position.hand(color).has(PieceKind::Pawn) {
            return Unpacked::default();
        }
        let pawns = position.pieces(color, PieceKind::Pawn).len() as usize;
        self.tables.pawn_files[9 - pawns].unpack()
    }

    /// What is around a side's king, and what the other side holds, by the danger that it is in.
    #[inline]
    fn king(
        &self,
        position: &Position,
        color: Color,
        maps: &[AttackMap; 2],
        (sums, phases): (&Sums, Phases),
    ) -> i32 {
        let held = Unpacked::default().minus(sums.attack(!color));
        let worth = match position.king_square(color) {
            Some(king) => {
                let view = View::new(position, king, color, maps);
                held.plus(self.tables.near_king.worth(&view))
            }
            None => held,
        };
        let (phase, whole) = phases.get(danger_of(color));
        worth.at(phase, whole)
    }
}

impl Default for Classical {
    /// The evaluation with the tuned weights; all share one set of tables.
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

/// What [`Classical`] follows move by move.
#[derive(Debug, Clone, Default)]
pub struct ClassicalState {
    sums: Sums,
    /// The sums before each move done since the last refresh, oldest first.
    earlier: Vec<Sums>,
}

/// States are equal that judge alike; what came before does not matter.
impl PartialEq for ClassicalState {
    fn eq(&self, other: &Self) -> bool {
        self.sums == other.sums
    }
}

impl Eq for ClassicalState {}

/// How many moves ahead a state has room for from the start.
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
        let mut follower = self.tables.placement.follow(position, state.sums);
        position.do_move_with(m, &mut follower);
        state.sums = follower.finish(position);
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut ClassicalState) {
        position.undo_move();
        // A state may be younger than the moves of its position.
        state.sums = match state.earlier.pop() {
            Some(sums) => sums,
            None => self.tables.placement.sums(position),
        };
    }

    fn evaluate(&self, position: &Position, state: &ClassicalState) -> Score {
        let maps = Color::ALL.map(|color| AttackMap::new(position, color));
        let phases = Phases::new(position, &maps);
        let by_side =
            |color| self.threatened(position, color, &maps).plus(self.pawn_files(position, color));
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
}

#[cfg(test)]
mod tests;
