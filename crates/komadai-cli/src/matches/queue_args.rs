//! The arguments of a match that workers play.

use clap::Args;
use komadai_farm::FarmUrl;

use crate::book::farm::access::Access;

/// The arguments about a queue.
#[derive(Debug, Args)]
pub(super) struct QueueArgs {
    /// Let the workers of a queue play the games: postgres://USER@HOST/DATABASE. Players are
    /// `komadai`, or names for which each worker has a command (`match-worker --engine
    /// NAME=COMMAND`).
    #[arg(long, value_name = "URL", requires_all = ["run", "out"], conflicts_with_all = ["ponder", "fresh"])]
    pub(super) queue: Option<FarmUrl>,
    #[command(flatten)]
    pub(super) access: Access,
    /// Name of the match on the queue.
    #[arg(long, value_name = "NAME", requires = "queue", value_parser = read_run)]
    pub(super) run: Option<String>,
}

fn read_run(text: &str) -> Result<String, String> {
    let is_name = (1..=200).contains(&text.len()) && !text.contains(char::is_control);
    is_name.then(|| text.to_owned()).ok_or_else(|| "expected 1 to 200 bytes".to_owned())
}
