//! Every first move that mates, and all lines of the shortest mates.

use komadai::movegen::{MateResult, MoveGen as _, MoveList, generate_checks};
use komadai::problems::composition::{
    CheckLengths, CompositionError, CompositionOptions, SolutionTree, TreeNode, TreeState,
};
use komadai::tsume::DfPn;
use komadai::{Budget, Move, Position};

/// Largest number of lines that are listed.
const MAX_LINES: usize = 1_000;

/// All mates of a problem.
#[derive(Debug)]
pub(in crate::tsume) struct AllMates {
    /// The first moves that mate, those that need the fewest plies first.
    pub(in crate::tsume) first_moves: Vec<FirstMove>,
    /// First moves for which the budget did not suffice.
    pub(in crate::tsume) undecided: Vec<Move>,
    pub(in crate::tsume) lines: Result<Lines, CompositionError>,
}

/// A first move that mates.
#[derive(Debug, Clone, Copy)]
pub(in crate::tsume) struct FirstMove {
    pub(in crate::tsume) m: Move,
    /// The plies of its shortest mate in the count of all numbers, or a bound of it.
    pub(in crate::tsume) plies: u32,
    /// False for a bound: the budget did not suffice for the number, and there may be a mate in
    /// fewer plies.
    pub(in crate::tsume) is_exact: bool,
}

/// The lines of the shortest mates, and of longer ones on request.
#[derive(Debug, Default)]
pub(in crate::tsume) struct Lines {
    pub(in crate::tsume) lines: Vec<Vec<Move>>,
    /// False if there may be others.
    pub(in crate::tsume) is_complete: bool,
}

impl AllMates {
    pub(super) fn of(
        position: &Position,
        dfpn: &mut DfPn,
        budget: &Budget,
        options: &CompositionOptions,
    ) -> Self {
        let lines = SolutionTree::build(position, options)
            .map(|tree| Lines::of(&tree, options.tree_longer_by));
        let (mates, undecided) = solve_first_moves(position, dfpn, budget);
        let mut first_moves = first_moves(position, &mates, options);
        first_moves.sort_by_key(|first| first.plies);
        Self { first_moves, undecided, lines }
    }
}

/// Returns the first moves with their plies. `mates` are moves with a number of plies within which
/// they mate; that of the solver counts every reply, and other numbers are at most as large.
fn first_moves(
    position: &Position,
    mates: &[(Move, u32)],
    options: &CompositionOptions,
) -> Vec<FirstMove> {
    let mut lengths = CheckLengths::new(position, options);
    // Small numbers first: what they find helps with the others.
    let mut mates = mates.to_vec();
    mates.sort_by_key(|&(_, within)| within);
    let first = |(m, within)| match lengths.of(m, within) {
        Ok(Some(plies)) => FirstMove { m, plies, is_exact: true },
        _ => FirstMove { m, plies: within, is_exact: false },
    };
    mates.into_iter().map(first).collect()
}

/// Nodes of the first attempt at each position after a check and a reply.
const FIRST_NODES: u64 = 1_000;

/// Solves the positions after each check, and returns the checks that mate and those that are
/// undecided.
///
/// One check may take more nodes than all others together. So the nodes of an attempt begin small
/// and grow by a factor of 8, until all checks are decided or the budget is spent.
fn solve_first_moves(
    position: &Position,
    dfpn: &mut DfPn,
    budget: &Budget,
) -> (Vec<(Move, u32)>, Vec<Move>) {
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    let mut undecided: Vec<Move> = (&checks).into_iter().collect();
    undecided.retain(|&m| position.is_legal(m));
    let (mut mates, mut nodes, mut limit) = (Vec::new(), 0, FIRST_NODES);
    while !undecided.is_empty() && !budget.is_exhausted(nodes) {
        undecided.retain(|&m| {
            match plies_after(&position.after(m), dfpn, budget, limit, &mut nodes) {
                Plies::Mate(plies) => mates.push((m, plies + 1)),
                Plies::NoMate => {}
                Plies::Undecided => return true,
            }
            false
        });
        limit = limit.saturating_mul(8);
    }
    (mates, undecided)
}

/// The length of a mate after a check.
enum Plies {
    Mate(u32),
    NoMate,
    Undecided,
}

/// Solves the positions after all replies to a check, with `limit` nodes each. Adds the nodes to
/// `nodes`.
fn plies_after(
    check: &Position,
    dfpn: &mut DfPn,
    budget: &Budget,
    limit: u64,
    nodes: &mut u64,
) -> Plies {
    let (mut most, mut is_decided) = (0, true);
    for reply in &check.legal_moves() {
        let mut budget = budget.clone();
        let left = budget.nodes.map_or(u64::MAX, |all| all.saturating_sub(*nodes));
        budget.nodes = Some(left.min(limit));
        let report = dfpn.solve_mate(&check.after(reply).without_history(), &budget);
        *nodes += report.nodes;
        match (report.mate_within, report.result) {
            (Some(plies), _) => most = most.max(plies + 1),
            (None, MateResult::NoMate) => return Plies::NoMate,
            (None, _) => is_decided = false,
        }
    }
    if is_decided { Plies::Mate(most) } else { Plies::Undecided }
}

impl Lines {
    /// Returns the lines of a tree of at most `longer` plies more than the shortest mate. The
    /// defender plays only the longest defences.
    fn of(tree: &SolutionTree, longer: u32) -> Self {
        let mut lines = Self { lines: Vec::new(), is_complete: true };
        let most = tree.root().plies + longer;
        lines.extend(tree.nodes(), tree.root(), &mut Vec::new(), most);
        lines
    }

    /// Adds the lines that begin with `path`, which leads to a node. The depth of the recursion is
    /// at most `most`, which the tree limits.
    fn extend(&mut self, nodes: &[TreeNode], node: &TreeNode, path: &mut Vec<Move>, most: u32) {
        let expanded = match node.state {
            TreeState::SameAs(index) => &nodes[index],
            _ => node,
        };
        match expanded.state {
            TreeState::Mate if self.lines.len() < MAX_LINES => {
                self.lines.push(path.clone());
                return;
            }
            TreeState::Mate | TreeState::Unexpanded => {
                self.is_complete = false;
                return;
            }
            _ => {}
        }
        let is_attacker = path.len().is_multiple_of(2);
        for child in expanded.children.iter().map(|&index| &nodes[index]) {
            let is_wanted = if is_attacker {
                path.len() as u32 + 1 + child.plies <= most
            } else {
                child.state != TreeState::Futile && child.plies + 1 == expanded.plies
            };
            if let Some(m) = child.m.filter(|_| is_wanted && self.is_open()) {
                path.push(m);
                self.extend(nodes, child, path, most);
                path.pop();
            }
        }
    }

    /// Returns true if there is room for a line, or it is not known yet that one is left out.
    fn is_open(&self) -> bool {
        self.lines.len() < MAX_LINES || self.is_complete
    }
}
