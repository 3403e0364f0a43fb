//! A tree as an SVG picture, from left to right.

use std::fmt;

use komadai::kifu::Notation;
use komadai::prelude::*;
use komadai::search::monte_carlo::{Branch, Proven};

/// The moves of a tree from a position.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    pub(crate) position: &'a Position,
    pub(crate) branches: &'a [Branch],
}

/// Distances in pixels.
const COLUMN: usize = 190;
const ROW: usize = 26;
const BOX_WIDTH: usize = 150;
const BOX_HEIGHT: usize = 20;
const MARGIN: usize = 16;

impl Drawing<'_> {
    /// Returns the row of each branch: leaves take the next free one, the others that of their
    /// first continuation. Also returns the number of rows.
    fn rows(&self) -> (Vec<usize>, usize) {
        let mut rows = vec![None; self.branches.len()];
        let mut count = 0;
        let mut open: Vec<usize> = self.children(None);
        open.reverse();
        while let Some(index) = open.pop() {
            // A first continuation stands beside the move before it.
            let parent = self.branches[index].parent;
            let is_first = self.children(parent).first() == Some(&index);
            let inherited = parent.filter(|_| is_first).and_then(|parent| rows[parent]);
            rows[index] = Some(inherited.unwrap_or(count));
            count = count.max(rows[index].unwrap_or(0) + 1);
            open.extend(self.children(Some(index)).into_iter().rev());
        }
        (rows.into_iter().map(Option::unwrap_or_default).collect(), count)
    }

    fn children(&self, parent: Option<usize>) -> Vec<usize> {
        let is_child = |&index: &usize| self.branches[index].parent == parent;
        (0..self.branches.len()).filter(is_child).collect()
    }

    /// Returns a move in Japanese notation.
    fn text(&self, index: usize) -> String {
        let mut line = Vec::new();
        let mut next = Some(index);
        while let Some(index) = next {
            line.push(self.branches[index].found.m);
            next = self.branches[index].parent;
        }
        let last = line[0];
        let mut position = self.position.clone();
        line[1..].iter().rev().for_each(|&m| position.do_move(m));
        Notation::Japanese.line(&position, &[last]).to_string()
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, count) = self.rows();
        let plies = self.branches.iter().map(|branch| branch.plies).max().unwrap_or(0);
        let (width, height) = (plies * COLUMN + 2 * MARGIN, count * ROW + 2 * MARGIN);
        let most = self.branches.iter().map(|branch| branch.found.visits).max().unwrap_or(1);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">"#
        )?;
        writeln!(f, r#"<rect width="{width}" height="{height}" fill="white"/>"#)?;
        let place = |index: usize| {
            let x = (self.branches[index].plies - 1) * COLUMN + MARGIN;
            (x, rows[index] * ROW + MARGIN)
        };
        for (index, branch) in self.branches.iter().enumerate() {
            let ((x, y), found) = (place(index), branch.found);
            if let Some(parent) = branch.parent {
                let (from_x, from_y) = place(parent);
                let (from_x, middle) = (from_x + BOX_WIDTH, from_y + BOX_HEIGHT / 2);
                let (bend, end) = ((from_x + x) / 2, y + BOX_HEIGHT / 2);
                let thickness = 1.0 + 5.0 * (f64::from(found.visits) / f64::from(most)).sqrt();
                writeln!(
                    f,
                    r##"<path d="M{from_x} {middle}C{bend} {middle} {bend} {end} {x} {end}" fill="none" stroke="#888" stroke-width="{thickness:.1}"/>"##
                )?;
            }
            // From red, lost, over yellow to green, won.
            let hue = 120.0 * found.rate.clamp(0.0, 1.0);
            let border = if found.proven.is_some() { 3 } else { 1 };
            let result = match found.proven {
                Some(Proven::Win { plies }) => format!("won in {plies}"),
                Some(Proven::Loss { plies }) => format!("lost in {plies}"),
                None => format!("{:.0} %", 100.0 * found.rate),
            };
            writeln!(
                f,
                r##"<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" fill="hsl({hue:.0},60%,85%)" stroke="#444" stroke-width="{border}"/>"##
            )?;
            let (text_x, text_y) = (x + 6, y + 14);
            let name = self.text(index);
            let visits = found.visits;
            writeln!(f, r#"<text x="{text_x}" y="{text_y}">{name} {result} · {visits}</text>"#)?;
        }
        writeln!(f, "</svg>")
    }
}
