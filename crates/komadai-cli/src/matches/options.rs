//! The arguments of a match.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::RangedU64ValueParser;
use clap::{ArgAction, Args, ValueEnum};
use komadai::matches::{Adjudication, Sprt};
use komadai::movegen::DeclarationRule;

use super::limits::Limits;
use super::queue_args::QueueArgs;
use crate::arguments::engine::read_option;
use crate::arguments::page::PageArgs;

/// The greatest number of games of a match.
const MOST_GAMES: u64 = 10_000_000;

/// Play a match between two engines.
///
/// An engine is a command that speaks USI, or `komadai`: the embedded player, in this process, with
/// its USI options after a colon (`komadai:USI_Hash=64,MateNodes=0`). Its USI_Hash is 16 by
/// default, and network delays, minimum thinking time and the rounding of thinking time are off.
///
/// Games are played in pairs with the same opening and swapped colours. An engine that gives a
/// wrong answer, crashes or hangs loses the game and is started again; such games are counted. Elo
/// counts the games of complete pairs.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai match --first komadai --second komadai:MateNodes=0 --nodes 2000 --games 400\n  \
                  komadai match --first ./new --second './old --quiet' --byoyomi 100 --games 200 --out DIR\n\n\
                  With --out, each game is saved as it ends, and the same command continues an interrupted match.\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub struct MatchArgs {
    /// Command of the first player, whose strength against the second is measured.
    #[arg(long, value_name = "COMMAND")]
    pub(super) first: String,
    /// Command of the second player.
    #[arg(long, value_name = "COMMAND")]
    pub(super) second: String,
    /// Name of the first player; by default that of its program, or the one that it says
    /// (`id name`) if its program runs others (python3, nice, wine …).
    #[arg(long, value_name = "NAME")]
    pub(super) name_first: Option<String>,
    /// Name of the second player; by default as for the first.
    #[arg(long, value_name = "NAME")]
    pub(super) name_second: Option<String>,
    /// USI option of the first player.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    pub(super) option_first: Vec<(String, String)>,
    /// USI option of the second player.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    pub(super) option_second: Vec<(String, String)>,

    /// Number of games, including those of earlier runs.
    #[arg(long, default_value_t = 200,
        value_parser = RangedU64ValueParser::<usize>::new().range(..=MOST_GAMES))]
    pub(super) games: usize,
    /// Openings: a file of one a line, `startpos moves …` or `sfen …`, or records of games in any
    /// format (a file, an archive, a folder). By default 200 bundled openings.
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Number of random moves after each opening, the same for both games of a pair.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) random_plies: u32,
    /// Seed for the order of openings and the random moves.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,

    #[command(flatten)]
    pub(super) limits: Limits,
    /// Let players think about the reply that they expect while the opponent thinks: `first`,
    /// `second`, or both. Under a clock every player that ponders needs a processor core of its own
    /// in each of the games played at the same time, and the embedded player runs in a process of
    /// its own. With a limit in nodes alone it ponders between the turns instead, with the nodes of
    /// a turn.
    #[arg(
        long,
        value_name = "WHO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "both"
    )]
    pub(super) ponder: Option<Pondering>,
    /// Tolerated delay of a move beyond its time limit. An engine that still thinks when half of it
    /// has passed is told to stop.
    #[arg(long, default_value_t = 1_000, value_name = "MS")]
    pub(super) margin: u64,
    /// Maximum time of a move without a clock; an engine that takes longer is considered to hang.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(super) hang: u64,
    /// Maximum time for an engine to start.
    #[arg(long, default_value_t = 90, value_name = "SECONDS")]
    pub(super) start_timeout: u64,

    /// Draw games with more moves than this; 0 for no limit.
    #[arg(long, default_value_t = 320, value_name = "N")]
    pub(super) max_plies: u32,
    /// Rule for declaring a win: CSARule27, CSARule27H, CSARule24, CSARule24H, TryRule or none.
    /// Both players receive it as EnteringKingRule. By default the one that the options of both
    /// players state, otherwise CSARule27.
    #[arg(long, value_name = "RULE", value_parser = read_declaration)]
    pub(super) declaration: Option<DeclarationRule>,
    /// End a game when both players have valued the same side this far ahead for this many moves
    /// each.
    #[arg(long, value_name = "CENTIPAWNS,MOVES", value_parser = read_adjudication)]
    pub(super) adjudicate: Option<Adjudication>,
    /// Stop when a sequential probability ratio test decides whether the first player is ELO0 or
    /// ELO1 stronger (logistic Elo, pentanomial, both error rates 5 %).
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    pub(super) sprt: Option<Sprt>,
    /// Number of games played at the same time.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    pub(super) concurrency: NonZero<usize>,

    /// Folder for `games.jsonl` (the log, from which a match continues) and `games.csa`.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Start a new match; the old log is kept as `games.jsonl.old`.
    #[arg(long, requires = "out")]
    pub(super) fresh: bool,
    #[command(flatten)]
    pub(super) queue: QueueArgs,
    #[command(flatten)]
    pub(super) page: PageArgs,
    /// Interval between two lines of progress.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    pub(super) every: u64,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(super) json: bool,
    /// Print no progress.
    #[arg(long)]
    pub(super) quiet: bool,
}

/// The players that ponder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Pondering {
    First,
    Second,
    Both,
}

impl MatchArgs {
    /// Returns whether the first and the second player ponder.
    pub(super) fn ponders(&self) -> [bool; 2] {
        [Pondering::First, Pondering::Second]
            .map(|who| self.ponder == Some(who) || self.ponder == Some(Pondering::Both))
    }
}

fn read_pair<A: FromStr, B: FromStr>(text: &str) -> Option<(A, B)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

pub(crate) fn read_adjudication(text: &str) -> Result<Adjudication, String> {
    let expected = "expected centipawns and a number of moves, such as 2000,4";
    match read_pair(text) {
        Some((score_cp, moves)) if score_cp > 0 && moves > 0 => {
            Ok(Adjudication { score_cp, moves })
        }
        _ => Err(expected.to_owned()),
    }
}

fn read_declaration(text: &str) -> Result<DeclarationRule, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(DeclarationRule::None);
    }
    let mut rules = DeclarationRule::ALL.into_iter();
    rules.find(|rule| rule.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
        format!(
            "expected none or one of {}",
            DeclarationRule::ALL.map(DeclarationRule::name).join(", ")
        )
    })
}

pub(crate) fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = read_pair(text).ok_or("expected two numbers, such as 0,5")?;
    Sprt::new(elo0, elo1).map_err(|error| error.to_string())
}
