//! The proof of a mate: one check for each position.
//!
//! The solver mates within n plies from a position. It is asked for a mate within n − 2 plies after
//! each reply, so the numbers fall on every way and no way returns to a position. Positions with
//! many plies left come first. A position that is reached again with fewer plies left than its mate
//! takes is asked about once more.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use komadai_core::{Move, Position};
use komadai_movegen::{MateLimit, MateReport, MateResult, MateSolver, MoveGen};

use super::certify_error::CertifyError;
use super::claim::Claim;
use super::listing::{Certificate, Line};
use super::oracle::Oracle;
use super::reader::placement;

/// A position with the attacker to move.
#[derive(Debug)]
struct Item {
    position: String,
    /// The solver must mate within this many plies.
    limit: u32,
    /// The check, and the number of plies within which it mates.
    attack: Option<(Move, u32)>,
    /// Indices of the positions after each reply to the check.
    next: Vec<usize>,
}

#[derive(Debug, Default)]
struct Proof {
    items: Vec<Item>,
    indices: HashMap<String, usize>,
    /// Positions without a fitting check, by the number of plies left.
    open: BinaryHeap<(u32, Reverse<usize>)>,
}

/// Writes the proof of a mate that the solver has reported, within this many plies.
pub(super) fn prove<S: MateSolver + ?Sized>(
    position: &Position,
    plies: u32,
    report: &MateReport,
    oracle: &mut Oracle<'_, S>,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut proof = Proof::default();
    proof.reach(position, plies, most_positions)?;
    let mut first = first_move(report).map(|m| (m, plies));
    while let Some((limit, Reverse(index))) = proof.open.pop() {
        let item = &proof.items[index];
        if item.limit < limit || item.attack.is_some_and(|(_, plies)| plies <= item.limit) {
            continue;
        }
        let mut position = Position::from_sfen(&item.position).expect("the text of a position");
        let (m, plies) = match first.take() {
            Some(attack) => attack,
            None => attack(&position, limit, oracle)?,
        };
        position.do_move(m);
        let replies = position.legal_moves();
        let mut next = Vec::with_capacity(replies.len());
        for reply in &replies {
            position.do_move(reply);
            // With less than two plies the check had to be mate.
            let left = plies.checked_sub(2).filter(|&left| left > 0);
            let left = left.ok_or_else(|| contradiction(&position))?;
            next.push(proof.reach(&position, left, most_positions)?);
            position.undo_move();
        }
        let item = &mut proof.items[index];
        (item.attack, item.next) = (Some((m, plies)), next);
    }
    Ok(proof.certificate())
}

/// Asks for a check that mates within this many plies.
fn attack<S: MateSolver + ?Sized>(
    position: &Position,
    limit: u32,
    oracle: &mut Oracle<'_, S>,
) -> Result<(Move, u32), CertifyError> {
    if let Some(m) = position.mate_in_one() {
        return Ok((m, 1));
    }
    let report = oracle.ask(position, u64::MAX, Some(limit));
    let is_refuted = report.limit == Some(MateLimit::Depth) || report.result == MateResult::NoMate;
    match (first_move(&report), report.mate_within) {
        (Some(m), Some(plies)) if plies <= limit => Ok((m, plies)),
        (_, Some(plies)) if plies > limit => Err(contradiction(position)),
        _ if is_refuted => Err(contradiction(position)),
        _ => Err(CertifyError::Undecided { position: placement(position), limit: report.limit }),
    }
}

/// The first move of a reported mate.
fn first_move(report: &MateReport) -> Option<Move> {
    match &report.result {
        MateResult::Mate { line, .. } => line.first().copied(),
        MateResult::MateWithoutLine { first } => *first,
        _ => None,
    }
}

fn contradiction(position: &Position) -> CertifyError {
    CertifyError::Contradiction { position: placement(position), expected: "a mate" }
}

impl Proof {
    /// Notes that the position must be mate within `left` plies. Returns its index.
    fn reach(
        &mut self,
        position: &Position,
        left: u32,
        most_positions: usize,
    ) -> Result<usize, CertifyError> {
        let text = placement(position);
        let index = match self.indices.get(&text) {
            Some(&index) => index,
            None if self.items.len() >= most_positions => {
                return Err(CertifyError::TooManyPositions { limit: most_positions });
            }
            None => {
                let item = Item { position: text.clone(), limit: left, attack: None, next: vec![] };
                self.items.push(item);
                self.indices.insert(text, self.items.len() - 1);
                self.items.len() - 1
            }
        };
        let item = &mut self.items[index];
        item.limit = item.limit.min(left);
        if item.attack.is_none_or(|(_, plies)| plies > item.limit) {
            self.open.push((item.limit, Reverse(index)));
        }
        Ok(index)
    }

    /// The positions that the checks reach, from the first one on, with the number of plies that
    /// the mate takes against the longest defence in the proof.
    fn certificate(self) -> Certificate {
        let attack = |index: usize| self.items[index].attack.expect("all positions have a check");
        let mut by_plies: Vec<usize> = (0..self.items.len()).collect();
        by_plies.sort_unstable_by_key(|&index| attack(index).1);
        let mut exact = vec![0; self.items.len()];
        for index in by_plies {
            let longest = self.items[index].next.iter().map(|&next| exact[next] + 1).max();
            exact[index] = longest.unwrap_or(0) + 1;
        }
        let mut is_queued = vec![false; self.items.len()];
        is_queued[0] = true;
        let mut queue = VecDeque::from([0]);
        let mut lines = Vec::with_capacity(self.items.len());
        while let Some(index) = queue.pop_front() {
            let Item { position, next, .. } = &self.items[index];
            let moves = vec![attack(index).0];
            lines.push(Line { position: position.clone(), moves, plies: exact[index] });
            for &next in next {
                if !std::mem::replace(&mut is_queued[next], true) {
                    queue.push_back(next);
                }
            }
        }
        Certificate::new(Claim::MateWithin(exact[0]), lines)
    }
}
