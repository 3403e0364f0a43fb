//! One page about the book: numbers, pictures and boards, in one file that needs nothing else.

mod charts;
mod tables;
mod tree;

use std::io::{self, Write};

use komadai::book::{BookGraph, WorkingBook};
use komadai::{Color, Move, Position, SvgBoard};

use crate::notation;
use crate::summary::{Summary, grouped};

/// Writes the page.
pub(crate) fn write(
    out: &mut impl Write,
    summary: &Summary<'_>,
    book: &WorkingBook,
) -> io::Result<()> {
    let values = book.graph();
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>An opening book</title>")?;
    writeln!(out, "<style>\n{}</style>\n</head>\n<body>", include_str!("report/style.css"))?;
    write_head(out, summary)?;
    writeln!(out, "<main>")?;
    write_trees(out, summary, values)?;
    write_growth(out, summary)?;
    write_lines(out, summary, values)?;
    tables::write_first_moves(out, book)?;
    tables::write_origins(out, &summary.after.engines, book)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// What it is, and the four numbers that matter.
fn write_head(out: &mut impl Write, summary: &Summary<'_>) -> io::Result<()> {
    let after = &summary.after;
    let value = after.root.map(|value| notation::value_for_black(value.score, Color::Black));
    let lines: usize = summary
        .options
        .sides()
        .iter()
        .filter_map(|&side| after.frontier(summary.options.window(), side))
        .map(|frontier| frontier.size())
        .sum();
    writeln!(out, "<header>\n<h1>An opening book <span lang=\"ja\">定跡</span></h1>")?;
    writeln!(
        out,
        "<p>For each side, the lines on which it plays the best move the book knows, and its \
         opponent any move within {} centipawns of {}. Where a line leaves the book, there is the \
         next position to analyse.</p>",
        summary.options.eval_diff,
        tables::anchor_of(summary.options.window()),
    )?;
    writeln!(out, "<dl class=\"numbers\">")?;
    for (label, number) in [
        ("positions", grouped(after.positions as u64)),
        ("evaluations", grouped(after.evaluations())),
        ("value of the start, for Black", value.unwrap_or_else(|| "–".to_owned())),
        ("lines that leave the book", grouped(lines as u64)),
    ] {
        writeln!(out, "<div><dt>{label}</dt><dd>{number}</dd></div>")?;
    }
    writeln!(out, "</dl>\n</header>")
}

fn write_trees(out: &mut impl Write, summary: &Summary<'_>, values: &BookGraph) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Where the book ends</h2>")?;
    writeln!(
        out,
        "<p class=\"legend\"><span class=\"key own\"></span>the side's own move: one is enough \
         <span class=\"key other\"></span>the opponent's: all within the window \
         <span class=\"key exit\"></span>outside the book, with the value for the side</p>",
    )?;
    writeln!(out, "<div class=\"pair\">")?;
    for &side in summary.options.sides() {
        let options = summary.options.frontier(side, summary.options.window());
        tree::write(out, &values.frontier(&options), side, values)?;
    }
    writeln!(out, "</div>\n</section>")
}

fn write_growth(out: &mut impl Write, summary: &Summary<'_>) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>What has changed</h2>\n<div class=\"pair\">")?;
    tables::write_before_and_after(out, summary)?;
    writeln!(out, "<div>")?;
    let roots = summary.rounds.roots.iter().chain([&summary.after.root]).flatten();
    let roots: Vec<i32> = roots.map(|value| value.score.raw()).collect();
    charts::write_line(out, "Value of the start, for Black, round by round", &roots)?;
    for &side in summary.options.sides() {
        if let Some(frontier) = summary.after.frontier(summary.options.window(), side) {
            charts::write_lengths(out, side, &frontier.lengths)?;
        }
    }
    writeln!(out, "</div>\n</div>\n</section>")
}

/// The best line, and the longest of each side, with the boards at their ends.
fn write_lines(out: &mut impl Write, summary: &Summary<'_>, values: &BookGraph) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Lines</h2>\n<div class=\"lines\">")?;
    write_line(out, "Best play on both sides", &summary.after.best_line, values)?;
    for &side in summary.options.sides() {
        if let Some(frontier) = summary.after.frontier(summary.options.window(), side) {
            let title = format!("The longest line of {side:?}’s book");
            write_line(out, &title, &frontier.longest, values)?;
        }
    }
    writeln!(out, "</div>\n</section>")
}

fn write_line(
    out: &mut impl Write,
    title: &str,
    line: &[Move],
    values: &BookGraph,
) -> io::Result<()> {
    let mut position = Position::hirate();
    writeln!(out, "<article>\n<h3>{title}</h3>\n<ol lang=\"ja\">")?;
    for &m in line {
        let value = values.value(&position);
        let value = value.map(|v| notation::value_for_black(v.score, position.side()));
        let (name, value) = (notation::name(&position, m), value.unwrap_or_default());
        writeln!(out, "<li>{name} <small>{value}</small></li>")?;
        position.do_move(m);
    }
    writeln!(out, "</ol>")?;
    let board = SvgBoard::new(&position.to_setup()).title(title);
    let board = match line.last() {
        Some(&m) => board.last_move(m),
        None => board,
    };
    writeln!(out, "{board}</article>")
}

/// Text that may stand in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
