//! The difference between two explanations, term by term.

use std::collections::HashMap;

use komadai_core::{Color, PieceKind, Square};

use super::{LinearExplanation, LinearPiece, LinearTerm};
use crate::linear::groups::FeatureGroups;

/// A term before and after a change of the position.
///
/// Terms of one group about the same pieces belong together. A piece that stands elsewhere is the
/// same one if it is the only one of its owner and kind, promoted or not, that has moved.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearTermChange {
    /// The term in the first position.
    pub before: Option<LinearTerm>,
    /// The term in the second position.
    pub after: Option<LinearTerm>,
}

impl LinearTermChange {
    /// The change of the value in centipawns, positive is good for Black.
    pub fn value(&self) -> f32 {
        let value = |term: &Option<LinearTerm>| term.as_ref().map_or(0.0, LinearTerm::value);
        value(&self.after) - value(&self.before)
    }
}

/// The parts of a term that make it the same one in both positions.
#[derive(PartialEq, Eq, Hash)]
struct Subject {
    group: FeatureGroups,
    viewer: Option<Color>,
    pieces: Vec<Identity>,
}

/// The owner, the kind, the square and the number in hand of a piece.
type Identity = (Color, PieceKind, Option<Square>, u32);

fn identity(piece: &LinearPiece) -> Identity {
    (piece.piece.color(), piece.piece.kind(), piece.square, piece.nth)
}

impl LinearExplanation {
    /// Compares with the explanation of another position, such as that after a move. Returns the
    /// changes of the terms, the largest first; terms that keep their value are among them. The
    /// material balance is no term.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Language, Position};
    /// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
    ///
    /// let mut model = LinearModel::new(FeatureGroups::P);
    /// model.weights_mut().iter_mut().zip(0..).for_each(|(weight, n)| *weight = n as f32);
    /// let evaluator = LinearEvaluator::of(&model);
    /// let before = Position::hirate();
    /// let after = before.after("7g7f".parse()?);
    /// let changes = evaluator.explain(&before).changes_to(&evaluator.explain(&after));
    /// assert_eq!(changes[0].label(Language::English), "Black P 7g → 7f");
    /// assert!(changes[1..].iter().all(|change| change.value() == 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes_to(&self, after: &Self) -> Vec<LinearTermChange> {
        let moved = self.moved_pieces(after);
        let renamed = |piece: &LinearPiece| {
            let identity = identity(piece);
            moved.get(&identity).copied().unwrap_or(identity)
        };
        let mut waiting: HashMap<Subject, LinearTerm> = HashMap::new();
        for term in &self.terms {
            waiting.insert(Subject::of(term, renamed), term.clone());
        }
        let mut changes: Vec<LinearTermChange> = Vec::with_capacity(after.terms.len());
        for term in &after.terms {
            let before = waiting.remove(&Subject::of(term, identity));
            changes.push(LinearTermChange { before, after: Some(term.clone()) });
        }
        // In the order of the terms, not in that of the table.
        for term in &self.terms {
            let before = waiting.remove(&Subject::of(term, renamed));
            changes.extend(before.map(|term| LinearTermChange { before: Some(term), after: None }));
        }
        changes.sort_by(|a, b| b.value().abs().total_cmp(&a.value().abs()));
        changes
    }

    /// Returns `[square]`: the changes to another explanation, as [`by_square`](Self::by_square)
    /// shares the values.
    pub fn changes_by_square(&self, after: &Self) -> [f32; Square::COUNT] {
        let [old, new] = [self, after].map(Self::by_square);
        core::array::from_fn(|square| new[square] - old[square])
    }

    /// Returns the new identities of pieces that have moved, been dropped or been promoted.
    fn moved_pieces(&self, after: &Self) -> HashMap<Identity, Identity> {
        let [old, new] = [self, after].map(|explanation| {
            let pieces = explanation.terms.iter().flat_map(|term| &term.pieces).map(identity);
            let mut pieces: Vec<Identity> = pieces.collect();
            pieces.sort_unstable();
            pieces.dedup();
            pieces
        });
        let left = |own: &[Identity], other: &[Identity]| {
            let gone = own.iter().copied().filter(|piece| !other.contains(piece));
            gone.collect::<Vec<_>>()
        };
        let (gone, come) = (left(&old, &new), left(&new, &old));
        let is_same =
            |a: &Identity, b: &Identity| a.0 == b.0 && a.1.unpromoted() == b.1.unpromoted();
        let mut moved = HashMap::new();
        for piece in &gone {
            let goals: Vec<&Identity> = come.iter().filter(|goal| is_same(piece, goal)).collect();
            let rivals = gone.iter().filter(|rival| is_same(piece, rival)).count();
            if let ([goal], 1) = (&goals[..], rivals) {
                moved.insert(*piece, **goal);
            }
        }
        moved
    }
}

impl Subject {
    fn of(term: &LinearTerm, identity: impl Fn(&LinearPiece) -> Identity) -> Self {
        let mut pieces: Vec<Identity> = term.pieces.iter().map(identity).collect();
        pieces.sort_unstable();
        Self { group: term.group, viewer: term.king.map(|(color, _)| color), pieces }
    }
}
