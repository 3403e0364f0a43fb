//! The queue on a server of its own.

mod absence;
mod cluster;
mod contract;
mod kills;
mod load;
mod plans;
mod privileges;
mod results;
mod schemas;
mod simulation;
