//! Traps: positions in which a probable reply of the opponent loses value.

use std::collections::HashMap;

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::turn;
use komadai_core::{Color, Move, Position, Score};

use super::choices::State;
use super::frontier_set::FrontierSet;
use super::options::{BookSides, FrontierOptions, OwnMoves, Window};
use super::reach_probability::{Mass, PlayedMove, Probabilities, ReachOptions, follow_games};
use super::rival::games;
use crate::graph::BookGraph;

/// Options of a search for traps.
#[derive(Debug, Clone)]
pub struct TrapOptions<'a> {
    /// The start positions of the games, which are equally likely.
    pub roots: Vec<Position>,
    /// The sides that play from the book, each in the same number of games.
    pub sides: BookSides,
    /// The moves that the own side plays.
    pub own_moves: OwnMoves,
    /// The largest move number of a position after a reply.
    pub max_ply: Option<u32>,
    /// The model of the opponent.
    pub reach: ReachOptions<'a>,
    /// The smallest loss of a reply that is a mistake, in centipawns.
    pub least_loss_cp: u32,
}

impl<'a> TrapOptions<'a> {
    /// Creates options with one best move for the own side, mistakes of at least 100 centipawns, and
    /// no limit.
    pub fn new(root: Position, sides: impl Into<BookSides>, reach: ReachOptions<'a>) -> Self {
        Self {
            roots: vec![root],
            sides: sides.into(),
            own_moves: OwnMoves::First,
            max_ply: None,
            reach,
            least_loss_cp: 100,
        }
    }
}

/// The traps of a book.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Traps {
    /// The traps, largest gains first.
    pub traps: Vec<Trap>,
    /// The probability that a game leaves the book by a reply for which it has no value. Such a
    /// reply may be a mistake as well.
    pub unvalued: f64,
    /// The number of states of the book that were visited: positions with the side to move in the
    /// real game.
    pub visited: usize,
}

/// A position with the opponent to move, and a reply that is a mistake.
///
/// Values are for the opponent, who makes the reply.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Trap {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// The most probable line from the root.
    pub line: Vec<Move>,
    /// The number of the root among those of the options.
    pub root: usize,
    /// The mistake.
    pub reply: Move,
    /// The value of the mistake.
    pub reply_score: Score,
    /// The best reply.
    pub best: Move,
    /// The value of the best reply.
    pub best_score: Score,
    /// The difference of the two values in centipawns, each within ±[`DECIDED_CP`](Self::DECIDED_CP).
    pub loss_cp: u32,
    /// The number of games in which the book counts the mistake. A probability without games rests
    /// on the model alone.
    pub games: u32,
    /// The probability of the mistake in the position.
    pub probability: f64,
    /// The probability that a game reaches the position, over all lines. In a cycle each visit
    /// counts.
    pub reach: f64,
    /// The mean gain of a game by this mistake, in centipawns: reach × probability × loss.
    pub gain_cp: f64,
}

impl Trap {
    /// The value beyond which a side has won, in centipawns. Losses are counted up to it: otherwise
    /// one mate, or a slower way to lose a lost game, would outweigh all mistakes that decide games.
    pub const DECIDED_CP: i32 = 2_000;
}

impl BookGraph {
    /// Finds the positions in which a probable reply of the opponent loses at least
    /// [`least_loss_cp`](TrapOptions::least_loss_cp) centipawns against the best one of the book,
    /// largest expected gains first.
    ///
    /// The own side plays its book, the opponent according to the model. Every reply that the book
    /// values counts, in no window; with books of rivals those of their replies that the own book
    /// values. Games are followed as for a
    /// [frontier by probability](Self::frontier_by_probability), with the same time. Roots that the
    /// book does not contain have no traps.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::Tolerance;
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_bookgraph::frontier::{ReachOptions, Rival, TrapOptions};
    /// use komadai_core::{Color, Position};
    ///
    /// // One game of four made a move that loses 160 centipawns.
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     7g7f none 40 1 4\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
    ///     3c3d none -40 1 3\n\
    ///     4a3b none -200 1 1\n";
    /// let mut builder = GraphBuilder::new();
    /// builder.read_db(text.as_bytes(), Tolerance::Strict)?;
    /// let graph = builder.finish()?;
    /// let reach = ReachOptions::new(Rival::Games { smoothing: 0.0 });
    /// let found = graph.traps(&TrapOptions::new(Position::hirate(), Color::Black, reach));
    /// let trap = &found.traps[0];
    /// assert_eq!((trap.reply.to_string(), trap.best.to_string()), ("4a3b".into(), "3c3d".into()));
    /// assert_eq!((trap.loss_cp, trap.probability, trap.gain_cp), (160, 0.25, 40.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn traps(&self, options: &TrapOptions<'_>) -> Traps {
        let all_replies = FrontierOptions {
            roots: options.roots.clone(),
            eval_diff: i32::MAX,
            own_moves: options.own_moves,
            max_ply: options.max_ply,
            ..FrontierOptions::new(Position::hirate(), options.sides, Window::Best)
        };
        let mut set = FrontierSet::new(self, &all_replies);
        let mut mistakes = Mistakes::new(options.least_loss_cp);
        let visited = follow_games(
            &mut set,
            &mut Probabilities::default(),
            &options.reach,
            &mut |own, mass, played| mistakes.visit(own, mass, played),
        );
        let unvalued = mistakes.unvalued;
        Traps { traps: mistakes.traps(&set), unvalued, visited }
    }
}

