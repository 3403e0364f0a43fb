//! Positions in 256 bits, and moves in the sixteen bits of training files.
//!
//! Two formats share one frame and are not interchangeable: [`PackedSfen`] of YaneuraOu (training
//! records `.psv`, PSV) and [`Hcp`] of Apery, cshogi and dlshogi (HCPE, HCPE3). Nothing in 32 bytes
//! tells which one they are, so the type does.
//!
//! The frame, least significant bit of the first byte first: side to move 1 bit (0 Black);
//! squares of Black's and White's king, 7 bits each, 81 for a king that is missing; a prefix code
//! for each other square in [`Square`] order; a code for each piece in Black's hand, in White's
//! hand and in the box of pieces that are not in play, each ordered P L N S G B R. A piece takes as
//! many bits more than an empty square on the board as it takes off the board, so that 38 pieces
//! and two kings always fill 256 bits.
//!
//! With one king missing, its square is coded as well and the stream has 257 bits. The field's
//! encoders drop the last one; so does this one, if the rest tells what it was, and refuses
//! otherwise.
//!
//! Sources: the layouts are facts of YaneuraOu's `source/extra/sfen_packer.cpp`
//! (<https://github.com/yaneurao/YaneuraOu>) and of cshogi (<https://github.com/TadaoYamaoka/cshogi>);
//! the bytes in the tests were made with cshogi 1.1.0.

use core::fmt;

use crate::setup::KindCounts;
use crate::{Color, Hand, Move, Piece, PieceKind, Setup, Square};

/// Why a position does not fit into 32 bytes, or 32 bytes hold none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// There are more pieces of a kind than the game has.
    #[error("{count} pieces of the kind {kind:?}, expected at most {most}")]
    TooManyPieces {
        /// The unpromoted kind.
        kind: PieceKind,
        /// How many there are, on the board, in both hands and in the box.
        count: u32,
        /// How many the game has.
        most: u32,
    },
    /// A side has more than one king.
    #[error("{color:?} has more than one king")]
    TwoKings {
        /// The side.
        color: Color,
    },
    /// Neither side has a king.
    #[error("neither side has a king, expected at least one king")]
    NoKing,
    /// With one king missing, one bit does not fit, and here it would be needed to tell what
    /// stands on 9九 or who holds the last piece.
    #[error("a king is missing, and the rest of the position takes one bit too many")]
    LastBitLost,
    /// A king's square is none.
    #[error("{color:?}'s king on square number {found}, expected 0 to 80, or 81 for no king")]
    BadKingSquare {
        /// The king's side.
        color: Color,
        /// The number read.
        found: u8,
    },
    /// Both kings are on one square.
    #[error("both kings on {square}")]
    SharedKingSquare {
        /// The square.
        square: Square,
    },
    /// No piece in hand or in the box has the code that was found.
    #[error("no piece off the board has the code at bit {at}")]
    BadCode {
        /// The code's first bit.
        at: usize,
    },
    /// The pieces do not fill the space.
    #[error("the pieces end at bit {end}, expected {expected}")]
    BadLength {
        /// The bit after the last piece.
        end: usize,
        /// 256, or 257 with one king missing.
        expected: usize,
    },
}

/// A position in 32 bytes as YaneuraOu packs it; the move number is not kept.
///
/// # Examples
///
/// ```
/// use komadai_core::{PackedSfen, Setup};
///
/// let packed = PackedSfen::from_setup(&Setup::hirate())?;
/// assert_eq!(packed.as_bytes()[..4], [0x58, 0xa4, 0x51, 0x22]);
/// assert_eq!(packed.to_setup()?, Setup::hirate());
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct PackedSfen([u8; 32]);

/// A position in 32 bytes as Apery, cshogi and dlshogi pack it (huffman coded position); the move
/// number is not kept.
///
/// # Examples
///
/// ```
/// use komadai_core::{Hcp, Setup};
///
/// let packed = Hcp::from_setup(&Setup::hirate())?;
/// assert_eq!(packed.as_bytes()[..4], [0x58, 0xa4, 0x49, 0x21]);
/// assert_eq!(packed.to_setup()?, Setup::hirate());
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Hcp([u8; 32]);

