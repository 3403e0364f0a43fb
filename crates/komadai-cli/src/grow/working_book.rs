//! The working book in the output folder: gone on with, or begun anew.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::book::store::{Store, StoreError};

use crate::inputs::{self, InputCounts};
use crate::options::Options;

/// Opens the book, or begins a new one, and reads everything that was named into it.
pub(crate) fn open(options: &Options) -> anyhow::Result<(Store, InputCounts)> {
    let path = options.out.join("book.kbook");
    if options.fresh || !path.exists() {
        return begin(options, &path);
    }
    let store = Store::open(&path)?;
    let evaluations: u64 = store.sources()?.iter().map(|engine| engine.evaluations).sum();
    options.say(format_args!(
        "going on with {}: {} positions, {evaluations} evaluations",
        path.display(),
        store.len()?,
    ));
    let counts = inputs::read(options, &inputs::find(options)?, &store)?;
    Ok((store, counts))
}

/// Begins a book, which gets its name once everything has been read. Until then the old one has it.
fn begin(options: &Options, path: &Path) -> anyhow::Result<(Store, InputCounts)> {
    // Nothing is touched before what was named is there.
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
    // Only a process that was killed while it read can have left this one behind.
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
    if let Some(kept) = keep(path).with_context(in_folder)? {
        options.say(format_args!("the book so far is kept as {}", kept.display()));
    }
    fs::rename(&unfinished, path).with_context(in_folder)?;
    // Some systems cannot sync folders; then the new name may not outlive a power cut.
    let _ = File::open(out).and_then(|folder| folder.sync_all());
    Ok((Store::open(path)?, counts))
}

/// Gives a file another name, which is returned: NAME.old, or NAME.old2 and so on.
fn keep(path: &Path) -> io::Result<Option<PathBuf>> {
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
