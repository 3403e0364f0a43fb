//! Explanations of a linear evaluation: its terms, with the pieces that they are about.

mod change;
mod names;

use komadai_core::{Color, Hand, Piece, Position, Score, Square};
use komadai_eval::{Balance, Evaluator as _};

use super::active::{KingView, p, pp};
use super::evaluator::{LinearEvaluator, UNITS};
use super::groups::FeatureGroups;
use super::surplus::value_number;
use super::terms::{TABLES, hand_terms, is_own_king, piece_term};

pub use change::LinearTermChange;

/// A piece of a [`LinearTerm`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearPiece {
    /// The piece and its owner. Pieces in hand are unpromoted.
    pub piece: Piece,
    /// The square; `None` for a piece in hand.
    pub square: Option<Square>,
    /// For a piece in hand its number among those of its kind in that hand, from 1; otherwise 0.
    pub nth: u32,
}

/// The king of a term: the side that sees the board, and its square.
type TermKing = (Color, Square);

/// A term of a linear evaluation: the pieces of a feature, and the weights that count for them.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearTerm {
    /// The group of the feature.
    pub group: FeatureGroups,
    /// The side that sees the board and the square of its king, to which the pieces are related; for
    /// KP and KSS.
    pub king: Option<(Color, Square)>,
    /// The other pieces, one or two.
    pub pieces: Vec<LinearPiece>,
    /// The weight that is added for Black, as its index in
    /// [`LinearModel::weights`](super::LinearModel::weights).
    pub plus: Option<usize>,
    /// The weight that is subtracted, likewise.
    pub minus: Option<usize>,
    /// The difference of both in sixteenths of a centipawn.
    units: i32,
}

impl LinearTerm {
    /// The value in centipawns, positive is good for Black. A multiple of a sixteenth.
    pub fn value(&self) -> f32 {
        self.units as f32 / UNITS as f32
    }
}

/// The terms of a linear evaluation in a position, returned by [`LinearEvaluator::explain`].
///
/// # Examples
///
/// ```
/// use komadai_core::{Language, Position};
/// use komadai_eval::Evaluator;
/// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
///
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/4G4/4K4 b - 1")?;
/// let mut model = LinearModel::new(FeatureGroups::KP);
/// model.weights_mut().fill(1.0);
/// // A weight of three pawns, found by the index of a term.
/// let term = LinearEvaluator::of(&model).explain(&position).terms()[0].clone();
/// model.weights_mut()[term.plus.expect("it counts for Black")] = 300.0;
///
/// let evaluator = LinearEvaluator::of(&model);
/// let explanation = evaluator.explain(&position);
/// let largest = &explanation.largest()[0];
/// assert_eq!(largest.value(), 300.0);
/// assert_eq!(largest.label(Language::English), "Black K 5i: White K 5a");
/// assert_eq!(largest.label(Language::Japanese), "▲玉５九：△玉５一");
/// assert_eq!(explanation.score(), evaluator.evaluate_position(&position));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearExplanation {
    terms: Vec<LinearTerm>,
    material: i32,
    side: Color,
    score: Score,
}

impl LinearExplanation {
    /// All terms, those with the value 0 included, in the order of their groups.
    pub fn terms(&self) -> &[LinearTerm] {
        &self.terms
    }

    /// The terms by their absolute values, the largest first.
    pub fn largest(&self) -> Vec<LinearTerm> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|term| -term.units.abs());
        terms
    }

    /// The material balance in centipawns, positive is good for Black.
    pub fn material(&self) -> i32 {
        self.material
    }

    /// The sum of the values of a group in centipawns, positive is good for Black.
    pub fn group_value(&self, group: FeatureGroups) -> f32 {
        let terms = self.terms.iter().filter(|term| term.group == group);
        terms.map(|term| term.units).sum::<i32>() as f32 / UNITS as f32
    }

    /// The material balance and all terms in centipawns, positive is good for Black. The
    /// [score](Self::score) is the same number without its fraction.
    pub fn sum(&self) -> f32 {
        let units = self.terms.iter().map(|term| term.units).sum::<i32>();
        self.material as f32 + units as f32 / UNITS as f32
    }

    /// The evaluation, for the side to move.
    pub fn score(&self) -> Score {
        self.score
    }

    /// Returns `[square]`: the values of the terms without the material balance, in centipawns,
    /// positive is good for Black. Pieces of one term on several squares have equal shares of it;
    /// its king has none.
    pub fn by_square(&self) -> [f32; Square::COUNT] {
        let mut sums = [0.0; Square::COUNT];
        self.terms.iter().for_each(|term| term.share(term.value(), &mut sums));
        sums
    }
}

impl LinearTerm {
    /// Adds equal shares of a value to the squares of the pieces.
    fn share(&self, value: f32, sums: &mut [f32; Square::COUNT]) {
        let squares = || self.pieces.iter().filter_map(|piece| piece.square);
        let share = value / squares().count().max(1) as f32;
        squares().for_each(|square| sums[square.index()] += share);
    }
}

/// A side that sees the board with its king.
#[derive(Clone, Copy)]
struct Viewer {
    color: Color,
    square: Square,
    view: KingView,
}

/// A piece with its term as Black sees it.
type Listed = (LinearPiece, u16);

