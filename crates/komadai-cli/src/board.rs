//! Positions as text and as pictures.

mod shown;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args, ValueEnum};
use komadai::report::{Diagram, SvgArrow, SvgBoard, SvgPieces, SvgTheme};
use komadai::{Color, Move};
use komadai_console::{Program, bad_usage, stdout, write_file_or_stdout};

use crate::arguments::faults::exit_code;
use crate::arguments::pixels::{PixelArgs, png_file};
use crate::arguments::position::PositionArgs;
use shown::Shown;

/// Print a position as text, or draw it as an SVG or PNG picture.
///
/// The position is an SFEN, `startpos moves …`, or the end of a game: CSA, KIF, KI2, JKF, USEN or
/// USI, also in archives (.gz, .zip, .7z) or on standard input (`-`). Without one it is the start
/// position.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true),
    group = ArgGroup::new("pixels").args(["png"]),
    after_help = "Examples:\n  \
    komadai board startpos moves 7g7f 3c3d 8h2b+\n  \
    komadai board game.kif --ply 42 --svg board.svg --arrow 2d2c+:good --flip\n  \
    komadai board game.kif --ply 42 --png board.png --width 800\n\n\
    The last move of a game is marked in pictures. Arrows and marks are moves in USI.\n\
    Exit codes: 0 shown, 1 failed or moves of the game were left out, 2 bad usage."
)]
pub struct BoardArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Characters on the pieces.
    #[arg(long, value_enum, default_value_t = Style::Kanji)]
    style: Style,
    /// Write an SVG picture in place of the text; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a PNG picture in place of the text; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    #[command(flatten)]
    pixels: PixelArgs,
    /// Turn the board: White's side is below.
    #[arg(long, requires = "picture")]
    flip: bool,
    /// Colours for dark surroundings; by default those of SVG follow the viewer, and those of PNG are
    /// light.
    #[arg(long, requires = "picture", conflicts_with = "light")]
    dark: bool,
    /// Colours for light surroundings.
    #[arg(long, requires = "picture")]
    light: bool,
    /// Arrow for a move, such as 7g7f or 7g7f:good; classes: plain, good, bad, minor. It may be
    /// given several times.
    #[arg(long, value_name = "MOVE[:CLASS]", requires = "picture", value_parser = read_arrow)]
    arrow: Vec<(Move, SvgArrow)>,
    /// Move to mark in place of the last move.
    #[arg(long, value_name = "MOVE", requires = "picture")]
    last_move: Option<Move>,
    /// Heading of the picture.
    #[arg(long, requires = "picture")]
    title: Option<String>,
}

/// The characters on pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Kanji, as on real pieces.
    Kanji,
    /// The letters of SFEN.
    Letters,
}

impl Style {
    /// Returns the characters for pictures.
    pub(crate) fn pieces(self) -> SvgPieces {
        match self {
            Self::Kanji => SvgPieces::Kanji,
            Self::Letters => SvgPieces::Letters,
        }
    }
}

impl Program for BoardArgs {
    const SUBCOMMAND: &'static str = "board";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let chosen = self.position.chosen()?;
        let (shown, lost_moves) = (Shown::of(&chosen)?, chosen.lost_moves);
        if self.svg.is_none() && self.png.is_none() {
            let diagram = match self.style {
                Style::Kanji => Diagram::kanji(&shown.setup),
                Style::Letters => Diagram::letters(&shown.setup),
            };
            write!(stdout(), "{diagram}")?;
            return Ok(exit_code(lost_moves));
        }
        if [&self.svg, &self.png].iter().all(|path| is_stdout(path.as_deref())) {
            return Err(bad_usage("only one picture can be on standard output"));
        }
        let picture = self.picture(&shown).to_string();
        if let Some(path) = &self.svg {
            write_file_or_stdout(path, &picture)?;
        }
        if let Some(path) = &self.png {
            let painted = self.pixels.paint(&self.pixels.painter()?, &picture)?;
            write_file_or_stdout(path, png_file(&painted)?)?;
        }
        Ok(exit_code(lost_moves))
    }
}

impl BoardArgs {
    fn picture(&self, shown: &Shown) -> SvgBoard {
        SvgBoard {
            last_move: self.last_move.or(shown.last),
            arrows: self.arrow.clone(),
            bottom: if self.flip { Color::White } else { Color::Black },
            pieces: self.style.pieces(),
            title: self.title.clone(),
            theme: match (self.dark, self.light) {
                (true, _) => SvgTheme::Dark,
                (_, true) => SvgTheme::Light,
                _ => SvgTheme::Auto,
            },
            ..SvgBoard::new(&shown.setup)
        }
    }
}

/// Returns true for the name of standard output.
fn is_stdout(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path.as_os_str() == "-")
}

/// Reads a move with the class of its arrow: `7g7f` or `7g7f:good`.
fn read_arrow(text: &str) -> Result<(Move, SvgArrow), String> {
    let (m, class) = text.split_once(':').unwrap_or((text, "plain"));
    let arrow = match class {
        "plain" => SvgArrow::Plain,
        "good" => SvgArrow::Good,
        "bad" => SvgArrow::Bad,
        "minor" => SvgArrow::Minor,
        other => return Err(format!("found {other:?}, expected plain, good, bad or minor")),
    };
    let m = m.parse().map_err(|error: komadai::core::UsiError| error.to_string())?;
    Ok((m, arrow))
}
