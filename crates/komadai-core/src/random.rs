//! Random numbers from a seed.

/// The generator SplitMix64.
///
/// Source: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
///
/// # Examples
///
/// ```
/// use komadai_core::SplitMix64;
///
/// let mut random = SplitMix64::new(1234567);
/// assert_eq!(random.next_u64(), 6457827717110365317);
/// assert!(random.below(6) < 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Makes a generator from a seed; the same seed gives the same numbers.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next number.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        Self::mix(self.state)
    }

    /// The output function of the generator: a bijection of 64-bit numbers that spreads every bit
    /// over all of them, so that it serves as a hash without collisions as well.
    pub const fn mix(state: u64) -> u64 {
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns the next number below `bound`, or 0 if `bound` is 0.
    ///
    /// All numbers are equally likely up to a bias of less than `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product scales the number to the bound without a division (D.
        // Lemire, "Fast random integer generation in an interval", 2019).
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Puts `items` into a random order, each order as likely as any other (R. Durstenfeld,
    /// "Algorithm 235: Random permutation", Communications of the ACM 7(7), 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ],
        );
    }

    #[test]
    fn numbers_below_a_bound_reach_all_of_them() {
        let mut random = SplitMix64::new(7);
        let mut seen = [0; 5];
        (0..1_000).for_each(|_| seen[random.below(5) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 150), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn shuffling_gives_every_order() {
        let mut random = SplitMix64::new(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..200 {
            let mut items = [1, 2, 3, 4];
            random.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }
}
