//! The reports of an unfinished search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MoveGen};
use komadai_testdata::tsume::{self, Set};
use komadai_tsume::{DfPn, DfPnOptions, Goal, MateProgress};

fn solver() -> DfPn {
    DfPn::new(DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() })
}

/// A problem that takes more than four reports: the first classic, with more than a million nodes.
fn long_problem() -> Position {
    let first = tsume::set(Set::Classic).next().expect("there are classics");
    Position::from_sfen(first.sfen).expect("a position")
}

#[test]
fn reports_come_regularly_and_are_of_the_position() {
    let position = long_problem();
    let budget = Budget::nodes(4 * MateProgress::INTERVAL);
    let silent = solver().solve_mate(&position, &budget);
    let mut reports = Vec::new();
    let show = &mut |progress: &MateProgress| reports.push(progress.clone());
    let spoken = solver().solve_with(&position, &budget, CheckClass::All, show);
    assert_eq!(MateReport { time: spoken.time, ..silent }, spoken);
    assert!(reports.len() >= 3, "{reports:?}");
    assert!(reports.len() as u64 <= spoken.nodes / MateProgress::INTERVAL);
    assert!(reports.is_sorted_by(|earlier, later| earlier.nodes < later.nodes));
    assert!(reports.is_sorted_by_key(|progress| progress.found.is_some()));
    // Not forgotten between two reports, nor in one whole call.
    assert!(reports.is_sorted_by_key(|progress| (progress.look_ups, progress.hits)));
    assert!(reports.is_sorted_by_key(|progress| progress.memory_bytes));
    assert!(reports.iter().all(|progress| progress.memory_bytes <= spoken.memory_bytes));
    for progress in &reports {
        // A visited position has a few moves, and most lead to positions that were never visited.
        assert!(progress.look_ups > progress.nodes, "{progress:?}");
        assert!((1..progress.look_ups).contains(&progress.hits), "{progress:?}");
        // 65,536 nodes leave some ten thousand results of 36 bytes each, and their moves.
        assert!(progress.memory_bytes > 1 << 20, "{progress:?}");
        let mut at = position.clone();
        for &m in &progress.line {
            assert!(at.is_legal(m), "{progress:?}");
            at.do_move(m);
        }
        match progress.proof_number {
            0 => assert!(progress.found.is_some() && progress.line.is_empty(), "{progress:?}"),
            _ => assert!(progress.disproof_number > 0, "{progress:?}"),
        }
    }
    assert!(reports.iter().any(|progress| progress.line.len() > 3), "{reports:?}");
}

#[test]
fn a_report_can_end_the_search() {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
    let end = &mut |_: &MateProgress| stop.store(true, Ordering::Relaxed);
    let report = solver().solve_with(&long_problem(), &budget, CheckClass::All, end);
    assert!(report.nodes < 2 * MateProgress::INTERVAL, "{report:?}");
}
