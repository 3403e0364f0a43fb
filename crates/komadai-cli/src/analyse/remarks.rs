//! The analysis as comments of the record.

use komadai::engine::game_analysis::{AnnotationForm, Judgement, OldAnalyses};
use komadai::kifu::{Comment, Record};

use super::game_text::GameText;
use super::language::Language;
use komadai_console::format::grouped;

/// Returns the record with the values and best lines as comments, and a comment in words on each move that is marked.
pub(super) fn annotated(text: &GameText<'_>, form: AnnotationForm, old: OldAnalyses) -> Record {
    let mut record = text.analysis.annotate(text.record, form, old);
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
    record
}
