//! A game as a picture or an animation: the options, and the files.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::{Color, Language, Move, Setup};
use komadai::image::{Animation, AnimationFormat, Painter, Picture};
use komadai::kifu::{Line, Notation, Record, carry_out};
use komadai::report::{EvaluationGraph, SvgBoard, SvgPieces, SvgTheme, game_points};
use komadai_console::{bad_usage, note, write_file_or_stdout};

use crate::arguments::pixels::{PixelArgs, png_file};

/// Maximum number of positions of an animation. Longer games are shown in parts.
const MOST_POSITIONS: usize = 1_000;

/// The size of the graph below a board, in the units of the board, which is as wide.
const GRAPH_SIZE: (u32, u32) = (644, 200);

#[derive(Debug, Args)]
pub(super) struct AnimationArgs {
    /// Write the game as an animated GIF; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write the game as an animated PNG, which has all colours; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write the last position shown as a PNG picture, with the graph of the evaluations below it;
    /// `-` for standard output.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Number of moves before the first position shown.
    #[arg(long, value_name = "PLY", default_value_t = 0, requires = "pixels")]
    from: usize,
    /// Number of moves before the last position shown; by default all.
    #[arg(long, value_name = "PLY", requires = "pixels")]
    to: Option<usize>,
    /// Show this variation of the game, from 1 in their order on the page, in place of the game.
    #[arg(long, value_name = "N", requires = "pixels")]
    line: Option<usize>,
    /// Time of each position in milliseconds, from 20 to 60000.
    #[arg(
        long, value_name = "MS", default_value_t = 1_000, requires = "pixels",
        value_parser = clap::value_parser!(u64).range(20..=60_000)
    )]
    delay: u64,
    /// Time of the last position in milliseconds, from 20 to 60000.
    #[arg(
        long, value_name = "MS", default_value_t = 4_000, requires = "pixels",
        value_parser = clap::value_parser!(u64).range(20..=60_000)
    )]
    last_delay: u64,
    /// Turn the board: White's side is below.
    #[arg(long, requires = "pixels")]
    flip: bool,
    /// Colours for dark surroundings.
    #[arg(long, requires = "pixels")]
    dark: bool,
    #[command(flatten)]
    pixels: PixelArgs,
}

/// The look of the boards.
pub(super) struct BoardLook<'a> {
    pub(super) language: Language,
    pub(super) notation: Notation,
    pub(super) pieces: SvgPieces,
    /// The heading before the move.
    pub(super) title: Option<&'a str>,
}

/// A position of a line.
struct Shown {
    ply: usize,
    setup: Setup,
    last: Option<Move>,
    /// The name of the last move.
    name: String,
}

