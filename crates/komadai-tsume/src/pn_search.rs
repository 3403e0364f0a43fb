//! Proof-number search on an explicit tree.
//!
//! ```text
//! until the root is solved:
//!     go down from the root, at an attack node to the child with the smallest proof number, at a
//!         defence node to that with the smallest disproof number
//!     append the children of the leaf, with numbers from the count of their moves
//!     recompute the numbers of the leaf and its ancestors
//! ```
//!
//! (L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search", Artificial
//! Intelligence 66, 1994; L. V. Allis, "Searching for solutions in games and artificial
//! intelligence", doctoral thesis, University of Limburg, 1994.) The walk upwards ends at the first
//! node whose numbers stay the same, because the next leaf is below it.
//!
//! The tree has a node for each path, not for each position. Therefore a repetition is decided on
//! the path that has led to it, and nothing that relies on one path is used on another (the
//! graph-history-interaction problem). There is no table, no comparison of hands and no move that
//! waits for a similar one. The price is memory: positions are searched once for each path to them.

use komadai_base::clock::Instant;
use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{
    CheckClass, MateLimit, MateReport, MateResult, MateSolver, MoveList, count_legal,
    generate_checks, generate_legal,
};

use crate::plies::MAX_PLIES;

/// A mate solver that shares nothing with [`DfPn`](crate::DfPn) but the rules: proof-number search
/// on an explicit tree.
///
/// It is a second opinion, not a fast solver: any repetition of a position on the path is a failure
/// of the attacker, and no result is carried over from one path to another. The tree takes 24 bytes
/// for each move considered. When it is full, the result is unknown with [`MateLimit::Memory`].
///
/// One node is one position whose moves are generated. A [`depth`](Budget::depth) in the budget
/// restricts the search to mates of at most that many plies; without one the limit is 4,095 plies.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::{CheckClass, MateResult, MateSolver};
/// use komadai_tsume::PnSearch;
///
/// let position = Position::from_sfen("7nk/9/8G/9/9/9/9/9/9 b P 1")?;
/// let report = PnSearch::new(16).solve(&position, &Budget::nodes(1_000), CheckClass::All);
/// assert_eq!(report.result, MateResult::NoMate, "a dropped pawn must not mate");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PnSearch {
    most_nodes: usize,
    tree: Vec<Node>,
    /// Keys of the positions from the root to the current node.
    path: Vec<u64>,
    /// Largest number of plies to the mate.
    depth: u16,
    /// True if `depth` has refuted a node.
    is_cut: bool,
}

/// A move and the position after it.
#[derive(Debug, Clone, Copy)]
struct Node {
    proof: u32,
    disproof: u32,
    parent: u32,
    /// Index of the first child; 0 before the expansion.
    first_child: u32,
    children: u16,
    /// Number of plies to the mate with the longest defence in the tree, if the mate is proven.
    plies: u16,
    m: Option<Move>,
}

const _: () = assert!(size_of::<Node>() == 24);

/// More moves than any position has; the maximum with the pieces of the game is 593.
const MOST_MOVES: usize = 1024;

/// The number that no sum of finite ones reaches.
const INFINITE: u32 = u32::MAX;

impl PnSearch {
    /// Largest size of the tree: 64 GiB, because a node names others by 32 bits.
    pub const MAX_MEMORY_MIB: usize = 1 << 16;

    /// Creates a solver whose tree takes at most this many MiB, clamped to 1 to
    /// [`MAX_MEMORY_MIB`](Self::MAX_MEMORY_MIB). The tree grows as it is needed.
    pub fn new(memory_mib: usize) -> Self {
        let most_nodes = (memory_mib.clamp(1, Self::MAX_MEMORY_MIB) << 20) / size_of::<Node>();
        Self { most_nodes, tree: Vec::new(), path: Vec::new(), depth: 0, is_cut: false }
    }