macro_rules! packed_position {
    ($type:ident, $codec:ident) => {
        impl $type {
            /// The packed position with these bytes, which are not looked at.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Packs a position; its move number is left out.
            ///
            /// # Errors
            ///
            /// If there are more pieces than the game has, no king or two of one side, or if one
            /// king is missing and the last bit, which then does not fit, is needed.
            pub fn from_setup(setup: &Setup) -> Result<Self, PackedError> {
                $codec.encode(setup).map(Self)
            }

            /// Unpacks the position, as of move 1.
            ///
            /// # Errors
            ///
            /// If the bytes were not made by an encoder of this format. Whether the position is
            /// legal is not asked.
            pub fn to_setup(&self) -> Result<Setup, PackedError> {
                $codec.decode(&self.0)
            }
        }

        /// The bytes in hexadecimal.
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($type), "("))?;
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str(")")
            }
        }
    };
}

packed_position!(PackedSfen, PACKED_SFEN);
packed_position!(Hcp, HCP);

impl Move {
    const APERY_PROMOTION: u16 = 1 << 14;

    /// The sixteen bits of Apery, cshogi and HCPE files: bits 0–6 the destination, bits 7–13 the
    /// origin (for a drop 81 + Pawn 0, Lance 1, Knight 2, Silver 3, Bishop 4, Rook 5, Gold 6),
    /// bit 14 a promotion. YaneuraOu's are [`to_bits`](Self::to_bits).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Move, PieceKind, Square};
    ///
    /// let drop = Move::drop(PieceKind::Gold, Square::S19);
    /// assert_eq!(drop.to_apery_bits(), 11_144);
    /// assert_eq!(drop.to_bits(), 17_288);
    /// assert_eq!(Move::from_apery_bits(11_144), Some(drop));
    /// ```
    #[must_use]
    pub const fn to_apery_bits(self) -> u16 {
        let origin = match (self.from(), self.dropped()) {
            (Some(from), _) => from as u16,
            (None, Some(kind)) => 81 + kind as u16,
            (None, None) => unreachable!(),
        };
        let promotion = if self.is_promotion() { Self::APERY_PROMOTION } else { 0 };
        promotion | origin << 7 | self.to() as u16
    }

    /// The move with these bits as Apery, cshogi and HCPE files number moves, or `None` if they
    /// name no move.
    #[must_use]
    pub const fn from_apery_bits(bits: u16) -> Option<Self> {
        let Some(to) = Square::from_index((bits & 127) as usize) else { return None };
        let origin = (bits >> 7 & 127) as usize;
        let promotes = bits & Self::APERY_PROMOTION != 0;
        if bits >> 15 != 0 {
            return None;
        }
        match Square::from_index(origin) {
            Some(from) if from as u8 == to as u8 => None,
            Some(from) if promotes => Some(Self::promotion(from, to)),
            Some(from) => Some(Self::new(from, to)),
            None if origin < 88 && !promotes => Some(Self::drop(PieceKind::HAND[origin - 81], to)),
            None => None,
        }
    }
}

/// A bit pattern, to be read from its least significant bit, and its length.
type Code = (u8, u8);

/// The code of an empty square.
const EMPTY: Code = (0, 1);

/// Stands where the formats have no code: kings on the board.
const NONE: Code = (0, 0);

/// The order of kinds in the hands and in the box.
const OFF_BOARD_ORDER: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// All codes of one format; an empty square is a single 0.
struct Codes {
    /// `[color][kind]`.
    board: [[Code; PieceKind::COUNT]; 2],
    /// `[color][kind]`, kinds in [`PieceKind::HAND`] order.
    hand: [[Code; 7]; 2],
    /// `[kind]`, likewise.
    piece_box: [Code; 7],
}

