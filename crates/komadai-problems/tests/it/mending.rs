//! Help for composers: a piece whose absence cooks a problem is found again, and a needless one is
//! named.

use komadai_core::{Color, Piece, Position, Square};
use komadai_problems::{Flaw, Mender, Place, problems};

/// Returns the position without the piece on the square, which goes to the defender's hand.
fn taken_out(position: &Position, square: Square) -> Position {
    let mut setup = position.to_setup();
    let kind = setup.board[square].take().expect("a piece").kind().unpromoted();
    setup.hands[1] = setup.hands[1].with(kind, setup.hands[1].count(kind) + 1);
    Position::from_setup(&setup).unwrap()
}

#[test]
fn a_piece_that_guards_against_a_cook_is_found_again() {
    let mut mender = Mender::new(100_000);
    let mut mended = 0;
    for problem in problems().filter(|problem| problem.plies() == 5).take(40) {
        for removal in mender.removals(&problem.position) {
            let (Place::Board(square), Err(Flaw::Cook { .. })) = (removal.place, &removal.without)
            else {
                continue;
            };
            let piece = problem.position.piece_on(square).expect("a piece");
            let cooked = taken_out(&problem.position, square);
            let king = cooked.king_square(Color::White).expect("a king");
            let repairs = mender.repairs(&cooked, u32::from(square.distance(king)));
            let repairs = repairs.expect("the first flaw is a cook");
            let same = |repair: &&komadai_problems::Repair| {
                (repair.square, repair.piece) == (square, piece)
            };
            let repair = repairs.iter().find(same).expect("the piece that was taken out");
            assert_eq!(repair.problem.position, problem.position);
            for repair in &repairs {
                assert!(mender.judge(&repair.problem.position).is_ok(), "{repair:?}");
            }
            mended += 1;
            break;
        }
        if mended == 2 {
            return;
        }
    }
    panic!("{mended} problems with a guard");
}

#[test]
fn a_needless_piece_is_named() {
    let mut mender = Mender::new(100_000);
    let problem = problems().find(|problem| problem.plies() == 3).expect("one of 3 plies");
    let removals = mender.removals(&problem.position);
    assert!(removals.iter().all(|removal| !removal.is_needless(3)), "{problem}: {removals:?}");
    assert_eq!(mender.repairs(&problem.position, 2), Ok(Vec::new()), "there is nothing to mend");

    // A pawn in the farthest corner from the king changes nothing.
    let king = problem.position.king_square(Color::White).expect("a king");
    let corners = [Square::S18, Square::S98, Square::S12, Square::S92];
    let corner = corners.into_iter().max_by_key(|corner| corner.distance(king)).expect("four");
    let mut setup = problem.position.to_setup();
    setup.board[corner] = Some(Piece::WhiteLance);
    let lances = setup.hands[1].count(komadai_core::PieceKind::Lance);
    setup.hands[1] = setup.hands[1].with(komadai_core::PieceKind::Lance, lances - 1);
    let with_lance = Position::from_setup(&setup).unwrap();
    let needless: Vec<_> = mender.removals(&with_lance);
    let needless = needless.iter().filter(|removal| removal.is_needless(3));
    assert_eq!(needless.map(|removal| removal.place).collect::<Vec<_>>(), [Place::Board(corner)]);
}

#[test]
fn what_is_no_cook_cannot_be_mended() {
    let mut mender = Mender::new(10_000);
    let bare = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1").unwrap();
    assert_eq!(mender.repairs(&bare, 2), Err(Flaw::NoMate));
}
