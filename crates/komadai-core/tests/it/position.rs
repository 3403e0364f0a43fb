//! Validation of positions, and doing and undoing moves without loss.

use komadai_core::{
    Bitboard, BoardObserver, Color, File, Hand, Move, NoObserver, Piece, PieceKind, Position,
    PositionError, Setup, Square,
};

fn fault_of(sfen: &str) -> PositionError {
    let setup = Setup::from_sfen(sfen).expect("the text is well formed");
    Position::from_setup(&setup).expect_err("the setup breaks a rule")
}

#[test]
fn each_broken_rule_is_reported_with_its_square() {
    assert_eq!(fault_of("9/9/9/9/9/9/9/9/9 b - 1"), PositionError::NoKing);
    assert_eq!(
        fault_of("4k4/9/9/9/9/9/9/9/3KK4 b - 1"),
        PositionError::TwoKings { color: Color::Black, first: Square::S59, second: Square::S69 },
    );
    assert_eq!(
        fault_of("4k4/9/9/4P4/9/9/4P4/9/4K4 b - 1"),
        PositionError::Nifu { color: Color::Black, file: File::F5 },
    );
    assert_eq!(
        fault_of("4k4/9/9/9/9/9/9/3n5/4K4 b - 1"),
        PositionError::NoFutureMove { piece: Piece::WhiteKnight, square: Square::S68 },
    );
    assert_eq!(
        fault_of("4k4/9/9/9/9/9/9/9/4R3K b - 1"),
        PositionError::OpponentInCheck {
            color: Color::White,
            king: Square::S51,
            checker: Square::S59,
        },
    );
    let mut setup = Setup::hirate();
    setup.hands[0] = Hand::EMPTY.with(PieceKind::Rook, 1);
    assert_eq!(
        Position::from_setup(&setup),
        Err(PositionError::TooManyPieces { kind: PieceKind::Rook, count: 3, max: 2 }),
    );
}

#[test]
fn promoted_pieces_count_as_their_unpromoted_kind_but_not_for_nifu() {
    let setup = Setup::from_sfen("4k4/9/9/4+P4/9/9/4P4/9/4K4 b - 1").expect("well formed");
    assert_eq!(setup.count(PieceKind::Pawn), 2);
    assert!(Position::from_setup(&setup).is_ok());
}

#[test]
fn any_number_of_checkers_and_a_missing_king_are_accepted() {
    let many = Position::from_sfen("4k4/9/9/9/4r4/9/3n5/4g4/4K4 b - 1").expect("a position");
    assert_eq!(many.checkers(), [Square::S67, Square::S58].into_iter().collect::<Bitboard>());
    let tsume = Position::from_sfen("7nk/9/8G/9/9/9/9/9/9 b P 1").expect("a position");
    assert_eq!(tsume.king_square(Color::Black), None);
    assert!(!tsume.in_check());
}

#[test]
fn nothing_is_undone_at_the_start() {
    let starts = [
        Position::hirate(),
        Position::from_sfen("7nk/9/8G/9/9/9/9/9/9 w P 7").expect("a position"),
        Position::hirate().after("7g7f".parse().expect("a move")).without_history(),
    ];
    for start in starts {
        let mut position = start.clone();
        for _ in 0..3 {
            assert_eq!(position.undo_move(), None);
            position.undo_null_move();
            assert_eq!(position.undo_move_with(&mut NoObserver), None);
            assert_eq!(position, start);
        }
    }
}

#[test]
fn a_loop_takes_back_all_moves() {
    let moves: Vec<Move> =
        "7g7f 3c3d 8h2b+ 3a2b B*5e".split(' ').map(|m| m.parse().expect("a move")).collect();
    let mut position = Position::hirate();
    moves.iter().for_each(|&m| position.do_move(m));
    let mut undone = Vec::new();
    while let Some(m) = position.undo_move() {
        undone.push(m);
    }
    undone.reverse();
    assert_eq!((undone, position), (moves, Position::hirate()));
}

