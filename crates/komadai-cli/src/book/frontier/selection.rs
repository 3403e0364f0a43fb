//! The arguments that say which lines are followed, and the book they lead through.

use anyhow::Context as _;
use clap::Args;
use komadai::Position;
use komadai::bookgraph::frontier::{FrontierOptions, OwnMoves};
use komadai::core::UsiPosition;
use komadai::movegen::check_legality;

use crate::side::Side;
use crate::window::WindowName;

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
    #[arg(long, default_value_t = 30, value_name = "CP", allow_negative_numbers = true)]
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

impl Selection {
    /// What the library is asked.
    pub(crate) fn options(&self) -> anyhow::Result<FrontierOptions> {
        Ok(FrontierOptions {
            roots: self.roots.positions()?,
            eval_diff: self.eval_diff,
            own_moves: own_moves(self.ties),
            max_ply: self.max_ply,
            eval_limit: self.eval_limit,
            ..FrontierOptions::new(Position::hirate(), self.side, self.window.into())
        })
    }

    /// The same for each of the sides by itself.
    pub(crate) fn by_side(&self) -> anyhow::Result<Vec<FrontierOptions>> {
        let all = self.options()?;
        let sides = self.side.colors().iter();
        Ok(sides.map(|&side| FrontierOptions { sides: side.into(), ..all.clone() }).collect())
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

/// The position that a line of moves leads to.
pub(crate) fn position_of(said: &UsiPosition) -> anyhow::Result<Position> {
    let mut position =
        Position::from_setup(&said.setup).with_context(|| format!("--root {said}"))?;
    for &m in &said.moves {
        check_legality(&position, m).with_context(|| format!("--root {said}: {m} is illegal"))?;
        position.do_move(m);
    }
    Ok(position)
}
