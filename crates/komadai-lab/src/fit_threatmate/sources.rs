//! The sources of games: the bundled ones, records, training data, and self-play.

use std::convert::Infallible;
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, anyhow};
use komadai::data::records::{PackedSfenValue, TrainingFormat};
use komadai::data::tools::{OnDamage, Sources, Watch};
use komadai::data::{SelfPlayOptions, generate};
use komadai::eval::Classical;
use komadai::kifu::{RecordFiles, RecordFilesOptions};
use komadai::prelude::*;
use komadai_base::file::open_regular;
use komadai_testdata::games;

use crate::arena::threads;
use crate::fit_threatmate::game::Game;
use crate::games::plies;

/// Returns the games of the files, or the bundled games if there are no files.
pub(super) fn read(files: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    if files.is_empty() {
        return Ok(bundled().collect());
    }
    let (training, records): (Vec<_>, Vec<_>) =
        files.iter().cloned().partition(|path| is_training_data(path));
    let mut found = Vec::new();
    for path in &records {
        read_records(path, &mut found)?;
    }
    if !training.is_empty() {
        read_training_data(&training, &mut found)?;
    }
    Ok(found)
}

fn bundled() -> impl Iterator<Item = Game> {
    games::tournament().map(|game| {
        let moves = plies(game.moves).map(|(_, m)| m).collect();
        Game { start: Position::hirate(), moves }
    })
}

fn is_training_data(path: &Path) -> bool {
    if path.is_dir() {
        return path.join("manifest.json").exists();
    }
    let mut start = Vec::new();
    let Ok(file) = open_regular(path) else { return false };
    let length = file.metadata().ok().map(|file| file.len());
    let read = file.take(TrainingFormat::START_BYTES).read_to_end(&mut start);
    read.is_ok() && TrainingFormat::detect(&start, length).is_some()
}

fn read_records(path: &Path, found: &mut Vec<Game>) -> anyhow::Result<()> {
    for game in RecordFiles::open(path, RecordFilesOptions::default()) {
        let name = game.place.path.display().to_string();
        let record = game.record.with_context(|| name.clone())?;
        let start = Position::from_setup_leniently(&record.setup).with_context(|| name.clone())?;
        let mut moves = Vec::new();
        // The moves before an illegal one are as good as any.
        let _ = record.replay(|_, played| {
            moves.push(played.m);
            ControlFlow::Continue(())
        });
        found.push(Game { start, moves });
    }
    Ok(())
}

/// Reads games from positions: one continues a game if a legal move leads to it from the one
/// before. Records in a random order are games of one move.
fn read_training_data(paths: &[PathBuf], found: &mut Vec<Game>) -> anyhow::Result<()> {
    let sources = Sources::find(paths, OnDamage::Skip)?;
    let mut link = Link::default();
    sources.read(
        "games",
        &mut Watch::none(),
        |_, record: &PackedSfenValue| Ok(record.unpack()?),
        |record| {
            found.extend(link.add(&record.value, record.record.best_move));
            Ok(())
        },
    )?;
    found.extend(link.finish());
    Ok(())
}

/// Self-play games that end with mate, a repetition or the limit of moves, not with a decided
/// score. They are the games of the seeds from 1 on.
pub(super) fn self_played(count: u64, nodes: u64) -> Vec<Game> {
    let options =
        SelfPlayOptions { nodes, decided_cp: i32::MAX, hash_mib: 1, ..SelfPlayOptions::default() };
    let mut found = Vec::new();
    let evaluator: Classical = Default::default();
    let seed = |number: u64| (number < count).then_some(number + 1);
    let played: Result<(), Infallible> =
        generate(&evaluator, &options, threads(0), &seed, &AtomicBool::new(false), &mut |game| {
            let mut link = Link::default();
            for at in &game.positions {
                if let Ok(position) = at
                    .position
                    .to_setup()
                    .map_err(|error| anyhow!(error))
                    .and_then(|setup| Ok(Position::from_setup(&setup)?))
                {
                    found.extend(link.add(&position, Some(at.best_move)));
                }
            }
            found.extend(link.finish());
            Ok(ControlFlow::Continue(()))
        });
    let Ok(()) = played;
    found
}

/// A game that is read position by position.
#[derive(Debug, Default)]
struct Link {
    game: Option<Game>,
    /// The last position of the game, and the best move in it.
    last: Option<(Position, Option<Move>)>,
}

impl Link {
    /// Adds a position. Returns the game before, if the position begins another one.
    fn add(&mut self, position: &Position, best: Option<Move>) -> Option<Game> {
        let played = self.last.as_ref().and_then(|(last, best)| {
            let leads = |m: &Move| last.after(*m).same_placement(position);
            best.filter(|&m| last.is_legal(m))
                .filter(leads)
                .or_else(|| last.legal_moves().iter().copied().find(leads))
        });
        let before = match (played, &mut self.game) {
            (Some(m), Some(game)) => {
                game.moves.push(m);
                None
            }
            _ => {
                let before = self.finish();
                self.game = Some(Game { start: position.without_history(), moves: Vec::new() });
                before
            }
        };
        self.last = Some((position.without_history(), best));
        before
    }

    /// Ends the game with the best move in its last position.
    fn finish(&mut self) -> Option<Game> {
        let mut game = self.game.take()?;
        let best = self.last.take().and_then(|(last, best)| best.filter(|&m| last.is_legal(m)));
        game.moves.extend(best);
        Some(game)
    }
}
