//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;
use komadai_peers::Measure;

use crate::report::Layout;
use crate::timing::Plan;

/// Compare the speed of shogi libraries, batch by batch in turn.
///
/// Example: compare --repeats 5 --ms 300 --external otherengine=./otherengine-driver
#[derive(Debug, Parser)]
pub(crate) struct Args {
    /// Number of batches per peer, measure and position
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,

    /// CPU time of one batch in milliseconds
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    ms: u32,

    /// Another program that implements the protocol of the README (repeatable)
    #[arg(long, value_name = "NAME=PATH")]
    pub(crate) external: Vec<External>,

    /// Only these measures: bulk, full, gen, dodo
    #[arg(long, value_delimiter = ',', value_name = "MEASURES")]
    only: Vec<Measure>,

    /// Only these positions: startpos, maxmoves, matsuri, incheck, handful
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    positions: Vec<String>,

    /// Only these peers
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    peers: Vec<String>,

    /// Peer for the ratios
    #[arg(long, default_value = "komadai")]
    pub(crate) reference: String,

    /// Print tables in Markdown
    #[arg(long)]
    markdown: bool,
}

impl Args {
    /// Returns the requested measures, each once, in the order of the report.
    pub(crate) fn measures(&self) -> Vec<Measure> {
        let wanted = |measure: &Measure| self.only.is_empty() || self.only.contains(measure);
        Measure::ALL.into_iter().filter(wanted).collect()
    }

    /// Returns true if the position of this name is timed.
    pub(crate) fn wants_position(&self, name: &str) -> bool {
        self.positions.is_empty() || self.positions.iter().any(|wanted| wanted == name)
    }

    /// Returns true if the peer of this name takes part.
    pub(crate) fn wants_peer(&self, name: &str) -> bool {
        self.peers.is_empty() || self.peers.iter().any(|wanted| wanted == name)
    }

    /// Returns number and length of the batches.
    pub(crate) fn plan(&self) -> Plan {
        Plan { repeats: self.repeats, batch_ns: u64::from(self.ms) * 1_000_000 }
    }

    /// Returns the layout of the tables.
    pub(crate) fn layout(&self) -> Layout {
        if self.markdown { Layout::Markdown } else { Layout::Plain }
    }
}

/// A peer that is not part of this package.
#[derive(Debug, Clone)]
pub(crate) struct External {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl FromStr for External {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => {
                Ok(Self { name: name.to_owned(), path: path.into() })
            }
            _ => Err("expected NAME=PATH".to_owned()),
        }
    }
}
