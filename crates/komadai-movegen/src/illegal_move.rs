//! The reasons why a move is illegal, with the squares and pieces concerned.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square, attacks};

use crate::fault::{Fault, own_pawn_on_file};

/// The reason why a move is illegal (反則): the rule that it breaks, and the squares and pieces that
/// show it.
///
/// The variants are in the order in which the rules are checked.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Square};
/// use komadai_movegen::{IllegalMove, MoveGen};
///
/// let position = Position::from_sfen("4k4/9/4r4/9/9/9/9/4S4/4K4 b - 1")?;
/// let error = position.check_legality("5h6g".parse()?).unwrap_err();
/// let IllegalMove::Pinned { pinner, .. } = error else { panic!("{error}") };
/// assert_eq!(pinner, Square::S53);
/// assert_eq!(error.to_string(), "the piece on 5h is pinned to the king on 5i by 5c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// There is no piece to move.
    #[error("there is no piece on {square}")]
    NoPiece {
        /// The empty origin.
        square: Square,
    },
    /// The piece belongs to the opponent.
    #[error("the {:?} on {square} is {:?}'s, but {:?} is to move", .piece.kind(), .piece.color(), .piece.color().opponent())]
    NotYourPiece {
        /// The piece.
        piece: Piece,
        /// The origin.
        square: Square,
    },
    /// A piece of the side to move stands on the destination.
    #[error("an own piece, {:?}, stands on {square}", .piece.kind())]
    OwnPieceOnTarget {
        /// The piece in the way.
        piece: Piece,
        /// The destination.
        square: Square,
    },
    /// The move captures the opponent's king, which stood in check and did not move away. No valid
    /// [`Position`] allows such a move; records of play against the rules have it.
    #[error("it captures {:?}'s king on {square}", .king.color())]
    CapturesKing {
        /// The king.
        king: Piece,
        /// Its square, the destination.
        square: Square,
    },
    /// The piece cannot make such a move even on an empty board.
    #[error("a {:?} on {from} does not go to {to}", .piece.kind())]
    CannotReach {
        /// The moving piece.
        piece: Piece,
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
    },
    /// A piece stands between origin and destination.
    #[error("the piece on {by} is in the way from {from} to {to}")]
    Blocked {
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
        /// The first occupied square in the way.
        by: Square,
    },
    /// The kind has no promotion (gold, king) or is already promoted.
    #[error("a {:?} does not promote", .piece.kind())]
    CannotPromote {
        /// The moving piece.
        piece: Piece,
    },
    /// The move neither starts nor ends in the promotion zone.
    #[error("neither {from} nor {to} is within the last three ranks, so nothing promotes")]
    OutsidePromotionZone {
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
    },
    /// The piece could never move again unless it promotes (行き所のない駒).
    #[error("a {:?} must promote on {square}: it could never move again", .piece.kind())]
    MustPromote {
        /// The moving piece.
        piece: Piece,
        /// The destination.
        square: Square,
    },
    /// The king would step onto an attacked square.
    #[error("the king would be in check on {square} from {attacker}")]
    KingIntoCheck {
        /// The king's destination.
        square: Square,
        /// An attacking piece.
        attacker: Square,
    },
    /// The piece is not in hand.
    #[error("{color:?} has no {:?} in hand", .kind)]
    NotInHand {
        /// The side to move.
        color: Color,
        /// The missing kind.
        kind: PieceKind,
    },
    /// The destination of a drop is occupied.
    #[error("{square} is occupied by {:?}'s {:?}", .piece.color(), .piece.kind())]
    Occupied {
        /// The piece there.
        piece: Piece,
        /// The destination.
        square: Square,
    },
    /// A piece is dropped on a square from which it could never move (行き所のない駒).
    #[error("a {:?} dropped on {square} could never move", .kind)]
    #[doc(alias = "行き所のない駒")]
    DeadDrop {
        /// The dropped kind.
        kind: PieceKind,
        /// The destination.
        square: Square,
    },
    /// A pawn is dropped on a file that has an own unpromoted pawn (二歩, nifu).
    #[error("{square} is on a file that has an own unpromoted pawn on {pawn}")]
    #[doc(alias = "二歩")]
    Nifu {
        /// The destination.
        square: Square,
        /// The square of that pawn.
        pawn: Square,
    },
    /// The own king is in check, and the move does not parry it.
    #[error("the king on {king} stays in check from {checker}")]
    LeavesKingInCheck {
        /// The own king.
        king: Square,
        /// The checking piece.
        checker: Square,
    },
    /// Two pieces give check at once: only the king can move.
    #[doc(alias = "両王手")]
    #[error("{first} and {second} both check the king on {king}, which therefore has to move")]
    DoubleCheck {
        /// The own king.
        king: Square,
        /// One checking piece.
        first: Square,
        /// Another.
        second: Square,
    },
    /// The piece leaves the line between its king and an enemy slider.
    #[doc(alias = "ピン")]
    #[error("the piece on {from} is pinned to the king on {king} by {pinner}")]
    Pinned {
        /// The pinned piece.
        from: Square,
        /// The own king.
        king: Square,
        /// The pinning piece.
        pinner: Square,
    },
    /// A dropped pawn gives mate (打ち歩詰め, uchifuzume).
    #[error("a pawn dropped on {square} would mate the king on {king}")]
    #[doc(alias("打ち歩詰め", "打歩詰", "uchifuzume"))]
    PawnDropMate {
        /// The destination.
        square: Square,
        /// The mated king.
        king: Square,
    },
}

