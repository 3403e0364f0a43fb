//! Proof-number search for a mate within a number of plies, with or without futile interpositions.
//!
//! This is df-pn (A. Nagai, 2002) as in the solver of `komadai-tsume`, with these differences:
//!
//! 1. Numbers are kept for each limit separately. As the limit falls with each move, positions of
//!    different paths never wait for each other, and no rule against endless loops is needed.
//! 2. Nothing is overwritten: the result depends on the position and the budget only.
//! 3. After an interposition, the attacker may also take the move back: capture the piece with one
//!    that then gives check, and return it to the defender's hand. The two moves count no plies.
//!    See the [definition](crate::composition#lengths).
//!
//! The minimal hands of proofs and the maximal hands of disproofs remain valid with the third rule,
//! because a larger hand of the attacker never removes such a capture, and never adds an
//! interposition.
use komadai_core::{Budget, Color, Hand, Position};
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{Count, MoveClass, MoveList, count_legal, generate_checks, generate_legal};
use komadai_tsume::proof_hand::{self, intersection};

use super::facts::{Fact, Facts, NOTHING, Reliance};
use super::moves::{
    Child, INFINITE, Summary, Thresholds, of_mover, wait_for_drops, wait_for_promotions,
};
use super::node::{Interposition, LineOfCheck, Node, Plies, UNLIMITED, with_piece_given_back};
use super::trail::Trail;
use crate::composition::options::Convention;

/// The solver, with everything it has found.
#[derive(Debug)]
pub(super) struct Solver<'a> {
    convention: Convention,
    attacker: Color,
    budget: &'a Budget,
    facts: Facts,
    trail: Trail,
    nodes: u64,
    is_spent: bool,
}

impl<'a> Solver<'a> {
    /// Creates a solver whose nodes count from `nodes`.
    pub(super) fn new(
        convention: Convention,
        attacker: Color,
        budget: &'a Budget,
        nodes: u64,
    ) -> Self {
        Self {
            convention,
            attacker,
            budget,
            facts: Facts::default(),
            trail: Trail::default(),
            nodes,
            is_spent: budget.is_exhausted(nodes),
        }
    }

    pub(super) fn attacker(&self) -> Color {
        self.attacker
    }

