//! Tables.

use std::io::{self, Write};

use komadai::book::{Basis, Book, BookGraph, Source, Window};
use komadai::{Color, Position};

use super::escape;
use crate::grower::Work;
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
        ("positions", before.positions, after.positions),
        ("moves", before.moves, after.moves),
        ("evaluations", before.evaluations, after.evaluations),
    ] {
        let (old, new) = (grouped(old as u64), grouped(new as u64));
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
    let (first, rounds) = (summary.first, summary.frontier_work());
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
    let count = summary.rounds.len();
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
pub(super) fn write_first_moves(
    out: &mut impl Write,
    book: &Book,
    values: &BookGraph,
) -> io::Result<()> {
    let start = Position::hirate();
    let entry = book.entry(&start);
    writeln!(out, "<section>\n<h2>First moves</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>move</th><th>value</th><th>games</th><th>book moves to follow</th>\
         <th>evaluations</th></tr></thead>\n<tbody>",
    )?;
    for ranked in values.moves(&start) {
        let listed = entry.and_then(|entry| entry.find(ranked.m));
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
            listed.map_or(0, |listed| listed.games),
            listed.map_or(0, |listed| listed.log.len()),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}

/// Where values and games come from.
pub(super) fn write_origins(out: &mut impl Write, book: &Book) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Where it comes from</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>engine</th><th>evaluations</th><th>from a position’s own search</th>\
         <th>mean nodes</th></tr></thead>\n<tbody>",
    )?;
    for (number, id) in book.analysts().iter().enumerate() {
        let (mut count, mut searched, mut nodes) = (0_u64, 0_u64, 0_u64);
        let logs = book.entries().flat_map(|entry| entry.moves()).flat_map(|listed| listed.log);
        for evaluation in logs.filter(|evaluation| evaluation.analyst.index() == number) {
            count += 1;
            searched += u64::from(evaluation.source == Source::Search);
            nodes += evaluation.nodes;
        }
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&id.to_string()),
            grouped(count),
            grouped(searched),
            grouped(nodes / count.max(1)),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n<ul>")?;
    for input in book.inputs() {
        let games = match input.games {
            0 => String::new(),
            games => format!(", {} games", grouped(games)),
        };
        writeln!(out, "<li>{}{games}</li>", escape(&input.name))?;
    }
    writeln!(out, "</ul>\n</section>")
}
