//! Reports of an unfinished search.

use komadai_core::Pv;

/// The state of an unfinished search: [`DfPn::solve_with`](crate::DfPn::solve_with) passes it on.
///
/// Reports come once for [`INTERVAL`](Self::INTERVAL) nodes, without a look at a clock. A caller that shows
/// times measures them.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::CheckClass;
/// use komadai_tsume::{DfPn, MateProgress};
///
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let mut reports: Vec<MateProgress> = Vec::new();
/// let report = DfPn::default().solve_with(
///     &position,
///     &Budget::nodes(200_000),
///     CheckClass::All,
///     &mut |progress| reports.push(progress.clone()),
/// );
/// // One report for each interval; an easy position has none.
/// assert!(reports.len() as u64 <= report.nodes / MateProgress::INTERVAL);
/// assert!(reports.iter().all(|progress| progress.nodes <= report.nodes));
/// assert!(reports.iter().all(|progress| progress.hits <= progress.look_ups));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateProgress {
    /// The number of positions visited.
    pub nodes: u64,
    /// The proof number of the root: an estimate of the positions to be proved for a mate; 0 for a proven
    /// mate whose moves are being collected.
    pub proof_number: u32,
    /// The disproof number of the root: an estimate of the positions to be disproved for the proof that there
    /// is no mate; [`u32::MAX`] for a proven mate.
    pub disproof_number: u32,
    /// The number of plies of the shortest mate found so far. The search continues for a shorter one, or for
    /// its moves.
    pub found: Option<u32>,
    /// The moves from the root to the position that is being searched. Empty while the moves of a mate are
    /// being collected.
    pub line: Pv,
    /// The memory that results of this call take in the solver's tables, in bytes. With several threads, the
    /// moves that the other threads keep are not included.
    pub memory_bytes: usize,
    /// The number of times that the position after a move was looked up in the table. With several threads, the
    /// look-ups of the other threads are not counted.
    pub look_ups: u64,
    /// The number of these look-ups that found an entry, solved or not.
    pub hits: u64,
}

impl MateProgress {
    /// Number of nodes between two reports. They take a tenth of a second or a few.
    pub const INTERVAL: u64 = 1 << 16;
}