    /// Returns the largest number of positions from a root to the current one so far.
    #[cfg(test)]
    pub(super) fn deepest(&self) -> usize {
        self.trail.deepest()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts nodes of another search. Returns true if the budget is spent.
    pub(super) fn add_nodes(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        self.is_spent |= self.budget.is_exhausted(self.nodes);
        self.is_spent
    }

    /// Makes each of these positions a failure of the attacker, with this hand or a smaller one.
    /// Has to be called before the first search.
    pub(super) fn avoid(&mut self, positions: &[Position]) {
        for position in positions {
            let node = self.node(position, 0, None);
            self.trail.push(node.key, node.hand);
        }
    }

    /// Returns the number of plies within which the attacker mates if that is at most `limit`,
    /// [`Fact::Disproven`] if it is more, and `None` if the budget is spent.
    pub(super) fn solve(&mut self, position: &Position, limit: Plies) -> Option<Fact> {
        let mut position = position.without_history();
        let node = self.node(&position, limit, None);
        match self.facts.look_up(node.key, node.hand, limit) {
            Some(Fact::Open { .. }) | None => {}
            fact => return fact,
        }
        let thresholds = Thresholds { proof: INFINITE, disproof: INFINITE };
        match self.visit(&mut position, node, thresholds) {
            Fact::Open { .. } => None,
            fact => Some(fact),
        }
    }

    fn node(
        &self,
        position: &Position,
        limit: Plies,
        interposition: Option<Interposition>,
    ) -> Node {
        let mark = interposition.map_or(0, Interposition::mark);
        let key = position.board_key() ^ mark;
        let hand = position.hand(self.attacker);
        Node { key, hand, limit, interposition }
    }

    /// Searches one position until it is solved or a number reaches its threshold.
    fn visit(&mut self, position: &mut Position, node: Node, thresholds: Thresholds) -> Fact {
        self.nodes += 1;
        self.trail.push(node.key, node.hand);
        let attacks = position.side() == self.attacker;
        let mut children =
            if attacks { self.checks(position, node) } else { self.replies(position, node.limit) };
        let fact = loop {
            let summary = Summary::new(attacks, &children);
            if summary.success == 0 || summary.failure == 0 {
                break self.verdict(position, attacks, &children, &summary);
            }
            let (proof, disproof) = of_mover(attacks, summary.success, summary.failure);
            if proof >= thresholds.proof || disproof >= thresholds.disproof || self.is_out() {
                break Fact::Open { proof, disproof };
            }
            self.descend(position, attacks, &mut children, &summary, thresholds);
        };
        self.trail.pop();
        let fact = match fact {
            // A position does not depend on repetitions of itself and of what follows it.
            Fact::Disproven { hand, plies, reliance }
                if usize::from(reliance) >= self.trail.len() =>
            {
                Fact::Disproven { hand, plies, reliance: NOTHING }
            }
            fact => fact,
        };
        self.facts.store(&node, fact, &self.trail);
        fact
    }

    /// Searches the best child.
    fn descend(
        &mut self,
        position: &mut Position,
        attacks: bool,
        children: &mut [Child],
        summary: &Summary,
        thresholds: Thresholds,
    ) {
        let child = children[summary.best];
        let node = child.node;
        // Another line may have solved it since its numbers were taken.
        if let Some(fact) = self.facts.look_up(node.key, node.hand, node.limit)
            && !matches!(fact, Fact::Open { .. })
        {
            children[summary.best].fact = fact;
            return;
        }
        let thresholds = summary.child_thresholds(attacks, &child, thresholds);
        let fact = if child.gives_back {
            match with_piece_given_back(position, child.m) {
                Some(mut after) => self.visit(&mut after, node, thresholds),
                None => never(node.hand),
            }
        } else {
            position.do_move(child.m);
            let fact = self.visit(position, node, thresholds);
            position.undo_move();
            fact
        };
        children[summary.best].fact = fact;
    }

    /// Returns all checks, and the captures that take an interposition back. Stops at the first
    /// that mates.
    #[inline(never)] // its locals would take stack at every level of the search
    fn checks(&mut self, position: &mut Position, node: Node) -> Vec<Child> {
        let mut children = Vec::new();
        // First, because taking back costs no plies.
        for m in node.interposition.iter().flat_map(|last| last.captures(position)) {
            let Some(after) = with_piece_given_back(position, m) else { continue };
            let after_node = self.node(&after, node.limit.saturating_add(1), None);
            let fact = self.assess_defence(&after, &after_node);
            children.push(Child { m, gives_back: true, node: after_node, fact, waits_for: None });
            if matches!(fact, Fact::Proven { .. }) {
                return children;
            }
        }
        if node.limit < 1 {
            return children;
        }
        let mut moves = MoveList::new();
        generate_checks(position, &mut moves);
        for m in &moves {
            position.do_move(m);
            let after_node = self.node(position, node.limit - 1, None);
            let fact = self.assess_defence(position, &after_node);
            position.undo_move();
            children.push(Child { m, gives_back: false, node: after_node, fact, waits_for: None });
            if matches!(fact, Fact::Proven { .. }) {
                break;
            }
        }
        wait_for_promotions(&mut children);
        children
    }

    /// Returns all replies. Stops at the first that is not mated.
    #[inline(never)] // its locals would take stack at every level of the search
    fn replies(&mut self, position: &mut Position, limit: Plies) -> Vec<Child> {
        let line = match self.convention {
            Convention::Strict => None,
            Convention::Literature => LineOfCheck::new(position),
        };
        let mut moves = MoveList::new();
        generate_legal(position, &mut moves);
        let mut children = Vec::with_capacity(moves.len());
        for m in &moves {
            let interposition = line.and_then(|line| line.interposition(m));
            position.do_move(m);
            let interposition =
                interposition.filter(|last| last.captures(position).next().is_some());
            let node = self.node(position, limit - 1, interposition);
            let fact = self.assess_attack(position, &node);
            position.undo_move();
            children.push(Child { m, gives_back: false, node, fact, waits_for: None });
            if matches!(fact, Fact::Disproven { reliance: NOTHING, .. }) {
                break;
            }
        }
        wait_for_drops(&mut children);
        wait_for_promotions(&mut children);
        children
    }

    /// Returns `Err` with the result of a solved position, and the numbers of an unsolved one if it
    /// was searched with the same limit before.
    fn known(&self, node: &Node) -> Result<Option<Fact>, Fact> {
        let found = self.facts.look_up(node.key, node.hand, node.limit);
        if let Some(fact) = found
            && !matches!(fact, Fact::Open { .. })
        {
            return Err(fact);
        }
        // After the results that hold on every path, which are worth more.
        if let Some(ply) = self.trail.repeated_ply(node.key, node.hand) {
            let reliance = ply as Reliance;
            return Err(Fact::Disproven { hand: node.hand, plies: UNLIMITED, reliance });
        }
        if let Some(fact) = self.facts.look_up_loop(&self.trail, node.key, node.hand, node.limit) {
            return Err(fact);
        }
        Ok(found)
    }

    /// Assesses a position with the attacker to move before it is searched.
    fn assess_attack(&self, position: &Position, node: &Node) -> Fact {
        if node.limit < 1 && node.interposition.is_none() {
            return Fact::Disproven { hand: node.hand, plies: 0, reliance: NOTHING };
        }
        match self.known(node) {
            Err(fact) => return fact,
            Ok(Some(open)) => return open,
            Ok(None) => {}
        }
        let mut checks = Count(0);
        let _ = generate_class_into(position, MoveClass::CHECKS, &mut checks);
        match checks.0 as u32 {
            0 => {
                let hand = proof_hand::failing(position, self.attacker, std::iter::empty());
                Fact::Disproven { hand, plies: UNLIMITED, reliance: NOTHING }
            }
            checks => Fact::Open { proof: 1, disproof: checks },
        }
    }

    /// Assesses a position with the defender to move before it is searched.
    fn assess_defence(&self, position: &Position, node: &Node) -> Fact {
        match self.known(node) {
            Err(fact) => return fact,
            Ok(Some(open)) => return open,
            Ok(None) => {}
        }
        let replies = count_legal(position) as u32;
        if replies == 0 {
            let hand = proof_hand::needed_against_drops(position, self.attacker);
            return Fact::Proven { hand, plies: 0 };
        }
        // At the limit it is still mate if all replies are futile interpositions.
        let is_last = node.limit < 1;
        if is_last
            && (self.convention == Convention::Strict || LineOfCheck::new(position).is_none())
        {
            return Fact::Disproven { hand: node.hand, plies: 0, reliance: NOTHING };
        }
        Fact::Open { proof: 1 + replies / 2, disproof: 1 }
    }

    /// Returns the result of a position from those of its children.
    #[inline(never)] // its locals would take stack at every level of the search
    fn verdict(
        &self,
        position: &Position,
        attacks: bool,
        children: &[Child],
        summary: &Summary,
    ) -> Fact {
        let best = children.get(summary.best);
        match (attacks, summary.success == 0, best) {
            (true, true, Some(child)) => proven_by(position, child),
            (true, ..) => self.failed(position, children),
            (false, true, Some(child)) => match child.fact {
                Fact::Disproven { hand, plies, reliance } => {
                    let hand = proof_hand::before_reply(position, hand);
                    Fact::Disproven { hand, plies: longer(plies), reliance }
                }
                fact => fact,
            },
            (false, ..) => {
                let proofs = children.iter().filter_map(|child| match child.fact {
                    Fact::Proven { hand, plies } => Some((hand, plies)),
                    _ => None,
                });
                let plies = proofs.clone().map(|(_, plies)| plies + 1).max().unwrap_or(0).max(0);
                let hands = proofs.map(|(hand, _)| hand);
                let hand = proof_hand::needed_against_all(position, self.attacker, hands);
                Fact::Proven { hand, plies }
            }
        }
    }

    /// Returns the result of a position in which all checks have failed.
    fn failed(&self, position: &Position, children: &[Child]) -> Fact {
        let failures = children.iter().filter_map(|child| match child.fact {
            Fact::Disproven { hand, plies, reliance } => Some((child, hand, plies, reliance)),
            _ => None,
        });
        let (given_back, checks): (Vec<_>, Vec<_>) =
            failures.partition(|(child, ..)| child.gives_back);
        let after = checks.iter().map(|&(child, hand, ..)| (child.m, hand));
        let hand = proof_hand::failing(position, self.attacker, after);
        let hand = given_back.iter().fold(hand, |hand, &(_, after, ..)| intersection(hand, after));
        let mut least_plies = UNLIMITED;
        let mut earliest = NOTHING;
        for &(child, _, plies, reliance) in given_back.iter().chain(&checks) {
            let own = match plies {
                UNLIMITED => UNLIMITED,
                // The interposition and its capture count no plies.
                plies if child.gives_back => plies - 1,
                plies => longer(plies),
            };
            least_plies = least_plies.min(own);
            earliest = earliest.min(reliance);
        }
        Fact::Disproven { hand, plies: least_plies, reliance: earliest }
    }

    fn is_out(&mut self) -> bool {
        self.is_spent |= self.budget.is_out_of_nodes(self.nodes);
        if self.nodes.is_multiple_of(128) {
            self.is_spent |= self.budget.is_stopped() || self.budget.is_past_deadline();
        }
        self.is_spent
    }
}

/// Returns the proof by a check that mates.
fn proven_by(position: &Position, child: &Child) -> Fact {
    match child.fact {
        Fact::Proven { hand, plies } if child.gives_back => Fact::Proven { hand, plies: plies - 1 },
        Fact::Proven { hand, plies } => {
            let hand = proof_hand::before_attack(position, child.m, hand);
            Fact::Proven { hand, plies: plies + 1 }
        }
        fact => fact,
    }
}

fn never(hand: Hand) -> Fact {
    Fact::Disproven { hand, plies: UNLIMITED, reliance: NOTHING }
}

/// One ply more; unlimited stays unlimited.
fn longer(plies: Plies) -> Plies {
    plies.saturating_add(1)
}
