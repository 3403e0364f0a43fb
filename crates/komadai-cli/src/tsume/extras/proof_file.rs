//! Proofs of mates and of no mates in files.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use komadai::problems::certificate::{certify, check};
use komadai::tsume::DfPn;
use komadai::{Budget, Position};
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::with_ending;

use super::written::Written;

/// Writes the proof of what the solver answers about a position, after an independent check. The
/// inner error is the reason why there is no proof.
pub(super) fn write(
    position: &Position,
    dfpn: &mut DfPn,
    budget: &Budget,
    max_positions: usize,
    path: &Path,
) -> anyhow::Result<Written> {
    let text = match certify(position, dfpn, budget, max_positions) {
        Ok(certificate) => certificate.to_string(),
        Err(error) => return Ok(Err(error.to_string())),
    };
    if let Err(error) = check(text.as_bytes(), max_positions) {
        return Ok(Err(format!("the checker refuses the proof: {error}")));
    }
    let path = with_ending(path, ".proof.txt");
    write_atomically(&path, |out| out.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Ok(vec![path]))
}
