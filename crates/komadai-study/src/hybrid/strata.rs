//! Kinds of positions, and a sample with enough of each.

use std::fmt;

use komadai::core::{SplitMix64, attacks};
use komadai::eval::{AttackMap, Balance};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};

use crate::games;
use crate::referee;

/// A kind of position, for its side to move, by its quiescence value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stratum {
    /// The value is within 300 cp.
    Level,
    /// Two minor pieces ahead or more, and at most one square around the opponent's king is
    /// attacked.
    AheadWithoutAttack,
    /// The value is below −1,000 cp, the upper of the bounds that its author names.
    Losing,
}

impl Stratum {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Level, Self::AheadWithoutAttack, Self::Losing];

    /// Returns the stratum of a position with this value for the side to move, if it is in one.
    fn of(position: &Position, value: i32) -> Option<Self> {
        let us = position.side();
        let attacked = position
            .king_square(!us)
            .map_or(0, |king| (AttackMap::new(position, us).once() & attacks::king(king)).len());
        if value < -1_000 {
            Some(Self::Losing)
        } else if Balance::of(position).lead(us) >= 600 && attacked <= 1 {
            Some(Self::AheadWithoutAttack)
        } else {
            (value.abs() <= 300).then_some(Self::Level)
        }
    }
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level => "level",
            Self::AheadWithoutAttack => "ahead in material without an attack",
            Self::Losing => "losing",
        })
    }
}

/// Numbers of positions of each stratum.
#[derive(Debug, Clone, Copy)]
pub struct Quotas([usize; 3]);

impl Quotas {
    /// Returns the quotas of `positions` positions; `ahead` of them are ahead without an attack.
    ///
    /// # Errors
    ///
    /// If `ahead` is greater than `positions`.
    pub fn new(positions: usize, ahead: usize) -> anyhow::Result<Self> {
        anyhow::ensure!(
            ahead <= positions,
            "--ahead: found {ahead}, expected at most the {positions} of --positions"
        );
        let rest = positions - ahead;
        Ok(Self([rest - rest / 2, ahead, rest / 2]))
    }

    /// Returns positions from 77 tournament games, from ply 20 on, with the moves before them, in an
    /// order by chance that is always the same. There may be fewer than wanted.
    pub fn sample(&self) -> Vec<(Position, Stratum)> {
        let games = games::bundled();
        let plies = games.iter().flat_map(|game| game.plies().skip(20));
        let mut all: Vec<Position> = plies.map(|(position, _)| position).collect();
        let mut random = SplitMix64::new(46);
        for last in (1..all.len()).rev() {
            all.swap(last, random.below(last as u64 + 1) as usize);
        }
        let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
        let mut searcher = AlphaBeta::new(referee::evaluator(), options);
        let mut left = self.0;
        let mut sample = Vec::new();
        for position in all {
            if left == [0; 3] {
                break;
            }
            let value = searcher.quiescence(&position).score().map_or(0, |score| score.raw());
            let Some(stratum) = Stratum::of(&position, value) else { continue };
            let left = &mut left[stratum as usize];
            if *left > 0 {
                *left -= 1;
                sample.push((position, stratum));
            }
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_have_enough_of_each_kind() {
        let sample = Quotas::new(1_000, 400).expect("quotas").sample();
        let count = |stratum| sample.iter().filter(|(_, own)| *own == stratum).count();
        assert_eq!(Stratum::ALL.map(count), [300, 400, 300]);
        assert!(Quotas::new(10, 11).is_err());
    }
}
