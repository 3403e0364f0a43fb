//! The numbers of pieces, as one side sees them.
//!
//! Every network of shogi numbers pieces as Bonanza did: pieces in hand by their count, then pieces
//! on the board by kind and square, those of the viewer before those of the opponent. Promoted
//! minor pieces count as golds.

use komadai_core::{Color, Piece, PieceKind, Square};

/// The number of piece numbers without kings.
pub(crate) const FE_END: usize = 1_548;

/// The end of the plane of the own king.
pub(crate) const KING_OF_OWN: usize = FE_END + 81;

/// The end of the plane of the opponent's king.
pub(crate) const KINGS_OF_BOTH: usize = FE_END + 2 * 81;

/// `[kind][owner]`: the number before the first piece of a hand; owner 0 is the viewer.
const IN_HAND: [[u16; 2]; PieceKind::HAND.len()] =
    [[1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];

/// `[kind][owner]`: the number of a piece on square 0; owner 0 is the viewer.
const FIRST_ON_BOARD: [[u16; 2]; PieceKind::COUNT] = {
    const GOLD: [u16; 2] = [738, 819];
    [
        [90, 171],
        [252, 333],
        [414, 495],
        [576, 657],
        [900, 981],
        [1_224, 1_305],
        GOLD,
        [1_548, 1_629],
        GOLD,
        GOLD,
        GOLD,
        GOLD,
        [1_062, 1_143],
        [1_386, 1_467],
    ]
};

/// A piece on the board, or the n-th piece of a kind in a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Term {
    Board(Piece, Square),
    /// Owner, kind, and how many of the kind the hand holds with this one.
    Hand(Color, PieceKind, u32),
}

/// The view of one side: its colour, and whether left and right are exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) color: Color,
    pub(crate) is_mirrored: bool,
}

/// `[colour][mirrored][square]`: the index of a square in a view.
static SEEN: [[[u8; Square::COUNT]; 2]; 2] = {
    let mut seen = [[[0; Square::COUNT]; 2]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        seen[0][0][index] = index as u8;
        seen[0][1][index] = square.mirrored().index() as u8;
        seen[1][0][index] = square.flipped().index() as u8;
        seen[1][1][index] = square.flipped().mirrored().index() as u8;
        index += 1;
    }
    seen
};

/// `[colour][mirrored][piece][square]`: the number of a piece on the board in a view.
static ON_SQUARE: [[[[u16; Square::COUNT]; PIECES]; 2]; 2] = {
    let mut numbers = [[[[0; Square::COUNT]; PIECES]; 2]; 2];
    let mut at = 0;
    while at < 2 * 2 * Color::ALL.len() * PieceKind::COUNT * Square::COUNT {
        let square = at % Square::COUNT;
        let rest = at / Square::COUNT;
        let kind = PieceKind::ALL[rest % PieceKind::COUNT];
        let rest = rest / PieceKind::COUNT;
        let color = rest % 2;
        let mirrored = rest / 2 % 2;
        let viewer = rest / 4;
        let piece = Piece::new(Color::ALL[color], kind);
        let owner = (color != viewer) as usize;
        numbers[viewer][mirrored][piece.index()][square] =
            FIRST_ON_BOARD[kind.index()][owner] + SEEN[viewer][mirrored][square] as u16;
        at += 1;
    }
    numbers
};

/// `[colour][mirrored][number for Black]`: the number in a view.
static SEEN_AS: [[NumbersSeen; 2]; 2] = {
    let mut numbers = [[[0; KINGS_OF_BOTH]; 2]; 2];
    let mut at = 0;
    while at < 2 * 2 * PIECES * Square::COUNT {
        let (piece, square) = (at / Square::COUNT % PIECES, at % Square::COUNT);
        let view = at / Square::COUNT / PIECES;
        let number = ON_SQUARE[0][0][piece][square] as usize;
        if number > 0 {
            numbers[view / 2][view % 2][number] = ON_SQUARE[view / 2][view % 2][piece][square];
        }
        at += 1;
    }
    let mut at = 0;
    while at < 2 * 2 * PieceKind::HAND.len() * 2 {
        let (view, kind, owner) =
            (at / 2 / PieceKind::HAND.len(), at / 2 % PieceKind::HAND.len(), at % 2);
        let seen_owner = owner ^ (view / 2);
        let mut count = 0;
        while count < PieceKind::TOTALS[PieceKind::HAND[kind].index()] as u16 {
            numbers[view / 2][view % 2][(IN_HAND[kind][owner] + count) as usize] =
                IN_HAND[kind][seen_owner] + count;
            count += 1;
        }
        at += 1;
    }
    numbers
};

