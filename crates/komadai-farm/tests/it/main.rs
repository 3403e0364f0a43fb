//! The queue on a server of its own.

mod cluster;
mod contract;
mod kills;
mod privileges;
mod results;
mod schemas;
mod simulation;
