//! The kinds of work that are timed.

use std::fmt;
use std::str::FromStr;

/// One kind of work that a peer is timed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Perft whose last ply is only counted.
    Bulk,
    /// Perft whose leaves are all made and unmade.
    Full,
    /// The complete legal move list of one position, again and again.
    Gen,
    /// Every legal move of one position made and unmade, again and again.
    DoDo,
}

impl Measure {
    /// Every measure, in the order of the report.
    pub const ALL: [Self; 4] = [Self::Bulk, Self::Full, Self::Gen, Self::DoDo];

    /// Returns the word in the protocol and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bulk => "bulk",
            Self::Full => "full",
            Self::Gen => "gen",
            Self::DoDo => "dodo",
        }
    }

    /// Returns the unit of the count.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Bulk => "leaves counted",
            Self::Full => "leaves made and unmade",
            Self::Gen => "moves written to a list",
            Self::DoDo => "moves made and unmade, generation included",
        }
    }

    /// Returns true if a request contains a depth.
    #[must_use]
    pub const fn has_depth(self) -> bool {
        matches!(self, Self::Bulk | Self::Full)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|measure| measure.word() == word)
            .ok_or_else(|| format!("found measure {word:?}, expected bulk, full, gen or dodo"))
    }
}
