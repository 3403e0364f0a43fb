//! The judgement whether a position is a problem with one solution, and quick tests before it that
//! most positions fail.

use std::ops::RangeInclusive;

use komadai_core::{Budget, Color, Move, Position};
use komadai_movegen::{MateResult, MateSolver as _, MoveGen as _, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions, Goal, Results, is_mating_line};

use crate::composition::{
    self, CompositionError, CompositionOptions, CompositionReport, Cook, CookKind,
};
use crate::problem::Problem;

/// The reason why a position is no problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// White attacks, or White has no king, or Black has one.
    #[error("expected Black to attack, a king of White and none of Black")]
    Sides,
    /// There is no mate.
    #[error("no mate")]
    NoMate,
    /// The budget was spent before a result.
    #[error("the budget was spent before a result")]
    Budget,
    /// The mate is shorter or longer than wanted.
    #[error("a mate in {plies} plies")]
    Length {
        /// Its length.
        plies: u32,
    },
    /// Futile interpositions (無駄合) stand in the main line or would follow its last move.
    #[error("a futile interposition in the main line or after it")]
    Interpositions,
    /// The attacker has pieces in hand at the end of the main line (駒余り).
    #[error("pieces left in hand at the end")]
    Leftover,
    /// A move of the attacker before the last has an alternative that mates (余詰), or perhaps does.
    #[error("move {ply} has an alternative")]
    Cook {
        /// Number of the move in the main line, from 1.
        ply: u32,
    },
}

/// Judges whether a position is a problem with one solution.
///
/// It is if all of these hold:
///
/// 1. Black attacks and has no king; White has one.
/// 2. The length of the shortest mate is proven, within [`plies`](Self::plies) without futile
///    interpositions (無駄合), and so is its length by the rules. The main line has no futile
///    interposition, and its last move is mate by the rules.
/// 3. At each move of the attacker in the main line but the last one, every other check is refuted:
///    no mate of any length follows. This also excludes alternatives that differ in promotion, in
///    the square of a drop or in the order of moves, and detours, which composers tolerate.
/// 4. Nothing is left in the attacker's hand at the end of the main line.
///
/// Tolerated, as is customary: other mates at the last move (最終手余詰), alternatives in variations
/// beside the main line, and other replies of the defender that take as many plies (変同). Of the
/// longest defences, the main line has one that leaves the attacker the fewest pieces.
#[derive(Debug)]
pub struct Judge {
    solver: DfPn,
    options: CompositionOptions,
    /// The lengths of problems, in plies: 3 to 15, unless they are set otherwise.
    pub plies: RangeInclusive<u32>,
}

impl Judge {
    /// Creates a judge that spends at most this many nodes on the report of a composition.
    pub fn new(nodes: u64) -> Self {
        let solver =
            DfPnOptions { hash_mib: 4, goal: Goal::ShortestMate, ..DfPnOptions::default() };
        let options =
            CompositionOptions { budget: Budget::nodes(nodes), ..CompositionOptions::default() };
        Self { solver: DfPn::new(solver), options, plies: 3..=15 }
    }

    /// Returns the problem, with main line and rating.
    ///
    /// # Errors
    ///
    /// The first [`Flaw`], in the order of the definition.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_problems::{Flaw, Judge};
    /// use komadai_core::Position;
    ///
    /// let mut judge = Judge::new(100_000);
    /// judge.plies = 1..=15;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GL2r2b3g4s4n3l17p 1")?;
    /// assert_eq!(judge.examine(&position).err(), Some(Flaw::Leftover));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn examine(&mut self, position: &Position) -> Result<Problem, Flaw> {
        let report = self.report(position)?;
        let plies_by_rules = by_rules(position, &report, &self.plies)?;
        let nodes = nodes_to_solve(&mut self.solver, position).ok_or(Flaw::Budget)?;
        let position = position.without_history();
        Ok(Problem { position, line: report.line, plies_by_rules, nodes })
    }

    /// Returns the report of the composition.
    ///
    /// # Errors
    ///
    /// The [`Flaw`] because of which there is none.
    pub(crate) fn report(&self, position: &Position) -> Result<CompositionReport, Flaw> {
        if position.side() != Color::Black
            || position.king_square(Color::White).is_none()
            || position.king_square(Color::Black).is_some()
        {
            return Err(Flaw::Sides);
        }
        composition::analyse(position, &self.options).map_err(|error| match error {
            CompositionError::NoMate => Flaw::NoMate,
            CompositionError::TooLong { plies } => Flaw::Length { plies },
            _ => Flaw::Budget,
        })
    }
}

