#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`FarmUrl`], [`UrlError`] | the address of a queue |
//! | [`Schema`], [`Upgraded`], [`SCHEMA_VERSION`] | the tables, functions and roles of a queue on the server |
//! | [`FarmQueue`] | the queue for workers and for the coordinator |
//! | [`Relay`], [`RelayReport`], [`SpoolError`] | a queue for the threads of one process, with a stock of jobs and a spool of results |
//! | [`FarmStatus`], [`WorkerStatus`], [`FailureReport`] | the state of a queue for people |
//! | [`NewTask`], [`LeasedTask`], [`TaskLease`], [`PlannedTask`], [`TaskState`] | work of minutes to hours beside the analysis of positions |
//! | [`wire`] | results as bytes |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod url;
mod error;
mod connect;
#[cfg(feature = "tls")]
mod tls;
mod schema;
mod link;
pub mod wire;

mod farm_queue;
mod workers;
mod status;
mod coordinator;
mod task;
mod task_queue;

mod stock;
mod spool;
mod relay;

pub use farm_queue::FarmQueue;
pub use relay::{Relay, RelayReport};
pub use schema::{SCHEMA_VERSION, Schema, Upgraded};
pub use spool::SpoolError;
pub use status::{FailureReport, FarmStatus, WorkerStatus};
pub use task::{LeasedTask, MAX_REPORT, NewTask, PlannedTask, TaskCounts, TaskLease, TaskState};
pub use url::{FarmUrl, UrlError};
