//! The main lines of a side's book, as a tree.
//!
//! The lines shown are those in which the opponent gives away least. Each further line branches off
//! a line shown before. Branches are taken in the order of the value given away so far, plus one
//! centipawn a ply. Without the plies, a book whose deep values are close together would show all
//! branches of one line before the second first move.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};

use komadai_book::games::WinDrawLoss;
use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::frontier::Window;
use komadai_bookgraph::{BookGraph, RankedMove};
use komadai_core::{Color, Move, Position, Score};

use super::for_black::for_black;
use super::game_tally::GameTally;
use super::options::ReportOptions;

/// The main lines of a side's book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainLines {
    /// The side of the book. It plays its best moves, and the opponent every move within the
    /// window.
    pub side: Color,
    /// The first moves of the lines, best first.
    pub moves: Vec<LineMove>,
    /// The number of lines.
    pub lines: usize,
    /// The number of branches off these lines that are not shown.
    pub omitted: usize,
}

/// A move of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub m: Move,
    /// The value for Black.
    pub value: Score,
    /// The number of games that the book counts for it.
    pub games: u32,
    /// The results of the stored games with this move, for Black.
    pub results: WinDrawLoss,
    /// The end of the line after this move; `None` if it continues.
    pub end: Option<LineEnd>,
    /// The moves that follow, best first.
    pub next: Vec<LineMove>,
}

/// The end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineEnd {
    /// The book does not contain the position.
    LeavesBook,
    /// Another line shown before contains the position.
    Joins,
    /// All moves of the opponent are outside the window.
    OutsideWindow,
    /// The line has the largest length that is shown.
    Truncated,
}

/// The largest length of a line with any options. Trees are visited recursively, so it bounds the
/// stack.
const MOST_PLIES: usize = 500;

impl MainLines {
    /// The main lines of `side`.
    pub fn of(graph: &BookGraph, side: Color, options: &ReportOptions) -> Self {
        let mut growth = Growth {
            graph,
            side,
            options,
            root_value: graph.value(&options.root).map_or(0, |value| value.score.raw()),
            nodes: Vec::new(),
            branches: BinaryHeap::new(),
            branches_found: 0,
            visited: HashSet::new(),
        };
        if let Ok(choices) = growth.choices(None, 0, &options.root) {
            growth.branches.extend(choices.into_iter().map(Reverse));
        }
        let mut lines = 0;
        while lines < options.max_lines
            && let Some(Reverse(branch)) = growth.branches.pop()
        {
            growth.follow(branch);
            lines += 1;
        }
        let omitted = growth.branches.len();
        Self { side, moves: growth.into_tree(), lines, omitted }
    }

    /// Registers every position of the lines.
    pub(super) fn watch(&self, root: &Position, tally: &mut GameTally) {
        visit(&self.moves, &mut root.clone(), &mut |position, _| tally.watch(position));
    }

    /// Sets the results of games.
    pub(super) fn fill_in(&mut self, root: &Position, tally: &GameTally) {
        fill_in(&mut self.moves, &mut root.clone(), tally);
    }
}

/// Calls `f` for every move with the position before it.
fn visit(moves: &[LineMove], position: &mut Position, f: &mut impl FnMut(&Position, &LineMove)) {
    for known in moves {
        f(position, known);
        position.do_move(known.m);
        visit(&known.next, position, f);
        position.undo_move();
    }
}

fn fill_in(moves: &mut [LineMove], position: &mut Position, tally: &GameTally) {
    for known in moves {
        known.results = tally.results(position, known.m);
        position.do_move(known.m);
        fill_in(&mut known.next, position, tally);
        position.undo_move();
    }
}

/// The tree of lines under construction.
struct Growth<'g> {
    graph: &'g BookGraph,
    side: Color,
    options: &'g ReportOptions,
    /// The value of the root for its side to move.
    root_value: i32,
    nodes: Vec<Node>,
    branches: BinaryHeap<Reverse<Branch>>,
    branches_found: usize,
    /// Positions that lines pass, each with the side to move in the real game.
    visited: HashSet<(PositionKey, Color)>,
}

struct Node {
    shown: LineMove,
    parent: Option<usize>,
    /// The rank among the moves of the position.
    rank: usize,
    plies: usize,
}

/// A move that may start a line.
#[derive(Debug, Clone, Copy)]
struct Branch {
    /// The value that the opponent has given away, in centipawns, plus the number of plies.
    price: i64,
    /// The number of branches found before, which breaks ties.
    number: usize,
    given_away: i64,
    parent: Option<usize>,
    rank: usize,
    choice: RankedMove,
}

