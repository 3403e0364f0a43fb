//! The arguments that select lines of play.

use anyhow::Context as _;
use clap::Args;
use komadai::Position;
use komadai::bookgraph::frontier::FrontierOptions;
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
}

impl Selection {
    /// Returns the options of a frontier.
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

    /// Returns the options of a frontier for each side separately.
    pub(crate) fn by_side(&self) -> anyhow::Result<Vec<FrontierOptions>> {
        let all = self.options()?;
        let sides = self.side.colors().iter();
        Ok(sides.map(|&side| FrontierOptions { sides: side.into(), ..all.clone() }).collect())
    }
}

impl Roots {
    /// Returns the roots as given, with their moves.
    pub(crate) fn as_given(&self) -> Vec<UsiPosition> {
        if self.roots.is_empty() {
            vec![UsiPosition { setup: Position::hirate().to_setup(), moves: Vec::new() }]
        } else {
            self.roots.clone()
        }
    }

    /// Returns the positions of the roots.
    pub(crate) fn positions(&self) -> anyhow::Result<Vec<Position>> {
        self.as_given().iter().map(position_of).collect()
    }
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
