//! The page about branches of games.

use std::io::{self, Write};

use komadai_book::games::{BranchMove, BranchPoint, Mover};
use komadai_kifu::Notation;

use super::html::{Names, Page, begin, counted, end, points, write_board};
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

/// Largest number of moves with an arrow on a board.
const MOST_ARROWS: usize = 4;

/// Writes the moves at branches of games, with a board for each position and the results of the
/// book's side, as one HTML page that needs no other file (as figures 1 and 2 of Shiba's paper).
///
/// # Errors
///
/// Returns the errors of `out`.
pub fn write_branches(
    out: &mut impl Write,
    title: &str,
    branches: &[BranchPoint],
    notation: Notation,
) -> io::Result<()> {
    let names = Names::new(notation);
    begin(title, out)?;
    writeln!(out, "<header>\n<h1>{}</h1>", Escaped(title))?;
    writeln!(
        out,
        "<p>Results are wins, draws and losses of the side with the book. Positions are turned as \
         in the first game that came through them.</p>\n</header>\n<main>"
    )?;
    for point in branches {
        writeln!(out, "<section>\n<details open>")?;
        write_point(names, point, out)?;
        writeln!(out, "</details>\n</section>")?;
    }
    writeln!(out, "</main>")?;
    end(out)
}

/// Writes the section of a report on the positions where games parted.
pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let branches = working.matches.iter().flat_map(|matches| &matches.branches);
    let mut branches = branches.peekable();
    if branches.peek().is_none() {
        return Ok(());
    }
    writeln!(
        out,
        "<section>\n<h2>Branches</h2>\n<p>The positions where most games parted, with the results of \
         the book’s side.</p>"
    )?;
    for point in branches {
        writeln!(out, "<details>")?;
        write_point(page.names, point, out)?;
        writeln!(out, "</details>")?;
    }
    writeln!(out, "</section>")
}

fn write_point(names: Names, point: &BranchPoint, out: &mut dyn Write) -> io::Result<()> {
    let mover = match point.mover {
        Mover::BookSide => "the book’s side",
        Mover::Opponent => "the opponent",
    };
    let games: u64 = point.moves.iter().map(|made| made.results.games()).sum();
    let moves = point.moves.iter().take(MOST_ARROWS);
    let moves = moves.map(|made| format!("{} {}", names.of(&point.position, made.m), made.results));
    let moves = moves.collect::<Vec<_>>().join(", ");
    writeln!(out, "<summary>move {} by {mover}: {moves}</summary>", point.position.ply())?;
    writeln!(out, "<div class=\"boards\">")?;
    let arrows: Vec<_> = point.moves.iter().take(MOST_ARROWS).map(|made| made.m).collect();
    write_board(out, &point.position, None, &arrows, &counted(games, "game"))?;
    writeln!(
        out,
        "<table>\n<thead><tr><th class=\"text\">move</th><th>games</th>\
         <th>wins-draws-losses</th><th>points (95 %)</th><th>entering king</th></tr></thead>\n<tbody>"
    )?;
    for BranchMove { m, results, declarations } in &point.moves {
        writeln!(
            out,
            "<tr><th class=\"text\">{}</th><td>{}</td><td>{results}</td><td>{}</td>\
             <td>{declarations}</td></tr>",
            names.of(&point.position, *m),
            results.games(),
            points(results)
        )?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}
