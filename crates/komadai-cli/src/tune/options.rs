//! The arguments of a tuning.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::{ArgAction, Args, FromArgMatches as _};
use komadai::matches::{Adjudication, Spsa, TimeControl};
use komadai::usi::EngineConfig;
use komadai_console::{Appearance, bad_usage};

use crate::arguments::engine::{Engine, read_option};
use crate::matches::{MatchArgs, read_adjudication, read_sprt};

/// Tune the numbers of an engine by playing it against itself (SPSA).
///
/// In each step every number moves a little, up in one player and down in the other, and all move
/// towards the player that wins. Any engine that speaks USI will do; its options of the type spin
/// can be tuned, those of other types cannot. The folder keeps the state, from which the same
/// command continues.
///
/// The file of parameters has a line for each, as in OpenBench: name, int, start, min, max, c_end,
/// r_end. c_end is the perturbation in the last step, large enough to change the play; r_end is the
/// change in the last step for a won game, as a share of c_end. --list prints such a file with all
/// spins of the engine, at their defaults, with a twentieth of the range and 0.002.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai tune ./my-engine --list > parameters.txt\n  \
    komadai tune ./my-engine --parameters parameters.txt --nodes 5000 --steps 2000 --out tuned\n  \
    komadai tune ./my-engine --parameters parameters.txt --nodes 5000 --steps 2000 --out tuned --sprt 0,5\n\n\
    At the end a table and the lines of `setoption` are printed.\n\
    Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C; the same command continues.")]
pub struct TuneArgs {
    /// Command of the engine; `komadai` is the embedded one, as a process of its own.
    pub(super) engine: String,
    /// Print a file of parameters with all spins of the engine, and why other options are left out.
    #[arg(long)]
    pub(super) list: bool,
    /// File of parameters.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    parameters: Option<PathBuf>,
    /// Folder for the state; it is created if it does not exist.
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Start again; the old state is kept as `tuning.txt.old`.
    #[arg(long)]
    pub(super) fresh: bool,
    /// USI option of both players; it may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE",
          action = ArgAction::Append, value_parser = read_option)]
    options: Vec<(String, String)>,

    /// Number of steps, including those of earlier runs.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(super) steps: u32,
    /// Number of pairs of games in a step, each pair with one opening and exchanged colours.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(super) pairs: u32,
    /// Nodes per move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Time per move, sent as `movetime`.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Time per move, sent as `byoyomi`.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// Openings: a file of one a line, or records of games. By default 200 bundled openings.
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Seed for the openings, and for which numbers move up.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Draw games with more moves than this; 0 for no limit.
    #[arg(long, default_value_t = 320, value_name = "N")]
    pub(super) max_plies: u32,
    /// End a game when both players have valued the same side this far ahead for this many moves
    /// each.
    #[arg(long, value_name = "CENTIPAWNS,MOVES", value_parser = read_adjudication)]
    pub(super) adjudicate: Option<Adjudication>,
    /// Tolerated delay of a move beyond its time limit.
    #[arg(long, default_value_t = 1_000, value_name = "MS")]
    pub(super) margin: u64,
    /// Maximum time of a move without a clock; an engine that takes longer is considered to hang.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(super) hang: u64,
    /// Maximum time for an engine to start.
    #[arg(long, default_value_t = 90, value_name = "SECONDS")]
    start_timeout: u64,
    /// Number of steps played at the same time.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    pub(super) concurrency: NonZero<usize>,

    /// After the last step, play the tuned values against those of the start until a sequential
    /// probability ratio test decides whether they are ELO0 or ELO1 stronger; its games are kept in
    /// the folder `sprt` of the state.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, conflicts_with = "json",
          value_parser = checked_sprt)]
    sprt: Option<String>,
    /// Maximum number of games of this test.
    #[arg(long, default_value_t = 20_000, value_name = "N", requires = "sprt",
          value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    sprt_games: u32,
    #[command(flatten)]
    pub(super) appearance: Appearance,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long, conflicts_with = "list")]
    pub(super) json: bool,
    /// Print no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// Checks the argument of `--sprt`, which goes to the match as it is.
fn checked_sprt(text: &str) -> Result<String, String> {
    read_sprt(text).map(|_| text.to_owned())
}

impl TuneArgs {
    /// The program of the players with the options that both have.
    pub(super) fn config(&self) -> anyhow::Result<EngineConfig> {
        let patience = Duration::from_secs(self.start_timeout);
        Engine::process(&self.engine, &self.options, patience)
    }

    /// The file of parameters.
    pub(super) fn parameters(&self) -> anyhow::Result<&Path> {
        self.parameters.as_deref().context("--parameters is missing")
    }

    /// The folder of the state.
    pub(super) fn folder(&self) -> anyhow::Result<&Path> {
        self.out.as_deref().context("--out is missing")
    }

    /// The limits of a move.
    pub(super) fn control(&self) -> TimeControl {
        let ms = Duration::from_millis;
        TimeControl {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.movetime.map(ms),
            byoyomi: self.byoyomi.map(ms).unwrap_or_default(),
            ..TimeControl::default()
        }
    }

    /// The arguments of the match that judges the tuned values, if there is to be one.
    pub(super) fn match_arguments(&self, tuning: &Spsa) -> Option<anyhow::Result<MatchArgs>> {
        let sprt = self.sprt.as_ref()?;
        Some(self.read_match_arguments(tuning, sprt))
    }

    fn read_match_arguments(&self, tuning: &Spsa, sprt: &str) -> anyhow::Result<MatchArgs> {
        let mut words: Vec<String> = vec!["match".into()];
        let mut add = |name: &str, value: String| words.push(format!("--{name}={value}"));
        add("first", self.engine.clone());
        add("second", self.engine.clone());
        add("name-first", "tuned".into());
        add("name-second", "start".into());
        for (name, value) in &self.options {
            add("option-first", format!("{name}={value}"));
            add("option-second", format!("{name}={value}"));
        }
        for (parameter, value) in tuning.parameters().iter().zip(tuning.values()) {
            add("option-first", format!("{}={:.0}", parameter.name, value.round()));
            add("option-second", format!("{}={:.0}", parameter.name, parameter.start.round()));
        }
        let limits = [("nodes", self.nodes), ("depth", self.depth.map(u64::from))];
        let times = [("movetime", self.movetime), ("byoyomi", self.byoyomi)];
        for (name, value) in limits.into_iter().chain(times) {
            value.into_iter().for_each(|value| add(name, value.to_string()));
        }
        if let Some(openings) = &self.openings {
            add("openings", openings.display().to_string());
        }
        if let Some(Adjudication { score_cp, moves }) = self.adjudicate {
            add("adjudicate", format!("{score_cp},{moves}"));
        }
        add("seed", self.seed.to_string());
        add("max-plies", self.max_plies.to_string());
        add("margin", self.margin.to_string());
        add("hang", self.hang.to_string());
        add("start-timeout", self.start_timeout.to_string());
        add("concurrency", self.concurrency.to_string());
        add("games", self.sprt_games.to_string());
        add("sprt", sprt.to_owned());
        add("out", self.folder()?.join("sprt").display().to_string());
        if self.quiet {
            words.push("--quiet".into());
        }
        let command = MatchArgs::augment_args(clap::Command::new("match"));
        let found = command.try_get_matches_from(words).map_err(bad_usage)?;
        Ok(MatchArgs::from_arg_matches(&found)?)
    }
}
