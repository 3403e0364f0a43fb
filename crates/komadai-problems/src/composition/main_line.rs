//! The main line (本手順).

use std::collections::HashMap;

use komadai_core::{Move, Position};
use komadai_movegen::{MoveGen, MoveList, generate_checks};

use super::lengths::Distances;
use super::options::CompositionError;

/// Number of positions after which the choice between lines of equal length becomes the first one
/// in the order of generation.
const MAX_POSITIONS: usize = 300;

/// The choice among the lines with best play of both sides.
#[derive(Debug)]
struct Choice<'a, 'b> {
    distances: &'a mut Distances<'b>,
    /// The least number of pieces left and the two moves that lead to it, for positions of the
    /// attacker.
    memory: HashMap<u64, Best>,
}

#[derive(Debug, Clone, Copy)]
struct Best {
    leftover: u32,
    check: Move,
    reply: Option<Move>,
}

/// Returns the main line from `position`, which the attacker mates in exactly `plies` plies.
///
/// The attacker plays a shortest mate and the defender the longest defence. Among such lines, one
/// after which the attacker has the fewest pieces in hand is taken, and of those the first in the
/// order of generation.
pub(super) fn main_line(
    position: &Position,
    plies: u32,
    distances: &mut Distances<'_>,
) -> Result<Vec<Move>, CompositionError> {
    let mut position = position.without_history();
    let mut choice = Choice { distances, memory: HashMap::new() };
    let mut line = Vec::new();
    let mut left = plies;
    loop {
        let best = choice.best(&mut position, left)?;
        line.push(best.check);
        position.do_move(best.check);
        let Some(reply) = best.reply else { return Ok(line) };
        line.push(reply);
        position.do_move(reply);
        // After a futile interposition the distance does not fall by two.
        left = choice.distances.exact(&position, left + 1)?.ok_or(CompositionError::Budget)?;
    }
}

impl Choice<'_, '_> {
    /// Returns the best two moves of a position of the attacker, `plies` plies from the mate.
    fn best(&mut self, position: &mut Position, plies: u32) -> Result<Best, CompositionError> {
        if let Some(&best) = self.memory.get(&position.key()) {
            return Ok(best);
        }
        let mut best: Option<Best> = None;
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        for check in &checks {
            position.do_move(check);
            let candidate = match self.distances.is_mate_within(position, plies - 1) {
                Ok(true) => self.best_reply(position, check, plies - 1).map(Some),
                Ok(false) => Ok(None),
                Err(error) => Err(error),
            };
            // Undone before an error leaves the function.
            position.undo_move();
            if let Some(candidate) = candidate?
                && best.is_none_or(|best| candidate.leftover < best.leftover)
            {
                best = Some(candidate);
            }
            // To compare the lines of all positions would take too long where there are many.
            let is_enough = self.memory.len() >= MAX_POSITIONS;
            if best.is_some_and(|best| best.leftover == 0 || is_enough) {
                break;
            }
        }
        let best = best.ok_or(CompositionError::Budget)?;
        self.memory.insert(position.key(), best);
        Ok(best)
    }

    /// Returns the check with its best longest reply.
    fn best_reply(
        &mut self,
        position: &mut Position,
        check: Move,
        plies: u32,
    ) -> Result<Best, CompositionError> {
        let attacker = !position.side();
        let own = Best { leftover: position.hand(attacker).len(), check, reply: None };
        if plies == 0 {
            return Ok(own);
        }
        let mut best: Option<Best> = None;
        let replies = longest_replies(position, plies, self.distances)?;
        for (reply, rest) in replies {
            position.do_move(reply);
            let after = self.best(position, rest);
            position.undo_move();
            let leftover = after?.leftover;
            if best.is_none_or(|best| leftover < best.leftover) {
                best = Some(Best { leftover, check, reply: Some(reply) });
            }
            if leftover == 0 || self.memory.len() >= MAX_POSITIONS {
                break;
            }
        }
        best.ok_or(CompositionError::Budget)
    }
}

/// Returns the replies that delay the mate for `plies` plies, the distance of the position, with
/// the plies after each.
///
/// If only interpositions that the attacker can take back delay it so long, they are returned.
pub(super) fn longest_replies(
    position: &mut Position,
    plies: u32,
    distances: &mut Distances<'_>,
) -> Result<Vec<(Move, u32)>, CompositionError> {
    let mut longest = Vec::new();
    let mut longer = Vec::new();
    for m in &position.legal_moves() {
        position.do_move(m);
        let after = longest_rest(position, plies, distances);
        position.undo_move();
        match after? {
            Some(rest) if rest < plies => longest.push((m, rest)),
            Some(rest) => longer.push((m, rest)),
            None => {}
        }
    }
    Ok(if longest.is_empty() { longer } else { longest })
}

/// Returns the distance after a reply to a check with distance `plies`, unless it is less than
/// `plies` − 1.
fn longest_rest(
    position: &Position,
    plies: u32,
    distances: &mut Distances<'_>,
) -> Result<Option<u32>, CompositionError> {
    if plies >= 3 && distances.is_mate_within(position, plies - 3)? {
        return Ok(None);
    }
    if distances.is_mate_within(position, plies - 1)? {
        return Ok(Some(plies - 1));
    }
    // A futile interposition: with the captured piece the mate takes two plies more at most.
    Ok(distances.is_mate_within(position, plies + 1)?.then_some(plies + 1))
}
