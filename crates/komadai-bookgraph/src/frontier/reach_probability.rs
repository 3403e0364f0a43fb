//! The probability that a game reaches a position, and the walk in its order.

use komadai_bookfile::position_key::turn;
use komadai_core::{Color, Move};

use super::choices::{Choices, Followed, Plan, State};
use super::cuts::MoveCuts;
use super::frontier_set::{EdgeOut, FrontierSet, Insertion, Label, Reason};
use super::options::{FrontierOptions, Limits};
use super::rival::{Rival, RivalBook, by_book, by_games, by_values};
use super::selected::Frontier;
use crate::graph::BookGraph;

/// Options of an order by probability.
#[derive(Debug, Clone, Copy)]
pub struct ReachOptions<'a> {
    /// The model of the rival.
    pub rival: Rival<'a>,
    /// The least probability of a position at its move number, from 0 to 1. Less probable positions
    /// of the book are not expanded.
    pub least: f64,
    /// The largest number of moves that are followed after the last root. It ends endless games.
    pub most_plies: u32,
}

impl<'a> ReachOptions<'a> {
    /// Creates options that follow games for 512 plies, and down to a probability of 10^−9.
    pub fn new(rival: Rival<'a>) -> Self {
        Self { rival, least: 1e-9, most_plies: 512 }
    }
}

impl BookGraph {
    /// Selects the frontier, the positions that games are most likely to reach first.
    ///
    /// The own side plays its book. If it follows several moves, they are equally likely; this
    /// includes all moves in a [free](super::Window::Free) window. The rival plays according to
    /// [`Rival`]. Several roots, sides or rival's books are equally likely. Probabilities of lines
    /// to the same position are added. A rival's move that is not followed takes its probability
    /// away: probabilities are shares of all games, not only of those on followed lines.
    ///
    /// The walk proceeds by move number. A position passes its probability on after all lines of
    /// that length have arrived, so transpositions are complete in any order. In a cycle the
    /// probability circulates until it has left, is less than `least`, or the largest number of
    /// plies is reached. Takes O(L·E) time for lines of L plies and E moves followed, mostly far
    /// less.
    ///
    /// Source: the order is that of "expand the positions that a game against this opponent most
    /// probably reaches", ICGA Journal 2018, <https://doi.org/10.3233/ICG-180039>.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_bookgraph::frontier::{FrontierOptions, ReachOptions, Rival, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_bookfile::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     2g2f none 40 1 30\n\
    ///     7g7f none 20 1 10\n";
    /// let mut builder = GraphBuilder::new();
    /// builder.read_db(text.as_bytes(), Tolerance::Strict)?;
    /// let graph = builder.finish()?;
    /// let options = FrontierOptions::new(Position::hirate(), Color::White, Window::Best);
    /// let reach = ReachOptions::new(Rival::Games { smoothing: 0.0 });
    /// let frontier = graph.frontier_by_probability(&options, &reach);
    /// let found: Vec<_> = frontier.iter().map(|at| (at.line[0].to_string(), at.probability)).collect();
    /// assert_eq!(found, [("2g2f".into(), Some(0.75)), ("7g7f".into(), Some(0.25))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier_by_probability(
        &self,
        options: &FrontierOptions,
        reach: &ReachOptions<'_>,
    ) -> Frontier {
        let mut set = FrontierSet::new(self, options);
        let mut probabilities = Probabilities::default();
        for entry in set.insert_roots() {
            probabilities.add(entry, 1.0 / options.roots.len() as f64);
        }
        let visited = follow_games(&mut set, &mut probabilities, reach, &mut |_, _, _| {});
        Frontier::new(set, visited, &[], &probabilities.sums)
    }
}

