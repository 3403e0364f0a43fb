//! The client against servers in the same process.

mod faults;
mod games;
mod server;
