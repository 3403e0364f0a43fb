//! The note of the origin of a file that a tool has written.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use komadai_base::file::read_text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::data_version::DataVersion;
use super::error::ToolError;
use crate::dataset::Run;

/// The version of the format, in the note.
const FORMAT: &str = "komadai training records 1";

/// Largest size of a note.
const MOST_BYTES: u64 = 1 << 30;

/// The origin of a file of records: the tool, its options and its inputs. The file `NAME.psv` has
/// it in `NAME.psv.json`, so that the same file can be made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The format of the note.
    pub format: String,
    /// The version of komadai.
    pub version: String,
    /// The tool, as in `komadai train TOOL`.
    pub tool: String,
    /// The options of the tool.
    pub options: Value,
    /// The inputs, in their order.
    pub inputs: Vec<InputOrigin>,
    /// The runs of self-play that played the games, as far as they are known.
    pub runs: Vec<Run>,
    /// The versions that made the scores, as far as they are known.
    pub data_versions: Vec<DataVersion>,
    /// Number of records read.
    pub read: u64,
    /// Number of records that were not written, by reason.
    pub dropped: BTreeMap<String, u64>,
    /// Number of faults that were skipped.
    pub damaged: u64,
    /// Number of records written.
    pub records: u64,
    /// The SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
}

/// An input of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputOrigin {
    /// The file, as the tool was given it.
    pub path: String,
    /// Number of its records.
    pub records: u64,
    /// The SHA-256 of these records; `None` if the tool did not need it.
    pub sha256: Option<String>,
    /// Its own origin, if a tool has written it.
    pub origin: Option<Box<Origin>>,
}

impl Origin {
    /// Returns the origin of a file that has not been written yet.
    pub(super) fn new(tool: &str, options: Value) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tool: tool.to_owned(),
            options,
            inputs: Vec::new(),
            runs: Vec::new(),
            data_versions: Vec::new(),
            read: 0,
            dropped: BTreeMap::new(),
            damaged: 0,
            records: 0,
            sha256: String::new(),
        }
    }

    /// Returns the place of the note of a file: its name with the ending `.json` added.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    /// use komadai_data::tools::Origin;
    ///
    /// assert_eq!(Origin::path_of(Path::new("data/train.psv")), Path::new("data/train.psv.json"));
    /// ```
    pub fn path_of(file: &Path) -> PathBuf {
        let mut name = OsString::from(file);
        name.push(".json");
        name.into()
    }

    /// Reads the note of a file of records; `None` if it has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_data::records::{PackedSfenValue, RecordResult};
    /// use komadai_data::tools::{Existing, Filter, OnDamage, Origin, Output, Sources, Watch, filter};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let [games, out] = ["games.psv", "out.psv"].map(|name| folder.path().join(name));
    /// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
    /// std::fs::write(&games, record.to_bytes())?;
    /// let sources = Sources::find(&[games.clone()], OnDamage::Refuse)?;
    /// let output = Output::create(&out, Existing::Refuse)?;
    /// filter(&sources, output, &Filter::default(), &mut Watch::none())?;
    /// assert_eq!(Origin::read_of(&out)?.expect("a tool wrote it").tool, "filter");
    /// assert_eq!(Origin::read_of(&games)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Note`] for a note that cannot be understood or is of another version,
    /// and [`ToolError::Io`] if the system refuses.
    pub fn read_of(file: &Path) -> Result<Option<Self>, ToolError> {
        let path = Self::path_of(file);
        let text = match read_text(&path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ToolError::io(&path, error)),
        };
        let fault = |reason| ToolError::Note { path: path.clone(), reason };
        let note: Self = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
        if note.format != FORMAT {
            return Err(fault(format!("found format {:?}, expected {FORMAT:?}", note.format)));
        }
        Ok(Some(note))
    }

    pub(super) fn to_json(&self) -> String {
        // Numbers, strings and lists always have a text.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
