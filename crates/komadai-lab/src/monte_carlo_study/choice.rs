//! A chosen move, and the threads that choose.

use komadai::prelude::*;

/// A chosen move, its value by the referee, and the results of the tree search.
pub(crate) struct Choice {
    pub(crate) m: Move,
    pub(crate) value: f64,
    pub(crate) playouts: u64,
}

/// Runs this work in several threads at the same time. Returns what they found in the order of its numbers.
pub(crate) fn in_parallel(
    threads: usize,
    work: impl Fn() -> anyhow::Result<Vec<(usize, Choice)>> + Sync,
) -> anyhow::Result<Vec<Choice>> {
    let mut found = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(&work)).collect();
        let mut all = Vec::new();
        for thread in threads {
            let part = thread.join().map_err(|_| anyhow::anyhow!("a thread has panicked"))?;
            all.extend(part?);
        }
        anyhow::Ok(all)
    })?;
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, choice)| choice).collect())
}
