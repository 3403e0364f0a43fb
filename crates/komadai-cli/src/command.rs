//! The command `komadai`: one subcommand a program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use komadai_console::{Output, Program, exit_code, stdout};
use komadai_grow::GrowArgs;

use crate::analyse::AnalyseArgs;
use crate::board::BoardArgs;
use crate::book::BookArgs;
use crate::convert::ConvertArgs;
use crate::csa::CsaArgs;
use crate::engine::EngineArgs;
use crate::eval::EvalArgs;
use crate::kifu::KifuArgs;
use crate::ladder::LadderArgs;
use crate::matches::MatchArgs;
use crate::page::PageArgs;
use crate::perft::PerftArgs;
use crate::train::TrainArgs;
use crate::tsume::TsumeArgs;
use crate::tsume_check::TsumeCheckArgs;
use crate::tsume_make::TsumeMakeArgs;
use crate::tsume_mend::TsumeMendArgs;

/// Grow opening books, analyse, convert and show games, play matches, explain evaluations, solve
/// tsume problems, train, run a USI engine.
#[derive(Debug, Parser)]
#[command(
    name = "komadai",
    version,
    after_help = "Example: komadai grow --out my_book --nodes 500000 games/\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
pub struct Komadai {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Grow(GrowArgs),
    Book(BookArgs),
    Analyse(Box<AnalyseArgs>),
    Convert(ConvertArgs),
    Board(Box<BoardArgs>),
    Page(Box<PageArgs>),
    Kifu(KifuArgs),
    Match(Box<MatchArgs>),
    Ladder(LadderArgs),
    Csa(CsaArgs),
    Engine(EngineArgs),
    Eval(EvalArgs),
    Tsume(TsumeArgs),
    TsumeCheck(TsumeCheckArgs),
    TsumeMake(TsumeMakeArgs),
    TsumeMend(TsumeMendArgs),
    Perft(PerftArgs),
    Train(TrainArgs),
    /// Print a script that completes the arguments of `komadai` in a shell.
    #[command(after_help = "Example: komadai completions bash > \
                            ~/.local/share/bash-completion/completions/komadai")]
    Completions {
        /// The shell that runs the script.
        shell: Shell,
    },
    /// Write the manual pages of `komadai` and of all its subcommands.
    #[command(after_help = "Example: komadai man ~/.local/share/man/man1")]
    Man {
        /// The folder for the pages; it is created if it does not exist.
        dir: PathBuf,
    },
}

impl Komadai {
    /// Runs the subcommand.
    ///
    /// # Errors
    ///
    /// Returns the reason why the subcommand failed. A [`clap::Error`] means bad usage.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Grow(program) => program.run(),
            Command::Book(program) => program.run(),
            Command::Analyse(program) => program.run(),
            Command::Convert(program) => program.run(),
            Command::Csa(program) => program.run(),
            Command::Board(program) => program.run(),
            Command::Page(program) => program.run(),
            Command::Kifu(program) => program.run(),
            Command::Match(program) => program.run(),
            Command::Ladder(program) => program.run(),
            Command::Engine(program) => program.run(),
            Command::Eval(program) => program.run(),
            Command::Tsume(program) => program.run(),
            Command::TsumeCheck(program) => program.run(),
            Command::TsumeMake(program) => program.run(),
            Command::TsumeMend(program) => program.run(),
            Command::Perft(program) => program.run(),
            Command::Train(program) => program.run(),
            Command::Completions { shell } => print_completions(*shell),
            Command::Man { dir } => write_manual(dir),
        }
    }
}

/// Runs the command `komadai` with the arguments of the process.
pub fn run() -> ExitCode {
    exit_code(|| Komadai::try_parse()?.run())
}

fn print_completions(shell: Shell) -> anyhow::Result<ExitCode> {
    // Generated in memory first, as the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Komadai::command(), "komadai", &mut script);
    Output::data().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

fn write_manual(dir: &Path) -> anyhow::Result<ExitCode> {
    let cannot_write = || format!("cannot write manual pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(cannot_write)?;
    clap_mangen::generate_to(Komadai::command(), dir).with_context(cannot_write)?;
    writeln!(stdout(), "{}", dir.join("komadai.1").display())?;
    Ok(ExitCode::SUCCESS)
}
