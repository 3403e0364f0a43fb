//! The walk by the probability of lines.

use komadai_core::{Color, Move};

use super::choices::{Choices, Followed, Plan, State};
use super::frontier_set::{Label, Leaving, Met, Outside, Reason};
use super::options::FrontierOptions;
use super::rival::{Rival, RivalBook, by_book, by_games, by_values};
use super::selected::{Frontier, Sorted};
use crate::graph::BookGraph;
use komadai_bookfile::position_key::turn;

/// How games go, for an order by probability.
#[derive(Debug, Clone, Copy)]
pub struct ReachOptions<'a> {
    /// How the rival chooses.
    pub rival: Rival<'a>,
    /// Positions in the book that are less probable than this at their move number are not expanded;
    /// between 0 and 1.
    pub least: f64,
    /// Games are followed for so many moves after the last of the roots, so that endless ones end.
    pub most_plies: u32,
}

impl<'a> ReachOptions<'a> {
    /// Games are followed for 512 plies, and while they are not rarer than one in a thousand million.
    #[must_use]
    pub fn new(rival: Rival<'a>) -> Self {
        Self { rival, least: 1e-9, most_plies: 512 }
    }
}

impl BookGraph {
    /// Selects the frontier, the positions that games are most likely to reach first.
    ///
    /// The own side plays its book: its followed moves, if there are several, are equally likely (and so
    /// are those within its window, if that is [free](super::Window::Free)). The rival plays as
    /// [`Rival`] says. With several roots, sides or rival's books, each is as likely as the others.
    /// Probabilities of lines to the same position add up, and where a rival's move is not followed, the
    /// probability of what comes after is lost: they are of all games, not only of those on followed lines.
    ///
    /// The walk goes move number by move number: what a position hands on is handed on only after all lines
    /// of that length have arrived there. So transpositions are added up whatever the order, and a cycle
    /// passes probability round until it has left, has become less than `least`, or the number of plies
    /// is at its end. Takes O(L·E) time for lines of L plies and E moves followed, and mostly far less.
    ///
    /// Source: the order is that of "expand the positions that a game against this opponent most probably
    /// reaches", ICGA Journal 2018, <https://doi.org/10.3233/ICG-180039>.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_bookgraph::frontier::{FrontierOptions, ReachOptions, Rival, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_kifu::Tolerance;
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
    #[must_use]
    pub fn frontier_by_probability(
        &self,
        options: &FrontierOptions,
        reach: &ReachOptions<'_>,
    ) -> Frontier {
        let mut outside = Outside::new(self, options);
        let mut chances = Chances::default();
        for exit in outside.meet_roots() {
            chances.add(exit, 1.0 / options.roots.len() as f64);
        }
        let rivals = Chooser::all(reach.rival);
        let colors = options.sides.colors();
        let share = 1.0 / (colors.len() * rivals.len() * options.roots.len()) as f64;
        let mut visited = 0;
        for plan in Plan::all(self, options, colors) {
            for &rival in &rivals {
                let walk = Walk::new(&mut outside, &mut chances, &plan, rival, reach);
                visited += walk.go(&plan, share);
            }
        }
        Frontier::new(outside, visited, Sorted::Probability(chances.sums))
    }
}

/// The probabilities of exits.
#[derive(Debug, Default)]
struct Chances {
    sums: Vec<f64>,
    /// The probability of the line that is kept.
    largest: Vec<f64>,
}

impl Chances {
    /// Adds what a line brings, and returns whether no other line has brought so much.
    fn add(&mut self, exit: u32, chance: f64) -> bool {
        let at = exit as usize;
        if at >= self.sums.len() {
            self.sums.resize(at + 1, 0.0);
            self.largest.resize(at + 1, 0.0);
        }
        self.sums[at] += chance;
        let is_largest = chance > self.largest[at];
        if is_largest {
            self.largest[at] = chance;
        }
        is_largest
    }
}

/// How the rival of one walk chooses.
#[derive(Clone, Copy)]
enum Chooser<'a> {
    Games { smoothing: f64 },
    Values { temperature_cp: f64 },
    Book { book: &'a dyn RivalBook, temperature_cp: f64 },
}

impl<'a> Chooser<'a> {
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

/// A state with the probability that games are there at one move number.
#[derive(Debug, Clone, Copy)]
struct Mass {
    /// The most probable line there.
    label: Label,
    chance: f64,
    /// The probability of that line's last step.
    largest: f64,
}

/// All states at one move number.
#[derive(Debug, Default)]
struct Level {
    masses: Vec<Mass>,
}

struct Walk<'w, 'a, 'r> {
    outside: &'w mut Outside<'a>,
    chances: &'w mut Chances,
    choices: Choices<'a>,
    own: Color,
    rival: Chooser<'r>,
    reach: &'w ReachOptions<'r>,
    /// Where a state is in the next level, if it is there.
    places: Vec<[u32; 2]>,
    visited: Vec<[bool; 2]>,
}

impl<'w, 'a, 'r> Walk<'w, 'a, 'r> {
    fn new(
        outside: &'w mut Outside<'a>,
        chances: &'w mut Chances,
        plan: &Plan,
        rival: Chooser<'r>,
        reach: &'w ReachOptions<'r>,
    ) -> Self {
        let nodes = outside.graph.nodes();
        Self {
            choices: Choices::new(outside.graph, outside.options, plan),
            outside,
            chances,
            own: plan.own,
            rival,
            reach,
            places: vec![[0; 2]; nodes],
            visited: vec![[false; 2]; nodes],
        }
    }

