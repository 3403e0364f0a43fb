//! The results of a study in a file, so that a study that was interrupted goes on.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use anyhow::Context as _;
use komadai_base::file::{open_regular_with, read_text};

/// Results by their keys, in the order in which they were found.
#[derive(Debug)]
pub struct Journal {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    found: HashMap<String, String>,
    file: Option<File>,
}

impl Journal {
    /// Opens or creates a file with a result a line; without one, results last as long as the
    /// program. The rest of a line that was cut off is removed, and that result is found again.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self { state: Mutex::default() }) };
        let context = || path.display().to_string();
        let file = open_regular_with(OpenOptions::new().create(true).append(true), path)
            .with_context(context)?;
        let text = read_text(path, u64::MAX).with_context(context)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).with_context(context)?;
        let mut found = HashMap::new();
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let (key, value) = line.rsplit_once('\t').with_context(|| {
                format!(
                    "{}, line {number}: found {line:?}, expected KEY<TAB>RESULT",
                    path.display()
                )
            })?;
            found.insert(key.to_owned(), value.to_owned());
        }
        Ok(Self { state: Mutex::new(State { found, file: Some(file) }) })
    }

    fn state(&self) -> anyhow::Result<MutexGuard<'_, State>> {
        self.state.lock().map_err(|_| anyhow::anyhow!("a thread has panicked"))
    }

    /// Returns the result of a key.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn get(&self, key: &str) -> anyhow::Result<Option<String>> {
        Ok(self.state()?.found.get(key).cloned())
    }

    /// Adds a result, which is a line without a tabulator.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn add(&self, key: String, value: String) -> anyhow::Result<()> {
        let mut state = self.state()?;
        if let Some(file) = &mut state.file {
            // One write a line: of a process that is killed, at most the last one is cut off.
            file.write_all(format!("{key}\t{value}\n").as_bytes())?;
        }
        state.found.insert(key, value);
        Ok(())
    }

    /// Returns the result of a key, which `find` finds if it is not there yet.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn get_or_find(
        &self,
        key: String,
        find: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<String> {
        if let Some(known) = self.get(&key)? {
            return Ok(known);
        }
        let found = find()?;
        self.add(key, found.clone())?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_been_found_is_there_after_a_kill() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let open = || Journal::open(Some(&path)).expect("a journal");
        let journal = open();
        for number in 0..3 {
            let find = || Ok(format!("result {number}"));
            journal.get_or_find(format!("key\t{number}"), find).expect("a result");
        }
        drop(journal);
        let text = read_text(&path, u64::MAX).expect("a text");
        // Killed in the middle of the last line.
        let file = open_regular_with(OpenOptions::new().write(true), &path).expect("a file");
        file.set_len(text.len() as u64 - 4).expect("shorter");
        let journal = open();
        let get = |number: u32| journal.get(&format!("key\t{number}")).expect("a journal");
        assert_eq!((get(1), get(2)), (Some("result 1".to_owned()), None));
        journal.add("key\t2".to_owned(), "again".to_owned()).expect("a line");
        assert_eq!(open().get("key\t2").expect("a journal"), Some("again".to_owned()));
        let text = read_text(&path, u64::MAX).expect("a text");
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn a_foreign_file_is_refused_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        Journal::open(Some(&path))
            .expect("new")
            .add("a".to_owned(), "b".to_owned())
            .expect("a line");
        let mut file = open_regular_with(OpenOptions::new().append(true), &path).expect("a file");
        file.write_all(b"something else\n").expect("a line");
        let error = Journal::open(Some(&path)).expect_err("not a journal").to_string();
        assert!(error.contains("line 2: found \"something else\""), "{error}");
    }
}
