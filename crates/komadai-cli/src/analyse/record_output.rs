//! The record with the analysis as comments.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::analysis::game_analysis::{AnnotationForm, Judgement, OldAnalyses};
use komadai::core::Bound;
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{Comment, KifuFormat, Record};
use komadai_base::file::open_regular;
use komadai_console::{bad_usage, check_is_new, grouped, note, write_file};

use super::game_text::{GameText, MoveText};
use super::language::Language;
use super::options::AnalyseArgs;
use crate::arguments::record::format_of;

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
        check_is_new(&path, arguments.force)?;
        let format = format_of(&path).or_else(|| match arguments.demo {
            true => Some(KifuFormat::Csa),
            false => input_format(arguments.game_file()),
        });
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
        let form = TextForm::new(TextEncoding::of_path(&self.path, self.format));
        let bytes = form.encode(&written).with_context(place)?;
        write_file(&self.path, &bytes)?;
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

/// Returns the record with the values and best lines as comments, and a comment in words on each
/// move that is marked, has a name as a tesuji, or threatens or parries mate.
pub(super) fn annotated(text: &GameText<'_>, form: AnnotationForm, old: OldAnalyses) -> Record {
    let mut record = text.analysis.annotate(text.record, form, old);
    for row in &text.moves {
        let is_marked = row.ply.judgement >= Some(Judgement::Inaccuracy);
        let Some(played) = record.moves.get_mut(row.ply.ply - 1) else { continue };
        if !is_marked {
            let names = text.names(&row.tesuji);
            played.comments.extend((!names.is_empty()).then_some(Comment::Note(names)));
            continue;
        }
        let (Some(best), Some(_)) = (&row.best, row.ply.loss_cp) else { continue };
        let loss = loss_in_words(text, row);
        let remarks = text.remarks(row);
        played.comments.push(Comment::Note(match text.language {
            Language::En => format!("{remarks}; best {best}, {loss}"),
            Language::Ja => format!("{remarks}　最善手 {best}　{loss}"),
        }));
    }
    if text.has_threats {
        add_threats(text, &mut record);
    }
    record
}

/// Adds the threats of mate and the defences, with their proofs, as comments in words.
fn add_threats(text: &GameText<'_>, record: &mut Record) {
    for row in &text.moves {
        let Some(played) = record.moves.get_mut(row.ply.ply - 1) else { continue };
        played.comments.extend(text.threats(row).into_iter().map(Comment::Note));
    }
}

/// Returns the loss by a move. Shift_JIS, the usual encoding of these records, has no sign for "at
/// least".
fn loss_in_words(text: &GameText<'_>, row: &MoveText<'_>) -> String {
    let loss = grouped(row.ply.loss_cp.map_or(0, |loss| u64::from(loss.unsigned_abs())));
    match (row.ply.loss_bound, text.language) {
        (Bound::Exact, Language::En) => format!("loss {loss}"),
        (Bound::Exact, Language::Ja) => format!("損失 {loss}"),
        (Bound::Lower, Language::En) => format!("loss {loss} or more"),
        (Bound::Lower, Language::Ja) => format!("損失 {loss}以上"),
        (Bound::Upper, Language::En) => format!("loss {loss} or less"),
        (Bound::Upper, Language::Ja) => format!("損失 {loss}以下"),
    }
}
