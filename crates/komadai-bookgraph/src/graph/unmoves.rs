//! Unmoves: moves taken back, to find the positions from which a move leads to a position
//! (retrograde move generation).

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{
    Bitboard, Color, Hand, Move, PackedSfen, Piece, PieceKind, Position, Square, attacks,
};
use komadai_movegen::check_legality;
use smallvec::SmallVec;

use super::positions::Positions;

/// A position of the book from which a legal move leads to a given position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Predecessor {
    /// The number of the position.
    pub(crate) from: u32,
    /// The move, in the orientation of `from` with Black to move.
    pub(crate) m: Move,
}

impl Positions {
    /// The positions from which a legal move leads to the position with this number.
    ///
    /// Takes moves back: each piece of the side that has moved may have been dropped, or have moved
    /// there with or without promotion, and may have captured any piece that the side holds. That
    /// gives some hundred positions, whose keys are looked up. Each hit is checked by making the
    /// move.
    pub(crate) fn predecessors(&self, number: u32) -> Vec<Predecessor> {
        let after = self.black_to_move(number);
        let mut found = Vec::new();
        for_each_unmove(&after, |unmove| {
            let zobrist_key = unmove.zobrist_key(&after);
            let is_it = |key: &PositionKey| unmove.key(&after).as_ref() == Some(key);
            if let Some(from) = self.find_by_zobrist_key(zobrist_key, is_it) {
                let m = unmove.m.flipped();
                // The book may contain the position although the move is illegal there, for example
                // because it drops a second pawn on a file.
                if check_legality(&self.black_to_move(from), m).is_ok() {
                    found.push(Predecessor { from, m });
                }
            }
        });
        found
    }
}

/// A move of White that is taken back, and the changes that this makes.
///
/// Positions are stored with Black to move, so White made the last move.
#[derive(Debug, Clone, Copy)]
struct Unmove {
    m: Move,
    /// The square that the piece came from, and the piece before the move; `None` for a drop.
    from: Option<(Square, Piece)>,
    /// The piece that the move captured.
    captured: Option<Piece>,
    /// The hand of White before the move.
    hand: Hand,
}

impl Unmove {
    fn squares(&self) -> impl Iterator<Item = (Square, Option<Piece>)> {
        let from = self.from.map(|(square, piece)| (square, Some(piece)));
        [(self.m.to(), self.captured)].into_iter().chain(from)
    }

    fn hands(&self, after: &Position) -> [Hand; 2] {
        [after.hand(Color::Black), self.hand]
    }

    /// The Zobrist key of the position before the move, with White to move.
    fn zobrist_key(&self, after: &Position) -> u64 {
        let squares: SmallVec<[_; 2]> = self.squares().collect();
        after.key_with(&squares, self.hands(after), Color::White)
    }

    /// The key of the position before the move; `None` if there is no such position.
    fn key(&self, after: &Position) -> Option<PositionKey> {
        let mut setup = after.to_setup();
        for (square, piece) in self.squares() {
            setup.board[square] = piece;
        }
        (setup.hands, setup.side) = (self.hands(after), Color::White);
        // A key holds the orientation with Black to move, and here White is to move.
        let packed = PackedSfen::from_setup(&setup.flipped()).ok()?;
        Some(PositionKey::from_packed(&packed))
    }
}

/// Takes back every move with which White may have reached a position with Black to move. Some of
/// them may be illegal.
fn for_each_unmove(after: &Position, mut visit: impl FnMut(Unmove)) {
    let occupied = after.occupied();
    let hand = after.hand(Color::White);
    for to in after.color(Color::White) {
        let Some(kind) = after.piece_on(to).map(Piece::kind) else { continue };
        if kind.is_hand_kind() {
            // The dropped piece was in the hand before.
            let hand = hand.with(kind, hand.count(kind) + 1);
            visit(Unmove { m: Move::drop(kind, to), from: None, captured: None, hand });
        }
        for_each_origin(kind, to, occupied, |from, before, m| {
            let from = Some((from, Piece::new(Color::White, before)));
            visit(Unmove { m, from, captured: None, hand });
            for (taken, count) in hand.iter() {
                // A captured piece enters the hand unpromoted, so it may have been promoted on the
                // board.
                let hand = hand.with(taken, count - 1);
                for taken in [Some(taken), taken.promoted()].into_iter().flatten() {
                    let captured = Some(Piece::new(Color::Black, taken));
                    visit(Unmove { m, from, captured, hand });
                }
            }
        });
    }
}

/// Visits the squares from which a white piece, now of `kind` on `to`, may have moved, with its
/// kind before the move.
fn for_each_origin(
    kind: PieceKind,
    to: Square,
    occupied: Bitboard,
    mut visit: impl FnMut(Square, PieceKind, Move),
) {
    let zone = Bitboard::far_ranks(Color::White, 3);
    // White reaches `to` from the squares that a black piece on `to` attacks.
    let origins = |before| attacks::of(Color::Black, before, to, occupied) - occupied;
    for from in origins(kind) {
        visit(from, kind, Move::new(from, to));
    }
    if kind.is_promoted() {
        for from in origins(kind.unpromoted()) {
            // A move into, within or out of the zone may promote.
            if zone.contains(from) || zone.contains(to) {
                visit(from, kind.unpromoted(), Move::promotion(from, to));
            }
        }
    }
}
