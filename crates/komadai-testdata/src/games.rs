//! Real games.

use crate::outcome::Outcome;
use crate::table::{Table, table};

/// The moves and circumstances of one game, from the start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Game {
    /// The tournament or server, if known.
    pub event: Option<&'static str>,
    /// The year, if known.
    pub year: Option<u16>,
    /// The player of the black pieces (先手), if known.
    pub black: Option<&'static str>,
    /// The player of the white pieces (後手), if known.
    pub white: Option<&'static str>,
    /// The winner, if the source states it.
    pub winner: Outcome,
    /// The number of moves.
    pub plies: u32,
    /// The public repository in whose test data the game was found.
    pub found_in: &'static str,
    /// The moves in USI notation, separated by single spaces.
    pub moves: &'static str,
}

static TOURNAMENT: Table<8> = table!(
    "games/tournament_games.tsv",
    ["event", "year", "black", "white", "winner", "plies", "found_in", "moves_usi"]
);

/// 77 games between programs, or programs and people, of 61 to 351 plies.
///
/// # Examples
///
/// ```
/// use komadai_testdata::games;
///
/// let longest = games::tournament().max_by_key(|game| game.plies).expect("there are games");
/// assert_eq!(longest.plies, 351);
/// assert_eq!(longest.event, Some("19th World Computer Shogi Championship"));
/// ```
pub fn tournament() -> impl Iterator<Item = Game> {
    TOURNAMENT.rows().map(|row| {
        let [event, year, black, white, winner, plies, found_in, moves] = row.cells;
        Game {
            event: known(event),
            year: known(year).map(|year| row.number(year)),
            black: known(black),
            white: known(white),
            winner: match winner {
                "black" => Outcome::BlackWins,
                "white" => Outcome::WhiteWins,
                "" => Outcome::Unknown,
                _ => row.reject(winner),
            },
            plies: row.number(plies),
            found_in,
            moves,
        }
    })
}

fn known(cell: &'static str) -> Option<&'static str> {
    (!cell.is_empty()).then_some(cell)
}
