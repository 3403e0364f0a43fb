//! Where good play leaves the book: the positions to analyse next.
//!
//! A book for one side needs one good move for that side in each position, and an answer to every
//! move of the opponent that is not bad. So from the start the book's own side follows only its best
//! move, the opponent every move within a window of values; the first positions outside the book on
//! these lines are the *frontier*. If both sides may choose among two moves, there are 2^100 lines of
//! 100 plies; if one may, 2^50.

use std::collections::HashSet;

use komadai_core::{Color, Move, PackedSfen, Position};

use super::book_graph::{BookGraph, RankedMove};
use crate::orientation::{pack, turn};

/// Which moves the opponent of the book's own side may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Window {
    /// Moves worth at least the best of the position minus `eval_diff`; and the own side chooses by
    /// the same rule. The oldest form, to compare with: lines are many.
    Free,
    /// Moves worth at least the best of the position minus `eval_diff`.
    Best,
    /// Moves worth at least the value of the start minus `eval_diff`, for the side that moves: the
    /// window is `[s − eval_diff, e]` with the value `s` of the start and the best `e` of the
    /// position. Where the opponent has lost ground already, it is narrower than the window from the
    /// best move, or empty.
    Root,
}

/// Which moves the book's own side follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OwnMoves {
    /// The best move; of several of equal value the one that leaves the book sooner (later, where the
    /// side is worse), then the first in the order of USI texts.
    #[default]
    First,
    /// Every move that is worth as much as the best.
    AllBest,
}

/// What to select.
///
/// # Examples
///
/// ```
/// use komadai_book::{FrontierOptions, OwnMoves, Window};
/// use komadai_core::{Color, Position};
///
/// let options = FrontierOptions {
///     eval_diff: 50,
///     own_moves: OwnMoves::AllBest,
///     ..FrontierOptions::new(Position::hirate(), Color::White, Window::Root)
/// };
/// assert_eq!(options.max_ply, None);
/// ```
#[derive(Debug, Clone)]
pub struct FrontierOptions {
    /// Where lines begin.
    pub root: Position,
    /// The side whose book it is.
    pub side: Color,
    /// Which moves the opponent may choose.
    pub window: Window,
    /// How much worse a move in the window may be, in centipawns.
    pub eval_diff: i32,
    /// Which moves the own side follows.
    pub own_moves: OwnMoves,
    /// Positions with a larger move number are neither expanded nor selected.
    pub max_ply: Option<u32>,
    /// Moves worth more than this, or less than its negative, in centipawns, are not followed.
    pub eval_limit: Option<i32>,
}

impl FrontierOptions {
    /// One best move for the own side, a window of 30 centipawns, and no limits.
    #[must_use]
    pub fn new(root: Position, side: Color, window: Window) -> Self {
        Self {
            root,
            side,
            window,
            eval_diff: 30,
            own_moves: OwnMoves::First,
            max_ply: None,
            eval_limit: None,
        }
    }
}

/// The positions at which lines leave the book.
#[derive(Debug, Clone)]
pub struct Frontier {
    root: Position,
    /// How the walk came to each state; the root's is not used.
    steps: Vec<Step>,
    /// The steps that lead out of the book.
    exits: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    from: u32,
    m: Move,
}

/// A position outside the book and the way there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierPosition {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// A shortest line from the root.
    pub line: Vec<Move>,
}

impl Frontier {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exits.len()
    }

    /// Whether no line leaves the book.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exits.is_empty()
    }

    /// The number of states of the book that were visited: positions with the side really to move.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.steps.len() - self.exits.len()
    }

    /// The positions, those with the shortest lines first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FrontierPosition> {
        self.exits.iter().map(|&exit| {
            let line = self.line_to(exit);
            let mut position = self.root.clone();
            line.iter().for_each(|&m| position.do_move(m));
            FrontierPosition { position, line }
        })
    }

    fn line_to(&self, mut step: u32) -> Vec<Move> {
        let mut line = Vec::new();
        while step != 0 {
            let Step { from, m } = self.steps[step as usize];
            line.push(m);
            step = from;
        }
        line.reverse();
        line
    }
}

