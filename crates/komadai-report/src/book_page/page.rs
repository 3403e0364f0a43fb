//! The page: one HTML file that needs no other file.
//!
//! Pictures are SVG within the page. Their colours follow the light or dark mode of the reader.
//! Lists fold with `<details>`. All texts from outside (names of engines, opponents, sources,
//! reasons) are escaped where they are written ([`html::Text`]).

mod branches;
mod changes;
mod charts;
mod deletions;
mod engines;
mod first_moves;
mod frontiers;
mod growth;
mod html;
mod lines;
mod matches;
mod traps;

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_kifu::Notation;

pub use branches::write_branches;
pub use traps::write_traps;

use super::data::ReportData;
use crate::text::Escaped;
use html::{Names, Page, begin, end, value_for_black};

/// Writes a report as one HTML page that needs no network, no script and no fonts of its own.
///
/// The [options](super::ReportOptions) with which the data were gathered bound its length.
///
/// # Errors
///
/// Returns the errors of `out`.
pub fn write_report(out: &mut impl Write, data: &ReportData, notation: Notation) -> io::Result<()> {
    write(&Page { data, names: Names::new(notation) }, out)
}

fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    begin(&page.data.title, out)?;
    write_head(page, out)?;
    writeln!(out, "<main>")?;
    growth::write(page, out)?;
    lines::write(page, out)?;
    first_moves::write(page, out)?;
    // A book without its root, such as one of games from openings, has no lines from there.
    if !page.data.now.frontiers.is_empty() {
        frontiers::write(page, out)?;
    }
    if let Some(working) = &page.data.working {
        matches::write(page, working, out)?;
        branches::write(page, working, out)?;
        deletions::write(page, working, out)?;
        changes::write(page, working, out)?;
        engines::write(page, working, out)?;
    }
    writeln!(out, "</main>")?;
    end(out)
}

fn write_head(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let now = &page.data.now;
    writeln!(out, "<header>\n<h1>{}</h1>", Escaped(&page.data.title))?;
    writeln!(
        out,
        "<p>Values are centipawns from Black’s point of view (先手): positive is good for \
         Black. ▲ is Black, △ is White.</p>\n<dl class=\"numbers\">"
    )?;
    let root = now.root.map_or_else(|| "–".to_owned(), |root| value_for_black(root).to_string());
    number(out, "value of the start", &root)?;
    number(out, "positions", &grouped(now.positions))?;
    for (label, count) in [("moves", now.moves), ("evaluations", now.evaluations)] {
        if let Some(count) = count {
            number(out, label, &grouped(count))?;
        }
    }
    if let Some(working) = &page.data.working {
        number(out, "engines", &grouped(working.all_engines as u64))?;
        if let Some(matches) = &working.matches {
            number(out, "games", &grouped(matches.games))?;
        }
        let states = working.history.iter().filter_map(|state| state.generation);
        let games = working.matches.iter().flat_map(|matches| &matches.by_generation.groups);
        let last = states.chain(games.filter_map(|group| group.generation)).max();
        if let Some(last) = last {
            number(out, "generations", &grouped(u64::from(last) + 1).to_string())?;
        }
    }
    writeln!(out, "</dl>\n</header>")
}
fn number(out: &mut dyn Write, label: &str, number: &str) -> io::Result<()> {
    writeln!(out, "<div><dt>{label}</dt><dd>{number}</dd></div>")
}
