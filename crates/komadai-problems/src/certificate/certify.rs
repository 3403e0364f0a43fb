//! The writer of certificates.
//!
//! *Mate*: one check for each position. The solver mates within n plies from a position. It is
//! asked for a mate within n − 2 plies after each reply, so the numbers fall on every way and no
//! way returns to a position. Positions with many plies left come first. A position that is reached
//! again with fewer plies left than its mate takes is asked about once more.
//!
//! *No mate*: one reply to each check. Among the replies, one that reaches a position already in
//! the proof costs nothing, and one after which there is no check costs one line. Otherwise the
//! solver is asked about all replies with a few nodes each, then with more, so that the easiest
//! refutation is chosen.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use komadai_core::{Budget, Move, Position};
use komadai_movegen::{
    CheckClass, MateLimit, MateReport, MateResult, MateSolver, MoveGen, MoveList, generate_checks,
};

use super::error::CertifyError;
use super::listing::{Certificate, Claim, Line};
use super::reader::placement;

/// Writes a proof of what the solver answers about the position, mate or no mate.
///
/// The solver is asked about many positions that follow, which takes far more nodes than the first
/// answer, and fewer if the solver keeps its results
/// ([`Results::Kept`](komadai_tsume::Results::Kept)). `budget` limits all of them together; its
/// depth is ignored. The proof is exact in every piece and may have many more positions than a
/// search with a table visits; it has at most `most_positions`.
///
/// # Errors
///
/// Returns an error if a limit is reached, or if the answers of the solver contradict each other.
pub fn certify<S: MateSolver + ?Sized>(
    position: &Position,
    solver: &mut S,
    budget: &Budget,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut oracle = Oracle { solver, budget, nodes: 0 };
    let report = oracle.ask(position, u64::MAX, None);
    if report.result == MateResult::NoMate {
        return prove_no_mate(position, &mut oracle, most_positions);
    }
    let Some(plies) = report.mate_within else {
        let position = placement(position);
        return Err(CertifyError::Undecided { position, limit: report.limit });
    };
    prove_mate(position, plies, &report, &mut oracle, most_positions)
}

/// The solver, the budget for all questions, and the part of it that is used up.
#[derive(Debug)]
struct Oracle<'a, S: ?Sized> {
    solver: &'a mut S,
    budget: &'a Budget,
    nodes: u64,
}

impl<S: MateSolver + ?Sized> Oracle<'_, S> {
    /// Asks for a mate with at most this many nodes, within a depth if there is one.
    fn ask(&mut self, position: &Position, nodes: u64, depth: Option<u32>) -> MateReport {
        let nodes = Some(nodes.min(self.left()));
        let budget = Budget { nodes, depth, ..self.budget.clone() };
        let report = self.solver.solve(position, &budget, CheckClass::All);
        // An answer without a search costs something, too.
        self.nodes = self.nodes.saturating_add(report.nodes.max(1));
        report
    }

    /// The number of nodes left.
    fn left(&self) -> u64 {
        self.budget.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes))
    }
}

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
struct MateProof {
    items: Vec<Item>,
    indices: HashMap<String, usize>,
    /// Positions without a fitting check, by the number of plies left.
    open: BinaryHeap<(u32, Reverse<usize>)>,
}

