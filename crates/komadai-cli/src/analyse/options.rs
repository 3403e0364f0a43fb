//! The arguments of the command.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{ArgAction, Args};
use komadai::analysis::game_analysis::{Effort, GameAnalyst};
use komadai::kifu::Notation;
use komadai_console::{Appearance, threads};

use super::language::Language;
use crate::arguments::duration::seconds;
use crate::arguments::engine::{Engine, read_option};

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// Analyse a game: value, best move and loss of every move.
///
/// Analyses every position on all cores with the embedded engine, or with a USI engine, and prints
/// a table of the moves, the numbers of both sides and the course of the game. Values are
/// centipawns for Black (先手) after the move. A move is marked by the probability of winning that it
/// loses: ?! from 5 points on, ? from 10, ?? from 20. Mates, threats of mate (詰めろ) and moves that
/// parry one (受け) are proven by the mate solver.
#[derive(Debug, Args)]
#[command(
    alias = "analyze",
    after_help = "Examples:\n  \
    komadai analyse --demo --html game.html\n  \
    komadai analyse game.kif --lang ja --record analysed.kif\n  \
    komadai analyse game.kif --html game.html --graph graph.svg\n  \
    komadai analyse game.kif --threats --html game.html\n  \
    komadai analyse game.kif --quiz quiz.html\n  \
    komadai analyse game.csa --engine ./other --seconds 1 --explain\n  \
    komadai analyse games/ --out pages --memory analyses.kbook\n\n\
    The record may be CSA, KIF, KI2, JKF, or games in USI, also within .gz, .zip and .7z.\n\
    With --nodes and the embedded engine, the result is the same for any number of threads.\n\
    Exit codes: 0 analysed, 1 failed or moves of the game were left out, 2 bad usage, \
    130 stopped by Ctrl-C."
)]
pub struct AnalyseArgs {
    /// File with the game; with --out a file, an archive or a folder of games.
    #[arg(value_name = "GAME", required_unless_present = "demo")]
    game_file: Option<PathBuf>,
    /// Analyse a bundled game in place of a file: a final of the World Computer Shogi Championship.
    #[arg(long, conflicts_with_all = ["game_file", "game", "out"])]
    pub(super) demo: bool,
    /// Number of the game, from 1, if the file has several.
    #[arg(long = "game", value_name = "N")]
    pub(super) game: Option<NonZero<usize>>,
    /// First move to analyse.
    #[arg(long, value_name = "PLY", default_value = "1")]
    pub(super) from: NonZero<usize>,
    /// Last move to analyse; by default the last of the game.
    #[arg(long, value_name = "PLY")]
    pub(super) to: Option<NonZero<usize>>,
    /// Skip and name faults of the record instead of refusing it.
    #[arg(long)]
    pub(super) lenient: bool,

    /// About the nodes for each position: a search ends with the iteration that reaches them, so
    /// that its value is exact, or at four times as many.
    #[arg(long, default_value_t = GameAnalyst::DEFAULT_NODES, conflicts_with = "seconds")]
    pub(super) nodes: u64,
    /// Seconds for each position.
    #[arg(long, value_parser = seconds)]
    seconds: Option<Duration>,
    /// Nodes of the mate solver for each of its two questions about a position; 0 for no mate
    /// solver.
    #[arg(long, default_value_t = 20_000, value_name = "NODES")]
    mate_nodes: u64,
    /// Mark two-move threats (二手スキ) as well, and write the proof of every threat of mate and
    /// defence (受け) below the table, on the page and into the record. The mate solver gets
    /// --mate-nodes once more for each position.
    #[arg(long)]
    pub(super) threats: bool,
    /// Number of positions analysed at the same time; by default one per core.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Command of a USI engine; by default the embedded engine. An engine that does not know
    /// `go nodes`, such as gpsusi, needs --seconds.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// USI option of that engine.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option, requires = "engine")]
    engine_option: Vec<(String, String)>,

    /// Working book (.kbook) as the memory of all analyses: positions that this engine has analysed with
    /// as many nodes are taken from it, others are added, each when it is finished. It is created if
    /// it does not exist.
    #[arg(long, value_name = "BOOK")]
    pub(super) memory: Option<PathBuf>,

    /// Write the record with the values and best lines as comments: floodgate's in CSA, ShogiHome's
    /// in KIF, KI2 and JKF. The ending decides the format; any other ending stands for the format
    /// of the game.
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Write the graph of the values as an SVG picture.
    #[arg(long, value_name = "FILE")]
    pub(super) graph: Option<PathBuf>,
    /// Write an HTML page in which the game can be replayed with board, graph, values and best
    /// lines.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Write an HTML page of next-move quizzes (次の一手) from the game: at most 12 positions in which
    /// one move is clearly better than the second, where the player made a mistake or found the
    /// only move. They are searched again for three lines.
    #[arg(long, value_name = "FILE")]
    pub(super) quiz: Option<PathBuf>,
    /// Write a page for each game of a file, an archive or a folder into this folder, and
    /// `index.html` with the players, results and losses. Pages that exist are kept, so that the
    /// same command continues where it was stopped.
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["game", "record", "graph", "html", "quiz", "explain", "pv", "json"])]
    pub(super) out: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    pub(super) force: bool,
    /// Remove evaluations that are in the comments already; without it they are kept before the new
    /// ones.
    #[arg(long, requires = "record")]
    pub(super) replace_evaluations: bool,

    /// Explain mistakes and blunders: the terms of the classical evaluation in which the line
    /// played is worse.
    #[arg(long)]
    pub(super) explain: bool,
    /// Print the expected lines as well.
    #[arg(long)]
    pub(super) pv: bool,
    /// Print one JSON document instead of the table.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    appearance: Appearance,
    /// Print no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl AnalyseArgs {
    /// Returns the file with the game; the bundled one is called `demo.csa`.
    pub(super) fn game_file(&self) -> &Path {
        self.game_file.as_deref().unwrap_or(Path::new("demo.csa"))
    }

    pub(super) fn language(&self) -> Language {
        self.appearance.language().into()
    }

    pub(super) fn notation(&self) -> Notation {
        self.appearance.notation()
    }

    pub(super) fn effort(&self) -> Effort {
        self.seconds.map_or(Effort::Nodes(self.nodes), Effort::Time)
    }

    /// Returns the number of positions analysed at the same time.
    pub(super) fn threads(&self) -> NonZero<usize> {
        threads(self.threads)
    }

    /// Returns the analyst, with its engines started.
    pub(super) fn analyst(&self) -> anyhow::Result<GameAnalyst> {
        let mut analyst = match &self.engine {
            None => GameAnalyst::embedded(self.threads()),
            Some(command) => {
                let engine = Engine::new(command, &self.engine_option, PATIENCE)?;
                let Engine::Process(config) = engine else {
                    bail!(
                        "--engine {command:?}: expected a program; the embedded engine analyses without --engine"
                    );
                };
                GameAnalyst::usi(&config, self.threads())
                    .with_context(|| format!("--engine {command:?}"))?
            }
        };
        let last = self.to.map_or(usize::MAX, NonZero::get);
        analyst.effort = self.effort();
        analyst.mate_nodes = self.mate_nodes;
        analyst.two_move_nodes = if self.threats { self.mate_nodes } else { 0 };
        analyst.plies = self.from.get()..=last;
        Ok(analyst)
    }
}
