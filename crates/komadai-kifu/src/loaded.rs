//! The games of one text.

use komadai_base::reading::Skipped;

use crate::error::KifuError;
use crate::record::Record;

/// The games of one text.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The games, first to last.
    pub records: Vec<Record>,
    /// The faults skipped; none if the reading was strict.
    pub skipped: Skipped<KifuError>,
}
