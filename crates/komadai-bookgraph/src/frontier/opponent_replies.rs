//! The replies of opponents in games, as a book of a rival.

use std::collections::HashMap;

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Move, Position};
use komadai_movegen::is_legal;

use super::rival::RivalBook;
use crate::book_game::BookGame;
use crate::playable_move::PlayableMove;

/// The moves that opponents made in games against a book, with their numbers of games. A model of a
/// [rival](super::Rival) by what opponents really played.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::BookGame;
/// use komadai_bookgraph::frontier::{OpponentReplies, RivalBook};
/// use komadai_core::{Color, Position, Setup};
///
/// let mut replies = OpponentReplies::default();
/// for reply in ["3c3d", "8c8d", "3c3d"] {
///     let moves = vec!["7g7f".parse()?, reply.parse()?];
///     replies.add(&BookGame::new(Setup::hirate(), moves, Color::Black, None));
/// }
/// let after = Position::hirate().after("7g7f".parse()?);
/// assert_eq!(replies.games(&after, "3c3d".parse()?), 2);
/// assert_eq!(replies.moves(&after).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OpponentReplies {
    /// By position, in the orientation with Black to move.
    replies: HashMap<PositionKey, Vec<(Move, u32)>>,
}

impl OpponentReplies {
    /// Counts the replies of a game up to the move at which the book ended. The rest of the game
    /// was not made against the book. A game counts up to its first illegal move.
    pub fn add(&mut self, game: &BookGame) {
        let Ok(mut position) = Position::from_setup(&game.start) else { return };
        let in_book = game.left_at.map_or(usize::MAX, |left| left as usize);
        for &m in game.moves.iter().take(in_book) {
            if !is_legal(&position, m) {
                return;
            }
            if position.side() != game.book_side
                && let Ok(key) = PositionKey::try_of(&position)
            {
                let m = turn(m, position.side());
                let known = self.replies.entry(key).or_default();
                match known.iter_mut().find(|(reply, _)| *reply == m) {
                    Some((_, games)) => *games = games.saturating_add(1),
                    None => known.push((m, 1)),
                }
            }
            position.do_move(m);
        }
    }

    /// Returns whether no reply has been counted.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    /// The number of games in which opponents made this move.
    pub fn games(&self, position: &Position, m: Move) -> u32 {
        let m = turn(m, position.side());
        self.counted(position).iter().find(|(reply, _)| *reply == m).map_or(0, |&(_, games)| games)
    }

    fn counted(&self, position: &Position) -> &[(Move, u32)] {
        let key = PositionKey::try_of(position);
        key.ok().and_then(|key| self.replies.get(&key)).map_or(&[], Vec::as_slice)
    }
}

impl RivalBook for OpponentReplies {
    fn moves(&self, position: &Position) -> Vec<PlayableMove> {
        let reply = |&(m, games): &(Move, u32)| PlayableMove {
            games,
            ..PlayableMove::new(turn(m, position.side()))
        };
        self.counted(position).iter().map(reply).collect()
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Color, Setup};

    use super::*;

    fn game(line: &str, side: Color) -> BookGame {
        let moves = line.split(' ').map(|m| m.parse().unwrap()).collect();
        BookGame::new(Setup::hirate(), moves, side, None)
    }

    #[test]
    fn replies_count_for_both_orientations_and_end_with_the_book() {
        let mut replies = OpponentReplies::default();
        assert!(replies.is_empty());
        replies.add(&game("7g7f 3c3d 2g2f 8c8d", Color::Black));
        replies.add(&BookGame { left_at: Some(1), ..game("7g7f 3c3d", Color::Black) });
        // An opponent with Black: its moves are those of the turned positions.
        replies.add(&game("7g7f 3c3d 2g2f 8c8d 2f2e 8d8e", Color::White));
        let start = Position::hirate();
        let at =
            |line: &str| line.split(' ').fold(start.clone(), |p, m| p.after(m.parse().unwrap()));
        let count = |position: &Position, m: &str| replies.games(position, m.parse().unwrap());
        assert_eq!(count(&at("7g7f"), "3c3d"), 1);
        assert_eq!(count(&at("7g7f 3c3d 2g2f"), "8c8d"), 1);
        assert_eq!((count(&start, "7g7f"), count(&start.flipped(), "3c3d")), (1, 1));
        assert_eq!(count(&at("7g7f 3c3d"), "2g2f"), 1);
        assert_eq!(count(&at("7g7f 3c3d 2g2f 8c8d 2f2e"), "8d8e"), 0, "the book's own move");
        assert!(replies.moves(&at("2g2f")).is_empty());
        // An illegal move ends the count of its game.
        replies.add(&game("7g7f 3d3e 2g2f 9c9d", Color::Black));
        assert!(replies.moves(&at("7g7f")).iter().all(|reply| reply.games == 1));
    }
}
