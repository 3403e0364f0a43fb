//! Openings that are part of the program, so that matches need no files.

/// Balanced openings of 16 to 30 plies, which an engine holds to be within 100 centipawns of even.
const OPENINGS: &str = include_str!("../data/openings.usi");

/// Returns 200 openings as `startpos moves …`.
pub(crate) fn openings() -> impl Iterator<Item = &'static str> {
    OPENINGS.lines()
}
