//! Games on a CSA server.

mod player;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use komadai::csa::{CsaClient, CsaConfig, CsaError, GameResult};
use komadai::matches::{Contestant, UsiContestant};
use komadai_base::file::first_line;
use komadai_console::{Program, bad_usage, interrupted, stdout, stop_on_interrupt};

use crate::arguments::engine::{Engine, read_option};
use player::Player;

/// Play on a CSA server, such as floodgate, with our engine or any USI engine.
///
/// The clock is that of the server, less a margin for the network. After a lost connection or a
/// fault of the server the client logs in again; the game that was broken off counts. Ctrl-C breaks
/// the game off.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai csa --user KOMADAI --password test-600-10F,secret --games 2 --records games\n\n\
                  On floodgate the password has the time control before a comma: floodgate-300-10F,secret. Without \
                  --password it is taken from --password-file, or from the variable KOMADAI_CSA_PASSWORD.\n\
                  Exit codes: 0 all games were played to their end, 1 a game was broken off or the command failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub struct CsaArgs {
    /// Host of the server.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port of the server.
    #[arg(long, default_value_t = 4081)]
    port: u16,
    /// Name of the player: one word of printable ASCII.
    #[arg(long, value_parser = read_word)]
    user: String,
    /// Password, one word of printable ASCII. Other users of this machine can see it while the
    /// command runs.
    #[arg(long, conflicts_with = "password_file")]
    password: Option<String>,
    /// Regular file with the password on its first line.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Number of games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Command of the engine: `komadai`, `komadai:Name=Value,…`, or a program that speaks USI with
    /// its arguments.
    #[arg(long, default_value = "komadai", value_name = "COMMAND")]
    engine: String,
    /// USI option of the engine (repeatable).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    options: Vec<(String, String)>,
    /// Let the engine think about the reply that it expects while the opponent thinks. The embedded
    /// player then runs in a process of its own.
    #[arg(long)]
    ponder: bool,
    /// Folder for the records of the games (.csa); it is created. A record is written after each
    /// move.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Time kept back for the network, in milliseconds a move; at most half of the time of a move.
    #[arg(long, default_value_t = 1_000, value_name = "MS")]
    margin: u64,
    /// Maximum number of nodes per move, besides the clock.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Number of attempts to log in again after a lost connection or a fault of the server.
    #[arg(long, default_value_t = 8)]
    retries: u32,
}

/// The variable with the password.
const PASSWORD: &str = "KOMADAI_CSA_PASSWORD";

/// Largest number of bytes of the line with the password.
const MAX_PASSWORD: u64 = 1_024;

/// The time that an engine may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

impl Program for CsaArgs {
    const SUBCOMMAND: &'static str = "csa";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut config = CsaConfig::new(&self.user, self.password()?);
        config.host.clone_from(&self.host);
        config.port = self.port;
        config.retries = self.retries;
        let contestant = self.start().with_context(|| format!("--engine {:?}", self.engine))?;
        let margin = Duration::from_millis(self.margin);
        let mut player = Player::new(contestant, margin, self.nodes, self.records.clone())?;
        let interrupt = stop_on_interrupt()?;
        let games =
            CsaClient::play_games_until(&config, self.games as usize, &mut player, &interrupt);
        // What was played before a fault is in the folder.
        player.finish()?;
        let games = match games {
            Err(CsaError::Stopped) => {
                return Err(interrupted("stopped; what was played has been written"));
            }
            games => games.with_context(|| config.address())?,
        };
        let count = |wanted| games.iter().filter(|game| game.result == Some(wanted)).count();
        let broken = games.iter().filter(|game| game.fault.is_some()).count();
        let mut text = format!(
            "{} games: {} won, {} drawn, {} lost",
            games.len(),
            count(GameResult::Win),
            count(GameResult::Draw),
            count(GameResult::Lose)
        );
        if broken > 0 {
            text += &format!(", {broken} broken off");
        }
        writeln!(stdout(), "{text}")?;
        Ok(if broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Reads a text that a server takes as one word.
fn read_word(text: &str) -> Result<String, String> {
    if CsaConfig::is_word(text) {
        Ok(text.to_owned())
    } else {
        Err("expected one word of printable ASCII".to_owned())
    }
}

impl CsaArgs {
    fn start(&self) -> anyhow::Result<Box<dyn Contestant>> {
        if self.ponder {
            let config = Engine::pondering(&self.engine, &self.options, PATIENCE)?;
            return Ok(Box::new(UsiContestant::launch(config)?.with_pondering()));
        }
        let engine = Engine::new(&self.engine, &self.options, PATIENCE)?;
        engine.start().map_err(anyhow::Error::from_boxed)
    }

    fn password(&self) -> anyhow::Result<String> {
        let password = match (&self.password, &self.password_file) {
            (Some(password), _) if !CsaConfig::is_word(password) => {
                // The text itself is not shown.
                bail!(bad_usage("--password: expected one word of printable ASCII"));
            }
            (Some(password), _) => password.clone(),
            (None, Some(path)) => {
                let line = first_line(path, MAX_PASSWORD)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                line.trim().to_owned()
            }
            (None, None) => std::env::var(PASSWORD).with_context(|| {
                format!("found no password, expected --password, --password-file or {PASSWORD}")
            })?,
        };
        ensure!(CsaConfig::is_word(&password), "the password is not one word of printable ASCII");
        Ok(password)
    }
}
