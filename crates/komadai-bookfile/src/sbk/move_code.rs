//! ShogiGUI's encoding of moves.
//!
//! Bits 0–3 the rank and 4–7 the file of the origin, 0 for a drop; 8–11 the rank and 12–15 the file
//! of the destination; 19 a promotion; 20–23 the captured piece; 24–27 the moved piece, before a
//! promotion; 28 and 31 a move of White. Pieces are P 1, L 2, N 3, S 4, G 5, B 6, R 7, K 8,
//! promoted ones 8 more.

use komadai_core::{Color, File, Move, PieceKind, Position, Rank, Square};

const KINDS: [PieceKind; 8] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::King,
];

const PROMOTION: u32 = 1 << 19;
const WHITE: u32 = 1 << 28 | 1 << 31;

/// The code of a legal move of a position.
pub(super) fn encode(position: &Position, m: Move) -> u32 {
    let origin = m.from().map_or(0, square_code);
    let taken = position.piece_on(m.to()).map_or(0, |piece| kind_code(piece.kind()));
    let moved = m.from().and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
    let moved = moved.or(m.dropped()).map_or(0, kind_code);
    let promotion = if m.is_promotion() { PROMOTION } else { 0 };
    let white = if position.side() == Color::White { WHITE } else { 0 };
    origin | square_code(m.to()) << 8 | promotion | taken << 20 | moved << 24 | white
}

/// The move of a code. Only the kind of a dropped piece is read: the other pieces follow from the
/// position.
pub(super) fn decode(code: u32) -> Option<Move> {
    let to = square(code >> 8)?;
    let promotes = code & PROMOTION != 0;
    if code & 0xff == 0 {
        let kind = *KINDS.get((code >> 24 & 15).checked_sub(1)? as usize)?;
        return (kind.is_hand_kind() && !promotes).then(|| Move::drop(kind, to));
    }
    let from = square(code)?;
    match promotes {
        _ if from == to => None,
        true => Some(Move::promotion(from, to)),
        false => Some(Move::new(from, to)),
    }
}

fn square_code(square: Square) -> u32 {
    (square.file().index() as u32 + 1) << 4 | (square.rank().index() as u32 + 1)
}

fn square(code: u32) -> Option<Square> {
    let index = |digit: u32| (digit & 15).checked_sub(1).map(|index| index as usize);
    let rank = *Rank::ALL.get(index(code)?)?;
    let file = *File::ALL.get(index(code >> 4)?)?;
    Some(Square::new(file, rank))
}

fn kind_code(kind: PieceKind) -> u32 {
    let base = KINDS.iter().position(|&other| other == kind.unpromoted());
    let base = base.expect("all unpromoted kinds are listed") as u32 + 1;
    if kind.is_promoted() { base + 8 } else { base }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;

    use super::*;

    #[test]
    fn the_numbers_of_a_sample_are_written_and_read() {
        let start = Position::hirate();
        let m = |text: &str| text.parse().expect("a move");
        assert_eq!(encode(&start, m("2g2f")), 16_786_983);
        assert_eq!(encode(&start, m("7g7f")), 16_807_543);
        let after = start.after(m("7g7f"));
        assert_eq!(encode(&after, m("3c3d")), 18_446_744_071_847_294_003_u64 as u32);
        let after = after.after(m("3c3d"));
        // The bishop captures the bishop and is promoted.
        assert_eq!(encode(&after, m("8h2b+")), 0x0668_2288);
    }

    #[test]
    fn every_legal_move_is_read_as_it_was_written() {
        // The position of 593 moves, and its reverse.
        let text = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let most = Position::from_sfen(text).expect("a position");
        for position in [Position::hirate(), most.flipped(), most] {
            for m in &position.legal_moves() {
                assert_eq!(decode(encode(&position, m)), Some(m), "{m}");
            }
        }
        assert_eq!(decode(0), None);
        assert_eq!(decode(0xffff_ffff), None);
    }
}
