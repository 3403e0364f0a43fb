//! The finished part of unfinished work.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use komadai_base::atomic_file::{Draft, write_atomically};
use komadai_base::file::{LockedFile, read_text, with_ending};
use serde_json::{Value, json};

use super::chunk::Chunk;
use crate::dataset::reader_sha256;
use crate::records::PackedSfenValue;
use crate::tools::error::ToolError;
use crate::tools::fault::BYTES;
use crate::tools::origin::Origin;
use crate::tools::output::{complete, locked};

/// Time between two requests to the system to make the file durable.
const SYNC_EVERY: Duration = Duration::from_secs(10);

/// The records that have been searched, in their order, in a file beside the output; and the
/// conditions of the work in another one.
pub(super) struct Journal {
    output: PathBuf,
    path: PathBuf,
    file: LockedFile,
    /// Number of bytes of whole chunks.
    length: u64,
    synced: Instant,
}

impl Journal {
    /// Opens the journal of an output, or creates it.
    pub(super) fn open(output: &Path, origin: &Origin) -> Result<Self, ToolError> {
        let path = with_ending(output, ".rescored");
        let file = locked(&path)?;
        let conditions = conditions(origin);
        let place = conditions_path(&path);
        match read_text(&place, 1 << 24) {
            Ok(text) => compare(&place, &text, &conditions)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Records without conditions are of unknown origin.
                file.set_len(0).map_err(|error| ToolError::io(&path, error))?;
                let text = format!("{conditions:#}\n");
                write_atomically(&place, |out| out.write_all(text.as_bytes()))
                    .map_err(|error| ToolError::io(&place, error))?;
            }
            Err(error) => return Err(ToolError::io(&place, error)),
        }
        Ok(Self { output: output.to_owned(), path, file, length: 0, synced: Instant::now() })
    }

    /// Returns whether the next records of the journal are those of this chunk, and passes them
    /// then.
    ///
    /// Quiet positions replace others, so that only the damage of the end of the file shows then.
    pub(super) fn passes(&mut self, chunk: &Chunk, is_quiet: bool) -> Result<bool, ToolError> {
        let mut bytes = vec![0; chunk.records.len() * BYTES];
        match self.file.read_exact(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            read => read.map_err(|error| ToolError::io(&self.path, error))?,
        }
        // After a failure of the machine, the end of a file may be zeros.
        let is_same = |((record, _), bytes): (&(_, _), &[u8; BYTES])| match is_quiet {
            true => PackedSfenValue::from_bytes(bytes).is_ok_and(|quiet| quiet.unpack().is_ok()),
            false => is_rescored(record, bytes),
        };
        let passes = chunk.records.iter().zip(bytes.as_chunks().0).all(is_same);
        if passes {
            self.length += bytes.len() as u64;
        }
        Ok(passes)
    }

    /// Ends the journal after the chunks that have been passed.
    pub(super) fn truncate(&mut self) -> Result<(), ToolError> {
        let io = |error| ToolError::io(&self.path, error);
        self.file.set_len(self.length).map_err(io)?;
        self.file.seek(SeekFrom::Start(self.length)).map_err(io)?;
        Ok(())
    }

    /// Appends a chunk.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        let mut written = self.file.write_all(bytes);
        if written.is_ok() && self.synced.elapsed() >= SYNC_EVERY {
            written = self.file.sync_data();
            self.synced = Instant::now();
        }
        if written.is_ok() {
            self.length += bytes.len() as u64;
        } else {
            let _ = self.file.set_len(self.length);
        }
        written.map_err(|error| ToolError::io(&self.path, error))
    }

    /// Gives the file the name of the output, and writes the note of its origin.
    pub(super) fn complete(mut self, origin: Origin) -> Result<Origin, ToolError> {
        let hash = |file: &mut File| -> io::Result<String> {
            file.sync_all()?;
            file.seek(SeekFrom::Start(0))?;
            reader_sha256(file)
        };
        let sha256 = hash(&mut self.file).map_err(|error| ToolError::io(&self.path, error))?;
        let note = Origin { records: self.length / BYTES as u64, sha256, ..origin };
        let draft = Draft::with_name(&self.output, &self.path).keep_partial();
        complete(draft, &self.output, &note)?;
        let conditions = conditions_path(&self.path);
        fs::remove_file(&conditions).map_err(|error| ToolError::io(&conditions, error))?;
        Ok(note)
    }
}

/// Returns whether the bytes are this record, but for the score and the best move.
fn is_rescored(record: &PackedSfenValue, bytes: &[u8; BYTES]) -> bool {
    let before = record.to_bytes();
    before[..32] == bytes[..32] && before[36..] == bytes[36..]
}

fn conditions_path(journal: &Path) -> PathBuf {
    with_ending(journal, ".json")
}

/// Returns everything on which the records depend.
fn conditions(origin: &Origin) -> Value {
    let inputs = origin.inputs.iter().map(|input| json!([input.records, input.sha256]));
    json!({
        "scores": origin.data_versions,
        "options": origin.options,
        "inputs": inputs.collect::<Value>(),
    })
}

fn compare(place: &Path, text: &str, expected: &Value) -> Result<(), ToolError> {
    let fault = |reason| ToolError::Journal { path: place.to_owned(), reason };
    let found: Value = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    for key in ["scores", "options", "inputs"] {
        if found[key] != expected[key] {
            let reason = format!("it has the {key} {}, expected {}", found[key], expected[key]);
            return Err(fault(reason));
        }
    }
    Ok(())
}
