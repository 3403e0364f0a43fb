//! A problem played out: one side by a person, the other by the solver.

use komadai_core::{Budget, Color, Move, Position};
use komadai_movegen::{CheckClass, IllegalMove, MateResult, MateSolver, MoveGen, Repetition};

use crate::defence::{Hint, Reply, ReplyOutcome, hint, resistance};

/// A mate problem that is being played out, for either side.
///
/// [`play`](Self::play) does a given move and [`answer`](Self::answer) the best move of the solver,
/// for whichever side is to move. A person may thus play the attacker, the defender, or both in
/// turn.
///
/// The solver attacks with a mate as short as it can prove and defends with the most stubborn reply
/// (see [`resistance`]). Once a mate is found, the solver follows its line while the defender does,
/// without a new search. All distances are exact if the solver finds shortest mates and the budget
/// suffices.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::play_out::{Ending, PlayOut, PlayOutError, PlayOutState};
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let options = DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() };
/// let solver = DfPn::new(options);
/// let problem = Position::from_sfen("8k/9/5Gn+P1/9/9/9/9/9/9 b Lnp 1")?;
/// let mut game = PlayOut::new(&problem, solver, Budget::nodes(10_000));
/// assert_eq!(game.state(), PlayOutState::Mate { plies: 3, exact: true });
/// let m = "4c4b".parse()?;
/// assert_eq!(game.play(m), Err(PlayOutError::NoCheck { m }));
/// let first = game.hint().ok_or("there is a mate")?.first_move;
/// game.play(first)?;
/// assert!(game.answer().is_some(), "the most stubborn reply");
/// assert!(game.answer().is_some(), "the solver mates");
/// assert_eq!(game.state(), PlayOutState::Over(Ending::Mated));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlayOut<S> {
    position: Position,
    attacker: Color,
    solver: S,
    budget: Budget,
    moves: Vec<Move>,
    /// The moves that the solver expects next, from an earlier search.
    plan: Vec<Move>,
    /// The state of the current position with the best move, once determined.
    known: Option<(PlayOutState, Option<Move>)>,
}

/// The state of a problem that is being played out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayOutState {
    /// The attacker mates.
    Mate {
        /// The number of plies from the current position to the mate.
        plies: u32,
        /// True if the number is exact with best play by both sides, false if it is an upper bound.
        exact: bool,
    },
    /// There is no mate any more, or there was none: the defender escapes with best play.
    NoMate,
    /// The budget does not suffice to decide whether there is a mate.
    Undecided,
    /// The problem has ended.
    Over(Ending),
}

/// The end of a problem that was played out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The defender is mated: the attacker has solved the problem.
    Mated,
    /// The attacker has no check left and has failed.
    OutOfChecks,
    /// The position has occurred four times. The attacker gave check all the time and has failed.
    #[doc(alias = "連続王手の千日手")]
    Repetition,
}

/// The reason why a move was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayOutError {
    /// The move is illegal.
    #[error("illegal move {m}: {reason}")]
    Illegal {
        /// The move.
        m: Move,
        /// The rule that it breaks.
        reason: IllegalMove,
    },
    /// The attacker's move gives no check.
    #[error("the attacker's move {m} gives no check")]
    NoCheck {
        /// The move.
        m: Move,
    },
    /// The problem has ended.
    #[error("move {m} after the end of the problem ({ending:?})")]
    Over {
        /// The move.
        m: Move,
        /// The end.
        ending: Ending,
    },
}

