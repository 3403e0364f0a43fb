//! The command `komadai`: one subcommand a program.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, Parser};
use clap_complete::Shell;
use komadai_console::{
    Output, Program, bad_usage, create_folder, exit_code, note, stdout, write_file,
};
use komadai_grow::GrowArgs;

use crate::analyse::AnalyseArgs;
use crate::arguments::subcommands;
use crate::board::BoardArgs;
use crate::book::BookArgs;
use crate::convert::ConvertArgs;
use crate::csa::CsaArgs;
use crate::engine::EngineArgs;
use crate::eval::EvalArgs;
use crate::kifu::KifuArgs;
use crate::ladder::LadderArgs;
use crate::match_worker::MatchWorkerArgs;
use crate::matches::MatchArgs;
use crate::net::NetArgs;
use crate::page::PageArgs;
use crate::perft::PerftArgs;
use crate::play::PlayArgs;
use crate::search::SearchArgs;
use crate::study::StudyArgs;
use crate::train::TrainArgs;
use crate::tsume::TsumeArgs;
use crate::tsume_check::TsumeCheckArgs;
use crate::tsume_make::TsumeMakeArgs;
use crate::tsume_mend::TsumeMendArgs;
use crate::tune::TuneArgs;
use crate::usi::UsiArgs;

/// Play shogi, grow opening books, analyse, convert and show games, play matches, explain
/// evaluations, solve tsume problems, train, run a USI engine.
#[derive(Debug, Parser)]
#[command(
    name = "komadai",
    version,
    after_help = "Example: komadai grow --out my_book --nodes 500000 games/\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub struct Komadai {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Grow(GrowArgs) => GrowArgs::run,
    Book(BookArgs) => BookArgs::run,
    Play(Box<PlayArgs>) => PlayArgs::run,
    Search(Box<SearchArgs>) => SearchArgs::run,
    Analyse(Box<AnalyseArgs>) => AnalyseArgs::run,
    Convert(ConvertArgs) => ConvertArgs::run,
    Board(Box<BoardArgs>) => BoardArgs::run,
    Page(Box<PageArgs>) => PageArgs::run,
    Kifu(KifuArgs) => KifuArgs::run,
    Match(Box<MatchArgs>) => MatchArgs::run,
    MatchWorker(MatchWorkerArgs) => MatchWorkerArgs::run,
    Ladder(LadderArgs) => LadderArgs::run,
    Tune(Box<TuneArgs>) => TuneArgs::run,
    Usi(UsiArgs) => UsiArgs::run,
    Csa(CsaArgs) => CsaArgs::run,
    Engine(EngineArgs) => EngineArgs::run,
    Eval(EvalArgs) => EvalArgs::run,
    Tsume(TsumeArgs) => TsumeArgs::run,
    TsumeCheck(TsumeCheckArgs) => TsumeCheckArgs::run,
    TsumeMake(TsumeMakeArgs) => TsumeMakeArgs::run,
    TsumeMend(TsumeMendArgs) => TsumeMendArgs::run,
    Perft(PerftArgs) => PerftArgs::run,
    Study(StudyArgs) => StudyArgs::run,
    Train(TrainArgs) => TrainArgs::run,
    Net(NetArgs) => NetArgs::run,
    Completions(CompletionsArgs) => print_completions,
    Man(ManArgs) => write_manual,
}

/// Print a script that completes the arguments of `komadai` in a shell, or install it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai completions bash --install\n  \
    komadai completions zsh > \"${fpath[1]}/_komadai\"\n\n\
    --install writes the file that the shell reads at its next start: for bash \
    ~/.local/share/bash-completion/completions/komadai, for fish \
    ~/.config/fish/completions/komadai.fish, for zsh ~/.zfunc/_komadai.")]
struct CompletionsArgs {
    /// The shell that runs the script.
    shell: Shell,
    /// Write the script to the place where the shell (bash, fish or zsh) reads it, and print its
    /// name; folders are created, and a former script is replaced.
    #[arg(long)]
    install: bool,
}

/// Write the manual pages of `komadai` and of all its subcommands.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai man ~/.local/share/man/man1")]
struct ManArgs {
    /// The folder for the pages; it is created if it does not exist.
    dir: PathBuf,
}

impl Komadai {
    /// Runs the subcommand.
    ///
    /// # Errors
    ///
    /// Returns the reason why the subcommand failed. A [`clap::Error`] means bad usage.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}

/// Runs the command `komadai` with the arguments of the process.
pub fn run() -> ExitCode {
    exit_code(|| Komadai::try_parse()?.run())
}

fn print_completions(arguments: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    // Generated in memory first, as the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Komadai::command(), "komadai", &mut script);
    if !arguments.install {
        Output::data().write_all(&script)?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = completions_path(arguments.shell)?;
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    write_file(&path, &script)?;
    writeln!(stdout(), "{}", path.display())?;
    if arguments.shell == Shell::Zsh {
        note!(
            "zsh reads it with these lines in ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the file that a shell reads when `komadai` is completed for the first time.
fn completions_path(shell: Shell) -> anyhow::Result<PathBuf> {
    let folder =
        |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || folder("HOME").context("the variable HOME is not set");
    Ok(match shell {
        Shell::Bash => match folder("XDG_DATA_HOME") {
            Some(data) => data,
            None => home()?.join(".local/share"),
        }
        .join("bash-completion/completions/komadai"),
        Shell::Fish => match folder("XDG_CONFIG_HOME") {
            Some(config) => config,
            None => home()?.join(".config"),
        }
        .join("fish/completions/komadai.fish"),
        Shell::Zsh => home()?.join(".zfunc/_komadai"),
        other => {
            return Err(bad_usage(format_args!(
                "--install knows bash, fish and zsh; `komadai completions {other}` prints the script"
            )));
        }
    })
}

fn write_manual(ManArgs { dir }: &ManArgs) -> anyhow::Result<ExitCode> {
    let cannot_write = || format!("cannot write manual pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(cannot_write)?;
    clap_mangen::generate_to(Komadai::command(), dir).with_context(cannot_write)?;
    writeln!(stdout(), "{}", dir.join("komadai.1").display())?;
    Ok(ExitCode::SUCCESS)
}
