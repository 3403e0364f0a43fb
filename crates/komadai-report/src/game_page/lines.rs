//! The lines of a record as nodes: one for the start and one for each move.

use std::collections::BTreeMap;
use std::time::Duration;

use komadai_core::{Bound, Move, Piece, PieceKind, Position, Score, Setup, Square};
use komadai_kifu::analysis::parse_analyses;
use komadai_kifu::{Comment, End, Line, Notation, Record, RecordMove, carry_out};
use komadai_movegen::is_legal;

use super::evaluations::analysis_in;
use crate::graph::PointMark;

/// The largest number of moves of an expected line that are written.
const MOST_EXPECTED: usize = 10;

/// A position of a record, and the move that led to it.
#[derive(Default)]
pub(super) struct Node {
    /// The node before it; the start is its own.
    pub(super) parent: usize,
    /// The number of the move, 0 for the start.
    pub(super) ply: usize,
    pub(super) m: Option<Move>,
    /// The name of the move, not escaped.
    pub(super) name: String,
    /// The position as SFEN; `None` after a move that cannot be made.
    pub(super) sfen: Option<String>,
    /// True for an illegal move that can be made.
    pub(super) is_foul: bool,
    pub(super) time: Option<Duration>,
    /// The time that the side has used up to the move.
    pub(super) total: Option<Duration>,
    pub(super) score: Option<Score>,
    /// The relation of the score to the value.
    pub(super) bound: Bound,
    pub(super) mark: Option<PointMark>,
    /// The expected line.
    pub(super) expected: Vec<Expected>,
    /// True if only the beginning of the expected line is in `expected`.
    pub(super) expects_more: bool,
    /// The name of the position, not escaped.
    pub(super) bookmark: Option<String>,
    /// The comments that are no evaluations.
    pub(super) comments: Vec<String>,
}

/// A move of an expected line.
pub(super) struct Expected {
    pub(super) m: Move,
    /// The name, not escaped.
    pub(super) name: String,
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
    /// Returns the record without the evaluations in its comments.
    pub(super) fn without_evaluations(&self, record: &Record) -> Record {
        let mut record = record.clone();
        let notes = |node: &Node| node.comments.iter().cloned().map(Comment::Note).collect();
        if let Some(start) = self.nodes.first() {
            record.comments = notes(start);
        }
        for line in &self.lines {
            let moves = record.moves_of_mut(line.line).iter_mut();
            for (played, node) in moves.zip(&self.nodes[line.nodes.clone()]) {
                played.comments = notes(node);
            }
        }
        record
    }

    /// Returns the move that was expected in place of a marked one.
    pub(super) fn better(&self, node: &Node) -> Option<Move> {
        let expected = self.nodes.get(node.parent)?.expected.first()?.m;
        (node.mark.is_some() && node.m != Some(expected)).then_some(expected)
    }

    pub(super) fn new(record: &'r Record, notation: Notation) -> Self {
        let mut lines = Self { nodes: Vec::new(), lines: Vec::new(), places: BTreeMap::new() };
        let start = position_of(&record.setup);
        let mut first = Node {
            sfen: Some(record.setup.to_string()),
            bookmark: named(record.bookmark.as_deref()),
            ..Node::default()
        };
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
        let mut board = self.setup(base);
        let mut position = board.as_ref().and_then(position_of);
        let names = position.as_ref().map(|at| self.names(at, base, moves, notation));
        let mut names = names.unwrap_or_default().into_iter();
        let first_ply = self.nodes[base].ply + 1;
        for (index, played) in moves.iter().enumerate() {
            let m = played.m;
            let parent = if index == 0 { base } else { start + index - 1 };
            let mut node = Node { parent, ply: first_ply + index, ..Node::default() };
            let is_legal = position.as_ref().is_some_and(|position| is_legal(position, m));
            let after = board.as_ref().and_then(|board| carry_out(board, m).ok());
            node.is_foul = position.is_some() && !is_legal && after.is_some();
            let name_of_foul = |board: &Setup| {
                let at = position.clone().or_else(|| without_others(board, m))?;
                Some(notation.name(&at, m))
            };
            let foul = board.as_ref().filter(|_| after.is_some()).and_then(name_of_foul);
            node.name = names.next().or(foul).unwrap_or_else(|| m.to_string());
            node.m = Some(m);
            node.time = played.time;
            node.total = self.total(parent, played.time);
            match &mut position {
                Some(position) if is_legal => position.do_move(m),
                position => *position = after.as_ref().and_then(position_of),
            }
            node.sfen = after.as_ref().map(Setup::to_string);
            node.bookmark = named(played.bookmark.as_deref());
            node.add_comments(&played.comments, position.as_ref(), notation);
            board = after;
            self.nodes.push(node);
        }
        let nodes = start..self.nodes.len();
        self.places.insert(line_number(line), self.lines.len());
        self.lines.push(NodeLine { line, base, nodes, end: record.end_of(line) });
    }

    fn setup(&self, node: usize) -> Option<Setup> {
        Setup::from_sfen(self.nodes.get(node)?.sfen.as_deref()?).ok()
    }

    /// Returns the names of the moves up to the first illegal one. The move before them decides
    /// whether the first one is to the same square (同).
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
        match (node.m, self.setup(node.parent).as_ref().and_then(position_of)) {
            (Some(before), Some(position)) => {
                let line: Vec<Move> = std::iter::once(before).chain(legal).collect();
                notation.names(&position, &line).split_off(1)
            }
            _ => notation.names(at, &legal),
        }
    }

    /// Returns the time that the side of a move has used with it: its last move is two plies
    /// earlier.
    fn total(&self, parent: usize, time: Option<Duration>) -> Option<Duration> {
        let (time, before) = (time?, self.nodes.get(parent)?);
        match self.nodes.get(before.parent)? {
            // One of the first two moves.
            _ if before.ply < 2 => Some(time),
            earlier => earlier.total?.checked_add(time),
        }
    }
}

/// Returns the position of a setup to which rules apply.
fn position_of(setup: &Setup) -> Option<Position> {
    Position::from_setup_leniently(setup).ok()
}

/// Returns a position with the piece of a move that can be made, and the one that it captures. It
/// names moves on boards to which no rules apply, as after a king was left in check.
fn without_others(board: &Setup, m: Move) -> Option<Position> {
    let mut setup = Setup { side: board.side, ply: board.ply, ..Setup::empty() };
    setup.hands = board.hands;
    let squares = || m.from().into_iter().chain([m.to()]);
    squares().for_each(|square| setup.board[square] = board.board[square]);
    let king = Piece::new(board.side, PieceKind::King);
    if !squares().any(|square| setup.board[square] == Some(king)) {
        let free =
            Square::ALL.into_iter().find(|&square| squares().all(|other| other != square))?;
        setup.board[free] = Some(king);
    }
    position_of(&setup)
}

/// Returns a bookmark that has a name.
fn named(bookmark: Option<&str>) -> Option<String> {
    bookmark.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

impl Node {
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
        (self.score, self.bound) = (analysis.black_score, analysis.bound);
        let shown = &analysis.pv[..analysis.pv.len().min(MOST_EXPECTED)];
        let names = notation.names(after, shown).into_iter();
        self.expected = shown.iter().zip(names).map(|(&m, name)| Expected { m, name }).collect();
        self.expects_more = shown.len() < analysis.pv.len();
    }
}
