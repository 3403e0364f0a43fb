//! The working book in the output folder: continued, or created.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context as _;
use komadai::book::store::{Store, StoreError};

use komadai_base::file::sync_folder_of;

use crate::inputs::{self, InputCounts};
use crate::options::GrowArgs;

/// Opens the book, or creates a new one, and reads all named inputs into it.
pub(crate) fn open(options: &GrowArgs) -> anyhow::Result<(Store, InputCounts)> {
    let path = options.out.join("book.kbook");
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
    let out = &options.out;
    let is_new = !out.exists();
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let unfinished = path.with_extension("kbook.new");
    for path in [path, &unfinished] {
        if let Err(error @ StoreError::InUse { .. }) = Store::open(path) {
            return Err(error.into());
        }
    }
    // Such a file is left by a process that was killed while it read inputs.
    let _ = fs::remove_file(&unfinished);
    let read = Store::create(&unfinished)
        .map_err(anyhow::Error::from)
        .and_then(|store| inputs::read(options, &files, &store));
    let counts = read.inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
        if is_new {
            let _ = fs::remove_dir(out);
        }
    })?;
    let in_folder = || format!("cannot rename files in {}", out.display());
    if let Some(kept) = set_aside(path).with_context(in_folder)? {
        options.print(format_args!("the old book is kept as {}", kept.display()));
    }
    fs::rename(&unfinished, path).with_context(in_folder)?;
    sync_folder_of(path);
    Ok((Store::open(path)?, counts))
}

/// Renames a file, if it exists, to NAME.old, NAME.old2 and so on, and returns the new name.
fn set_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    let name = |number: u32| match number {
        1 => path.with_extension("kbook.old"),
        _ => path.with_extension(format!("kbook.old{number}")),
    };
    let kept = (1..).map(name).find(|name| fs::symlink_metadata(name).is_err());
    let kept = kept.expect("a folder has fewer files than there are numbers");
    fs::rename(path, &kept)?;
    Ok(Some(kept))
}
