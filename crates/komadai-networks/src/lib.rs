#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod estimate;
mod positions;
mod info;
mod accuracy;
mod scale;
mod explain;
mod conversion;
mod units;
mod castles;
mod entered_kings;
mod check;

pub use accuracy::{Accuracy, NetworkAccuracy, PhaseAccuracy, accuracy};
pub use castles::CastleJudgement;
pub use check::{NetworkCheck, SumCheck, Symmetry, check};
pub use conversion::{ConvertError, ConvertOptions, ConvertReport, NetworkForm, convert};
pub use entered_kings::EnteredKings;
pub use estimate::Estimate;
pub use explain::{NetworkExplanation, PieceWorth, explain};
pub use info::{Distribution, FileHeader, LayerStatistics, NetworkInfo, network_info};
pub use positions::{DataCounts, DataOptions, Phase, read_positions};
pub use scale::{NetworkScale, Recommendation, ScaleFit, network_scale};
pub use units::LayerUnits;