/// Follows all games of every side, root and model of the rival, which are equally likely. Returns
/// the number of states visited.
///
/// Calls `visit` with the side whose book it is, a state with its probability, and the moves played
/// there: once for each move number at which games come to the state.
pub(super) fn follow_games(
    set: &mut FrontierSet<'_>,
    probabilities: &mut Probabilities,
    reach: &ReachOptions<'_>,
    visit: &mut Visit<'_>,
) -> usize {
    let (graph, options) = (set.graph, set.options);
    let rivals = RivalModel::all(reach.rival);
    let colors = options.sides.colors();
    let share = 1.0 / (colors.len() * rivals.len() * options.roots.len()) as f64;
    let mut visited = 0;
    for plan in Plan::all(graph, options, colors) {
        for &rival in &rivals {
            let walk = Walk::new(set, probabilities, &plan, rival, reach, visit);
            visited += walk.go(&plan, share);
        }
    }
    visited
}

/// The function that sees all states; see [`follow_games`].
pub(super) type Visit<'v> = dyn FnMut(Color, &Mass, &[PlayedMove]) + 'v;

/// The probabilities of frontier positions.
#[derive(Debug, Default)]
pub(super) struct Probabilities {
    /// Per entry, the sum over all lines.
    sums: Vec<f64>,
    /// Per entry, the probability of the line that is stored.
    largest: Vec<f64>,
}

impl Probabilities {
    /// Adds the probability of a line. Returns whether it is larger than that of each earlier line.
    fn add(&mut self, entry: u32, probability: f64) -> bool {
        let at = entry as usize;
        if at >= self.sums.len() {
            self.sums.resize(at + 1, 0.0);
            self.largest.resize(at + 1, 0.0);
        }
        self.sums[at] += probability;
        let is_largest = probability > self.largest[at];
        if is_largest {
            self.largest[at] = probability;
        }
        is_largest
    }
}

/// The model of the rival of one walk.
#[derive(Clone, Copy)]
enum RivalModel<'a> {
    Games { smoothing: f64 },
    Values { temperature_cp: f64 },
    Book { book: &'a dyn RivalBook, temperature_cp: f64 },
}

impl<'a> RivalModel<'a> {
    fn all(rival: Rival<'a>) -> Vec<Self> {
        match rival {
            Rival::Games { smoothing } => vec![Self::Games { smoothing }],
            Rival::Books { books: [], temperature_cp } => vec![Self::Values { temperature_cp }],
            Rival::Books { books, temperature_cp } => {
                books.iter().map(|&book| Self::Book { book, temperature_cp }).collect()
            }
        }
    }
}

/// The probability mass of a state at one move number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mass {
    /// The most probable line to the state.
    pub(super) label: Label,
    pub(super) probability: f64,
    /// The probability that this line brought.
    pub(super) largest: f64,
}

struct Walk<'w, 'a, 'r, 'v> {
    set: &'w mut FrontierSet<'a>,
    probabilities: &'w mut Probabilities,
    choices: Choices<'a>,
    own: Color,
    limits: Limits,
    rival: RivalModel<'r>,
    reach: &'w ReachOptions<'r>,
    visit: &'w mut Visit<'v>,
    /// Per node and side, the index of the state in the next level, if it is there. Stale entries
    /// are recognised by comparing the state, so the list is never cleared.
    places: Vec<[u32; 2]>,
    /// Per node and side, the treatment of the state so far.
    fates: Vec<[Fate; 2]>,
}

/// The treatment of a state, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// No game has come to the state.
    Unseen,
    /// The state was less probable than the least probability.
    Improbable,
    /// The state has the largest move number.
    AtMaxPly,
    /// The moves of the state were followed.
    Expanded,
}

impl<'w, 'a, 'r, 'v> Walk<'w, 'a, 'r, 'v> {
    fn new(
        set: &'w mut FrontierSet<'a>,
        probabilities: &'w mut Probabilities,
        plan: &Plan,
        rival: RivalModel<'r>,
        reach: &'w ReachOptions<'r>,
        visit: &'w mut Visit<'v>,
    ) -> Self {
        let nodes = set.graph.nodes();
        Self {
            choices: Choices::new(set.graph, set.options, plan),
            set,
            probabilities,
            own: plan.own,
            limits: plan.limits,
            rival,
            reach,
            visit,
            places: vec![[0; 2]; nodes],
            fates: vec![[Fate::Unseen; 2]; nodes],
        }
    }

