//! The sets of a study: which problems, which limits, which kind of mate.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// The sets that are measured if none is named.
pub(crate) const STANDARD: [&str; 6] = [
    "classic,part=public",
    "short_selfplay",
    "short_selfplay,goal=shortest",
    "random_mate,goal=shortest",
    "nomate,part=public,nodes=400000",
    "realistic,every=4,nodes=400000",
];

/// A set of problems with its limits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SetSpec {
    /// The name of a bundled set, or the path of a table.
    pub(crate) name: String,
    pub(crate) part: Part,
    /// Only every so-manieth problem of the part, from the first.
    pub(crate) every: usize,
    pub(crate) goal: Goal,
    /// Processor time for one problem.
    pub(crate) limit: Duration,
    /// Nodes for one problem.
    pub(crate) nodes: Option<u64>,
}

/// A part of a set by the numbers of its problems, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    All,
    /// Numbers that are not divisible by three: for tuning.
    Public,
    /// Numbers that are divisible by three: for judging.
    HeldBack,
}

/// The kind of mate to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The first mate.
    Any,
    /// The shortest mate, proven.
    Shortest,
}

impl SetSpec {
    /// Returns the name of the set without folder and extension.
    pub(crate) fn short_name(&self) -> &str {
        let stem = Path::new(&self.name).file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or(&self.name)
    }

    /// Returns a name for files.
    pub(crate) fn file_name(&self) -> String {
        let kept = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        self.to_string().chars().map(kept).collect()
    }
}

/// The default of the processor time for one problem.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);

impl FromStr for SetSpec {
    type Err = String;

    /// Reads `NAME[,part=public|held-back][,every=N][,goal=shortest][,limit=SECONDS][,nodes=N]`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split(',');
        let name = words.next().filter(|name| !name.is_empty()).ok_or("no name of a set")?;
        let mut spec = Self {
            name: name.to_owned(),
            part: Part::All,
            every: 1,
            goal: Goal::Any,
            limit: DEFAULT_LIMIT,
            nodes: None,
        };
        for word in words {
            let fault = || format!("unknown selection or limit `{word}`");
            let (key, value) = word.split_once('=').ok_or_else(fault)?;
            match (key, value) {
                ("part", "all") => spec.part = Part::All,
                ("part", "public") => spec.part = Part::Public,
                ("part", "held-back") => spec.part = Part::HeldBack,
                ("goal", "any") => spec.goal = Goal::Any,
                ("goal", "shortest") => spec.goal = Goal::Shortest,
                ("every", number) => spec.every = number.parse().map_err(|_| fault())?,
                ("nodes", number) => spec.nodes = Some(number.parse().map_err(|_| fault())?),
                ("limit", seconds) => {
                    let seconds: f64 = seconds.parse().map_err(|_| fault())?;
                    spec.limit = Duration::try_from_secs_f64(seconds).map_err(|_| fault())?;
                }
                _ => return Err(fault()),
            }
        }
        if spec.every == 0 { Err("every=0 selects no problem".to_owned()) } else { Ok(spec) }
    }
}

impl fmt::Display for SetSpec {
    /// Writes the specification without folder and extension of a table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short_name())?;
        match self.part {
            Part::All => {}
            Part::Public => f.write_str(",part=public")?,
            Part::HeldBack => f.write_str(",part=held-back")?,
        }
        if self.every != 1 {
            write!(f, ",every={}", self.every)?;
        }
        if self.goal == Goal::Shortest {
            f.write_str(",goal=shortest")?;
        }
        if self.limit != DEFAULT_LIMIT {
            write!(f, ",limit={}", self.limit.as_secs_f64())?;
        }
        self.nodes.map_or(Ok(()), |nodes| write!(f, ",nodes={nodes}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_round_trip() {
        let others = ["x", "x,part=held-back,every=4,goal=shortest,limit=0.5,nodes=7"];
        for text in STANDARD.into_iter().chain(others) {
            assert_eq!(text.parse::<SetSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn faulty_specifications_are_rejected() {
        for text in ["", "x,every=0", "x,limit=-1", "x,part=half", "x,nodes=many", "x,y"] {
            assert!(text.parse::<SetSpec>().is_err(), "{text}");
        }
    }

    #[test]
    fn tables_are_named_by_their_file() {
        let spec: SetSpec = "a/b.tsv,every=2".parse().unwrap();
        assert_eq!(
            (spec.to_string().as_str(), spec.file_name().as_str()),
            ("b,every=2", "b_every_2")
        );
    }
}