impl<S: MateSolver> PlayOut<S> {
    /// Starts a problem in which the side to move attacks.
    ///
    /// `budget` is that of each question to the solver. Its stop flag and deadline, if any, hold as
    /// they are; budgets of nodes are the natural ones here.
    pub fn new(problem: &Position, solver: S, budget: Budget) -> Self {
        Self {
            attacker: problem.side(),
            position: problem.without_history(),
            solver,
            budget,
            moves: Vec::new(),
            plan: Vec::new(),
            known: None,
        }
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns true if the attacker is to move.
    fn is_attack(&self) -> bool {
        self.position.side() == self.attacker
    }

    /// Returns the state of the problem. The first call in a position asks the solver; further
    /// calls take no time.
    pub fn state(&mut self) -> PlayOutState {
        self.assess().0
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Returns the reason if the move is illegal, if it is the attacker's and gives no check, or if
    /// the problem has ended. The position is then unchanged.
    pub fn play(&mut self, m: Move) -> Result<(), PlayOutError> {
        if let Some(ending) = self.ending() {
            return Err(PlayOutError::Over { m, ending });
        }
        let check = self.position.check_legality(m);
        check.map_err(|reason| PlayOutError::Illegal { m, reason })?;
        if self.is_attack() && !self.position.gives_check(m) {
            return Err(PlayOutError::NoCheck { m });
        }
        self.advance(m);
        Ok(())
    }

    /// Plays the solver's move for the side to move and returns it.
    ///
    /// The defender always has an answer until the problem has ended. The attacker has none, and
    /// the result is `None`, unless a mate is proven.
    pub fn answer(&mut self) -> Option<Move> {
        let m = self.assess().1?;
        self.advance(m);
        Some(m)
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        self.position.undo_move();
        self.plan.clear();
        self.known = None;
        Some(m)
    }

    /// Returns a hint for the attacker, who must be to move; `None` if no mate is proven.
    pub fn hint(&mut self) -> Option<Hint> {
        if !self.is_attack() || self.ending().is_some() {
            return None;
        }
        hint(&mut self.solver, &self.position, &self.budget)
    }

    fn advance(&mut self, m: Move) {
        self.position.do_move(m);
        self.moves.push(m);
        self.known = None;
        // The plan is kept while both sides follow it.
        if self.plan.first() == Some(&m) {
            self.plan.remove(0);
        } else {
            self.plan.clear();
        }
    }

    /// Returns the end of the problem, if it has ended.
    fn ending(&self) -> Option<Ending> {
        if self.is_attack() {
            if !self.position.legal_moves().iter().any(|&m| self.position.gives_check(m)) {
                return Some(Ending::OutOfChecks);
            }
        } else if !self.position.has_legal_move() {
            return Some(Ending::Mated);
        }
        (self.position.repetition() != Repetition::None).then_some(Ending::Repetition)
    }

    /// Returns the state and the solver's move.
    fn assess(&mut self) -> (PlayOutState, Option<Move>) {
        if let Some(known) = self.known {
            return known;
        }
        let known = match self.ending() {
            Some(ending) => (PlayOutState::Over(ending), None),
            None if self.is_attack() => self.assess_attack(),
            None => self.assess_defence(),
        };
        *self.known.insert(known)
    }

    fn assess_attack(&mut self) -> (PlayOutState, Option<Move>) {
        if let Some(&m) = self.plan.first() {
            return (PlayOutState::Mate { plies: self.plan.len() as u32, exact: true }, Some(m));
        }
        let report = self.solver.solve(&self.position, &self.budget, CheckClass::All);
        match report.result {
            MateResult::Mate { line, shortest } => {
                // Only such a line becomes the plan, because its distances are reported as exact.
                if shortest {
                    self.plan = line.to_vec();
                }
                let plies = line.len() as u32;
                (PlayOutState::Mate { plies, exact: shortest }, line.first().copied())
            }
            MateResult::NoMate => (PlayOutState::NoMate, None),
            MateResult::MateWithoutLine { first } => match report.mate_within {
                Some(plies) => (PlayOutState::Mate { plies, exact: false }, first),
                None => (PlayOutState::Undecided, first),
            },
            _ => (PlayOutState::Undecided, None),
        }
    }

    fn assess_defence(&mut self) -> (PlayOutState, Option<Move>) {
        let resistance = resistance(&mut self.solver, &self.position, &self.budget);
        let exact = resistance.is_exact();
        let Some(Reply { m, outcome }) = resistance.best() else {
            return (PlayOutState::Over(Ending::Mated), None);
        };
        let state = match outcome {
            ReplyOutcome::Escapes => PlayOutState::NoMate,
            ReplyOutcome::Unknown { .. } => PlayOutState::Undecided,
            ReplyOutcome::Mated { plies, line, .. } => {
                self.plan.clear();
                if exact {
                    self.plan.push(*m);
                    self.plan.extend(line.iter().copied());
                }
                PlayOutState::Mate { plies: plies + 1, exact }
            }
        };
        (state, Some(*m))
    }
}

#[cfg(test)]
mod tests;
