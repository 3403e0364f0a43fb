//! Tools for files of training records: any number of records in bounded memory.
//!
//! | | |
//! |---|---|
//! | [`Sources`], [`Input`], [`SourceRecord`], [`OnDamage`] | folders of training data and files in all formats, read on all processors |
//! | [`convert`], [`conversion_losses`] | another format, and what it does not keep |
//! | [`GameImport`], [`ImportOptions`], [`GameFilter`], [`GameDate`] | positions of game records with scores of engines |
//! | [`mix`], [`MixOptions`] | samples of several sources in given shares |
//! | [`validate`] | every damaged record and file, with its place and the reason |
//! | [`shuffle`], [`ShuffleOptions`] | a random order |
//! | [`deduplicate`], [`Sameness`] | every position once |
//! | [`filter`], [`Filter`], [`DropReason`] | the records that fulfil conditions |
//! | [`split`], [`SplitOptions`] | training and validation data without a common game |
//! | [`rescore`], [`RescoreOptions`] | new scores and best moves by a longer search or another evaluation |
//! | [`statistics()`], [`Statistics`] | counts, distributions, and results against scores |
//! | [`Damage`], [`Damaged`], [`Fault`], [`FaultKind`] | what is damaged |
//! | [`Output`], [`Existing`], [`Origin`] | a file that is complete or absent, and the note of its origin |
//! | [`Watch`], [`Progress`] | the progress of a tool, and its end by request |
//! | [`ToolError`] | the reasons why a tool fails |
//!
//! # Examples
//!
//! ```
//! use komadai_core::{Move, Position, Square};
//! use komadai_data::records::{PackedSfenValue, RecordResult};
//! use komadai_data::tools::{OnDamage, Sources, Watch, validate};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("games.psv");
//! let best = Some(Move::new(Square::S77, Square::S75));
//! let record = PackedSfenValue::new(&Position::hirate(), 35, best, RecordResult::Win)?;
//! std::fs::write(&file, record.to_bytes())?;
//!
//! let sources = Sources::find(&[file], OnDamage::Skip)?;
//! let found = validate(&sources, &mut Watch::none())?;
//! let text = found.damage.first()[0].to_string();
//! assert!(text.contains("games.psv: record 1 at byte 0: 7g7e is illegal: "), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fault;
mod data_version;
mod error;
mod damage;
mod watch;
mod origin;
mod input;
mod verification;
mod sources;
mod blocks;
mod reading;
mod output;
mod validate;
mod filter;
mod filtering;
mod games;
mod split;
mod joining;
mod convert;
mod import;
mod sameness;
mod buckets;
mod shuffle;
mod mix;
mod deduplicate;
mod statistics;
mod rescore;

pub use convert::{conversion_losses, convert};
pub use damage::{Damage, OnDamage};
pub use data_version::DataVersion;
pub use deduplicate::deduplicate;
pub use error::ToolError;
pub use fault::{Damaged, Fault, FaultKind};
pub use filter::{DropReason, Filter};
pub use filtering::filter;
pub use import::{GameDate, GameDateError, GameFilter, GameImport, ImportOptions};
pub use input::Input;
pub use mix::{MixOptions, mix};
pub use origin::{InputOrigin, Origin};
pub use output::{Existing, Output};
pub use reading::SourceRecord;
pub use rescore::{RescoreOptions, rescore};
pub use sameness::Sameness;
pub use shuffle::{ShuffleOptions, shuffle};
pub use sources::Sources;
pub use split::{SplitOptions, split};
pub use statistics::{
    Calibration, CalibrationBin, DuplicateEstimate, GameStatistics, Histogram, PositionStatistics,
    ResultCounts, ScoreStatistics, Statistics, statistics,
};
pub use validate::{FileCheck, Validation, validate};
pub use watch::{Progress, Watch};
