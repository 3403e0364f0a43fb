//! The judgement whether a position is a problem with one solution.

use komadai_core::{Budget, Color, Position};
use komadai_movegen::MateResult;
use komadai_tsume::composition::{
    Composition, CompositionError, CompositionOptions, CompositionReport, CookKind,
};
use komadai_tsume::{DfPn, DfPnOptions, Goal};

use crate::problem::Problem;

/// The shortest and the longest problems that are made, in plies.
pub(crate) const PLIES: std::ops::RangeInclusive<u32> = 3..=15;

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
    /// Futile interpositions (無駄合) make the length a matter of opinion.
    #[error("futile interpositions: {strict} plies with and {literature} without them")]
    Interpositions {
        /// Plies if every reply counts.
        strict: u32,
        /// Plies without futile interpositions.
        literature: u32,
    },
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
/// 2. The length of the shortest mate is proven, from 3 to 15 plies, and the same with and without futile
///    interpositions.
/// 3. At each move of the attacker in the main line but the last one, every other check is refuted: no mate of
///    any length follows. This also excludes alternatives that differ in promotion, in the square of a drop or
///    in the order of moves, and detours, which composers tolerate.
/// 4. Nothing is left in the attacker's hand at the end of the main line.
///
/// Tolerated, as is customary: other mates at the last move (最終手余詰), alternatives in variations beside the main
/// line, and other replies of the defender that take as many plies (変同). Of the longest defences, the main line has one
/// that leaves the attacker the fewest pieces.
#[derive(Debug)]
pub struct Judge {
    solver: DfPn,
    options: CompositionOptions,
}

impl Judge {
    /// Creates a judge that spends at most this many nodes on the report of a composition.
    #[must_use]
    pub fn new(nodes: u64) -> Self {
        let solver = DfPnOptions::default().with_hash_mib(4).with_goal(Goal::ShortestMate);
        let options = CompositionOptions::default().with_budget(Budget::nodes(nodes));
        Self { solver: DfPn::new(solver), options }
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
    /// use komadai_compose::{Flaw, Judge};
    /// use komadai_core::Position;
    ///
    /// let mut judge = Judge::new(100_000);
    /// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
    /// assert_eq!(judge.examine(&position).err(), Some(Flaw::Cook { ply: 11 }));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn examine(&mut self, position: &Position) -> Result<Problem, Flaw> {
        if position.side() != Color::Black
            || position.king_square(Color::White).is_none()
            || position.king_square(Color::Black).is_some()
        {
            return Err(Flaw::Sides);
        }
        let report = Composition::analyse(position, &self.options).map_err(|error| match error {
            CompositionError::NoMate => Flaw::NoMate,
            CompositionError::TooLong { plies } => Flaw::Length { plies },
            _ => Flaw::Budget,
        })?;
        flaw_of(&report)?;
        let rating = rating(&mut self.solver, position).ok_or(Flaw::Budget)?;
        Ok(Problem { position: position.without_history(), line: report.line, rating })
    }
}

/// Returns the first flaw of the report.
fn flaw_of(report: &CompositionReport) -> Result<(), Flaw> {
    let (Some(strict), Some(literature)) = (report.lengths.strict, report.lengths.literature)
    else {
        return Err(Flaw::Budget);
    };
    if !PLIES.contains(&strict) {
        return Err(Flaw::Length { plies: strict });
    }
    if strict != literature || report.line.len() != strict as usize {
        return Err(Flaw::Interpositions { strict, literature });
    }
    let is_flaw = |kind| !matches!(kind, CookKind::LastMove | CookKind::EqualVariation);
    let cooks = report.cooks.iter().filter(|cook| is_flaw(cook.kind)).map(|cook| cook.ply);
    let open = report.unsettled.iter().filter(|&&(ply, _)| ply < strict).map(|&(ply, _)| ply);
    if let Some(ply) = cooks.chain(open).min() {
        return Err(Flaw::Cook { ply });
    }
    if !report.is_complete() {
        return Err(Flaw::Budget);
    }
    if report.leftover.is_empty() { Ok(()) } else { Err(Flaw::Leftover) }
}

/// Rates the difficulty of a problem: ten times the binary logarithm of the nodes that a solver takes to prove the shortest mate, and
/// five for each ply. `None` if it does not within two million nodes.
///
/// The solver should have the goal [`Goal::ShortestMate`]. The number has not been compared with the times of people; it
/// orders problems of one set, and changes with the solver.
///
/// # Examples
///
/// ```
/// use komadai_compose::rating;
/// use komadai_core::Position;
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let mut solver = DfPn::new(DfPnOptions::default().with_goal(Goal::ShortestMate));
/// let one = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// assert_eq!(rating(&mut solver, &one), Some(5));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[must_use]
pub fn rating(solver: &mut DfPn, position: &Position) -> Option<u32> {
    let report = solver.solve_mate(position, &Budget::nodes(2_000_000));
    match report.result {
        MateResult::Mate { line, .. } => {
            let nodes = (report.nodes.max(1) as f64).log2() * 10.0;
            Some(nodes.round() as u32 + 5 * line.len() as u32)
        }
        _ => None,
    }
}
