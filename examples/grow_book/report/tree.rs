//! The lines of one side's book as a tree.

use std::io::{self, Write};

use komadai::book::{BookGraph, Frontier};
use komadai::{Color, Move, Position};

use crate::notation;
use crate::summary::grouped;

/// How many lines are drawn at most.
const MOST_LINES: usize = 70;

const PLY_WIDTH: usize = 46;
const LINE_HEIGHT: usize = 15;
const MARGIN: usize = 12;
/// Room for the name of the last move and its value.
const LABEL_WIDTH: usize = 150;

/// A move of the tree, after those of its ancestors.
struct Node {
    m: Option<Move>,
    children: Vec<Node>,
    /// In half lines from the top.
    y: usize,
}

/// Draws the tree of a frontier's lines.
pub(super) fn write(
    out: &mut impl Write,
    frontier: &Frontier,
    side: Color,
    values: &BookGraph,
) -> io::Result<()> {
    let mut root = Node { m: None, children: Vec::new(), y: 0 };
    let mut longest = 0;
    for found in frontier.iter().take(MOST_LINES) {
        root.insert(&found.line);
        longest = longest.max(found.line.len());
    }
    let mut lines = 0;
    root.place(&mut lines);
    let width = 2 * MARGIN + longest * PLY_WIDTH + LABEL_WIDTH;
    let height = 2 * MARGIN + lines.max(1) * LINE_HEIGHT;
    let (shown, all) = (frontier.len().min(MOST_LINES), grouped(frontier.len() as u64));
    let caption = match shown == frontier.len() {
        true => format!("{side:?}’s book: {all} lines"),
        false => format!("{side:?}’s book: the {shown} shortest of {all} lines"),
    };
    writeln!(out, "<figure>\n<figcaption>{caption}</figcaption>")?;
    writeln!(
        out,
        "<svg class=\"tree\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\"><title>{caption}</title>",
    )?;
    let mut picture = Picture {
        side,
        values,
        position: Position::hirate(),
        links: String::new(),
        marks: String::new(),
    };
    picture.draw(&root, 0);
    writeln!(out, "{}{}</svg>\n</figure>", picture.links, picture.marks)
}

impl Node {
    fn insert(&mut self, line: &[Move]) {
        let Some((&m, rest)) = line.split_first() else { return };
        let at = self.children.iter().position(|child| child.m == Some(m)).unwrap_or_else(|| {
            self.children.push(Node { m: Some(m), children: Vec::new(), y: 0 });
            self.children.len() - 1
        });
        self.children[at].insert(rest);
    }

    /// Puts leaves on one line each, and what is above in the middle of its children.
    fn place(&mut self, lines: &mut usize) {
        if self.children.is_empty() {
            self.y = 2 * *lines;
            *lines += 1;
            return;
        }
        self.children.iter_mut().for_each(|child| child.place(lines));
        let ends = (self.children.first(), self.children.last());
        let (Some(first), Some(last)) = ends else { return };
        self.y = (first.y + last.y) / 2;
    }

    fn at(&self, ply: usize) -> (usize, usize) {
        (MARGIN + ply * PLY_WIDTH, MARGIN + (self.y + 1) * LINE_HEIGHT / 2)
    }
}

struct Picture<'a> {
    side: Color,
    values: &'a BookGraph,
    position: Position,
    links: String,
    marks: String,
}

impl Picture<'_> {
    fn draw(&mut self, node: &Node, ply: usize) {
        let (x, y) = node.at(ply);
        let own = self.position.side() == self.side;
        let ranked = self.values.moves(&self.position);
        for child in &node.children {
            let Some(m) = child.m else { continue };
            let name = notation::name(&self.position, m);
            let value = ranked.iter().find(|ranked| ranked.m == m).map(|ranked| {
                let for_side = if own { ranked.value.score } else { -ranked.value.score };
                notation::value_for_black(for_side, Color::Black)
            });
            let value = value.unwrap_or_default();
            let (to_x, to_y) = child.at(ply + 1);
            let middle = (x + to_x) / 2;
            let class = if own { "own" } else { "other" };
            self.links += &format!(
                "<path class=\"{class}\" d=\"M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}\">\
                 <title>{name} {value}</title></path>\n",
            );
            if child.children.is_empty() {
                self.marks += &format!(
                    "<circle class=\"exit\" cx=\"{to_x}\" cy=\"{to_y}\" r=\"3.2\"/>\
                     <text x=\"{}\" y=\"{}\" lang=\"ja\">{name} <tspan>{value}</tspan></text>\n",
                    to_x + 8,
                    to_y + 4,
                );
            }
            self.position.do_move(m);
            self.draw(child, ply + 1);
            self.position.undo_move();
        }
        self.marks += &format!("<circle class=\"inner\" cx=\"{x}\" cy=\"{y}\" r=\"1.8\"/>\n");
    }
}
