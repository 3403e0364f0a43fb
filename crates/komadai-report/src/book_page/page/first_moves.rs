//! The section on the moves of the root.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_bookgraph::Basis;

use super::html::{Page, Results, value_for_black};

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = page.data;
    if data.first_moves.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>First moves</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>move</th><th>value for Black</th><th>book moves to follow</th>\
         <th>counted games</th><th>stored games: wins-draws-losses and points of Black</th></tr></thead>\n<tbody>"
    )?;
    for first in &data.first_moves {
        let follow = match first.basis {
            Basis::Leaf => first.plies.to_string(),
            Basis::Repetition => "endless".to_owned(),
            Basis::PerpetualCheck => "endless checks".to_owned(),
        };
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{follow}</td><td>{}</td><td>{}</td></tr>",
            page.names.of(&data.root, first.m),
            value_for_black(first.value),
            grouped(first.games.into()),
            Results(first.results),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}
