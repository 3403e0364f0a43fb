//! The networks and the data that a tool reads.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use komadai::data::tools::{Damage, OnDamage, Sources, ToolError, Watch};
use komadai::networks::DataOptions;
use komadai::nnue::{Network, Nnue, ReadOptions, StackRule};

use crate::train::records::{note_damage, watched};

/// The path that stands for the network of this program.
pub(super) const BUNDLED: &str = "<bundled>";

/// The facts about networks that their files may not state.
#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// Divisor of the output, in place of the one that the file or `eval_options.txt` states.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=128))]
    pub(super) fv_scale: Option<i32>,
    /// Rule that chooses among the stacks of a LayerStack network: kingrank9 or progress8kpabs.
    #[arg(long, value_name = "RULE")]
    pub(super) stack_rule: Option<StackRule>,
}

impl ReadArgs {
    /// Opens the network of a file, or the bundled one.
    pub(super) fn open(&self, path: &Path) -> anyhow::Result<Nnue> {
        let nnue = if path.as_os_str() == BUNDLED {
            Nnue::new(Network::bundled())
        } else {
            let network = Network::open_with(path, &self.read_options());
            Nnue::new(network.with_context(|| path.display().to_string())?)
        };
        Ok(match self.fv_scale {
            Some(scale) => nnue.with_fv_scale(scale),
            None => nnue,
        })
    }

    pub(super) fn read_options(&self) -> ReadOptions {
        ReadOptions { stack_rule: self.stack_rule, ..ReadOptions::default() }
    }
}

/// The name of a network in tables.
pub(super) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The arguments of a tool that reads labelled positions. `POSITIONS` is the default of the largest
/// number of them.
#[derive(Debug, Args)]
pub(super) struct DataArgs<const POSITIONS: u64> {
    /// About the largest number of positions.
    #[arg(long, value_name = "N", default_value_t = POSITIONS,
          value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Skip and count damaged records.
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    pub(super) network: ReadArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(super) json: bool,
}

impl<const POSITIONS: u64> DataArgs<POSITIONS> {
    /// Returns the options for about this number of positions.
    pub(super) fn options(&self) -> DataOptions {
        DataOptions { positions: self.positions }
    }

    /// Reads the data by a tool, with a line of progress; Ctrl-C stops it.
    pub(super) fn read<T>(
        &self,
        paths: &[PathBuf],
        tool: impl FnOnce(&Sources, &mut Watch<'_>) -> Result<(T, Damage), ToolError>,
    ) -> anyhow::Result<T> {
        let on_damage = if self.skip_damaged { OnDamage::Skip } else { OnDamage::Refuse };
        let (found, damage) = watched(|watch| tool(&Sources::find(paths, on_damage)?, watch))?;
        note_damage(&damage);
        Ok(found)
    }
}
