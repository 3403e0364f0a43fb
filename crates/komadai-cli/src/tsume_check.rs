//! Certificates of mates and of no mates: the check of files, and the proof of one position.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, ensure};
use clap::{ArgGroup, Args};
use komadai::Budget;
use komadai::problems::certificate::{Checked, certify, check};
use komadai::tsume::{DfPn, DfPnOptions, Goal, Results};
use komadai_base::file::open_regular;
use komadai_console::{Program, describe, note, stdout};

use crate::arguments::position::position_of;

/// Check certificates of mates and of no mates, or write one.
///
/// The check plays legal moves and tests for check; it uses no solver. Prints one line per file:
/// the file, the proven claim (`mate N` or `nomate`), the number of positions, and the position.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("input").required(true),
    after_help = "Example:\n  komadai tsume-check --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\" > proof.txt\n  \
                  komadai tsume-check proof.txt\n  \
                  proof.txt\tmate 1\tpositions=1\t4k4/9/4P4/9/9/9/9/9/9 b G 1\n\n\
                  Exit codes: 0 all accepted or one written, 1 some rejected or none written, 2 bad usage."
)]
pub struct TsumeCheckArgs {
    /// Certificates to check.
    #[arg(group = "input", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Solve this position and print its certificate, after a check.
    #[arg(long, group = "input")]
    sfen: Option<String>,
    /// With --sfen: prove the shortest mate instead of any.
    #[arg(long, conflicts_with = "files")]
    shortest: bool,
    /// With --sfen: maximum number of nodes of all searches together.
    #[arg(long, default_value = "20000000", conflicts_with = "files")]
    nodes: u64,
    /// Maximum number of positions of a certificate; each takes some 150 bytes of memory.
    #[arg(long, default_value = "1000000")]
    positions: usize,
}

impl Program for TsumeCheckArgs {
    const SUBCOMMAND: &'static str = "tsume-check";

    fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(sfen) = &self.sfen {
            return self.write(sfen);
        }
        let mut rejected = 0;
        for path in &self.files {
            match self.check(path) {
                Ok(Checked { position, claim, positions, .. }) => {
                    let path = path.display();
                    writeln!(stdout(), "{path}\t{claim}\tpositions={positions}\t{position}")?;
                }
                Err(error) => {
                    rejected += 1;
                    note!("{}", describe(&error));
                }
            }
        }
        if rejected > 0 {
            note!("{rejected} of {} certificates were rejected", self.files.len());
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl TsumeCheckArgs {
    fn check(&self, path: &Path) -> anyhow::Result<Checked> {
        let name = || path.display().to_string();
        let source = BufReader::new(open_regular(path).with_context(name)?);
        check(source, self.positions).with_context(name)
    }

    fn write(&self, sfen: &str) -> anyhow::Result<ExitCode> {
        let position = position_of(sfen).map_err(|error| anyhow!("--sfen {error}"))?;
        let goal = if self.shortest { Goal::ShortestMate } else { Goal::AnyMate };
        // The searches are of related positions.
        let options = DfPnOptions { goal, results: Results::Kept, ..DfPnOptions::default() };
        let mut solver = DfPn::new(options);
        let budget = Budget::nodes(self.nodes);
        let certificate = certify(&position, &mut solver, &budget, self.positions)?;
        let text = certificate.to_string();
        let checked = check(text.as_bytes(), self.positions)
            .context("the solver's certificate is rejected")?;
        ensure!(
            checked.position.same_placement(&position),
            "the certificate is of another position"
        );
        stdout().write_all(text.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}
