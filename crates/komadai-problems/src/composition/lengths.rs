//! Lengths of mates in both conventions: the [definitions](super#lengths).

mod facts;
mod moves;
mod node;
mod solver;
mod trail;
use komadai_core::{Budget, Move, Position};
use komadai_movegen::MateResult;
use komadai_tsume::{DfPn, DfPnOptions};

use self::facts::Fact;
use self::node::{Plies, UNLIMITED};
use self::solver::Solver;
use super::options::{CompositionError, CompositionOptions, Convention, MAX_LENGTH};

/// The length of a mate in both conventions.
///
/// # Examples
///
/// After 3d1d 1c1d 3f3c+ the horse checks from afar, and interpositions only delay the mate.
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::composition::Lengths;
///
/// let position = Position::from_sfen("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1")?;
/// let lengths = Lengths::of(&position, &Budget::nodes(100_000))?;
/// assert_eq!((lengths.strict, lengths.literature), (Some(7), Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lengths {
    /// Plies of the shortest mate when every legal reply counts; `None` if the budget was spent
    /// before it was proven.
    pub strict: Option<u32>,
    /// Plies of the shortest mate without futile interpositions (無駄合); `None` as above.
    pub literature: Option<u32>,
    /// Positions whose moves were generated.
    pub nodes: u64,
}

impl Lengths {
    /// Computes both lengths. The strict one is computed last and may be missing when the budget is
    /// spent.
    ///
    /// # Errors
    ///
    /// [`NoMate`](CompositionError::NoMate), [`Budget`](CompositionError::Budget) if the budget
    /// does not suffice for the literature length, [`TooLong`](CompositionError::TooLong) for more
    /// than 399 plies.
    pub fn of(position: &Position, budget: &Budget) -> Result<Self, CompositionError> {
        let (most, nodes) = upper_bound(position, budget)?;
        let mut distances = Distances::new(Convention::Literature, position, budget, nodes);
        let plies = distances.exact(position, most)?.ok_or(CompositionError::Budget)?;
        let nodes = distances.nodes();
        Ok(Self::beside(Convention::Literature, plies, position, most, budget, nodes))
    }

    /// Adds the other length to that in one convention. The attacker mates within `most` plies.
    pub(super) fn beside(
        convention: Convention,
        plies: u32,
        position: &Position,
        most: u32,
        budget: &Budget,
        nodes: u64,
    ) -> Self {
        match convention {
            Convention::Strict => {
                let mut distances = Distances::new(Convention::Literature, position, budget, nodes);
                let literature = distances.exact(position, plies).unwrap_or(None);
                Self { strict: Some(plies), literature, nodes: distances.nodes() }
            }
            Convention::Literature => {
                let mut distances = Distances::new(Convention::Strict, position, budget, nodes);
                let strict = distances.at_least(position, plies, most).unwrap_or(None);
                Self { strict, literature: Some(plies), nodes: distances.nodes() }
            }
        }
    }
}

/// The lengths of the mates that begin with one check or another, all in one convention.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_problems::composition::{CheckLengths, CompositionOptions, Convention};
///
/// let position = Position::from_sfen("8k/R8/g5N1b/5R3/6+b2/8L/9/9/9 b 3g4s3n3l18p 1")?;
/// let length = |convention| {
///     let options = CompositionOptions { convention, ..CompositionOptions::default() };
///     CheckLengths::new(&position, &options).of("3c2a+".parse().expect("a move"), 99)
/// };
/// // The reply 1b2a only delays the mate in the one that takes the most plies.
/// assert_eq!((length(Convention::Strict)?, length(Convention::Literature)?), (Some(9), Some(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CheckLengths<'a> {
    position: Position,
    distances: Distances<'a>,
}

impl<'a> CheckLengths<'a> {
    /// Creates the lengths for the side to move, in the convention and with the budget of the
    /// options. Calls share what they find.
    pub fn new(position: &Position, options: &'a CompositionOptions) -> Self {
        let position = position.without_history();
        let distances = Distances::new(options.convention, &position, &options.budget, 0);
        Self { position, distances }
    }

    /// Returns the plies of the shortest mate that begins with this legal check; `None` if it has
    /// more than `most`.
    ///
    /// # Errors
    ///
    /// [`Budget`](CompositionError::Budget) if the budget does not suffice.
    pub fn of(&mut self, check: Move, most: u32) -> Result<Option<u32>, CompositionError> {
        let Some(rest) = most.checked_sub(1) else { return Ok(None) };
        let rest = self.distances.exact(&self.position.after(check).without_history(), rest)?;
        Ok(rest.map(|plies| plies + 1))
    }
}

