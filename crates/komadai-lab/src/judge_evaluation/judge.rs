//! Other engines, asked for the values of positions.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use komadai::core::Bound;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::usi::{BestMove, ClockTimes, EngineConfig, EngineProcess, GoLimits, Patience};

/// The name of a judge and its program.
#[derive(Debug, Clone)]
pub(crate) struct JudgeProgram {
    pub(crate) kind: JudgeKind,
    program: PathBuf,
}

impl FromStr for JudgeProgram {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (name, program) = text
            .split_once('=')
            .with_context(|| format!("found {text:?}, expected NAME=PROGRAM"))?;
        Ok(Self { kind: name.parse()?, program: program.into() })
    }
}

/// The answer of a judge about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Opinion {
    /// The value for the side to move, in the judge's own scale; mates are ±30,000.
    pub(crate) value: i32,
    /// The best move, `None` for a resignation or a declaration.
    pub(crate) best: Option<Move>,
}

/// A judge that can be asked.
pub(crate) enum Judge {
    Process { kind: JudgeKind, engine: Box<EngineProcess> },
    Own(Box<AlphaBeta<Classical>>),
}

impl Judge {
    pub(crate) fn launch(judge: &JudgeProgram, limits: &JudgeLimits) -> anyhow::Result<Self> {
        let config = match judge.kind {
            JudgeKind::Komadai => {
                let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
                return Ok(Self::Own(Box::new(AlphaBeta::new(Classical::default(), options))));
            }
            // GPSshogi does not flush its answers.
            JudgeKind::Gps => {
                let arguments = [OsStr::new("-oL"), judge.program.as_os_str()];
                let depth = limits.gps_depth.to_string();
                EngineConfig::new("stdbuf")
                    .with_arguments(arguments)
                    .with_option("LimitDepth", depth)
            }
            JudgeKind::Yaneuraou | JudgeKind::Fairy => EngineConfig::new(&judge.program),
        };
        let options = judge.kind.options().iter();
        let config =
            options.fold(config, |config, (name, value)| config.with_option(*name, *value));
        let patience = Patience { launch: Duration::from_secs(60), ..Patience::default() };
        let engine = Box::new(EngineProcess::launch(EngineConfig { patience, ..config })?);
        Ok(Self::Process { kind: judge.kind, engine })
    }

    /// Returns the last exact value of a search with empty tables, so that answers do not depend on
    /// earlier questions. A search without an exact value counts with its last bound.
    pub(crate) fn ask(
        &mut self,
        position: &Position,
        limits: &JudgeLimits,
    ) -> anyhow::Result<Opinion> {
        let (mut exact, mut any) = (None, None);
        let mut note = |score: Score, bound| {
            any = Some(score);
            if bound == Bound::Exact {
                exact = Some(score);
            }
        };
        let best = match self {
            Self::Process { kind, engine } => {
                engine.new_game()?;
                let limits = kind.limits(limits);
                let answer = engine.go(position, &limits, &Budget::unlimited(), &mut |info| {
                    if let Some(score) = info.score {
                        note(score, info.bound);
                    }
                })?;
                match answer.best {
                    BestMove::Move { best, .. } => Some(best),
                    _ => None,
                }
            }
            Self::Own(searcher) => {
                searcher.new_game();
                let found = searcher.search(position, &Budget::nodes(limits.nodes), &mut |_| {});
                // From the worst line to the best, whose value counts.
                found.lines.iter().rev().for_each(|line| note(line.score, line.bound));
                found.best_move()
            }
        };
        let score = exact.or(any).context("the judge reported no value")?;
        Ok(Opinion { value: score.to_cp().unwrap_or(30_000 * score.raw().signum()), best })
    }
}

/// An engine whose settings are known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum JudgeKind {
    /// YaneuraOu with the evaluation MATERIAL 9.
    Yaneuraou,
    /// Fairy-Stockfish, variant shogi.
    Fairy,
    /// GPSshogi.
    Gps,
    /// The search of this project with the built-in evaluation; its program is `built-in`.
    Komadai,
}

impl JudgeKind {
    /// The engines of others.
    pub(crate) const OTHERS: [Self; 3] = [Self::Yaneuraou, Self::Fairy, Self::Gps];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Yaneuraou => "yaneuraou",
            Self::Fairy => "fairy",
            Self::Gps => "gps",
            Self::Komadai => "komadai",
        }
    }

    /// The value by which this judge's figures are divided to compare them with centipawns.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Self::Yaneuraou | Self::Fairy | Self::Komadai => 1.0,
            // A pawn in hand is worth 281 of its units in the start position.
            Self::Gps => 2.8,
        }
    }

    pub(crate) fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Yaneuraou => &[
                ("Threads", "1"),
                ("USI_Hash", "64"),
                ("BookFile", "no_book"),
                ("NetworkDelay", "0"),
                ("NetworkDelay2", "0"),
            ],
            Self::Fairy => &[("Threads", "1"), ("UCI_Variant", "shogi")],
            Self::Gps => &[("BookDepth", "0"), ("Thread", "1")],
            Self::Komadai => &[],
        }
    }

    /// Returns the limits of a question.
    pub(crate) fn limits(self, limits: &JudgeLimits) -> GoLimits {
        match self {
            Self::Yaneuraou | Self::Fairy | Self::Komadai => GoLimits::nodes(limits.nodes),
            Self::Gps => {
                GoLimits::clock(ClockTimes::byoyomi(Duration::from_secs(limits.gps_seconds)))
            }
        }
    }
}

impl FromStr for JudgeKind {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        let mut known = Self::OTHERS.into_iter().chain([Self::Komadai]);
        known.find(|kind| kind.name() == name).ok_or_else(|| {
            anyhow!("found judge {name:?}, expected yaneuraou, fairy, gps or komadai")
        })
    }
}

/// The limits of a question.
#[derive(Debug, Clone, Args)]
pub(crate) struct JudgeLimits {
    /// Number of nodes per question.
    #[arg(long, default_value_t = 200_000)]
    pub(crate) nodes: u64,
    /// Depth of GPSshogi, which has no limit of nodes.
    #[arg(long, default_value_t = 5)]
    pub(crate) gps_depth: u32,
    /// Largest time of GPSshogi per question in seconds; it may look for mates for long.
    #[arg(long, default_value_t = 60)]
    gps_seconds: u64,
}
