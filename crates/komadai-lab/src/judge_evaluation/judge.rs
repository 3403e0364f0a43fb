//! Other engines, asked for the values of positions.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context as _;
use komadai::core::Bound;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::usi::{BestMove, EngineConfig, EngineProcess, Patience};

use crate::judge_evaluation::judge_kind::{JudgeKind, JudgeLimits};

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
