//! Moves that are deferred until a similar move has failed.
//!
//! Different pieces dropped on the same square against a check are mostly refuted in the same way.
//! The same holds for a move with promotion and the same move without it. All of them have to fail
//! before the node fails, so nothing is lost if one of them is searched only after the one before
//! it has failed. Until then it does not add to the sum of the node's failure number, which would
//! otherwise overestimate the work several times.
//!
//! In a long search this goes for the drops on all squares of a line.

use komadai_core::{PieceKind, Square};
use smallvec::SmallVec;

use crate::frame::Child;
use crate::numbers::Node;

/// Sets the sibling for which each move of a node waits. If the square of the king is given, the
/// drops on all squares form one chain.
pub(crate) fn postpone(node: Node, children: &mut [Child], king: Option<Square>) {
    match (node, king) {
        (Node::Attack, _) => {}
        (Node::Defence, None) => postpone_drops(children),
        (Node::Defence, Some(king)) => postpone_all_drops(children, king),
    }
    postpone_non_promotions(children);
}

/// Makes each drop wait for the drop of the next weaker piece on the same square.
fn postpone_drops(children: &mut [Child]) {
    let mut start = 0;
    while start < children.len() {
        // The generator writes all drops on a square one after the other. Another order would be
        // correct as well, but fewer drops would wait.
        let square = children[start].m.to();
        let rest = children[start..].iter();
        let count = rest.take_while(|child| child.m.is_drop() && child.m.to() == square).count();
        let drops = start..start + count;
        for index in drops.clone() {
            let own = drop_strength(&children[index]);
            let weaker = drops.clone().filter(|&other| drop_strength(&children[other]) < own);
            let predecessor = weaker.max_by_key(|&other| drop_strength(&children[other]));
            children[index].waits_for = predecessor.map(|index| index as u16);
        }
        start += count.max(1);
    }
}

/// Makes each drop wait for the one before it: first those next to the king, on one square the
/// weaker piece first.
///
/// What the attacker captures next to the king it captures with another check, so that such a drop
/// mostly refutes nothing, and neither do those farther away, where the check can be repeated from
/// nearer.
fn postpone_all_drops(children: &mut [Child], king: Square) {
    let mut drops: SmallVec<[(u8, u8, u16); 64]> = children
        .iter()
        .enumerate()
        .filter_map(|(index, child)| {
            let kind = child.m.dropped()?;
            Some((king.distance(child.m.to()), strength(kind), index as u16))
        })
        .collect();
    drops.sort_unstable();
    for (before, after) in drops.iter().zip(drops.iter().skip(1)) {
        children[usize::from(after.2)].waits_for = Some(before.2);
    }
}

/// The order in which dropped kinds are searched. If the defender is mated after a pawn drop, it is
/// mostly mated after a lance drop as well. The attacker who captures a weak piece also gains less,
/// so the weakest drop is the best defence to try first.
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

/// The place of a drop in this order.
fn drop_strength(child: &Child) -> u8 {
    child.m.dropped().map_or(0, strength)
}

/// Makes each move without promotion wait for the same move with promotion.
fn postpone_non_promotions(children: &mut [Child]) {
    for promoting in 0..children.len() {
        let m = children[promoting].m;
        if !m.is_promotion() {
            continue;
        }
        let non_promotion = children.iter_mut().find(|other| {
            other.m.from() == m.from() && other.m.to() == m.to() && !other.m.is_promotion()
        });
        if let Some(non_promotion) = non_promotion {
            non_promotion.waits_for = Some(promoting as u16);
        }
    }
}
