//! The positions of a record in KIF, diagrams of problems included, are solved without panic, and
//! mates mate.

#![no_main]

use komadai_core::{Budget, Position};
use komadai_kifu::{KifuFormat, Tolerance, parse_records};
use komadai_movegen::{CheckClass, MateResult, MateSolver};
use komadai_tsume::{DfPn, DfPnOptions, Results, is_mating_line};
use libfuzzer_sys::fuzz_target;

/// Number of positions of a record that are solved.
const MOST: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let Ok(loaded) = parse_records(bytes, KifuFormat::Kif, Tolerance::Lenient) else { return };
    let Some(record) = loaded.records.first() else { return };
    let Ok(mut position) = Position::from_setup(&record.setup) else { return };
    let options = DfPnOptions { hash_mib: 1, ..DfPnOptions::default() };
    let mut keeping = DfPn::new(DfPnOptions { results: Results::Kept, ..options });
    let mut fresh = DfPn::new(options);
    for played in record.moves.iter().map(Some).chain([None]).take(MOST) {
        let budget = Budget::nodes(300);
        let near = verdict(&mut keeping, &position, &budget, CheckClass::Near);
        let kept = verdict(&mut keeping, &position, &budget, CheckClass::All);
        let new = verdict(&mut fresh, &position, &budget, CheckClass::All);
        if let (Some(kept), Some(new)) = (kept, new) {
            assert_eq!(kept, new, "{position}: mate with kept results {kept}, without {new}");
        }
        if new == Some(false) {
            assert_ne!(near, Some(true), "{position}");
        }
        match played {
            Some(played) if komadai_movegen::is_legal(&position, played.m) => {
                position.do_move(played.m);
            }
            _ => break,
        }
    }
});

/// Returns true for a mate, false for none by checks of this class.
fn verdict(
    solver: &mut DfPn,
    position: &Position,
    budget: &Budget,
    checks: CheckClass,
) -> Option<bool> {
    let report = solver.solve(position, budget, checks);
    if let MateResult::Mate { line, .. } = &report.result {
        assert!(is_mating_line(position, line), "{position}: {line}");
    }
    match report.result {
        MateResult::NoMate => Some(false),
        _ => report.is_mate().then_some(true),
    }
}
