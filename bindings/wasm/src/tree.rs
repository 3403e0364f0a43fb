//! A game record as a tree of moves with lasting ids.
//!
//! `Record` keeps variations as a list of lines, which is what files contain. An editor wants nodes:
//! each move is one, the first child of a node continues its line, and the others are variations.
//! Nothing here recurses, so that ten thousand nested variations need no stack.

use komadai::core::{Move, Position};
use komadai::kifu::{End, Line, Record, RecordMove, Variation};

/// The id of a node: its index. The root, before the first move, has 0.
pub type Id = usize;

/// The id of the root.
pub const ROOT: Id = 0;

/// A move with what follows it.
#[derive(Debug, Default)]
pub struct Node {
    /// The node before; the root's own id for the root.
    pub parent: Id,
    /// The move; `None` for the root, and for a node that was removed.
    pub played: Option<RecordMove>,
    /// The nodes after; the first continues the line.
    pub children: Vec<Id>,
    /// Ends of lines at this node. On a node with moves after it, each is a variation of its own.
    pub ends: Vec<End>,
}

/// The moves of a record as a tree; header and start are those of the record.
#[derive(Debug)]
pub struct Tree {
    /// The record without its moves.
    pub frame: Record,
    nodes: Vec<Node>,
}

impl Tree {
    /// Makes a tree of a record.
    pub fn new(mut record: Record) -> Self {
        let mut tree =
            Self { nodes: vec![Node::default()], frame: Record::new(record.setup.clone()) };
        let variations = std::mem::take(&mut record.variations);
        // The nodes of each line by their plies, with the number of the first.
        let mut lines: Vec<(Line, usize, Vec<Id>)> = Vec::with_capacity(variations.len() + 1);
        let main = tree.append(ROOT, std::mem::take(&mut record.moves), record.end.take());
        lines.push((Line::Main, 1, main));
        for Variation { parent, ply, moves, end } in variations {
            let before = node_before(&lines, parent, ply);
            let nodes = tree.append(before, moves, end);
            lines.push((parent, ply, nodes));
        }
        tree.frame = record;
        tree
    }

    /// Adds moves and an end after a node. Returns their ids.
    fn append(&mut self, after: Id, moves: Vec<RecordMove>, end: Option<End>) -> Vec<Id> {
        let mut last = after;
        let mut ids = Vec::with_capacity(moves.len());
        for played in moves {
            last = self.push(last, played);
            ids.push(last);
        }
        self.nodes[last].ends.extend(end);
        ids
    }

    fn push(&mut self, parent: Id, played: RecordMove) -> Id {
        let id = self.nodes.len();
        self.nodes.push(Node { parent, played: Some(played), ..Node::default() });
        self.nodes[parent].children.push(id);
        id
    }

    /// Returns a node, unless there is none or it was removed.
    pub fn get(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id).filter(|node| id == ROOT || node.played.is_some())
    }

    /// Returns a node for changes.
    pub fn get_mut(&mut self, id: Id) -> Option<&mut Node> {
        self.nodes.get_mut(id).filter(|node| id == ROOT || node.played.is_some())
    }

    /// Returns the nodes of the game, without the root.
    pub fn main_line(&self) -> Vec<Id> {
        self.line_from(ROOT)
    }

    /// Returns the nodes after this one along its line.
    fn line_from(&self, id: Id) -> Vec<Id> {
        std::iter::successors(self.nodes[id].children.first().copied(), |&id| {
            self.nodes[id].children.first().copied()
        })
        .collect()
    }

    /// Returns the moves from the start to a node.
    pub fn path(&self, id: Id) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut id = id;
        while let Some(played) = self.nodes.get(id).and_then(|node| node.played.as_ref()) {
            moves.push(played.m);
            id = self.nodes[id].parent;
        }
        moves.reverse();
        moves
    }

    /// Adds a move after a node, or finds it there.
    pub fn add(&mut self, id: Id, m: Move) -> Id {
        let is_same =
            |&&child: &&Id| self.nodes[child].played.as_ref().is_some_and(|played| played.m == m);
        match self.nodes[id].children.iter().find(is_same) {
            Some(&child) => child,
            None => self.push(id, RecordMove::new(m)),
        }
    }

    /// Removes a node with all after it. The root stays.
    pub fn remove(&mut self, id: Id) {
        if id == ROOT {
            return;
        }
        let parent = self.nodes[id].parent;
        self.nodes[parent].children.retain(|&child| child != id);
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            left.append(&mut std::mem::take(&mut self.nodes[id]).children);
        }
    }

    /// Makes a node the first child of its parent, so that it continues the line.
    pub fn promote(&mut self, id: Id) {
        let parent = self.nodes[id].parent;
        let children = &mut self.nodes[parent].children;
        if let Some(at) = children.iter().position(|&child| child == id) {
            children[..=at].rotate_right(1);
        }
    }

    /// Returns the record of the tree.
    pub fn to_record(&self) -> Record {
        let mut record = self.frame.clone();
        // Lines to be written: the line, the number of its first move, and its nodes.
        let mut open = vec![(Line::Main, 1, self.line_from(ROOT))];
        while let Some((line, first, nodes)) = open.pop() {
            let moves = nodes.iter().filter_map(|&id| self.nodes[id].played.clone());
            record.moves_of_mut(line).extend(moves);
            let leaf = nodes.last().copied().unwrap_or(ROOT);
            *record.end_of_mut(line) = self.nodes[leaf].ends.first().cloned();
            // Variations at the first move of a variation leave the line before it.
            let start = (line == Line::Main).then_some((1, ROOT));
            for (ply, id) in start.into_iter().chain((first + 1..).zip(nodes)) {
                let node = &self.nodes[id];
                for &child in node.children.iter().skip(1) {
                    let Ok(variation) = record.add_variation(line, ply) else { continue };
                    let mut nodes = vec![child];
                    nodes.extend(self.line_from(child));
                    open.push((variation, ply, nodes));
                }
                for end in node.ends.iter().skip(usize::from(id == leaf)) {
                    if let Ok(variation) = record.add_variation(line, ply) {
                        *record.end_of_mut(variation) = Some(end.clone());
                    }
                }
            }
        }
        record
    }
}

/// Returns the node before move `ply` of a line.
fn node_before(lines: &[(Line, usize, Vec<Id>)], line: Line, ply: usize) -> Id {
    let mut line = line;
    loop {
        let index = match line {
            Line::Main => 0,
            Line::Variation(index) => index + 1,
        };
        let Some((parent, first, nodes)) = lines.get(index) else { return ROOT };
        let at = ply.checked_sub(first + 1);
        match at.and_then(|at| nodes.get(at).or(nodes.last())) {
            Some(&id) => return id,
            None if index == 0 => return ROOT,
            None => line = *parent,
        }
    }
}

/// Returns the position after moves, each of which must be legal. The error is the number of the
/// first that is not, from 1, with the rule that it breaks.
pub fn position_after(start: Position, moves: &[Move]) -> Result<Position, String> {
    use komadai::movegen::MoveGen as _;

    let mut position = start;
    for (number, &m) in (1..).zip(moves) {
        position.try_move(m).map_err(|error| format!("move {number}: {error}"))?;
    }
    Ok(position)
}
