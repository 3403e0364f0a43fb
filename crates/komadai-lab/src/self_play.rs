//! Games of the strongest player of this workspace against itself.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use komadai::core::{SplitMix64, UsiPosition};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai_base::file::open_locked;
use komadai_console::{Pipeline, Progress, interrupted};
use komadai_testdata::openings;

use crate::games::plies;
use komadai_study::referee::evaluator;

/// The largest number of moves of a game.
const MAX_PLIES: u32 = 320;

/// Random moves after the opening, so that further games from it differ.
const RANDOM_MOVES: usize = 2;

/// The games to play.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SelfPlay {
    pub(crate) games: usize,
    /// Nodes of each move.
    pub(crate) nodes: u64,
}

impl SelfPlay {
    /// Plays the games that the file does not have yet, and appends them as `position` has them, one
    /// a line. A game depends on its number alone.
    pub(crate) fn play(
        self,
        path: &Path,
        threads: usize,
        stop: Arc<AtomicBool>,
    ) -> anyhow::Result<()> {
        let cannot_use = || format!("cannot use {}", path.display());
        let options = OpenOptions::new().read(true).write(true).create(true).clone();
        let mut file = open_locked(&options, path, "study").with_context(cannot_use)?;
        let (mut done, mut whole) = (0, 0);
        for line in BufReader::new(&*file).split(b'\n') {
            let length = line.with_context(cannot_use)?.len() as u64 + 1;
            // The last line may be incomplete: the game is played again.
            if whole + length > file.metadata()?.len() {
                break;
            }
            (done, whole) = (done + 1, whole + length);
        }
        file.set_len(whole).with_context(cannot_use)?;
        file.seek(SeekFrom::Start(whole)).with_context(cannot_use)?;
        let mut progress = Progress::new("games", self.games.saturating_sub(done), false);
        let flag = Arc::clone(&stop);
        let numbers = (done..self.games).take_while(|_| !flag.load(Ordering::Relaxed));
        Pipeline { threads, stop }.run(
            numbers,
            || {
                let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
                AlphaBeta::new(evaluator(), options)
            },
            |searcher, number| play(searcher, number, self.nodes),
            |games, _| {
                for game in games {
                    writeln!(file, "{game}").with_context(cannot_use)?;
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
        Ok(())
    }
}

/// Plays a game from a bundled opening and random moves.
fn play(searcher: &mut impl Searcher, number: usize, nodes: u64) -> UsiPosition {
    let openings: Vec<_> = openings::move_lists().collect();
    let mut position = Position::hirate();
    for (_, m) in plies(openings[number % openings.len()]) {
        position.do_move(m);
    }
    let mut random = SplitMix64::new(number as u64);
    for _ in 0..RANDOM_MOVES {
        let legal = position.legal_moves();
        if let Some(&m) = legal.get(random.below(legal.len().max(1) as u64) as usize) {
            position.do_move(m);
        }
    }
    searcher.new_game();
    while position.ply() < MAX_PLIES {
        let analysis = searcher.search(&position, &Budget::nodes(nodes), &mut |_| {});
        let Some(m) = analysis.best_move() else { break };
        position.do_move(m);
    }
    position.to_usi_position()
}
