//! Games and books that several tests share.

use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Move, Position, Setup};
use komadai_kifu::Tolerance;
use komadai_testdata::Outcome;
use komadai_testdata::books::match_games;

pub(crate) fn read_book(text: &[u8]) -> BookGraph {
    BookGraph::from_db(text, Tolerance::Strict).unwrap()
}

pub(crate) fn moves(text: &str) -> Vec<Move> {
    text.split_ascii_whitespace().map(|m| m.parse().unwrap()).collect()
}

/// Returns a game from the start position against `engine`, without times and values.
pub(crate) fn game(text: &str, book_side: Color, winner: Option<Color>) -> BookGame {
    BookGame {
        start: Setup::hirate(),
        moves: moves(text),
        book_side,
        winner,
        opponent: "engine".to_owned(),
        generation: 0,
        left_at: None,
        times_ms: Vec::new(),
        scores: Vec::new(),
        ending: "resignation".to_owned(),
        when: 0,
    }
}

/// Returns the games of the bundled match.
pub(crate) fn fixture_games() -> Vec<BookGame> {
    let read = |row: match_games::GameRow| {
        let book_side = if row.book_side_is_black { Color::Black } else { Color::White };
        let winner = match row.outcome {
            Outcome::BlackWins => Some(Color::Black),
            Outcome::WhiteWins => Some(Color::White),
            _ => None,
        };
        game(row.moves, book_side, winner)
    };
    match_games::games().map(read).collect()
}

/// Returns the same game with colours exchanged.
pub(crate) fn turned(game: &BookGame) -> BookGame {
    BookGame {
        start: game.start.flipped(),
        moves: game.moves.iter().map(|m| m.flipped()).collect(),
        book_side: !game.book_side,
        winner: game.winner.map(|winner| !winner),
        ..game.clone()
    }
}

/// Returns the SFEN of a position without its move number.
pub(crate) fn text(position: &Position) -> String {
    position.to_string().rsplit_once(' ').unwrap().0.to_owned()
}
