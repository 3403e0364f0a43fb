//! The section on changed values.

use std::io::{self, Write};

use komadai_base::text::grouped;

use super::html::{Page, shortened, value_for_black, write_board};
use crate::book_page::value_changes::{ValueChange, ValueChanges};
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

/// The largest number of boards, for the largest changes.
const BOARDS: usize = 2;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let Some(changes) = &working.changes else { return Ok(()) };
    let since = shortened(&changes.since);
    writeln!(out, "<section>\n<h2>Values that have changed since “{}”</h2>", Escaped(&since))?;
    write_counts(changes, out)?;
    if !changes.biggest.is_empty() {
        write_table(page, &changes.biggest, out)?;
        writeln!(out, "<div class=\"boards\">")?;
        for change in changes.biggest.iter().take(BOARDS) {
            let arrows: Vec<_> = change.best_after.into_iter().collect();
            let [before, after] = [change.before, change.after].map(value_for_black);
            let caption = format!(
                "<b>{before} → {after}</b>, now {}",
                page.names.of_some(&change.position, change.best_after)
            );
            write_board(out, &change.position, None, &arrows, &caption)?;
        }
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</section>")
}

fn write_counts(changes: &ValueChanges, out: &mut dyn Write) -> io::Result<()> {
    let ValueChanges { compared, changed, gained, lost, .. } = *changes;
    if changed + gained + lost == 0 {
        return writeln!(out, "<p>None of {} values differs.</p>", grouped(compared));
    }
    let [compared, changed, gained, lost] = [compared, changed, gained, lost].map(grouped);
    writeln!(
        out,
        "<p>Of {compared} positions that had a value then, {changed} have another one now. {gained} \
         have one that had none, and {lost} have lost theirs. Shown are the positions where changes \
         originate; positions that only pass them on are omitted.</p>"
    )
}

fn write_table(page: &Page<'_>, biggest: &[ValueChange], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>position</th><th>value before</th>\
         <th>value now</th><th>best before</th><th>best now</th></tr></thead>\n<tbody>"
    )?;
    for change in biggest {
        writeln!(
            out,
            "<tr><th><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&change.position.to_string()),
            value_for_black(change.before),
            value_for_black(change.after),
            page.names.of_some(&change.position, change.best_before),
            page.names.of_some(&change.position, change.best_after),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
