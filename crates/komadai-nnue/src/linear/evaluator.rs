//! Linear evaluations in integers, updated with each move.

use komadai_core::{BoardObserver, Color, Hand, Move, Piece, PieceKind, Position, Score, Square};
use komadai_eval::{Balance, Evaluator};

use super::active::{KingView, LinearInputs, p, pp};
use super::groups::{FeatureGroups, STRONG_TERMS, pairs};
use super::model::LinearModel;
use super::surplus::Surplus;
use super::terms::{TABLES, Terms, first_hand_term, is_own_king, is_strong, piece_term};

/// A linear evaluation that plays: weights of 16 bits, and sums that are updated with each move.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Score};
/// use komadai_eval::Evaluator;
/// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
///
/// let model = LinearModel::new("p+kp".parse::<FeatureGroups>()?);
/// let evaluator = LinearEvaluator::of(&model);
/// assert_eq!(evaluator.evaluate_position(&Position::hirate()), Score::ZERO);
/// # Ok::<(), komadai_nnue::linear::LinearError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearEvaluator {
    groups: FeatureGroups,
    /// Sixteenths of a centipawn.
    weights: Vec<i16>,
    /// The first weights of the groups, in their order.
    firsts: [usize; 5],
}

/// The parts of a centipawn in a unit of the weights.
pub(super) const UNITS: i32 = 16;

/// The data of a position that are updated with each move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearState {
    balance: Balance,
    /// Black's.
    surplus: Surplus,
    /// As Black sees them.
    terms: Terms,
    /// Those of silvers and better pieces, if the evaluation has KSS.
    strong: Terms,
    hands: [Hand; 2],
    /// `[viewer]`.
    kings: [Option<KingView>; 2],
    /// Sums that do not depend on the viewer's king, for Black.
    free: i32,
    /// `[viewer]`: sums that depend on the viewer's king.
    bound: [i32; 2],
}

/// A change of a state by one move.
struct Update<'a> {
    evaluator: &'a LinearEvaluator,
    state: &'a mut LinearState,
}

impl LinearEvaluator {
    /// Rounds the weights of a model, to sixteenths of a centipawn within ±2,047 centipawns.
    pub fn of(model: &LinearModel) -> Self {
        let rounded = model.weights().iter().map(|weight| round(*weight));
        Self::from_parts(model.groups(), rounded.collect())
    }

    pub(super) fn from_parts(groups: FeatureGroups, weights: Vec<i16>) -> Self {
        let firsts = FeatureGroups::ALL.map(|group| groups.first(group));
        Self { groups, weights, firsts }
    }

    /// Takes over these weights of a model with the same groups. The others stay as they are.
    ///
    /// # Panics
    ///
    /// Panics if the model has no weight with such an index.
    pub fn update(&mut self, model: &LinearModel, indices: &[u32]) {
        for index in indices {
            self.weights[*index as usize] = round(model.weights()[*index as usize]);
        }
    }

    /// The groups of features.
    pub fn groups(&self) -> FeatureGroups {
        self.groups
    }

    pub(super) fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Returns the model with these weights, to learn on.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
    ///
    /// let model = LinearModel::new(FeatureGroups::P);
    /// assert_eq!(LinearEvaluator::of(&model).to_model().weights(), model.weights());
    /// ```
    pub fn to_model(&self) -> LinearModel {
        let weight = |weight: &i16| f32::from(*weight) / UNITS as f32;
        LinearModel::from_parts(self.groups, self.weights.iter().map(weight).collect())
    }

    #[inline]
    fn weight(&self, group: usize, index: usize) -> i32 {
        i32::from(self.weights[self.firsts[group] + index])
    }

