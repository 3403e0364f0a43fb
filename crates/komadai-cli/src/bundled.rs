//! Games and openings that are part of the program, so that it does something useful without any files.

/// Games of public tournaments and servers between programs, or programs and people.
const TOURNAMENT_GAMES: &str = include_str!("../data/tournament_games.usi");

/// Balanced openings of 16 to 30 plies, which an engine holds to be within 100 centipawns of even.
const OPENINGS: &str = include_str!("../data/openings.usi");

/// Returns 77 tournament games as `startpos moves …`.
pub(crate) fn tournament_games() -> impl Iterator<Item = &'static str> {
    TOURNAMENT_GAMES.lines()
}

/// Returns 200 openings as `startpos moves …`.
pub(crate) fn openings() -> impl Iterator<Item = &'static str> {
    OPENINGS.lines()
}
