//! The inputs of a position.

use std::sync::LazyLock;

use komadai_core::{Color, Piece, PieceKind, Position, Setup, Square};
use komadai_nnue::PieceTerm;

/// The inputs of a position, for the side to move first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inputs {
    /// `[view]`: the numbers of terms, each less than [`PieceTerm::COUNT`].
    pub(super) terms: [[u16; PieceTerm::PIECES]; 2],
}

/// The tables of terms.
struct Tables {
    /// `[viewer][piece][square]`.
    on_board: Box<[[[u16; Square::COUNT]; 32]; 2]>,
    /// `[viewer][owner][kind]`: the term of the first piece.
    in_hand: [[[u16; PieceKind::HAND.len()]; 2]; 2],
    /// `[term]`: the same piece as the other side sees it.
    other: [u16; PieceTerm::COUNT],
    /// `[term]`: the same piece on the board mirrored left to right.
    mirrored: [u16; PieceTerm::COUNT],
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let mut tables = Self {
            on_board: Box::new([[[0; Square::COUNT]; 32]; 2]),
            in_hand: Default::default(),
            other: [0; PieceTerm::COUNT],
            mirrored: [0; PieceTerm::COUNT],
        };
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                tables.add_piece(Piece::new(color, kind));
            }
            for kind in PieceKind::HAND {
                for nth in 1..=PieceKind::TOTALS[kind.index()] {
                    tables.add_held(color, kind, nth);
                }
            }
        }
        tables
    }

    fn add_piece(&mut self, piece: Piece) {
        for square in Square::ALL {
            for viewer in Color::ALL {
                let term = |viewer, square| PieceTerm::on_board(viewer, piece, square);
                let Some(seen) = term(viewer, square) else { continue };
                let number = |term: Option<PieceTerm>| term.map_or(0, |term| term.index() as u16);
                self.on_board[viewer.index()][piece.index()][square.index()] = seen.index() as u16;
                self.other[seen.index()] = number(term(!viewer, square));
                self.mirrored[seen.index()] = number(term(viewer, square.mirrored()));
            }
        }
    }

    fn add_held(&mut self, owner: Color, kind: PieceKind, nth: u32) {
        for viewer in Color::ALL {
            let seen = PieceTerm::in_hand(viewer, owner, kind, nth);
            let other = PieceTerm::in_hand(!viewer, owner, kind, nth);
            if let (Some(seen), Some(other)) = (seen, other) {
                if nth == 1 {
                    self.in_hand[viewer.index()][owner.index()][kind.index()] = seen.index() as u16;
                }
                self.other[seen.index()] = other.index() as u16;
                self.mirrored[seen.index()] = seen.index() as u16;
            }
        }
    }
}

impl Inputs {
    /// Returns the inputs of a position. Pieces beyond those of the game are ignored.
    pub(super) fn of(setup: &Setup, is_mirrored: bool) -> Self {
        let tables = &*TABLES;
        let us = setup.side;
        // A slot more than needed, which takes what is not counted.
        let mut terms = [PieceTerm::MISSING.index() as u16; PieceTerm::PIECES + 1];
        let mut count = 0;
        let on_board = &tables.on_board[us.index()];
        for (square, piece) in setup.board.iter().enumerate() {
            let Some(piece) = piece else { continue };
            if piece.kind() != PieceKind::King {
                terms[count] = on_board[piece.index()][square];
                count = (count + 1).min(PieceTerm::PIECES);
            }
        }
        for owner in Color::ALL {
            for (kind, held) in setup.hands[owner].iter() {
                let first = tables.in_hand[us.index()][owner.index()][kind.index()];
                for nth in 0..held as u16 {
                    terms[count] = first + nth;
                    count = (count + 1).min(PieceTerm::PIECES);
                }
            }
        }
        terms[count..].fill(PieceTerm::MISSING.index() as u16);
        let mut own = [0; PieceTerm::PIECES];
        own.copy_from_slice(&terms[..PieceTerm::PIECES]);
        if is_mirrored {
            own = own.map(|term| tables.mirrored[usize::from(term)]);
        }
        let other = own.map(|term| tables.other[usize::from(term)]);
        Self { terms: [own, other] }
    }
}

/// The squares of both kings, each as its owner sees it, of the side to move first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kings([u8; 2]);

impl Kings {
    /// Returns the squares; `None` if a king is missing.
    pub(super) fn of(position: &Position) -> Option<Self> {
        let square = |color| {
            let king = position.king_square(color)?;
            Some(PieceTerm::king_square(color, king) as u8)
        };
        Some(Self([square(position.side())?, square(!position.side())?]))
    }

    /// The numbers of the squares: by file from the right, then by rank from the other camp.
    #[inline]
    pub(super) fn both(self) -> [usize; 2] {
        self.0.map(usize::from)
    }

    /// The squares on the board mirrored left to right.
    #[inline]
    pub(super) fn mirrored(self) -> Self {
        Self(self.0.map(|square| (8 - square / 9) * 9 + square % 9))
    }
}

#[cfg(test)]
mod tests {
    use komadai_testdata::positions;

    use super::*;

    /// The terms by the definition, sorted.
    fn slow(setup: &Setup, viewer: Color) -> Vec<u16> {
        let mut terms = Vec::new();
        for square in Square::ALL {
            let piece = setup.board[square];
            terms.extend(piece.and_then(|piece| PieceTerm::on_board(viewer, piece, square)));
        }
        for owner in Color::ALL {
            for (kind, held) in setup.hands[owner].iter() {
                terms.extend((1..=held).map(|nth| {
                    PieceTerm::in_hand(viewer, owner, kind, nth).expect("a piece of the game")
                }));
            }
        }
        terms.resize(PieceTerm::PIECES, PieceTerm::MISSING);
        let mut numbers: Vec<u16> = terms.iter().map(|term| term.index() as u16).collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn fast_terms_are_those_of_the_definition() {
        for sfen in positions::bench().map(|position| position.sfen) {
            let position = Position::from_sfen(sfen).unwrap();
            let setup = position.to_setup();
            for is_mirrored in [false, true] {
                let setup = if is_mirrored { setup.mirrored() } else { setup.clone() };
                let inputs = Inputs::of(&position.to_setup(), is_mirrored);
                for (view, viewer) in [setup.side, !setup.side].into_iter().enumerate() {
                    let mut terms = inputs.terms[view];
                    terms.sort_unstable();
                    assert_eq!(terms.to_vec(), slow(&setup, viewer), "{sfen}");
                }
                let kings = Kings::of(&position);
                let kings = if is_mirrored { kings.map(Kings::mirrored) } else { kings };
                assert_eq!(kings, Kings::of(&Position::from_setup(&setup).unwrap()), "{sfen}");
            }
        }
    }

    #[test]
    fn a_crowded_board_is_no_danger() {
        let mut setup = Setup::empty();
        setup.board = [Some(Piece::BlackPawn); Square::COUNT];
        let inputs = Inputs::of(&setup, false);
        assert!(inputs.terms[0].iter().all(|term| (90..252).contains(term)));
    }
}
