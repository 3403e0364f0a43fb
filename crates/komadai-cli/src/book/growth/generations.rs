//! `book match`: generations of games, extension and pruning (`WorkingBook::generation`).

use std::io::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use clap::{Args, Parser};
use komadai::analysis::BookArena;
use komadai::book::WorkingBook;
use komadai::book::arena::BookChoice;
use komadai::book::generation::{ExtensionOptions, GenerationOptions};
use komadai::core::SplitMix64;
use komadai::matches::{Adjudication, Opening, Rules};
use komadai_console::{Side, bad_usage, interrupted, print_json, stdout, stop_on_interrupt};

use crate::arguments::openings;
use crate::book::files::source::without_empty_rest;
use crate::book::growth::analysts::AnalystOptions;
use crate::book::growth::generation_progress::GenerationProgress;
use crate::book::growth::generation_tables::Tables;
use crate::book::growth::players::{PlayerOptions, Players};
use crate::book::prune_limits::PruneLimits;

/// Nodes per added position where play is limited in time.
const DEFAULT_EXTENSION_NODES: u64 = 70_000;

/// Grow a working book by games, and prune moves that lose.
///
/// A generation plays games against opponents without the book, adds positions where the games left
/// the book, and prunes moves that lose.
///
/// Each game and each analysis is written to disk at once. The same command continues where the
/// last one ended or was interrupted.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  komadai book match my.kbook --nodes 3000 --games 80 --generations 6 \\\n    \
                  --opponent fairy=/usr/games/fairy-stockfish --opponent-option fairy:UCI_Variant=shogi \\\n    \
                  --opponent-limit fairy:nodes=20000 --opponent self=komadai --extend-nodes 100000"
)]
pub(crate) struct Options {
    /// Working book (.kbook); a new one is empty and grows from the first games.
    store: PathBuf,
    #[command(flatten)]
    growth: Growth,
}

/// The arguments about generations, which `book match` and `book shiba` share.
#[derive(Debug, Args)]
pub(super) struct Growth {
    #[command(flatten)]
    players: PlayerOptions,
    /// Number of games in a generation, shared among the opponents.
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Number of generations, including those of earlier runs.
    #[arg(long, default_value_t = 5, value_name = "K")]
    generations: u32,
    /// Side that plays with the book; `both` alternates.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    book_side: Side,
    /// Maximum loss of a played book move against the best one, in centipawns.
    #[arg(long, default_value_t = 0, value_name = "CP")]
    book_diff: u16,
    /// Maximum loss of a move that earlier games played, in centipawns, up to which it is played
    /// again although a deep search prefers another: lines are kept.
    #[arg(long, value_name = "CP")]
    keep_played: Option<u16>,
    /// File of openings, one a line: `startpos moves …` or `sfen …`. By default 50 bundled openings
    /// of at most two plies.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Number of games played at the same time.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    concurrency: NonZero<usize>,
    /// Draw games with more moves than this; 0 for no limit.
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_plies: u32,
    /// End a game when both players have valued the same side this far ahead for four moves each.
    #[arg(long, value_name = "CENTIPAWNS")]
    adjudicate: Option<i32>,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Do not extend the book.
    #[arg(long)]
    no_extend: bool,
    /// Number of turns of the book's side to add where a game left the book.
    #[arg(long, default_value_t = 8, value_name = "N")]
    extend_turns: usize,
    /// Number of turns to add beyond each game: from where it left the book, the moves of the book
    /// and the answers of the opponent's engine, without a game.
    #[arg(long, default_value_t = 0, value_name = "N")]
    walk: usize,
    /// About the nodes per added position: a search ends with the iteration that reaches them. By
    /// default those of play, else 70,000.
    #[arg(long, value_name = "N")]
    extend_nodes: Option<u64>,
    #[command(flatten)]
    analysts: AnalystOptions,

    /// Do not prune moves.
    #[arg(long)]
    no_prune: bool,
    #[command(flatten)]
    limits: PruneLimits,

    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(super) json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    ended(grow(&options.store, &options.growth, &Defaults::OF_PLAY)?)
}

/// Returns the end of a run that Ctrl-C has ended in this generation, if it has.
pub(crate) fn ended(stopped: Option<u32>) -> anyhow::Result<()> {
    match stopped {
        None => Ok(()),
        Some(number) => Err(interrupted(format_args!(
            "stopped in generation {number}; the same command continues"
        ))),
    }
}

/// Values that count where the arguments give none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defaults {
    /// Nodes per move.
    pub(super) nodes: Option<u64>,
    /// Nodes per added position, as a multiple of those per move.
    pub(super) extension: u64,
    /// Maximum loss up to which a move of earlier games is played again, in centipawns.
    pub(super) keep_played_cp: Option<u16>,
}

impl Defaults {
    /// Extension with the nodes of play, and the best move of the book.
    const OF_PLAY: Self = Self { nodes: None, extension: 1, keep_played_cp: None };
}

