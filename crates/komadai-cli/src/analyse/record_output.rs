//! The record with the analysis as comments.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai::analysis::game_analysis::{AnnotationForm, OldAnalyses};
use komadai::kifu::KifuFormat;
use komadai::kifu::text::TextForm;
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::open_regular;
use komadai_console::bad_usage;
use komadai_console::note;

use super::game_text::GameText;
use super::options::AnalyseArgs;
use super::remarks::annotated;
use crate::arguments::record_format::{encoding_of, format_of};

/// Number of bytes from which the format of the input is found.
const START: u64 = 1 << 16;

/// A record to write.
pub(super) struct RecordOutput {
    path: PathBuf,
    format: KifuFormat,
    form: AnnotationForm,
    old: OldAnalyses,
}

impl RecordOutput {
    /// Returns the output that the arguments ask for, `None` if they ask for none.
    pub(super) fn new(arguments: &AnalyseArgs) -> anyhow::Result<Option<Self>> {
        let Some(path) = arguments.record.clone() else { return Ok(None) };
        ensure!(
            arguments.force || !path.exists(),
            "{} exists; --force replaces it",
            path.display()
        );
        let format = format_of(&path).or_else(|| input_format(&arguments.game_file));
        let format = format.with_context(|| {
            format!(
                "{}: expected the ending .csa, .kif, .kifu, .ki2, .ki2u or .jkf",
                path.display()
            )
        })?;
        let form = AnnotationForm::of(format).ok_or_else(|| {
            bad_usage(format_args!(
                "--record {}: {format:?} has no comments; expected .csa, .kif, .kifu, .ki2, .ki2u or .jkf",
                path.display()
            ))
        })?;
        let old =
            if arguments.replace_evaluations { OldAnalyses::Replace } else { OldAnalyses::Keep };
        Ok(Some(Self { path, format, form, old }))
    }

    /// Writes the record.
    pub(super) fn write(&self, text: &GameText<'_>) -> anyhow::Result<()> {
        let record = annotated(text, self.form, self.old);
        let place = || self.path.display().to_string();
        let written = record.to_text(self.format).with_context(place)?;
        let form = TextForm::new(encoding_of(&self.path, self.format));
        let bytes = form.encode(&written).with_context(place)?;
        write_atomically(&self.path, |out| out.write_all(&bytes))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        note!("{}: written", self.path.display());
        Ok(())
    }
}

/// Returns the format of the game that was read, if its file is no archive.
fn input_format(path: &Path) -> Option<KifuFormat> {
    let mut start = Vec::new();
    open_regular(path).ok()?.take(START).read_to_end(&mut start).ok()?;
    KifuFormat::detect(&start)
}
