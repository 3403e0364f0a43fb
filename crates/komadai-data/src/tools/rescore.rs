//! New scores and best moves for training data.

mod chunk;
mod journal;
mod options;
mod queue;

use std::path::Path;

use crate::records::PackedSfenValue;
use komadai_eval::Evaluator;
use komadai_search::bench::SIGNATURE;

use self::chunk::Rescorer;
use self::journal::Journal;
pub use self::options::RescoreOptions;
use self::queue::{Queue, Results};
use super::damage::Damage;
use super::data_version::DataVersion;
use super::error::ToolError;
use super::filtering::{Dropped, options as options_value};
use super::origin::Origin;
use super::sources::Sources;
use super::watch::Watch;

/// Searches every position again, and writes the records with the new scores and best moves.
/// Results and move numbers stay.
///
/// If quiet positions are wanted, each position is first replaced by the one at the end of its
/// quiescence search, where no exchange is pending; its move number and the side that has won
/// follow. A trainer of an evaluation without a search learns little from the others.
///
/// All records are read once before the first is searched, so that damage that is not to be skipped
/// is found while there is no work that it could end.
///
/// The work is in the file `OUT.rescored` until its end, and the conditions in `OUT.rescored.json`.
/// A process that was stopped or killed loses seconds of it: the next one with the same inputs and
/// options continues, and the output is the same. Positions are searched in groups of 64 successive
/// ones, each group with empty tables; therefore the output depends neither on the number of
/// threads nor on interruptions.
///
/// A position in which the search finds no move, because a declaration wins or there is none, keeps
/// its best move.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::Material;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{OnDamage, RescoreOptions, Sources, Watch, rescore};
///
/// let folder = tempfile::tempdir()?;
/// let (file, out) = (folder.path().join("games.psv"), folder.path().join("again.psv"));
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(&file, record.to_bytes())?;
/// let sources = Sources::find(&[file], OnDamage::Refuse)?.verified(&mut Watch::none())?;
/// let options = RescoreOptions { nodes: 100, ..RescoreOptions::new("material") };
/// let (origin, _) = rescore(&sources, &out, &Material, &options, &mut Watch::none())?;
/// assert_eq!((origin.records, origin.data_versions[0].evaluation.as_str()), (1, "material"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Journal`] if unfinished work has other conditions, [`ToolError::Exists`] if
/// the output exists and shall not be replaced, [`ToolError::Damaged`] for damage that is not to be
/// skipped, [`ToolError::Io`] if the system refuses, as on a full disk, and [`ToolError::Stopped`]
/// if the end was requested. The finished work stays.
pub fn rescore<E: Evaluator>(
    sources: &Sources,
    output: &Path,
    evaluator: &E,
    options: &RescoreOptions,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output)?;
    options.existing.check(output)?;
    let mut origin = Origin::new("rescore", options_value(options));
    origin.data_versions = vec![DataVersion {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        signature: SIGNATURE,
        evaluation: options.evaluation.clone(),
    }];
    let origin = origin.with_sources(sources);
    check_records(sources, watch)?;
    let mut journal = Journal::open(output, &origin)?;
    let mut damage = sources.damage().clone();
    let queue = Queue::resume(sources, &mut journal, &mut damage, options.is_quiet)?;
    let stop = watch.stop_flag();
    let results = Results::new(sources, journal, damage, watch, &queue);
    std::thread::scope(|scope| {
        let work = || {
            let mut rescorer = Rescorer::new(evaluator, options);
            while !results.is_over()
                && let Some((number, block)) = queue.next()
            {
                let Some(chunk) = rescorer.chunk(&block, stop) else { break };
                results.add(number, chunk);
            }
        };
        for _ in 1..options.threads.get() {
            scope.spawn(work);
        }
        work();
    });
    let (journal, damage) = results.finish()?;
    let mut origin = origin;
    Dropped::default().note(&mut origin, sources, &damage);
    Ok((journal.complete(origin)?, damage))
}

/// Reads all records, to find their damage.
fn check_records(sources: &Sources, watch: &mut Watch<'_>) -> Result<(), ToolError> {
    let unpack = |_: &_, record: &PackedSfenValue| Ok(record.unpack().map(drop)?);
    sources.read("check", watch, unpack, |_| Ok(())).map(drop)
}
