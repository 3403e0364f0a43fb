//! Paths as callers give them, for `from_py_with`, and other texts for the system.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Reads a path: a text or an object of `os.PathLike`.
///
/// A text that the file system cannot encode is a UnicodeEncodeError; pyo3 alone would panic.
pub fn path(given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    given.py().import("os")?.call_method1("fsencode", (given,))?;
    given.extract()
}

/// Reads a path or None.
pub fn optional(given: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if given.is_none() { Ok(None) } else { path(given).map(Some) }
}

/// Reads a path or several.
pub fn several(given: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    match given.try_iter() {
        Ok(paths) if !given.is_instance_of::<pyo3::types::PyString>() => {
            paths.map(|item| path(&item?)).collect()
        }
        _ => Ok(vec![path(given)?]),
    }
}

/// A text for a process: an argument, or a part of its environment.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct SystemText(pub OsString);

impl<'py> FromPyObject<'_, 'py> for SystemText {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        path(&given.to_owned()).map(|path| Self(path.into()))
    }
}
