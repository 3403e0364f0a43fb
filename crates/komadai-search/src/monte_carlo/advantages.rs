//! Mean advantages of moves over the rates of their nodes, as additions to the priors.
//!
//! A result that passes a node shows whether the move taken there did better or worse than the rate
//! of the node: its advantage. The mean advantage of a move at all nodes, and that of the move as a
//! reply to the one before it, are added to the logarithm of its prior when another node gets its
//! moves. The means last from one search of a game to the next, when most of the tree does not.
//!
//! Sources: H. Finnsson and Y. Björnsson, "Simulation-based approach to general game playing", AAAI
//! 2008, for means of a move over the whole tree; M. Tak, M. Winands and Y. Björnsson, "N-grams and
//! the last-good-reply policy applied in general game playing", IEEE TCIAIG 4(2), 2012, for pairs
//! of moves. Both guide playouts.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use komadai_core::{Color, Move};

use super::backup::Step;
use super::options::Advantages;
use super::tree::Tree;

/// A mean of numbers from −1 to 1 and their count, in 4 bytes: a fixed-point number above ten bits.
#[derive(Debug, Default)]
struct Mean(AtomicU32);

impl Mean {
    const COUNT_BITS: u32 = 10;
    const ONE: f32 = (1 << 21) as f32;

    fn load(&self) -> (f32, u32) {
        let bits = self.0.load(Ordering::Relaxed);
        let mean = (bits.cast_signed() >> Self::COUNT_BITS) as f32 / Self::ONE;
        (mean, bits & Advantages::LONGEST_MEMORY)
    }

    /// Adds a number. Two threads at the same time may lose one, which does not matter.
    #[inline]
    fn add(&self, number: f32, memory: u32) {
        let (mean, count) = self.load();
        let count = (count + 1).min(memory.clamp(1, Advantages::LONGEST_MEMORY));
        let mean = mean + (number - mean) / count as f32;
        let fixed = (mean * Self::ONE).clamp(1.0 - Self::ONE, Self::ONE - 1.0) as i32;
        let bits = (fixed << Self::COUNT_BITS).cast_unsigned() | count;
        self.0.store(bits, Ordering::Relaxed);
    }

    /// Returns the mean, nearer to zero the fewer numbers there are.
    #[inline]
    fn doubted(&self, doubt: f32) -> f32 {
        let (mean, count) = self.load();
        let count = count as f32;
        mean * (count / (count + doubt).max(f32::MIN_POSITIVE))
    }
}

/// The logarithm of the number of means of replies; pairs of moves with the same number share one.
const REPLY_BITS: u32 = 18;

/// The mean advantages of the moves and replies of a game, in 1.5 MiB.
pub(super) struct MeanAdvantages {
    settings: Advantages,
    /// By side and move.
    moves: Box<[Mean]>,
    /// By side, move before and move.
    replies: Box<[Mean]>,
}

impl fmt::Debug for MeanAdvantages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeanAdvantages").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl MeanAdvantages {
    pub(super) fn new(settings: Advantages) -> Self {
        let means = |bits: u32| (0..1 << bits).map(|_| Mean::default()).collect();
        let settings = Advantages {
            move_weight: finite_weight(settings.move_weight),
            reply_weight: finite_weight(settings.reply_weight),
            doubt: if settings.doubt.is_finite() { settings.doubt.max(0.0) } else { 0.0 },
            ..settings
        };
        Self { settings, moves: means(17), replies: means(REPLY_BITS) }
    }

    fn of_move(&self, side: Color, m: Move) -> &Mean {
        &self.moves[(side as usize) << 16 | usize::from(m.to_bits())]
    }

    fn of_reply(&self, side: Color, before: Option<Move>, m: Move) -> &Mean {
        let before = before.map_or(0, Move::to_bits);
        let pair = u64::from(before) << 17 | u64::from(m.to_bits()) << 1 | side as u64;
        // The golden ratio spreads the pairs (multiplicative hashing).
        let hash = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.replies[(hash >> (u64::BITS - REPLY_BITS)) as usize]
    }

    /// Returns the addition to the logarithm of the prior of a move, after the move `before`.
    #[inline]
    pub(super) fn bonus(&self, side: Color, before: Option<Move>, m: Move) -> f32 {
        let Advantages { move_weight, reply_weight, doubt, .. } = self.settings;
        move_weight * self.of_move(side, m).doubted(doubt)
            + reply_weight * self.of_reply(side, before, m).doubted(doubt)
    }

    /// Learns from a line that began after the move `before`, and its result for `side`, which is
    /// to move at its end. The nodes have not got the result yet.
    pub(super) fn learn(
        &self,
        tree: &Tree,
        path: &[Step],
        before: Option<Move>,
        mut side: Color,
        mut result: f32,
    ) {
        for (index, step) in path.iter().enumerate().rev() {
            (side, result) = (!side, 1.0 - result);
            let m = tree.edge(step.edge).m();
            let before = match index.checked_sub(1) {
                Some(last) => Some(tree.edge(path[last].edge).m()),
                None => before,
            };
            let advantage = result - tree.node(step.node).rate();
            self.of_move(side, m).add(advantage, self.settings.memory);
            self.of_reply(side, before, m).add(advantage, self.settings.memory);
        }
    }
}

