//! The pieces of a position as terms, the parts of features.

use std::sync::LazyLock;

use crate::piece_term::PieceTerm;
use komadai_core::{Color, Hand, Piece, PieceKind, Position, Square};
use komadai_eval::Material;

/// The number of terms: those of networks, then the own king and the other one by square.
pub(super) const TERMS: usize = PieceTerm::COUNT + 2 * Square::COUNT;

/// The first term of the own king.
const OWN_KING: usize = PieceTerm::COUNT;

/// The most pieces of a position, and one more: while a capture is undone, the piece is on the
/// board and in the hand.
pub(super) const PIECES: usize = 41;

/// The number of a term that is no silver or better piece.
pub(super) const WEAK: u16 = u16::MAX;

/// The tables of terms.
pub(super) struct Tables {
    /// `[piece][square]`, as Black sees it.
    on_board: Box<[[u16; Square::COUNT]; 32]>,
    /// `[owner][kind]`: the term of the first piece in a hand, as Black sees it.
    in_hand: [[u16; PieceKind::HAND.len()]; 2],
    /// `[term]`: the same piece as the other side sees it.
    pub(super) other: [u16; TERMS],
    /// `[mode][term]`: the term for a king on the right half of the board, on the left half, where
    /// the board is mirrored, and on the fifth file, where a piece and its mirror image are one
    /// term.
    pub(super) seen: [[u16; TERMS]; 3],
    /// `[term]`: the number among silvers and better pieces, or [`WEAK`].
    pub(super) strong: [u16; TERMS],
    /// `[viewer][mode][term]`: the number among silvers and better pieces of a term of Black, as the
    /// viewer with a king on the right half of the board, or on the left half, sees it.
    pub(super) strong_seen: Box<[[[u16; TERMS]; 2]; 2]>,
    /// `[term]`: true for a piece of the viewer.
    pub(super) is_own: [bool; TERMS],
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let mut tables = Self {
            on_board: Box::new([[0; Square::COUNT]; 32]),
            in_hand: Default::default(),
            other: [0; TERMS],
            seen: [[0; TERMS]; 3],
            strong: [WEAK; TERMS],
            strong_seen: Box::new([[[WEAK; TERMS]; 2]; 2]),
            is_own: [false; TERMS],
        };
        let mut strong = 0;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let is_strong = !matches!(kind, PieceKind::Pawn | PieceKind::Lance)
                    && !matches!(kind, PieceKind::Knight | PieceKind::King);
                let piece = Piece::new(color, kind);
                for square in Square::ALL {
                    let term = |viewer, square| board_term(viewer, piece, square);
                    let mirrored = square.mirrored();
                    let own = term(Color::Black, square);
                    tables.on_board[piece.index()][square.index()] = own;
                    let other = term(Color::White, square);
                    tables.add(color, [own, other, term(Color::Black, mirrored)]);
                    if is_strong {
                        tables.add_strong(own, &mut strong);
                    }
                }
            }
            for kind in PieceKind::HAND {
                let is_strong =
                    Material::hand_value(kind) >= Material::hand_value(PieceKind::Silver);
                for nth in 1..=PieceKind::TOTALS[kind.index()] {
                    let term = |viewer| hand_term(viewer, color, kind, nth);
                    let own = term(Color::Black);
                    if nth == 1 {
                        tables.in_hand[color.index()][kind.index()] = own;
                    }
                    tables.add(color, [own, term(Color::White), own]);
                    if is_strong {
                        tables.add_strong(own, &mut strong);
                    }
                }
            }
        }
        for term in 0..TERMS {
            for (viewer, seen) in [term, usize::from(tables.other[term])].into_iter().enumerate() {
                for mode in [0, 1] {
                    let seen = usize::from(tables.seen[mode][seen]);
                    tables.strong_seen[viewer][mode][term] = tables.strong[seen];
                }
            }
        }
        tables
    }

    fn add(&mut self, owner: Color, [own, other, mirrored]: [u16; 3]) {
        let at = usize::from(own);
        self.other[at] = other;
        self.seen[0][at] = own;
        self.seen[1][at] = mirrored;
        self.seen[2][at] = own.min(mirrored);
        self.is_own[at] = owner == Color::Black;
    }

    /// Numbers a term, unless a piece of the same term has been numbered.
    fn add_strong(&mut self, term: u16, next: &mut u16) {
        let number = &mut self.strong[usize::from(term)];
        if *number == WEAK {
            (*number, *next) = (*next, *next + 1);
        }
    }
}

fn board_term(viewer: Color, piece: Piece, square: Square) -> u16 {
    if let Some(term) = PieceTerm::on_board(viewer, piece, square) {
        return term.index() as u16;
    }
    let seen = if viewer == Color::Black { square } else { square.flipped() };
    let first = if piece.color() == viewer { OWN_KING } else { OWN_KING + Square::COUNT };
    (first + seen.index()) as u16
}

fn hand_term(viewer: Color, owner: Color, kind: PieceKind, nth: u32) -> u16 {
    PieceTerm::in_hand(viewer, owner, kind, nth).map_or(0, |term| term.index() as u16)
}

/// Returns the term of a piece as Black sees it.
#[inline]
pub(super) fn piece_term(piece: Piece, square: Square) -> u16 {
    TABLES.on_board[piece.index()][square.index()]
}

/// Checks whether a term is a silver or a better piece.
#[inline]
pub(super) fn is_strong(term: u16) -> bool {
    TABLES.strong[usize::from(term)] != WEAK
}