/// `[number for Black]`: the number in a view.
pub(crate) type NumbersSeen = [u16; KINGS_OF_BOTH];

/// The number of indices of pieces.
const PIECES: usize = 32;

impl View {
    /// The view of Black, not mirrored.
    pub(crate) const BLACK: Self = Self { color: Color::Black, is_mirrored: false };

    /// Returns the index of a square as the side sees it: 0 for 1a, then by rank, then by file.
    #[inline]
    pub(crate) fn square(self, square: Square) -> usize {
        usize::from(SEEN[self.color.index()][usize::from(self.is_mirrored)][square])
    }

    /// Returns the number of each piece that has a given one in the view of Black, not mirrored.
    #[inline]
    pub(crate) fn numbers_seen(self) -> &'static NumbersSeen {
        &SEEN_AS[self.color.index()][usize::from(self.is_mirrored)]
    }

    /// Returns the number of a piece. Kings have numbers from [`FE_END`].
    #[inline]
    pub(crate) fn number(self, term: Term) -> usize {
        match term {
            Term::Board(piece, square) => {
                let view = &ON_SQUARE[self.color.index()][usize::from(self.is_mirrored)];
                usize::from(view[piece.index() % PIECES][square])
            }
            Term::Hand(color, kind, count) => {
                let owner = usize::from(color != self.color);
                let first = IN_HAND.get(kind.index()).map_or(0, |numbers| numbers[owner]);
                usize::from(first) + count as usize - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: View = View { color: Color::White, is_mirrored: false };

    #[test]
    fn every_piece_has_a_number_of_its_own() {
        let mut seen = [0; KINGS_OF_BOTH];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let is_gold = matches!(
                    kind,
                    PieceKind::ProPawn
                        | PieceKind::ProLance
                        | PieceKind::ProKnight
                        | PieceKind::ProSilver
                );
                for square in Square::ALL.into_iter().filter(|_| !is_gold) {
                    seen[View::BLACK.number(Term::Board(Piece::new(color, kind), square))] += 1;
                }
            }
            for kind in PieceKind::HAND {
                for count in 1..=PieceKind::TOTALS[kind.index()] {
                    seen[View::BLACK.number(Term::Hand(color, kind, count))] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&times| times <= 1));
        // Unused are the numbers before each block of a hand.
        assert_eq!(seen[..90].iter().filter(|&&times| times == 0).count(), 14);
        assert!(seen[90..].iter().all(|&times| times == 1));
    }

    #[test]
    fn numbers_of_black_lead_to_those_of_every_view() {
        let on_board = Color::ALL.into_iter().flat_map(|color| {
            PieceKind::ALL.into_iter().flat_map(move |kind| {
                Square::ALL.map(|square| Term::Board(Piece::new(color, kind), square))
            })
        });
        let in_hand = Color::ALL.into_iter().flat_map(|color| {
            PieceKind::HAND.into_iter().flat_map(move |kind| {
                (1..=PieceKind::TOTALS[kind.index()])
                    .map(move |count| Term::Hand(color, kind, count))
            })
        });
        for term in on_board.chain(in_hand) {
            for color in Color::ALL {
                for is_mirrored in [false, true] {
                    let view = View { color, is_mirrored };
                    let seen = view.numbers_seen()[View::BLACK.number(term)];
                    assert_eq!(usize::from(seen), view.number(term));
                }
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_from_their_own_end() {
        for kind in PieceKind::ALL {
            for square in Square::ALL {
                let black = Term::Board(Piece::new(Color::Black, kind), square);
                let white = Term::Board(Piece::new(Color::White, kind), square.flipped());
                assert_eq!(View::BLACK.number(black), WHITE.number(white));
                assert_eq!(WHITE.number(black), View::BLACK.number(white));
            }
        }
        let pawn = |color| Term::Hand(color, PieceKind::Pawn, 3);
        assert_eq!(View::BLACK.number(pawn(Color::Black)), 3);
        assert_eq!(WHITE.number(pawn(Color::Black)), 22);
    }
}
