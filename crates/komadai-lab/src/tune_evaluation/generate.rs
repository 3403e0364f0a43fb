//! Samples from self-play games.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use clap::Args;
use komadai::core::{Analysis, PackedSfen, SplitMix64};
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::AlphaBeta;
use komadai_testdata::{castles, openings};
use rayon::prelude::*;

use crate::tune_evaluation::evaluators::evaluation;
use crate::tune_evaluation::game::play;
use crate::tune_evaluation::sample::Sample;
use crate::tune_evaluation::versus::searcher;

/// Largest absolute score of a sample, in centipawns. Beyond it the game is decided, and the
/// evaluation need not distinguish such positions.
const MAX_SCORE_CP: i32 = 2_500;

/// Options of `generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// File to write the samples to.
    out: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 2_000)]
    games: u64,
    /// Number of nodes per move.
    #[arg(long, default_value_t = 1_500)]
    nodes: u64,
    /// Number of random moves after each opening.
    #[arg(long, default_value_t = 4)]
    random_plies: u32,
    /// Share of the games that start from castles, in percent.
    #[arg(long, default_value_t = 20)]
    castles: u64,
    /// Seed of the first game; each further game adds one.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File with the parameters of the evaluation [default: the built-in ones].
    #[arg(long)]
    parameters: Option<PathBuf>,
}

impl Generate {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let evaluator = evaluation(self.parameters.as_deref())?;
        let file = File::create(&self.out)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        let file = Mutex::new(file);
        let (played, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
        (self.seed..self.seed + self.games).into_par_iter().try_for_each_init(
            || [searcher(&evaluator), searcher(&evaluator)],
            |searchers, seed| -> anyhow::Result<()> {
                let samples = self.game(searchers, seed);
                // One write per game, so that an interrupted run leaves whole samples.
                let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_bytes()).collect();
                file.lock().expect("no thread panics while it writes").write_all(&bytes)?;
                let written = written.fetch_add(samples.len(), Ordering::Relaxed) + samples.len();
                let played = played.fetch_add(1, Ordering::Relaxed) + 1;
                if played.is_multiple_of(100) {
                    eprintln!("{played} games, {written} positions");
                }
                Ok(())
            },
        )?;
        println!("{} positions of {} games", written.into_inner(), played.into_inner());
        Ok(())
    }

    /// Returns the quiet positions of one game.
    fn game(&self, searchers: &mut [AlphaBeta<Classical>; 2], seed: u64) -> Vec<Sample> {
        let Some(start) = self.start(seed) else { return Vec::new() };
        let mut samples: Vec<(Color, Sample)> = Vec::new();
        let [black, white] = searchers;
        let winner = play([black, white], start, self.nodes, &mut |position, analysis| {
            if let Some(score) = quiet_score(position, analysis)
                && let Ok(packed) = PackedSfen::from_setup(&position.to_setup())
            {
                samples.push((position.side(), Sample { position: packed, score, result: 0 }));
            }
        });
        let result = |side| winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
        samples.into_iter().map(|(side, s)| Sample { result: result(side), ..s }).collect()
    }

    /// Returns the position after a bundled opening or castles, and some random moves.
    fn start(&self, seed: u64) -> Option<Position> {
        let mut random = SplitMix64::new(seed);
        let start = match random.below(100) < self.castles {
            true => castle_start(&mut random),
            false => openings::sfens().nth(random.below(200) as usize)?.to_owned(),
        };
        let mut position = Position::from_sfen(&start).ok()?;
        for _ in 0..self.random_plies {
            let moves = position.legal_moves();
            let index = random.below(moves.len() as u64) as usize;
            position.do_move(*moves.get(index)?);
        }
        Some(position)
    }
}

/// Returns a position of two castles, each chosen at random.
fn castle_start(random: &mut SplitMix64) -> String {
    let templates: Vec<_> = castles::templates().collect();
    let [black, white] =
        [(); 2].map(|()| &templates[random.below(templates.len() as u64) as usize]);
    let side = if random.below(2) == 0 { 'b' } else { 'w' };
    castles::compose(black, white, side)
}

/// Returns the score of a quiet position, if it is a value and no bound: no check, and a best move that neither captures nor
/// promotes. The static evaluation cannot be fitted to positions in which the next move changes the
/// material.
pub(crate) fn quiet_score(position: &Position, analysis: &Analysis) -> Option<i16> {
    let score = analysis.exact_score()?.to_cp()?;
    let m = analysis.best_move()?;
    let quiet = !position.in_check() && !m.is_promotion() && position.piece_on(m.to()).is_none();
    (quiet && score.abs() <= MAX_SCORE_CP).then_some(score as i16)
}
