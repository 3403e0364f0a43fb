//! The proof that there is no mate: one reply to each check.
//!
//! Among the replies, one that reaches a position already in the proof costs nothing, and one after
//! which there is no check costs one line. Otherwise the solver is asked about all replies with a
//! few nodes each, then with more, so that the easiest refutation is chosen.

use std::collections::{HashMap, VecDeque};

use komadai_core::{Move, Position};
use komadai_movegen::{MateResult, MateSolver, MoveGen, MoveList, generate_checks};

use super::certify_error::CertifyError;
use super::claim::Claim;
use super::listing::{Certificate, Line};
use super::oracle::Oracle;
use super::reader::placement;

/// Number of nodes for the first question about a reply; each further one has eight times as many.
const FIRST_NODES: u64 = 32;

#[derive(Debug)]
struct Proof<'a, 'b, S: ?Sized> {
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
pub(super) fn prove<S: MateSolver + ?Sized>(
    position: &Position,
    oracle: &mut Oracle<'_, S>,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut proof = Proof {
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

impl<S: MateSolver + ?Sized> Proof<'_, '_, S> {
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
