//! The numbers of problems that are wanted.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Numbers of problems by plies: wanted, and made so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Quota(BTreeMap<u32, Count>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Count {
    wanted: u64,
    made: u64,
}

/// The lengths of problems.
const PLIES: [u32; 7] = [3, 5, 7, 9, 11, 13, 15];

impl Quota {
    pub(super) fn is_filled(&self) -> bool {
        self.0.values().all(|count| count.missing() == 0)
    }

    pub(super) fn wants(&self, plies: u32) -> bool {
        self.0.get(&plies).is_some_and(|count| count.missing() > 0)
    }

    pub(super) fn take(&mut self, plies: u32) {
        if let Some(count) = self.0.get_mut(&plies) {
            count.made += 1;
        }
    }

    /// Returns a length that is still wanted, by a random number, more often one that misses more
    /// problems; 3 if there is none.
    pub(super) fn target(&self, random: u64) -> u32 {
        let missing = || self.0.iter().map(|(&plies, count)| (plies, count.missing()));
        let all: u64 = missing().map(|(_, missing)| missing).sum();
        let mut left = random % all.max(1);
        let found = missing().find(|&(_, missing)| match left.checked_sub(missing) {
            None => true,
            Some(rest) => {
                left = rest;
                false
            }
        });
        found.map_or(PLIES[0], |(plies, _)| plies)
    }
}

impl Count {
    fn missing(self) -> u64 {
        self.wanted.saturating_sub(self.made)
    }
}

impl FromStr for Quota {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = |wanted| Count { wanted, made: 0 };
        if let Ok(all) = text.parse::<u64>() {
            let lengths = PLIES.len() as u64;
            // What does not divide goes to the shortest.
            let share = |index: u64| all / lengths + u64::from(index < all % lengths);
            return Ok(Self((0..).zip(PLIES).map(|(i, plies)| (plies, count(share(i)))).collect()));
        }
        let mut counts = BTreeMap::new();
        for item in text.split(',') {
            let expected = || format!("found {item:?}, expected PLIES=COUNT such as 3=20");
            let (plies, wanted) = item.split_once('=').ok_or_else(expected)?;
            let plies = plies.parse().ok().filter(|plies| PLIES.contains(plies));
            let plies = plies.ok_or_else(|| format!("{}, of 3, 5, … 15 plies", expected()))?;
            let wanted = wanted.parse().map_err(|_| expected())?;
            counts.insert(plies, count(wanted));
        }
        Ok(Self(counts))
    }
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (plies, count)) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{plies}: {} of {}", count.made, count.wanted)?;
        }
        Ok(())
    }
}
