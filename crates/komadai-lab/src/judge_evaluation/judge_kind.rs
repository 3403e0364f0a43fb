//! The engines that can judge, and their settings.

use std::str::FromStr;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use komadai::usi::{ClockTimes, GoLimits};

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
