//! The strength of networks, by games of the embedded player.

use std::ffi::OsString;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser};
use komadai_console::{bad_usage, create_folder, stop_on_interrupt};

use super::open::{BUNDLED, ReadArgs, name};
use crate::ladder::Ladder;
use crate::matches::{MatchArgs, MatchEnd, play_quietly, stopped_match};

/// Rank networks by games of the embedded player with each: all pairs play a match.
///
/// Strengths are those that make the results most likely, with 95 % intervals of the difference
/// from the first network. Openings, pairs of games and their rules are those of `komadai match`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai net compare old.bin new.bin --byoyomi 100 --games 200 --out DIR\n\n\
                  With --out, each game is saved as it ends, and the same command continues.\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub(super) struct Options {
    /// Files of networks (`<bundled>` for that of this program), at least two.
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Time per move.
    #[arg(long, value_name = "MS", required_unless_present = "nodes", conflicts_with = "nodes")]
    byoyomi: Option<NonZero<u64>>,
    /// Nodes per move.
    #[arg(long, value_name = "N")]
    nodes: Option<NonZero<u64>>,
    /// Number of games of each pair of networks.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Seed for the order of openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// USI option of all players, such as `FV_SCALE=24`.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Number of games played at the same time.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    concurrency: NonZero<usize>,
    /// Folder for a folder of each match.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play new matches in place of those in DIR.
    #[arg(long, requires = "out")]
    fresh: bool,
    #[command(flatten)]
    read: ReadArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// The command line of a match.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Match {
    #[command(flatten)]
    options: MatchArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    // A file that is none is an error now, and not after the first games.
    for file in &options.files {
        options.read.open(file)?;
    }
    let names = names(&options.files)?;
    let kept = match &options.out {
        Some(folder) => {
            create_folder(folder)?;
            None
        }
        None => Some(tempfile::tempdir().context("cannot create a folder for the games")?),
    };
    let folder = match (&options.out, &kept) {
        (Some(folder), _) => folder.as_path(),
        (None, Some(kept)) => kept.path(),
        (None, None) => Path::new("."),
    };
    let stop = stop_on_interrupt()?;
    let mut folders = Vec::new();
    let mut is_complete = true;
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            if !is_complete {
                continue;
            }
            let out = folder.join(format!("{}-{}", first + 1, second + 1));
            let arguments = options.arguments([first, second], &names, &out)?;
            let one = Match::try_parse_from(arguments)?;
            is_complete = play_quietly(&one.options, &stop)? == MatchEnd::Over;
            folders.push(out);
        }
    }
    if is_complete {
        Ladder::read(&folders, Some(&names[0]))?.print(options.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    // Some players may not have played yet.
    if let Ok(ladder) = Ladder::read(&folders, None) {
        ladder.print(options.json)?;
    }
    Err(stopped_match(options.out.is_some()))
}

impl Options {
    /// Returns the arguments of the match between two of the networks.
    fn arguments(
        &self,
        players: [usize; 2],
        names: &[String],
        out: &Path,
    ) -> anyhow::Result<Vec<OsString>> {
        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        for (role, player) in ["first", "second"].into_iter().zip(players) {
            let option = format!("--option-{role}");
            add(&format!("--{role}"), "komadai".into());
            add(&format!("--name-{role}"), names[player].clone().into());
            let mut evaluation = OsString::from("EvalFile=");
            evaluation.push(player_path(&self.files[player])?);
            add(&option, evaluation);
            let scale = self.read.fv_scale.map(|scale| format!("FV_SCALE={scale}"));
            let rule = self.read.stack_rule.map(|rule| format!("EvalStackRule={rule}"));
            for value in scale.into_iter().chain(rule).chain(self.option.iter().cloned()) {
                add(&option, value.into());
            }
        }
        let byoyomi = self.byoyomi.map(|byoyomi| ("--byoyomi", byoyomi));
        let nodes = self.nodes.map(|nodes| ("--nodes", nodes));
        for (name, limit) in byoyomi.into_iter().chain(nodes) {
            add(name, limit.to_string().into());
        }
        add("--games", self.games.to_string().into());
        add("--seed", self.seed.to_string().into());
        add("--concurrency", self.concurrency.to_string().into());
        add("--out", out.into());
        for (is_given, name) in [(self.fresh, "--fresh"), (self.quiet, "--quiet")] {
            if is_given {
                arguments.push(name.into());
            }
        }
        Ok(arguments)
    }
}

/// Returns the path of a network for a player, who takes a relative one from its own folder.
fn player_path(path: &Path) -> anyhow::Result<PathBuf> {
    if path.as_os_str() == BUNDLED {
        return Ok("<internal>".into());
    }
    fs::canonicalize(path).with_context(|| name(path))
}

/// Returns the names of the players: those of the files, with their folders if they are not
/// distinct.
fn names(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let distinct = |names: &[String]| {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == names.len()
    };
    let whole: Vec<String> = files.iter().map(|path| name(path)).collect();
    if !distinct(&whole) {
        return Err(bad_usage("a network is given twice"));
    }
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let short: Option<Vec<String>> = files.iter().map(stem).collect();
    Ok(short.filter(|short| distinct(short)).unwrap_or(whole))
}