impl LinearEvaluator {
    /// Explains the evaluation of a position: lists all of its terms.
    ///
    /// The material balance and the values of the terms add up to the evaluation, whose fraction of
    /// a centipawn is cut off.
    pub fn explain(&self, position: &Position) -> LinearExplanation {
        let side = position.side();
        let pieces = listed(position);
        let viewers = Color::ALL.iter().filter_map(|color| Viewer::of(position, *color));
        let viewers: Vec<Viewer> = viewers.collect();
        let mut terms = Vec::new();
        let pairs = || {
            let each = pieces.iter().enumerate();
            each.flat_map(|(index, b)| pieces[..index].iter().map(move |a| (a, b)))
        };
        if self.groups().contains(FeatureGroups::P) {
            terms.extend(pieces.iter().map(|piece| self.piece_term(piece)));
        }
        if self.groups().contains(FeatureGroups::KP) {
            for viewer in &viewers {
                terms.extend(pieces.iter().filter_map(|piece| self.king_term(*viewer, piece)));
            }
        }
        if self.groups().contains(FeatureGroups::PP) {
            terms.extend(pairs().map(|(a, b)| self.pair_term(a, b)));
        }
        if self.groups().contains(FeatureGroups::KSS) {
            for viewer in &viewers {
                terms.extend(pairs().filter_map(|(a, b)| self.triple_term(*viewer, a, b)));
            }
        }
        if self.groups().contains(FeatureGroups::V) {
            terms.extend(pieces.iter().filter_map(|piece| self.value_term(piece)));
        }
        let material = Balance::of(position).lead(Color::Black);
        LinearExplanation { terms, material, side, score: self.evaluate_position(position) }
    }

    fn piece_term(&self, (piece, term): &Listed) -> LinearTerm {
        let own = p(*term);
        let other = p(flipped(*term));
        self.term(FeatureGroups::P, None, &[*piece], [own, other])
    }

    fn king_term(&self, viewer: Viewer, (piece, term): &Listed) -> Option<LinearTerm> {
        let term = viewer.sees(*term);
        let index = (!is_own_king(term)).then(|| viewer.view.kp(term))?;
        Some(self.term(FeatureGroups::KP, Some(viewer), &[*piece], viewer.signed(index)))
    }

    fn pair_term(&self, a: &Listed, b: &Listed) -> LinearTerm {
        let indices = [pp(a.1, b.1), pp(flipped(a.1), flipped(b.1))];
        self.term(FeatureGroups::PP, None, &[a.0, b.0], indices.map(Some))
    }

    fn triple_term(&self, viewer: Viewer, a: &Listed, b: &Listed) -> Option<LinearTerm> {
        let index = viewer.view.kss(viewer.sees(a.1), viewer.sees(b.1))?;
        Some(self.term(FeatureGroups::KSS, Some(viewer), &[a.0, b.0], viewer.signed(index)))
    }

    fn value_term(&self, (piece, _): &Listed) -> Option<LinearTerm> {
        let index = value_number(piece.piece.kind())?;
        let indices = match piece.piece.color() {
            Color::Black => [Some(index), None],
            Color::White => [None, Some(index)],
        };
        Some(self.term(FeatureGroups::V, None, &[*piece], indices))
    }

    /// Returns a term with the weights of these indices within its group.
    fn term(
        &self,
        group: FeatureGroups,
        viewer: Option<Viewer>,
        pieces: &[LinearPiece],
        indices: [Option<usize>; 2],
    ) -> LinearTerm {
        let first = self.groups().first(group);
        let [plus, minus] = indices.map(|index| index.map(|index| first + index));
        let units = |index: Option<usize>| index.map_or(0, |at| i32::from(self.weights()[at]));
        LinearTerm {
            group,
            king: viewer.map(|viewer| (viewer.color, viewer.square)),
            pieces: pieces.to_vec(),
            plus,
            minus,
            units: units(plus) - units(minus),
        }
    }
}

impl Viewer {
    fn of(position: &Position, color: Color) -> Option<Self> {
        let square = position.king_square(color)?;
        let seen = if color == Color::Black { square } else { square.flipped() };
        Some(Self { color, square, view: KingView::of(seen.index()) })
    }

    /// Returns a term of Black as this side sees it.
    fn sees(self, term: u16) -> u16 {
        if self.color == Color::Black { term } else { flipped(term) }
    }

    /// Returns the weight that is added for Black, and the one that is subtracted.
    fn signed(self, index: usize) -> [Option<usize>; 2] {
        if self.color == Color::Black { [Some(index), None] } else { [None, Some(index)] }
    }
}

fn flipped(term: u16) -> u16 {
    TABLES.other[usize::from(term)]
}

/// Returns all pieces with their terms: those on the board by square, then the hands.
fn listed(position: &Position) -> Vec<Listed> {
    let mut pieces = Vec::new();
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let listed = LinearPiece { piece, square: Some(square), nth: 0 };
            pieces.push((listed, piece_term(piece, square)));
        }
    }
    for owner in Color::ALL {
        let hand = position.hand(owner);
        pieces.extend(held(owner, hand).zip(hand_terms(owner, hand)));
    }
    pieces
}

/// Returns the pieces in a hand in the order of [`hand_terms`].
fn held(owner: Color, hand: Hand) -> impl Iterator<Item = LinearPiece> {
    hand.iter().flat_map(move |(kind, held)| {
        let piece = Piece::new(owner, kind);
        (1..=held).map(move |nth| LinearPiece { piece, square: None, nth })
    })
}

#[cfg(test)]
mod tests;
