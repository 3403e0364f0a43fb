//! The lines of a record as nodes: one for the start and one for each move.

use std::collections::BTreeMap;
use std::time::Duration;

use komadai_core::{Move, Position, Score};
use komadai_kifu::analysis::parse_analyses;
use komadai_kifu::{Comment, End, Line, Notation, Record, RecordMove};
use komadai_movegen::is_legal;

use super::evaluations::analysis_in;
use crate::graph::PointMark;

/// The largest number of moves of an expected line that are written.
const MOST_EXPECTED: usize = 10;

/// A position of a record, and the move that led to it.
pub(super) struct Node {
    /// The node before it; the start is its own.
    pub(super) parent: usize,
    /// The number of the move, 0 for the start.
    pub(super) ply: usize,
    pub(super) m: Option<Move>,
    /// The name of the move, not escaped.
    pub(super) name: String,
    /// The position as SFEN; `None` after an illegal move.
    pub(super) sfen: Option<String>,
    pub(super) time: Option<Duration>,
    /// The time that the side has used up to the move.
    pub(super) total: Option<Duration>,
    pub(super) score: Option<Score>,
    pub(super) mark: Option<PointMark>,
    /// The expected line with depth and nodes, not escaped.
    pub(super) expected: Option<String>,
    /// The comments that are no evaluations.
    pub(super) comments: Vec<String>,
}

/// A line of a record: a range of nodes.
pub(super) struct NodeLine<'r> {
    pub(super) line: Line,
    /// The node before its first move.
    pub(super) base: usize,
    pub(super) nodes: core::ops::Range<usize>,
    pub(super) end: Option<&'r End>,
}

/// All lines of a record, the game first.
pub(super) struct Lines<'r> {
    /// The nodes, the start first.
    pub(super) nodes: Vec<Node>,
    pub(super) lines: Vec<NodeLine<'r>>,
    /// The index of each line by its number.
    places: BTreeMap<usize, usize>,
}

/// Returns the number of a line: 0 for the game, from 1 for variations.
pub(super) fn line_number(line: Line) -> usize {
    match line {
        Line::Main => 0,
        Line::Variation(index) => index + 1,
    }
}

impl<'r> Lines<'r> {
    pub(super) fn new(record: &'r Record, notation: Notation) -> Self {
        let mut lines = Self { nodes: Vec::new(), lines: Vec::new(), places: BTreeMap::new() };
        let start = Position::from_setup(&record.setup).ok();
        let mut first = Node::new(0, 0);
        first.sfen = Some(record.setup.to_string());
        first.add_comments(&record.comments, start.as_ref(), notation);
        lines.nodes.push(first);
        let variations = (0..record.variations.len()).map(Line::Variation);
        for line in std::iter::once(Line::Main).chain(variations) {
            if let Some(base) = lines.base(record, line) {
                lines.add(record, line, base, notation);
            }
        }
        lines
    }

    /// Returns the node that a line leaves; `None` if the line leaves no earlier one.
    fn base(&self, record: &Record, line: Line) -> Option<usize> {
        let Line::Variation(index) = line else { return Some(0) };
        let variation = record.variations.get(index)?;
        let parent = self.lines.get(*self.places.get(&line_number(variation.parent))?)?;
        let before = variation.ply.checked_sub(record.first_ply(parent.line))?;
        if before == 0 {
            return Some(parent.base);
        }
        let base = parent.nodes.start.checked_add(before - 1)?;
        parent.nodes.contains(&base).then_some(base)
    }

    fn add(&mut self, record: &'r Record, line: Line, base: usize, notation: Notation) {
        let moves = record.moves_of(line);
        let start = self.nodes.len();
        let mut position = self.position(base);
        let names = position.as_ref().map(|at| self.names(at, base, moves, notation));
        let mut names = names.unwrap_or_default().into_iter();
        let first_ply = self.nodes[base].ply + 1;
        for (index, played) in moves.iter().enumerate() {
            let parent = if index == 0 { base } else { start + index - 1 };
            let mut node = Node::new(parent, first_ply + index);
            position = position.filter(|position| is_legal(position, played.m));
            // The name of an illegal move may be wrong in other notations.
            node.name = match (&position, names.next()) {
                (Some(_), Some(name)) => name,
                _ => played.m.to_string(),
            };
            node.m = Some(played.m);
            node.time = played.time;
            node.total = self.total(parent, played.time);
            if let Some(position) = &mut position {
                position.do_move(played.m);
                node.sfen = Some(position.to_setup().to_string());
            }
            node.add_comments(&played.comments, position.as_ref(), notation);
            self.nodes.push(node);
        }
        let nodes = start..self.nodes.len();
        self.places.insert(line_number(line), self.lines.len());
        self.lines.push(NodeLine { line, base, nodes, end: record.end_of(line) });
    }

    fn position(&self, node: usize) -> Option<Position> {
        Position::from_sfen(self.nodes.get(node)?.sfen.as_deref()?).ok()
    }

    /// Returns the names of the moves up to the first illegal one. The move before them decides whether the first one
    /// is to the same square (同).
    fn names(
        &self,
        at: &Position,
        base: usize,
        moves: &[RecordMove],
        notation: Notation,
    ) -> Vec<String> {
        let mut position = at.clone();
        let legal = moves.iter().map(|played| played.m).take_while(|&m| {
            let is_legal = is_legal(&position, m);
            if is_legal {
                position.do_move(m);
            }
            is_legal
        });
        let legal: Vec<Move> = legal.collect();
        let node = &self.nodes[base];
        match (node.m, self.position(node.parent)) {
            (Some(before), Some(position)) => {
                let line: Vec<Move> = std::iter::once(before).chain(legal).collect();
                notation.names(&position, &line).split_off(1)
            }
            _ => notation.names(at, &legal),
        }
    }

    /// Returns the time that the side of a move has used with it: its last move is two plies earlier.
    fn total(&self, parent: usize, time: Option<Duration>) -> Option<Duration> {
        let (time, before) = (time?, self.nodes.get(parent)?);
        match self.nodes.get(before.parent)? {
            // One of the first two moves.
            _ if before.ply < 2 => Some(time),
            earlier => earlier.total?.checked_add(time),
        }
    }
}

impl Node {
    fn new(parent: usize, ply: usize) -> Self {
        Self {
            parent,
            ply,
            m: None,
            name: String::new(),
            sfen: None,
            time: None,
            total: None,
            score: None,
            mark: None,
            expected: None,
            comments: Vec::new(),
        }
    }

    /// Adds the comments on the position, and the evaluation that they contain.
    fn add_comments(&mut self, comments: &[Comment], after: Option<&Position>, notation: Notation) {
        let is_text = |comment: &&Comment| {
            let one = core::slice::from_ref(*comment);
            after.is_none_or(|after| parse_analyses(one, after).is_empty())
        };
        let notes = comments.iter().filter(|comment| matches!(comment, Comment::Note(_)));
        let texts = notes.filter(is_text).map(|comment| comment.text().to_owned());
        self.comments = texts.collect();
        let Some(after) = after else { return };
        let Some(analysis) = analysis_in(comments, after) else { return };
        self.score = analysis.black_score;
        let shown = analysis.pv.len().min(MOST_EXPECTED);
        if shown > 0 {
            let more = if shown < analysis.pv.len() { " …" } else { "" };
            self.expected = Some(notation.line(after, &analysis.pv[..shown]) + more);
        }
    }
}
