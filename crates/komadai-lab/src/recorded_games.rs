//! Games from files: records, and training data in the order of their games.

use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::data::records::{PackedSfenValue, TrainingFormat};
use komadai::data::tools::{Input, OnDamage, Sources, Watch};
use komadai::kifu::{RecordFiles, RecordFilesOptions};
use komadai::prelude::*;
use komadai_base::file::open_regular;
use komadai_testdata::games;

use crate::games::plies;

/// A start position and the moves played from it.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

/// Returns the bundled games.
pub(crate) fn bundled() -> impl Iterator<Item = Game> {
    games::tournament().map(|game| {
        let moves = plies(game.moves).map(|(_, m)| m).collect();
        Game { start: Position::hirate(), moves }
    })
}

/// Hands over the games of the files one by one, those of records first.
pub(crate) fn each(
    files: &[PathBuf],
    take: &mut dyn FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (training, records): (Vec<_>, Vec<_>) =
        files.iter().cloned().partition(|path| is_training_data(path));
    for path in &records {
        each_record(path, take)?;
    }
    if training.is_empty() { Ok(()) } else { each_of_training_data(&training, take) }
}

/// Returns the single files: those of the manifest in place of a folder of training data.
pub(crate) fn single_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() && is_training_data(path) {
            let sources = Sources::find(std::slice::from_ref(path), OnDamage::Refuse)?;
            files.extend(sources.inputs().iter().map(Input::path).map(Path::to_owned));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
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

fn each_record(
    path: &Path,
    take: &mut dyn FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
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
        take(Game { start, moves })?;
    }
    Ok(())
}

/// Reads games from positions: one continues a game if a legal move leads to it from the one
/// before. Records in a random order are games of one move.
fn each_of_training_data(
    paths: &[PathBuf],
    take: &mut dyn FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let sources = Sources::find(paths, OnDamage::Skip)?;
    let mut link = Link::default();
    let mut taken = Ok(());
    sources.read(
        "games",
        &mut Watch::none(),
        |_, record: &PackedSfenValue| Ok(record.unpack()?),
        |record| {
            if let Some(game) = link.add(&record.value, record.record.best_move)
                && taken.is_ok()
            {
                taken = take(game);
            }
            Ok(())
        },
    )?;
    taken?;
    link.finish().map_or(Ok(()), take)
}

/// A game that is read position by position.
#[derive(Debug, Default)]
pub(crate) struct Link {
    game: Option<Game>,
    /// The last position of the game, and the best move in it.
    last: Option<(Position, Option<Move>)>,
}

impl Link {
    /// Adds a position. Returns the game before, if the position begins another one.
    pub(crate) fn add(&mut self, position: &Position, best: Option<Move>) -> Option<Game> {
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
    pub(crate) fn finish(&mut self) -> Option<Game> {
        let mut game = self.game.take()?;
        let best = self.last.take().and_then(|(last, best)| best.filter(|&m| last.is_legal(m)));
        game.moves.extend(best);
        Some(game)
    }
}