// Columns: P L N S B R G K, then promoted P L N S B R. The codes are written out, as the formats
// derive them differently: on the board the promotion bit comes before the colour bit in YaneuraOu's
// and after it in Apery's, and Apery's bishops and rooks in hand follow no rule.
#[rustfmt::skip]
const PACKED_SFEN_CODES: Codes = Codes {
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
const HCP_CODES: Codes = Codes {
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

static PACKED_SFEN: Codec = Codec::new(PACKED_SFEN_CODES);
static HCP: Codec = Codec::new(HCP_CODES);

/// A piece that is not on the board.
#[derive(Clone, Copy)]
enum OffBoard {
    InHand(Piece),
    InBox(PieceKind),
}

/// A format's codes, and the tables that read them: the next eight bits of the stream (seven off
/// the board) give the piece and the length of its code.
struct Codec {
    codes: Codes,
    /// `[piece]`; the code of an empty square where there is no such piece.
    on_board: [Code; 32],
    board: [(Option<Piece>, u8); 256],
    off_board: [Option<(OffBoard, u8)>; 128],
}

impl Codec {
    const fn new(codes: Codes) -> Self {
        let mut board = [(None, 1); 256];
        let mut on_board = [EMPTY; 32];
        let mut off_board = [None; 128];
        let mut color = 0;
        while color < 2 {
            let mut kind = 0;
            while kind < PieceKind::COUNT {
                let (code, bits) = codes.board[color][kind];
                let piece = Piece::new(Color::ALL[color], PieceKind::ALL[kind]);
                on_board[piece as usize] = (code, bits);
                let mut pattern = code as usize;
                while bits != 0 && pattern < board.len() {
                    assert!(board[pattern].0.is_none(), "no code begins another");
                    board[pattern] = (Some(piece), bits);
                    pattern += 1 << bits;
                }
                kind += 1;
            }
            let mut kind = 0;
            while kind < 7 {
                let piece = Piece::new(Color::ALL[color], PieceKind::HAND[kind]);
                fill(&mut off_board, codes.hand[color][kind], OffBoard::InHand(piece));
                kind += 1;
            }
            color += 1;
        }
        let mut kind = 0;
        while kind < 7 {
            fill(&mut off_board, codes.piece_box[kind], OffBoard::InBox(PieceKind::HAND[kind]));
            kind += 1;
        }
        Self { codes, on_board, board, off_board }
    }

    fn encode(&self, setup: &Setup) -> Result<[u8; 32], PackedError> {
        let kings = king_squares(setup)?;
        let in_box = pieces_in_box(setup)?;
        let mut bits = BitWriter::default();
        bits.write((setup.side as u8, 1));
        for king in kings {
            bits.write((king.map_or(MISSING_KING, |square| square as u8), 7));
        }
        for piece in setup.board {
            bits.write(piece.map_or(EMPTY, |piece| self.on_board[piece as usize & 31]));
        }
        for color in Color::ALL {
            for kind in OFF_BOARD_ORDER {
                for _ in 0..setup.hands[color].count(kind) {
                    bits.write(self.codes.hand[color as usize][kind as usize]);
                }
            }
        }
        for kind in OFF_BOARD_ORDER {
            for _ in 0..in_box[kind as usize] {
                bits.write(self.codes.piece_box[kind as usize]);
            }
        }
        let bytes = bits.first_32_bytes();
        let is_complete = kings.iter().all(|king| king.is_some());
        if !is_complete && self.decode(&bytes) != Ok(Setup { ply: 1, ..setup.clone() }) {
            return Err(PackedError::LastBitLost);
        }
        Ok(bytes)
    }

    fn decode(&self, bytes: &[u8; 32]) -> Result<Setup, PackedError> {
        let mut bits = BitReader::new(bytes);
        let mut setup = Setup::empty();
        setup.side = Color::ALL[bits.take(1) as usize];
        let kings = read_kings(&mut bits, &mut setup)?;
        let expected = if kings == 2 { 256 } else { 257 };
        let mut on_board = KindCounts::default();
        let mut window = bits.window();
        for square in Square::ALL {
            if setup.board[square].is_some() {
                continue;
            }
            if window.left < 8 {
                bits.cursor += window.taken();
                window = bits.window();
            }
            let (piece, length) = self.board[window.bits as usize & 255];
            window.skip(length);
            if let Some(piece) = piece {
                setup.board[square] = Some(piece);
                on_board.add(piece);
            }
        }
        bits.cursor += window.taken();
        let off_board = self.read_off_board(&mut bits, &setup, expected)?;
        if bits.cursor != expected {
            return Err(PackedError::BadLength { end: bits.cursor, expected });
        }
        // No kind above its total and the exact length together mean that every kind is complete:
        // a piece less would leave bits over.
        for kind in PieceKind::HAND {
            let count = off_board.of_kind(kind) + on_board.of(kind);
            let most = PieceKind::TOTALS[kind as usize];
            if count > most {
                return Err(PackedError::TooManyPieces { kind, count, most });
            }
        }
        for color in Color::ALL {
            setup.hands[color] = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
                hand.with(kind, off_board.hands[color as usize][kind as usize])
            });
        }
        Ok(setup)
    }

    fn read_off_board(
        &self,
        bits: &mut BitReader,
        setup: &Setup,
        end: usize,
    ) -> Result<OffBoardPieces, PackedError> {
        let mut pieces = OffBoardPieces::default();
        let mut last = None;
        while bits.cursor < end {
            let Some((piece, length)) = self.off_board[bits.peek(7) as usize] else {
                return Err(PackedError::BadCode { at: bits.cursor });
            };
            bits.cursor += length as usize;
            // The last bit of the last code was dropped and reads as 0.
            let is_cut = bits.cursor > 256;
            match piece {
                OffBoard::InHand(piece) => {
                    let kind = piece.kind();
                    let color = if is_cut { cut_color(last, kind) } else { piece.color() };
                    last = Some((color, kind));
                    pieces.hands[color as usize][kind as usize] += 1;
                }
                // A gold in the box differs from a silver in the last bit only.
                OffBoard::InBox(PieceKind::Silver)
                    if is_cut
                        && pieces.of_kind(PieceKind::Silver) + setup.count(PieceKind::Silver)
                            == 4 =>
                {
                    pieces.in_box[PieceKind::Gold as usize] += 1;
                }
                OffBoard::InBox(kind) => pieces.in_box[kind as usize] += 1,
            }
        }
        Ok(pieces)
    }
}