    /// Follows all games from roots that are each reached with the probability `share`, and returns the
    /// number of states visited.
    fn go(mut self, plan: &Plan, share: f64) -> usize {
        let mut starts = self.starts(plan);
        let Some(last) = starts.last().map(|start| start.ply) else { return 0 };
        let end = last.saturating_add(self.reach.most_plies);
        let mut level = Level::default();
        let mut next_start = starts.drain(..).peekable();
        let mut visited = 0;
        loop {
            if level.masses.is_empty() && next_start.peek().is_none() {
                return visited;
            }
            let ply = level.masses.first().map(|mass| mass.label.ply);
            let ply = ply.or(next_start.peek().map(|start| start.ply)).unwrap_or(end);
            while let Some(start) = next_start.next_if(|start| start.ply == ply) {
                self.arrive(&mut level, start.state, share, |_| start);
            }
            if ply > end || !self.outside.options.is_within(ply) {
                return visited;
            }
            let mut next = Level::default();
            for mass in &level.masses {
                let State { node, side } = mass.label.state;
                let is_first = !std::mem::replace(&mut self.visited[node as usize][side], true);
                visited += usize::from(is_first);
                self.expand(mass, &mut next);
            }
            level = next;
        }
    }

    /// The roots, those with the smallest move numbers first.
    fn starts(&mut self, plan: &Plan) -> Vec<Label> {
        let mut starts = Vec::new();
        for &(number, state) in &plan.roots {
            let ply = self.outside.options.roots[number as usize].ply();
            let step = self.outside.steps.push_root(number);
            starts.push(Label { state, step, plies: 0, drops_cp: 0, ply });
        }
        starts.sort_by_key(|start| start.ply);
        starts
    }

    /// Adds to the probability of a state; `label` makes its line if no other line brought so much.
    fn arrive(
        &mut self,
        level: &mut Level,
        state: State,
        chance: f64,
        label: impl FnOnce(&mut Outside<'a>) -> Label,
    ) {
        let place = &mut self.places[state.node as usize][state.side];
        match level.masses.get_mut(*place as usize).filter(|mass| mass.label.state == state) {
            None => {
                *place = level.masses.len() as u32;
                let label = label(self.outside);
                level.masses.push(Mass { label, chance, largest: chance });
            }
            Some(mass) => {
                mass.chance += chance;
                if chance > mass.largest {
                    mass.label = label(self.outside);
                    mass.largest = chance;
                }
            }
        }
    }

    fn expand(&mut self, mass: &Mass, next: &mut Level) {
        let from = mass.label;
        if mass.chance < self.reach.least || !self.outside.options.is_within(from.ply + 1) {
            return;
        }
        let mut position = None;
        for Answer { leaving, to, chance } in self.answers(from.state) {
            let chance = mass.chance * chance;
            if chance <= 0.0 {
                continue;
            }
            if let Some(node) = to {
                let state = State { node, side: !from.state.side };
                self.arrive(next, state, chance, |outside| {
                    let (plies, drops_cp) = from.and(leaving.drop_cp);
                    let step = outside.steps.push_move(from.step, from.state.side, leaving.m);
                    Label { state, step, plies, drops_cp, ply: from.ply + 1 }
                });
                continue;
            }
            let graph = self.outside.graph;
            let position = position.get_or_insert_with(|| graph.black_to_move(from.state.node));
            let key = position.key_after(leaving.m);
            let met = self.outside.meet(key, self.own.into(), &from, leaving);
            let (Met::First(exit) | Met::Again(exit)) = met;
            if self.chances.add(exit, chance) && matches!(met, Met::Again(_)) {
                self.outside.replace(exit, &from, leaving);
            }
        }
    }

    /// What is played in a state, with the probability of each move.
    fn answers(&self, state: State) -> Vec<Answer> {
        let is_best_only = self.choices.is_best_only(state);
        let window = self.choices.of(state);
        let graph = self.outside.graph;
        let chances = match self.rival {
            _ if state.side == self.own => vec![1.0 / window.len() as f64; window.len()],
            Chooser::Games { smoothing } => by_games(graph, state, &window, smoothing),
            Chooser::Values { temperature_cp } => by_values(&window, temperature_cp),
            Chooser::Book { book, temperature_cp } => {
                let black_to_move = graph.black_to_move(state.node);
                let position = match state.side {
                    Color::Black => black_to_move,
                    Color::White => black_to_move.flipped(),
                };
                let moves = by_book(book, &position, temperature_cp);
                if !moves.is_empty() {
                    return self.rival_answers(state, &moves);
                }
                by_values(&window, temperature_cp)
            }
        };
        let answer = |(followed, chance): (&Followed, f64)| {
            let leaving = Leaving::by(followed, is_best_only);
            Answer { leaving, to: followed.ranked.to, chance }
        };
        window.iter().zip(chances).map(answer).collect()
    }

    /// The moves of a rival's book, as the own book knows them.
    fn rival_answers(&self, state: State, moves: &[(Move, f64)]) -> Vec<Answer> {
        let known = self.choices.all(state);
        let answer = |&(m, chance): &(Move, f64)| {
            let m = turn(m, state.side);
            match known.iter().find(|followed| followed.ranked.m == m) {
                Some(followed) => {
                    Answer { leaving: Leaving::by(followed, false), to: followed.ranked.to, chance }
                }
                None => {
                    let leaving = Leaving { m, reason: Reason::RivalMove, score: None, drop_cp: 0 };
                    Answer { leaving, to: None, chance }
                }
            }
        };
        moves.iter().map(answer).collect()
    }
}

/// A move that is played with some probability.
#[derive(Debug, Clone, Copy)]
struct Answer {
    leaving: Leaving,
    to: Option<u32>,
    chance: f64,
}
