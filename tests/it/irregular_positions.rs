//! Positions that no game reaches, through all that works on positions: nothing panics, and what
//! does not accept them says so.

use komadai::core::{
    Budget, Color, Hand, Hcp, PackedSfen, Piece, PieceKind, Position, PositionError, Setup,
    SplitMix64, Square,
};
use komadai::eval::{Classical, Evaluator, Material};
use komadai::movegen::{MateResult, MoveGen};
use komadai::nnue::{Network, Nnue};
use komadai::search::{AlphaBeta, SearchOptions, Searcher};
use komadai::tsume::{DfPn, DfPnOptions, Goal};

/// Returns a random irregular position: pawns gather on few files, and lances and knights far
/// ahead.
fn irregular(random: &mut SplitMix64) -> Position {
    loop {
        let mut setup = Setup { side: Color::ALL[random.below(2) as usize], ..Setup::empty() };
        let has_two_kings = random.below(4) > 0;
        for color in Color::ALL.into_iter().take(1 + usize::from(has_two_kings)) {
            let square = random.below(81) as usize;
            setup.board[square] = Some(Piece::new(color, PieceKind::King));
        }
        for kind in PieceKind::HAND {
            for _ in 0..PieceKind::TOTALS[kind.index()] {
                put(&mut setup, kind, random);
            }
        }
        match Position::from_setup_leniently(&setup) {
            Ok(position) if position.is_irregular() => return position,
            Ok(_) | Err(PositionError::OpponentInCheck { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn put(setup: &mut Setup, kind: PieceKind, random: &mut SplitMix64) {
    let color = Color::ALL[random.below(2) as usize];
    let files = if kind == PieceKind::Pawn { 3 } else { 9 };
    let square = (random.below(files) * 9 + random.below(9)) as usize;
    match random.below(4) {
        0 => {}
        1 => {
            let hand: Hand = setup.hands[color];
            setup.hands[color] = hand.with(kind, hand.count(kind) + 1);
        }
        _ if setup.board[square].is_none() => setup.board[square] = Some(Piece::new(color, kind)),
        _ => {}
    }
}

#[test]
fn texts_and_packed_forms_write_them_and_do_not_read_them_as_positions() {
    let mut random = SplitMix64::new(1);
    let mut packed = 0;
    for _ in 0..500 {
        let position = irregular(&mut random);
        let (setup, sfen) = (position.to_setup(), position.to_string());
        assert_eq!(Setup::from_sfen(&sfen).as_ref(), Ok(&setup));
        assert!(Position::from_sfen(&sfen).is_err(), "{sfen}");
        assert!(Position::from_setup(&setup).is_err(), "{sfen}");
        for turned in [position.flipped(), position.mirrored(), position.without_history()] {
            assert!(turned.is_irregular(), "{sfen}");
        }
        assert_eq!(position.flipped().flipped().to_setup(), setup);
        if let Ok(bytes) = PackedSfen::of(&position) {
            packed += 1;
            assert_eq!(bytes.to_setup(), Ok(setup.clone()));
            assert!(bytes.position().is_err(), "{sfen}");
            assert_eq!(PackedSfen::of_flipped(&position), PackedSfen::of(&position.flipped()));
        }
        if let Ok(bytes) = Hcp::of(&position) {
            assert_eq!(bytes.to_setup(), Ok(setup));
            assert!(bytes.position().is_err(), "{sfen}");
        }
    }
    assert!(packed > 300);
}

#[test]
fn searches_and_evaluations_work_on_them() {
    let mut random = SplitMix64::new(2);
    let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
    let network = Nnue::new(Network::bundled());
    let mut by_network = AlphaBeta::new(network, SearchOptions::default());
    for _ in 0..60 {
        let position = irregular(&mut random);
        let legal = position.legal_moves();
        for found in [
            searcher.search(&position, &Budget::nodes(300), &mut |_| {}),
            by_network.search(&position, &Budget::nodes(300), &mut |_| {}),
        ] {
            let best = found.best_move();
            assert!(best.is_none_or(|best| legal.contains(&best)), "{position}");
            assert!(best.is_some() || legal.is_empty(), "{position}");
        }
        // The value that moves update is the one that is computed anew.
        compare(&Classical::default(), &position);
        compare(&Material, &position);
        compare(&Nnue::new(Network::bundled()), &position);
    }
}

fn compare<E: Evaluator>(evaluator: &E, start: &Position) {
    let mut position = start.clone();
    let mut state = evaluator.refresh(&position);
    for &m in position.clone().legal_moves().iter().take(20) {
        evaluator.do_move(&mut position, m, &mut state);
        let updated = evaluator.evaluate(&position, &mut state);
        let mut anew = evaluator.refresh(&position);
        assert_eq!(updated, evaluator.evaluate(&position, &mut anew), "{position}");
        evaluator.undo_move(&mut position, &mut state);
    }
}

#[test]
fn mates_on_them_are_found_and_proven() {
    let mut random = SplitMix64::new(3);
    let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let mut solver = DfPn::new(options);
    let mut mates = 0;
    for _ in 0..60 {
        let position = irregular(&mut random);
        let report = solver.solve_mate(&position, &Budget::nodes(2_000));
        if let MateResult::Mate { line, .. } = report.result {
            let mut end = position.clone();
            for &m in &line {
                end.try_move(m).unwrap_or_else(|error| panic!("{position}: {error}"));
            }
            assert!(end.is_checkmate(), "{position}");
            mates += 1;
        }
    }
    assert!(mates > 0, "some of them are mates");
}

#[test]
fn nine_pawns_on_a_file_make_a_problem() {
    let mut board = Setup::from_sfen("4p3k/4p4/4p3G/4p4/4p4/4p4/4p4/4p4/4p4 b G 1").unwrap();
    let position = Position::from_setup_leniently(&board).unwrap();
    let mut solver = DfPn::new(DfPnOptions { hash_mib: 8, ..DfPnOptions::default() });
    let report = solver.solve_mate(&position, &Budget::nodes(10_000));
    assert!(matches!(report.result, MateResult::Mate { ref line, .. } if line.len() == 1));
    // What stays refused.
    board.board[Square::S95] = Some(Piece::WhiteKing);
    assert!(matches!(Position::from_setup_leniently(&board), Err(PositionError::TwoKings { .. })));
    board.board[Square::S95] = None;
    board.hands[0] = board.hands[0].with(PieceKind::Pawn, 10);
    let many = Position::from_setup_leniently(&board);
    assert!(matches!(many, Err(PositionError::TooManyPieces { count: 19, .. })));
    board.hands[0] = Hand::EMPTY;
    board.board[Square::S12] = Some(Piece::BlackGold);
    let in_check = Position::from_setup_leniently(&Setup { side: Color::Black, ..board.clone() });
    assert!(matches!(in_check, Err(PositionError::OpponentInCheck { .. })));
    let no_king = Setup { board: [None; Square::COUNT], ..board };
    assert_eq!(Position::from_setup_leniently(&no_king), Err(PositionError::NoKing));
}
