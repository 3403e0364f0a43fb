//! The mate solver.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::movegen::MateResult;
use komadai::tsume::{DfPn, DfPnOptions, Goal as DfPnGoal};

use crate::limit::{Limit, in_range};
use crate::pointers::{fill, give, shared};
use crate::position::Position;
use crate::status::{Status, call, out_of_range};

/// The mate to look for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Any mate, the fastest to find.
    Any = 0,
    /// A short one.
    Short = 1,
    /// The shortest, proved.
    Shortest = 2,
}

/// The answer of the mate solver.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateStatus {
    /// The limits ended the search.
    Unknown = 0,
    /// A mate, proved.
    Mate = 1,
    /// No mate by continuous checks exists, proved.
    NoMate = 2,
}

/// The result of a mate search.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Mate {
    /// The answer.
    pub status: MateStatus,
    /// True if it is proved that no shorter mate exists.
    pub shortest: bool,
    /// The number of moves of the line; more than were written if they did not fit.
    pub length: usize,
    /// The number of positions visited.
    pub nodes: u64,
}

/// Searches for a mate by continuous checks of the side to move, on one thread with a table of
/// `hash_mib` MiB, and writes the moves of both sides, as many as fit. `goal` is a value of
/// `KomadaiGoal`. A limit is needed: the search cannot be stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_solve_mate(
    position: *const Position,
    goal: u32,
    limit: Limit,
    hash_mib: u32,
    moves: *mut u16,
    capacity: usize,
    out: *mut Mate,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = &unsafe { shared(position, "the position") }?.0;
        let goal = match goal {
            found if found == Goal::Any as u32 => DfPnGoal::AnyMate,
            found if found == Goal::Short as u32 => DfPnGoal::ShortMate,
            found if found == Goal::Shortest as u32 => DfPnGoal::ShortestMate,
            found => return Err(out_of_range("goal", found, "a value of KomadaiGoal")),
        };
        limit.check_that_it_ends()?;
        let hash_mib = in_range("hash_mib", hash_mib.into(), 1, 65_536)?;
        let options = DfPnOptions { hash_mib, goal, ..DfPnOptions::default() };
        let budget = limit.budget(&Arc::new(AtomicBool::new(false)));
        let report = DfPn::new(options).solve_mate(position, &budget);
        let (status, shortest, line) = match &report.result {
            MateResult::Mate { line, shortest, .. } => (MateStatus::Mate, *shortest, &line[..]),
            MateResult::MateWithoutLine { .. } => (MateStatus::Mate, false, &[][..]),
            MateResult::NoMate => (MateStatus::NoMate, false, &[][..]),
            _ => (MateStatus::Unknown, false, &[][..]),
        };
        // SAFETY: the caller's promise.
        unsafe { fill(moves, capacity, line.iter().map(|m| m.to_bits())) };
        let mate = Mate { status, shortest, length: line.len(), nodes: report.nodes };
        // SAFETY: the caller's promise.
        unsafe { give(out, mate) }
    })
}
