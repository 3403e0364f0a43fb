//! The page about branches of games.

use std::io::{self, Write};

use komadai_book::games::{BranchMove, BranchPoint, Mover};

use super::html::{Names, Page, Words, begin, end, points, write_board};
use crate::book_page::look::PageLook;
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
    look: &PageLook,
) -> io::Result<()> {
    let text = look.language.choose(
        "Results are wins, draws and losses of the side with the book. Positions are turned as in the \
         first game that came through them.",
        "成績は定跡側の勝ち・引き分け・負けです。局面は、そこを通った最初の対局の向きです。",
    );
    begin(look, title, text, None, out)?;
    writeln!(out, "<header>\n<h1><bdi>{}</bdi></h1>", Escaped(title))?;
    writeln!(out, "<p>{text}</p>\n</header>\n<main>")?;
    for point in branches {
        writeln!(out, "<section>\n<details open>")?;
        write_point(look, point, out)?;
        writeln!(out, "</details>\n</section>")?;
    }
    writeln!(out, "</main>")?;
    end(look, None, out)
}

/// Writes the section of a report on the positions where games parted.
pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let branches = working.matches.iter().flat_map(|matches| &matches.branches);
    let mut branches = branches.peekable();
    if branches.peek().is_none() {
        return Ok(());
    }
    let (heading, text) = page.say(
        ("Branches", "The positions where most games parted, with the results of the book’s side."),
        ("分岐", "多くの対局が分かれた局面と、定跡側の成績です。"),
    );
    writeln!(out, "<section>\n<h2>{heading}</h2>\n<p>{text}</p>")?;
    for point in branches {
        writeln!(out, "<details>")?;
        write_point(page.look, point, out)?;
        writeln!(out, "</details>")?;
    }
    writeln!(out, "</section>")
}

fn write_point(look: &PageLook, point: &BranchPoint, out: &mut dyn Write) -> io::Result<()> {
    let (language, names) = (look.language, Names::new(look));
    let mover = match point.mover {
        Mover::BookSide => language.choose("the book’s side", "定跡側"),
        Mover::Opponent => language.choose("the opponent", "相手"),
    };
    let games: u64 = point.moves.iter().map(|made| made.results.games()).sum();
    let moves = point.moves.iter().take(MOST_ARROWS);
    let moves = moves.map(|made| format!("{} {}", names.of(&point.position, made.m), made.results));
    let moves = moves.collect::<Vec<_>>().join(language.choose(", ", "、"));
    let ply = point.position.ply();
    let summary = language.choose(
        format!("move {ply} by {mover}: {moves}"),
        format!("{ply}手目（{mover}）：{moves}"),
    );
    writeln!(out, "<summary>{summary}</summary>\n<div class=\"boards\">")?;
    let arrows: Vec<_> = point.moves.iter().take(MOST_ARROWS).map(|made| made.m).collect();
    let caption = Words(language).games(games);
    write_board(out, language, &point.position, None, &arrows, &caption)?;
    let [m, games, results, share, entering] = language.choose(
        ["move", "games", "wins-draws-losses", "points (95 %)", "entering king"],
        ["指し手", "対局", "勝-分-負", "得点率（95 %）", "入玉宣言"],
    );
    writeln!(
        out,
        "<table>\n<thead><tr><th class=\"text\">{m}</th><th>{games}</th><th>{results}</th>\
         <th>{share}</th><th>{entering}</th></tr></thead>\n<tbody>"
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
