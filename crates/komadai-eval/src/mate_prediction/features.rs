//! The features of the prediction.

use komadai_core::Position;
use komadai_movegen::{MoveList, generate_checks};

use crate::threatmate::features::{ATTACK_FEATURES, ATTACK_GROUPS, add_attack};
use crate::threatmate::numbers::Numbers;
use crate::threatmate::surroundings::Surroundings;

/// The names of the features that stand before those of the attack.
const CHECK_NAMES: [&str; 8] = [
    "constant",
    "in check",
    "checks by drops",
    "checks by moves",
    "2 checks or more",
    "4 checks or more",
    "8 checks or more",
    "16 checks or more",
];

/// Numbers about the checks of the side to move and about the king that they attack, from which
/// [`MatePrediction`](super::MatePrediction) predicts whether there is a mate.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::MateFeatures;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let features = MateFeatures::of(&position).expect("there are checks");
/// assert_eq!(features.value("checks by drops"), Some(5.0));
/// // Without a check there is no mate, and nothing to predict.
/// assert_eq!(MateFeatures::of(&Position::hirate()), None);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MateFeatures([f32; Self::COUNT]);

impl MateFeatures {
    /// Number of features, the constant 1 included.
    pub const COUNT: usize = CHECK_NAMES.len() + ATTACK_FEATURES;

    /// Number of features about the checks alone, the constant included. They stand first.
    pub const OF_CHECKS: usize = CHECK_NAMES.len();

    /// Computes the features. Returns `None` if the side to move has no check, or the other one no
    /// king.
    pub fn of(position: &Position) -> Option<Self> {
        let them = !position.side();
        let king = position.king_square(them)?;
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        if checks.is_empty() {
            return None;
        }
        let drops = checks.iter().filter(|m| m.from().is_none()).count();
        let mut values = [0.0; Self::COUNT];
        let mut numbers = Numbers::new(&mut values);
        numbers.push(1.0);
        numbers.flag(position.in_check());
        numbers.count(drops.min(12) as u32);
        numbers.count((checks.len() - drops).min(12) as u32);
        numbers.at_least(checks.len() as u32, [2, 4, 8, 16]);
        add_attack(&mut numbers, position, &Surroundings::of(position, them, king));
        numbers.finish();
        Some(Self(values))
    }

    /// Returns the numbers, the constant 1 first.
    #[must_use]
    pub const fn to_array(self) -> [f32; Self::COUNT] {
        self.0
    }

    /// Returns the names in the order of the numbers.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let of_attack = ATTACK_GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        CHECK_NAMES.into_iter().chain(of_attack)
    }

    /// Returns the number of a name; `None` if no feature has it.
    pub fn value(&self, name: &str) -> Option<f32> {
        Self::names().zip(self.0).find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}