/// Returns the term of the first piece of a kind in a hand, as Black sees it. Those of the others
/// follow.
#[inline]
pub(super) fn first_hand_term(owner: Color, kind: PieceKind) -> u16 {
    TABLES.in_hand[owner.index()][kind.index()]
}

/// Returns the terms of a hand as Black sees them.
pub(super) fn hand_terms(owner: Color, hand: Hand) -> impl Iterator<Item = u16> {
    hand.iter().flat_map(move |(kind, held)| {
        let first = first_hand_term(owner, kind);
        (0..held as u16).map(move |nth| first + nth)
    })
}

/// The terms of a position, sorted, as one side sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    list: [u16; PIECES],
    count: u8,
}

impl Terms {
    pub(super) const EMPTY: Self = Self { list: [0; PIECES], count: 0 };

    /// Returns the terms as Black sees them.
    pub(super) fn of(position: &Position) -> Self {
        let mut terms = Self::EMPTY;
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                terms.push(piece_term(piece, square));
            }
        }
        for owner in Color::ALL {
            hand_terms(owner, position.hand(owner)).for_each(|term| terms.push(term));
        }
        terms.list[..usize::from(terms.count)].sort_unstable();
        terms
    }

    /// Returns the same terms as the other side sees them.
    pub(super) fn flipped(&self) -> Self {
        let mut terms = self.clone();
        let list = &mut terms.list[..usize::from(self.count)];
        list.iter_mut().for_each(|term| *term = TABLES.other[usize::from(*term)]);
        list.sort_unstable();
        terms
    }

    /// Returns the terms as the other side sees them, in no order, and their number.
    #[inline]
    pub(super) fn seen_by_other(&self) -> ([u16; PIECES], usize) {
        (self.list.map(|term| TABLES.other[usize::from(term)]), usize::from(self.count))
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.list[..usize::from(self.count)]
    }

    /// Returns the squares of the own king and of the other one, each as its owner sees it.
    #[inline]
    pub(super) fn kings(&self) -> [Option<usize>; 2] {
        let mut kings = [None; 2];
        // They have the highest terms.
        for term in self.as_slice().iter().rev().take(2).map(|term| usize::from(*term)) {
            if term >= OWN_KING + Square::COUNT {
                kings[1] = Some(OWN_KING + 2 * Square::COUNT - 1 - term);
            } else if term >= OWN_KING {
                kings[0] = Some(term - OWN_KING);
            }
        }
        kings
    }

    fn push(&mut self, term: u16) {
        if usize::from(self.count) < PIECES {
            self.list[usize::from(self.count)] = term;
            self.count += 1;
        }
    }

    pub(super) fn insert(&mut self, term: u16) {
        let count = usize::from(self.count);
        if count < PIECES {
            let at = self.as_slice().partition_point(|known| *known < term);
            self.list.copy_within(at..count, at + 1);
            self.list[at] = term;
            self.count += 1;
        }
    }

    pub(super) fn remove(&mut self, term: u16) {
        if let Ok(at) = self.as_slice().binary_search(&term) {
            let count = usize::from(self.count);
            self.list.copy_within(at + 1..count, at);
            self.list[count - 1] = 0;
            self.count -= 1;
        }
    }
}

/// Returns true for the king of the viewer.
#[inline]
pub(super) fn is_own_king(term: u16) -> bool {
    (OWN_KING..OWN_KING + Square::COUNT).contains(&usize::from(term))
}

#[cfg(test)]
mod tests {
    use komadai_testdata::positions;

    use super::super::groups::STRONG_TERMS;
    use super::*;

    #[test]
    fn silvers_and_better_are_numbered_without_gaps() {
        let mut numbers: Vec<u16> =
            TABLES.strong.iter().copied().filter(|number| *number != WEAK).collect();
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..STRONG_TERMS as u16));
    }

    #[test]
    fn views_agree_with_the_flipped_and_the_mirrored_position() {
        for sfen in positions::bench().map(|position| position.sfen) {
            let position = Position::from_sfen(sfen).unwrap();
            let terms = Terms::of(&position);
            assert_eq!(terms.flipped(), Terms::of(&position.flipped()), "{sfen}");
            assert_eq!(terms.flipped().flipped(), terms);
            let mirrored: Vec<u16> = Terms::of(&position.mirrored()).as_slice().to_vec();
            let mut seen: Vec<u16> =
                terms.as_slice().iter().map(|term| TABLES.seen[1][usize::from(*term)]).collect();
            seen.sort_unstable();
            assert_eq!(seen, mirrored, "{sfen}");
            let black = position.king_square(Color::Black).map(Square::index);
            let white = position.king_square(Color::White).map(|square| square.flipped().index());
            assert_eq!(terms.kings(), [black, white]);
            let own = terms.as_slice().iter().filter(|term| TABLES.is_own[usize::from(**term)]);
            let held = position.hand(Color::Black).len() as usize;
            assert_eq!(own.count(), position.color(Color::Black).len() as usize + held);
        }
    }

    #[test]
    fn terms_come_and_go() {
        let position = Position::hirate();
        let terms = Terms::of(&position);
        assert_eq!(terms.as_slice().len(), 40);
        let mut built = Terms::EMPTY;
        for term in terms.as_slice().iter().rev() {
            built.insert(*term);
        }
        assert_eq!(built, terms);
        for _ in 0..2 {
            built.insert(PIECES as u16);
        }
        assert_eq!(built.as_slice().len(), PIECES, "a piece too many is no danger");
        built.remove(PIECES as u16);
        assert_eq!(built, terms);
        for term in terms.as_slice() {
            built.remove(*term);
        }
        assert_eq!(built, Terms::EMPTY);
    }
}
