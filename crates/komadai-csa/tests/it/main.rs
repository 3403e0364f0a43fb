//! The client against servers in the same process.

mod broken_off;
mod comments;
mod faults;
mod games;
mod server;
mod sessions;
