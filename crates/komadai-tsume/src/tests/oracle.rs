//! Reference solvers for the unit tests, slow and simple on purpose.
//!
//! They share no code with the solver. A check is any legal move after which the opponent is in
//! check. Repetition needs no rule of its own, because only a position with a finite number of
//! plies to the mate counts as a mate.

use std::collections::HashMap;

use komadai_core::{Hand, Move, Position};
use komadai_movegen::MoveGen;

/// Length of the shortest mate of at most `most` plies, found by an exhaustive search.
pub(crate) fn shortest_mate(position: &mut Position, most: usize) -> Option<usize> {
    shortest_mate_by(position, most, &|_, _| true)
}

/// Length of the shortest mate of at most `most` plies without the checks that are not `allowed`.
pub(crate) fn shortest_mate_by(
    position: &mut Position,
    most: usize,
    allowed: &impl Fn(&Position, Move) -> bool,
) -> Option<usize> {
    (1..=most).step_by(2).find(|&plies| mates_within(position, plies, allowed))
}

fn mates_within(
    position: &mut Position,
    plies: usize,
    allowed: &impl Fn(&Position, Move) -> bool,
) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let is_allowed = allowed(position, m);
        position.do_move(m);
        let mates = is_allowed && position.in_check() && is_mated(position, plies - 1, allowed);
        position.undo_move();
        mates
    })
}

/// Returns true if every reply is mated within `plies` plies.
pub(crate) fn is_mated_within(position: &mut Position, plies: usize) -> bool {
    is_mated(position, plies, &|_, _| true)
}

fn is_mated(
    position: &mut Position,
    plies: usize,
    allowed: &impl Fn(&Position, Move) -> bool,
) -> bool {
    let replies = position.legal_moves();
    if plies == 0 {
        return replies.is_empty();
    }
    replies.into_iter().all(|m| {
        position.do_move(m);
        let mated = mates_within(position, plies - 1, allowed);
        position.undo_move();
        mated
    })
}

/// Exact results for the positions of a graph in which attacker and defender move in turn. In the
/// first position the attacker moves.
#[derive(Debug)]
pub(crate) struct Truth {
    /// Number of plies to the mate for each position, `None` without a mate.
    pub(crate) mates: Vec<Option<usize>>,
    /// True for each position in which the defender can make the attacker run out of checks. In a
    /// position with neither a mate nor an escape, the attacker can repeat positions for ever.
    pub(crate) escapes: Vec<bool>,
}

/// Solves a graph by retrograde analysis.
pub(crate) fn solve_graph(successors: &[Vec<usize>], attacks: impl Fn(usize) -> bool) -> Truth {
    let count = successors.len();
    let mut mates: Vec<Option<usize>> = vec![None; count];
    for plies in 0.. {
        let mated = |position: usize| {
            let mut next = successors[position].iter().map(|&next| mates[next].is_some());
            if attacks(position) { next.any(|mated| mated) } else { next.all(|mated| mated) }
        };
        let new: Vec<usize> = (0..count).filter(|&i| mates[i].is_none() && mated(i)).collect();
        if new.is_empty() {
            break;
        }
        for position in new {
            mates[position] = Some(plies);
        }
    }
    let mut escapes = vec![false; count];
    loop {
        let free = |position: usize| {
            let mut next = successors[position].iter().map(|&next| escapes[next]);
            if attacks(position) { next.all(|free| free) } else { next.any(|free| free) }
        };
        let new: Vec<usize> = (0..count).filter(|&i| !escapes[i] && free(i)).collect();
        if new.is_empty() {
            return Truth { mates, escapes };
        }
        for position in new {
            escapes[position] = true;
        }
    }
}

/// All positions that checks and replies can reach, the start position first.
#[derive(Debug)]
pub(crate) struct Graph {
    /// Board key and attacker's hand of each position.
    pub(crate) positions: Vec<(u64, Hand)>,
    pub(crate) truth: Truth,
}

impl Graph {
    /// Collects the positions. Returns `None` if there are more than `most`.
    pub(crate) fn new(position: &Position, most: usize) -> Option<Self> {
        Self::of_checks(position, most, |_, _| true)
    }

    /// Collects the positions as [`new`](Self::new) does, without the checks that are not
    /// `allowed`.
    pub(crate) fn of_checks(
        position: &Position,
        most: usize,
        allowed: impl Fn(&Position, Move) -> bool,
    ) -> Option<Self> {
        let attacker = position.side();
        let mut positions = vec![position.without_history()];
        let mut numbers = HashMap::from([(position.key(), 0)]);
        let mut successors = Vec::new();
        while let Some(mut position) = positions.get(successors.len()).cloned() {
            let attacks = position.side() == attacker;
            let mut next = Vec::new();
            for m in &position.legal_moves() {
                let is_allowed = !attacks || allowed(&position, m);
                position.do_move(m);
                if !attacks || is_allowed && position.in_check() {
                    let fresh = positions.len();
                    let number = *numbers.entry(position.key()).or_insert(fresh);
                    if number == fresh {
                        positions.push(position.without_history());
                    }
                    next.push(number);
                }
                position.undo_move();
            }
            successors.push(next);
            if positions.len() > most {
                return None;
            }
        }
        let truth = solve_graph(&successors, |number| positions[number].side() == attacker);
        let keys = |position: &Position| (position.board_key(), position.hand(attacker));
        Some(Self { positions: positions.iter().map(keys).collect(), truth })
    }
}