/// Plays the generations that are missing, and prints tables; returns the number of the one in
/// which Ctrl-C has ended that.
pub(super) fn grow(
    store: &Path,
    growth: &Growth,
    defaults: &Defaults,
) -> anyhow::Result<Option<u32>> {
    let plan = growth.plan(defaults).map_err(bad_usage)?;
    let openings = match &growth.openings {
        Some(path) => openings::read(path)?,
        None => openings::bundled_short()?,
    };
    let players = growth
        .players
        .players(openings.len(), defaults.nodes)
        .map_err(|fault| bad_usage(format_args!("{fault:#}")))?;
    without_empty_rest(store, || play_and_print(store, growth, &plan, &players, &openings))
}

/// The arguments about generations as a command line of their own, for studies.
#[derive(Debug, Parser)]
pub(crate) struct GrowthArguments {
    #[command(flatten)]
    growth: Growth,
}

/// Plays the generations that are missing without tables; returns the number of the one in which
/// `stop` has ended that.
pub(crate) fn grow_generations(
    store: &Path,
    arguments: &GrowthArguments,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Option<u32>> {
    let growth = &arguments.growth;
    let plan = growth.plan(&Defaults::OF_PLAY)?;
    let openings = openings::bundled_short()?;
    let players = growth.players.players(openings.len(), None)?;
    without_empty_rest(store, || {
        let mut book = WorkingBook::open_or_create(store)?;
        play(&mut book, growth, &plan, (&players, &openings), stop, &mut |_, _| Ok(()))
    })
}

fn play_and_print(
    store: &Path,
    growth: &Growth,
    plan: &GenerationOptions,
    players: &Players,
    openings: &[Opening],
) -> anyhow::Result<Option<u32>> {
    let mut book = WorkingBook::open_or_create(store)?;
    let stop = stop_on_interrupt()?;
    let stopped =
        play(&mut book, growth, plan, (players, openings), &stop, &mut |book, number| {
            if !growth.json {
                write!(stdout(), "{}", Tables::of_generation(book, number)?)?;
            }
            Ok(())
        })?;
    let tables = Tables::of_all(&book)?;
    if growth.json {
        print_json(&tables.to_json())?;
    } else {
        write!(stdout(), "{tables}")?;
    }
    Ok(stopped)
}

/// Plays the generations that are missing. `each` gets the number of one that is complete.
fn play(
    book: &mut WorkingBook,
    growth: &Growth,
    plan: &GenerationOptions,
    (players, openings): (&Players, &[Opening]),
    stop: &Arc<AtomicBool>,
    each: &mut dyn FnMut(&WorkingBook, u32) -> anyhow::Result<()>,
) -> anyhow::Result<Option<u32>> {
    let mut analysts = Vec::new();
    while book.next_generation()? < growth.generations {
        if analysts.is_empty() && !growth.no_extend {
            analysts = growth.analysts.start()?;
        }
        let mut arena = growth.arena(players, openings, book.next_generation()?);
        arena.stop = stop.clone();
        let mut progress = GenerationProgress::new(growth.games, growth.quiet);
        let done = book.generation(&mut arena, &mut analysts, plan, stop, &mut |event| {
            progress.on_event(event);
        })?;
        progress.finish();
        if done.snapshot.is_none() {
            return Ok(Some(done.number));
        }
        each(book, done.number)?;
    }
    Ok(None)
}

impl Growth {
    fn plan(&self, defaults: &Defaults) -> anyhow::Result<GenerationOptions> {
        ensure!(self.games > 0, "--games 0: expected at least one game");
        let of_play = self.players.nodes(defaults.nodes);
        let due = of_play.map(|nodes| nodes.saturating_mul(defaults.extension));
        let extend_nodes = self.extend_nodes.or(due).unwrap_or(DEFAULT_EXTENSION_NODES);
        ensure!(extend_nodes > 0, "--extend-nodes 0: expected at least one node");
        let grow = self.analysts.grow(extend_nodes);
        let extension = ExtensionOptions { turns: self.extend_turns, walk: self.walk, grow };
        let pruning = self.limits.options()?;
        Ok(GenerationOptions {
            choice: BookChoice {
                eval_diff_cp: self.book_diff,
                keep_played_cp: self.keep_played.or(defaults.keep_played_cp),
            },
            seed: self.seed,
            extension: (!self.no_extend).then_some(extension),
            pruning: (!self.no_prune).then_some(pruning),
            ..GenerationOptions::new(self.games)
        })
    }

    fn arena<'p>(
        &self,
        players: &'p Players,
        openings: &[Opening],
        generation: u32,
    ) -> BookArena<'p> {
        // The opponents play other variations in each generation.
        let seed = SplitMix64::new(self.seed ^ (u64::from(generation) << 32)).next_u64();
        let mut arena = BookArena::new(players.own(), players.opponents(seed));
        arena.openings = openings.to_vec();
        arena.side = match self.book_side.colors() {
            &[side] => Some(side),
            _ => None,
        };
        let adjudication = self.adjudicate.map(|score_cp| Adjudication { score_cp, moves: 4 });
        arena.rules = Rules { max_plies: self.max_plies, adjudication, ..Rules::default() };
        arena.threads = self.concurrency;
        arena
    }
}
