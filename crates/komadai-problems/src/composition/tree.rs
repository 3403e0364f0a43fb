//! The tree of all solutions.

mod export;

use std::collections::{HashMap, VecDeque};

use komadai_core::{Color, Move, Position};
use komadai_movegen::{MoveGen, MoveList, generate_checks};

use super::lengths::{Distances, upper_bound};
use super::options::{CompositionError, CompositionOptions, Convention};

/// All positions that the attacker's mates and the defender's replies reach, each with its exact
/// distance to the mate.
///
/// The attacker plays every check that mates in as few plies as possible, or in up to
/// [`tree_longer_by`](CompositionOptions::tree_longer_by) more; the defender plays every legal
/// reply. A position is expanded once; where it occurs again, the tree refers to it. The tree
/// depends on the position and the options only.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_problems::composition::{CompositionOptions, SolutionTree, TreeState};
///
/// let position = Position::from_sfen("9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1")?;
/// let tree = SolutionTree::build(&position, &CompositionOptions::default())?;
/// assert_eq!(tree.root().plies, 3);
/// let mates = tree.nodes().iter().filter(|node| node.state == TreeState::Mate).count();
/// assert!(mates > 1 && tree.is_complete());
/// println!("{tree}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionTree {
    start: Position,
    convention: Convention,
    nodes: Vec<TreeNode>,
    is_complete: bool,
}

/// A position of a [`SolutionTree`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// The move that leads to the position; `None` at the root.
    pub m: Option<Move>,
    /// Index of the position before the move; the root is its own parent.
    pub parent: usize,
    /// Number of moves from the root.
    pub depth: u32,
    /// Plies to the mate. For a futile interposition, the plies of the position before it.
    pub plies: u32,
    /// The reason why the tree ends here, if it does.
    pub state: TreeState,
    /// Indices of the positions after the next moves: the attacker's shortest mate first, the
    /// defender's longest defence first.
    pub children: Vec<usize>,
}

/// The state of a position in a [`SolutionTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreeState {
    /// All moves of the solutions follow.
    Expanded,
    /// The defender is mated. In the literature convention it may have futile interpositions.
    Mate,
    /// The position occurs elsewhere, at this index, and is expanded there.
    SameAs(usize),
    /// The position follows a futile interposition (無駄合) and is not expanded.
    Futile,
    /// The budget or the largest number of positions was reached.
    Unexpanded,
}

impl SolutionTree {
    /// Builds the tree, nearest positions first.
    ///
    /// # Errors
    ///
    /// [`CompositionError`] if the length of the shortest mate cannot be determined. If the budget
    /// or the largest number of positions is reached later, the tree is not
    /// [complete](Self::is_complete).
    pub fn build(
        position: &Position,
        options: &CompositionOptions,
    ) -> Result<Self, CompositionError> {
        let (most, nodes) = upper_bound(position, &options.budget)?;
        let mut distances = Distances::new(options.convention, position, &options.budget, nodes);
        let plies = distances.exact(position, most)?.ok_or(CompositionError::Budget)?;
        let start = position.without_history();
        let mut builder = Builder { distances, options, nodes: Vec::new(), seen: HashMap::new() };
        let is_complete = builder.build(&start, plies);
        Ok(Self { start, convention: options.convention, nodes: builder.nodes, is_complete })
    }

    /// Returns the position of the problem.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the root.
    pub fn root(&self) -> &TreeNode {
        &self.nodes[0]
    }

    /// Returns all nodes, the root first; indices in nodes refer to this list.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// Returns the convention in which plies are counted.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// Returns true if no position is [unexpanded](TreeState::Unexpanded).
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the moves from the root to the node with this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    pub fn moves_to(&self, mut index: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some(m) = self.nodes[index].m {
            moves.push(m);
            index = self.nodes[index].parent;
        }
        moves.reverse();
        moves
    }

