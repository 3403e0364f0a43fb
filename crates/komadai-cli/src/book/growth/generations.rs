//! `book match`: generations of games, extension and pruning (`WorkingBook::generation`).

use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use komadai::analysis::BookArena;
use komadai::book::WorkingBook;
use komadai::book::arena::BookChoice;
use komadai::book::games::{PruneOptions, PruneScope};
use komadai::book::generation::{ExtensionOptions, GenerationOptions};
use komadai::core::SplitMix64;
use komadai::matches::{Adjudication, Opening, Rules};
use komadai_console::{Side, bad_usage, note, print_json, stdout, stop_on_interrupt};

use crate::arguments::openings;
use crate::book::files::source::without_empty_rest;
use crate::book::growth::analysts::AnalystOptions;
use crate::book::growth::generation_progress::GenerationProgress;
use crate::book::growth::generation_tables::Tables;
use crate::book::growth::players::{PlayerOptions, Players};

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
    /// File of openings, one a line: `startpos moves …` or `sfen …`. By default the start position.
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
    /// About the nodes per added position: a search ends with the iteration that reaches them.
    #[arg(long, default_value_t = 70_000, value_name = "N")]
    extend_nodes: u64,
    #[command(flatten)]
    analysts: AnalystOptions,

    /// Do not prune moves.
    #[arg(long)]
    no_prune: bool,
    /// Minimum score of a move in per cent of points; a move below it, or one with only lost games,
    /// is pruned.
    #[arg(long, default_value_t = 30.0, value_name = "PERCENT")]
    prune_rate: f64,
    /// Minimum number of games of a pruned move.
    #[arg(long, default_value_t = 3, value_name = "N")]
    prune_games: u32,
    /// Minimum number of games of a pruned move that differ in their moves.
    #[arg(long, default_value_t = 3, value_name = "N")]
    prune_different: u32,
    /// Games that are counted together.
    #[arg(long, value_enum, default_value_t = Scope::Together)]
    prune_scope: Scope,

    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// The games that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// All games.
    Together,
    /// All games, and also those against each opponent separately.
    Each,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let players =
        options.players.players().map_err(|fault| bad_usage(format_args!("{fault:#}")))?;
    let plan = options.plan().map_err(bad_usage)?;
    let openings = match &options.openings {
        Some(path) => openings::read(path)?,
        None => Vec::new(),
    };
    without_empty_rest(&options.store, || play(options, &plan, &players, &openings))
}

fn play(
    options: &Options,
    plan: &GenerationOptions,
    players: &Players,
    openings: &[Opening],
) -> anyhow::Result<()> {
    let mut book = WorkingBook::open_or_create(&options.store)?;
    let stop = stop_on_interrupt()?;
    let mut analysts = Vec::new();
    while book.next_generation()? < options.generations {
        if analysts.is_empty() && !options.no_extend {
            analysts = options.analysts.start()?;
        }
        let mut arena = options.arena(players, openings, book.next_generation()?);
        arena.stop = stop.clone();
        let mut progress = GenerationProgress::new(options.games, options.quiet);
        let done = book.generation(&mut arena, &mut analysts, plan, &stop, &mut |event| {
            progress.on_event(event);
        })?;
        progress.finish();
        if done.snapshot.is_none() {
            note!("stopped in generation {}; the same command continues", done.number);
            break;
        }
        if !options.json {
            write!(stdout(), "{}", Tables::of_generation(&book, done.number)?)?;
        }
    }
    let tables = Tables::of_all(&book)?;
    if options.json {
        print_json(&tables.to_json())?;
    } else {
        write!(stdout(), "{tables}")?;
    }
    Ok(())
}

impl Options {
    fn plan(&self) -> anyhow::Result<GenerationOptions> {
        ensure!(self.games > 0, "--games 0: expected at least one game");
        ensure!(self.extend_nodes > 0, "--extend-nodes 0: expected at least one node");
        ensure!(
            (0.0..=100.0).contains(&self.prune_rate),
            "--prune-rate {}: expected 0 to 100 per cent",
            self.prune_rate
        );
        let grow = self.analysts.grow(self.extend_nodes);
        let extension = ExtensionOptions { turns: self.extend_turns, grow };
        let pruning = PruneOptions {
            min_games: self.prune_games,
            min_distinct_games: self.prune_different,
            min_rate: self.prune_rate / 100.0,
            scope: match self.prune_scope {
                Scope::Together => PruneScope::Together,
                Scope::Each => PruneScope::EachOpponent,
            },
        };
        Ok(GenerationOptions {
            choice: BookChoice { eval_diff_cp: self.book_diff },
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
