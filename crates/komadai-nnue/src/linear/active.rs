//! The features of a position.

use core::cmp::Ordering;

use komadai_core::{Color, Position};
use komadai_eval::Balance;

use super::groups::{FeatureGroups, KING_ZONES, STRONG_TERMS, pairs};
use super::surplus::Surplus;
use super::terms::{PIECES, TABLES, TERMS, Terms, WEAK, is_own_king, is_strong};

/// A position as linear evaluations see it: its pieces as terms, and its material balance.
///
/// A hundred bytes, from which the features of any groups follow.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_nnue::linear::{ActiveFeatures, FeatureGroups, LinearInputs};
///
/// let inputs = LinearInputs::of(&Position::hirate());
/// let mut active = ActiveFeatures::default();
/// inputs.features(FeatureGroups::P, &mut active);
/// // Both sides have the same pieces on the same squares.
/// active.plus.sort();
/// active.minus.sort();
/// assert_eq!(active.plus, active.minus);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearInputs {
    /// As the side to move sees them.
    terms: Terms,
    /// That of the side to move.
    surplus: Surplus,
    /// Centipawns for the side to move.
    material: i32,
}

/// The features of a position: the numbers of the weights that count for the side to move, and
/// against it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveFeatures {
    /// The weights that are added.
    pub plus: Vec<u32>,
    /// The weights that are subtracted.
    pub minus: Vec<u32>,
}

/// The king of a viewer: the way in which terms are seen, and its place on the right half of the
/// board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KingView {
    pub(super) mode: usize,
    square: usize,
}

impl KingView {
    /// Returns the view of a king on a square, as its owner sees the square.
    #[inline]
    pub(super) fn of(square: usize) -> Self {
        let (file, rank) = (square / 9, square % 9);
        let mode = match file {
            0..4 => 0,
            4 => 2,
            _ => 1,
        };
        Self { mode, square: file.min(8 - file) * 9 + rank }
    }

    /// The number of the king's zone. Thirds of the files and ranks, mirrored.
    #[inline]
    pub(super) fn zone(self) -> usize {
        let zone = self.square / 9 / 3 * 3 + self.square % 9 / 3;
        debug_assert!(zone < KING_ZONES);
        zone
    }

    /// The number of the weight of this king with a term, among those of KP.
    #[inline]
    pub(super) fn kp(self, term: u16) -> usize {
        self.kp_first() + usize::from(TABLES.seen[self.mode][usize::from(term)])
    }

    /// The number of this king's first weight among those of KP.
    #[inline]
    fn kp_first(self) -> usize {
        self.square * TERMS
    }

    /// The number of the weight of this king with two terms, among those of KSS; `None` if one is
    /// weak.
    #[inline]
    pub(super) fn kss(self, a: u16, b: u16) -> Option<usize> {
        let strong = |mode: usize, term: u16| {
            TABLES.strong[usize::from(TABLES.seen[mode][usize::from(term)])]
        };
        if strong(0, a) == WEAK || strong(0, b) == WEAK {
            return None;
        }
        let index = |mode| pair(strong(mode, a), strong(mode, b));
        // On the fifth file there is no telling left from right, for single terms as for pairs.
        let index = if self.mode == 2 { index(0).min(index(1)) } else { index(self.mode) };
        Some(self.kss_first() + index)
    }

    /// The numbers of a strong term of Black as the viewer with this king sees it, once and mirrored: on
    /// the fifth file there is no telling left from right, elsewhere both are the same.
    #[inline]
    pub(super) fn strong_numbers(self, viewer: Color, term: u16) -> [u16; 2] {
        let numbers = &TABLES.strong_seen[viewer.index()];
        let modes = if self.mode == 2 { [0, 1] } else { [self.mode; 2] };
        modes.map(|mode| numbers[mode][usize::from(term)])
    }

    /// The number of the weight of two strong terms among those of a zone, by their numbers.
    #[inline]
    pub(super) fn triple(a: [u16; 2], b: [u16; 2]) -> usize {
        pair(a[0], b[0]).min(pair(a[1], b[1]))
    }

    /// The number of this king's first weight among those of KSS.
    #[inline]
    pub(super) fn kss_first(self) -> usize {
        self.zone() * pairs(STRONG_TERMS)
    }
}

/// The number of a pair of different numbers.
#[inline]
fn pair(a: u16, b: u16) -> usize {
    let (low, high) = (usize::from(a.min(b)), usize::from(a.max(b)));
    high * high.saturating_sub(1) / 2 + low
}

/// The number of the weight of two terms, among those of PP.
#[inline]
pub(super) fn pp(a: u16, b: u16) -> usize {
    let mirrored = |term: u16| TABLES.seen[1][usize::from(term)];
    pair(a, b).min(pair(mirrored(a), mirrored(b)))
}

