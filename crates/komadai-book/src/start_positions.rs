//! Files of start positions of lines, with limits for each.

use std::io::BufReader;
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_bookgraph::frontier::RootLimits;
use komadai_core::{Position, UsiPosition};
use komadai_kifu::{KifuError, Tolerance};

use crate::files::input_error::InputError;
use crate::game_list::{GameListOptions, GameListReader, ListedGame};
use crate::list_error::ListError;

/// A start position of lines: the end of a game of a list.
///
/// The options of the game are those of BookMiner. They limit what is selected from the position:
///
/// - `game_ply_limit` is the number of the last move of the game that the book gets. A longer game is
///   cut before this move, and no later position is selected.
/// - `eval_limit` is the largest absolute value of a move that is followed.
/// - `book_extend_ply` is the number of plies by which the book's best line is followed; no other
///   line is.
///
/// # Examples
///
/// ```
/// use komadai_book::StartPosition;
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("think_sfens.txt");
/// std::fs::write(&path, "# a list\nstartpos moves 7g7f 3c3d, game_ply_limit=2, eval_limit=400\n")?;
/// let start = StartPosition::read_all(&path)?.remove(0);
/// // Move 2 is the last one that the book gets, so the position before it is the last to search.
/// assert_eq!(start.position, Position::hirate().after("7g7f".parse()?));
/// assert_eq!((start.limits.max_ply, start.limits.eval_limit), (Some(2), Some(400)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StartPosition {
    /// The start of the game and the moves to the position.
    pub line: UsiPosition,
    /// The position, with the moves as its history.
    pub position: Position,
    /// The limits of the lines from the position.
    pub limits: RootLimits,
}

impl StartPosition {
    /// Reads a list of games, one a line, as [`GameListReader`] does in a strict reading. The end
    /// of each game is a start position.
    ///
    /// # Errors
    ///
    /// Returns an error that names the file, and the line at fault, if the file cannot be read, if
    /// a line is no game or has an unknown option, or if the file contains no game.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, InputError> {
        let fault = |error| InputError::Games { path: path.to_owned(), error };
        let file = open_regular(path).map_err(InputError::io(path))?;
        let games = GameListReader::new(BufReader::new(file), Tolerance::Strict);
        let starts = games.map(|game| Self::of_game(game?)).collect::<Result<Vec<_>, _>>();
        match starts.map_err(fault)? {
            none if none.is_empty() => Err(InputError::NoGame { path: path.to_owned() }),
            starts => Ok(starts),
        }
    }

    fn of_game(game: ListedGame) -> Result<Self, ListError> {
        let ListedGame { record, options, line } = game;
        let fault = |error| KifuError::StartPosition { line, error };
        let mut position = Position::from_setup(&record.setup).map_err(fault)?;
        let first_ply = position.ply();
        let most =
            options.game_ply_limit.map_or(usize::MAX, |last| last.saturating_sub(1) as usize);
        // A strict reader has checked the moves.
        let moves: Vec<_> = record.moves.iter().take(most).map(|played| played.m).collect();
        moves.iter().for_each(|&m| position.do_move(m));
        let limits = RootLimits {
            best_line_plies: options.book_extend_ply,
            max_ply: options
                .game_ply_limit
                .map(|last| first_ply.saturating_add(last).saturating_sub(1)),
            eval_limit: options.eval_limit,
        };
        Ok(Self { line: UsiPosition { setup: record.setup, moves }, position, limits })
    }
}

impl GameListOptions {
    /// Returns the options of a game that starts at move number `first_ply` and whose end has these
    /// limits: what [`StartPosition::read_all`] reads back.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::game_list::GameListOptions;
    /// use komadai_book::graph::frontier::RootLimits;
    ///
    /// let limits = RootLimits { max_ply: Some(40), ..RootLimits::default() };
    /// assert_eq!(GameListOptions::of_limits(1, limits).to_string(), ", game_ply_limit=40");
    /// assert_eq!(GameListOptions::of_limits(21, limits).to_string(), ", game_ply_limit=20");
    /// ```
    pub fn of_limits(first_ply: u32, limits: RootLimits) -> Self {
        Self {
            book_extend_ply: limits.best_line_plies,
            eval_limit: limits.eval_limit,
            game_ply_limit: limits
                .max_ply
                .map(|max| max.saturating_add(1).saturating_sub(first_ply)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<StartPosition>, InputError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.txt");
        std::fs::write(&path, text).expect("the folder can be written");
        StartPosition::read_all(&path)
    }

    #[test]
    fn every_form_of_a_start_position_is_read() {
        let kings = "4k4/9/9/9/9/9/9/9/4K4 b P 21";
        let text = format!(
            "\u{feff}# a list\nstartpos\n\nstartpos moves 7g7f # why\nsfen {kings}\r\n\
             sfen {kings} moves P*5e, book_extend_ply=20,eval_limit=400 ,game_ply_limit=7\n"
        );
        let starts = read(&text).unwrap();
        let lines: Vec<_> = starts.iter().map(|start| start.line.to_string()).collect();
        let with_move = format!("sfen {kings} moves P*5e");
        assert_eq!(
            lines,
            ["startpos", "startpos moves 7g7f", &format!("sfen {kings}"), &with_move]
        );
        assert_eq!(starts[2].limits, RootLimits::default());
        let limits =
            RootLimits { best_line_plies: Some(20), max_ply: Some(27), eval_limit: Some(400) };
        assert_eq!((starts[3].limits, starts[3].position.ply()), (limits, 22));
        let written = GameListOptions::of_limits(21, limits).to_string();
        assert_eq!(written, ", book_extend_ply=20, eval_limit=400, game_ply_limit=7");
    }

    #[test]
    fn a_game_is_cut_before_its_last_wanted_move() {
        for (limit, moves, max_ply) in [(0, 0, 0), (1, 0, 1), (3, 2, 3), (9, 3, 9)] {
            let starts = read(&format!("startpos moves 7g7f 3c3d 2g2f, game_ply_limit={limit}"));
            let start = starts.unwrap().remove(0);
            assert_eq!((start.line.moves.len(), start.limits.max_ply), (moves, Some(max_ply)));
        }
        let most = read(&format!("startpos, game_ply_limit={}", u32::MAX)).unwrap();
        assert_eq!(most[0].limits.max_ply, Some(u32::MAX - 1));
    }

    #[test]
    fn faults_name_the_file_and_the_line() {
        for (text, place) in [
            ("startpos\nnowhere moves 7g7f\n", "line 2"),
            ("startpos\n\nstartpos moves 7g7f 7g7f\n", "line 3"),
            ("startpos moves 7g7f, eval_limit=much\n", "line 1"),
            ("startpos moves 7g7f, depth=3\n", "line 1"),
            ("sfen 9/9/9/9/9/9/9/9/9 b - 1\n", "line 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("list.txt: ") && error.contains(place), "{error}");
        }
        for text in ["", "\n# nothing\n"] {
            let error = read(text).unwrap_err();
            assert!(matches!(error, InputError::NoGame { .. }), "{error}");
        }
        let missing = StartPosition::read_all(Path::new("no such file")).unwrap_err();
        assert!(matches!(missing, InputError::Io { .. }), "{missing}");
    }
}
