//! The arguments that select lines of play.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::Position;
use komadai::book::StartPosition;
use komadai::bookgraph::frontier::{FrontierOptions, RootLimits};
use komadai::core::UsiPosition;
use komadai::movegen::check_legality;
use komadai_console::{Side, WindowName, bad_usage, own_moves};

/// The arguments about the lines that are followed.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Side for which the book is made.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    pub(crate) side: Side,
    /// Moves of the opponent that are followed.
    #[arg(long, value_enum, default_value_t = WindowName::Best)]
    window: WindowName,
    /// Maximum loss of a followed move against the anchor of the window, in centipawns.
    #[arg(long, default_value_t = 30, value_name = "CP", allow_negative_numbers = true)]
    eval_diff: i32,
    /// Follow all best moves of the book's own side, not only the first.
    #[arg(long)]
    ties: bool,
    /// Maximum move number; later positions are neither expanded nor selected.
    #[arg(long)]
    max_ply: Option<u32>,
    /// Maximum absolute value of a followed move, in centipawns.
    #[arg(long)]
    eval_limit: Option<i32>,
    #[command(flatten)]
    pub(crate) roots: Roots,
}

/// The arguments about the roots, where lines start.
#[derive(Debug, Args)]
pub(crate) struct Roots {
    /// Root of the lines, as SFEN or `startpos moves …`; may be given several times. By default the
    /// start position.
    #[arg(long = "root", value_parser = UsiPosition::from_usi)]
    roots: Vec<UsiPosition>,
    /// Read roots from a list of games, one a line (`startpos moves …`, `sfen …`), with limits of
    /// each root after a comma as in BookMiner's scripts: `, book_extend_ply=20, eval_limit=400,
    /// game_ply_limit=200`.
    #[arg(long, value_name = "FILE")]
    start_positions: Option<PathBuf>,
}

impl Selection {
    /// Returns the options of a frontier with these roots, which are those of the arguments.
    pub(crate) fn options(&self, roots: &[StartPosition]) -> FrontierOptions {
        FrontierOptions {
            roots: positions(roots),
            root_limits: roots.iter().map(|root| root.limits).collect(),
            eval_diff: self.eval_diff,
            own_moves: own_moves(self.ties),
            max_ply: self.max_ply,
            eval_limit: self.eval_limit,
            ..FrontierOptions::new(Position::hirate(), self.side, self.window.into())
        }
    }

    /// Returns the options of a frontier for each side separately.
    pub(crate) fn by_side(&self) -> anyhow::Result<Vec<FrontierOptions>> {
        let all = self.options(&self.roots.read()?);
        let sides = self.side.colors().iter();
        Ok(sides.map(|&side| FrontierOptions { sides: side.into(), ..all.clone() }).collect())
    }
}

impl Roots {
    /// Returns the roots: those that are named, then those of the file.
    pub(crate) fn read(&self) -> anyhow::Result<Vec<StartPosition>> {
        let mut roots = self.roots.iter().map(root_at).collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = &self.start_positions {
            roots.extend(StartPosition::read_all(path)?);
        }
        if roots.is_empty() {
            let setup = Position::hirate().to_setup();
            roots.push(root_at(&UsiPosition { setup, moves: Vec::new() })?);
        }
        Ok(roots)
    }
}

fn root_at(line: &UsiPosition) -> anyhow::Result<StartPosition> {
    let position = position_of(line)?;
    Ok(StartPosition { line: line.clone(), position, limits: RootLimits::default() })
}

/// Returns the positions of roots.
pub(crate) fn positions(roots: &[StartPosition]) -> Vec<Position> {
    roots.iter().map(|root| root.position.clone()).collect()
}

/// Reads an argument that names a line: `startpos moves …`, `sfen … moves …`, or moves from the
/// start position alone.
pub(crate) fn line_argument(name: &str, text: &str) -> anyhow::Result<UsiPosition> {
    let is_whole = ["startpos", "sfen"].iter().any(|word| text.trim_start().starts_with(word));
    let whole = if is_whole { text.to_owned() } else { format!("startpos moves {}", text.trim()) };
    UsiPosition::from_usi(&whole)
        .map_err(|error| bad_usage(format_args!("{name} {text:?}: {error}")))
}

/// Returns the position to which a root's moves lead.
pub(crate) fn position_of(root: &UsiPosition) -> anyhow::Result<Position> {
    let mut position = Position::from_setup(&root.setup).with_context(|| root.to_string())?;
    for &m in &root.moves {
        check_legality(&position, m).with_context(|| format!("{root}: {m} is illegal"))?;
        position.do_move(m);
    }
    Ok(position)
}
