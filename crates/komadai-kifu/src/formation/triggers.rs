//! The formations that a move can make or break.

use std::collections::BTreeMap;

use komadai_core::{Color, Move, PieceKind, Position, Square};

use crate::formation::formation_set::FormationSet;
use crate::formation::shape::{Read, Shape};

/// By what changes in a game: the formations whose shapes read it.
///
/// A move changes two squares, so that few of the shapes must be compared after it. Shapes are seen
/// by Black.
#[derive(Debug)]
pub(super) struct Triggers {
    /// `[kind][square]`, with the pieces of both sides.
    pieces: Vec<Vec<FormationSet>>,
    /// By square.
    empty: Vec<FormationSet>,
    hands: FormationSet,
    /// By the first ply at which a shape may stand.
    plies: BTreeMap<usize, FormationSet>,
    /// By the index of the formation that must have been named before.
    after: BTreeMap<u16, FormationSet>,
}

impl Triggers {
    pub(super) fn new<'s>(shapes: impl Iterator<Item = &'s Shape>) -> Self {
        let none = FormationSet::default();
        let mut triggers = Self {
            pieces: vec![vec![none; Square::COUNT]; PieceKind::COUNT],
            empty: vec![none; Square::COUNT],
            hands: none,
            plies: BTreeMap::new(),
            after: BTreeMap::new(),
        };
        for (index, shape) in shapes.enumerate() {
            for read in shape.reads() {
                triggers.add(index, read);
            }
        }
        triggers
    }

    fn add(&mut self, index: usize, read: Read<'_>) {
        match read {
            Read::Pieces(kinds, squares) => {
                for kind in kinds {
                    let of_kind = &mut self.pieces[kind.index()];
                    squares.iter().for_each(|square| of_kind[square.index()].insert(index));
                }
            }
            Read::Empty(squares) => {
                squares.iter().for_each(|square| self.empty[square.index()].insert(index));
            }
            Read::Hands => self.hands.insert(index),
            Read::Ply(ply) => self.plies.entry(ply).or_default().insert(index),
            Read::After(other) => self.after.entry(other).or_default().insert(index),
        }
    }

    /// The formations of each side, Black's first, that `m` can change when it is made in
    /// `position`.
    pub(super) fn of_move(&self, position: &Position, m: Move) -> [FormationSet; 2] {
        let to = m.to();
        let captured = position.piece_on(to).map(|piece| piece.kind());
        let before = m.from().and_then(|from| Some((from, position.piece_on(from)?.kind())));
        let kind = before.map(|(_, kind)| kind).or(m.dropped());
        let after = if m.is_promotion() { kind.and_then(PieceKind::promoted) } else { kind };
        let places = [before, after.map(|kind| (to, kind)), captured.map(|kind| (to, kind))];
        Color::ALL.map(|side| {
            let seen =
                |square: Square| if side == Color::Black { square } else { square.flipped() };
            let mut due = FormationSet::default();
            for (square, kind) in places.into_iter().flatten() {
                due.add(&self.pieces[kind.index()][seen(square).index()]);
                due.add(&self.empty[seen(square).index()]);
            }
            if m.is_drop() || captured.is_some() {
                due.add(&self.hands);
            }
            due
        })
    }

    /// Adds those that a ply makes possible.
    pub(super) fn at_ply(&self, ply: usize, due: &mut FormationSet) {
        if let Some(more) = self.plies.get(&ply) {
            due.add(more);
        }
    }

    /// Adds those that need the name of `index`.
    pub(super) fn after_name(&self, index: usize, due: &mut FormationSet) {
        if let Some(more) = self.after.get(&(index as u16)) {
            due.add(more);
        }
    }
}