    /// Follows all games from the roots, each with the probability `share`. Returns the number of
    /// states visited.
    fn go(mut self, plan: &Plan, share: f64) -> usize {
        let visited = self.follow_all(plan, share);
        let fates = self.fates.iter().flatten();
        let count = |fate: Fate| fates.clone().filter(|&&other| other == fate).count();
        self.set.cuts.at_max_ply += count(Fate::AtMaxPly);
        self.set.cuts.improbable += count(Fate::Improbable);
        visited
    }

    fn follow_all(&mut self, plan: &Plan, share: f64) -> usize {
        let mut starts = self.starts(plan);
        let Some(last) = starts.last().map(|start| start.ply) else { return 0 };
        let end = last.saturating_add(self.reach.most_plies);
        let mut level: Vec<Mass> = Vec::new();
        let mut next_start = starts.drain(..).peekable();
        let mut visited = 0;
        loop {
            if level.is_empty() && next_start.peek().is_none() {
                return visited;
            }
            let ply = level.first().map(|mass| mass.label.ply);
            let ply = ply.or(next_start.peek().map(|start| start.ply)).unwrap_or(end);
            while let Some(start) = next_start.next_if(|start| start.ply == ply) {
                self.arrive(&mut level, start.state, share, |_| start);
            }
            if ply > end || !self.limits.is_within(ply) {
                return visited;
            }
            let mut next = Vec::new();
            for mass in &level {
                let State { node, side } = mass.label.state;
                let fate = self.fate(mass);
                let known = &mut self.fates[node as usize][side];
                let before = std::mem::replace(known, fate.max(*known));
                visited += usize::from(before == Fate::Unseen);
                if fate == Fate::Expanded {
                    self.expand(mass, before != Fate::Expanded, &mut next);
                }
            }
            level = next;
        }
    }

    /// The roots, smallest move numbers first.
    fn starts(&mut self, plan: &Plan) -> Vec<Label> {
        let mut starts = Vec::new();
        for &(number, state) in &plan.roots {
            let ply = self.set.options.roots[number as usize].ply();
            self.set.cuts.at_max_ply += usize::from(!self.limits.is_within(ply));
            let line_end = self.set.line_tree.push_root(number);
            starts.push(Label { state, line_end, plies: 0, drops_cp: 0, ply });
        }
        starts.sort_by_key(|start| start.ply);
        starts
    }

