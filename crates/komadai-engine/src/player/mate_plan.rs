//! A mate that is being played out.
//!
//! A found mate is followed move by move as long as the opponent plays the expected replies. After
//! another reply there is a mate as well, within a known number of plies: the solver finds it among
//! its kept results, or searches within that bound. The distance to the mate therefore falls with
//! every move.

use komadai_core::{Move, Position, Pv};
use komadai_movegen::MoveGen;

/// The number of turns that are remembered: the last one, and those before replies that were only
/// pondered on.
const MAX_STEPS: usize = 4;

/// The turns of a mate that is being played out, newest last.
#[derive(Debug, Default)]
pub(crate) struct MatePlan {
    steps: Vec<Step>,
}

/// One turn of the mating side.
#[derive(Debug)]
struct Step {
    /// The key of the position with the mating side to move.
    key: u64,
    /// The position after the mating side's move.
    after: Position,
    /// The moves from the position to the mate, if the solver could collect them.
    line: Option<Pv>,
    /// The mate takes at most this number of plies.
    within: u32,
}

/// Knowledge about a position from an earlier turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    /// A mate with this line, within this number of plies against any defence.
    Mate {
        /// The moves from the position to the mate.
        line: Pv,
        /// The most plies that it takes.
        within: u32,
    },
    /// There is a mate within this number of plies, but the opponent has left its line.
    Within(u32),
}

impl MatePlan {
    /// Remembers a mate from `position` within `within` plies.
    pub(crate) fn add(&mut self, position: &Position, line: &Pv, within: u32) {
        if let Some(&first) = line.first() {
            self.push(position, first, Some(line.clone()), within);
        }
    }

    /// Remembers a mate from `position` with its first move alone.
    pub(crate) fn add_first(&mut self, position: &Position, first: Move, within: u32) {
        self.push(position, first, None, within);
    }

    fn push(&mut self, position: &Position, first: Move, line: Option<Pv>, within: u32) {
        if self.steps.len() == MAX_STEPS {
            self.steps.remove(0);
        }
        let after = position.without_history().after(first);
        self.steps.push(Step { key: position.key(), after, line, within });
    }

    /// Forgets the mate.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// Returns what is known about a position: one that the plan has seen, or one after a reply to
    /// a move of it.
    pub(crate) fn look_up(&self, position: &Position) -> Option<Known> {
        self.steps.iter().rev().find_map(|step| step.look_up(position))
    }
}

impl Step {
    fn look_up(&self, position: &Position) -> Option<Known> {
        let key = position.key();
        let known = |line: Option<&[Move]>, within| match line {
            Some(line) => Known::Mate { line: line.into(), within },
            None => Known::Within(within),
        };
        if key == self.key {
            return Some(known(self.line.as_deref(), self.within));
        }
        if position.side() == self.after.side() {
            return None;
        }
        let replies = self.after.legal_moves();
        let reply = replies.into_iter().find(|&reply| self.after.key_after(reply) == key)?;
        let within = self.within.checked_sub(2)?;
        let rest = self.line.as_deref().and_then(|line| line.strip_prefix(&[line[0], reply]));
        Some(known(rest.filter(|rest| !rest.is_empty()), within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: &str = "8k/9/9/9/9/9/9/9/4K4 b GR 1";

    fn position(moves: &str) -> Position {
        let mut position = Position::from_sfen(MATE).expect("a position");
        for m in moves.split_whitespace() {
            position.do_move(m.parse().expect("a move"));
        }
        position
    }

    fn pv(text: &str) -> Pv {
        text.parse().expect("moves")
    }

    #[test]
    fn the_line_is_followed_and_other_replies_are_bounded() {
        let mut plan = MatePlan::default();
        assert_eq!(plan.look_up(&position("")), None);
        plan.add(&position(""), &pv("R*1c 1a2a 1c1b"), 3);
        let line =
            |text| Some(Known::Mate { line: pv(text), within: 3 - 2 * u32::from(text == "1c1b") });
        assert_eq!(plan.look_up(&position("")), line("R*1c 1a2a 1c1b"));
        assert_eq!(plan.look_up(&position("R*1c 1a2a")), line("1c1b"));
        assert_eq!(plan.look_up(&position("R*1c 1a2b")), Some(Known::Within(1)));
        // The mating side has played something else, or it is not its turn.
        assert_eq!(plan.look_up(&position("G*2b 1a2b")), None);
        assert_eq!(plan.look_up(&position("R*1c")), None);
    }

    #[test]
    fn a_mate_without_a_line_is_a_bound() {
        let mut plan = MatePlan::default();
        plan.add_first(&position(""), "R*1c".parse().expect("a move"), 5);
        assert_eq!(plan.look_up(&position("")), Some(Known::Within(5)));
        assert_eq!(plan.look_up(&position("R*1c 1a2a")), Some(Known::Within(3)));
        plan.clear();
        assert_eq!(plan.look_up(&position("")), None);
    }

    #[test]
    fn a_reply_that_was_only_pondered_on_spoils_nothing() {
        let mut plan = MatePlan::default();
        plan.add(&position(""), &pv("R*1c 1a2a 1c1b"), 3);
        plan.add(&position("R*1c 1a2a"), &pv("1c1b"), 1);
        assert_eq!(plan.look_up(&position("R*1c 1a2b")), Some(Known::Within(1)));
        // Only the last turns are remembered.
        for _ in 0..MAX_STEPS {
            plan.add(&position("R*1c 1a2a"), &pv("1c1b"), 1);
        }
        assert_eq!(plan.look_up(&position("")), None);
    }
}
