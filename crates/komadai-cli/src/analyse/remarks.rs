//! The analysis as comments of the record.

use komadai::analysis::game_analysis::{AnnotationForm, Judgement, OldAnalyses};
use komadai::core::Bound;
use komadai::kifu::{Comment, Record};
use komadai_console::format::grouped;

use super::game_text::{GameText, MoveText};
use super::language::Language;

/// Returns the record with the values and best lines as comments, and a comment in words on each move that is marked.
pub(super) fn annotated(text: &GameText<'_>, form: AnnotationForm, old: OldAnalyses) -> Record {
    let mut record = text.analysis.annotate(text.record, form, old);
    for row in &text.moves {
        let is_marked = row.ply.judgement >= Some(Judgement::Inaccuracy);
        let (Some(best), Some(_)) = (&row.best, row.ply.loss_cp) else { continue };
        let Some(played) = record.moves.get_mut(row.ply.ply - 1).filter(|_| is_marked) else {
            continue;
        };
        let loss = loss_in_words(text, row);
        let remarks = text.remarks(row);
        played.comments.push(Comment::Note(match text.language {
            Language::En => format!("{remarks}; best {best}, {loss}"),
            Language::Ja => format!("{remarks}　最善手 {best}　{loss}"),
        }));
    }
    record
}

/// Returns the loss by a move. Shift_JIS, the usual encoding of these records, has no sign for "at least".
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
