//! Mates that a tree search has proved, for an alpha-beta search beside it.
//!
//! The tree writes, alpha-beta reads, both without a lock. An entry has the move that mates soonest
//! or, for the side that is mated, lasts longest, so that the line of a mate can be followed and
//! checked: a mate is used only if its line is complete.

use core::sync::atomic::{AtomicU64, Ordering};

use komadai_core::{Move, Position, Pv};
use komadai_movegen::{MoveGen, Repetition};

/// Number of entries, a power of two: half a MiB. A search of some seconds proves fewer positions.
const SLOTS: usize = 1 << 15;

/// The mates by position.
#[derive(Debug)]
pub(crate) struct ProofTable {
    slots: Box<[Slot]>,
    /// The number of mates that alpha-beta has used in this search.
    uses: AtomicU64,
}

/// A word and the key of its position, combined by exclusive or, so that the halves of two entries
/// that threads write at the same time are not taken for one (R. Hyatt and T. Mann, "A lock-less
/// transposition table implementation for parallel search chess engines", ICGA Journal 25(1),
/// 2002).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

/// A mate of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProvenMate {
    /// True if the side to move mates, false if it is mated.
    pub(crate) wins: bool,
    /// The number of plies to the end.
    pub(crate) plies: u32,
    /// The move.
    pub(crate) m: Move,
}

impl ProvenMate {
    /// The bit of a word that is in use.
    const IN_USE: u64 = 1 << 63;

    fn to_word(self) -> u64 {
        let m = u64::from(self.m.to_bits());
        Self::IN_USE | u64::from(self.wins) << 62 | u64::from(self.plies) << 16 | m
    }

    fn from_word(word: u64) -> Option<Self> {
        let m = Move::from_bits(word as u16).filter(|_| word & Self::IN_USE != 0)?;
        Some(Self { wins: word & 1 << 62 != 0, plies: (word >> 16) as u32, m })
    }
}

impl ProofTable {
    pub(crate) fn new() -> Self {
        let slots = core::iter::repeat_with(Slot::default).take(SLOTS).collect();
        Self { slots, uses: AtomicU64::new(0) }
    }

    pub(crate) fn clear(&self) {
        for slot in &self.slots {
            slot.word.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a new search, whose uses are counted. The mates stay.
    pub(crate) fn start_search(&self) {
        self.uses.store(0, Ordering::Relaxed);
    }

    pub(crate) fn count_use(&self) {
        self.uses.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn uses(&self) -> u64 {
        self.uses.load(Ordering::Relaxed)
    }

    fn slot(&self, key: u64) -> &Slot {
        &self.slots[key as usize % SLOTS]
    }

    /// Returns the mate of the position with this key.
    pub(crate) fn get(&self, key: u64) -> Option<ProvenMate> {
        let slot = self.slot(key);
        let word = slot.word.load(Ordering::Relaxed);
        let is_of_key = slot.check.load(Ordering::Relaxed) == key ^ word;
        ProvenMate::from_word(word).filter(|_| is_of_key)
    }

    /// Adds the mate of a position, in the place of any other.
    pub(crate) fn add(&self, key: u64, mate: ProvenMate) {
        let (slot, word) = (self.slot(key), mate.to_word());
        slot.check.store(key ^ word, Ordering::Relaxed);
        slot.word.store(word, Ordering::Relaxed);
    }

    /// Adds a mate by the side to move in a position, and those of the positions of its line.
    pub(crate) fn add_line(&self, position: &Position, line: &[Move]) {
        let mut position = position.clone();
        for (done, &m) in line.iter().enumerate() {
            let plies = (line.len() - done) as u32;
            self.add(position.key(), ProvenMate { wins: done % 2 == 0, plies, m });
            position.do_move(m);
        }
    }

    /// Returns the line of the mate of a position, of odd length if the side to move mates; `None`
    /// if a part of it is missing, or if the game would end before it by repetition.
    pub(crate) fn line(&self, position: &Position) -> Option<Pv> {
        let mut mate = self.get(position.key())?;
        let wins = mate.wins;
        let mut position = position.clone();
        let mut line: Vec<Move> = Vec::new();
        loop {
            if !position.is_legal(mate.m) {
                return None;
            }
            position.do_move(mate.m);
            line.push(mate.m);
            if position.in_check() && !position.has_legal_move() {
                return (wins == (line.len() % 2 == 1)).then(|| line.into_iter().collect());
            }
            let next = self.get(position.key())?;
            // Fewer plies: the line ends.
            if position.repetition() != Repetition::None
                || next.wins == mate.wins
                || next.plies >= mate.plies
            {
                return None;
            }
            mate = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_a_mate() {
        let m: Move = "G*5b".parse().unwrap();
        for wins in [false, true] {
            for plies in [0, 1, 17, 1_000] {
                let mate = ProvenMate { wins, plies, m };
                assert_eq!(ProvenMate::from_word(mate.to_word()), Some(mate));
            }
        }
        assert_eq!(ProvenMate::from_word(0), None);
    }

    #[test]
    fn entries_are_found_by_their_whole_key() {
        let table = ProofTable::new();
        let mate = ProvenMate { wins: true, plies: 3, m: "7g7f".parse().unwrap() };
        assert_eq!(table.get(0), None);
        table.add(5, mate);
        assert_eq!((table.get(5), table.get(5 + SLOTS as u64)), (Some(mate), None));
        table.clear();
        assert_eq!(table.get(5), None);
    }

    #[test]
    fn only_a_complete_line_is_a_mate() {
        // Gold, king, gold.
        let start = Position::from_sfen("8k/9/7G1/9/9/9/9/9/4K4 b G 1").unwrap();
        let line: [Move; 3] = ["G*1b", "1a2a", "2c2b"].map(|m| m.parse().unwrap());
        let table = ProofTable::new();
        table.add_line(&start, &line[..1]);
        assert_eq!(table.line(&start).as_deref(), Some(&line[..1]), "a mate in one");
        // With more moves than there are, the line ends where no move follows.
        let other = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        table.add_line(&other, &["G*4b".parse().unwrap()]);
        assert_eq!(table.line(&other), None, "the king can move");
        assert_eq!(table.line(&Position::hirate()), None);
    }
}
