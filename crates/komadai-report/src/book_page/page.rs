//! The page: one HTML file that needs no other file.
//!
//! First stand the lines that the book plays, beside a board on which a script shows each of their
//! moves, and the positions of the tables below; the history of the book is last. Pictures are SVG
//! within the page. Their colours follow the light or dark mode of the reader. Lists fold with
//! `<details>`. All texts from outside (names of engines, opponents, sources, reasons) are escaped
//! where they are written ([`html::Text`]).

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
mod live_board;
mod matches;
mod traps;

use std::io::{self, Write};

use komadai_base::text::grouped;

pub use branches::write_branches;
#[cfg(test)]
pub(crate) use live_board::{SCRIPT, SCRIPT_HASH};
pub use traps::write_traps;

use super::data::ReportData;
use super::look::PageLook;
use crate::text::Escaped;
use html::{Page, begin, end};

/// Writes a report as one HTML page that needs no network and no fonts of its own.
///
/// A script shows the moves of the page on its board; without it everything else remains. The
/// [options](super::ReportOptions) with which the data were gathered bound the length of the page.
///
/// # Errors
///
/// Returns the errors of `out`.
pub fn write_report(out: &mut impl Write, data: &ReportData, look: &PageLook) -> io::Result<()> {
    write(&Page { data, look }, out)
}

fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (data, look) = (page.data, page.look);
    begin(look, &data.title, &summary(page), Some(live_board::SCRIPT_HASH), out)?;
    write_head(page, out)?;
    writeln!(out, "<main class=\"with-board\">")?;
    live_board::write(page, out)?;
    writeln!(out, "<div class=\"sections\">")?;
    lines::write(page, out)?;
    first_moves::write(page, out)?;
    // A book without its root, such as one of games from openings, has no lines from there.
    if !data.now.frontiers.is_empty() {
        frontiers::write(page, out)?;
    }
    if let Some(working) = &data.working {
        changes::write(page, working, out)?;
        matches::write(page, working, out)?;
        branches::write(page, working, out)?;
        deletions::write(page, working, out)?;
        engines::write(page, working, out)?;
        growth::write(page, working, out)?;
    }
    writeln!(out, "</div>\n</main>")?;
    end(look, Some(live_board::SCRIPT), out)
}

/// Returns a sentence about the book for those who see a link to it; not escaped.
fn summary(page: &Page<'_>) -> String {
    let now = &page.data.now;
    let positions = page.words().counted(now.positions, "position", "局面");
    let mut parts = vec![page.say("An opening book of shogi", "将棋の定跡").to_owned(), positions];
    parts.extend(now.root.map(|root| {
        let value = page.words().value(root);
        page.say(
            format!("the start is worth {value} for Black"),
            format!("開始局面の評価値 {value}"),
        )
    }));
    parts.join(page.say(", ", "、"))
}

fn write_head(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let now = &page.data.now;
    writeln!(out, "<header>\n<h1><bdi>{}</bdi></h1>", Escaped(&page.data.title))?;
    let note = page.say(
        "Values are centipawns from Black’s point of view (先手): positive is good for Black. ▲ is \
         Black, △ is White.",
        "評価値は先手から見た値です（歩 1 枚がおよそ 100）。プラスは先手有利、▲は先手、△は後手です。",
    );
    writeln!(out, "<p>{note}</p>\n<dl class=\"numbers\">")?;
    let root = now.root.map_or_else(|| "–".to_owned(), |root| page.words().value(root).to_string());
    number(out, page.say("value of the start", "開始局面の評価値"), &root)?;
    number(out, page.say("positions", "局面"), &grouped(now.positions))?;
    for (label, count) in [
        (page.say("moves", "指し手"), now.moves),
        (page.say("evaluations", "評価の数"), now.evaluations),
    ] {
        if let Some(count) = count {
            number(out, label, &grouped(count))?;
        }
    }
    if let Some(working) = &page.data.working {
        number(out, page.say("engines", "エンジン"), &grouped(working.all_engines as u64))?;
        if let Some(matches) = &working.matches {
            number(out, page.say("games", "対局"), &grouped(matches.games))?;
        }
        // A first generation is the only one of a book that is not grown by games.
        let states = working.history.iter().filter_map(|state| state.generation);
        let games = working.matches.iter().flat_map(|matches| &matches.by_generation.groups);
        let last = states.chain(games.filter_map(|group| group.generation)).max();
        if let Some(last) = last.filter(|&last| last > 0) {
            let count = grouped(u64::from(last) + 1);
            number(out, page.say("generations", "世代"), &count)?;
        }
    }
    writeln!(out, "</dl>\n</header>")
}

fn number(out: &mut dyn Write, label: &str, number: &str) -> io::Result<()> {
    writeln!(out, "<div><dt>{label}</dt><dd>{number}</dd></div>")
}