/// The number of the weight of a piece of the viewer, among those of P; `None` for one of the other
/// side.
#[inline]
pub(super) fn p(term: u16) -> Option<usize> {
    let at = usize::from(term);
    TABLES.is_own[at].then(|| usize::from(TABLES.seen[2][at]))
}

impl LinearInputs {
    /// Returns the inputs of a position.
    pub fn of(position: &Position) -> Self {
        let material = Balance::of(position).lead(Color::Black);
        let black = Self::from_parts(Terms::of(position), Surplus::of(position), material);
        if position.side() == Color::Black { black } else { black.flipped() }
    }

    pub(super) fn from_parts(terms: Terms, surplus: Surplus, material: i32) -> Self {
        Self { terms, surplus, material }
    }

    /// The material balance in centipawns for the side to move.
    #[inline]
    pub fn material(&self) -> i32 {
        self.material
    }

    /// Returns the same position as the other side sees it. Its value is the opposite one.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_nnue::linear::LinearInputs;
    ///
    /// let [black, white] = ["b", "w"].map(|side| format!("4k4/9/9/9/9/9/9/9/4K4 {side} R 1"));
    /// let black = LinearInputs::of(&Position::from_sfen(&black)?);
    /// assert_eq!(black.flipped(), LinearInputs::of(&Position::from_sfen(&white)?));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    #[must_use]
    pub fn flipped(&self) -> Self {
        let (terms, surplus) = (self.terms.flipped(), self.surplus.flipped());
        Self { terms, surplus, material: -self.material }
    }

    /// Replaces the features in `active` by those that this position has more than `base`, both seen
    /// by the same side: the value of this position is that of `base`, plus the difference in
    /// material, plus the weights of `active`.
    ///
    /// Positions of one search share most of their pieces, so that these are a tenth of all features
    /// of pairs and triples. Features that both positions have may remain on both sides.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_nnue::linear::{ActiveFeatures, FeatureGroups, LinearInputs};
    ///
    /// let position = Position::hirate();
    /// let inputs = LinearInputs::of(&position);
    /// let after = LinearInputs::of(&position.after("7g7f".parse()?)).flipped();
    /// let mut active = ActiveFeatures::default();
    /// after.features_beyond(&inputs, FeatureGroups::P, &mut active);
    /// // A pawn on 7f, and none on 7g.
    /// assert_eq!((active.plus.len(), active.minus.len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn features_beyond(&self, base: &Self, groups: FeatureGroups, active: &mut ActiveFeatures) {
        active.plus.clear();
        active.minus.clear();
        let mut parted = Parted::of(&base.terms, &self.terms);
        let [before, after] = [base, self].map(|inputs| inputs.terms.kings());
        let kings = |side: usize| [before[side], after[side]].map(|king| king.map(KingView::of));
        parted.add_view(kings(0), groups, [&mut active.minus, &mut active.plus]);
        parted.flip();
        parted.add_view(kings(1), groups, [&mut active.plus, &mut active.minus]);
        add_values(self.surplus.beyond(base.surplus), groups, active);
    }

    /// Replaces the features in `active` by those of these groups.
    pub fn features(&self, groups: FeatureGroups, active: &mut ActiveFeatures) {
        active.plus.clear();
        active.minus.clear();
        let [own, other] = self.terms.kings().map(|king| king.map(KingView::of));
        view_features(self.terms.as_slice(), own, groups, &mut active.plus);
        let (list, count) = self.terms.seen_by_other();
        view_features(&list[..count], other, groups, &mut active.minus);
        add_values(self.surplus, groups, active);
    }
}

/// The terms of two positions, as one side sees them.
struct Parted {
    /// Those that both have, then those of one alone.
    shared: Part,
    /// `[position]`.
    alone: [Part; 2],
}

/// Some terms.
struct Part {
    list: [u16; PIECES],
    count: usize,
}

impl Part {
    const EMPTY: Self = Self { list: [0; PIECES], count: 0 };

    #[inline]
    fn push(&mut self, term: u16) {
        self.list[self.count] = term;
        self.count += 1;
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.list[..self.count]
    }

    fn flip(&mut self) {
        self.list[..self.count]
            .iter_mut()
            .for_each(|term| *term = TABLES.other[usize::from(*term)]);
    }
}

impl Parted {
    /// Merges two sorted lists.
    fn of(before: &Terms, after: &Terms) -> Self {
        let mut parted = Self { shared: Part::EMPTY, alone: [Part::EMPTY, Part::EMPTY] };
        let (mut before, mut after) = (before.as_slice(), after.as_slice());
        while let ([old, olds @ ..], [new, news @ ..]) = (before, after) {
            if old <= new {
                before = olds;
            }
            if new <= old {
                after = news;
            }
            match old.cmp(new) {
                Ordering::Equal => parted.shared.push(*old),
                Ordering::Less => parted.alone[0].push(*old),
                Ordering::Greater => parted.alone[1].push(*new),
            }
        }
        before.iter().for_each(|term| parted.alone[0].push(*term));
        after.iter().for_each(|term| parted.alone[1].push(*term));
        parted
    }

