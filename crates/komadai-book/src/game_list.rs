//! Lists of games with options for the growth of a book.

use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

use komadai_bookfile::fields::shorten;
use komadai_kifu::{
    HeaderKey, KifuError, Record, Skipped, TextFault, TextFaultKind, Tolerance, UsiGamesReader,
};

use crate::list_error::ListError;

/// Reads lists of games with options, one game a line, in the format of BookMiner.
///
/// ```text
/// startpos moves 7g7f 3c3d 2g2f, book_extend_ply=20, eval_limit=400, game_ply_limit=200
/// ```
///
/// The options may be absent, and their order is free. The games, with comments and result words,
/// are read as by [`UsiGamesReader`]. A strict reader returns an error for an unknown option, a
/// value of the wrong kind and a repeated option; a lenient reader keeps the game without that
/// option.
///
/// # Examples
///
/// ```
/// use komadai_book::game_list::GameListReader;
/// use komadai_kifu::Tolerance;
///
/// let text = "startpos moves 7g7f 3c3d, book_extend_ply=20, eval_limit=400\n";
/// let mut games = GameListReader::new(text.as_bytes(), Tolerance::Strict);
/// let game = games.next().expect("a game")?;
/// assert_eq!((game.record.moves.len(), game.line), (2, 1));
/// assert_eq!(game.options.eval_limit, Some(400));
/// assert_eq!(game.options.to_string(), ", book_extend_ply=20, eval_limit=400");
/// # Ok::<(), komadai_book::ListError>(())
/// ```
///
/// Options that are not understood, in a lenient reading:
///
/// ```
/// use komadai_book::game_list::{GameListOptions, GameListReader, ListedGame};
/// use komadai_kifu::Tolerance;
///
/// let text = "startpos moves 7g7f, eval_limit=400, depth=9\n";
/// let mut games = GameListReader::new(text.as_bytes(), Tolerance::Lenient);
/// let game: ListedGame = games.next().expect("a game")?;
/// let known = GameListOptions { eval_limit: Some(400), ..GameListOptions::default() };
/// assert_eq!((game.options, games.skipped_options().count()), (known, 1));
/// # Ok::<(), komadai_book::ListError>(())
/// ```
#[derive(Debug)]
pub struct GameListReader<R> {
    games: UsiGamesReader<R>,
    tolerance: Tolerance,
    skipped_options: Skipped<ListError>,
    is_over: bool,
}

/// A game of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ListedGame {
    /// The game. Its header contains the options as text.
    pub record: Record,
    /// The options of the game.
    pub options: GameListOptions,
    /// The number of the line, from 1.
    pub line: u64,
}

/// The options of a game in a list. An option that the line does not contain is `None`.
///
/// [`Display`](fmt::Display) writes them as the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct GameListOptions {
    /// Number of plies by which the book's best line is followed and extended from the end of the
    /// game.
    pub book_extend_ply: Option<u32>,
    /// The value in centipawns, for either side, beyond which a line is not followed.
    pub eval_limit: Option<i32>,
    /// The number of the last move of the game that is taken.
    pub game_ply_limit: Option<u32>,
}

// The names of the options, as BookMiner writes them.
const EXTEND: &str = "book_extend_ply";
const EVAL: &str = "eval_limit";
const PLY: &str = "game_ply_limit";

/// The text expected where the name of an option stands.
const OPTION_NAMES: &str = "the option book_extend_ply, eval_limit or game_ply_limit";

impl<R: BufRead> GameListReader<R> {
    /// Creates a reader of the list in `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        let games = UsiGamesReader::new(reader, tolerance);
        Self { games, tolerance, skipped_options: Skipped::default(), is_over: false }
    }

    /// Returns the faults of games skipped so far; none if the reading is strict.
    pub fn skipped(&self) -> &Skipped<KifuError> {
        self.games.skipped()
    }

    /// Returns the faulty options skipped so far; none if the reading is strict.
    pub fn skipped_options(&self) -> &Skipped<ListError> {
        &self.skipped_options
    }

    /// Reads the next game. Returns `None` at the end of the list.
    fn next_game(&mut self) -> Result<Option<ListedGame>, ListError> {
        let Some(record) = self.games.next().transpose()? else { return Ok(None) };
        let line = self.games.line();
        let mut options = GameListOptions::default();
        for (key, value) in record.header.iter() {
            let HeaderKey::Custom(name) = key else { continue };
            match (options.read(name, value, line), self.tolerance) {
                (Ok(()), _) => {}
                (Err(fault), Tolerance::Lenient) => self.skipped_options.add(fault),
                (Err(fault), Tolerance::Strict) => return Err(fault),
            }
        }
        Ok(Some(ListedGame { record, options, line }))
    }
}

