//! The files below a folder, one by one, in bounded memory.

use std::collections::BinaryHeap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::is_record_name;

/// Largest number of names of one folder that are kept in memory. A larger folder is listed once
/// for each part of this size, which takes less time than opening that many files.
const MAX_NAMES: usize = 1 << 18;

/// The files below a folder with their subfolders, in the order of the names.
///
/// Memory is bounded, whatever the number of files: of each folder on the way to a file, at most
/// 262,144 names are kept. Links to folders are not followed. A folder that cannot be listed yields
/// an error, and the others follow.
///
/// # Examples
///
/// ```
/// use komadai_kifu::record_files::folder::FolderFiles;
///
/// let folder = tempfile::tempdir()?;
/// for name in ["b.csa", "a.kif", "notes.txt"] {
///     std::fs::write(folder.path().join(name), "")?;
/// }
/// let mut files = FolderFiles::open(folder.path(), FolderFiles::is_record);
/// let found: Result<Vec<_>, _> = files.by_ref().collect();
/// assert_eq!(found?, [folder.path().join("a.kif"), folder.path().join("b.csa")]);
/// assert_eq!(files.passed_over(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderFiles {
    accepts: fn(&Path) -> bool,
    /// The path that has not been looked at yet.
    root: Option<PathBuf>,
    /// The folders on the way to the next file, outermost first.
    folders: Vec<Folder>,
    passed_over: u64,
    max_names: usize,
}

/// The reason why a file or a folder cannot be read, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot open the folder: {source}", .path.display())]
#[non_exhaustive]
pub struct FolderError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

/// A folder that is being read.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// The next names with true for folders, the first one last.
    names: Vec<(OsString, bool)>,
    /// The last of the names if others may follow it.
    more_after: Option<OsString>,
}

impl FolderFiles {
    /// Creates a reader of the files below a folder whose names `accepts` returns true for. A file
    /// is the only one of itself, whatever its name.
    pub fn open(path: impl AsRef<Path>, accepts: fn(&Path) -> bool) -> Self {
        Self::with_max_names(path.as_ref(), accepts, MAX_NAMES)
    }

    fn with_max_names(path: &Path, accepts: fn(&Path) -> bool, max_names: usize) -> Self {
        let root = Some(path.to_owned());
        Self { accepts, root, folders: Vec::new(), passed_over: 0, max_names }
    }

    /// Returns true if the name of a file is one that [`RecordFiles`](super::RecordFiles) reads in
    /// a folder.
    pub fn is_record(path: &Path) -> bool {
        is_record_name(path, false)
    }

    /// Returns the number of files of other names and of links to folders in the folders so far.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// Begins a file or a folder. Returns the path if it is a file.
    fn begin(&mut self, path: PathBuf) -> Result<Option<PathBuf>, FolderError> {
        let is_dir = match fs::metadata(&path) {
            Ok(found) => found.is_dir(),
            Err(source) => return Err(FolderError { path, source }),
        };
        if !is_dir {
            return Ok(Some(path));
        }
        let mut folder = Folder { path, names: Vec::new(), more_after: None };
        let (accepts, max_names) = (self.accepts, self.max_names);
        let passed_over = folder.list(accepts, max_names)?;
        self.passed_over += passed_over;
        self.folders.push(folder);
        Ok(None)
    }
}

impl Iterator for FolderFiles {
    type Item = Result<PathBuf, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let path = match self.root.take() {
                Some(root) => Ok(root),
                None => {
                    let folder = self.folders.last_mut()?;
                    match folder.next(self.accepts, self.max_names) {
                        Some(Ok((path, false))) => return Some(Ok(path)),
                        Some(Ok((path, true))) => Ok(path),
                        Some(Err(error)) => Err(error),
                        None => {
                            self.folders.pop();
                            continue;
                        }
                    }
                }
            };
            match path.and_then(|path| self.begin(path)) {
                Ok(Some(file)) => return Some(Ok(file)),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Folder {
    /// Returns the next file or folder, with true for a folder.
    fn next(
        &mut self,
        accepts: fn(&Path) -> bool,
        max_names: usize,
    ) -> Option<Result<(PathBuf, bool), FolderError>> {
        if self.names.is_empty() {
            self.more_after.as_ref()?;
            if let Err(error) = self.list(accepts, max_names) {
                self.more_after = None;
                return Some(Err(error));
            }
        }
        let (name, is_folder) = self.names.pop()?;
        Some(Ok((self.path.join(name), is_folder)))
    }

    /// Reads the first names after those read so far. Returns the number of entries passed over.
    fn list(&mut self, accepts: fn(&Path) -> bool, max_names: usize) -> Result<u64, FolderError> {
        let failed = |source| FolderError { path: self.path.clone(), source };
        let mut first = BinaryHeap::new();
        let (mut passed_over, mut is_cut) = (0, false);
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            if self.more_after.as_ref().is_some_and(|last| name <= *last) {
                continue;
            }
            let kind = entry.file_type().map_err(failed)?;
            // A link to a folder may lead to a folder above it, and so round in a ring.
            let is_folder_link = || kind.is_symlink() && entry.path().is_dir();
            if !kind.is_dir() && (!accepts(Path::new(&name)) || is_folder_link()) {
                passed_over += 1;
                continue;
            }
            first.push((name, kind.is_dir()));
            if first.len() > max_names {
                first.pop();
                is_cut = true;
            }
        }
        self.names = first.into_sorted_vec();
        self.more_after = self.names.last().filter(|_| is_cut).map(|(name, _)| name.clone());
        self.names.reverse();
        Ok(passed_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_parts_is_the_same_folder() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["", "b", "b/deep", "empty"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            for number in 0..10 {
                let ending = if number % 3 == 0 { "txt" } else { "csa" };
                if folder != "empty" {
                    fs::write(root.path().join(folder).join(format!("{number}.{ending}")), "")
                        .unwrap();
                }
            }
        }
        let all = |max_names| {
            let is_record = FolderFiles::is_record;
            let mut files = FolderFiles::with_max_names(root.path(), is_record, max_names);
            let found = files.by_ref().map(|file| file.unwrap()).collect::<Vec<_>>();
            (found, files.passed_over())
        };
        let whole = all(MAX_NAMES);
        assert_eq!((whole.0.len(), whole.1), (18, 12));
        assert!(whole.0.is_sorted());
        for max_names in 1..8 {
            assert_eq!(all(max_names).0, whole.0, "{max_names}");
        }
    }

    #[test]
    fn a_missing_path_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let mut files = FolderFiles::open(root.path().join("missing"), FolderFiles::is_record);
        assert!(files.next().unwrap().is_err());
        assert!(files.next().is_none());
    }
}