/// Returns a number of plies within which the attacker mates, and the nodes that its proof took.
pub(super) fn upper_bound(
    position: &Position,
    budget: &Budget,
) -> Result<(u32, u64), CompositionError> {
    let report = DfPn::new(DfPnOptions::default()).solve_mate(position, budget);
    match (report.mate_within, report.result) {
        (Some(plies), _) if plies > MAX_LENGTH => Err(CompositionError::TooLong { plies }),
        (Some(plies), _) => Ok((plies, report.nodes)),
        (None, MateResult::NoMate) => Err(CompositionError::NoMate),
        (None, _) => Err(CompositionError::Budget),
    }
}

/// The answer of a bounded question about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distance {
    /// The shortest mate takes this many plies.
    Mate(u32),
    /// There is no mate within the limit.
    Longer,
    /// There is no mate at all.
    Never,
}

/// Exact distances to the mate for the positions of one problem.
#[derive(Debug)]
pub(super) struct Distances<'a> {
    solver: Solver<'a>,
}

impl<'a> Distances<'a> {
    /// Creates the distances for the attacker who moves in `root`. Nodes count from `nodes`.
    pub(super) fn new(
        convention: Convention,
        root: &Position,
        budget: &'a Budget,
        nodes: u64,
    ) -> Self {
        Self { solver: Solver::new(convention, root.side(), budget, nodes) }
    }

    /// Creates distances in which each of `positions` (the attacker to move, with the same hand or
    /// a smaller one) is a failure.
    pub(super) fn avoiding(
        convention: Convention,
        positions: &[Position],
        root: &Position,
        budget: &'a Budget,
        nodes: u64,
    ) -> Self {
        let mut distances = Self::new(convention, root, budget, nodes);
        distances.solver.avoid(positions);
        distances
    }

    pub(super) fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// Counts nodes of another search against the budget.
    pub(super) fn add_nodes(&mut self, nodes: u64) -> Result<(), CompositionError> {
        if self.solver.add_nodes(nodes) { Err(CompositionError::Budget) } else { Ok(()) }
    }

    /// Returns the distance if it is at most `most` plies.
    pub(super) fn exact(
        &mut self,
        position: &Position,
        most: u32,
    ) -> Result<Option<u32>, CompositionError> {
        match self.within(position, most)? {
            Distance::Mate(plies) => Ok(Some(plies)),
            Distance::Longer | Distance::Never => Ok(None),
        }
    }

    /// Returns the distance if it is at most `most` plies. Works for positions of either side.
    pub(super) fn within(
        &mut self,
        position: &Position,
        most: u32,
    ) -> Result<Distance, CompositionError> {
        let Some(mut limit) = self.round(position, most) else { return Ok(Distance::Longer) };
        let mut best = None;
        loop {
            match self.solver.solve(position, limit).ok_or(CompositionError::Budget)? {
                Fact::Proven { plies, .. } => {
                    // Only positions after an interposition can have −1 plies, and none is asked
                    // about here.
                    best = Some(plies.max(0) as u32);
                    if plies < 2 {
                        break;
                    }
                    limit = plies - 2;
                }
                Fact::Disproven { plies: UNLIMITED, .. } if best.is_none() => {
                    return Ok(Distance::Never);
                }
                _ => break,
            }
        }
        Ok(best.map_or(Distance::Longer, Distance::Mate))
    }

    /// Returns true if the attacker mates within `most` plies.
    pub(super) fn is_mate_within(
        &mut self,
        position: &Position,
        most: u32,
    ) -> Result<bool, CompositionError> {
        let Some(limit) = self.round(position, most) else { return Ok(false) };
        let fact = self.solver.solve(position, limit).ok_or(CompositionError::Budget)?;
        Ok(matches!(fact, Fact::Proven { .. }))
    }

    /// Returns the distance of a position that is at least `least` and at most `most` plies from
    /// the mate, trying the small numbers first.
    fn at_least(
        &mut self,
        position: &Position,
        least: u32,
        most: u32,
    ) -> Result<Option<u32>, CompositionError> {
        for plies in (least..=most).step_by(2) {
            if self.is_mate_within(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Returns the largest number of plies up to `most` that a mate from this position can take.
    fn round(&self, position: &Position, most: u32) -> Option<Plies> {
        let odd = u32::from(position.side() == self.solver.attacker());
        let most = most.min(MAX_LENGTH + 1);
        let rounded = most.checked_sub((most + odd) % 2)?;
        Some(rounded as Plies)
    }
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