/// The mistakes found so far, by state.
struct Mistakes {
    least_loss_cp: u32,
    states: HashMap<(u32, Color), Visited>,
    unvalued: f64,
}

/// A state with the opponent to move.
struct Visited {
    reach: f64,
    /// The last node of the most probable line, and the probability that the line brought.
    line_end: u32,
    largest: f64,
    /// The mistakes, in the orientation with Black to move.
    replies: Vec<Reply>,
}

/// A mistake with its value and the probability that a game comes to it.
struct Reply {
    m: Move,
    score: Score,
    probability: f64,
}

impl Mistakes {
    fn new(least_loss_cp: u32) -> Self {
        Self { least_loss_cp, states: HashMap::new(), unvalued: 0.0 }
    }

    fn visit(&mut self, own: Color, mass: &Mass, played: &[PlayedMove]) {
        let State { node, side } = mass.label.state;
        if side == own {
            return;
        }
        let line_end = mass.label.line_end;
        let state = self.states.entry((node, side)).or_insert_with(|| Visited {
            reach: 0.0,
            line_end,
            largest: 0.0,
            replies: Vec::new(),
        });
        state.reach += mass.probability;
        if mass.largest > state.largest {
            (state.line_end, state.largest) = (line_end, mass.largest);
        }
        let mut valued = 0.0;
        for PlayedMove { edge, probability, .. } in played {
            let Some(score) = edge.score.map(i32::from) else { continue };
            valued += probability;
            // The drop is the distance from the best move of the own book.
            let best = score.saturating_add_unsigned(edge.drop_cp);
            if *probability <= 0.0 || loss(best, score) < self.least_loss_cp.max(1) {
                continue;
            }
            let probability = mass.probability * probability;
            match state.replies.iter_mut().find(|reply| reply.m == edge.m) {
                Some(reply) => reply.probability += probability,
                None => {
                    let score = Score::from_raw(score);
                    state.replies.push(Reply { m: edge.m, score, probability });
                }
            }
        }
        // The sum of probabilities may exceed 1 by rounding.
        self.unvalued += mass.probability * (1.0 - valued).max(0.0);
    }

    fn traps(self, set: &FrontierSet<'_>) -> Vec<Trap> {
        let mut traps = Vec::new();
        for ((node, side), Visited { reach, line_end, replies, .. }) in self.states {
            if replies.is_empty() {
                continue;
            }
            let (root, line) = set.line_tree.line_to(line_end);
            let mut position = set.options.roots[root as usize].clone();
            line.iter().for_each(|&m| position.do_move(m));
            let best = set.graph.ranked_moves(node)[0];
            for Reply { m, score, probability } in replies {
                let loss_cp = loss(best.value.score.raw(), score.raw());
                traps.push(Trap {
                    position: position.clone(),
                    line: line.clone(),
                    root: root as usize,
                    reply: turn(m, side),
                    reply_score: score,
                    best: turn(best.m, side),
                    best_score: best.value.score,
                    loss_cp,
                    games: games(set.graph, node, m),
                    probability: probability / reach,
                    reach,
                    gain_cp: probability * f64::from(loss_cp),
                });
            }
        }
        // The order of the map is not fixed, so equal gains need an order of their own.
        let order = |trap: &Trap| (trap.root, trap.line.len(), usi_order(trap.reply));
        let lines = |one: &Trap, other: &Trap| {
            one.line.iter().map(|&m| usi_order(m)).cmp(other.line.iter().map(|&m| usi_order(m)))
        };
        traps.sort_by(|one, other| {
            (other.gain_cp.total_cmp(&one.gain_cp))
                .then_with(|| order(one).cmp(&order(other)))
                .then_with(|| lines(one, other))
        });
        traps
    }
}

/// The loss of a move against the best one; values beyond [`Trap::DECIDED_CP`] count as this one.
fn loss(best: i32, score: i32) -> u32 {
    let limit = Trap::DECIDED_CP;
    best.clamp(-limit, limit).abs_diff(score.clamp(-limit, limit))
}