/// How many pieces a stream has after the board.
#[derive(Default)]
struct OffBoardPieces {
    hands: [[u32; 7]; 2],
    in_box: [u32; 7],
}

impl OffBoardPieces {
    fn of_kind(&self, kind: PieceKind) -> u32 {
        let at = kind as usize;
        self.hands[0][at] + self.hands[1][at] + self.in_box[at]
    }
}

/// The holder of the last piece of a stream whose last bit, the piece's colour, was dropped.
///
/// Black's hand comes before White's, each in a fixed order of kinds: what follows a piece of
/// White's, or a later kind, is White's. Otherwise it is read as Black's.
fn cut_color(last: Option<(Color, PieceKind)>, kind: PieceKind) -> Color {
    let place = |kind| OFF_BOARD_ORDER.iter().position(|&other| other == kind);
    match last {
        Some((Color::White, _)) => Color::White,
        Some((Color::Black, before)) if place(before) > place(kind) => Color::White,
        _ => Color::Black,
    }
}

/// Fills in every 7-bit pattern that begins with `code`.
const fn fill(table: &mut [Option<(OffBoard, u8)>; 128], (code, bits): Code, piece: OffBoard) {
    let mut pattern = code as usize;
    while pattern < table.len() {
        assert!(table[pattern].is_none(), "no code begins another");
        table[pattern] = Some((piece, bits));
        pattern += 1 << bits;
    }
}

/// The number that stands for the square of a missing king.
const MISSING_KING: u8 = 81;

/// Both kings' squares, at least one of them on the board.
fn king_squares(setup: &Setup) -> Result<[Option<Square>; 2], PackedError> {
    let mut kings = [None; 2];
    for square in Square::ALL {
        if let Some(piece @ (Piece::BlackKing | Piece::WhiteKing)) = setup.board[square]
            && kings[piece.color()].replace(square).is_some()
        {
            return Err(PackedError::TwoKings { color: piece.color() });
        }
    }
    if kings == [None, None] { Err(PackedError::NoKing) } else { Ok(kings) }
}

/// How many pieces of each kind are neither on the board nor in a hand.
fn pieces_in_box(setup: &Setup) -> Result<[u32; 7], PackedError> {
    let mut in_box = [0; 7];
    let counts = setup.counts();
    for kind in PieceKind::HAND {
        let count = counts.of(kind);
        let most = PieceKind::TOTALS[kind as usize];
        in_box[kind as usize] =
            most.checked_sub(count).ok_or(PackedError::TooManyPieces { kind, count, most })?;
    }
    Ok(in_box)
}

