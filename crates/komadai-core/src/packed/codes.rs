//! The prefix codes of the two formats.

use crate::piece::PieceKind;

/// A bit pattern, least significant bit first, and its length.
pub(super) type Code = (u8, u8);

/// The empty code of kings on the board, which the formats do not code.
pub(super) const NONE: Code = (0, 0);

/// The order of kinds in the hands and in the box.
pub(super) const OFF_BOARD_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

/// All codes of one format; an empty square is a single 0.
pub(super) struct Codes {
    /// `[color][kind]`.
    pub(super) board: [[Code; PieceKind::COUNT]; 2],
    /// `[color][kind]`, kinds in [`PieceKind::HAND`] order.
    pub(super) hand: [[Code; 7]; 2],
    /// `[kind]`, in the same order.
    pub(super) piece_box: [Code; 7],
}

// Columns: P L N S B R G K, then promoted P L N S B R. The codes are written out because the
// formats derive them differently: on the board, the promotion bit comes before the colour bit in
// YaneuraOu's format and after it in Apery's, and the codes of Apery's bishops and rooks in hand
// follow no rule.
#[rustfmt::skip]
pub(super) const PACKED_SFEN_CODES: Codes = Codes {
    board: [
        [
            (0b0001, 4), (0b00_0011, 6), (0b00_1011, 6), (0b00_0111, 6),
            (0b00_011111, 8), (0b00_111111, 8), (0b0_01111, 6), NONE,
            (0b0101, 4), (0b01_0011, 6), (0b01_1011, 6), (0b01_0111, 6),
            (0b01_011111, 8), (0b01_111111, 8),
        ],
        [
            (0b1001, 4), (0b10_0011, 6), (0b10_1011, 6), (0b10_0111, 6),
            (0b10_011111, 8), (0b10_111111, 8), (0b1_01111, 6), NONE,
            (0b1101, 4), (0b11_0011, 6), (0b11_1011, 6), (0b11_0111, 6),
            (0b11_011111, 8), (0b11_111111, 8),
        ],
    ],
    hand: [
        [
            (0b000, 3), (0b00001, 5), (0b00101, 5), (0b00011, 5),
            (0b0001111, 7), (0b0011111, 7), (0b00111, 5),
        ],
        [
            (0b100, 3), (0b10001, 5), (0b10101, 5), (0b10011, 5),
            (0b1001111, 7), (0b1011111, 7), (0b10111, 5),
        ],
    ],
    piece_box: [
        (0b010, 3), (0b01001, 5), (0b01101, 5), (0b01011, 5),
        (0b0101111, 7), (0b0111111, 7), (0b11011, 5),
    ],
};

#[rustfmt::skip]
pub(super) const HCP_CODES: Codes = Codes {
    board: [
        [
            (0b0001, 4), (0b00_0011, 6), (0b00_0111, 6), (0b00_1011, 6),
            (0b00_011111, 8), (0b00_111111, 8), (0b0_01111, 6), NONE,
            (0b1001, 4), (0b10_0011, 6), (0b10_0111, 6), (0b10_1011, 6),
            (0b10_011111, 8), (0b10_111111, 8),
        ],
        [
            (0b0101, 4), (0b01_0011, 6), (0b01_0111, 6), (0b01_1011, 6),
            (0b01_011111, 8), (0b01_111111, 8), (0b1_01111, 6), NONE,
            (0b1101, 4), (0b11_0011, 6), (0b11_0111, 6), (0b11_1011, 6),
            (0b11_011111, 8), (0b11_111111, 8),
        ],
    ],
    hand: [
        [
            (0b000, 3), (0b00001, 5), (0b00011, 5), (0b00101, 5),
            (0b0011111, 7), (0b0111111, 7), (0b00111, 5),
        ],
        [
            (0b100, 3), (0b10001, 5), (0b10011, 5), (0b10101, 5),
            (0b1011111, 7), (0b1111111, 7), (0b10111, 5),
        ],
    ],
    piece_box: [
        (0b010, 3), (0b01001, 5), (0b01011, 5), (0b01101, 5),
        (0b0001111, 7), (0b0101111, 7), (0b11101, 5),
    ],
};
