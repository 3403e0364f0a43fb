//! The arguments that say which lines are followed, and the book they lead through.

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use komadai::book::{BookSides, FrontierOptions, OwnMoves, Window};
use komadai::core::UsiPosition;
use komadai::movegen::check_legality;
use komadai::{Color, Position};

/// Which lines are followed.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Whose book it is.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    pub(crate) side: Side,
    /// Which moves the opponent may play.
    #[arg(long, value_enum, default_value_t = WindowName::Best)]
    window: WindowName,
    /// How much worse than the window's anchor a move may be, in centipawns.
    #[arg(long, default_value_t = 30)]
    eval_diff: i32,
    /// Follow all best moves of the own side, not only the first.
    #[arg(long)]
    ties: bool,
    /// Neither expand nor select positions with a larger move number.
    #[arg(long)]
    max_ply: Option<u32>,
    /// Do not follow moves worth more than this, or less than its negative, in centipawns.
    #[arg(long)]
    eval_limit: Option<i32>,
    #[command(flatten)]
    pub(crate) roots: Roots,
}

/// Where lines begin.
#[derive(Debug, Args)]
pub(crate) struct Roots {
    /// A position, as SFEN or `startpos moves …`, where lines begin; may be given several times. The start
    /// of the game if left out.
    #[arg(long = "root", value_parser = UsiPosition::from_usi)]
    roots: Vec<UsiPosition>,
}

/// Whose book it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// Black's (先手).
    Black,
    /// White's (後手).
    White,
    /// Both sides'.
    Both,
}

impl Side {
    pub(crate) fn sides(self) -> BookSides {
        match self {
            Self::Black => BookSides::Black,
            Self::White => BookSides::White,
            Self::Both => BookSides::Both,
        }
    }

    pub(crate) fn colors(self) -> &'static [Color] {
        self.sides().colors()
    }
}

/// Which moves the opponent may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WindowName {
    /// Near the best of the position, and the own side as well.
    Free,
    /// Near the best of the position.
    Best,
    /// Near the value of the root.
    Root,
}

impl Selection {
    /// What the library is asked.
    pub(crate) fn options(&self) -> anyhow::Result<FrontierOptions> {
        let window = match self.window {
            WindowName::Free => Window::Free,
            WindowName::Best => Window::Best,
            WindowName::Root => Window::Root,
        };
        Ok(FrontierOptions {
            roots: self.roots.positions()?,
            eval_diff: self.eval_diff,
            own_moves: own_moves(self.ties),
            max_ply: self.max_ply,
            eval_limit: self.eval_limit,
            ..FrontierOptions::new(Position::hirate(), self.side.sides(), window)
        })
    }
}

/// Which moves the own side follows.
pub(crate) fn own_moves(ties: bool) -> OwnMoves {
    if ties { OwnMoves::AllBest } else { OwnMoves::First }
}

impl Roots {
    /// Where lines begin, as it was said.
    pub(crate) fn said(&self) -> Vec<UsiPosition> {
        match self.roots.is_empty() {
            true => vec![UsiPosition { setup: Position::hirate().to_setup(), moves: Vec::new() }],
            false => self.roots.clone(),
        }
    }

    /// The positions where lines begin.
    pub(crate) fn positions(&self) -> anyhow::Result<Vec<Position>> {
        self.said().iter().map(position_of).collect()
    }
}

fn position_of(said: &UsiPosition) -> anyhow::Result<Position> {
    let mut position =
        Position::from_setup(&said.setup).with_context(|| format!("--root {said}"))?;
    for &m in &said.moves {
        check_legality(&position, m).with_context(|| format!("--root {said}: {m} is illegal"))?;
        position.do_move(m);
    }
    Ok(position)
}
