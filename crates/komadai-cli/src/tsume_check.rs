//! Certificates of mates and of no mates: the check of files, and the proof of one position.

use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, ensure};
use clap::{ArgGroup, Args};
use komadai::Budget;
use komadai::core::Language;
use komadai::problems::certificate::{CertificateError, Checked, certify, check};
use komadai::tsume::{DfPn, DfPnOptions, Goal, Results};
use komadai_base::file::open_regular;
use komadai_console::{LanguageArgs, Program, describe, note, stdout};

use crate::arguments::position::position_of;

/// Check certificates of mates and of no mates, or write one.
///
/// The check plays legal moves and tests for check; it uses no solver. Prints one line per file:
/// the file, the proven claim (`mate N` or `nomate`), the number of positions, and the position. On a
/// terminal, or with --lang, claims and faults are in words.
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
    #[command(flatten)]
    language: LanguageArgs,
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
                Ok(checked) => self.print(path, &checked)?,
                Err(error) => {
                    rejected += 1;
                    note!("{}", self.fault(path, &error));
                }
            }
        }
        if rejected > 0 {
            let all = self.files.len();
            let language = self.words().unwrap_or_default();
            note!(
                "{}",
                language.choose(
                    format!("{rejected} of {all} certificates were rejected"),
                    format!("証明 {all} のうち {rejected} を退けた"),
                )
            );
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl TsumeCheckArgs {
    /// Returns the language of the words; `None` for the lines that programs read.
    fn words(&self) -> Option<Language> {
        let of_terminal = || io::stdout().is_terminal().then(|| self.language.language());
        self.language.given().or_else(of_terminal)
    }

    fn print(&self, path: &Path, checked: &Checked) -> anyhow::Result<()> {
        let Checked { position, claim, positions, .. } = checked;
        let (path, mut out) = (path.display(), stdout());
        match self.words() {
            None => writeln!(out, "{path}\t{claim}\tpositions={positions}\t{position}")?,
            Some(language) => {
                let claim = claim.text(language);
                let text = language.choose(
                    format!("{path}: {claim} (positions of the proof: {positions}): {position}"),
                    format!("{path}：{claim}（証明の局面 {positions}）：{position}"),
                );
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }

    /// Returns the fault of a file in words.
    fn fault(&self, path: &Path, error: &anyhow::Error) -> String {
        let language = self.words().unwrap_or_default();
        match error.downcast_ref::<CertificateError>() {
            Some(fault) if language == Language::Japanese => {
                format!("{}：{}", path.display(), fault.text(language))
            }
            _ => describe(error),
        }
    }

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
        let language = self.words().unwrap_or_default();
        let certificate = certify(&position, &mut solver, &budget, self.positions)
            .map_err(|error| anyhow!("{}", error.text(language)))?;
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
