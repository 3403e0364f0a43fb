//! The positions of the bundled games.

use komadai::prelude::*;

/// Returns each position of a game from the start position, with the move that was played in it.
pub(crate) fn plies(moves: &str) -> impl Iterator<Item = (Position, Move)> {
    let mut position = Position::hirate();
    moves.split(' ').map(move |m| {
        let m = m.parse().expect("bundled moves are moves");
        let before = position.clone();
        position.do_move(m);
        (before, m)
    })
}
