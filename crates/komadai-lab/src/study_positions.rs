//! The positions of games for studies of searches.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use komadai::kifu::{GameReader, Tolerance};
use komadai::prelude::*;
use komadai_testdata::games;

use crate::games::plies;

/// The place of positions in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckPositions {
    /// They are in the study.
    In,
    /// They are left out.
    Out,
}

/// The choice of positions of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    /// Number of moves before the first position.
    pub(crate) first: u32,
    /// Interval between positions.
    pub(crate) every: NonZero<u32>,
    pub(crate) checks: CheckPositions,
}

/// A position with its place.
#[derive(Debug, Clone)]
pub(crate) struct StudyPosition {
    /// Number of the game, from 0.
    pub(crate) game: usize,
    /// With the moves that led to it, on which the prediction of threatmates depends.
    pub(crate) position: Position,
}

/// All positions, as the moves of their games.
#[derive(Debug)]
pub(crate) struct Positions {
    games: Vec<Game>,
    choice: Choice,
    len: usize,
    /// The sum of the keys.
    key: u64,
}

#[derive(Debug)]
struct Game {
    start: Position,
    moves: Vec<Move>,
}

impl Positions {
    /// Reads games, or takes the bundled ones if `paths` is empty.
    pub(crate) fn read(paths: &[PathBuf], choice: Choice) -> anyhow::Result<Self> {
        if paths.is_empty() { Self::of(bundled(), choice) } else { Self::of(files(paths)?, choice) }
    }

    /// Takes the bundled games, then reads others.
    pub(crate) fn bundled_and(paths: &[PathBuf], choice: Choice) -> anyhow::Result<Self> {
        let mut games = bundled();
        games.extend(files(paths)?);
        Self::of(games, choice)
    }

    fn of(games: Vec<Game>, choice: Choice) -> anyhow::Result<Self> {
        let mut positions = Self { games, choice, len: 0, key: 0 };
        let (mut len, mut key) = (0, 0_u64);
        for position in positions.iter() {
            len += 1;
            key = key.wrapping_add(position.position.key());
        }
        ensure!(len > 0, "found no position from move {} on", choice.first);
        (positions.len, positions.key) = (len, key);
        Ok(positions)
    }

    pub(crate) fn games(&self) -> usize {
        self.games.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns a text that differs for other positions.
    pub(crate) fn identity(&self) -> String {
        format!("{} games, {} positions, key {:016x}", self.games.len(), self.len, self.key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = StudyPosition> {
        self.games.iter().enumerate().flat_map(move |(game, record)| {
            let mut position = record.start.clone();
            let positions = record.moves.iter().map(move |&m| {
                position.do_move(m);
                position.clone()
            });
            let chosen = positions.filter(|position| self.is_chosen(position));
            chosen.map(move |position| StudyPosition { game, position })
        })
    }

    fn is_chosen(&self, position: &Position) -> bool {
        // The start of a game has the number 1.
        let Choice { first, every, checks } = self.choice;
        let moves = position.ply() - 1;
        moves >= first
            && (moves - first).is_multiple_of(every.get())
            && (checks == CheckPositions::In || !position.in_check())
            && position.has_legal_move()
    }
}

fn bundled() -> Vec<Game> {
    let of = |game: games::Game| Game {
        start: Position::hirate(),
        moves: plies(game.moves).map(|(_, m)| m).collect(),
    };
    games::tournament().map(of).collect()
}

fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in paths {
        read_games(path, &mut games).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(games)
}

fn read_games(path: &Path, games: &mut Vec<Game>) -> anyhow::Result<()> {
    for record in GameReader::open(path, Tolerance::Lenient)? {
        let record = record?;
        let mut start = None;
        let mut moves = Vec::new();
        record.replay(|position, played| {
            start.get_or_insert_with(|| position.clone());
            moves.push(played.m);
            ControlFlow::Continue(())
        })?;
        games.extend(start.map(|start| Game { start, moves }));
    }
    Ok(())
}
