//! The difference between two explanations, term by term.

use std::collections::BTreeMap;

use komadai_core::{Color, PieceKind, Square};

use super::explanation::{Explanation, Term, signed};
use crate::classical::groups::Group;

/// A term before and after a change of the position.
///
/// A term with the same weight, owner, piece and square is the same term. Otherwise the terms of
/// one group about the same piece on the same square belong together, such as the place of a gold
/// relative to a king that has moved, and so do the terms about a piece that has moved alone among
/// those of its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermChange {
    /// Group of both terms.
    pub group: Group,
    /// Owner of both terms.
    pub owner: Color,
    /// Term in the first position.
    pub before: Option<Term>,
    /// Term in the second position.
    pub after: Option<Term>,
}

impl TermChange {
    /// Returns the change of the value in centipawns, positive is good for Black.
    pub fn value(&self) -> f32 {
        let value = |term: Option<Term>| term.map_or(0.0, |term| term.value);
        value(self.after) - value(self.before)
    }

    /// Returns the change of the value in centipawns for one side.
    pub fn value_for(&self, color: Color) -> f32 {
        signed(self.value(), color)
    }

    /// Returns the square on which a picture shows the change: that of the term after the change,
    /// or else that of the term before it.
    pub fn place(&self) -> Option<Square> {
        self.after.or(self.before).and_then(|term| term.place())
    }
}

/// The difference between two explanations, returned by
/// [`Classical::explain_difference`](crate::Classical::explain_difference).
#[derive(Debug, Clone, PartialEq)]
pub struct ExplanationDifference {
    changes: Vec<TermChange>,
}

impl ExplanationDifference {
    /// Compares two explanations.
    pub fn new(before: &Explanation, after: &Explanation) -> Self {
        let mut left = Unmatched { before: before.terms.clone(), after: after.terms.clone() };
        let mut changes = Vec::with_capacity(left.before.len());
        left.match_by(|term| Some((Subject::of(term), term.index)), &mut changes);
        left.match_by(|term| has_one_weight(term.group).then(|| Subject::of(term)), &mut changes);
        left.match_single(&mut changes);
        changes.extend(left.before.into_iter().map(|term| change(Some(term), None)));
        changes.extend(left.after.into_iter().map(|term| change(None, Some(term))));
        changes.sort_by(|a, b| b.value().abs().total_cmp(&a.value().abs()));
        Self { changes }
    }

    /// Returns all changes, the largest first. Terms that keep their value are among them.
    pub fn changes(&self) -> &[TermChange] {
        &self.changes
    }

    /// Returns the sum of all changes in centipawns, positive is good for Black.
    pub fn sum(&self) -> f32 {
        self.changes.iter().map(TermChange::value).sum()
    }

    /// Returns the sum of the changes of a group's terms that belong to `owner`, in centipawns,
    /// positive is good for Black.
    pub fn group_value(&self, group: Group, owner: Color) -> f32 {
        let of_group =
            self.changes.iter().filter(|change| change.group == group && change.owner == owner);
        of_group.map(TermChange::value).sum()
    }

    /// Returns `[square]`: the sum of the changes with this [place](TermChange::place), in
    /// centipawns, positive is good for Black.
    pub fn by_square(&self) -> [f32; Square::COUNT] {
        let mut sums = [0.0; Square::COUNT];
        for change in &self.changes {
            if let Some(square) = change.place() {
                sums[square] += change.value();
            }
        }
        sums
    }
}

/// The subject of a term: terms about the same subject have the same number in both positions,
/// but not the same weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    group: usize,
    owner: usize,
    kind: Option<usize>,
    square: Option<usize>,
}

impl Subject {
    fn of(term: &Term) -> Self {
        Self {
            group: term.group as usize,
            owner: term.owner.index(),
            kind: term.kind.map(PieceKind::index),
            square: term.square.map(Square::index),
        }
    }
}

/// Returns true for a group with one weight for each subject. Each castle is a weight of its own,
/// and so is each further piece in hand.
const fn has_one_weight(group: Group) -> bool {
    !matches!(group, Group::Castle | Group::Hand)
}

/// The terms without a counterpart.
struct Unmatched {
    before: Vec<Term>,
    after: Vec<Term>,
}

impl Unmatched {
    /// Matches terms with the same key, in their order.
    fn match_by<K: Ord>(
        &mut self,
        key: impl Fn(&Term) -> Option<K>,
        changes: &mut Vec<TermChange>,
    ) {
        let mut waiting: BTreeMap<K, Vec<Term>> = BTreeMap::new();
        let mut rest = Vec::new();
        // Backwards, so that `pop` returns the first term.
        for term in self.before.drain(..).rev() {
            match key(&term) {
                Some(key) => waiting.entry(key).or_default().push(term),
                None => rest.push(term),
            }
        }
        self.after.retain(|term| {
            let before = key(term).and_then(|key| waiting.get_mut(&key)?.pop());
            changes.extend(before.map(|before| change(Some(before), Some(*term))));
            before.is_none()
        });
        rest.extend(waiting.into_values().flatten());
        self.before = rest;
    }

    /// Matches the terms about a piece that has moved: those that are the only ones of their group,
    /// owner and kind without a counterpart in each position.
    fn match_single(&mut self, changes: &mut Vec<TermChange>) {
        let key = |term: &Term| {
            let weight = (!has_one_weight(term.group)).then_some(term.index);
            (Subject { square: None, ..Subject::of(term) }, weight)
        };
        let mut counts = BTreeMap::new();
        for (terms, place) in [(&self.before, 0), (&self.after, 1)] {
            for term in terms {
                counts.entry(key(term)).or_insert([0, 0])[place] += 1;
            }
        }
        let is_single =
            |term: &Term| term.kind.is_some() && counts.get(&key(term)) == Some(&[1, 1]);
        self.match_by(|term| is_single(term).then(|| key(term)), changes);
    }
}

fn change(before: Option<Term>, after: Option<Term>) -> TermChange {
    let term = after.or(before).expect("a change has a term");
    TermChange { group: term.group, owner: term.owner, before, after }
}
