//! The checker: it plays legal moves and tests for check, nothing else.

use std::collections::HashMap;
use std::io::BufRead;

use komadai_core::{Move, Position};
use komadai_movegen::MoveGen;

use super::error::CertificateError;
use super::listing::{Checked, Claim};
use super::reader::{Listed, Reader, placement};

/// Reads and checks a certificate of at most this many positions. A position takes some 150 bytes
/// of memory; the file is read line by line.
///
/// # Errors
///
/// Returns the first fault, with its line.
pub fn check<R: BufRead>(source: R, most_positions: usize) -> Result<Checked, CertificateError> {
    let mut reader = Reader::new(source)?;
    let claim = reader.claim();
    let mut proof = Proof { reached: HashMap::new(), limit: most_positions };
    let mut root = None;
    while let Some(listed) = reader.next()? {
        // The first position is that of the claim, which no earlier line has to reach.
        if root.is_none() {
            proof.reach(listed.line, &listed.position, claim.plies())?;
            root = Some(listed.position.clone());
        }
        proof.list(&listed)?;
        match claim {
            Claim::MateWithin(_) => proof.check_mate(listed)?,
            Claim::NoMate => proof.check_no_mate(listed)?,
        }
    }
    let line = reader.line();
    let position = root.ok_or_else(|| CertificateError::syntax(line, "", "a position"))?;
    let mut missing = proof.reached.iter().filter(|(_, state)| !state.is_listed);
    if let Some((example, _)) = missing.next() {
        let example = example.clone();
        let missing = 1 + missing.count();
        return Err(CertificateError::Unproven { line, missing, example });
    }
    Ok(Checked { position, claim, positions: proof.reached.len() })
}

/// The positions that the lines so far have reached, each with its state.
struct Proof {
    reached: HashMap<String, State>,
    limit: usize,
}

struct State {
    is_listed: bool,
    /// The stated number of plies; before the position is listed, the largest number allowed.
    plies: u32,
}

impl Proof {
    /// Notes that the proof leads to a position, which must be mate within `most` plies.
    fn reach(&mut self, line: u64, at: &Position, most: u32) -> Result<(), CertificateError> {
        let new = State { is_listed: false, plies: most };
        let state = self.reached.entry(placement(at)).or_insert(new);
        if state.is_listed && state.plies > most {
            return Err(CertificateError::TooManyPlies { line, found: state.plies, most });
        }
        state.plies = state.plies.min(most);
        if self.reached.len() > self.limit {
            return Err(CertificateError::TooManyPositions { line, limit: self.limit });
        }
        Ok(())
    }

    /// Notes that a position is listed, which an earlier line must have reached.
    fn list(&mut self, listed: &Listed) -> Result<(), CertificateError> {
        let &Listed { line, plies: found, .. } = listed;
        let state = self.reached.get_mut(&placement(&listed.position));
        let state = state.filter(|state| !state.is_listed);
        let state = state.ok_or(CertificateError::Unreached { line })?;
        if found > state.plies {
            return Err(CertificateError::TooManyPlies { line, found, most: state.plies });
        }
        *state = State { is_listed: true, plies: found };
        Ok(())
    }

    /// Checks that the move is check, and notes the positions after the replies, which have fewer
    /// plies left.
    fn check_mate(&mut self, listed: Listed) -> Result<(), CertificateError> {
        let Listed { line, mut position, plies, moves } = listed;
        let m = moves[0];
        if !position.legal_moves().contains(&m) {
            return Err(CertificateError::IllegalMove { line, m });
        }
        position.do_move(m);
        if !position.in_check() {
            return Err(CertificateError::NoCheck { line, m });
        }
        for reply in position.legal_moves() {
            let left = plies.checked_sub(2).ok_or(CertificateError::NotMated { line, reply })?;
            position.do_move(reply);
            self.reach(line, &position, left)?;
            position.undo_move();
        }
        Ok(())
    }

    /// Checks that there is a legal reply to each check, and notes the positions after them.
    fn check_no_mate(&mut self, listed: Listed) -> Result<(), CertificateError> {
        let Listed { line, mut position, moves, .. } = listed;
        let moves_here = position.legal_moves().into_iter();
        let checks: Vec<Move> = moves_here.filter(|&m| position.after(m).in_check()).collect();
        for &check in &checks {
            position.do_move(check);
            let found = moves.chunks(2).find(|pair| pair[0] == check).map(|pair| pair[1]);
            let reply = found.filter(|reply| position.legal_moves().contains(reply));
            position.do_move(reply.ok_or(CertificateError::Unanswered { line, check, found })?);
            self.reach(line, &position, 0)?;
            position.undo_move();
            position.undo_move();
        }
        // All checks are answered. A pair beyond them answers another move, or a check twice.
        let replies = moves.len() / 2;
        let checks = checks.len();
        if replies > checks {
            return Err(CertificateError::SurplusReplies { line, replies, checks });
        }
        Ok(())
    }
}