    /// Adds to the probability of a state. Calls `label` for a new line if it is the most probable
    /// one.
    fn arrive(
        &mut self,
        level: &mut Vec<Mass>,
        state: State,
        probability: f64,
        label: impl FnOnce(&mut FrontierSet<'a>) -> Label,
    ) {
        let place = &mut self.places[state.node as usize][state.side];
        match level.get_mut(*place as usize).filter(|mass| mass.label.state == state) {
            None => {
                *place = level.len() as u32;
                let label = label(self.set);
                level.push(Mass { label, probability, largest: probability });
            }
            Some(mass) => {
                mass.probability += probability;
                if probability > mass.largest {
                    mass.label = label(self.set);
                    mass.largest = probability;
                }
            }
        }
    }

    fn fate(&self, mass: &Mass) -> Fate {
        if !self.limits.is_within(mass.label.ply + 1) {
            Fate::AtMaxPly
        } else if mass.probability < self.reach.least {
            Fate::Improbable
        } else {
            Fate::Expanded
        }
    }

    /// Follows the moves of a state. Counts those that are not followed if the state `is_new`.
    fn expand(&mut self, mass: &Mass, is_new: bool, next: &mut Vec<Mass>) {
        let from = mass.label;
        let mut position = None;
        let (played, cuts) = self.played_moves(from.state);
        if is_new {
            self.set.cuts.add_moves(cuts);
        }
        (self.visit)(self.own, mass, &played);
        for PlayedMove { edge, to, probability } in played {
            let probability = mass.probability * probability;
            // At temperature 0 all but the best moves have the probability 0.
            if probability <= 0.0 {
                continue;
            }
            if let Some(node) = to {
                let state = State { node, side: !from.state.side };
                self.arrive(next, state, probability, |set| {
                    let (plies, drops_cp) = from.and(edge.drop_cp);
                    let line_end = set.line_tree.push_move(from.line_end, from.state.side, edge.m);
                    Label { state, line_end, plies, drops_cp, ply: from.ply + 1 }
                });
                continue;
            }
            let graph = self.set.graph;
            // The position is made once for all moves out of the book.
            let position = position.get_or_insert_with(|| graph.black_to_move(from.state.node));
            let key = position.key_after(edge.m);
            let insertion = self.set.insert(key, self.own.into(), &from, edge);
            let (Insertion::New(entry) | Insertion::Known(entry)) = insertion else { continue };
            if self.probabilities.add(entry, probability)
                && matches!(insertion, Insertion::Known(_))
            {
                self.set.replace(entry, &from, edge);
            }
        }
    }

    /// The moves that are played in a state, with their probabilities, and the numbers of moves
    /// that are not followed.
    fn played_moves(&self, state: State) -> (Vec<PlayedMove>, MoveCuts) {
        let is_best_only = self.choices.is_best_only(state);
        let (window, cuts) = self.choices.of(state);
        let graph = self.set.graph;
        let probabilities = match self.rival {
            _ if state.side == self.own || is_best_only => {
                vec![1.0 / window.len() as f64; window.len()]
            }
            RivalModel::Games { smoothing } => by_games(graph, state, &window, smoothing),
            RivalModel::Values { temperature_cp } => by_values(&window, temperature_cp),
            RivalModel::Book { book, temperature_cp } => {
                let black_to_move = graph.black_to_move(state.node);
                let position = match state.side {
                    Color::Black => black_to_move,
                    Color::White => black_to_move.flipped(),
                };
                let moves = by_book(book, &position, temperature_cp);
                if !moves.is_empty() {
                    return (self.rival_moves(state, &moves), MoveCuts::default());
                }
                by_values(&window, temperature_cp)
            }
        };
        let answer = |(followed, probability): (&Followed, f64)| {
            let edge = EdgeOut::by(followed, is_best_only);
            PlayedMove { edge, to: followed.ranked.to, probability }
        };
        (window.iter().zip(probabilities).map(answer).collect(), cuts)
    }

    /// The moves of a rival's book, with their values in the own book if it has any.
    fn rival_moves(&self, state: State, moves: &[(Move, f64)]) -> Vec<PlayedMove> {
        let known = self.choices.all(state);
        let answer = |&(m, probability): &(Move, f64)| {
            let m = turn(m, state.side);
            match known.iter().find(|followed| followed.ranked.m == m) {
                Some(followed) => PlayedMove {
                    edge: EdgeOut {
                        reason: Reason::RivalMove { drop_cp: Some(followed.drop_cp) },
                        ..EdgeOut::by(followed, false)
                    },
                    to: followed.ranked.to,
                    probability,
                },
                None => {
                    let reason = Reason::RivalMove { drop_cp: None };
                    let edge = EdgeOut { m, reason, score: None, drop_cp: 0 };
                    PlayedMove { edge, to: None, probability }
                }
            }
        };
        moves.iter().map(answer).collect()
    }
}

/// A move that is played with some probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayedMove {
    pub(super) edge: EdgeOut,
    to: Option<u32>,
    pub(super) probability: f64,
}
