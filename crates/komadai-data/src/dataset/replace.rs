//! Files that are replaced whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use komadai_base::file::sync_folder_of;

/// Replaces the content of a file: after a crash it has the old content or the new one.
pub(super) fn replace(path: &Path, content: &str) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let written = write(&unfinished, content).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    sync_folder_of(path);
    Ok(())
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content.as_bytes())?;
    file.sync_all()
}
