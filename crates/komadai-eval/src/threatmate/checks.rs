//! The features of the predictor that look at the checks after a pass.

use komadai_core::Position;
use komadai_movegen::{MoveList, count_legal, generate_checks};

use super::numbers::Numbers;

/// Numbers about the checks that the attacker could give if the side to move passed, and about the
/// replies to them: a search of two plies.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::CheckFeatures;
///
/// // A gold in front of the king mates after a pass.
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 w G 1")?;
/// let features = CheckFeatures::of(&position).expect("White can pass");
/// assert_eq!(features.value("mate in one"), Some(1.0));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckFeatures([f32; Self::COUNT]);

impl CheckFeatures {
    /// Number of features.
    pub const COUNT: usize = 14;

    /// The names of the features, in the order of the values.
    pub const NAMES: [&'static str; Self::COUNT] = [
        "checks by drops",
        "checks by moves",
        "1 check or more",
        "2 checks or more",
        "4 checks or more",
        "8 checks or more",
        "16 checks or more",
        "mate in one",
        "fewest replies: 1",
        "fewest replies: 2",
        "fewest replies: 3",
        "checks with 1 reply",
        "checks with 2 replies",
        "checks with 3 replies",
    ];

    /// Counts the checks after a pass. Returns `None` in check, because that side cannot pass.
    pub fn of(position: &Position) -> Option<Self> {
        if position.in_check() {
            return None;
        }
        let mut passed = position.without_history();
        passed.do_null_move();
        let mut checks = MoveList::new();
        generate_checks(&passed, &mut checks);
        let drops = checks.iter().filter(|m| m.from().is_none()).count();
        // Checks with no reply, and with one to three.
        let mut with_replies = [0_u32; 4];
        for &m in checks.iter() {
            passed.do_move(m);
            let replies = count_legal(&passed);
            passed.undo_move();
            if let Some(count) = with_replies.get_mut(replies as usize) {
                *count += 1;
            }
        }
        let mut values = [0.0; Self::COUNT];
        let mut numbers = Numbers::new(&mut values);
        numbers.count(drops.min(12) as u32);
        numbers.count((checks.len() - drops).min(12) as u32);
        numbers.at_least(checks.len() as u32, [1, 2, 4, 8, 16]);
        let fewest = with_replies.iter().position(|&count| count > 0).map(|count| count as u32);
        numbers.flag(fewest == Some(0));
        numbers.least(fewest, [1, 2, 3]);
        with_replies[1..].iter().for_each(|&count| numbers.count(count.min(6)));
        numbers.finish();
        Some(Self(values))
    }

    /// Returns the numbers.
    #[must_use]
    pub const fn to_array(self) -> [f32; Self::COUNT] {
        self.0
    }

    /// Returns the number of a name; `None` if no feature has it.
    pub fn value(&self, name: &str) -> Option<f32> {
        Self::NAMES
            .into_iter()
            .zip(self.0)
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }
}
