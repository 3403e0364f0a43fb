//! Limits of searches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komadai::core::Budget;

use crate::status::{Fault, Status, out_of_range};

/// The limits of a search, whichever is reached first. 0 is no limit; without any the search runs
/// until it is stopped.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The largest number of nodes. The same nodes give the same result on every machine, on one
    /// thread.
    pub nodes: u64,
    /// The largest depth in plies.
    pub depth: u32,
    /// Milliseconds.
    pub time_ms: u32,
}

/// A number within its range.
pub fn in_range(what: &str, found: u64, min: u64, max: u64) -> Result<usize, Fault> {
    match usize::try_from(found) {
        Ok(number) if (min..=max).contains(&found) => Ok(number),
        _ => Err(out_of_range(what, found, &format!("{min} to {max}"))),
    }
}

impl Limit {
    /// Checks that there is a limit.
    pub fn check_that_it_ends(&self) -> Result<(), Fault> {
        if self.nodes == 0 && self.depth == 0 && self.time_ms == 0 {
            return Err(Fault::new(
                Status::OutOfRange,
                "found no limit, expected nodes, depth or time_ms",
            ));
        }
        Ok(())
    }

    /// The budget from now on.
    pub fn budget(&self, stop: &Arc<AtomicBool>) -> Budget {
        let time = Duration::from_millis(self.time_ms.into());
        let mut budget = if time.is_zero() { Budget::unlimited() } else { Budget::time(time) };
        budget.nodes = (self.nodes > 0).then_some(self.nodes);
        budget.depth = (self.depth > 0).then_some(self.depth);
        budget.stop = Some(Arc::clone(stop));
        budget
    }
}
