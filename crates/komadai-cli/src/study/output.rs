//! The options that all studies have, and the files that they write.

use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum};
use komadai::core::Language;
use komadai_console::{create_folder, print_json, stdout, stop_on_interrupt, threads, write_file};
use komadai_study::{Findings, Source, to_json};
use serde_json::json;

/// The form of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One file that needs no network.
    Html,
    /// Markdown.
    Md,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// English.
    En,
    /// Japanese.
    Ja,
}

/// The page of a study.
#[derive(Debug, Args)]
pub(super) struct Output {
    /// Folder for the page, the measured numbers and the work of the study.
    #[arg(long, value_name = "DIR", default_value = "study")]
    pub(super) out: PathBuf,
    /// Measured numbers of an earlier run (NAME.tsv): nothing is measured.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Form of the page.
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    /// Language of the page.
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// Print one JSON object with all numbers and claims, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Number of threads; by default that of the processors. It changes no number.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

impl Output {
    pub(super) fn threads(&self) -> NonZero<usize> {
        threads(self.threads)
    }

    /// Reads the numbers or measures them, and writes the page. `measure` gets the flag of Ctrl-C.
    pub(super) fn write(
        &self,
        source: Source,
        measure: impl FnOnce(&Arc<AtomicBool>) -> anyhow::Result<Findings>,
    ) -> anyhow::Result<ExitCode> {
        let mut files = Vec::new();
        let findings = match &self.data {
            Some(path) => Findings::read(path, source.name())
                .map_err(|error| anyhow::Error::new(error).context(path.display().to_string()))?,
            None => {
                create_folder(&self.out)?;
                let findings = measure(&stop_on_interrupt()?)?;
                let path = self.out.join(format!("{}.tsv", source.name()));
                write_file(&path, findings.to_text())?;
                files.push(path);
                findings
            }
        };
        let language = match self.lang {
            Lang::En => Language::English,
            Lang::Ja => Language::Japanese,
        };
        let page = source.page(&findings);
        let (text, ending) = match self.format {
            Format::Html => (page.html(language), "html"),
            Format::Md => (page.markdown(language), "md"),
        };
        create_folder(&self.out)?;
        let infix = language.choose("", ".ja");
        let path = self.out.join(format!("{}{infix}.{ending}", source.name()));
        write_file(&path, &text)?;
        files.push(path);
        if self.json {
            let mut object = to_json(&page, &findings, language);
            let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            object["files"] = json!(names);
            print_json(&object)?;
        } else {
            let mut out = stdout();
            writeln!(out, "{}", page.summary(language))?;
            for path in &files {
                writeln!(out, "{}", path.display())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The command that a page names: the options that differ from their defaults.
#[derive(Debug)]
pub(super) struct CommandLine(String);

impl CommandLine {
    pub(super) fn new(source: Source) -> Self {
        Self(format!("komadai study {}", source.name()))
    }

    /// Adds an option if its value is not the default.
    pub(super) fn with<T: PartialEq + ToString>(
        mut self,
        name: &str,
        value: &T,
        default: &T,
    ) -> Self {
        if value != default {
            self.0 += &format!(" --{name} {}", value.to_string());
        }
        self
    }

    /// Adds the names of files without their folders.
    pub(super) fn with_files(mut self, name: &str, files: &[PathBuf]) -> Self {
        for file in files {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            self.0 += &format!(" --{name} {file}");
        }
        self
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }
}