fn finite_weight(weight: f32) -> f32 {
    let most = Advantages::LARGEST_WEIGHT;
    if weight.is_finite() { weight.clamp(-most, most) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_follow_their_numbers_and_forget_old_ones() {
        let mean = Mean::default();
        assert_eq!(mean.doubted(0.0), 0.0);
        for number in [1.0, -0.5, 0.1] {
            mean.add(number, 100);
        }
        assert!((mean.doubted(0.0) - 0.2).abs() < 1e-5 && (mean.doubted(3.0) - 0.1).abs() < 1e-5);
        for _ in 0..5_000 {
            mean.add(-1.0, 100);
        }
        assert!(mean.load().1 == 100 && (mean.doubted(0.0) + 1.0).abs() < 1e-4);
        for memory in [0, u32::MAX] {
            mean.add(1.0, memory);
            assert!(mean.doubted(0.0).abs() <= 1.0);
        }
    }

    #[test]
    fn a_line_credits_its_moves_and_replies() {
        let tree = Tree::new(1 << 20, false);
        let moves: Vec<(Move, f32)> = ["7g7f", "3c3d"].map(|m| (m.parse().unwrap(), 0.5)).to_vec();
        let mut path = Vec::new();
        for (key, chosen) in [(1, 0), (2, 1)] {
            let node = tree.find_or_add(key).unwrap();
            assert!(tree.node(node).start_expansion() && tree.add_edges(tree.node(node), &moves));
            tree.node(node).set_rate(0.5);
            let edge = tree.node(node).edges().unwrap().start + chosen;
            path.push(Step { node, edge, rate: 0.5 });
        }
        let settings = Advantages { move_weight: 1.0, reply_weight: 2.0, doubt: 1.0, memory: 100 };
        let means = MeanAdvantages::new(settings);
        let [first, reply] = [moves[0].0, moves[1].0];
        // Black, to move at the end, has won: 7g7f did better by a half, the reply 3c3d worse.
        means.learn(&tree, &path, None, Color::Black, 1.0);
        let bonus = |side, before, m| means.bonus(side, before, m);
        assert!((bonus(Color::Black, None, first) - 0.75).abs() < 1e-5);
        assert!((bonus(Color::White, Some(first), reply) + 0.75).abs() < 1e-5);
        // Numbers that are none do not reach the priors.
        let (move_weight, reply_weight) = (f32::NAN, f32::INFINITY);
        let none = Advantages { move_weight, reply_weight, doubt: -1.0, memory: 0 };
        let none = MeanAdvantages::new(none);
        none.learn(&tree, &path, None, Color::Black, 1.0);
        assert_eq!(none.bonus(Color::Black, None, first), 0.0);
        let (move_weight, reply_weight) = (f32::MAX, f32::MAX);
        let huge = MeanAdvantages::new(Advantages { move_weight, reply_weight, ..settings });
        huge.learn(&tree, &path, None, Color::Black, 1.0);
        assert!(huge.bonus(Color::Black, None, first).is_finite());
        // After another move, only the mean of the move itself counts.
        assert!((bonus(Color::White, Some(reply), reply) + 0.25).abs() < 1e-5);
        assert_eq!(bonus(Color::Black, Some(first), reply), 0.0);
    }
}