/// Reads and places the kings; how many there are.
fn read_kings(bits: &mut BitReader, setup: &mut Setup) -> Result<usize, PackedError> {
    let mut kings = 0;
    for color in Color::ALL {
        let found = bits.take(7) as u8;
        if found == MISSING_KING {
            continue;
        }
        let square = Square::from_index(found as usize)
            .ok_or(PackedError::BadKingSquare { color, found })?;
        if setup.board[square].is_some() {
            return Err(PackedError::SharedKingSquare { square });
        }
        setup.board[square] = Some(Piece::new(color, PieceKind::King));
        kings += 1;
    }
    if kings == 0 { Err(PackedError::NoKing) } else { Ok(kings) }
}

/// Up to 320 bits, filled from the lowest.
#[derive(Default)]
struct BitWriter {
    words: [u64; 5],
    /// The number of words that are full.
    full: usize,
    /// The bits of the word after them, and how many there are.
    rest: u64,
    bits: u32,
}

impl BitWriter {
    #[inline]
    fn write(&mut self, (code, bits): Code) {
        let (code, bits) = (u64::from(code), u32::from(bits));
        self.rest |= code << self.bits;
        self.bits += bits;
        if self.bits >= 64 {
            self.words[self.full] = self.rest;
            self.full += 1;
            self.bits -= 64;
            self.rest = code >> (bits - self.bits);
        }
    }

    fn first_32_bytes(mut self) -> [u8; 32] {
        self.words[self.full] = self.rest;
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// 256 bits read from the lowest; what lies behind them reads as 0.
struct BitReader {
    words: [u64; 4],
    cursor: usize,
}

impl BitReader {
    fn new(bytes: &[u8; 32]) -> Self {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(chunk.try_into().expect("a chunk has eight bytes"));
        }
        Self { words, cursor: 0 }
    }

    /// The next `bits` bits, at most 8; the cursor stays.
    fn peek(&self, bits: u32) -> u64 {
        let (word, shift) = (self.cursor / 64, self.cursor % 64);
        let low = self.words.get(word).copied().unwrap_or(0) >> shift;
        // Two steps, as a shift by 64 is none.
        let high = self.words.get(word + 1).copied().unwrap_or(0) << 1 << (63 - shift);
        (low | high) & ((1 << bits) - 1)
    }

    /// The next bits, as many as can be had at once.
    fn window(&self) -> Window {
        let (word, shift) = (self.cursor / 64, self.cursor % 64);
        let low = self.words.get(word).copied().unwrap_or(0) >> shift;
        let high = self.words.get(word + 1).copied().unwrap_or(0) << 1 << (63 - shift);
        Window { bits: low | high, left: Window::BITS }
    }

    fn take(&mut self, bits: u32) -> u64 {
        let found = self.peek(bits);
        self.cursor += bits as usize;
        found
    }
}

/// The bits that a [`BitReader`] reads next, looked at without asking it for each.
#[derive(Clone, Copy)]
struct Window {
    bits: u64,
    left: u8,
}

impl Window {
    const BITS: u8 = 64;

    fn skip(&mut self, bits: u8) {
        self.bits >>= bits;
        self.left -= bits;
    }

    fn taken(self) -> usize {
        usize::from(Self::BITS - self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_apery_that_is_a_move_keeps_its_bits() {
        let moves = (0..=u16::MAX)
            .filter_map(|bits| Move::from_apery_bits(bits).map(|m| (bits, m)))
            .inspect(|&(bits, m)| assert_eq!(m.to_apery_bits(), bits))
            .count();
        assert_eq!(moves, 2 * 81 * 80 + 7 * 81);
    }

    #[test]
    fn board_codes_leave_no_gap_and_fit_the_space() {
        for codec in [&PACKED_SFEN, &HCP] {
            let empty = (0..256).filter(|&pattern| codec.board[pattern].0.is_none()).count();
            assert_eq!(empty, 128, "the patterns that begin with 0");
            for kind in PieceKind::HAND {
                for color in Color::ALL {
                    let (_, on_board) = codec.codes.board[color][kind];
                    let (_, in_hand) = codec.codes.hand[color as usize][kind as usize];
                    let (_, in_box) = codec.codes.piece_box[kind as usize];
                    assert_eq!((in_hand, in_box), (on_board - 1, on_board - 1));
                }
            }
        }
    }
}
