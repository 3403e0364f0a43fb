//! Games that are part of the program, so that it grows a book without any files.

/// Games of public tournaments and servers between programs, or programs and people.
const TOURNAMENT_GAMES: &str = include_str!("../data/tournament_games.usi");

/// Returns 77 tournament games as `startpos moves …`.
pub(crate) fn tournament_games() -> impl Iterator<Item = &'static str> {
    TOURNAMENT_GAMES.lines()
}
