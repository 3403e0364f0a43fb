//! A game against an engine in the terminal.

mod adviser;
mod command;
mod game;
mod options;
mod session;
mod words;

use std::process::ExitCode;

use komadai_console::Program;

pub use options::PlayArgs;
use session::Session;

impl Program for PlayArgs {
    const SUBCOMMAND: &'static str = "play";

    fn run(&self) -> anyhow::Result<ExitCode> {
        Session::new(self)?.run()
    }
}