impl IllegalMove {
    /// Adds the squares and pieces concerned to the rule `fault` that `m` breaks.
    #[cold]
    pub(crate) fn explain(position: &Position, m: Move, fault: Fault) -> Self {
        let us = position.side();
        let to = m.to();
        let from = m.from().unwrap_or(to);
        let piece_on = |square| position.piece_on(square).expect("the fault implies a piece there");
        let own_king = || position.king_square(us).expect("the fault implies a king");
        let kind = || m.dropped().expect("the fault implies a drop");
        match fault {
            Fault::NoPiece => Self::NoPiece { square: from },
            Fault::NotYourPiece => Self::NotYourPiece { piece: piece_on(from), square: from },
            Fault::OwnPieceOnTarget => Self::OwnPieceOnTarget { piece: piece_on(to), square: to },
            Fault::CannotReach => Self::unreached(position, piece_on(from), from, to),
            Fault::CannotPromote => Self::CannotPromote { piece: piece_on(from) },
            Fault::OutsidePromotionZone => Self::OutsidePromotionZone { from, to },
            Fault::MustPromote => Self::MustPromote { piece: piece_on(from), square: to },
            Fault::KingIntoCheck => {
                let occupied = position.occupied() - from.into();
                let attackers = position.attackers_to(!us, to, occupied);
                let attacker = attackers.first().expect("the fault implies one");
                Self::KingIntoCheck { square: to, attacker }
            }
            Fault::NotInHand => Self::NotInHand { color: us, kind: kind() },
            Fault::Occupied => Self::Occupied { piece: piece_on(to), square: to },
            Fault::DeadDrop => Self::DeadDrop { kind: kind(), square: to },
            Fault::Nifu => {
                let pawn = own_pawn_on_file(position, to).expect("the fault implies one");
                Self::Nifu { square: to, pawn }
            }
            Fault::LeavesKingInCheck => Self::unparried(position, own_king()),
            Fault::Pinned => {
                let king = own_king();
                let occupied = position.occupied() - from.into();
                let line = attacks::ray(king, from);
                let pinner = (position.attackers_to(!us, king, occupied) & line)
                    .first()
                    .expect("the fault implies one");
                Self::Pinned { from, king, pinner }
            }
            Fault::PawnDropMate => {
                let king = position.king_square(!us).expect("the fault implies a king");
                Self::PawnDropMate { square: to, king }
            }
        }
    }

    fn unreached(position: &Position, piece: Piece, from: Square, to: Square) -> Self {
        let open = attacks::of(piece.color(), piece.kind(), from, komadai_core::Bitboard::EMPTY);
        let in_the_way = attacks::between(from, to) & position.occupied();
        match in_the_way.iter().min_by_key(|by| by.distance(from)) {
            Some(by) if open.contains(to) => Self::Blocked { from, to, by },
            _ => Self::CannotReach { piece, from, to },
        }
    }

    fn unparried(position: &Position, king: Square) -> Self {
        let mut checkers = position.checkers().iter();
        let checker = checkers.next().expect("the fault implies one");
        match checkers.next() {
            None => Self::LeavesKingInCheck { king, checker },
            Some(second) => Self::DoubleCheck { king, first: checker, second },
        }
    }
}
