//! The fit to the main search.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::eval::Progress as GameProgress;
use komadai::nnue::Nnue;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, DepthPair, SearchOptions};
use komadai_console::{Pipeline, Progress, create_folder, interrupted, stop_on_interrupt, threads};

use super::line::{self, Valued, fit};
use crate::self_play::SelfPlay;
use komadai_study::LineFile;
use komadai_study::positions::{CheckPositions, Choice, Positions, StudyPosition};
use komadai_study::referee::evaluator;

/// Fit the values of searches with a full window by the default alpha-beta search and the bundled
/// network, in games with even numbers; the others are for the errors.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  fit-probcut search --self-play 180 --folder target/probcut")]
pub(crate) struct Arguments {
    /// Pairs of a shallow and a deep number of plies.
    #[arg(long, value_delimiter = ',', value_parser = depth_pair,
          default_values = ["2-4", "3-6", "4-8"])]
    pairs: Vec<(u32, u32)>,
    /// Folder for the values of every position, with which an interrupted run continues.
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
    /// Records of games in any format, besides the bundled games. May be given several times.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Number of games that the engine plays against itself, besides the others. They are kept in
    /// the folder.
    #[arg(long, value_name = "N")]
    self_play: Option<usize>,
    /// Nodes of each move in these games.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    play_nodes: u64,
    /// Interval between the positions of a game, from move 10 on; those in check are left out.
    #[arg(long, default_value_t = NonZero::<u32>::MIN)]
    every: NonZero<u32>,
    /// File for the predictions, as the search reads them; they are printed otherwise.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of threads; by default that of the processors.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

/// The number of moves before the first position: before, games are those of the openings.
const FIRST_MOVE: u32 = 10;

/// The greatest depth in plies.
const MAX_DEPTH: u32 = 12;

/// The value of a search that did not reach a depth, because it has found a mate before.
const NO_VALUE: i32 = i32::MAX;

fn depth_pair(text: &str) -> Result<(u32, u32), String> {
    line::depth_pair(text, MAX_DEPTH)
}

/// The values of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Measured {
    game: usize,
    /// 0 to 15.
    progress: u8,
    /// After each iteration from the first on, in centipawns of the search for the side to move.
    values: Vec<i32>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    create_folder(&arguments.folder)?;
    let mut games = arguments.games.clone();
    if let Some(number) = arguments.self_play {
        let path = arguments.folder.join("games.usi");
        let self_play = SelfPlay { games: number, nodes: arguments.play_nodes };
        self_play.play(&path, threads(arguments.threads).get(), Arc::clone(&stop))?;
        games.push(path);
    }
    let choice = Choice { first: FIRST_MOVE, every: arguments.every, checks: CheckPositions::Out };
    let positions = Positions::bundled_and(&games, choice)?;
    let measured = measure(arguments, &positions, stop)?;
    let [fitted, held_out] = [0, 1].map(|remainder| valued(&measured, &arguments.pairs, remainder));
    let pairs = fit(&arguments.pairs, &fitted, &held_out);
    let text = format!(
        "# The values of searches by the default alpha-beta search and the bundled network, by those \
         of\n# shallower ones: komadai-lab fit-probcut search, {}; {} positions of the\n# games with \
         even numbers are in the fit.\n{}",
        positions.identity(),
        fitted.len(),
        DepthPair::to_table(&pairs)
    );
    match &arguments.out {
        Some(path) => komadai_base::atomic_file::write(path, text)?,
        None => print!("\n{text}"),
    }
    Ok(())
}

/// Measures all positions that the folder does not have yet.
fn measure(
    arguments: &Arguments,
    positions: &Positions,
    stop: Arc<AtomicBool>,
) -> anyhow::Result<Vec<Measured>> {
    let depth = arguments.pairs.iter().map(|&(_, deep)| deep).max();
    let depth = depth.context("found no pair of depths, expected one at least")?;
    let mut measured = Vec::new();
    let head = format!(
        "# depth {depth}, {}\ngame,progress,values of the depths from 1 on\n",
        positions.identity()
    );
    let mut file = LineFile::open(&arguments.folder.join("values.csv"), &head, |line| {
        measured.push(parse(line, depth as usize)?);
        Ok(())
    })?;
    let mut progress =
        Progress::new("positions", positions.count().saturating_sub(file.lines()), false);
    let flag = Arc::clone(&stop);
    let pipeline = Pipeline { threads: threads(arguments.threads).get(), stop };
    let jobs = positions.iter().skip(file.lines()).take_while(|_| !flag.load(Ordering::Relaxed));
    pipeline.run(
        jobs,
        searcher,
        |searcher, position| values(searcher, &position, depth),
        |batch, _| {
            for found in batch {
                file.append(&to_line(&found))?;
                measured.push(found);
                progress.tick(String::new);
            }
            Ok::<_, anyhow::Error>(())
        },
        || {},
    )?;
    progress.finish();
    if flag.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; the same command continues"));
    }
    Ok(measured)
}

