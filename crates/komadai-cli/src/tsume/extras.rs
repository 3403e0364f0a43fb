//! Additions to the answers on request: all mates, flaws of the composition, trees and proofs in
//! files.

mod all_mates;
mod files;
mod tree_record;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use komadai::problems::composition::{
    self, CompositionError, CompositionOptions, CompositionReport, Convention,
};
use komadai::tsume::DfPn;
use komadai::{Budget, Position};
use komadai_console::create_folder;

use super::input::Problem;
use super::options::{Count, TsumeArgs};
use files::Written;

pub(super) use all_mates::{AllMates, FirstMove};

/// The additions to an answer.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) all: Option<AllMates>,
    pub(super) composition: Option<Result<CompositionReport, CompositionError>>,
    pub(super) tree: Option<Written>,
    pub(super) certificate: Option<Written>,
}

/// Creates the folders for files.
pub(super) fn create_folders(arguments: &TsumeArgs) -> anyhow::Result<()> {
    for folder in [&arguments.tree, &arguments.certificate].into_iter().flatten() {
        create_folder(folder)?;
    }
    Ok(())
}

impl Extras {
    /// Works out the additions for a problem. Fails if a file cannot be written.
    pub(super) fn new(
        arguments: &TsumeArgs,
        problem: &Problem,
        position: &Position,
        is_mate: bool,
        dfpn: &mut DfPn,
        budget: &Budget,
    ) -> anyhow::Result<Self> {
        let budget = || fresh(budget, arguments);
        let mut extras = Self::default();
        if is_mate {
            let options = |default: Convention| CompositionOptions {
                budget: budget(),
                convention: convention(arguments, default),
                tree_longer_by: arguments.longer,
                max_positions: arguments.max_positions,
                ..CompositionOptions::default()
            };
            if arguments.all {
                let options = options(Convention::Strict);
                extras.all = Some(AllMates::of(position, dfpn, &budget(), &options));
            }
            if arguments.cooks {
                let intended = problem.moves().to_vec();
                let options = CompositionOptions { intended, ..options(Convention::Literature) };
                extras.composition = Some(composition::analyse(position, &options));
            }
            if let Some(folder) = &arguments.tree {
                let options = options(Convention::Strict);
                let path = file_in(folder, problem);
                extras.tree = Some(files::write_tree(position, &options, arguments, &path)?);
            }
        }
        if let Some(folder) = &arguments.certificate {
            let (path, most) = (file_in(folder, problem), arguments.max_positions);
            extras.certificate = Some(files::write_proof(position, dfpn, &budget(), most, &path)?);
        }
        Ok(extras)
    }

    /// Returns the names of all files that have been written.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let written = [&self.tree, &self.certificate];
        written.into_iter().flatten().flatten().flatten().map(PathBuf::as_path)
    }
}

/// Returns the same limits from now on.
fn fresh(budget: &Budget, arguments: &TsumeArgs) -> Budget {
    let mut budget = budget.clone();
    if let Some(ms) = arguments.time_ms {
        budget.deadline = Some(Instant::now() + Duration::from_millis(ms));
    }
    budget
}

fn convention(arguments: &TsumeArgs, default: Convention) -> Convention {
    match arguments.count {
        Some(Count::Strict) => Convention::Strict,
        Some(Count::Literature) => Convention::Literature,
        None => default,
    }
}

/// Returns the name of the files of a problem without its ending: the number, which is unique, and
/// the id.
fn file_in(folder: &Path, problem: &Problem) -> PathBuf {
    let id: String = problem
        .id
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .take(80)
        .collect();
    match id.trim_matches(['.', '_', '-']) {
        "" => folder.join(problem.number.to_string()),
        id => folder.join(format!("{}-{id}", problem.number)),
    }
}
