//! `book match`: generations of games, extension and pruning (`WorkingBook::generation`).

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use komadai::book::WorkingBook;
use komadai::book::arena::BookChoice;
use komadai::book::games::{PruneOptions, PruneScope};
use komadai::book::generation::{ExtensionOptions, GenerationOptions};
use komadai::core::SplitMix64;
use komadai::engine::arena::{Adjudication, BookArena, Opening, Rules};

use crate::analysts::AnalystOptions;
use crate::interrupt::stop_on_interrupt;
use crate::match_report::MatchTold;
use crate::match_tables::Tables;
use crate::openings;
use crate::players::{PlayerOptions, Players};
use crate::side::Side;
use crate::usage::bad_usage;

/// Lets a working book grow by games, and lose what loses them.
///
/// Plays against opponents without the book, adds the next positions where games left it, takes out moves
/// that lose, and so on for some generations.
///
/// Every game and every analysis is on disk at once; the same command goes on where the last one ended,
/// however that was.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  book match my.kbook --nodes 3000 --games 80 --generations 6 \\\n    \
                  --opponent fairy=/usr/games/fairy-stockfish --opponent-option fairy:UCI_Variant=shogi \\\n    \
                  --opponent-limit fairy:nodes=20000 --opponent self=komadai --extend-nodes 100000"
)]
pub(crate) struct Options {
    /// The working book, .kbook; a new one is empty, and learns from the first games.
    store: PathBuf,
    /// Who plays.
    #[command(flatten)]
    players: PlayerOptions,
    /// Games in each generation, shared among the opponents.
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// How many generations there are to be in all, those of earlier runs included.
    #[arg(long, default_value_t = 5, value_name = "K")]
    generations: u32,
    /// Which side has the book; both in turn.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    book_side: Side,
    /// How much worse than the best a move of the book may be to be played, in centipawns.
    #[arg(long, default_value_t = 0, value_name = "CP")]
    book_diff: u16,
    /// Openings, one a line: `startpos moves …` or `sfen …`; the start position if left out.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many games to play at once.
    #[arg(long, default_value_t = NonZero::<usize>::MIN, value_name = "N")]
    concurrency: NonZero<usize>,
    /// Games of more moves than this are drawn; 0 for no limit.
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_plies: u32,
    /// End a game when both players have seen one of them this far ahead for four moves each.
    #[arg(long, value_name = "CENTIPAWNS")]
    adjudicate: Option<i32>,
    /// What all that is random depends on.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Do not extend the book.
    #[arg(long)]
    no_extend: bool,
    /// How many turns of the book's side to add where a game left the book.
    #[arg(long, default_value_t = 8, value_name = "N")]
    extend_turns: usize,
    /// Nodes for each position that is added.
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    extend_nodes: u64,
    /// Who analyses.
    #[command(flatten)]
    analysts: AnalystOptions,

    /// Do not take moves out.
    #[arg(long)]
    no_prune: bool,
    /// A move goes if its share of points is lower, in per cent, or if all of its games were lost.
    #[arg(long, default_value_t = 30.0, value_name = "PERCENT")]
    prune_rate: f64,
    /// From how many games on.
    #[arg(long, default_value_t = 3, value_name = "N")]
    prune_games: u32,
    /// From how many games with different moves on.
    #[arg(long, default_value_t = 3, value_name = "N")]
    prune_different: u32,
    /// Which games are looked at together.
    #[arg(long, value_enum, default_value_t = Scope::Together)]
    prune_scope: Scope,

    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// No progress.
    #[arg(long)]
    quiet: bool,
}

/// Which games are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// All.
    Together,
    /// All, and those against each opponent by themselves.
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
    let mut book = WorkingBook::open_or_create(&options.store)?;
    let stop = stop_on_interrupt()?;
    let mut analysts = Vec::new();
    while book.next_generation()? < options.generations {
        if analysts.is_empty() && !options.no_extend {
            analysts = options.analysts.start()?;
        }
        let mut arena = options.arena(&players, &openings, book.next_generation()?);
        arena.stop = stop.clone();
        let mut told = MatchTold::new(options.games, options.quiet);
        let done = book.generation(&mut arena, &mut analysts, &plan, &stop, &mut |event| {
            told.hear(event);
        })?;
        told.finish();
        if done.snapshot.is_none() {
            eprintln!("stopped in generation {}; the same command goes on", done.number);
            break;
        }
        if !options.json {
            print!("{}", Tables::of_generation(&book, done.number)?);
        }
    }
    let tables = Tables::of_all(&book)?;
    if options.json {
        println!("{}", tables.to_json());
    } else {
        print!("{tables}");
    }
    Ok(())
}

impl Options {
    fn plan(&self) -> anyhow::Result<GenerationOptions> {
        ensure!(self.games > 0, "--games 0: nothing is learnt from no games");
        ensure!(self.extend_nodes > 0, "--extend-nodes 0: nothing can be found out without a node");
        ensure!(
            (0.0..=100.0).contains(&self.prune_rate),
            "--prune-rate {}: expected 0 to 100 per cent",
            self.prune_rate
        );
        let extension = ExtensionOptions {
            turns: self.extend_turns,
            grow: self.analysts.grow(self.extend_nodes),
        };
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
        // Each generation meets other variations of its opponents.
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
