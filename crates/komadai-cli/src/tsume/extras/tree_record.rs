//! Solution trees as game records with variations.

use komadai::Move;
use komadai::kifu::{Comment, End, EndKind, Line, Record, RecordMove};
use komadai::problems::composition::{SolutionTree, TreeNode, TreeState};

/// Returns a tree as a record: the main line, and all other moves as variations. Comments give the
/// plies to the mate, and the places of positions that occur more than once.
pub(super) fn record(tree: &SolutionTree) -> Record {
    let nodes = tree.nodes();
    let mut record = Record::new(tree.start().to_setup());
    record.comments.push(Comment::Note(format!("{}手詰", tree.root().plies)));
    // Nodes whose moves follow, with their line. `Line::Main` of the root has no move.
    let mut pending = vec![(0, Line::Main)];
    while let Some((index, line)) = pending.pop() {
        let mut at = &nodes[index];
        while let [first, others @ ..] = &at.children[..] {
            let ply = at.depth as usize + 1;
            let next = &nodes[*first];
            push(&mut record, tree, line, next);
            for &other in others.iter().rev() {
                let variation = record.add_variation(line, ply);
                let variation = variation.expect("a move of this number has just been added");
                push(&mut record, tree, variation, &nodes[other]);
                pending.push((other, variation));
            }
            at = next;
        }
    }
    record
}

/// Adds the move that leads to a node to a line.
fn push(record: &mut Record, tree: &SolutionTree, line: Line, node: &TreeNode) {
    let Some(m) = node.m else { return };
    let note = match node.state {
        TreeState::Expanded => Some(format!("詰みまで{}手", node.plies)),
        TreeState::Futile => Some("無駄合".to_owned()),
        TreeState::Unexpanded => Some("未調査".to_owned()),
        TreeState::SameAs(index) => {
            let moves = tree.moves_to(index);
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            Some(format!("詰みまで{}手、次の手順の局面と同じ：{}", node.plies, moves.join(" ")))
        }
        // A mate has an end mark.
        _ => None,
    };
    let mut played = RecordMove::new(m);
    played.comments.extend(note.map(Comment::Note));
    record.moves_of_mut(line).push(played);
    if node.state == TreeState::Mate {
        *record.end_of_mut(line) = Some(End::new(EndKind::Checkmate));
    }
}

/// Returns the line of the shortest mate and the longest defence.
pub(super) fn main_line(tree: &SolutionTree) -> Vec<Move> {
    let nodes = tree.nodes();
    let mut line = Vec::new();
    let mut at = tree.root();
    // The plies fall with each move, so that the walk ends in spite of references.
    while let Some(&first) = at.children.first() {
        let next = &nodes[first];
        line.extend(next.m);
        at = match next.state {
            TreeState::SameAs(index) => &nodes[index],
            _ => next,
        };
    }
    line
}