/// The order in which lines are shown.
impl Ord for Branch {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.price, self.number).cmp(&(other.price, other.number))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Branch {}

impl Growth<'_> {
    /// The moves to follow in a position, at least one, or the end of the line there.
    fn choices(
        &mut self,
        parent: Option<usize>,
        given_away: i64,
        position: &Position,
    ) -> Result<Vec<Branch>, LineEnd> {
        let plies = parent.map_or(0, |parent| self.nodes[parent].plies);
        if plies >= self.options.max_line_plies.min(MOST_PLIES) {
            return Err(LineEnd::Truncated);
        }
        let key = PositionKey::try_of(position).map_err(|_| LineEnd::LeavesBook)?;
        let ranked = self.graph.moves(position);
        let best = ranked.first().ok_or(LineEnd::LeavesBook)?.value.score.raw();
        if !self.visited.insert((key, position.side())) {
            return Err(LineEnd::Joins);
        }
        let mut choices = Vec::new();
        for (rank, choice) in ranked.into_iter().enumerate() {
            if self.is_choice(&choice, rank, best, position.side()) {
                let given_away = given_away + i64::from(best - choice.value.score.raw());
                let price = given_away + plies as i64;
                let number = self.branches_found;
                self.branches_found += 1;
                choices.push(Branch { price, number, given_away, parent, rank, choice });
            }
        }
        if choices.is_empty() { Err(LineEnd::OutsideWindow) } else { Ok(choices) }
    }

    fn is_choice(&self, ranked: &RankedMove, rank: usize, best: i32, side: Color) -> bool {
        let window = self.options.window;
        if side == self.side && window != Window::Free {
            return rank == 0;
        }
        let anchor = match window {
            Window::Root if side == self.options.root.side() => self.root_value,
            Window::Root => -self.root_value,
            _ => best,
        };
        ranked.value.score.raw() >= anchor.saturating_sub(self.options.eval_diff)
    }

    /// Follows a branch by best moves to its end.
    fn follow(&mut self, branch: Branch) {
        let mut position = self.position_of(branch.parent);
        let mut next = Some(branch);
        while let Some(branch) = next.take() {
            let at = self.add_node(&position, &branch);
            position.do_move(branch.choice.m);
            if branch.choice.leaves_book {
                self.nodes[at].shown.end = Some(LineEnd::LeavesBook);
                return;
            }
            match self.choices(Some(at), branch.given_away, &position) {
                Err(end) => self.nodes[at].shown.end = Some(end),
                Ok(choices) => {
                    let mut choices = choices.into_iter();
                    next = choices.next();
                    self.branches.extend(choices.map(Reverse));
                }
            }
        }
    }

    fn add_node(&mut self, position: &Position, branch: &Branch) -> usize {
        let Branch { parent, rank, choice, .. } = *branch;
        let record = self.graph.record(position);
        let listed = record.iter().flat_map(|record| &record.moves);
        let games = listed.filter(|known| known.m == choice.m).find_map(|known| known.count);
        let shown = LineMove {
            m: choice.m,
            value: for_black(choice.value.score, position.side()),
            games: games.unwrap_or(0),
            results: WinDrawLoss::default(),
            end: None,
            next: Vec::new(),
        };
        let plies = parent.map_or(0, |parent| self.nodes[parent].plies) + 1;
        self.nodes.push(Node { shown, parent, rank, plies });
        self.nodes.len() - 1
    }

    fn position_of(&self, mut node: Option<usize>) -> Position {
        let mut line = Vec::new();
        while let Some(at) = node {
            line.push(self.nodes[at].shown.m);
            node = self.nodes[at].parent;
        }
        let mut position = self.options.root.clone();
        line.into_iter().rev().for_each(|m| position.do_move(m));
        position
    }

    /// Converts the list of nodes to a tree.
    fn into_tree(self) -> Vec<LineMove> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut first = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            node.parent.map_or(&mut first, |parent| &mut next[parent]).push(at);
        }
        self.branches_of(&first, &next)
    }

    fn branches_of(&self, places: &[usize], next: &[Vec<usize>]) -> Vec<LineMove> {
        let mut places = places.to_vec();
        places.sort_by_key(|&at| self.nodes[at].rank);
        let grown = |at: usize| LineMove {
            next: self.branches_of(&next[at], next),
            ..self.nodes[at].shown.clone()
        };
        places.into_iter().map(grown).collect()
    }
}
