//! Games on a CSA server.

mod player;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::csa::{CsaClient, CsaConfig, GameResult};
use komadai_console::Program;
use komadai_console::output::stdout;

use crate::arguments::engine::{Engine, read_option};
use player::Player;

/// Play on a CSA server, such as floodgate, with our engine or any USI engine.
///
/// The clock is that of the server, less a margin for the network. After a lost connection the client logs in again.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai csa --user KOMADAI --password test-600-10F,secret --games 2 --records games\n\n\
                  On floodgate the password has the time control before a comma: floodgate-300-10F,secret. Without\n\
                  --password it is taken from --password-file, or from the variable KOMADAI_CSA_PASSWORD.\n\
                  Exit codes: 0 all games were played, 1 failed, 2 bad usage."
)]
pub struct CsaArgs {
    /// Host of the server.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port of the server.
    #[arg(long, default_value_t = 4081)]
    port: u16,
    /// Name of the player.
    #[arg(long)]
    user: String,
    /// Password. Other users of this machine can see it while the command runs.
    #[arg(long, conflicts_with = "password_file")]
    password: Option<String>,
    /// File with the password on its first line.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Number of games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Command of the engine: `komadai`, `komadai:Name=Value,…`, or a program that speaks USI with its arguments.
    #[arg(long, default_value = "komadai", value_name = "COMMAND")]
    engine: String,
    /// USI option of the engine (repeatable).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    options: Vec<(String, String)>,
    /// Folder for the records of the games (.csa); it is created.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Time kept back for the network, in milliseconds a move.
    #[arg(long, default_value_t = 1_000, value_name = "MS")]
    margin: u64,
    /// Maximum number of nodes per move, besides the clock.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Number of attempts to log in again after a lost connection.
    #[arg(long, default_value_t = 8)]
    retries: u32,
}

/// The variable with the password.
const PASSWORD: &str = "KOMADAI_CSA_PASSWORD";

/// The time that an engine may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

impl Program for CsaArgs {
    const SUBCOMMAND: &'static str = "csa";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut config = CsaConfig::new(&self.user, self.password()?);
        config.host.clone_from(&self.host);
        config.port = self.port;
        config.retries = self.retries;
        let engine = Engine::new(&self.engine, &self.options, PATIENCE)
            .with_context(|| format!("--engine {:?}", self.engine))?;
        let contestant = engine.start().map_err(anyhow::Error::from_boxed)?;
        let margin = Duration::from_millis(self.margin);
        let mut player = Player::new(contestant, margin, self.nodes, self.records.clone())?;
        let games = CsaClient::play_games(&config, self.games as usize, &mut player);
        // What was played before a fault is in the folder.
        player.finish()?;
        let games = games.with_context(|| config.address())?;
        let count = |wanted| games.iter().filter(|game| game.result == Some(wanted)).count();
        writeln!(
            stdout(),
            "{} games: {} won, {} drawn, {} lost",
            games.len(),
            count(GameResult::Win),
            count(GameResult::Draw),
            count(GameResult::Lose)
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

impl CsaArgs {
    fn password(&self) -> anyhow::Result<String> {
        let password = match (&self.password, &self.password_file) {
            (Some(password), _) => password.clone(),
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                text.lines().next().unwrap_or_default().trim().to_owned()
            }
            (None, None) => std::env::var(PASSWORD).with_context(|| {
                format!("found no password, expected --password, --password-file or {PASSWORD}")
            })?,
        };
        ensure!(!password.is_empty(), "the password is empty");
        Ok(password)
    }
}
