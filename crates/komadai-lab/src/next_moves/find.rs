//! The search for next-move problems in games.
//!
//! A position is a problem if a long search with the strongest evaluation thinks one move much
//! better than the second, and a search of four plies misses it. Three searches decide, the cheap
//! ones first.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::{Budget, Line};
use komadai::data::records::{PsvReader, RecordCheck};
use komadai::engine::{Parts, SearcherKind};
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai::search::{SearchOptions, Searcher};
use komadai_base::{atomic_file, file};
use komadai_testdata::games;
use rayon::prelude::*;

use crate::games::plies;

/// The first line of the file.
pub(super) const COLUMNS: &str = "sfen\tbest\tvalue\tsecond\tsecond_value\tmissed_by\tgame";
/// Number of the first move of a problem.
const FIRST_MOVE: u32 = 30;
/// Least number of plies between two problems of a game.
const PLIES_BETWEEN: u32 = 10;
/// Depth of the search that misses the move.
const MISSING_DEPTH: u32 = 4;
/// Nodes of the search that tells whether the long one is worth its time.
const PROBE_NODES: u64 = 20_000;
/// Least value of the best move, and largest of the second: in a game that is decided either way
/// one move is as good as another.
const OPEN: [i32; 2] = [-1_000, 1_500];
/// The largest value in centipawns; a mate is no more.
const MOST: i32 = 3_000;
/// Number of games that are searched between two writes of the file.
const BATCH: usize = 8;

/// Options of `find`.
#[derive(Debug, Args)]
pub(crate) struct Find {
    /// File of the problems. The same command continues after the last game of the file.
    out: PathBuf,
    /// Records of games (PSV), as `komadai train generate` writes them; the bundled games come
    /// first.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Number of problems at which to stop.
    #[arg(long, default_value_t = 300)]
    wanted: usize,
    /// Nodes of the long search.
    #[arg(long, default_value_t = 1_000_000)]
    nodes: u64,
    /// Least lead of the best move in centipawns.
    #[arg(long, default_value_t = 150)]
    lead: i32,
}

/// Some positions of a game, in order.
struct Game {
    name: String,
    positions: Vec<Position>,
}

/// The two best moves of a search with their values in centipawns.
struct Best([(Move, i32); 2]);

impl Find {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut text = match file::read_text(&self.out, u64::MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => format!("{COLUMNS}\n"),
            Err(error) => return Err(error).with_context(|| self.out.display().to_string()),
        };
        let mut games = bundled();
        for file in &self.games {
            games.extend(recorded(file)?);
        }
        let last = text.lines().skip(1).last().and_then(|line| line.split('\t').nth(6));
        let done = last.map_or(Ok(0), |last| {
            let place = games.iter().position(|game| game.name == last);
            place.map(|place| place + 1).with_context(|| format!("the game {last} is missing"))
        })?;
        for batch in games[done..].chunks(BATCH) {
            let count = text.lines().count() - 1;
            if count >= self.wanted {
                break;
            }
            let found: Vec<String> = batch.par_iter().map(|game| self.problems(game)).collect();
            text.extend(found);
            atomic_file::write(&self.out, &text)?;
            println!("{}: {} problems", batch[batch.len() - 1].name, text.lines().count() - 1);
        }
        Ok(())
    }

    /// Returns the problems of a game as lines of the file.
    fn problems(&self, game: &Game) -> String {
        let mut lines = String::new();
        let mut next = FIRST_MOVE;
        let [mut one, mut two] = [1, 2].map(searcher);
        for position in &game.positions {
            if position.ply() < next || position.in_check() {
                continue;
            }
            if let Some((best, missed_by)) = self.problem(position, &mut *one, &mut *two) {
                let Best([(best, value), (second, second_value)]) = best;
                let Game { name, .. } = game;
                lines += &format!(
                    "{position}\t{best}\t{value}\t{second}\t{second_value}\t{missed_by}\t{name}\n",
                );
                next = position.ply() + PLIES_BETWEEN;
            }
        }
        lines
    }

    /// Returns the two best moves, and the one of the shallow search, if the position is a problem.
    fn problem(
        &self,
        position: &Position,
        one: &mut dyn Searcher,
        two: &mut dyn Searcher,
    ) -> Option<(Best, Move)> {
        one.new_game();
        let missed_by =
            one.search(position, &Budget::depth(MISSING_DEPTH), &mut |_| {}).best_move()?;
        // A short search finds most of the lead that a long one does.
        let is_problem = |Best([(m, value), (_, second)]): &Best, lead| {
            *m != missed_by && value - second >= lead && *value >= OPEN[0] && *second <= OPEN[1]
        };
        best(two, position, PROBE_NODES).filter(|best| is_problem(best, self.lead / 2))?;
        let best = best(two, position, self.nodes)?;
        is_problem(&best, self.lead).then_some((best, missed_by))
    }
}

/// Returns a searcher of this number of moves, with the bundled network.
fn searcher(moves: usize) -> Box<dyn Searcher> {
    let options = SearchOptions { hash_mib: 32, multi_pv: moves, ..SearchOptions::default() };
    Parts::default().searcher(&SearcherKind::default(), options)
}

/// Returns the two best moves of a search that knows nothing of others; `None` without two moves.
fn best(searcher: &mut dyn Searcher, position: &Position, nodes: u64) -> Option<Best> {
    searcher.new_game();
    let analysis = searcher.search(position, &Budget::nodes(nodes), &mut |_| {});
    let [first, second, ..] = &analysis.lines[..] else { return None };
    let of = |line: &Line| Some((*line.pv.first()?, line.score.raw().clamp(-MOST, MOST)));
    Some(Best([of(first)?, of(second)?]))
}

/// Returns the bundled games.
fn bundled() -> Vec<Game> {
    let positions = |moves| plies(moves).map(|(position, _)| position).collect();
    let game = |(number, game): (usize, games::Game)| Game {
        name: format!("tournament {number}"),
        positions: positions(game.moves),
    };
    (1..).zip(games::tournament()).map(game).collect()
}

/// Returns the games of a file of records: a move number that is not the next one starts another.
fn recorded(path: &Path) -> anyhow::Result<Vec<Game>> {
    let context = || path.display().to_string();
    let mut games: Vec<Game> = Vec::new();
    let reader = PsvReader::open(path, Tolerance::Strict).with_context(context)?;
    for record in reader.checking(RecordCheck::Position) {
        let position = record.with_context(context)?.unpack()?;
        let before = games.last().and_then(|game| game.positions.last());
        if before.is_none_or(|before| before.ply() + 1 != position.ply()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("self-play {stem}.{}", games.len() + 1);
            games.push(Game { name, positions: Vec::new() });
        }
        games.last_mut().expect("there is one").positions.push(position);
    }
    ensure!(!games.is_empty(), "{}: no records", path.display());
    Ok(games)
}
