//! The command `komadai` as its users run it.

mod board;
mod analyse;
mod book_cli;
mod book_loop;
mod book_matrix;
mod book_next;
mod book_report;
mod closed_pipes;
mod command;
mod convert;
mod csa;
mod eval;
#[cfg(target_os = "linux")]
mod farm;
mod faulty_records;
mod folders;
mod foreign_text;
mod grow_book;
#[cfg(unix)]
mod interrupts;
mod kifu_search;
mod kifu_stats;
mod ladder;
mod live_pages;
mod match_engines;
mod net;
mod page;
mod play;
mod positions;
mod search;
mod record_sources;
#[cfg(target_os = "linux")]
mod special_files;
mod study;
mod train;
#[cfg(target_os = "linux")]
mod train_farm;
mod tsume;
mod tsume_check;
mod tsume_compose;
mod tune;
mod usi_check;

use std::process::{Child, Command};

/// Returns the installed command with the name of a program.
fn komadai(program: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    command.arg(program);
    command
}

/// Returns output as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// A running program that does not outlive a test that fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the program has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
