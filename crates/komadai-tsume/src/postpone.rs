//! Moves that wait for a similar one to fail.
//!
//! Pieces dropped on the same square to parry a check are mostly refuted in the same way, and so are
//! a move with promotion and the same one without. All have to fail before the node does, so nothing
//! is lost by looking at one only when the one before has failed; and until then the node does not
//! look as many times as hard.

use komadai_core::PieceKind;

use crate::frame::Child;
use crate::numbers::Node;

/// Sets for which of its siblings each move of a node waits.
pub(crate) fn postpone(node: Node, children: &mut [Child]) {
    if node == Node::Defence {
        postpone_drops(children);
    }
    postpone_staying(children);
}

/// Drops on one square wait for those of weaker pieces.
fn postpone_drops(children: &mut [Child]) {
    let mut start = 0;
    while start < children.len() {
        // The generator writes the drops on a square in one go; if it did not, fewer would wait.
        let square = children[start].m.to();
        let same = |child: &Child| child.m.is_drop() && child.m.to() == square;
        let count = children[start..].iter().take_while(|child| same(child)).count();
        let drops = start..start + count;
        for index in drops.clone() {
            let strength = |index: usize| children[index].m.dropped().map_or(0, strength);
            let weaker = drops.clone().filter(|&other| strength(other) < strength(index));
            let predecessor = weaker.max_by_key(|&other| strength(other));
            children[index].waits_for = predecessor.map(|index| index as u16);
        }
        start += count.max(1);
    }
}

/// The order in which dropped kinds are tried: what is mated after a pawn was dropped mostly is
/// after a lance was, too, and the attacker who takes it wins less.
const fn strength(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Gold => 4,
        PieceKind::Bishop => 5,
        _ => 6,
    }
}

/// Moves without promotion wait for the same ones with.
fn postpone_staying(children: &mut [Child]) {
    for promoting in 0..children.len() {
        let m = children[promoting].m;
        if !m.is_promotion() {
            continue;
        }
        let staying = children.iter_mut().find(|other| {
            other.m.from() == m.from() && other.m.to() == m.to() && !other.m.is_promotion()
        });
        if let Some(staying) = staying {
            staying.waits_for = Some(promoting as u16);
        }
    }
}
