//! The rule that chooses among the stacks of a LayerStack network, as a setting.

use core::fmt;
use core::str::FromStr;

use komadai_nnue::StackRule;

/// The rule that chooses among the stacks of a LayerStack network (`EvalStackRule`), which its file
/// does not state.
///
/// # Examples
///
/// ```
/// use komadai_engine::EvalStackRule;
///
/// assert_eq!("kingrank9".parse(), Ok(EvalStackRule::KingRank9));
/// assert_eq!(EvalStackRule::default().to_string(), "auto");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EvalStackRule {
    /// The rule that the files suggest.
    #[default]
    Auto,
    /// [`StackRule::KingRank9`].
    KingRank9,
    /// [`StackRule::Progress8KpAbs`].
    Progress8KpAbs,
}

/// An error in the name of a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the rule {found:?}, expected auto, kingrank9 or progress8kpabs")]
pub struct UnknownEvalStackRule {
    /// The beginning of the text.
    pub found: String,
}

impl EvalStackRule {
    /// The names of all rules.
    pub const NAMES: [&str; 3] =
        [AUTO, StackRule::KingRank9.name(), StackRule::Progress8KpAbs.name()];

    /// Returns the rule; `None` if the files are to suggest one.
    #[must_use]
    pub const fn rule(self) -> Option<StackRule> {
        match self {
            Self::Auto => None,
            Self::KingRank9 => Some(StackRule::KingRank9),
            Self::Progress8KpAbs => Some(StackRule::Progress8KpAbs),
        }
    }
}

const AUTO: &str = "auto";

impl fmt::Display for EvalStackRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule().map_or(AUTO, StackRule::name))
    }
}

impl FromStr for EvalStackRule {
    type Err = UnknownEvalStackRule;

    fn from_str(text: &str) -> Result<Self, UnknownEvalStackRule> {
        let all = [Self::Auto, Self::KingRank9, Self::Progress8KpAbs];
        let rule = all.into_iter().find(|rule| rule.to_string() == text);
        rule.ok_or_else(|| UnknownEvalStackRule { found: text.chars().take(32).collect() })
    }
}
