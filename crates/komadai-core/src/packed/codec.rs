//! Writing and reading the bits of a position.

use super::bits::{BitReader, BitWriter};
use super::codes::{Code, Codes, HCP_CODES, NONE, OFF_BOARD_ORDER, PACKED_SFEN_CODES};
use super::contents::Contents;
use super::error::PackedError;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::position::{PlacedPieces, Position};
use crate::setup::{KindCounts, Setup};
use crate::square::Square;

pub(super) static PACKED_SFEN: Codec = Codec::new(PACKED_SFEN_CODES);
pub(super) static HCP: Codec = Codec::new(HCP_CODES);

/// A piece that is not on the board.
#[derive(Clone, Copy)]
enum OffBoard {
    InHand(Piece),
    InBox(PieceKind),
}

/// The notes of a decoder on the pieces while it places them: their numbers, or all that a position
/// needs.
trait PieceNotes {
    fn note(&mut self, square: Square, piece: Piece);
    /// The pieces on the board by unpromoted kind.
    fn counts(&self) -> KindCounts;
}

impl PieceNotes for KindCounts {
    #[inline]
    fn note(&mut self, _: Square, piece: Piece) {
        self.add(piece);
    }

    #[inline]
    fn counts(&self) -> KindCounts {
        *self
    }
}

impl PieceNotes for PlacedPieces {
    #[inline]
    fn note(&mut self, square: Square, piece: Piece) {
        self.add(square, piece);
    }

    #[inline]
    fn counts(&self) -> KindCounts {
        Self::counts(self)
    }
}

/// The empty squares and the piece after them that the next [`RUN_BITS`] bits determine.
#[derive(Clone, Copy)]
struct Run {
    empty: u8,
    piece: Option<Piece>,
    /// The number of bits of both.
    bits: u8,
}

/// The bits of three empty squares and a piece with the longest code.
const RUN_BITS: u32 = 11;

const RUN_MASK: usize = (1 << RUN_BITS) - 1;

/// The run at the start of each pattern. `pieces` is indexed by the first eight bits of a code.
const fn runs(pieces: &[(Option<Piece>, u8); 256]) -> [Run; 1 << RUN_BITS] {
    let mut runs =
        [Run { empty: RUN_BITS as u8, piece: None, bits: RUN_BITS as u8 }; 1 << RUN_BITS];
    let mut pattern = 1;
    while pattern < runs.len() {
        let empty = pattern.trailing_zeros();
        let (piece, length) = pieces[pattern >> empty & 255];
        // A code that the pattern cuts off is read with the next pattern.
        let is_whole = empty + length as u32 <= RUN_BITS;
        runs[pattern] = Run {
            empty: empty as u8,
            piece: if is_whole { piece } else { None },
            bits: empty as u8 + if is_whole { length } else { 0 },
        };
        pattern += 1;
    }
    runs
}

/// A format's codes, and the tables that read them by the next bits of the stream.
pub(super) struct Codec {
    codes: Codes,
    /// `[piece]`; empty codes for kings.
    on_board: [Code; 32],
    board: [Run; 1 << RUN_BITS],
    off_board: [Option<(OffBoard, u8)>; 128],
}

