//! The random numbers of Apery's keys.

/// The 64-bit Mersenne twister.
///
/// Source: T. Nishimura, "Tables of 64-bit Mersenne Twisters", ACM Transactions on Modeling and
/// Computer Simulation 10 (2000), <https://doi.org/10.1145/369534.369540>; parameters as in the
/// authors' mt19937-64.c and as `std::mt19937_64` of C++ has them.
#[derive(Debug, Clone)]
pub(super) struct Mt19937_64 {
    state: [u64; N],
    next: usize,
}

const N: usize = 312;
const M: usize = 156;
const MATRIX: u64 = 0xb502_6f5a_a966_19e9;
const LOWER_BITS: u64 = 0x7fff_ffff;

impl Mt19937_64 {
    /// The default seed of `std::mt19937_64`, which Apery uses.
    pub(super) const DEFAULT_SEED: u64 = 5489;

    pub(super) const fn new(seed: u64) -> Self {
        let mut state = [seed; N];
        let mut index = 1;
        while index < N {
            let before: u64 = state[index - 1];
            state[index] = (before ^ before >> 62)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(index as u64);
            index += 1;
        }
        Self { state, next: N }
    }

    pub(super) const fn next(&mut self) -> u64 {
        if self.next == N {
            self.refill();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= x >> 29 & 0x5555_5555_5555_5555;
        x ^= x << 17 & 0x71d6_7fff_eda6_0000;
        x ^= x << 37 & 0xfff7_eee0_0000_0000;
        x ^ x >> 43
    }

    const fn refill(&mut self) {
        let mut index = 0;
        while index < N {
            let after = self.state[(index + 1) % N];
            let x = self.state[index] & !LOWER_BITS | after & LOWER_BITS;
            let twist = if x & 1 == 0 { 0 } else { MATRIX };
            self.state[index] = self.state[(index + M) % N] ^ x >> 1 ^ twist;
            index += 1;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The initialisation from several numbers that the authors used for their table.
    fn from_numbers(numbers: &[u64]) -> Mt19937_64 {
        let mut random = Mt19937_64::new(19_650_218);
        let state = &mut random.state;
        let mixed = |state: &[u64; N], index: usize, factor: u64| {
            let before = state[index - 1];
            state[index] ^ (before ^ before >> 62).wrapping_mul(factor)
        };
        let (mut index, mut number) = (1, 0);
        let step = |state: &mut [u64; N], index: &mut usize| {
            *index += 1;
            if *index == N {
                state[0] = state[N - 1];
                *index = 1;
            }
        };
        for _ in 0..N.max(numbers.len()) {
            state[index] = mixed(state, index, 3_935_559_000_370_003_845)
                .wrapping_add(numbers[number])
                .wrapping_add(number as u64);
            step(state, &mut index);
            number = (number + 1) % numbers.len();
        }
        for _ in 1..N {
            state[index] =
                mixed(state, index, 2_862_933_555_777_941_757).wrapping_sub(index as u64);
            step(state, &mut index);
        }
        state[0] = 1 << 63;
        random
    }

    #[test]
    fn the_authors_table_begins_like_this() {
        let mut random = from_numbers(&[0x12345, 0x23456, 0x34567, 0x45678]);
        let first: [u64; 5] = std::array::from_fn(|_| random.next());
        let published = [
            7_266_447_313_870_364_031,
            4_946_485_549_665_804_864,
            16_945_909_448_695_747_420,
            16_394_063_075_524_226_720,
            4_873_882_236_456_199_058,
        ];
        assert_eq!(first, published);
    }

    #[test]
    fn the_ten_thousandth_number_is_that_of_the_cpp_standard() {
        let mut random = Mt19937_64::new(Mt19937_64::DEFAULT_SEED);
        assert_eq!(random.next(), 14_514_284_786_278_117_030);
        let last = (1..10_000).map(|_| random.next()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }
}
