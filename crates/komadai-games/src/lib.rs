#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod date;
mod lead;
mod summary;
mod query;
mod results;
mod index;
mod explorer;

pub use date::{DateError, GameDate};
#[doc(alias("定跡", "戦型検索"))]
pub use explorer::OpeningTree;
pub use explorer::{OpeningTable, TreeOptions, TreePosition};
#[doc(alias("棋譜データベース", "索引"))]
pub use index::GameIndex;
pub use index::{
    BuildOptions, FileStamp, IndexBuilder, IndexError, IndexSize, IndexedFile, IndexedFiles,
};
pub use lead::{LeadError, MaterialLead};
#[doc(alias("局面検索", "棋譜検索"))]
pub use query::GameQuery;
pub use query::Hit;
pub use results::MoveResults;
pub use summary::GameSummary;
