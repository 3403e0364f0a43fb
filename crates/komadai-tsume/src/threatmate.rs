//! Threatmates (詰めろ): mates that a side threatens to give if its opponent passes.

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver};

/// Searches for the mate that the opponent of the side to move gives if the side to move passes.
///
/// A mate in the report means that the last move was a threatmate (詰めろ), or left an older one
/// standing; its line begins with the opponent's first check. [`MateResult::NoMate`] means that
/// passing is safe from mates by continuous checks. The result is `None` if the side to move is in
/// check, because it cannot pass.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::MateResult;
/// use komadai_tsume::{DfPn, threatmate};
///
/// // White to move; Black threatens a gold in front of the king.
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 w G 1")?;
/// let report = threatmate::find(&mut DfPn::default(), &position, &Budget::nodes(1_000));
/// let report = report.ok_or("White is not in check")?;
/// assert!(matches!(report.result, MateResult::Mate { line, .. } if line.to_string() == "G*5b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("詰めろ", "tsumero"))]
pub fn find<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    budget: &Budget,
) -> Option<MateReport> {
    if position.in_check() {
        return None;
    }
    let mut passed = position.without_history();
    passed.do_null_move();
    Some(solver.solve(&passed, budget, CheckClass::All))
}

/// Searches for the mate of the side to move, and for the mate that its opponent threatens.
///
/// Each of the two questions gets the whole budget. The second one is asked even if the first finds
/// a mate.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_tsume::{DfPn, threatmate};
/// use komadai_tsume::threatmate::{BothSides, MateRace};
///
/// // Each side mates with a gold on its next move.
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/4p4/9/4K4 b Gg 1")?;
/// let budget = Budget::nodes(1_000);
/// let both: BothSides = threatmate::both_sides(&mut DfPn::default(), &position, &budget);
/// assert_eq!(both.race(), MateRace::MatesFirst);
/// assert!(both.threat.is_some_and(|threat| threat.is_mate()));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn both_sides<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    budget: &Budget,
) -> BothSides {
    let own = solver.solve(position, budget, CheckClass::All);
    BothSides { own, threat: find(solver, position, budget) }
}

/// The mates of both sides, as [`both_sides`] found them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BothSides {
    /// The search for a mate by the side to move.
    pub own: MateReport,
    /// The search for the opponent's mate after a pass; `None` if the side to move is in check.
    pub threat: Option<MateReport>,
}

impl BothSides {
    /// Returns the side that is ahead in the race of mates.
    pub fn race(&self) -> MateRace {
        let Some(threat) = &self.threat else {
            return match self.own.result {
                _ if self.own.is_mate() => MateRace::MatesFirst,
                MateResult::NoMate => MateRace::InCheck,
                _ => MateRace::Undecided,
            };
        };
        match (&self.own.result, &threat.result) {
            _ if self.own.is_mate() => MateRace::MatesFirst,
            (MateResult::NoMate, _) if threat.is_mate() => MateRace::MustParry,
            (MateResult::NoMate, MateResult::NoMate) => MateRace::Free,
            _ => MateRace::Undecided,
        }
    }
}

/// The state of a race in which both sides attack the other's king, for the side to move.
///
/// Only mates by continuous checks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MateRace {
    /// The side to move mates.
    MatesFirst,
    /// The side to move does not mate and is in check.
    InCheck,
    /// The side to move does not mate, and its opponent mates unless the threat is parried.
    #[doc(alias = "詰めろ")]
    MustParry,
    /// Neither the side to move nor, after a pass, its opponent mates.
    Free,
    /// The budget did not suffice for one of the two questions that matter.
    Undecided,
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;
    use komadai_movegen::{MateInOne, MoveGen};

    use super::*;
    use crate::tests::oracle::shortest_mate;
    use crate::tests::random_positions::random_composition;
    use crate::{DfPn, DfPnOptions, Goal};

    fn solver() -> DfPn {
        DfPn::new(DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() })
    }

    fn race(sfen: &str) -> MateRace {
        let position = Position::from_sfen(sfen).unwrap();
        both_sides(&mut solver(), &position, &Budget::nodes(10_000)).race()
    }

    #[test]
    fn threats_are_the_mates_of_the_oracle_after_a_pass() {
        let mut solver = solver();
        let mut mates = 0;
        let mut none = 0;
        for seed in 0..800 {
            let Some(composition) = random_composition(&mut SplitMix64::new(seed)) else {
                continue;
            };
            // A position in which the king to be mated is not in check and its side is to move.
            let mut setup = composition.to_setup();
            setup.side = !setup.side;
            let Ok(position) = Position::from_setup(&setup) else { continue };
            let threat = find(&mut solver, &position, &Budget::nodes(3_000));
            assert_eq!(threat.is_none(), position.in_check());
            let Some(threat) = threat else { continue };
            let expected = shortest_mate(&mut composition.clone(), 5);
            match threat.result {
                MateResult::Mate { line, .. } => {
                    assert!(expected.is_none_or(|plies| plies == line.len()), "{position} {line}");
                    assert!(line.len() > 5 || expected.is_some(), "{position} {line}");
                    mates += 1;
                }
                MateResult::NoMate => {
                    assert_eq!(expected, None, "{position}");
                    none += 1;
                }
                _ => {}
            }
        }
        assert!(mates > 20 && none > 50, "{mates} {none}");
    }

    #[test]
    fn a_side_in_check_has_no_pass() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/4r4/4K4 b - 1").unwrap();
        assert!(position.in_check() && position.has_legal_move());
        assert_eq!(find(&mut MateInOne, &position, &Budget::unlimited()), None);
    }

    #[test]
    fn the_race_names_the_side_that_is_ahead() {
        assert_eq!(race("4k4/9/4P4/9/9/9/4p4/9/4K4 b Gg 1"), MateRace::MatesFirst);
        assert_eq!(race("4k4/9/4P4/9/9/9/4p4/9/4K4 b g 1"), MateRace::MustParry);
        assert_eq!(race("4k4/9/4P4/9/9/9/4p4/9/4K4 b - 1"), MateRace::Free);
        assert_eq!(race("4k4/9/9/9/9/9/9/4r4/4K4 b - 1"), MateRace::InCheck);
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/4p4/9/4K4 b Gg 1").unwrap();
        let both = both_sides(&mut solver(), &position, &Budget::nodes(0));
        assert_eq!(both.race(), MateRace::Undecided);
    }
}
