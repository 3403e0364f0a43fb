//! Perpetual check: whether one side can give check for ever.
//!
//! ```text
//! open := {the start}; each position of the attacker in it has a candidate, its first check
//! while a position that is needed has not been expanded:
//!     expand it: the positions after all replies to its candidate are needed as well
//!     if one of them has been escaped from: take the next check as the candidate
//!     if no check is left: the position has been escaped from; correct those that needed it
//! ```
//!
//! If the start has been escaped from, the defender can force the attacker to run out of checks. If
//! nothing is left to expand, the positions that are needed form a closed set with one check each:
//! check can be given for ever. This is the local computation of a fixed point (X. Liu and S. A.
//! Smolka, "Simple linear-time algorithms for minimal fixed points", 1998). It takes time and
//! memory proportional to the positions that it visits, however many paths connect them. A search
//! for a proof tree needs a path for every loop.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use komadai_core::{Move, Position, Setup};
use komadai_movegen::{MoveGen, MoveList, count_legal};

use crate::game::{PawnDropMate, generate_checks_under};
use crate::meter::Meter;

/// The result of [`search`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Perpetual {
    /// The attacker can give check for ever, or mate, beginning with this check.
    Check(Move),
    /// The defender can make the attacker run out of checks.
    Escape,
    /// The budget is spent, or the method failed.
    Spent,
}

/// Searches for perpetual check by the side to move.
pub(crate) fn search(position: &Position, rule: PawnDropMate, meter: &mut Meter<'_>) -> Perpetual {
    let mut graph = Graph { rule, attacks: Vec::new(), numbers: HashMap::new(), work: Vec::new() };
    let root = graph.number(position);
    while let Some(number) = graph.work.pop() {
        if !graph.is_needed(number, root) {
            continue;
        }
        match graph.expand(number, meter) {
            Expansion::Linked => {}
            Expansion::Escape if number == root => return Perpetual::Escape,
            Expansion::Escape => {}
            Expansion::Spent => return Perpetual::Spent,
        }
    }
    match graph.attacks[root as usize].candidate() {
        Some(check) => Perpetual::Check(check),
        None => Perpetual::Escape,
    }
}

/// A position with the attacker to move.
#[derive(Debug)]
struct Attack {
    setup: Setup,
    /// All checks, those with few replies first; `None` before the position is expanded.
    checks: Option<Box<[Move]>>,
    /// The index of the candidate; at the end if the position has been escaped from.
    current: u16,
    /// True while the positions after the replies to the candidate are noted as needed.
    is_linked: bool,
    /// The positions that need this one, each with its candidate at that time.
    needed_by: Vec<(u32, u16)>,
}

impl Attack {
    fn candidate(&self) -> Option<Move> {
        self.checks.as_ref()?.get(usize::from(self.current)).copied()
    }

    /// Returns true if the defender is known to escape.
    fn is_escape(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.len() <= usize::from(self.current))
    }
}

/// The result of the expansion of a position.
enum Expansion {
    /// The candidate leads to positions from which no escape is known.
    Linked,
    /// No check is left.
    Escape,
    /// The budget is spent.
    Spent,
}

#[derive(Debug)]
struct Graph {
    rule: PawnDropMate,
    attacks: Vec<Attack>,
    numbers: HashMap<u64, u32>,
    /// The positions to expand.
    work: Vec<u32>,
}

impl Graph {
    /// Returns the number of a position of the attacker, new or not, and schedules it if necessary.
    fn number(&mut self, position: &Position) -> u32 {
        let new = self.attacks.len() as u32;
        let number = match self.numbers.entry(position.key()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.attacks.push(Attack {
                    setup: position.to_setup(),
                    checks: None,
                    current: 0,
                    is_linked: false,
                    needed_by: Vec::new(),
                });
                *entry.insert(new)
            }
        };
        if !self.attacks[number as usize].is_linked {
            self.work.push(number);
        }
        number
    }

    /// Returns true if the position has to be expanded: the root, or one that a candidate needs.
    fn is_needed(&self, number: u32, root: u32) -> bool {
        let attack = &self.attacks[number as usize];
        if attack.is_linked {
            return false;
        }
        // What needed it under an earlier candidate needs it no more.
        number == root
            || attack.needed_by.iter().any(|&(by, candidate)| {
                let by = &self.attacks[by as usize];
                by.is_linked && by.current == candidate
            })
    }

    /// Links the position with those after the replies to its first check that is not refuted.
    fn expand(&mut self, number: u32, meter: &mut Meter<'_>) -> Expansion {
        let index = number as usize;
        let Ok(mut position) = Position::from_setup(&self.attacks[index].setup) else {
            unreachable!("a position reached by legal moves is valid")
        };
        if self.attacks[index].checks.is_none() {
            if meter.is_spent() {
                return Expansion::Spent;
            }
            meter.visit();
            self.attacks[index].checks = Some(sorted_checks(&mut position, self.rule));
        }
        while let Some(check) = self.attacks[index].candidate() {
            if meter.is_spent() {
                return Expansion::Spent;
            }
            position.do_move(check);
            let is_linked = self.link(number, &mut position, meter);
            position.undo_move();
            if is_linked {
                return Expansion::Linked;
            }
            self.attacks[index].current += 1;
        }
        self.correct(number);
        Expansion::Escape
    }

    /// Adds the positions after all replies to the check on the board, which the position `number`
    /// then needs. Returns false if one of them has been escaped from.
    fn link(&mut self, number: u32, position: &mut Position, meter: &mut Meter<'_>) -> bool {
        meter.visit();
        let replies = position.legal_moves();
        // Before any of them is added: a refuted check would leave positions that nothing needs.
        let refuted = replies.iter().any(|&reply| {
            position.do_move(reply);
            let known = self.numbers.get(&position.key());
            let escapes = known.is_some_and(|&known| self.attacks[known as usize].is_escape());
            position.undo_move();
            escapes
        });
        if refuted {
            return false;
        }
        let candidate = self.attacks[number as usize].current;
        self.attacks[number as usize].is_linked = true;
        for reply in replies {
            position.do_move(reply);
            let next = self.number(position);
            position.undo_move();
            self.attacks[next as usize].needed_by.push((number, candidate));
        }
        true
    }

    /// Schedules the positions whose candidate needed a position that has been escaped from.
    fn correct(&mut self, escaped: u32) {
        let needed_by = std::mem::take(&mut self.attacks[escaped as usize].needed_by);
        for (by, candidate) in needed_by {
            let attack = &mut self.attacks[by as usize];
            if attack.current == candidate && attack.is_linked {
                attack.is_linked = false;
                attack.current += 1;
                self.work.push(by);
            }
        }
    }
}

/// Returns all checks, those with few replies first.
fn sorted_checks(position: &mut Position, rule: PawnDropMate) -> Box<[Move]> {
    let mut checks = MoveList::new();
    generate_checks_under(rule, position, &mut checks);
    let mut checks: Box<[Move]> = checks.into_iter().collect();
    checks.sort_by_cached_key(|&check| {
        position.do_move(check);
        let replies = count_legal(position);
        position.undo_move();
        replies
    });
    checks
}