    /// Grows the tree until the root is solved. Returns the number of nodes, and the limit that
    /// ended the search.
    fn grow(&mut self, position: &mut Position, budget: &Budget) -> (u64, Option<MateLimit>) {
        self.tree.clear();
        self.tree.push(Node::open(None, 0, 1, 1));
        self.path.clear();
        self.path.push(position.key());
        self.is_cut = false;
        let mut nodes = 0;
        let mut at = 0;
        while !self.tree[0].is_solved() {
            if budget.is_exhausted(nodes) {
                return (nodes, Some(MateLimit::of(budget, nodes)));
            }
            if self.tree.len() + MOST_MOVES > self.most_nodes {
                return (nodes, Some(MateLimit::Memory));
            }
            self.reserve();
            while self.tree[at].first_child != 0 {
                at = self.best_child(at);
                position.do_move(self.tree[at].m.expect("only the root has no move"));
                self.path.push(position.key());
            }
            self.expand(at, position);
            nodes += 1;
            // Up to the first node whose numbers stay the same: the next leaf is below it.
            while self.update(at) && at != 0 {
                at = self.tree[at].parent as usize;
                position.undo_move();
                self.path.pop();
            }
        }
        (nodes, None)
    }

    /// Makes room for the children of a node: twice as much as before, never more than allowed.
    /// A vector left to itself would double beyond that.
    fn reserve(&mut self) {
        let (length, capacity) = (self.tree.len(), self.tree.capacity());
        if capacity - length < MOST_MOVES {
            let wanted = (2 * capacity).max(length + MOST_MOVES).min(self.most_nodes);
            self.tree.reserve_exact(wanted - length);
        }
    }

    /// True if the attacker is to move in the current node.
    fn attacks(&self) -> bool {
        self.path.len() % 2 == 1
    }

    /// Appends the children of a leaf: all of them, or only one that decides the result.
    fn expand(&mut self, leaf: usize, position: &mut Position) {
        let attacks = self.attacks();
        let first = self.tree.len();
        let mut moves = MoveList::new();
        if attacks {
            generate_checks(position, &mut moves)
        } else {
            generate_legal(position, &mut moves)
        }
        for m in &moves {
            position.do_move(m);
            let (proof, disproof) = self.assess(position, attacks);
            position.undo_move();
            let decides = if attacks { proof == 0 } else { disproof == 0 };
            // With a child that decides, the others do not matter.
            if decides {
                self.tree.truncate(first);
            }
            self.tree.push(Node::open(Some(m), leaf, proof, disproof));
            if decides {
                break;
            }
        }
        self.tree[leaf].first_child = first as u32;
        self.tree[leaf].children = (self.tree.len() - first) as u16;
    }

    /// Proof and disproof number of the position on the board, a child of the current node.
    ///
    /// Each reply has to be mated and each check to be refuted, so their counts are the first
    /// estimates.
    fn assess(&mut self, position: &Position, by_attacker: bool) -> (u32, u32) {
        let is_repeated = self.path.contains(&position.key());
        if by_attacker {
            let replies = count_legal(position) as u32;
            let is_too_deep = self.path.len() >= usize::from(self.depth);
            self.is_cut |= is_too_deep && replies > 0 && !is_repeated;
            match replies {
                _ if is_repeated => (INFINITE, 0),
                0 => (0, INFINITE),
                _ if is_too_deep => (INFINITE, 0),
                _ => (replies, 1),
            }
        } else {
            let mut checks = MoveList::new();
            generate_checks(position, &mut checks);
            match checks.len() as u32 {
                checks if is_repeated || checks == 0 => (INFINITE, 0),
                checks => (1, checks),
            }
        }
    }

    fn children(&self, node: usize) -> &[Node] {
        let Node { first_child, children, .. } = self.tree[node];
        &self.tree[first_child as usize..][..usize::from(children)]
    }

