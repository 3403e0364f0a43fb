//! The moves of one position and the numbers that follow from them.

use komadai_core::Move;

use super::facts::Fact;
use super::node::Node;

/// The number of a goal that can no longer be reached.
pub(super) const INFINITE: u32 = u32::MAX;

/// The largest number of an unsolved position.
const MOST: u32 = INFINITE / 2;

/// A move with what is known about the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) m: Move,
    /// True if the captured piece goes back to the defender's hand.
    pub(super) gives_back: bool,
    pub(super) node: Node,
    pub(super) fact: Fact,
    /// Index of the sibling that has to fail first.
    pub(super) waits_for: Option<u16>,
}

/// The numbers at which a search returns to the position before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// Numbers of a position from the point of view of the side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Summary {
    pub(super) success: u32,
    pub(super) failure: u32,
    /// Index of the move to search next, or of the one that decides.
    pub(super) best: usize,
    /// Success number of the second-best move.
    pub(super) runner_up: u32,
}

/// Returns proof and disproof number, or the numbers of the mover from those: the mapping is its
/// own inverse.
pub(super) fn of_mover(attacks: bool, success: u32, failure: u32) -> (u32, u32) {
    if attacks { (success, failure) } else { (failure, success) }
}

impl Child {
    /// Returns the success and the failure number of the side that plays the move.
    pub(super) fn numbers(&self, attacks: bool) -> (u32, u32) {
        let (proof, disproof) = match self.fact {
            Fact::Proven { .. } => (0, INFINITE),
            Fact::Disproven { .. } => (INFINITE, 0),
            Fact::Open { proof, disproof } => (proof, disproof),
        };
        of_mover(attacks, proof, disproof)
    }
}

impl Summary {
    /// Computes the numbers: the smallest success number of the moves, and the sum of their failure
    /// numbers.
    pub(super) fn new(attacks: bool, children: &[Child]) -> Self {
        let mut best = 0;
        let mut success = INFINITE;
        let mut runner_up = INFINITE;
        let mut failure = 0_u32;
        let mut is_open = false;
        for (index, child) in children.iter().enumerate() {
            let (succeeds, fails) = child.numbers(attacks);
            if succeeds == 0 {
                let best = best_success(attacks, children, index);
                return Self { success: 0, failure: INFINITE, best, runner_up };
            }
            let waits = child
                .waits_for
                .is_some_and(|other| children[usize::from(other)].numbers(attacks).1 != 0);
            // A move that waits mostly fails as the other one does, and adds no work.
            if fails == 0 || waits {
                continue;
            }
            is_open = true;
            failure = failure.saturating_add(fails).min(MOST);
            if succeeds < success {
                (best, runner_up, success) = (index, success, succeeds);
            } else if succeeds < runner_up {
                runner_up = succeeds;
            }
        }
        let failure = if is_open { failure.max(1) } else { 0 };
        let success = if is_open { success.min(MOST) } else { INFINITE };
        Self { success, failure, best, runner_up }
    }

    /// Returns the thresholds of the best child, with the 1 + ε rule (J. Pawlewicz and Ł. Lew,
    /// "Improving depth-first PN-search: 1 + ε trick", 2006).
    pub(super) fn child_thresholds(
        &self,
        attacks: bool,
        child: &Child,
        thresholds: Thresholds,
    ) -> Thresholds {
        let (own_success, own_failure) = of_mover(attacks, thresholds.proof, thresholds.disproof);
        let success = own_success.min(self.runner_up.saturating_add(1 + self.runner_up / 2));
        let others = self.failure.saturating_sub(child.numbers(attacks).1);
        let failure = match own_failure {
            INFINITE => INFINITE,
            failure => failure.saturating_sub(others),
        };
        let (proof, disproof) = of_mover(attacks, success, failure);
        Thresholds { proof, disproof }
    }
}

/// Returns the shortest of the proven checks, or the refutation that relies on the least.
pub(super) fn best_success(attacks: bool, children: &[Child], first: usize) -> usize {
    let solved = (first..children.len()).filter(|&i| children[i].numbers(attacks).0 == 0);
    let rank = |&index: &usize| match children[index].fact {
        Fact::Proven { plies, .. } => {
            (0, i32::from(plies) + if children[index].gives_back { -1 } else { 1 })
        }
        Fact::Disproven { reliance, plies, .. } => (-i32::from(reliance), -i32::from(plies)),
        Fact::Open { .. } => (i32::MAX, 0),
    };
    solved.min_by_key(rank).unwrap_or(first)
}

/// Makes each drop wait for the drop of the next weaker piece on the same square: mostly both are
/// refuted in the same way.
pub(super) fn wait_for_drops(children: &mut [Child]) {
    for index in 0..children.len() {
        let Some(kind) = children[index].m.dropped() else { continue };
        let square = children[index].m.to();
        let weaker = children.iter().enumerate().filter_map(|(other, child)| {
            let dropped = child.m.dropped().filter(|&other| other < kind)?;
            (child.m.to() == square).then_some((dropped, other as u16))
        });
        children[index].waits_for = weaker.max().map(|(_, other)| other);
    }
}

/// Makes each move without promotion wait for the same move with promotion.
pub(super) fn wait_for_promotions(children: &mut [Child]) {
    for promoting in 0..children.len() {
        let Child { m, gives_back, .. } = children[promoting];
        if m.is_promotion()
            && let Some(other) = children.iter_mut().find(|other| {
                let same = other.m.from() == m.from() && other.m.to() == m.to();
                same && !other.m.is_promotion() && other.gives_back == gives_back
            })
        {
            other.waits_for = Some(promoting as u16);
        }
    }
}
