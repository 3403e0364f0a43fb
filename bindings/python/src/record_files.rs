//! Records of many files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use komadai::kifu::{FilePlace, FileRecord, RecordFiles};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::paths;
use crate::record::{PyGame, tolerance};

/// An iterator over the games of a file, an archive (zip, gzip) or all files below a folder.
///
/// Each is a FileGame; a file that cannot be read is one with an error, and the reading goes on with
/// the next file. Within folders the files are those with an ending of records; links to folders
/// are not followed. strict=False skips faults within a game. Memory does not depend on the number
/// of files.
#[pyclass(name = "RecordFiles", module = "komadai", frozen)]
pub struct PyRecordFiles {
    files: Mutex<RecordFiles>,
}

#[pymethods]
impl PyRecordFiles {
    #[new]
    #[pyo3(signature = (path, *, strict=true))]
    fn new(#[pyo3(from_py_with = paths::path)] path: PathBuf, strict: bool) -> Self {
        Self { files: Mutex::new(RecordFiles::open(path, tolerance(strict))) }
    }

    /// The numbers so far: {"files", "games", "failed", "faults", "lost_moves", "passed_over"}.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = *self.lock()?.report();
        let found = PyDict::new(py);
        found.set_item("files", report.files)?;
        found.set_item("games", report.games)?;
        found.set_item("failed", report.failed)?;
        found.set_item("faults", report.faults)?;
        found.set_item("lost_moves", report.lost_moves)?;
        found.set_item("passed_over", report.passed_over)?;
        Ok(found)
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyFileGame>> {
        let files = &mut *self.lock()?;
        Ok(py.detach(|| files.next()).map(PyFileGame::of))
    }
}

impl PyRecordFiles {
    fn lock(&self) -> PyResult<MutexGuard<'_, RecordFiles>> {
        self.files.try_lock().map_err(|_| errors::kifu("another thread reads with it"))
    }
}

/// A game of a file, or the reason why there is none.
#[pyclass(name = "FileGame", module = "komadai", frozen)]
pub struct PyFileGame {
    place: FilePlace,
    game: Option<PyGame>,
    error: Option<PyErr>,
}

impl PyFileGame {
    fn of(found: FileRecord) -> Self {
        let FileRecord { place, record } = found;
        let (game, error) = match record {
            Ok(record) => (Some(PyGame::new(record)), None),
            Err(error) => (None, Some(errors::kifu(format!("{place}: {error}")))),
        };
        Self { place, game, error }
    }
}

#[pymethods]
impl PyFileGame {
    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        &self.place.path
    }

    /// The name of the entry in an archive; None for a plain file.
    #[getter]
    fn entry(&self) -> Option<&str> {
        self.place.entry.as_deref()
    }

    /// The number of the game in the file or entry, from 1; 0 if all of it cannot be read.
    #[getter]
    fn number(&self) -> u64 {
        self.place.game
    }

    /// The game; None if there is an error.
    #[getter]
    fn game(&self) -> Option<PyGame> {
        self.game.clone()
    }

    /// The KifuError that names file and reason; None if there is a game.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.error.as_ref().map(|error| error.clone_ref(py).into_value(py).into_any())
    }

    fn __repr__(&self) -> String {
        let kind = if self.game.is_some() { "game" } else { "error" };
        format!("<FileGame: {}, {kind}>", self.place)
    }
}
