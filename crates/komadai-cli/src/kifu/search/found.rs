//! A game that was found.

use komadai::games::{GameSummary, Hit};
use komadai::kifu::{FilePlace, Record};

/// A game that was found.
pub(super) struct FoundGame {
    pub(super) game: GameSummary,
    pub(super) hit: Hit,
    /// The record, if it is to be written and was read.
    pub(super) record: Option<Record>,
}

/// Returns a place as `games/2024.zip:01/a.csa#3`.
pub(super) fn place(place: &FilePlace) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    // An index has whole paths.
    let path = place.path.strip_prefix(here).unwrap_or(&place.path);
    let entry = place.entry.as_ref().map_or(String::new(), |entry| format!(":{entry}"));
    format!("{}{entry}#{}", path.display(), place.game)
}
