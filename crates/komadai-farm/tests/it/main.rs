//! The queue on a server of its own.

mod absence;
mod cluster;
mod contract;
mod cuts;
mod kills;
mod load;
mod plans;
mod privileges;
mod relay;
mod results;
mod schemas;
mod simulation;
mod tasks;
#[cfg(feature = "tls")]
mod tls;
