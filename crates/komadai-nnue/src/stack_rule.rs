//! The rules that choose among the stacks of a LayerStack network.

use core::fmt;
use core::str::FromStr;

/// The rule that chooses among the stacks of a LayerStack network, the format of rshogi and tatara.
///
/// The file does not state it. Names are those of rshogi.
///
/// # Examples
///
/// ```
/// use komadai_nnue::StackRule;
///
/// assert_eq!("kingrank9".parse(), Ok(StackRule::KingRank9));
/// assert_eq!(StackRule::Progress8KpAbs.to_string(), "progress8kpabs");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StackRule {
    /// The thirds of the board in which the kings stand, each as its side sees it: the rule `k3k3`
    /// of YaneuraOu. A network of fewer than nine stacks uses its last one for the classes beyond.
    KingRank9,
    /// Equal parts of the progress that the linear model in a file `progress.bin` gives.
    Progress8KpAbs,
}

/// An error in the name of a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the rule {found:?}, expected kingrank9 or progress8kpabs")]
pub struct UnknownStackRule {
    /// The beginning of the text.
    pub found: String,
}

impl StackRule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::KingRank9, Self::Progress8KpAbs];

    /// The name of the rule.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KingRank9 => "kingrank9",
            Self::Progress8KpAbs => "progress8kpabs",
        }
    }
}

impl fmt::Display for StackRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StackRule {
    type Err = UnknownStackRule;

    fn from_str(name: &str) -> Result<Self, UnknownStackRule> {
        let unknown = || UnknownStackRule { found: name.chars().take(64).collect() };
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(unknown)
    }
}
