//! The rules of the workspace that no compiler checks, a module a group of rules.

mod aliases;
mod copies;
mod file_access;
mod interfaces;
mod layering;
mod modules;
mod prose;
mod publishing;
