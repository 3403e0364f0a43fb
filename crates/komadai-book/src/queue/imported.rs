//! The end of jobs whose results come from a text log.

use redb::WriteTransaction;

use super::job_source::Completion;
use super::scheduler::Jobs;
use crate::log_file::DoneJob;
use crate::store::StoreFault;

/// Marks jobs as done whose results have been merged from a log, and returns the number of those
/// that were not done before. Jobs that have been withdrawn, or are for another engine by now, are
/// passed over.
pub(crate) fn complete_imported(
    transaction: &WriteTransaction,
    done: &[DoneJob],
) -> Result<usize, StoreFault> {
    if done.is_empty() {
        return Ok(0);
    }
    let mut jobs = Jobs::open(transaction)?;
    let mut completed = 0;
    for DoneJob { lease, analyst } in done {
        let completion =
            jobs.change(lease, |job| job.settings.are_for(analyst).then(|| job.complete(lease)))?;
        let is_new =
            matches!(completion.flatten(), Some(Completion::Accepted | Completion::AcceptedLate));
        completed += usize::from(is_new);
    }
    Ok(completed)
}
