//! From a position to a problem: reduction, repair, judgement.

use komadai_core::{Budget, Color, Move, Position, SplitMix64};
use komadai_movegen::{MateResult, MateSolver as _, MoveGen as _, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions, Goal, Results};

use crate::diagram::{Place, canonical, places, without};
use crate::judge::{Flaw, Judge};
use crate::problem::Problem;
use crate::retro::predecessors;

/// Limits of a [`Composer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComposerOptions {
    /// Smallest length of a problem in plies.
    pub least_plies: u32,
    /// Nodes of one question whether a reduced position still is a mate. If they do not suffice, the piece stays.
    pub step_nodes: u64,
    /// Nodes of the final judgement.
    pub judge_nodes: u64,
}

impl Default for ComposerOptions {
    /// At least 3 plies, 3,000 nodes for a question, 150,000 for the judgement.
    fn default() -> Self {
        Self { least_plies: 3, step_nodes: 3_000, judge_nodes: 150_000 }
    }
}

/// Makes problems of positions.
#[derive(Debug)]
pub struct Composer {
    options: ComposerOptions,
    solver: DfPn,
    judge: Judge,
    /// Largest number of plies of a mate in the current question.
    depth: u32,
}

impl Composer {
    /// Creates a composer; it has a table of some MiB.
    #[must_use]
    pub fn new(options: ComposerOptions) -> Self {
        let solver = DfPnOptions::default().with_hash_mib(2).with_goal(Goal::AnyMate);
        let solver = DfPn::new(solver.with_results(Results::Kept));
        Self { options, solver, judge: Judge::new(options.judge_nodes), depth: 0 }
    }

    /// Makes a problem of a position in which the side to move mates, of at most `plies` plies, or returns the
    /// reason why it cannot.
    ///
    /// The position is reduced to a mate of few plies, which is then made longer by taking back checks and
    /// replies for as long as it stays a problem. The result depends on position, options, plies and seed alone.
    ///
    /// # Errors
    ///
    /// The [`Flaw`] of the reduced position.
    pub fn compose(&mut self, position: &Position, plies: u32, seed: u64) -> Result<Problem, Flaw> {
        self.solver.forget();
        let mut random = SplitMix64::new(seed);
        let position = crate::as_problem(position).ok_or(Flaw::Sides)?;
        self.depth = [3, 5, 5, 7][random.below(4) as usize].min(plies);
        if !self.is_mate(&position) {
            return Err(Flaw::NoMate);
        }
        let position = self.reduce(position, &mut random);
        let problem = self.judge_quickly(&position)?;
        let mut problem = self.lengthen(problem, plies, &mut random);
        if problem.plies() < self.options.least_plies {
            return Err(Flaw::Length { plies: problem.plies() });
        }
        problem = self.polish(problem);
        let canonical = canonical(&problem.position);
        if canonical.key() != problem.position.key() {
            problem.line = problem.line.iter().map(|m| m.mirrored()).collect();
            problem.position = canonical;
        }
        Ok(problem)
    }

    /// Takes back checks and replies until the problem has `plies` plies or none of its predecessors is a problem.
    fn lengthen(&mut self, mut problem: Problem, plies: u32, random: &mut SplitMix64) -> Problem {
        while problem.plies() + 2 <= plies {
            let mut before = predecessors(&problem.position);
            random.shuffle(&mut before);
            let longer = before.iter().find_map(|position| self.longer(position, &problem));
            let Some(longer) = longer else { break };
            problem = longer;
        }
        problem
    }

    /// Returns the problem of this position if it is one and longer than the other.
    fn longer(&mut self, position: &Position, than: &Problem) -> Option<Problem> {
        self.depth = than.plies();
        let budget = Budget::nodes(self.options.step_nodes).with_depth(self.depth);
        if self.solver.solve_mate(position, &budget).is_mate() {
            return None;
        }
        self.depth += 2;
        if !self.is_mate(position) {
            return None;
        }
        self.judge_quickly(position).ok().filter(|problem| problem.plies() == than.plies() + 2)
    }

    /// Takes out pieces that the problem does not need: it keeps its length and its only solution without them.
    fn polish(&mut self, mut problem: Problem) -> Problem {
        for place in places(&problem.position).into_iter().rev() {
            let Some(reduced) = without(&problem.position, &[place]) else { continue };
            self.depth = problem.plies();
            if !self.is_mate(&reduced) {
                continue;
            }
            if let Ok(reduced) = self.judge_quickly(&reduced) {
                if reduced.plies() == problem.plies() {
                    problem = reduced;
                }
            }
        }
        problem
    }

    fn judge_quickly(&mut self, position: &Position) -> Result<Problem, Flaw> {
        match self.first_move_cook(position) {
            Some(ply) => Err(Flaw::Cook { ply }),
            None => self.judge.examine(position),
        }
    }

    fn is_mate(&mut self, position: &Position) -> bool {
        let budget = Budget::nodes(self.options.step_nodes).with_depth(self.depth);
        self.solver.solve_mate(position, &budget).is_mate()
    }

    /// Takes out pieces as long as the rest is a mate: first all that are far from the king, then one at a time,
    /// the attacker's before the defender's, in random order.
    fn reduce(&mut self, mut position: Position, random: &mut SplitMix64) -> Position {
        if let Some(king) = position.king_square(Color::White) {
            for distance in [4, 3] {
                let far = |place: &Place| matches!(place, Place::Board(square) if square.distance(king) >= distance);
                let far: Vec<Place> = places(&position).into_iter().filter(far).collect();
                self.take_out(&mut position, &far);
            }
        }
        for _ in 0..2 {
            let mut all = places(&position);
            let attackers = all.iter().take_while(|place| is_attackers(&position, **place)).count();
            let (first, second) = all.split_at_mut(attackers);
            random.shuffle(first);
            random.shuffle(second);
            let mut taken = false;
            for place in all {
                // A kind in hand may have several pieces.
                while self.take_out(&mut position, &[place]) {
                    taken = true;
                    if matches!(place, Place::Board(_)) {
                        break;
                    }
                }
            }
            if !taken {
                break;
            }
        }
        position
    }

    fn take_out(&mut self, position: &mut Position, places: &[Place]) -> bool {
        if places.is_empty() {
            return false;
        }
        match without(position, places) {
            Some(reduced) if self.is_mate(&reduced) => {
                *position = reduced;
                true
            }
            _ => false,
        }
    }

    /// Returns 1 if two first moves mate: a quick look before the judgement.
    fn first_move_cook(&mut self, position: &Position) -> Option<u32> {
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let mating = checks.into_iter().filter(|&m| self.mates_after(position, m)).take(2).count();
        (mating > 1).then_some(1)
    }

    fn mates_after(&mut self, position: &Position, m: Move) -> bool {
        let after = position.after(m);
        let budget = Budget::nodes(500);
        after.legal_moves().into_iter().all(|reply| {
            let report = self.solver.solve_mate(&after.after(reply), &budget);
            matches!(report.result, MateResult::Mate { .. } | MateResult::MateWithoutLine { .. })
        })
    }
}

fn is_attackers(position: &Position, place: Place) -> bool {
    match place {
        Place::Hand(_) => true,
        Place::Board(square) => position.color(Color::Black).contains(square),
    }
}