    /// Changes to the view of the other side.
    fn flip(&mut self) {
        self.shared.flip();
        self.alone.iter_mut().for_each(Part::flip);
    }

    /// Adds the features of each position that the other one does not have, with the kings of the
    /// viewer in both.
    fn add_view(
        &self,
        kings: [Option<KingView>; 2],
        groups: FeatureGroups,
        to: [&mut Vec<u32>; 2],
    ) {
        let is_same =
            |part: fn(KingView) -> (usize, usize)| kings[0].map(part) == kings[1].map(part);
        let keeps_square = is_same(|king| (king.mode, king.square));
        let keeps_zone = is_same(|king| (king.mode, king.zone()));
        for ((alone, king), to) in self.alone.iter().zip(kings).zip(to) {
            let (alone, shared) = (alone.as_slice(), self.shared.as_slice());
            add_pieces(alone, groups, to);
            add_pairs([alone, shared], groups, to);
            let Some(king) = king else { continue };
            add_kings(alone, king, groups, to);
            if !keeps_square {
                add_kings(shared, king, groups, to);
            }
            add_triples([alone, shared], king, groups, to);
            if !keeps_zone {
                add_triples([shared, &[]], king, groups, to);
            }
        }
    }
}

/// Adds the features as one side sees them, with its king.
fn view_features(terms: &[u16], king: Option<KingView>, groups: FeatureGroups, to: &mut Vec<u32>) {
    add_pieces(terms, groups, to);
    add_pairs([terms, &[]], groups, to);
    if let Some(king) = king {
        add_kings(terms, king, groups, to);
        add_triples([terms, &[]], king, groups, to);
    }
}

/// Adds the features of V, each as often as one side has more pieces of the kind.
fn add_values(surplus: Surplus, groups: FeatureGroups, active: &mut ActiveFeatures) {
    if groups.contains(FeatureGroups::V) {
        let first = groups.first(FeatureGroups::V);
        for (number, count) in surplus.iter() {
            let to = if count > 0 { &mut active.plus } else { &mut active.minus };
            let times = usize::from(count.unsigned_abs());
            to.extend(core::iter::repeat_n((first + number) as u32, times));
        }
    }
}

/// Adds the features of P.
fn add_pieces(terms: &[u16], groups: FeatureGroups, to: &mut Vec<u32>) {
    if groups.contains(FeatureGroups::P) {
        let first = groups.first(FeatureGroups::P);
        to.extend(terms.iter().filter_map(|term| p(*term)).map(|index| (first + index) as u32));
    }
}

/// Adds the features of KP.
fn add_kings(terms: &[u16], king: KingView, groups: FeatureGroups, to: &mut Vec<u32>) {
    if groups.contains(FeatureGroups::KP) {
        let first = groups.first(FeatureGroups::KP);
        let (first, seen) = (first + king.kp_first(), &TABLES.seen[king.mode]);
        let others = terms.iter().filter(|term| !is_own_king(**term));
        to.extend(others.map(|term| (first + usize::from(seen[usize::from(*term)])) as u32));
    }
}

/// Adds the features of PP for all pairs of `terms`, and each of them with each of `others`.
fn add_pairs([terms, others]: [&[u16]; 2], groups: FeatureGroups, to: &mut Vec<u32>) {
    if groups.contains(FeatureGroups::PP) {
        let first = groups.first(FeatureGroups::PP);
        for (index, a) in terms.iter().enumerate() {
            let partners = terms[..index].iter().chain(others);
            to.extend(partners.map(|b| (first + pp(*a, *b)) as u32));
        }
    }
}

/// Adds the features of KSS, likewise.
fn add_triples(
    [terms, others]: [&[u16]; 2],
    king: KingView,
    groups: FeatureGroups,
    to: &mut Vec<u32>,
) {
    if groups.contains(FeatureGroups::KSS) {
        let first = groups.first(FeatureGroups::KSS) + king.kss_first();
        let numbers = |term: u16| king.strong_numbers(Color::Black, term);
        for (index, a) in terms.iter().enumerate().filter(|(_, term)| is_strong(**term)) {
            let a = numbers(*a);
            let partners = terms[..index].iter().chain(others).filter(|term| is_strong(**term));
            let indices = partners.map(|b| KingView::triple(a, numbers(*b)));
            to.extend(indices.map(|index| (first + index) as u32));
        }
    }
}
