//! Working books: inputs, engines, policies, deletions, snapshots, logs, maintenance.

pub(super) mod import;
pub(super) mod log;
pub(super) mod maintenance;
pub(super) mod policy;
pub(super) mod prune;
pub(super) mod refresh;
pub(super) mod snapshot;
pub(super) mod sources;
pub(super) mod undo;
