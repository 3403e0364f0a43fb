//! The list of the moves, which holds everything that the script needs.

use core::fmt;
use std::collections::BTreeMap;

use komadai_core::Language;
use komadai_kifu::{End, Line, Record};

use super::lines::{Lines, Node, NodeLine, line_number};
use super::words::{Clock, end_words};
use crate::text::{Escaped, ValueText};

/// The moves of a page.
pub(super) struct Moves<'p> {
    pub(super) record: &'p Record,
    pub(super) lines: &'p Lines<'p>,
    pub(super) language: Language,
}

impl Moves<'_> {
    /// Writes the game, and then each variation.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_place = self.links();
        for line in &self.lines.lines {
            match line.line {
                Line::Main => {
                    writeln!(f, "<ol class=\"line\">")?;
                    self.write_start(f)?;
                }
                Line::Variation(index) => self.write_heading(index + 1, line, f)?,
            }
            for id in line.nodes.clone() {
                let node = &self.lines.nodes[id];
                let links = by_place.get(&(line_number(line.line), node.ply));
                self.write_move(id, node, links.map_or(&[], |links| &links[..]), f)?;
            }
            if let Some(end) = line.end {
                self.write_end(end, f)?;
            }
            writeln!(f, "</ol>")?;
        }
        Ok(())
    }

    /// Returns the numbers of the variations that leave a line at a ply.
    fn links(&self) -> BTreeMap<(usize, usize), Vec<usize>> {
        let mut links: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for line in &self.lines.lines {
            if let Line::Variation(index) = line.line {
                let variation = &self.record.variations[index];
                let parent = line_number(variation.parent);
                links.entry((parent, variation.ply)).or_default().push(index + 1);
            }
        }
        links
    }

    fn write_start(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(start) = self.lines.nodes.first() else { return Ok(()) };
        let text = self.language.choose("Start", "開始局面");
        let sfen = start.sfen.as_deref().unwrap_or_default();
        write!(f, "<li id=\"n0\" data-s=\"{}\">", Escaped(without_ply(sfen)))?;
        write!(f, "<a href=\"#n0\"><b>0</b><span class=\"m\">{text}</span></a>")?;
        self.write_value(start, f)?;
        self.write_comments(start, f)?;
        writeln!(f, "</li>")
    }

    fn write_heading(
        &self,
        number: usize,
        line: &NodeLine<'_>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let parent = line.base;
        let ply = self.lines.nodes.get(parent).map_or(0, |node| node.ply) + 1;
        match self.language {
            Language::English => writeln!(f, "<h3>Variation {number}, at move {ply}</h3>")?,
            Language::Japanese => writeln!(f, "<h3>変化{number}：{ply}手目</h3>")?,
        }
        writeln!(f, "<ol class=\"line\" id=\"v{number}\" data-p=\"n{parent}\">")
    }

    fn write_move(
        &self,
        id: usize,
        node: &Node,
        variations: &[usize],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let name = Escaped(&node.name);
        write!(f, "<li id=\"n{id}\"")?;
        match (&node.sfen, node.m) {
            (Some(sfen), Some(m)) => {
                write!(f, " data-s=\"{}\" data-m=\"{m}\"", Escaped(without_ply(sfen)))?;
                if let Some(better) = self.lines.better(node) {
                    write!(f, " data-g=\"{better}\"")?;
                }
                f.write_str(">")?;
            }
            _ => f.write_str(" class=\"illegal\">")?,
        }
        write!(f, "<a href=\"#n{id}\"><b>{}</b><span class=\"m\">{name}</span></a>", node.ply)?;
        if node.sfen.is_none() {
            write!(f, "<i>{}</i>", self.language.choose("not shown", "表示不可"))?;
        } else if node.is_foul {
            write!(f, "<i>{}</i>", self.language.choose("foul", "反則"))?;
        }
        if let Some(mark) = node.mark {
            write!(f, "<em>{}</em>", mark.signs())?;
        }
        self.write_value(node, f)?;
        self.write_time(node, f)?;
        for number in variations {
            let text = self.language.choose("variation ", "変化");
            write!(f, "<a class=\"fork\" href=\"#v{number}\">{text}{number}</a>")?;
        }
        self.write_comments(node, f)?;
        writeln!(f, "</li>")
    }

    fn write_value(&self, node: &Node, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(score) = node.score else { return Ok(()) };
        let sign = node.bound.sign();
        write!(f, "<span class=\"v\">{sign}{}</span>", ValueText(score, self.language))
    }

    fn write_time(&self, node: &Node, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(time) = node.time else { return Ok(()) };
        write!(f, "<span class=\"t\"")?;
        if let Some(total) = node.total {
            write!(f, " title=\"{}\"", Clock(total))?;
        }
        write!(f, ">{}</span>", Clock(time))
    }

    /// Writes the comments and the expected line, which the script copies below the board.
    fn write_comments(&self, node: &Node, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if node.comments.is_empty() && node.expected.is_empty() && node.bookmark.is_none() {
            return Ok(());
        }
        f.write_str("<div class=\"c\">")?;
        if let Some(bookmark) = &node.bookmark {
            write!(f, "<p class=\"mark\"><bdi>{}</bdi></p>", Escaped(bookmark))?;
        }
        for comment in &node.comments {
            write!(f, "<p><bdi>{}</bdi></p>", Escaped(comment))?;
        }
        if !node.expected.is_empty() {
            let words = self.language.choose("expected:", "読み筋：");
            // The script makes links of the names, which are many.
            let moves = node.expected.iter().map(|expected| expected.m.to_string());
            let moves: Vec<String> = moves.collect();
            write!(f, "<p class=\"pv\" data-l=\"{}\">{words}", moves.join(" "))?;
            for expected in &node.expected {
                write!(f, " <span>{}</span>", Escaped(&expected.name))?;
            }
            write!(f, "{}</p>", if node.expects_more { " …" } else { "" })?;
        }
        f.write_str("</div>")
    }

    fn write_end(&self, end: &End, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = Escaped(end_words(&end.kind, self.language));
        write!(f, "<li class=\"end\"><span class=\"m\"><bdi>{words}</bdi></span>")?;
        if let Some(time) = end.time {
            write!(f, "<span class=\"t\">{}</span>", Clock(time))?;
        }
        for comment in &end.comments {
            write!(f, "<div class=\"c\"><p><bdi>{}</bdi></p></div>", Escaped(comment.text()))?;
        }
        writeln!(f, "</li>")
    }
}

/// Returns an SFEN without the number of the next move.
fn without_ply(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(before, _)| before)
}