    /// Returns the nodes in the order of a walk: each node before its children, the best move
    /// first. A record with branches is written in this order.
    pub fn walk(&self) -> impl Iterator<Item = (usize, &TreeNode)> {
        let mut stack = vec![0];
        std::iter::from_fn(move || {
            let index = stack.pop()?;
            let node = &self.nodes[index];
            stack.extend(node.children.iter().rev());
            Some((index, node))
        })
    }
}

#[derive(Debug)]
struct Builder<'a> {
    distances: Distances<'a>,
    options: &'a CompositionOptions,
    nodes: Vec<TreeNode>,
    /// Index of each position, by its key.
    seen: HashMap<u64, usize>,
}

/// A move to add: the plies after it, and whether it is a futile interposition.
type Step = (Move, u32, bool);

impl Builder<'_> {
    /// Builds all nodes. Returns true if all positions are expanded.
    fn build(&mut self, start: &Position, plies: u32) -> bool {
        let attacker = start.side();
        self.nodes.push(node(None, 0, 0, plies, TreeState::Unexpanded));
        self.seen.insert(start.key(), 0);
        let mut queue = VecDeque::from([(0, start.clone())]);
        while let Some((index, mut position)) = queue.pop_front() {
            if self.nodes.len() >= self.options.max_positions {
                return false;
            }
            let plies = self.nodes[index].plies;
            let steps = if position.side() == attacker {
                self.checks(&mut position, plies)
            } else {
                self.replies(&mut position, plies)
            };
            // The budget is spent. What has been built stays, as an incomplete tree.
            let Ok(steps) = steps else { return false };
            self.nodes[index].state = TreeState::Expanded;
            for step in steps {
                let m = step.0;
                position.do_move(m);
                if let Some(child) = self.add(index, &position, attacker, step) {
                    queue.push_back((child, position.without_history()));
                }
                position.undo_move();
            }
        }
        true
    }

    /// Adds the position after a move. Returns its index if it has to be expanded.
    fn add(
        &mut self,
        parent: usize,
        position: &Position,
        attacker: Color,
        (m, plies, is_futile): Step,
    ) -> Option<usize> {
        let index = self.nodes.len();
        let depth = self.nodes[parent].depth + 1;
        // Futile interpositions and mates end here and are never the place to which others refer.
        let state = if is_futile {
            TreeState::Futile
        } else if plies == 0 && position.side() != attacker {
            TreeState::Mate
        } else {
            match *self.seen.entry(position.key()).or_insert(index) {
                first if first == index => TreeState::Unexpanded,
                first => TreeState::SameAs(first),
            }
        };
        self.nodes.push(node(Some(m), parent, depth, plies, state));
        self.nodes[parent].children.push(index);
        (state == TreeState::Unexpanded).then_some(index)
    }

    /// Returns the checks that mate, the shortest mates first.
    fn checks(
        &mut self,
        position: &mut Position,
        plies: u32,
    ) -> Result<Vec<Step>, CompositionError> {
        let most = plies - 1 + self.options.tree_longer_by;
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let mut steps = Vec::new();
        for m in &checks {
            position.do_move(m);
            let distance = self.distances.exact(position, most);
            position.undo_move();
            if let Some(rest) = distance? {
                steps.push((m, rest, false));
            }
        }
        steps.sort_by_key(|&(_, rest, _)| rest);
        Ok(steps)
    }

    /// Returns all replies, the longest defences first and futile interpositions last.
    fn replies(
        &mut self,
        position: &mut Position,
        plies: u32,
    ) -> Result<Vec<Step>, CompositionError> {
        let mut steps = Vec::new();
        for m in &position.legal_moves() {
            position.do_move(m);
            let distance = self.distances.exact(position, plies - 1);
            position.undo_move();
            let rest = distance?;
            // A reply that takes longer than the position before it is a futile interposition.
            steps.push((m, rest.unwrap_or(plies), rest.is_none()));
        }
        steps.sort_by_key(|&(_, rest, is_futile)| (is_futile, std::cmp::Reverse(rest)));
        Ok(steps)
    }
}

fn node(m: Option<Move>, parent: usize, depth: u32, plies: u32, state: TreeState) -> TreeNode {
    TreeNode { m, parent, depth, plies, state, children: Vec::new() }
}
