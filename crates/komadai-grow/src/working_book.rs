//! The working book in the output folder: continued, or created.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use komadai::book::store::{Store, StoreError};

use komadai_base::atomic_file::Draft;
use komadai_base::file::{set_aside, with_ending};
use komadai_console::create_folder;

use crate::inputs::{self, InputCounts};
use crate::options::GrowArgs;

/// Opens the book, or creates a new one, and reads all named inputs into it.
pub(crate) fn open(options: &GrowArgs) -> anyhow::Result<(Store, InputCounts)> {
    let path = options.out().join("book.kbook");
    if options.fresh || !path.exists() {
        return create(options, &path);
    }
    let store = Store::open(&path)?;
    let evaluations: u64 = store.sources()?.iter().map(|engine| engine.evaluations).sum();
    options.print(format_args!(
        "continuing with {}: {} positions, {evaluations} evaluations",
        path.display(),
        store.len()?,
    ));
    let counts = inputs::read(options, &inputs::find(options)?, &store)?;
    Ok((store, counts))
}

/// Creates a book. It takes the place of an old book only after all inputs have been read.
fn create(options: &GrowArgs, path: &Path) -> anyhow::Result<(Store, InputCounts)> {
    // No file is touched before all named inputs have been found.
    let files = inputs::find(options)?;
    let out = options.out();
    let is_new = !out.exists();
    create_folder(out)?;
    let unfinished = with_ending(path, ".new");
    for path in [path, &unfinished] {
        if let Err(error @ StoreError::InUse { .. }) = Store::open(path) {
            return Err(error.into());
        }
    }
    // Such a file is left by a process that was killed while it read inputs.
    let _ = fs::remove_file(&unfinished);
    let draft = Draft::with_name(path, &unfinished);
    let read = Store::create(&unfinished)
        .map_err(anyhow::Error::from)
        .and_then(|store| inputs::read(options, &files, &store));
    let counts = match read {
        Ok(counts) => counts,
        Err(error) => {
            drop(draft);
            if is_new {
                let _ = fs::remove_dir(out);
            }
            return Err(error);
        }
    };
    let in_folder = || format!("cannot rename files in {}", out.display());
    if let Some(kept) = set_aside(path).with_context(in_folder)? {
        options.print(format_args!("the old book is kept as {}", kept.display()));
    }
    draft.commit().with_context(in_folder)?;
    Ok((Store::open(path)?, counts))
}