    /// Index of the child that contains the next leaf.
    fn best_child(&self, node: usize) -> usize {
        let children = self.children(node).iter().enumerate();
        let best = if self.attacks() {
            children.min_by_key(|(_, child)| child.proof)
        } else {
            children.min_by_key(|(_, child)| child.disproof)
        };
        let (index, _) = best.expect("an unsolved node has an unsolved child");
        self.tree[node].first_child as usize + index
    }

    /// Recomputes the numbers of the current node. Returns whether they have changed.
    fn update(&mut self, node: usize) -> bool {
        let children = self.children(node);
        let proofs = children.iter().map(|child| child.proof);
        let disproofs = children.iter().map(|child| child.disproof);
        let proven = children.iter().filter(|child| child.proof == 0);
        let lengths = proven.map(|child| child.plies + 1);
        let (proof, disproof, plies) = if self.attacks() {
            (proofs.min().unwrap_or(INFINITE), disproofs.fold(0, sum), lengths.min())
        } else {
            (proofs.fold(0, sum), disproofs.min().unwrap_or(INFINITE), lengths.max())
        };
        let node = &mut self.tree[node];
        let has_changed = (proof, disproof) != (node.proof, node.disproof);
        (node.proof, node.disproof, node.plies) = (proof, disproof, plies.unwrap_or(0));
        has_changed
    }

    /// The moves of a proven mate: the attacker mates as fast, and the defender resists as long, as
    /// the tree shows.
    fn line(&self) -> Pv {
        let mut at = 0;
        std::iter::from_fn(|| {
            let left = self.tree[at].plies.checked_sub(1)?;
            let mut children = self.children(at).iter();
            let index = children.position(|child| child.proof == 0 && child.plies == left)?;
            at = self.tree[at].first_child as usize + index;
            self.tree[at].m
        })
        .collect()
    }
}

/// Adds a number to a sum, which becomes infinite only if one of them is.
fn sum(sum: u32, number: u32) -> u32 {
    if sum == INFINITE || number == INFINITE {
        return INFINITE;
    }
    sum.saturating_add(number).min(INFINITE - 1)
}

impl Node {
    fn open(m: Option<Move>, parent: usize, proof: u32, disproof: u32) -> Self {
        let parent = parent as u32;
        Self { proof, disproof, parent, first_child: 0, children: 0, plies: 0, m }
    }

    fn is_solved(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

impl MateSolver for PnSearch {
    /// Searches all checks and ignores the class.
    fn solve(&mut self, position: &Position, budget: &Budget, _: CheckClass) -> MateReport {
        let clock = Instant::now();
        let depth = budget.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        // A mate has an odd number of plies, so an even depth is rounded down.
        let Some(rest) = depth.checked_sub(1) else {
            let limit = Some(MateLimit::Depth);
            return MateReport { limit, ..MateReport::new(MateResult::Unknown, 0) };
        };
        self.depth = (rest / 2 * 2 + 1) as u16;
        let (nodes, limit) = self.grow(&mut position.without_history(), budget);
        let unknown = MateReport::new(MateResult::Unknown, nodes);
        let report = match self.tree[0] {
            Node { proof: 0, plies, .. } => {
                let result = MateResult::Mate { line: self.line(), shortest: plies == 1 };
                MateReport::new(result, nodes)
            }
            // The limit, not the attacker's lack of checks, has refuted some line.
            Node { disproof: 0, .. } if self.is_cut => MateReport {
                limit: Some(MateLimit::Depth),
                no_mate_within: u32::from(self.depth),
                ..unknown
            },
            Node { disproof: 0, .. } => MateReport::new(MateResult::NoMate, nodes),
            _ => MateReport { limit, ..unknown },
        };
        let memory_bytes = self.tree.len() * size_of::<Node>();
        MateReport { time: clock.elapsed(), memory_bytes, ..report }
    }

    fn memory_bytes(&self) -> usize {
        self.most_nodes * size_of::<Node>()
    }
}

#[cfg(test)]
mod tests;