/// Writes the proof of a mate that the solver has reported, within this many plies.
fn prove_mate<S: MateSolver + ?Sized>(
    position: &Position,
    plies: u32,
    report: &MateReport,
    oracle: &mut Oracle<'_, S>,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut proof = MateProof::default();
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

impl MateProof {
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
        // Without a check, or with one that takes more plies than are left now.
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
        // By rising plies: what follows a position is computed before it.
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

/// Number of nodes for the first question about a reply; each further one has eight times as many.
const FIRST_NODES: u64 = 32;

#[derive(Debug)]
struct NoMateProof<'a, 'b, S: ?Sized> {
    oracle: &'a mut Oracle<'b, S>,
    most_positions: usize,
    /// The solver's answers, true for a mate.
    answers: HashMap<String, bool>,
    /// Indices of the positions of the proof.
    indices: HashMap<String, usize>,
    lines: Vec<Line>,
    /// Positions whose checks have no replies yet, in the order of `lines`.
    open: VecDeque<Position>,
}

/// Writes the proof that there is no mate, which the solver has reported.
fn prove_no_mate<S: MateSolver + ?Sized>(
    position: &Position,
    oracle: &mut Oracle<'_, S>,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut proof = NoMateProof {
        oracle,
        most_positions,
        answers: HashMap::new(),
        indices: HashMap::new(),
        lines: Vec::new(),
        open: VecDeque::new(),
    };
    proof.reach(position)?;
    let mut done = 0;
    while let Some(mut position) = proof.open.pop_front() {
        let mut checks = MoveList::new();
        generate_checks(&position, &mut checks);
        let mut moves = Vec::with_capacity(2 * checks.len());
        for check in &checks {
            position.do_move(check);
            let reply = proof.reply(&mut position)?;
            position.do_move(reply);
            proof.reach(&position)?;
            position.undo_move();
            position.undo_move();
            moves.extend([check, reply]);
        }
        proof.lines[done].moves = moves;
        done += 1;
    }
    Ok(Certificate::new(Claim::NoMate, proof.lines))
}

impl<S: MateSolver + ?Sized> NoMateProof<'_, '_, S> {
    /// Adds the position to the proof unless it is in it.
    fn reach(&mut self, position: &Position) -> Result<(), CertifyError> {
        let text = placement(position);
        if self.indices.contains_key(&text) {
            return Ok(());
        }
        if self.lines.len() >= self.most_positions {
            return Err(CertifyError::TooManyPositions { limit: self.most_positions });
        }
        self.indices.insert(text.clone(), self.lines.len());
        self.lines.push(Line { position: text, moves: Vec::new(), plies: 0 });
        self.open.push_back(position.without_history());
        Ok(())
    }

    /// Chooses a reply to the check on the board after which there is no mate.
    fn reply(&mut self, position: &mut Position) -> Result<Move, CertifyError> {
        let replies = position.legal_moves();
        let mut without_check = None;
        let mut refuted = None;
        let mut unknown = Vec::new();
        for reply in &replies {
            position.do_move(reply);
            let text = placement(position);
            let answer = self.answers.get(&text).copied();
            let is_listed = self.indices.contains_key(&text);
            let mut checks = MoveList::new();
            generate_checks(position, &mut checks);
            position.undo_move();
            if is_listed {
                return Ok(reply);
            }
            match answer {
                _ if checks.is_empty() => without_check = Some(reply),
                Some(false) => refuted = Some(reply),
                Some(true) => {}
                None => unknown.push((reply, text)),
            }
        }
        if let Some(reply) = without_check.or(refuted) {
            return Ok(reply);
        }
        // All replies get a few nodes before one gets many: the easiest refutation is mostly the
        // one whose proof is shortest.
        let mut nodes = FIRST_NODES;
        while !unknown.is_empty() {
            let mut limit = None;
            let mut still_unknown = Vec::new();
            for (reply, text) in unknown {
                position.do_move(reply);
                let report = self.oracle.ask(position, nodes, None);
                position.undo_move();
                let is_mate = report.is_mate();
                if is_mate || report.result == MateResult::NoMate {
                    self.answers.insert(text, is_mate);
                    if !is_mate {
                        return Ok(reply);
                    }
                } else {
                    limit = report.limit;
                    still_unknown.push((reply, text));
                }
            }
            unknown = still_unknown;
            if let Some((_, text)) = unknown.first()
                && (self.oracle.left() == 0 || nodes >= self.oracle.left())
            {
                return Err(CertifyError::Undecided { position: text.clone(), limit });
            }
            nodes = nodes.saturating_mul(8);
        }
        let position = placement(position);
        Err(CertifyError::Contradiction { position, expected: "a reply that is not mated" })
    }
}
