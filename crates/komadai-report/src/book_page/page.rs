//! The page: one HTML file that needs nothing else.
//!
//! Pictures are SVG within the page, in colours that follow the reader's light or dark surroundings.
//! Lists fold with `<details>`. Whatever comes from outside — names of engines, opponents, sources,
//! reasons — is escaped where it is written ([`html::Text`]).

mod boards;
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
mod names;

use std::io::{self, Write};

use komadai_kifu::Notation;

use super::data::ReportData;
use html::{Grouped, Text, Worth};
use names::Names;

/// Writes a report as one HTML page that needs nothing else: no network, no script, no fonts of its own.
///
/// Its length is bounded by the [options](super::ReportOptions) with which the data were gathered.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_report(out: &mut impl Write, data: &ReportData, notation: Notation) -> io::Result<()> {
    let page = Page { data, names: Names::new(notation) };
    page.write(out)
}

/// What a section needs to know.
#[derive(Clone, Copy)]
struct Page<'d> {
    data: &'d ReportData,
    names: Names,
}

impl Page<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = Text(&self.data.title);
        writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        let viewport = "width=device-width, initial-scale=1";
        writeln!(out, "<meta name=\"viewport\" content=\"{viewport}\">")?;
        writeln!(out, "<title>{title}</title>")?;
        let style = include_str!("page/style.css");
        writeln!(out, "<style>\n{}{style}</style>\n</head>\n<body>", boards::style())?;
        self.write_head(out)?;
        writeln!(out, "<main>")?;
        growth::write(self, out)?;
        lines::write(self, out)?;
        first_moves::write(self, out)?;
        frontiers::write(self, out)?;
        if let Some(working) = &self.data.working {
            changes::write(self, working, out)?;
            engines::write(self, working, out)?;
            matches::write(self, working, out)?;
            deletions::write(self, working, out)?;
        }
        writeln!(out, "</main>\n</body>\n</html>")
    }

    fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let now = &self.data.now;
        writeln!(out, "<header>\n<h1>{}</h1>", Text(&self.data.title))?;
        writeln!(
            out,
            "<p>Values are centipawns from Black’s point of view (先手): positive is good for \
             Black. ▲ is Black, △ is White.</p>\n<dl class=\"numbers\">"
        )?;
        let root = now.root.map_or_else(|| "–".to_owned(), |root| Worth(root).to_string());
        number(out, "value of the start", &root)?;
        number(out, "positions", &Grouped(now.positions).to_string())?;
        for (label, count) in [("moves", now.moves), ("evaluations", now.evaluations)] {
            if let Some(count) = count {
                number(out, label, &Grouped(count).to_string())?;
            }
        }
        if let Some(working) = &self.data.working {
            number(out, "engines", &Grouped(working.all_engines as u64).to_string())?;
            if let Some(matches) = &working.matches {
                number(out, "games", &Grouped(matches.games).to_string())?;
            }
            let states = working.history.iter().filter_map(|state| state.generation);
            let games = working.matches.iter().flat_map(|matches| &matches.by_generation.groups);
            let last = states.chain(games.filter_map(|group| group.generation)).max();
            if let Some(last) = last {
                number(out, "generations", &Grouped(u64::from(last) + 1).to_string())?;
            }
        }
        writeln!(out, "</dl>\n</header>")
    }
}

fn number(out: &mut dyn Write, label: &str, number: &str) -> io::Result<()> {
    writeln!(out, "<div><dt>{label}</dt><dd>{number}</dd></div>")
}