    /// The weights of a term without a king: P, and PP with each of `others`. For Black.
    fn free(&self, term: u16, others: &[u16]) -> i32 {
        let (a, flipped) = (term, |term: u16| TABLES.other[usize::from(term)]);
        let mut sum = 0;
        if self.groups.contains(FeatureGroups::P) {
            sum += p(a).map_or(0, |index| self.weight(0, index));
            sum -= p(flipped(a)).map_or(0, |index| self.weight(0, index));
        }
        if self.groups.contains(FeatureGroups::PP) {
            for b in others.iter().filter(|b| **b != a) {
                sum += self.weight(2, pp(a, *b)) - self.weight(2, pp(flipped(a), flipped(*b)));
            }
        }
        sum
    }

    /// The weights of a term with the king of `viewer`: KP, and KSS with each of the `strong` ones.
    fn bound(&self, viewer: Color, king: KingView, term: u16, strong: &[u16]) -> i32 {
        let seen = match viewer {
            Color::Black => term,
            Color::White => TABLES.other[usize::from(term)],
        };
        let mut sum = 0;
        if self.groups.contains(FeatureGroups::KP) && !is_own_king(seen) {
            sum += self.weight(1, king.kp(seen));
        }
        if self.groups.contains(FeatureGroups::KSS) && is_strong(term) {
            sum += self.triples(viewer, king, term, strong);
        }
        sum
    }

    /// The weights of KSS of a strong term with the king of `viewer` and each of the `strong` ones:
    /// those of [`KingView::kss`], with as little work as possible for each pair.
    fn triples(&self, viewer: Color, king: KingView, term: u16, strong: &[u16]) -> i32 {
        let weights = &self.weights[self.firsts[3] + king.kss_first()..][..pairs(STRONG_TERMS)];
        let a = king.strong_numbers(viewer, term);
        let others = strong.iter().filter(|b| **b != term);
        let indices = others.map(|b| KingView::triple(a, king.strong_numbers(viewer, *b)));
        indices.map(|index| i32::from(weights[index])).sum()
    }

    /// The weights of V. For Black.
    #[inline]
    fn pieces(&self, surplus: Surplus) -> i32 {
        if !self.groups.contains(FeatureGroups::V) {
            return 0;
        }
        surplus.iter().map(|(number, count)| i32::from(count) * self.weight(4, number)).sum()
    }

    /// All weights with the king of `viewer`.
    fn all_bound(&self, viewer: Color, king: KingView, terms: &[u16], strong: &[u16]) -> i32 {
        let alone = terms.iter().map(|term| self.bound(viewer, king, *term, &[]));
        let pairs = (1..strong.len())
            .map(|index| self.triples(viewer, king, strong[index], &strong[..index]));
        alone.chain(pairs).sum()
    }
}

fn round(weight: f32) -> i16 {
    (weight * UNITS as f32).round().clamp(-32_767.0, 32_767.0) as i16
}

impl LinearState {
    /// Returns the position of this state as a side sees it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Color, Position};
    /// use komadai_eval::Evaluator as _;
    /// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearInputs, LinearModel};
    ///
    /// let evaluator = LinearEvaluator::of(&LinearModel::new(FeatureGroups::P));
    /// let mut position = Position::hirate();
    /// let mut state = evaluator.refresh(&position);
    /// evaluator.do_move(&mut position, "7g7f".parse()?, &mut state);
    /// assert_eq!(state.inputs(Color::White), LinearInputs::of(&position));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn inputs(&self, viewer: Color) -> LinearInputs {
        let material = self.balance.lead(Color::Black);
        let black = LinearInputs::from_parts(self.terms.clone(), self.surplus, material);
        if viewer == Color::Black { black } else { black.flipped() }
    }
}