fn searcher() -> AlphaBeta<Nnue> {
    let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
    AlphaBeta::new(evaluator(), options)
}

/// Searches a position to a depth, independent of those before.
fn values(searcher: &mut AlphaBeta<Nnue>, study: &StudyPosition, depth: u32) -> Measured {
    let mut values = Vec::new();
    searcher.new_game();
    // The units of the search, in which it compares values.
    let scale = searcher.scale();
    let mut take = |found: &Analysis| {
        let score = found.exact_score().and_then(Score::to_cp);
        let value = score.map_or(NO_VALUE, |value| (f64::from(value) / scale).round() as i32);
        values.resize((found.depth as usize).saturating_sub(1), NO_VALUE);
        values.push(value);
    };
    searcher.search(&study.position, &Budget::depth(depth), &mut take);
    values.resize(depth as usize, NO_VALUE);
    let progress = GameProgress::of(&study.position).get();
    Measured { game: study.game, progress, values }
}

/// Returns the values of both searches of every pair in the games of even or odd numbers.
fn valued(measured: &[Measured], pairs: &[(u32, u32)], remainder: usize) -> Vec<Valued> {
    let of = |measured: &Measured| Valued {
        band: band(measured.progress),
        values: pairs
            .iter()
            .map(|&(shallow, deep)| [shallow, deep].map(|at| measured.values[at as usize - 1]))
            .collect(),
    };
    measured.iter().filter(|measured| measured.game % 2 == remainder).map(of).collect()
}

fn band(progress: u8) -> usize {
    DepthPair::BANDS.iter().take_while(|[_, last]| progress > *last).count()
}

/// Writes a position: its game, its progress, and the values (`-` for none).
fn to_line(measured: &Measured) -> String {
    let mut line = format!("{},{}", measured.game, measured.progress);
    for &value in &measured.values {
        line += &if value == NO_VALUE { ",-".to_owned() } else { format!(",{value}") };
    }
    line + "\n"
}

fn parse(line: &str, depth: usize) -> anyhow::Result<Measured> {
    let mut cells = line.split(',');
    let mut cell = || cells.next().context("found the end of the line");
    let game = cell()?.parse()?;
    let progress = cell()?.parse()?;
    ensure!(progress <= 15, "found progress {progress}, expected at most 15");
    let value = |cell: &str| -> anyhow::Result<i32> {
        Ok(if cell == "-" { NO_VALUE } else { cell.parse()? })
    };
    let values = cells.map(value).collect::<anyhow::Result<Vec<i32>>>()?;
    ensure!(values.len() == depth, "found {} values, expected {depth}", values.len());
    Ok(Measured { game, progress, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let measured = Measured { game: 7, progress: 15, values: vec![-12, NO_VALUE, 1_034] };
        assert_eq!(to_line(&measured), "7,15,-12,-,1034\n");
        assert_eq!(parse("7,15,-12,-,1034", 3).unwrap(), measured);
        for wrong in ["", "7", "7,16,1,2,3", "7,15,1,2,x", "7,15,1,2", "7,15,1,2,3,4"] {
            assert!(parse(wrong, 3).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bands_are_those_of_the_search() {
        for sfen in komadai_testdata::positions::bench().map(|bench| bench.sfen) {
            let progress = GameProgress::of(&Position::from_sfen(sfen).unwrap());
            assert_eq!(band(progress.get()), DepthPair::band(progress));
        }
    }

    #[test]
    fn values_are_those_of_searches_to_each_depth_and_do_not_depend_on_what_was_searched_before() {
        let every = NonZero::new(60).unwrap();
        let choice = Choice { first: FIRST_MOVE, every, checks: CheckPositions::Out };
        let positions = Positions::bundled_and(&[], choice).unwrap();
        let mut one = searcher();
        for study in positions.iter().take(5) {
            let found = values(&mut one, &study, 4);
            for depth in 1..=4 {
                let alone = values(&mut searcher(), &study, depth);
                assert_eq!(alone.values[..], found.values[..depth as usize]);
            }
        }
    }
}
