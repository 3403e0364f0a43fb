//! Two mate solvers never contradict each other, mating lines mate, and what they prove is
//! certified.

#![no_main]

use komadai_core::{Budget, Color, Piece, PieceKind, Position, Setup, Square};
use komadai_fuzz::{Choices, choose, pairs, start};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver};
use komadai_problems::certificate::{CertifyError, Claim, certify, check};
use komadai_tsume::{DfPn, DfPnOptions, Goal, PnSearch, is_mating_line};
use libfuzzer_sys::fuzz_target;

/// Largest number of positions of a certificate.
const MOST: usize = 500;

fuzz_target!(|data: &[u8]| {
    let Some((settings, rest)) = data.split_at_checked(4) else { return };
    let mut settings = Choices::new(settings);
    let goal = if settings.u8() % 2 == 0 { Goal::AnyMate } else { Goal::ShortestMate };
    let position = match settings.u8() % 4 {
        0 => game(rest),
        _ => composition(&mut Choices::new(rest)),
    };
    let Some(position) = position else { return };
    let nodes = u64::from(settings.u16() % 2_001);

    let options = DfPnOptions { hash_mib: 1, goal, ..DfPnOptions::default() };
    let mut df_pn = DfPn::new(options);
    let report = solve(&mut df_pn, &position, &Budget::nodes(nodes));
    let mut tree = PnSearch::new(16);
    let other = solve(&mut tree, &position, &Budget::nodes(1_000));
    if let (Some(one), Some(other)) = (verdict(&report), verdict(&other)) {
        assert_eq!(one, other, "{position}: mate by df-pn {one}, by the tree {other}");
    }
    if let Some(shorter) = report.no_mate_within.checked_sub(1) {
        // The tree must not find what is refuted.
        let budget = Budget { depth: Some(shorter + 1), ..Budget::nodes(500) };
        let found = solve(&mut tree, &position, &budget);
        assert!(!found.is_mate(), "{position}: no mate within {}: {found:?}", shorter + 1);
    }
    let again = solve(&mut df_pn, &position, &Budget::nodes(nodes));
    let MateReport { time, memory_bytes, .. } = report;
    assert_eq!(
        MateReport { time, memory_bytes, ..again },
        report,
        "{position}: a second search differs"
    );
    let near = df_pn.solve(&position, &Budget::nodes(nodes), CheckClass::Near);
    if let MateResult::Mate { line, .. } = &near.result {
        assert!(is_mating_line(&position, line), "{position}: {line}");
        assert_ne!(verdict(&report), Some(false), "{position}: {line}");
    }
    if let Some(mates) = verdict(&report) {
        check_certificate(&position, &mut df_pn, mates);
    }
});

/// A position that moves of a game lead to.
fn game(data: &[u8]) -> Option<Position> {
    let (mut position, moves) = start(data);
    for choice in pairs(moves).take(60) {
        let Some(m) = choose(&position, choice) else { break };
        position.do_move(m);
    }
    Some(position)
}

/// A king, pieces around it, and hands.
fn composition(choices: &mut Choices<'_>) -> Option<Position> {
    let mut setup = Setup::empty();
    let square = |choice: u8| Square::ALL[usize::from(choice) % Square::ALL.len()];
    let king = square(choices.u8());
    setup.board[king] = Some(Piece::WhiteKing);
    let (pieces, held) = (choices.u8() % 10, choices.u8() % 6);
    for _ in 0..pieces {
        let [place, kind] = choices.take();
        let kind = PieceKind::ALL[usize::from(kind % 128) % PieceKind::COUNT];
        let color = if kind as usize % 2 == 0 || place >= 64 { Color::Black } else { Color::White };
        let (files, ranks) = (place as i8 % 3, place as i8 / 3 % 4);
        if let Some(square) = king.offset(files, ranks).filter(|_| kind != PieceKind::King) {
            setup.board[square].get_or_insert(Piece::new(color, kind));
        }
    }
    for _ in 0..held {
        let choice = choices.u8();
        let hand = &mut setup.hands[usize::from(choice % 4 == 0)];
        let kind = PieceKind::HAND[usize::from(choice / 4) % PieceKind::HAND.len()];
        // More pieces than the game has are refused below; two of a kind suffice.
        *hand = hand.with(kind, (hand.count(kind) + 1).min(2));
    }
    if choices.u8() % 4 == 0 {
        setup.board[square(choices.u8())].get_or_insert(Piece::BlackKing);
    }
    Position::from_setup(&setup).ok()
}

fn solve(solver: &mut dyn MateSolver, position: &Position, budget: &Budget) -> MateReport {
    let report = solver.solve(position, budget, CheckClass::All);
    assert!(budget.nodes.is_none_or(|most| report.nodes <= most), "{report:?}");
    if let MateResult::Mate { line, .. } = &report.result {
        assert!(is_mating_line(position, line), "{position}: {line}");
        assert!(report.mate_within.is_some_and(|within| within as usize >= line.len()));
    }
    report
}

/// Presence of a mate, if the report decides it.
fn verdict(report: &MateReport) -> Option<bool> {
    match report.result {
        MateResult::NoMate => Some(false),
        _ => report.is_mate().then_some(true),
    }
}

/// Writes the proof of what the solver has answered, as far as the limits allow, and checks it.
fn check_certificate(position: &Position, solver: &mut DfPn, mates: bool) {
    match certify(position, solver, &Budget::nodes(5_000), MOST) {
        Ok(certificate) => {
            let checked = check(certificate.to_string().as_bytes(), MOST);
            let checked = checked.unwrap_or_else(|error| panic!("{error}\n{certificate}"));
            assert!(checked.position.same_placement(position));
            assert_eq!(matches!(checked.claim, Claim::MateWithin(_)), mates);
        }
        Err(error) => {
            assert!(!matches!(error, CertifyError::Contradiction { .. }), "{position}: {error}");
        }
    }
}
