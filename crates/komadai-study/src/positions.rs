//! The positions of games for studies of searches.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::ensure;
use clap::ValueEnum;
use komadai::prelude::*;

use crate::games::{self, Game};

/// The place of positions in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckPositions {
    /// They are in the study.
    In,
    /// They are left out.
    Out,
}

/// The choice of positions of a game.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Number of moves before the first position.
    pub first: u32,
    /// Interval between positions.
    pub every: NonZero<u32>,
    /// The place of positions in check.
    pub checks: CheckPositions,
}

/// A position with its place.
#[derive(Debug, Clone)]
pub struct StudyPosition {
    /// Number of the game, from 0.
    pub game: usize,
    /// With the moves that led to it, on which the prediction of threatmates depends.
    pub position: Position,
}

/// All positions, as the moves of their games.
#[derive(Debug)]
pub struct Positions {
    games: Vec<Game>,
    choice: Choice,
    len: usize,
    /// The sum of the keys.
    key: u64,
}

impl Positions {
    /// Reads games, or takes the bundled ones if `paths` is empty.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or if there is no position.
    pub fn read(paths: &[PathBuf], choice: Choice) -> anyhow::Result<Self> {
        if paths.is_empty() {
            Self::of(games::bundled(), choice)
        } else {
            Self::of(games::files(paths)?, choice)
        }
    }

    /// Takes the bundled games, then reads others.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn bundled_and(paths: &[PathBuf], choice: Choice) -> anyhow::Result<Self> {
        let mut games = games::bundled();
        games.extend(games::files(paths)?);
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

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of positions.
    pub fn count(&self) -> usize {
        self.len
    }

    /// Returns a text that differs for other positions.
    pub fn identity(&self) -> String {
        format!("{} games, {} positions, key {:016x}", self.games.len(), self.len, self.key)
    }

    /// All positions in the order of the games.
    pub fn iter(&self) -> impl Iterator<Item = StudyPosition> {
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
