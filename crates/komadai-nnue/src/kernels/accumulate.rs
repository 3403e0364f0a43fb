//! Sums of the first layer.

use super::plain::{load, store};
use super::set::{Kernel, Set};

/// Rows of a table of weights: the start of each row that is subtracted or added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) removed: &'a [usize],
    pub(crate) added: &'a [usize],
}

/// Writes `from`, less the removed rows of `weights` and plus the added ones, to `to`.
///
/// Both have one length, a multiple of 32.
#[derive(Debug)]
pub(crate) struct Accumulate<'a> {
    pub(crate) to: &'a mut [i16],
    pub(crate) from: &'a [i16],
    pub(crate) weights: &'a [i16],
    pub(crate) rows: Rows<'a>,
}

impl Kernel for Accumulate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Set>(self, set: S) {
        let Self { to, from, weights, rows } = self;
        assert!(from.len() == to.len() && to.len().is_multiple_of(LINE), "lines of one width");
        match (rows.removed, rows.added) {
            ([a], [b]) => few(set, to, from, weights, ([*a], [*b])),
            ([a, b], [c, d]) => few(set, to, from, weights, ([*a, *b], [*c, *d])),
            _ => many(set, to, from, weights, rows),
        }
    }
}

/// The numbers that are computed in one step at least.
const LINE: usize = 32;

/// Those of a longer step.
const LINES: usize = 4 * LINE;

/// Subtracts and adds as many rows as a move changes, in one pass.
#[inline(always)]
fn few<S: Set, const N: usize>(
    set: S,
    to: &mut [i16],
    from: &[i16],
    weights: &[i16],
    (removed, added): ([usize; N], [usize; N]),
) {
    let removed = removed.map(|row| &weights[row..][..to.len()]);
    let added = added.map(|row| &weights[row..][..to.len()]);
    let long = to.len() / LINES * LINES;
    let (removed, added) =
        (removed.map(|row| row.split_at(long)), added.map(|row| row.split_at(long)));
    let (from, to) = (from.split_at(long), to.split_at_mut(long));
    steps::<S, LINES, N>(set, to.0, from.0, (removed.map(|row| row.0), added.map(|row| row.0)));
    steps::<S, LINE, N>(set, to.1, from.1, (removed.map(|row| row.1), added.map(|row| row.1)));
}

/// Subtracts and adds rows, `STEP` numbers at a time.
#[inline(always)]
fn steps<S: Set, const STEP: usize, const N: usize>(
    set: S,
    to: &mut [i16],
    from: &[i16],
    (removed, added): ([&[i16]; N], [&[i16]; N]),
) {
    let removed = removed.map(|row| row.as_chunks::<STEP>().0);
    let added = added.map(|row| row.as_chunks::<STEP>().0);
    let steps = to.as_chunks_mut::<STEP>().0.iter_mut().zip(from.as_chunks::<STEP>().0);
    for (step, (to, from)) in steps.enumerate() {
        for at in (0..STEP).step_by(S::BYTES / 2) {
            let mut sum = load(&from[at..]);
            for row in &removed {
                sum = set.sub16(sum, load(&row[step][at..]));
            }
            for row in &added {
                sum = set.add16(sum, load(&row[step][at..]));
            }
            store(&mut to[at..], sum);
        }
    }
}

/// The vectors of sums that stay in registers while rows are added.
const TILE: usize = 8;

/// Subtracts and adds any number of rows.
#[inline(always)]
fn many<S: Set>(set: S, to: &mut [i16], from: &[i16], weights: &[i16], rows: Rows<'_>) {
    let len = S::BYTES / 2;
    let mut at = 0;
    while at + TILE * len <= to.len() {
        tile::<S, TILE>(set, &mut to[at..], &from[at..], weights, rows, at);
        at += TILE * len;
    }
    while at < to.len() {
        tile::<S, 1>(set, &mut to[at..], &from[at..], weights, rows, at);
        at += len;
    }
}

/// Computes `N` vectors, which stand at `at` in each row.
#[inline(always)]
fn tile<S: Set, const N: usize>(
    set: S,
    to: &mut [i16],
    from: &[i16],
    weights: &[i16],
    rows: Rows<'_>,
    at: usize,
) {
    let len = S::BYTES / 2;
    let (to, from) = (&mut to[..N * len], &from[..N * len]);
    let mut sums = [set.repeat16(0); N];
    for (index, sum) in sums.iter_mut().enumerate() {
        *sum = load(&from[index * len..]);
    }
    for &row in rows.removed {
        let weights = &weights[row + at..][..N * len];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = set.sub16(*sum, load(&weights[index * len..]));
        }
    }
    for &row in rows.added {
        let weights = &weights[row + at..][..N * len];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = set.add16(*sum, load(&weights[index * len..]));
        }
    }
    for (index, sum) in sums.into_iter().enumerate() {
        store(&mut to[index * len..], sum);
    }
}