impl AnimationArgs {
    /// Returns the files to write.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.gif, &self.apng, &self.png].into_iter().flatten()
    }

    /// Writes the files.
    pub(super) fn write(&self, record: &Record, look: &BoardLook<'_>) -> anyhow::Result<()> {
        if self.files().next().is_none() {
            return Ok(());
        }
        let shown = self.shown(record, look)?;
        let painter = self.pixels.painter()?;
        for (path, format) in
            [(&self.gif, AnimationFormat::Gif), (&self.apng, AnimationFormat::Apng)]
        {
            if let Some(path) = path {
                write_file_or_stdout(path, self.animation(&painter, &shown, look, format)?)?;
            }
        }
        if let (Some(path), Some(last)) = (&self.png, shown.last()) {
            let picture = self.with_graph(&painter, record, last, look)?;
            write_file_or_stdout(path, png_file(&picture)?)?;
        }
        Ok(())
    }

    /// Returns the positions from `--from` to `--to`, or to the first move that cannot be made.
    fn shown(&self, record: &Record, look: &BoardLook<'_>) -> anyhow::Result<Vec<Shown>> {
        let line = self.chosen_line(record)?;
        let names = record.line_names(line, look.notation).unwrap_or_default();
        let path = record.path(line);
        let to = self.to.unwrap_or(path.len());
        ensure!(to <= path.len(), "there is no ply {to}: the line has {} moves", path.len());
        if self.from > to {
            let from = self.from;
            return Err(bad_usage(format_args!("found --from {from} after the last ply {to}")));
        }
        let count = to - self.from + 1;
        ensure!(
            count <= MOST_POSITIONS,
            "found {count} positions, expected at most {MOST_POSITIONS}; --from and --to choose some"
        );
        let start = look.language.choose("Start", "開始局面").to_owned();
        let (setup, last) = (record.setup.clone(), None);
        let mut shown = vec![Shown { ply: 0, setup, last, name: start }];
        for (index, played) in path.iter().take(to).enumerate() {
            let (ply, m) = (index + 1, played.m);
            let Ok(setup) = carry_out(&shown[index].setup, m) else {
                note!("move {ply}, {m}, cannot be made: the pictures end before it");
                break;
            };
            let name = names.get(index).cloned().unwrap_or_else(|| m.to_string());
            shown.push(Shown { ply, setup, last: Some(m), name });
        }
        ensure!(shown.len() > self.from, "there is no position after {} moves", self.from);
        Ok(shown.split_off(self.from))
    }

    fn chosen_line(&self, record: &Record) -> anyhow::Result<Line> {
        let Some(number) = self.line else { return Ok(Line::Main) };
        let variations = record.variations.len();
        let index = number.checked_sub(1).filter(|&index| index < variations);
        let missing = || format!("there is no variation {number} of {variations}");
        Ok(Line::Variation(index.with_context(missing)?))
    }

    fn board(
        &self,
        painter: &Painter,
        shown: &Shown,
        look: &BoardLook<'_>,
    ) -> anyhow::Result<Picture> {
        let number = if shown.ply == 0 { String::new() } else { format!("{} ", shown.ply) };
        let title = look.title.map_or_else(String::new, |title| format!("{title}   "));
        let board = SvgBoard {
            last_move: shown.last,
            bottom: if self.flip { Color::White } else { Color::Black },
            pieces: look.pieces,
            title: Some(format!("{title}{number}{}", shown.name)),
            theme: self.theme(),
            ..SvgBoard::new(shown.setup.clone())
        };
        self.pixels.paint(painter, &board.to_string())
    }

    fn theme(&self) -> SvgTheme {
        if self.dark { SvgTheme::Dark } else { SvgTheme::Light }
    }

    fn animation(
        &self,
        painter: &Painter,
        shown: &[Shown],
        look: &BoardLook<'_>,
        format: AnimationFormat,
    ) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let first = self.board(painter, &shown[0], look)?;
        let count = u32::try_from(shown.len())?;
        let mut animation = Animation::new(&mut bytes, format, first.size(), count)?;
        for (index, position) in shown.iter().enumerate() {
            let is_last = index + 1 == shown.len();
            let time = if is_last { self.last_delay } else { self.delay };
            let picture = self.board(painter, position, look)?;
            animation.add(&picture, Duration::from_millis(time))?;
        }
        animation.finish()?;
        Ok(bytes)
    }

    /// Draws a position above the graph of the game, if the game has evaluations.
    fn with_graph(
        &self,
        painter: &Painter,
        record: &Record,
        last: &Shown,
        look: &BoardLook<'_>,
    ) -> anyhow::Result<Picture> {
        let board = self.board(painter, last, look)?;
        let points = game_points(record, look.notation);
        if self.line.is_some() || points.iter().all(|point| point.score.is_none()) {
            return Ok(board);
        }
        let graph = EvaluationGraph {
            language: look.language,
            theme: self.theme(),
            size: GRAPH_SIZE,
            cursor: u32::try_from(last.ply).ok(),
            ..EvaluationGraph::new(points)
        };
        Ok(board.above(&self.pixels.paint(painter, &graph.to_string())?))
    }
}