impl Update<'_> {
    fn change(&mut self, term: u16, sign: i32) {
        let (evaluator, state) = (self.evaluator, &mut *self.state);
        // The lists hold the other pieces alone, before a piece comes and after it has gone.
        state.free += sign * evaluator.free(term, state.terms.as_slice());
        for viewer in Color::ALL {
            if let Some(king) = state.kings[viewer.index()] {
                let bound = evaluator.bound(viewer, king, term, state.strong.as_slice());
                state.bound[viewer.index()] += sign * bound;
            }
        }
    }

    fn insert(&mut self, term: u16) {
        self.change(term, 1);
        self.state.terms.insert(term);
        if self.is_listed(term) {
            self.state.strong.insert(term);
        }
    }

    fn remove(&mut self, term: u16) {
        self.state.terms.remove(term);
        if self.is_listed(term) {
            self.state.strong.remove(term);
        }
        self.change(term, -1);
    }

    fn is_listed(&self, term: u16) -> bool {
        self.evaluator.groups.contains(FeatureGroups::KSS) && is_strong(term)
    }

    /// Moves the king of `viewer` to a square, or from the board.
    fn move_king(&mut self, viewer: Color, square: Option<Square>) {
        let seen = |square: Square| match viewer {
            Color::Black => square,
            Color::White => square.flipped(),
        };
        let king = square.map(|square| KingView::of(seen(square).index()));
        self.state.kings[viewer.index()] = king;
        let (terms, strong) = (self.state.terms.as_slice(), self.state.strong.as_slice());
        self.state.bound[viewer.index()] =
            king.map_or(0, |king| self.evaluator.all_bound(viewer, king, terms, strong));
    }
}

impl BoardObserver for Update<'_> {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.state.balance.removed(piece, square);
        self.state.surplus.removed(piece);
        self.remove(piece_term(piece, square));
        if piece.kind() == PieceKind::King {
            self.move_king(piece.color(), None);
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.state.balance.put(piece, square);
        self.state.surplus.put(piece);
        self.insert(piece_term(piece, square));
        if piece.kind() == PieceKind::King {
            self.move_king(piece.color(), Some(square));
        }
    }

    fn hand_changed(&mut self, color: Color, hand: Hand) {
        self.state.balance.hand_changed(color, hand);
        let before = self.state.hands[color.index()];
        if before == hand {
            return;
        }
        self.state.surplus.change_hand(color, before, hand);
        for kind in PieceKind::HAND {
            let first = first_hand_term(color, kind);
            let (old, new) = (before.count(kind) as u16, hand.count(kind) as u16);
            (new..old).for_each(|nth| self.remove(first + nth));
            (old..new).for_each(|nth| self.insert(first + nth));
        }
        self.state.hands[color.index()] = hand;
    }
}

impl Evaluator for LinearEvaluator {
    type State = LinearState;

    fn refresh(&self, position: &Position) -> LinearState {
        let mut state = LinearState {
            balance: Balance::of(position),
            surplus: Surplus::of(position),
            terms: Terms::of(position),
            strong: Terms::EMPTY,
            hands: Color::ALL.map(|color| position.hand(color)),
            kings: [None; 2],
            free: 0,
            bound: [0; 2],
        };
        let terms = state.terms.as_slice();
        let each = terms.iter().enumerate();
        state.free = each.map(|(index, term)| self.free(*term, &terms[..index])).sum();
        if self.groups.contains(FeatureGroups::KSS) {
            let strong = state.terms.as_slice().iter().filter(|term| is_strong(**term));
            strong.for_each(|term| state.strong.insert(*term));
        }
        let mut update = Update { evaluator: self, state: &mut state };
        for color in Color::ALL {
            update.move_king(color, position.king_square(color));
        }
        state
    }

    /// Takes the values as they are: those of a model that is being trained change with each step,
    /// and a searcher is made for each.
    fn scale(&self) -> f64 {
        1.0
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, state: &mut LinearState) {
        position.do_move_with(m, &mut Update { evaluator: self, state });
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut LinearState) {
        position.undo_move_with(&mut Update { evaluator: self, state });
    }

    #[inline]
    fn evaluate(&self, position: &Position, state: &mut LinearState) -> Score {
        let black = state.free + state.bound[0] - state.bound[1] + self.pieces(state.surplus);
        // Division towards zero, so that both sides see the same number.
        let black = black / UNITS;
        let own = if position.side() == Color::Black { black } else { -black };
        Score::cp(state.balance.lead(position.side()) + own)
    }
}
