//! Tables.

use std::io::{self, Write};

use komadai::book::{Basis, EngineShare, Window, WorkingBook};
use komadai::{Color, Position};

use super::escape;
use crate::crew::Work;
use crate::notation;
use crate::summary::{Summary, frontier_name, grouped};

/// What moves of the window are compared with.
pub(super) fn anchor_of(window: Window) -> &'static str {
    match window {
        Window::Free => "the best there, as the side itself may",
        Window::Best => "the best there",
        Window::Root => "the value of the start",
    }
}

/// The book's numbers before and after, the frontiers as bars on a logarithmic scale.
pub(super) fn write_before_and_after(
    out: &mut impl Write,
    summary: &Summary<'_>,
) -> io::Result<()> {
    let (before, after) = (&summary.before, &summary.after);
    writeln!(out, "<div>\n<table>")?;
    writeln!(out, "<thead><tr><th></th><th>before</th><th>after</th></tr></thead>")?;
    writeln!(out, "<tbody>")?;
    for (label, old, new) in [
        ("positions", before.positions as u64, after.positions as u64),
        ("moves", before.moves as u64, after.moves as u64),
        ("evaluations", before.evaluations(), after.evaluations()),
    ] {
        let (old, new) = (grouped(old), grouped(new));
        writeln!(out, "<tr><th>{label}</th><td>{old}</td><td>{new}</td></tr>")?;
    }
    let sizes = before.frontiers.iter().chain(&after.frontiers).map(|frontier| frontier.size());
    let most = sizes.max().unwrap_or(1).max(2) as f64;
    let cell = |size: usize| {
        let share = 100.0 * (1.0 + size as f64).ln() / (1.0 + most).ln();
        let number = grouped(size as u64);
        format!("<td class=\"bar\" style=\"--share: {share:.0}%\">{number}</td>")
    };
    for (old, new) in before.frontiers.iter().zip(&after.frontiers) {
        let (name, old, new) = (frontier_name(new), cell(old.size()), cell(new.size()));
        writeln!(out, "<tr><th>{name}</th>{old}{new}</tr>")?;
    }
    let (first, rounds) = (summary.first, summary.rounds.work);
    writeln!(out, "</tbody>\n</table>\n<p>")?;
    if summary.inputs.games > 0 {
        writeln!(out, "{} games were read. ", grouped(summary.inputs.games))?;
    }
    if first.analysed > 0 {
        let (positions, work) = (grouped(first.analysed as u64), work_of(first));
        writeln!(
            out,
            "A first search looked at the {positions} positions after moves without a \
            value ({work}). "
        )?;
    }
    let (positions, work) = (grouped(rounds.analysed as u64), work_of(rounds));
    let count = summary.rounds.roots.len();
    writeln!(
        out,
        "{positions} positions of the frontier were searched in {count} rounds ({work}). \
        Bars are logarithmic: letting one side choose instead of both takes about the square root \
        of the lines.</p></div>"
    )
}

fn work_of(work: Work) -> String {
    format!("{} nodes in {:.0} s", grouped(work.nodes), work.time.as_secs_f64())
}

/// The moves of the start, best first.
pub(super) fn write_first_moves(out: &mut impl Write, book: &WorkingBook) -> io::Result<()> {
    let start = Position::hirate();
    let stored = book.store().position(&start).map_err(io::Error::other)?;
    writeln!(out, "<section>\n<h2>First moves</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>move</th><th>value</th><th>games</th><th>book moves to follow</th>\
         <th>nodes of its own value</th></tr></thead>\n<tbody>",
    )?;
    for ranked in book.graph().moves(&start) {
        let listed = stored.iter().flat_map(|stored| stored.moves());
        let (games, nodes) = listed
            .filter(|(listed, _)| listed.m == ranked.m)
            .map(|(listed, value)| (listed.count, value.map(|value| value.nodes)))
            .next()
            .unwrap_or_default();
        let follow = match (ranked.leaves_book, ranked.value.basis) {
            (true, _) => "none".to_owned(),
            (_, Basis::Leaf) => ranked.value.plies.to_string(),
            (_, Basis::Repetition) => "endless".to_owned(),
            (_, Basis::PerpetualCheck) => "endless checks".to_owned(),
        };
        writeln!(
            out,
            "<tr><th lang=\"ja\">{}</th><td>{}</td><td>{}</td><td>{follow}</td><td>{}</td></tr>",
            notation::name(&start, ranked.m),
            notation::value_for_black(ranked.value.score, Color::Black),
            games.unwrap_or(0),
            nodes.map_or_else(|| "–".to_owned(), grouped),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}

/// Where values and games come from.
pub(super) fn write_origins(
    out: &mut impl Write,
    engines: &[EngineShare],
    book: &WorkingBook,
) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Where it comes from</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>engine</th><th>evaluations</th><th>positions</th><th>nodes</th>\
         <th>share of the values that count</th></tr></thead>\n<tbody>",
    )?;
    for engine in engines {
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{:.0}%</td></tr>",
            escape(&engine.analyst.to_string()),
            grouped(engine.evaluations),
            grouped(engine.positions),
            grouped(engine.nodes),
            100.0 * engine.view_share,
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n<ul>")?;
    for input in book.store().inputs().map_err(io::Error::other)? {
        let games = match input.games {
            0 => String::new(),
            games => format!(", {} games", grouped(games)),
        };
        writeln!(out, "<li>{}{games}</li>", escape(&input.name))?;
    }
    writeln!(out, "</ul>\n</section>")
}