impl Codec {
    const fn new(codes: Codes) -> Self {
        let mut board = [(None, 1); 256];
        let mut on_board = [NONE; 32];
        let mut off_board = [None; 128];
        let mut color = 0;
        while color < 2 {
            let mut kind = 0;
            while kind < PieceKind::COUNT {
                let (code, bits) = codes.board[color][kind];
                let piece = Piece::new(Color::ALL[color], PieceKind::ALL[kind]);
                on_board[piece as usize] = (code, bits);
                // All patterns whose lowest bits are the code, as it is read from the lowest bit.
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
        Self { codes, on_board, board: runs(&board), off_board }
    }

    pub(super) fn encode(&self, contents: &Contents<'_>) -> Result<[u8; 32], PackedError> {
        let mut bits = BitWriter::default();
        bits.write((contents.side as u8, 1));
        for king in contents.kings {
            bits.write((king.map_or(MISSING_KING, |square| square as u8), 7));
        }
        let mut next = 0;
        for square in contents.occupied {
            bits.skip(square as u32 - next);
            next = square as u32 + 1;
            // A king takes no bits here: its square is at the start of the stream.
            bits.write(contents.board[square].map_or(NONE, |piece| self.board_code(piece)));
        }
        bits.skip(Square::COUNT as u32 - next);
        self.finish(bits, contents, contents.hands)
    }

    /// Encodes the board turned by 180 degrees, with the colours exchanged.
    pub(super) fn encode_flipped(&self, contents: &Contents<'_>) -> Result<[u8; 32], PackedError> {
        let mut bits = BitWriter::default();
        bits.write((!contents.side as u8, 1));
        let [black, white] = contents.kings;
        for king in [white, black] {
            bits.write((king.map_or(MISSING_KING, |square| square.flipped() as u8), 7));
        }
        let mut next = 0;
        for turned in contents.occupied.flipped() {
            bits.skip(turned as u32 - next);
            next = turned as u32 + 1;
            let piece = contents.board[turned.flipped()];
            bits.write(piece.map_or(NONE, |piece| self.board_code(piece.flipped())));
        }
        bits.skip(Square::COUNT as u32 - next);
        let [black, white] = contents.hands;
        self.finish(bits, contents, [white, black])
    }

    #[inline]
    fn board_code(&self, piece: Piece) -> Code {
        self.on_board[piece as usize & 31]
    }

    /// Writes the pieces that are not on the board, and checks that no needed bit is lost.
    fn finish(
        &self,
        mut bits: BitWriter,
        contents: &Contents<'_>,
        hands: [Hand; 2],
    ) -> Result<[u8; 32], PackedError> {
        for (hand, codes) in hands.into_iter().zip(&self.codes.hand) {
            if hand.is_empty() {
                continue;
            }
            for kind in OFF_BOARD_ORDER {
                (0..hand.count(kind)).for_each(|_| bits.write(codes[kind as usize]));
            }
        }
        for kind in OFF_BOARD_ORDER {
            let code = self.codes.piece_box[kind as usize];
            (0..contents.in_box[kind as usize]).for_each(|_| bits.write(code));
        }
        let bytes = bits.first_32_bytes();
        let is_complete = contents.kings.iter().all(|king| king.is_some());
        if !is_complete && !self.is_read_as(&bytes, contents, hands) {
            return Err(PackedError::LastBitLost);
        }
        Ok(bytes)
    }

    /// Returns whether the bytes, which lack the last bit, decode to what was encoded.
    ///
    /// Only a piece in hand or the piece on the last square can differ.
    fn is_read_as(&self, bytes: &[u8; 32], contents: &Contents<'_>, hands: [Hand; 2]) -> bool {
        let Ok(read) = self.decode(bytes) else { return false };
        let is_flipped = read.side != contents.side;
        let same_square = |square: Square| match is_flipped {
            false => read.board[square] == contents.board[square],
            true => read.board[square.flipped()] == contents.board[square].map(Piece::flipped),
        };
        read.hands == hands && Square::ALL.into_iter().all(same_square)
    }

    pub(super) fn decode(&self, bytes: &[u8; 32]) -> Result<Setup, PackedError> {
        let mut setup = Setup::empty();
        let mut counts = KindCounts::NONE;
        self.decode_into(bytes, &mut setup, &mut counts)?;
        Ok(setup)
    }

    pub(super) fn decode_position(
        &self,
        bytes: &[u8; 32],
        ply: u32,
    ) -> Result<Position, PackedError> {
        let mut setup = Setup { ply, ..Setup::empty() };
        let mut pieces = PlacedPieces::none();
        self.decode_into(bytes, &mut setup, &mut pieces)?;
        Ok(Position::from_placed(&setup, &pieces)?)
    }

    /// Fills an empty setup, and notes the pieces on its board.
    #[inline]
    fn decode_into<P: PieceNotes>(
        &self,
        bytes: &[u8; 32],
        setup: &mut Setup,
        pieces: &mut P,
    ) -> Result<(), PackedError> {
        let mut bits = BitReader::new(bytes);
        setup.side = Color::ALL[bits.take(1) as usize];
        let kings = read_kings(&mut bits, setup)?;
        // The square of a missing king is coded like any other, which takes one bit more.
        let expected = if kings.len() == 2 { 256 } else { 257 };
        self.read_board(&mut bits, setup, pieces, kings);
        let on_board = pieces.counts();
        let off_board = self.read_off_board(&mut bits, setup, expected)?;
        if bits.cursor != expected {
            return Err(PackedError::BadLength { end: bits.cursor, expected });
        }
        // The exact length, and no kind above its total, together prove that every kind is
        // complete: a missing piece would leave bits over.
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
        Ok(())
    }

    /// Reads and places the pieces other than kings.
    #[inline]
    fn read_board<P: PieceNotes>(
        &self,
        bits: &mut BitReader,
        setup: &mut Setup,
        pieces: &mut P,
        kings: Bitboard,
    ) {
        for king in kings {
            setup.board[king].into_iter().for_each(|piece| pieces.note(king, piece));
        }
        // `at` counts the squares without those of the kings, which have no bits.
        let mut skipped = kings.iter().enumerate().map(|(before, king)| king as usize - before);
        let nowhere = Square::COUNT;
        let skipped = [skipped.next().unwrap_or(nowhere), skipped.next().unwrap_or(nowhere)];
        let end = Square::COUNT - kings.len() as usize;
        let mut at = 0;
        let mut window = bits.window();
        while at < end {
            if window.left < RUN_BITS {
                bits.cursor += window.taken();
                window = bits.window();
            }
            let Run { empty, piece, bits } = self.board[window.bits as usize & RUN_MASK];
            let square = at + usize::from(empty);
            if square >= end {
                // The zeros at the end belong to the pieces off the board.
                window.skip((end - at) as u32);
                break;
            }
            window.skip(u32::from(bits));
            at = square;
            if let Some(piece) = piece {
                let index = at + usize::from(at >= skipped[0]) + usize::from(at >= skipped[1]);
                let square = Square::ALL[index];
                setup.board[square] = Some(piece);
                pieces.note(square, piece);
                at += 1;
            }
        }
        bits.cursor += window.taken();
    }

    #[inline]
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

/// The numbers of pieces in a stream after the board.
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
/// Black's hand comes before White's, each in a fixed order of kinds. A piece that follows one of
/// White's pieces, or a kind later in the order, is therefore White's. Otherwise it is taken as
/// Black's.
fn cut_color(last: Option<(Color, PieceKind)>, kind: PieceKind) -> Color {
    let place = |kind| OFF_BOARD_ORDER.iter().position(|&other| other == kind);
    match last {
        Some((Color::White, _)) => Color::White,
        Some((Color::Black, before)) if place(before) > place(kind) => Color::White,
        _ => Color::Black,
    }
}

/// Sets the entry of every 7-bit pattern whose lowest bits are `code`.
const fn fill(table: &mut [Option<(OffBoard, u8)>; 128], (code, bits): Code, piece: OffBoard) {
    let mut pattern = code as usize;
    while pattern < table.len() {
        assert!(table[pattern].is_none(), "no code begins another");
        table[pattern] = Some((piece, bits));
        pattern += 1 << bits;
    }
}

/// The square number of a missing king.
pub(super) const MISSING_KING: u8 = 81;

/// Reads and places the kings, and returns their squares.
#[inline]
fn read_kings(bits: &mut BitReader, setup: &mut Setup) -> Result<Bitboard, PackedError> {
    let mut kings = Bitboard::EMPTY;
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
        kings |= square.into();
    }
    if kings.is_empty() { Err(PackedError::NoKing) } else { Ok(kings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_codes_leave_no_gap_and_fit_the_space() {
        for codec in [&PACKED_SFEN, &HCP] {
            for (pattern, run) in codec.board.iter().enumerate() {
                let empty = (pattern.trailing_zeros()).min(RUN_BITS) as u8;
                assert_eq!(run.empty, empty);
                assert!(run.piece.is_some() || run.bits == empty && empty > 3, "{pattern:b}");
            }
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
