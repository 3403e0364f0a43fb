//! The games of a folder, an archive or a file, with a name for the output of each.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use komadai::kifu::record_files::folder::{FolderError, FolderFiles};
use komadai::kifu::record_files::{FileFault, FileRecord};
use komadai::kifu::{RecordFiles, RecordFilesOptions, Skipped};

/// A file of games, and the name of its outputs without an ending: a path below the folder of the
/// outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameSource {
    pub(crate) path: PathBuf,
    name: PathBuf,
}

/// Finds the files of games below a folder, or the one file, in the order of their names. Files
/// below `outputs` are no input. Where two files differ only in their endings, the endings stay in
/// the names.
pub(crate) fn game_sources(input: &Path, outputs: &Path) -> (Vec<GameSource>, Vec<FolderError>) {
    let outputs = outputs.canonicalize().ok();
    let is_output = |path: &PathBuf| {
        let path = path.canonicalize();
        let outputs = outputs.as_ref().filter(|outputs| !input.starts_with(outputs));
        outputs.is_some_and(|outputs| path.is_ok_and(|path| path.starts_with(outputs)))
    };
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    for found in FolderFiles::open(input, FolderFiles::is_record) {
        match found {
            Ok(path) if is_output(&path) => {}
            Ok(path) => files.push(path),
            Err(error) => errors.push(error),
        }
    }
    let relative = |path: &Path| match path.strip_prefix(input) {
        Ok(inside) if inside != Path::new("") => inside.to_owned(),
        _ => path.file_name().map(PathBuf::from).unwrap_or_default(),
    };
    let mut counts: HashMap<PathBuf, usize> = HashMap::new();
    for path in &files {
        *counts.entry(without_ending(&relative(path))).or_default() += 1;
    }
    let sources = files.into_iter().map(|path| {
        let whole = relative(&path);
        let short = without_ending(&whole);
        let name = if counts.get(&short) == Some(&1) { short } else { whole };
        GameSource { path, name }
    });
    (sources.collect(), errors)
}

/// Returns a name without its ending, and without `.gz` after it.
fn without_ending(path: &Path) -> PathBuf {
    let is_gz = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let path = if is_gz { path.with_extension("") } else { path.to_owned() };
    path.with_extension("")
}

/// The games of one file, each with its name: that of the file, of the entry of an archive below
/// it, and the number of the game if the file or the entry has several.
#[derive(Debug)]
pub(crate) struct NamedGames {
    files: RecordFiles,
    next: Option<FileRecord>,
    name: PathBuf,
}

impl NamedGames {
    pub(crate) fn open(source: &GameSource, options: RecordFilesOptions) -> Self {
        let mut files = RecordFiles::open(&source.path, options);
        let next = files.next();
        Self { files, next, name: source.name.clone() }
    }

    /// Returns the faults that were skipped.
    pub(crate) fn into_skipped(self) -> Skipped<FileFault> {
        self.files.into_skipped()
    }
}

impl Iterator for NamedGames {
    type Item = (PathBuf, FileRecord);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.next.take()?;
        self.next = self.files.next();
        let place = &found.place;
        let follows = |next: &FileRecord| next.place.entry == place.entry && next.place.game > 1;
        let is_one_of_several = place.game > 1 || self.next.as_ref().is_some_and(follows);
        let mut name = self.name.clone();
        if let Some(entry) = &place.entry {
            // An archive may name an entry with `..` or as an absolute path.
            let inner = without_ending(Path::new(entry));
            name.extend(inner.components().filter_map(|part| match part {
                Component::Normal(part) => Some(part.to_owned()),
                _ => None,
            }));
        }
        if is_one_of_several {
            let last = name.file_name().unwrap_or(OsStr::new("game")).to_owned();
            let mut numbered = last;
            numbered.push(format!("-{}", place.game));
            name.set_file_name(numbered);
        }
        Some((name, found))
    }
}

/// Returns a path with an ending after the name, which may contain dots.
pub(crate) fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(".");
    path.push(ending);
    path.into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_follow_files_entries_and_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("in/sub")).unwrap();
        fs::create_dir_all(root.join("in/out")).unwrap();
        for (name, content) in [
            ("in/a.b.usi", "startpos moves 7g7f\n"),
            ("in/a.b.sfen", "startpos moves 2g2f\n"),
            ("in/sub/many.usi", "startpos moves 7g7f\nstartpos moves 2g2f\n"),
            ("in/out/old.usi", "startpos moves 7g7f\n"),
        ] {
            fs::write(root.join(name), content).unwrap();
        }
        let names = |input: &str| {
            let (sources, errors) = game_sources(&root.join(input), &root.join("in/out"));
            assert!(errors.is_empty());
            let games = |source| NamedGames::open(source, RecordFilesOptions::default());
            let names = sources.iter().flat_map(games).map(|(name, _)| name);
            names.map(|name| with_ending(&name, "kif")).collect::<Vec<_>>()
        };
        let expected = ["a.b.sfen.kif", "a.b.usi.kif", "sub/many-1.kif", "sub/many-2.kif"];
        assert_eq!(names("in"), expected.map(PathBuf::from));
        assert_eq!(names("in/a.b.usi"), [PathBuf::from("a.b.kif")]);
    }
}
