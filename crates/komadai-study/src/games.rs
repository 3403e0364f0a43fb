//! The games of studies: the bundled ones, or those of files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::kifu::{GameReader, Record, Tolerance, parse_usi_games};
use komadai::prelude::*;
use komadai_grow::TOURNAMENT_GAMES;

/// A start position and the moves played from it.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

impl Game {
    fn of(record: &Record) -> anyhow::Result<Option<Self>> {
        let mut start = None;
        let mut moves = Vec::new();
        record.replay(|position, played| {
            start.get_or_insert_with(|| position.clone());
            moves.push(played.m);
            ControlFlow::Continue(())
        })?;
        Ok(start.map(|start| Self { start, moves }))
    }

    /// Returns each position with the move that was played in it, the start first.
    pub(crate) fn plies(&self) -> impl Iterator<Item = (Position, Move)> {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&m| {
            let before = position.clone();
            position.do_move(m);
            (before, m)
        })
    }
}

/// Returns the 77 bundled games.
pub(crate) fn bundled() -> Vec<Game> {
    bundled_records()
        .filter_map(|record| Game::of(&record).expect("bundled games are legal"))
        .collect()
}

/// Returns the bundled games as records.
pub(crate) fn bundled_records() -> impl Iterator<Item = Record> {
    TOURNAMENT_GAMES.lines().flat_map(|line| {
        parse_usi_games(line, Tolerance::Strict).expect("bundled games are games").records
    })
}

/// Reads the games of files in any format.
pub(crate) fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in paths {
        read_games(path, &mut games).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(games)
}

fn read_games(path: &Path, games: &mut Vec<Game>) -> anyhow::Result<()> {
    for record in GameReader::open(path, Tolerance::Lenient)? {
        games.extend(Game::of(&record?)?);
    }
    Ok(())
}
