//! The writer of certificates.

use komadai_core::{Budget, Position};
use komadai_movegen::{MateResult, MateSolver};

use super::certify_error::CertifyError;
use super::listing::Certificate;
use super::oracle::Oracle;
use super::reader::placement;
use super::{mate, no_mate};

/// Writes a proof of what the solver answers about the position, mate or no mate.
///
/// The solver is asked about many positions that follow, which takes far more nodes than the first
/// answer, and fewer if the solver keeps its results ([`Results::Kept`](komadai_tsume::Results::Kept)).
/// `budget` limits all of them together; its depth is ignored.
/// The proof is exact in every piece and may have many more positions than a search with a table
/// visits; it has at most `most_positions`.
///
/// # Errors
///
/// Returns an error if a limit is reached, or if the answers of the solver contradict each other.
pub fn certify<S: MateSolver + ?Sized>(
    position: &Position,
    solver: &mut S,
    budget: &Budget,
    most_positions: usize,
) -> Result<Certificate, CertifyError> {
    let mut oracle = Oracle { solver, budget, nodes: 0 };
    let report = oracle.ask(position, u64::MAX, None);
    if report.result == MateResult::NoMate {
        return no_mate::prove(position, &mut oracle, most_positions);
    }
    let Some(plies) = report.mate_within else {
        let position = placement(position);
        return Err(CertifyError::Undecided { position, limit: report.limit });
    };
    mate::prove(position, plies, &report, &mut oracle, most_positions)
}
