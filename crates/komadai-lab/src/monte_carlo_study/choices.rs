//! The moves that players choose in positions of real games, valued by a long search.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use komadai::core::UsiPosition;
use komadai::movegen::play;
use komadai::prelude::*;
use komadai::search::SearchOptions;
use komadai_base::file::read_text;
use komadai_testdata::judged;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::monte_carlo_study::player::Description;
use komadai_study::referee::Referee;
use komadai_study::statistics::bootstrap;

/// Options of `choices`.
#[derive(Debug, Args)]
pub(crate) struct Choices {
    /// The players; the others are compared with the first.
    #[arg(required = true)]
    players: Vec<Description>,
    /// Nodes of each search, but for players with `nodes=` of their own.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Nodes of the referee for each move.
    #[arg(long, default_value_t = 200_000)]
    referee: u64,
    /// A file of moves that were played, in the place of the positions: each line has the moves of
    /// a game as `position` has them, up to the move to judge.
    #[arg(long, value_name = "FILE")]
    played: Option<PathBuf>,
    /// Every how many of the 1,000 positions, or of the lines, is taken.
    #[arg(long, default_value_t = 4)]
    every: usize,
    /// A file that keeps the referee's values.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Number of searches at the same time.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
}

/// A chosen move, its value by the referee, and the results of the tree search.
struct Choice {
    m: Move,
    value: f64,
    playouts: u64,
}

impl Choices {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let threads = ThreadPoolBuilder::new().num_threads(self.concurrency.max(1)).build()?;
        threads.install(|| self.compare())
    }

    fn compare(&self) -> anyhow::Result<()> {
        let referee = Referee::new(self.referee, self.cache.as_deref())?;
        let every = self.every.max(1);
        let (positions, played) = match &self.played {
            Some(path) => read_played(path, every)?,
            None => {
                let all = judged::game_positions().step_by(every);
                let positions: Result<_, _> =
                    all.map(|judged| Position::from_sfen(judged.sfen)).collect();
                (positions?, Vec::new())
            }
        };
        println!("| player | mean value, cp | against the first | different moves | playouts |");
        println!("|---|---|---|---|---|");
        let mut first: Option<Vec<Choice>> = None;
        if !played.is_empty() {
            let found = valued(&positions, &played, &referee)?;
            let values: f64 = found.iter().map(|choice| choice.value).sum();
            println!("| as played | {:.1} | | | |", values / found.len() as f64);
            first = Some(found);
        }
        for player in &self.players {
            let found = self.choices(player, &positions, &referee)?;
            let of_first = first.as_ref().unwrap_or(&found);
            let pairs = || found.iter().zip(of_first);
            let gains: Vec<f64> = pairs().map(|(own, other)| own.value - other.value).collect();
            let gain = bootstrap(&gains);
            let values: f64 = found.iter().map(|choice| choice.value).sum();
            println!(
                "| `{}` | {:.1} | {:+.1} [{:+.1}, {:+.1}] | {} | {:.0} |",
                player.name(),
                values / found.len() as f64,
                gain.mean,
                gain.low,
                gain.high,
                pairs().filter(|(own, other)| own.m != other.m).count(),
                found.iter().map(|choice| choice.playouts as f64).sum::<f64>() / found.len() as f64,
            );
            first.get_or_insert(found);
        }
        Ok(())
    }

    /// Returns the moves of a player, in the order of the positions.
    fn choices(
        &self,
        player: &Description,
        positions: &[Position],
        referee: &Referee,
    ) -> anyhow::Result<Vec<Choice>> {
        let budget = Budget::nodes(player.nodes().unwrap_or(self.nodes));
        let searchers = || {
            let options = SearchOptions { hash_mib: 32, ..SearchOptions::default() };
            (player.monte_carlo(options.clone()), player.searcher(options))
        };
        let choices = positions.par_iter().map_init(searchers, |(tree, alpha_beta), position| {
            let searcher: &mut dyn Searcher = match tree {
                Some(tree) => tree,
                None => &mut **alpha_beta,
            };
            searcher.new_game();
            let Some(m) = searcher.search(position, &budget, &mut |_| {}).best_move() else {
                return Ok(None);
            };
            let playouts = tree.as_ref().map_or(0, |tree| tree.playouts());
            let value = f64::from(referee.value(position, m)?);
            Ok(Some(Choice { m, value, playouts }))
        });
        choices.filter_map(Result::transpose).collect()
    }
}

/// Returns the moves that were played, with their values.
fn valued(
    positions: &[Position],
    played: &[Move],
    referee: &Referee,
) -> anyhow::Result<Vec<Choice>> {
    let choice = |(position, &m): (&Position, &Move)| {
        Ok(Choice { m, value: f64::from(referee.value(position, m)?), playouts: 0 })
    };
    positions.par_iter().zip(played).map(choice).collect()
}

/// Returns the positions of every `every`th line of a file, and the moves that were played in them.
/// A line has the moves of a game as `position` has them, up to that move.
fn read_played(path: &Path, every: usize) -> anyhow::Result<(Vec<Position>, Vec<Move>)> {
    let text = read_text(path, u64::MAX).with_context(|| path.display().to_string())?;
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).step_by(every) {
        let (position, m) =
            last_move(line).with_context(|| format!("{}, line {number}", path.display()))?;
        positions.push(position);
        moves.push(m);
    }
    anyhow::ensure!(!moves.is_empty(), "{}: no moves", path.display());
    Ok((positions, moves))
}

/// Returns the last move of a game, and the position before it.
fn last_move(line: &str) -> anyhow::Result<(Position, Move)> {
    let mut position = play(&UsiPosition::from_usi(line)?)?;
    let m = position.undo_move().context("expected a move")?;
    Ok((position, m))
}
