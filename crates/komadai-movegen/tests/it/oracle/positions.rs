//! Positions for comparisons: from random play, which resemble real games; random arrangements,
//! which cover cases that are rare in games; and kings surrounded by enemies, with frequent mates.

use komadai_core::{Color, Hand, Piece, PieceKind, Position, PositionError, Setup, Square};
use komadai_movegen::MoveGen;
use komadai_testdata::{perft, positions};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Runs `check` on `cases` positions of each sort.
///
/// Failures are shrunk to fewer moves and fewer pieces.
pub(crate) fn on_positions(
    cases: u32,
    check: impl Fn(Position) -> Result<(), TestCaseError> + Copy,
) {
    runner(cases).run(&played(), check).unwrap();
    runner(cases).run(&arranged(), check).unwrap();
    runner(cases).run(&besieged(), check).unwrap();
    runner(cases).run(&irregular(), check).unwrap();
}

/// A test runner with a fixed seed, unless `PROPTEST_RNG_SEED` sets another.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let mut config = Config { cases, failure_persistence: None, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_260_101);
    }
    TestRunner::new(config)
}

/// A position after up to 150 random moves from one of many starts, with its history.
pub(crate) fn played() -> impl Strategy<Value = Position> {
    let starts: Vec<&str> = perft::rows()
        .chain(perft::one_king_rows())
        .filter(|row| row.depth == 1)
        .map(|row| row.sfen)
        .collect();
    let start = prop_oneof![Just(positions::STARTPOS), prop::sample::select(starts)];
    (start, prop::collection::vec(any::<u16>(), 0..150)).prop_map(|(sfen, choices)| {
        let mut position = Position::from_sfen(sfen).unwrap();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[usize::from(choice) % moves.len()]);
        }
        position
    })
}

/// The colour, promotion and place of one piece.
#[derive(Debug, Clone, Copy)]
struct Fate {
    square: usize,
    color: Color,
    promoted: bool,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Nowhere,
    Hand,
    Board,
}

/// Any arrangement of any of the game's pieces that is a position: with one king or two, crowded
/// or empty, with any number of checkers.
pub(crate) fn arranged() -> impl Strategy<Value = Position> {
    arrangement(Position::from_setup)
}

/// An arrangement that no game may reach: several pawns of a side on a file, pieces that can never
/// move.
pub(crate) fn irregular() -> impl Strategy<Value = Position> {
    arrangement(Position::from_setup_leniently)
}

fn arrangement(validate: Validate) -> impl Strategy<Value = Position> {
    let place = prop_oneof![
        2 => Just(Place::Nowhere),
        1 => Just(Place::Hand),
        2 => Just(Place::Board),
    ];
    let color = prop_oneof![Just(Color::Black), Just(Color::White)];
    let fate = (0..81usize, color.clone(), any::<bool>(), place)
        .prop_map(|(square, color, promoted, place)| Fate { square, color, promoted, place });
    let kings = prop_oneof![
        4 => (0..81usize, 0..81usize).prop_map(|(black, white)| [Some(black), Some(white)]),
        1 => (0..81usize).prop_map(|white| [None, Some(white)]),
        1 => (0..81usize).prop_map(|black| [Some(black), None]),
    ];
    let fates = prop::collection::vec(fate, 38);
    (kings, fates, color)
        .prop_map(move |(kings, fates, side)| arrange(kings, &fates, side, validate))
}

/// A king surrounded by pieces, most of them of the opponent, some in hand; the opponent is to
/// move.
pub(crate) fn besieged() -> impl Strategy<Value = Position> {
    let place = prop_oneof![
        3 => Just(Place::Nowhere),
        1 => Just(Place::Hand),
        2 => Just(Place::Board),
    ];
    let near = (-3..=3i32, -3..=3i32);
    let fate = (near, prop::bool::weighted(0.7), any::<bool>(), place);
    let fates = prop::collection::vec(fate, 38);
    let sides = prop_oneof![Just(Color::Black), Just(Color::White)];
    let own_king = prop::option::weighted(0.6, (-4..=4i32, -4..=4i32));
    (sides, 0..81usize, own_king, fates).prop_map(|(side, king, own_king, fates)| {
        let near = |(files, ranks): (i32, i32)| {
            let file = (king as i32 / 9 + files).clamp(0, 8);
            let rank = (king as i32 % 9 + ranks).clamp(0, 8);
            (file * 9 + rank) as usize
        };
        let fates: Vec<Fate> = fates
            .into_iter()
            .map(|(offset, besieger, promoted, place)| {
                let color = if besieger { side } else { !side };
                Fate { square: near(offset), color, promoted, place }
            })
            .collect();
        let mut kings = [Some(king), own_king.map(near)];
        if side == Color::Black {
            kings.reverse();
        }
        arrange(kings, &fates, side, Position::from_setup)
    })
}

/// A constructor of positions.
type Validate = fn(&Setup) -> Result<Position, PositionError>;

fn arrange(kings: [Option<usize>; 2], fates: &[Fate], side: Color, validate: Validate) -> Position {
    let mut setup = Setup { side, ..Setup::empty() };
    for color in Color::ALL {
        // Kings on one square: the second goes missing, which leaves a position with one king.
        if let Some(square) = kings[color.index()].filter(|&s| setup.board[s].is_none()) {
            setup.board[square] = Some(Piece::new(color, PieceKind::King));
        }
    }
    let kinds = PieceKind::HAND
        .into_iter()
        .flat_map(|kind| std::iter::repeat_n(kind, PieceKind::TOTALS[kind.index()] as usize));
    for (kind, fate) in kinds.zip(fates) {
        match fate.place {
            Place::Nowhere => {}
            Place::Hand => hold(&mut setup, fate.color, kind),
            Place::Board if setup.board[fate.square].is_none() => {
                let kind = if fate.promoted { kind.promoted().unwrap_or(kind) } else { kind };
                setup.board[fate.square] = Some(Piece::new(fate.color, kind));
            }
            Place::Board => {}
        }
    }
    repaired(setup, validate)
}

fn hold(setup: &mut Setup, color: Color, kind: PieceKind) {
    let hand: Hand = setup.hands[color];
    setup.hands[color] = hand.with(kind, hand.count(kind) + 1);
}

/// Removes pieces until the setup is a valid position.
fn repaired(mut setup: Setup, validate: Validate) -> Position {
    loop {
        let offender = match validate(&setup) {
            Ok(position) => return position,
            Err(PositionError::Nifu { color, file }) => Square::ALL
                .into_iter()
                .find(|s| {
                    s.file() == file && setup.board[*s] == Some(Piece::new(color, PieceKind::Pawn))
                })
                .unwrap(),
            Err(PositionError::NoFutureMove { square, .. }) => square,
            Err(PositionError::OpponentInCheck { king, checker, .. }) => {
                // Of two kings side by side one has to go.
                let is_king = setup.board[checker].unwrap().kind() == PieceKind::King;
                if is_king { king } else { checker }
            }
            Err(other) => panic!("not for a piece on the board: {other}"),
        };
        setup.board[offender] = None;
    }
}
