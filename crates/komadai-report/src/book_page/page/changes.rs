//! The section on changed values.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_core::{Language, Move, Position};

use super::html::{Page, folded_sfen, place, shortened, shown_with};
use crate::book_page::value_changes::{ValueChange, ValueChanges};
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let Some(changes) = &working.changes else { return Ok(()) };
    let since = shortened(&changes.since);
    let since = Escaped(&since);
    let heading = page.say(
        format!("Values that have changed since “{since}”"),
        format!("「{since}」からの評価値の変化"),
    );
    writeln!(out, "<section>\n<h2>{heading}</h2>\n<p>{}</p>", counts(changes, page.language()))?;
    if !changes.biggest.is_empty() {
        write_table(page, &changes.biggest, out)?;
    }
    writeln!(out, "</section>")
}

fn counts(changes: &ValueChanges, language: Language) -> String {
    let ValueChanges { compared, changed, gained, lost, .. } = *changes;
    let differ = changed + gained + lost > 0;
    let [compared, changed, gained, lost] = [compared, changed, gained, lost].map(grouped);
    match (language, differ) {
        (Language::English, false) => format!("None of {compared} values differs."),
        (Language::Japanese, false) => format!("{compared} の評価値はすべて同じです。"),
        (Language::English, true) => format!(
            "Of {compared} positions that had a value then, {changed} have another one now. {gained} \
             have one that had none, and {lost} have lost theirs. Shown are the positions where changes \
             originate; positions that only pass them on are omitted."
        ),
        (Language::Japanese, true) => format!(
            "当時評価値のあった {compared} 局面のうち {changed} 局面で値が変わりました。新たに値がついた局面は \
             {gained}、値を失った局面は {lost} です。表は変化の起点となる局面だけで、それを伝えるだけの局面は\
             省いています。"
        ),
    }
}

fn write_table(page: &Page<'_>, biggest: &[ValueChange], out: &mut dyn Write) -> io::Result<()> {
    let heads = page.say(
        ["position", "value before", "value now", "best before", "best now"],
        ["局面", "前の値", "今の値", "前の最善手", "今の最善手"],
    );
    let heads = heads.map(|head| format!("<th>{head}</th>")).join("");
    writeln!(out, "<div class=\"scroll\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>")?;
    for (number, change) in biggest.iter().enumerate() {
        let words = page.words();
        let (before, after) = (words.value(change.before), words.value(change.after));
        let names = page.names();
        let text = format!("{before} → {after}");
        let arrows: Vec<Move> = change.best_after.into_iter().collect();
        let row = place(&format!("change-{}", number + 1), &change.position, &arrows, &text);
        writeln!(
            out,
            "<tr{row}><th>{}</th><td>{before}</td><td>{after}</td><td>{}</td><td>{}</td></tr>",
            way(page, change, &arrows, &text),
            names.of_some(&change.position, change.best_before),
            names.of_some(&change.position, change.best_after),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}

/// Returns the moves that lead to a position, or its number of moves where they are not known, and
/// the position, folded.
fn way(page: &Page<'_>, change: &ValueChange, arrows: &[Move], text: &str) -> String {
    let position: &Position = &change.position;
    let way = match change.line.as_deref() {
        Some([]) => page.say("the start", "開始局面").to_owned(),
        Some(line) => {
            let arrows: Vec<String> = arrows.iter().map(ToString::to_string).collect();
            page.line(line, &shown_with(&arrows.join(" "), &Escaped(text)))
        }
        None => page.say(
            format!("a position at move {}", position.ply()),
            format!("{}手目の局面", position.ply()),
        ),
    };
    way + &folded_sfen(position)
}