impl BookGraph {
    /// Selects the frontier, breadth first.
    ///
    /// A state of the walk is a position with the side that is really to move, and is visited once.
    /// A root that the book does not hold is its own frontier.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::{Book, DbReader, FrontierOptions, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_kifu::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     2g2f none 40 1\n\
    ///     7g7f none 20 1\n";
    /// let mut book = Book::new();
    /// DbReader::new(text.as_bytes(), Tolerance::Strict).read_into(&mut book)?;
    /// let values = book.propagate();
    /// let size = |side| {
    ///     let options = FrontierOptions::new(Position::hirate(), side, Window::Best);
    ///     values.frontier(&options).len()
    /// };
    /// assert_eq!((size(Color::Black), size(Color::White)), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn frontier(&self, options: &FrontierOptions) -> Frontier {
        let mut walk = Walk::new(self, options);
        match self.node(&options.root) {
            Some(root) => walk.go(root),
            None => walk.exits.push(0),
        }
        Frontier { root: options.root.clone(), steps: walk.steps, exits: walk.exits }
    }
}

struct Walk<'a> {
    values: &'a BookGraph,
    options: &'a FrontierOptions,
    steps: Vec<Step>,
    exits: Vec<u32>,
    /// Per node and real side to move.
    visited: Vec<[bool; 2]>,
    outside: HashSet<(PackedSfen, Color)>,
}

/// A state whose moves are to be followed.
#[derive(Debug, Clone, Copy)]
struct State {
    node: u32,
    side: Color,
    step: u32,
}

impl<'a> Walk<'a> {
    fn new(values: &'a BookGraph, options: &'a FrontierOptions) -> Self {
        // No move leads to the root; its step is there to be number 0.
        let m = Move::new(komadai_core::Square::S11, komadai_core::Square::S12);
        Self {
            values,
            options,
            steps: vec![Step { from: 0, m }],
            exits: Vec::new(),
            visited: vec![[false; 2]; values.values.len()],
            outside: HashSet::new(),
        }
    }

    fn go(&mut self, root: u32) {
        let side = self.options.root.side();
        self.visited[root as usize][side] = true;
        let mut level = vec![State { node: root, side, step: 0 }];
        let mut ply = self.options.root.ply();
        while !level.is_empty() && self.is_within(ply) {
            let may_leave = self.is_within(ply + 1);
            let mut next = Vec::new();
            for state in level {
                for ranked in self.choices(state) {
                    match ranked.to {
                        Some(node) => next.extend(self.enter(state, &ranked, node)),
                        None if may_leave => self.leave(state, &ranked),
                        None => {}
                    }
                }
            }
            level = next;
            ply += 1;
        }
    }

    fn is_within(&self, ply: u32) -> bool {
        self.options.max_ply.is_none_or(|max| ply <= max)
    }

    /// The moves to follow.
    fn choices(&self, State { node, side, .. }: State) -> Vec<RankedMove> {
        let FrontierOptions { window, eval_diff, own_moves, .. } = *self.options;
        let mut moves = self.values.ranked_moves(node);
        let best = moves[0].value.score.raw();
        if side == self.options.side && window != Window::Free {
            match own_moves {
                OwnMoves::First => moves.truncate(1),
                OwnMoves::AllBest => moves.retain(|ranked| ranked.value.score.raw() == best),
            }
        } else {
            let anchor = match window {
                Window::Free | Window::Best => best,
                Window::Root => self.root_value(side),
            };
            let least = anchor.saturating_sub(eval_diff);
            moves.retain(|ranked| ranked.value.score.raw() >= least);
        }
        if let Some(limit) = self.options.eval_limit {
            moves.retain(|ranked| ranked.value.score.raw().abs() <= limit);
        }
        moves
    }

    /// The value of the root for `side`.
    fn root_value(&self, side: Color) -> i32 {
        let root = self.values.value(&self.options.root).expect("the walk begins in the book");
        if side == self.options.root.side() { root.score.raw() } else { -root.score.raw() }
    }

    fn enter(&mut self, from: State, ranked: &RankedMove, node: u32) -> Option<State> {
        let side = !from.side;
        if std::mem::replace(&mut self.visited[node as usize][side], true) {
            return None;
        }
        let step = self.add_step(from, ranked);
        Some(State { node, side, step })
    }

    fn leave(&mut self, from: State, ranked: &RankedMove) {
        let mut position = self.values.turned_position(from.node);
        position.do_move(ranked.m);
        // A position that does not pack could not become part of a book either.
        let Ok(packed) = pack(&position) else { return };
        if self.outside.insert((packed, !from.side)) {
            let step = self.add_step(from, ranked);
            self.exits.push(step);
        }
    }

    fn add_step(&mut self, from: State, ranked: &RankedMove) -> u32 {
        self.steps.push(Step { from: from.step, m: turn(ranked.m, from.side) });
        self.steps.len() as u32 - 1
    }
}
