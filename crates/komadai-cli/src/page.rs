//! HTML pages, graphs and animations about games.

mod animation;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use komadai::core::Language;
use komadai::kifu::{Notation, Record};
use komadai::report::{EvaluationGraph, GamePage, Sparkline, SvgPieces, game_points};
use komadai_console::{Appearance, Program, bad_usage, stdout, write_file_or_stdout};

use crate::arguments::faults::exit_code;
use crate::arguments::record::read_game;
use crate::board::Style;
use animation::{AnimationArgs, BoardLook};

/// Write an HTML page in which a game can be replayed, a graph of its evaluations, or the game as an
/// animated GIF or PNG.
///
/// The page is one file that needs no network: board, moves with times, comments and variations,
/// and the graph of the evaluations that programs wrote into the comments. The game is CSA, KIF,
/// KI2, JKF, USEN or USI, also in archives (.gz, .zip, .7z).
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("pixels").args(["gif", "apng", "png"]).multiple(true),
    after_help = "Examples:\n  \
    komadai page game.csa game.html --lang ja\n  \
    komadai page game.csa --graph graph.svg\n  \
    komadai page game.csa --gif game.gif --from 60 --to 90 --delay 700\n\n\
    Prints the numbers of moves and evaluations, and the evaluations as a line of text: the upper signs ▅▆▇█ are \
    good for Black, the lower ones ▁▂▃▄ for White. Existing files are replaced.\n\
    Exit codes: 0 written, 1 failed or moves of the game were left out, 2 bad usage."
)]
pub struct PageArgs {
    /// File with the game.
    input: PathBuf,
    /// HTML file to write; `-` for standard output.
    output: Option<PathBuf>,
    /// Number of the game, from 1, if the file has several.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Write the graph of the evaluations as an SVG picture; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    #[command(flatten)]
    animation: AnimationArgs,
    #[command(flatten)]
    look: Look,
}

impl Program for PageArgs {
    const SUBCOMMAND: &'static str = "page";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let files: Vec<&PathBuf> = [&self.output, &self.graph]
            .into_iter()
            .flatten()
            .chain(self.animation.files())
            .collect();
        if files.is_empty() {
            return Err(bad_usage(
                "expected an HTML file to write, or --graph, --gif, --apng or --png",
            ));
        }
        let to_stdout = files.iter().filter(|path| path.as_os_str() == "-").count();
        if to_stdout > 1 {
            return Err(bad_usage("only one file can be on standard output"));
        }
        let (record, lost_moves) = read_game(&self.input, self.game)?;
        if let Some(path) = &self.output {
            write_file_or_stdout(path, self.look.page(&record).to_string())?;
        }
        if let Some(path) = &self.graph {
            write_file_or_stdout(path, self.look.graph(&record).to_string())?;
        }
        self.animation.write(&record, &self.look.board())?;
        if to_stdout == 0 {
            self.print_summary(&record)?;
        }
        Ok(exit_code(lost_moves))
    }
}

impl PageArgs {
    fn print_summary(&self, record: &Record) -> anyhow::Result<()> {
        /// The columns of a terminal.
        const COLUMNS: usize = 80;
        let points = game_points(record, self.look.notation());
        let scores: Vec<_> = points.iter().map(|point| point.score).collect();
        let count = scores.iter().flatten().count();
        let mut out = stdout();
        writeln!(out, "{} moves, {count} evaluations", record.moves.len())?;
        if count > 0 {
            writeln!(out, "{}", Sparkline { width: COLUMNS, scores })?;
        }
        Ok(())
    }
}

/// The options of pages and graphs about games.
#[derive(Debug, Args)]
struct Look {
    #[command(flatten)]
    appearance: Appearance,
    /// Characters on the pieces; by default kanji on Japanese pages, else letters.
    #[arg(long, value_enum)]
    style: Option<Style>,
    /// Heading in place of the names of the players.
    #[arg(long)]
    title: Option<String>,
}

impl Look {
    /// Returns the page about a game.
    fn page<'r>(&self, record: &'r Record) -> GamePage<'r> {
        GamePage {
            language: self.language(),
            notation: Some(self.notation()),
            pieces: self.style.map(Style::pieces),
            title: self.title.clone(),
            ..GamePage::new(record)
        }
    }

    /// Returns the look of pictures of positions.
    fn board(&self) -> BoardLook<'_> {
        let language = self.language();
        let pieces = language.choose(SvgPieces::Letters, SvgPieces::Kanji);
        BoardLook {
            language,
            notation: self.notation(),
            pieces: self.style.map_or(pieces, Style::pieces),
            title: self.title.as_deref(),
        }
    }

    /// Returns the graph of the evaluations in the comments of a game.
    fn graph(&self, record: &Record) -> EvaluationGraph {
        EvaluationGraph {
            language: self.language(),
            title: self.title.clone(),
            ..EvaluationGraph::new(game_points(record, self.notation()))
        }
    }

    fn language(&self) -> Language {
        self.appearance.language()
    }

    fn notation(&self) -> Notation {
        self.appearance.notation()
    }
}