impl<R: BufRead> Iterator for GameListReader<R> {
    type Item = Result<ListedGame, ListError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = self.next_game();
        self.is_over = !matches!(game, Ok(Some(_)));
        game.transpose()
    }
}

impl GameListOptions {
    /// Sets the option with this name.
    fn read(&mut self, name: &str, value: &str, line: u64) -> Result<(), ListError> {
        match name {
            EXTEND => set(&mut self.book_extend_ply, EXTEND, value, "a number of plies", line),
            EVAL => set(&mut self.eval_limit, EVAL, value, "a value in centipawns", line),
            PLY => set(&mut self.game_ply_limit, PLY, value, "a number of plies", line),
            _ => {
                let found = shorten(name);
                let expected = OPTION_NAMES;
                Err(TextFault::in_line(line, TextFaultKind::Syntax { found, expected }).into())
            }
        }
    }
}

fn set<T: FromStr>(
    option: &mut Option<T>,
    name: &'static str,
    value: &str,
    expected: &'static str,
    line: u64,
) -> Result<(), ListError> {
    if option.is_some() {
        return Err(ListError::RepeatedOption { line, name });
    }
    let fault = |_| {
        let found = shorten(value);
        ListError::OptionValue { line, name, found, expected }
    };
    *option = Some(value.parse().map_err(fault)?);
    Ok(())
}

impl fmt::Display for GameListOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { book_extend_ply, eval_limit, game_ply_limit } = self;
        book_extend_ply.iter().try_for_each(|plies| write!(f, ", {EXTEND}={plies}"))?;
        eval_limit.iter().try_for_each(|cp| write!(f, ", {EVAL}={cp}"))?;
        game_ply_limit.iter().try_for_each(|ply| write!(f, ", {PLY}={ply}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, tolerance: Tolerance) -> Result<Vec<ListedGame>, ListError> {
        GameListReader::new(text.as_bytes(), tolerance).collect()
    }

    #[test]
    fn options_are_read_in_any_order_and_written_in_one() {
        let text = "# a list\n\nstartpos moves 7g7f, game_ply_limit=200, book_extend_ply=20\n\
            startpos moves 2g2f resign\n\
            sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves P*5e , eval_limit = -5 # why\n";
        let games = read(text, Tolerance::Strict).unwrap();
        let seen: Vec<_> = games.iter().map(|game| (game.line, game.options.to_string())).collect();
        let expected = [
            (3, ", book_extend_ply=20, game_ply_limit=200".to_owned()),
            (4, String::new()),
            (5, ", eval_limit=-5".to_owned()),
        ];
        assert_eq!(seen, expected);
        assert!(games.iter().all(|game| game.record.moves.len() == 1));
        for game in &games {
            let line = format!("startpos moves 7g7f{}", game.options);
            assert_eq!(read(&line, Tolerance::Strict).unwrap()[0].options, game.options);
        }
    }

    #[test]
    fn faulty_options_are_reported_and_skipped() {
        for (options, message) in [
            (
                "eval_limit=1, depth=3",
                "line 2: found \"depth\", expected the option book_extend_ply, eval_limit or \
                 game_ply_limit",
            ),
            (
                "eval_limit=1, game_ply_limit=-3",
                "line 2: found \"-3\" as game_ply_limit, expected a number of plies",
            ),
            (
                "eval_limit=1, book_extend_ply",
                "line 2: found \"\" as book_extend_ply, expected a number of plies",
            ),
            (
                "eval_limit=1, eval_limit=2",
                "line 2: found eval_limit twice, expected it at most once",
            ),
        ] {
            let text = format!("# list\nstartpos moves 7g7f, {options}\n");
            assert_eq!(read(&text, Tolerance::Strict).unwrap_err().to_string(), message);
            let mut reader = GameListReader::new(text.as_bytes(), Tolerance::Lenient);
            let game = reader.next().unwrap().unwrap();
            let expected = GameListOptions { eval_limit: Some(1), ..GameListOptions::default() };
            assert_eq!((game.options, reader.skipped_options().count()), (expected, 1));
            assert!(reader.next().is_none());
        }
        let illegal = "startpos moves 7g7f 7g7f, eval_limit=1\n";
        let error = read(illegal, Tolerance::Strict).unwrap_err();
        assert!(matches!(error, ListError::Game(KifuError::IllegalMove { line: 1, .. })));
        let games = read(illegal, Tolerance::Lenient).unwrap();
        assert_eq!((games[0].record.moves.len(), games[0].options.eval_limit), (1, Some(1)));
    }
}
