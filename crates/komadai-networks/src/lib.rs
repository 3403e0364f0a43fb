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

pub use accuracy::{Accuracy, NetworkAccuracy, PhaseAccuracy, USUAL_ODDS, accuracy};
pub use estimate::Estimate;
pub use explain::{NetworkExplanation, PieceWorth, explain};
pub use info::{Distribution, FileHeader, LayerStatistics, NetworkInfo, network_info};
pub use positions::{DataCounts, DataOptions, Phase, read_positions};
pub use scale::{NetworkScale, Recommendation, ScaleFit, network_scale};