/// Returns the length by the rules, or the first flaw of the report.
fn by_rules(
    position: &Position,
    report: &CompositionReport,
    allowed: &RangeInclusive<u32>,
) -> Result<u32, Flaw> {
    let (Some(by_rules), Some(plies)) = (report.lengths.strict, report.lengths.literature) else {
        return Err(Flaw::Budget);
    };
    if !allowed.contains(&plies) {
        return Err(Flaw::Length { plies });
    }
    if report.line.len() != plies as usize || !is_mating_line(position, &report.line) {
        return Err(Flaw::Interpositions);
    }
    let cooks = flawed_moves(report).map(|cook| cook.ply);
    // Alternatives to the last move are tolerated, so that unsettled ones are as well.
    let open = report.unsettled.iter().filter(|&&(ply, _)| ply < plies).map(|&(ply, _)| ply);
    if let Some(ply) = cooks.chain(open).min() {
        return Err(Flaw::Cook { ply });
    }
    if !report.is_complete() {
        return Err(Flaw::Budget);
    }
    if report.leftover.is_empty() { Ok(by_rules) } else { Err(Flaw::Leftover) }
}

/// Returns the moves of the report with alternatives that are flaws.
pub(crate) fn flawed_moves(report: &CompositionReport) -> impl Iterator<Item = &Cook> {
    let cooks = report.cooks.iter();
    cooks.filter(|cook| !matches!(cook.kind, CookKind::LastMove | CookKind::EqualVariation))
}

/// Returns the nodes that the solver takes to prove the shortest mate; `None` if two million do not
/// suffice.
fn nodes_to_solve(solver: &mut DfPn, position: &Position) -> Option<u64> {
    let report = solver.solve_mate(position, &Budget::nodes(2_000_000));
    report.is_mate().then_some(report.nodes)
}

/// A judge behind short searches, whose results are kept from one to the next.
#[derive(Debug)]
pub(crate) struct Sieve {
    solver: DfPn,
    step_nodes: u64,
    refutation_nodes: u64,
    judge: Judge,
}

impl Sieve {
    /// Creates the sieve. A search for a mate has `step_nodes` for each ply, the refutation of a
    /// check has `refutation_nodes`.
    pub(crate) fn new(step_nodes: u64, refutation_nodes: u64, judge: Judge) -> Self {
        let solver = DfPnOptions { hash_mib: 2, results: Results::Kept, ..DfPnOptions::default() };
        Self { solver: DfPn::new(solver), step_nodes, refutation_nodes, judge }
    }

    /// Forgets the results of all searches.
    pub(crate) fn forget(&mut self) {
        self.solver.forget();
    }

    /// Returns true if a short search finds a mate of at most `plies` plies.
    pub(crate) fn is_mate_within(&mut self, position: &Position, plies: u32) -> bool {
        let budget =
            Budget { depth: Some(plies), ..Budget::nodes(self.step_nodes * u64::from(plies)) };
        plies > 0 && self.solver.solve_mate(position, &budget).is_mate()
    }

    /// Judges a position, after a quick look whether all checks but one are refuted.
    ///
    /// # Errors
    ///
    /// The first flaw found. A check whose refutation takes too many nodes counts as a second
    /// solution.
    pub(crate) fn judge(&mut self, position: &Position) -> Result<Problem, Flaw> {
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let open = checks.into_iter().filter(|&m| !self.is_refuted(position, m));
        if open.take(2).count() > 1 {
            return Err(Flaw::Cook { ply: 1 });
        }
        self.judge.examine(position)
    }

    /// Returns true if short searches find a reply to the check after which there is no mate.
    pub(crate) fn is_refuted(&mut self, position: &Position, check: Move) -> bool {
        /// Nodes of a first look at each reply: most refutations are simple.
        const FIRST_LOOK: u64 = 40;
        let after = position.after(check);
        let mut open = Vec::new();
        for reply in &after.legal_moves() {
            let next = after.after(reply);
            match self.solver.solve_mate(&next, &Budget::nodes(FIRST_LOOK)).result {
                MateResult::NoMate => return true,
                MateResult::Mate { .. } => {}
                _ => open.push(next),
            }
        }
        // The replies that are left share the nodes of the second look.
        let mut left = self.refutation_nodes;
        open.iter().any(|next| {
            let report = self.solver.solve_mate(next, &Budget::nodes(left));
            left = left.saturating_sub(report.nodes);
            report.result == MateResult::NoMate
        })
    }
}
