//! The command line.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{ArgAction, Parser};
use komadai::engine::arena::{Adjudication, Sprt};

use crate::engine::read_option;
use crate::limits::Limits;

/// Play a match between two engines.
///
/// An engine is a command that speaks USI, or `komadai`: the embedded player, in this process, with
/// its USI options behind a colon (`komadai:USI_Hash=64,MateNodes=0`). USI_Hash is 16 if not said, and
/// delays, minimum and rounding of thinking time are off.
///
/// Games come in pairs with the same opening and swapped colours. Wrong answers, crashes and hangs
/// lose the game and are counted; the engine is started again.
#[derive(Debug, Parser)]
#[command(
    name = "match_engines",
    version,
    after_help = "Examples:\n  match_engines --first komadai --second komadai:MateNodes=0 --nodes 2000 --games 400\n  \
                  match_engines --first ./new --second './old --quiet' --byoyomi 100 --games 200 --out DIR\n\n\
                  With --out, games are saved as they end, and the same command goes on where it stopped.\n\
                  Exit codes: 0 done or stopped by Ctrl-C, 1 failed, 2 bad usage."
)]
pub(crate) struct Options {
    /// The first player, whose strength against the second is measured.
    #[arg(long, value_name = "COMMAND")]
    pub first: String,
    /// The second player.
    #[arg(long, value_name = "COMMAND")]
    pub second: String,
    /// What the first player is called; by default as its program.
    #[arg(long, value_name = "NAME")]
    pub name_first: Option<String>,
    /// What the second player is called.
    #[arg(long, value_name = "NAME")]
    pub name_second: Option<String>,
    /// A USI option of the first player.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    pub option_first: Vec<(String, String)>,
    /// A USI option of the second player.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    pub option_second: Vec<(String, String)>,

    /// How many games to play in all, those of earlier runs included.
    #[arg(long, default_value_t = 200)]
    pub games: usize,
    /// Openings, one a line: `startpos moves …` or `sfen …`. By default 200 bundled ones.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Random moves after each opening, the same for both games of a pair.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub random_plies: u32,
    /// What the order of openings and the random moves depend on.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// What a move may cost.
    #[command(flatten)]
    pub limits: Limits,
    /// How much later than allowed a move may come.
    #[arg(long, default_value_t = 1_000, value_name = "MS")]
    pub margin: u64,
    /// How long a move without a clock may take before the engine is taken to hang.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub hang: u64,
    /// How long an engine may take to start.
    #[arg(long, default_value_t = 90, value_name = "SECONDS")]
    pub start_timeout: u64,

    /// Games of more moves than this are drawn; 0 for no limit.
    #[arg(long, default_value_t = 320, value_name = "N")]
    pub max_plies: u32,
    /// End a game when both players have seen one of them this far ahead for so many moves each.
    #[arg(long, value_name = "CENTIPAWNS,MOVES", value_parser = read_adjudication)]
    pub adjudicate: Option<Adjudication>,
    /// Stop once it is clear which is right: the first player is ELO0 or ELO1 stronger (logistic
    /// Elo, pentanomial, both errors 5 %).
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// How many games to play at once.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    pub concurrency: NonZero<usize>,

    /// A folder for `games.jsonl` (the log, from which a match goes on) and `games.csa`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Begin anew; the old log is kept as `games.jsonl.old`.
    #[arg(long, requires = "out")]
    pub fresh: bool,
    /// Seconds between two lines of progress.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    pub every: u64,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub json: bool,
    /// No progress.
    #[arg(long)]
    pub quiet: bool,
}

fn read_pair<A: std::str::FromStr, B: std::str::FromStr>(text: &str) -> Option<(A, B)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

fn read_adjudication(text: &str) -> Result<Adjudication, String> {
    let expected = "expected centipawns and a number of moves, such as 2000,4";
    match read_pair(text) {
        Some((score_cp, moves)) if score_cp > 0 && moves > 0 => {
            Ok(Adjudication { score_cp, moves })
        }
        _ => Err(expected.to_owned()),
    }
}

fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = read_pair(text).ok_or("expected two numbers, such as 0,5")?;
    Sprt::new(elo0, elo1).map_err(|error| error.to_string())
}