#[test]
fn a_null_move_stops_the_loop_but_not_the_way_back() {
    let first: Move = "7g7f".parse().expect("a move");
    let mut position = Position::hirate();
    position.do_move(first);
    position.do_null_move();
    assert_eq!((position.undo_move(), position.history().len()), (None, 1));
    assert_eq!((position.undo_move(), position.history().len()), (Some(first), 0));
    assert_eq!((position.undo_move(), position.history().len()), (None, 0));
}

/// An observer that keeps its own board and hands.
#[derive(Clone, Debug, PartialEq)]
struct Mirror(Setup);

impl BoardObserver for Mirror {
    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.board[square].take(), Some(piece), "removed what was there");
    }

    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.board[square].replace(piece), None, "put on an empty square");
    }

    fn hand_changed(&mut self, color: Color, hand: Hand) {
        self.0.hands[color] = hand;
    }
}

/// A game with captures, promotions, drops and king moves.
const GAME: &str = "7g7f 3c3d 8h2b+ 3a2b B*5e 5a6b 5e2b+ B*4e 2b1a 4e2g+ 1a2a 2g2h 3i2h R*2f 2a3a 2f2h+ \
                    3a4a 6a5a 4a5a 6b7b S*6b 7b8d";

#[test]
fn an_observer_receives_every_change_in_both_directions() {
    let mut position = Position::hirate();
    let mut mirror = Mirror(position.to_setup());
    let moves: Vec<Move> =
        GAME.split_whitespace().take(20).map(|m| m.parse().expect("a move")).collect();
    let mut before = Vec::new();
    for &m in &moves {
        before.push((position.clone(), mirror.clone()));
        position.do_move_with(m, &mut mirror);
        assert_eq!(
            (mirror.0.board, mirror.0.hands),
            (position.to_setup().board, position.to_setup().hands)
        );
        let rebuilt = Position::from_setup(&position.to_setup()).expect("still a position");
        assert_eq!(rebuilt.key(), position.key(), "after {m}");
        assert_eq!(rebuilt.checkers(), position.checkers(), "after {m}");
        assert_eq!(rebuilt, position.without_history(), "after {m}");
    }
    assert_eq!(
        position.moves().collect::<Vec<_>>(),
        moves.iter().copied().map(Some).collect::<Vec<_>>()
    );
    for (position_before, mirror_before) in before.into_iter().rev() {
        position.undo_move_with(&mut mirror);
        assert_eq!((&position, &mirror), (&position_before, &mirror_before));
    }
}

#[test]
fn a_null_move_changes_the_side_and_hides_the_past() {
    let mut position = Position::hirate();
    position.do_move("7g7f".parse().expect("a move"));
    let before = position.clone();
    position.do_null_move();
    assert_eq!(position.side(), Color::Black);
    assert_eq!(position.key() ^ before.key(), 1, "only the side to move changes");
    assert!(position.reversible_history().is_empty());
    position.undo_null_move();
    assert_eq!(position, before);
}

/// Moves that no piece can make, which debug builds refuse.
#[cfg(debug_assertions)]
#[test]
fn debug_builds_catch_unreachable_moves() {
    let opened = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    for (m, obstacle) in [
        ("P*5e", "no such piece in hand"),
        ("7f7d", "does not go there"),
        ("8h8f", "does not go there"),
        ("8h1a+", "does not go there"),
        ("5e5d", "no piece of the side to move"),
        ("3d3e", "no piece of the side to move"),
        ("9i9g", "an own piece"),
        ("7f7e+", "no promotion"),
    ] {
        let mut position = Position::from_sfen(opened).expect("a position");
        let m: Move = m.parse().expect("a move");
        let panic = std::panic::catch_unwind(move || position.do_move(m)).expect_err("a panic");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.contains(obstacle) && text.contains(opened), "{text}");
    }
    for (sfen, m, obstacle) in [
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5i", "occupied"),
        ("k8/4G4/9/9/9/9/9/9/4K4 b - 1", "5b4b+", "no promotion"),
    ] {
        let m: Move = m.parse().expect("a move");
        let done = std::panic::catch_unwind(|| {
            Position::from_sfen(sfen).map(|mut position| position.do_move(m))
        });
        let panic = done.expect_err("a panic");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.contains(obstacle), "{text}");
    }
}
