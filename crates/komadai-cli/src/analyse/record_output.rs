//! The record with the analysis as comments.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai::bookfile::atomic_file::write_atomically;
use komadai::engine::game_analysis::{AnnotationForm, Judgement, OldAnalyses};
use komadai::kifu::text::TextForm;
use komadai::kifu::{Comment, KifuFormat, Record};

use super::game_text::GameText;
use super::language::Language;
use super::options::AnalyseArgs;
use crate::arguments::record_format::{encoding_of, format_of};
use komadai_console::bad_usage;
use komadai_console::format::grouped;
use komadai_console::note;

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
        let old = match arguments.replace_evaluations {
            true => OldAnalyses::Replace,
            false => OldAnalyses::Keep,
        };
        Ok(Some(Self { path, format, form, old }))
    }

    /// Writes the record.
    pub(super) fn write(&self, text: &GameText<'_>) -> anyhow::Result<()> {
        let mut record = text.analysis.annotate(text.record, self.form, self.old);
        add_remarks(&mut record, text);
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

/// Adds a comment in words to each move that is marked.
fn add_remarks(record: &mut Record, text: &GameText<'_>) {
    for row in &text.moves {
        let is_marked = row.ply.judgement >= Some(Judgement::Inaccuracy);
        let (Some(best), Some(loss)) = (&row.best, row.ply.loss_cp) else { continue };
        let Some(played) = record.moves.get_mut(row.ply.ply - 1).filter(|_| is_marked) else {
            continue;
        };
        let loss = grouped(u64::from(loss.unsigned_abs()));
        let remarks = text.remarks(row);
        played.comments.push(Comment::Note(match text.language {
            Language::En => format!("{remarks}; best {best}, loss {loss}"),
            Language::Ja => format!("{remarks}　最善手 {best}　損失 {loss}"),
        }));
    }
}

/// Returns the format of the game that was read, if its file is no archive.
fn input_format(path: &Path) -> Option<KifuFormat> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(START).read_to_end(&mut start).ok()?;
    KifuFormat::detect(&start)
}
