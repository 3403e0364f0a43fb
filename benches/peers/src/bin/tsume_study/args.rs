//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::engine::{Engine, EngineSpec};
use crate::solver::Solver;
use crate::suite::{Goal, STANDARD, SetSpec};
use crate::variants::{self, Variant};

/// Measure tsume solvers on sets of problems, in turn by small batches.
#[derive(Debug, Parser)]
#[command(after_help = "Example:\n  tsume_study --set classic,part=public,limit=2 \\\n      \
    --engine kh=./KomoringHeights,PostSearchLevel=None --out target/tsume_study\n\n\
    Written to the folder: results.tsv (a row per problem and solver), tables.md, and a picture per set.\n\
    A run continues the results that are there.")]
pub(crate) struct Args {
    /// Set NAME[,part=public|held-back][,every=N][,goal=shortest][,limit=SECONDS][,nodes=N]
    /// (repeatable); NAME is classic, short_selfplay, random_mate, nomate, realistic,
    /// regress_issues or the path of a table (TSV: id, SFEN, expected, source, notes) [default: a
    /// study of all kinds]
    #[arg(long = "set", value_name = "SET")]
    sets: Vec<SetSpec>,
    /// Another solver of first mates: NAME=COMMAND[,Option=Value…] (repeatable)
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
    /// Another solver of shortest mates, for sets with goal=shortest (repeatable)
    #[arg(long = "shortest-engine", value_name = "ENGINE")]
    shortest_engines: Vec<EngineSpec>,
    /// Variants of the solver of this project, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_value = "komadai")]
    variants: Vec<String>,
    /// Size of the tables of each solver in MiB
    #[arg(long, default_value_t = 64)]
    hash_mib: usize,
    /// Folder of the results
    #[arg(long, default_value = "target/tsume_study")]
    pub(crate) out: PathBuf,
    /// Solvers whose results are dropped and measured again
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) again: Vec<String>,
    /// Seconds of wall-clock time after which no further problem is begun
    #[arg(long, value_name = "SECONDS")]
    pub(crate) pause_after: Option<f64>,
    /// Document whose sections `<!-- tsume_study SET -->` … `<!-- end -->` are replaced by the
    /// tables
    #[arg(long, value_name = "FILE")]
    pub(crate) document: Option<PathBuf>,
    /// File for a copy of the picture of the first set
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
}

impl Args {
    /// Returns the sets in their order.
    pub(crate) fn sets(&self) -> anyhow::Result<Vec<SetSpec>> {
        if !self.sets.is_empty() {
            return Ok(self.sets.clone());
        }
        STANDARD.iter().map(|set| set.parse().map_err(anyhow::Error::msg)).collect()
    }

    /// Returns the solvers in the order of the tables.
    pub(crate) fn solvers(&self) -> anyhow::Result<Vec<Box<dyn Solver>>> {
        let mut solvers: Vec<Box<dyn Solver>> = Vec::new();
        let names: Vec<String> = if self.variants.iter().any(|name| name == "all") {
            variants::names().collect()
        } else {
            self.variants.iter().filter(|name| !name.is_empty()).cloned().collect()
        };
        for name in names {
            let known = || variants::names().collect::<Vec<_>>().join(", ");
            let variant = Variant::new(&name, self.hash_mib);
            let variant = variant
                .ok_or_else(|| anyhow::anyhow!("no variant `{name}`; there are {}", known()))?;
            solvers.push(Box::new(variant));
        }
        let any = self.engines.iter().map(|spec| (spec, Goal::Any));
        let shortest = self.shortest_engines.iter().map(|spec| (spec, Goal::Shortest));
        for (spec, goal) in any.chain(shortest) {
            solvers.push(Box::new(Engine::new(spec, goal, self.hash_mib)));
        }
        anyhow::ensure!(!solvers.is_empty(), "no solver");
        Ok(solvers)
    }

    /// Returns the description of a run.
    pub(crate) fn hash_mib(&self) -> usize {
        self.hash_mib
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Args {
        let words = std::iter::once("tsume_study").chain(words.split_ascii_whitespace());
        Args::try_parse_from(words).unwrap()
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
        assert_eq!(parsed("").sets().unwrap().len(), STANDARD.len());
        assert_eq!(parsed("--set classic,limit=2").sets().unwrap().len(), 1);
    }

    #[test]
    fn solvers_are_variants_and_engines() {
        let names = |words| {
            let solvers = parsed(words).solvers().unwrap();
            solvers.iter().map(|solver| solver.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("--engine a=true --shortest-engine b=true"), ["komadai", "a", "b"]);
        assert_eq!(names("--variants all").len(), variants::names().count());
        assert!(parsed("--variants none").solvers().is_err());
        assert!(parsed("--variants=").solvers().is_err());
    }
}
