//! The legality test is correct for every possible move, and returns the right reason.

use std::collections::BTreeSet;

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::{IllegalMove, MoveGen};
use proptest::prelude::*;

use crate::oracle::positions::on_positions;

#[test]
fn every_bit_pattern_is_legal_exactly_if_it_is_generated() {
    on_positions(150, |position| {
        let legal: BTreeSet<Move> = position.legal_moves().iter().copied().collect();
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            prop_assert_eq!(position.is_legal(m), legal.contains(&m), "{}", m);
            let checked = position.check_legality(m);
            prop_assert_eq!(checked.is_ok(), legal.contains(&m), "{}", m);
        }
        Ok(())
    });
}

fn reason(sfen: &str, usi: &str) -> IllegalMove {
    let position = Position::from_sfen(sfen).unwrap();
    position.check_legality(usi.parse().unwrap()).unwrap_err()
}

/// A position, a move, the expected reason and its text.
type Reason<'a> = (&'a str, &'a str, IllegalMove, &'a str);

fn assert_reasons(cases: &[Reason<'_>]) {
    for (sfen, usi, expected, text) in cases {
        let found = reason(sfen, usi);
        assert_eq!(found, *expected, "{sfen} {usi}");
        assert_eq!(found.to_string(), *text);
    }
}

#[test]
fn each_reason_of_a_board_move_is_given_with_its_squares() {
    use IllegalMove as Illegal;
    use Square::*;
    const START: &str = komadai_testdata::positions::STARTPOS;
    let (pawn, gold) = (Piece::BlackPawn, Piece::BlackGold);
    assert_reasons(&[
        (START, "5e5d", Illegal::NoPiece { square: S55 }, "there is no piece on 5e"),
        (
            START,
            "3c3d",
            Illegal::NotYourPiece { piece: Piece::WhitePawn, square: S33 },
            "the Pawn on 3c is White's, but Black is to move",
        ),
        (
            START,
            "9i9g",
            Illegal::OwnPieceOnTarget { piece: pawn, square: S97 },
            "an own piece, Pawn, stands on 9g",
        ),
        (
            START,
            "7g7e",
            Illegal::CannotReach { piece: pawn, from: S77, to: S75 },
            "a Pawn on 7g does not go to 7e",
        ),
        (
            START,
            "8h5e",
            Illegal::Blocked { from: S88, to: S55, by: S77 },
            "the piece on 7g is in the way from 8h to 5e",
        ),
        (
            "k8/9/4G4/9/9/9/9/9/8K b - 1",
            "5c5b+",
            Illegal::CannotPromote { piece: gold },
            "a Gold does not promote",
        ),
        (
            START,
            "7g7f+",
            Illegal::OutsidePromotionZone { from: S77, to: S76 },
            "neither 7g nor 7f is within the last three ranks, so nothing promotes",
        ),
        (
            "k8/4P4/9/9/9/9/9/9/8K b - 1",
            "5b5a",
            Illegal::MustPromote { piece: pawn, square: S51 },
            "a Pawn must promote on 5a: it could never move again",
        ),
        (
            "k7r/9/9/9/9/9/9/9/7K1 b - 1",
            "2i1i",
            Illegal::KingIntoCheck { square: S19, attacker: S11 },
            "the king would be in check on 1i from 1a",
        ),
    ]);
}

#[test]
fn each_reason_of_drops_and_checks_is_given_with_its_squares() {
    use IllegalMove as Illegal;
    use Square::*;
    const START: &str = komadai_testdata::positions::STARTPOS;
    assert_reasons(&[
        (
            START,
            "P*5e",
            Illegal::NotInHand { color: Color::Black, kind: PieceKind::Pawn },
            "Black has no Pawn in hand",
        ),
        (
            "4k4/9/9/9/9/9/9/9/4K4 b G 1",
            "G*5a",
            Illegal::Occupied { piece: Piece::WhiteKing, square: S51 },
            "5a is occupied by White's King",
        ),
        (
            "4k4/9/9/9/9/9/9/9/4K4 w n 1",
            "N*1h",
            Illegal::DeadDrop { kind: PieceKind::Knight, square: S18 },
            "a Knight dropped on 1h could never move",
        ),
        (
            "4k4/9/9/9/9/9/4P4/9/4K4 b P 1",
            "P*5b",
            Illegal::Nifu { square: S52, pawn: S57 },
            "5b is on a file that has an own unpromoted pawn on 5g",
        ),
        (
            "4k4/9/9/9/4r4/9/9/9/4K4 b G 1",
            "G*6h",
            Illegal::LeavesKingInCheck { king: S59, checker: S55 },
            "the king on 5i stays in check from 5e",
        ),
        (
            "4k4/9/9/9/4r4/9/3n5/9/4K4 b G 1",
            "G*5h",
            Illegal::DoubleCheck { king: S59, first: S55, second: S67 },
            "5e and 6g both check the king on 5i, which therefore has to move",
        ),
        (
            "4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1",
            "5g6g",
            Illegal::Pinned { from: S57, king: S59, pinner: S55 },
            "the piece on 5g is pinned to the king on 5i by 5e",
        ),
        (
            "7nk/9/8G/9/9/9/9/9/4K4 b P 1",
            "P*1b",
            Illegal::PawnDropMate { square: S12, king: S11 },
            "a pawn dropped on 1b would mate the king on 1a",
        ),
    ]);
}

/// A move may break several rules; the reason is the one a player would name.
#[test]
fn the_plainest_reason_comes_first() {
    // The gold is pinned, but that is not why it cannot jump.
    let jump = reason("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", "5g2g");
    assert!(matches!(jump, IllegalMove::CannotReach { .. }));
    // A second pawn on the file that would also mate.
    let nifu = reason("7nk/9/8G/8P/9/9/9/9/4K4 b P 1", "P*1b");
    assert!(matches!(nifu, IllegalMove::Nifu { .. }));
}
