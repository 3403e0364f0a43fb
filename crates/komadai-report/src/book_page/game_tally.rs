//! Results of games in given positions.

use std::collections::HashMap;

use komadai_book::games::WinDrawLoss;
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Position};
use komadai_movegen::check_legality;

/// Results of all moves that were made in given positions by any player. The number of positions,
/// not of games, bounds the memory.
#[derive(Debug, Default)]
pub(super) struct GameTally {
    /// The results for the side that moves; moves are in the orientation with Black to move.
    moves: HashMap<PositionKey, Vec<(Move, WinDrawLoss)>>,
}

impl GameTally {
    /// Registers a position, so that moves made in it are counted.
    pub(super) fn watch(&mut self, position: &Position) {
        if let Ok(key) = PositionKey::try_of(position) {
            self.moves.entry(key).or_default();
        }
    }

    /// Counts the first `most_plies` moves of a game, up to the first illegal one.
    pub(super) fn add(&mut self, game: &BookGame, most_plies: usize) {
        let Ok(mut position) = Position::from_setup(&game.start) else { return };
        for &m in game.moves.iter().take(most_plies) {
            if check_legality(&position, m).is_err() {
                return;
            }
            let key = PositionKey::try_of(&position).ok();
            if let Some(moves) = key.and_then(|key| self.moves.get_mut(&key)) {
                let results = results_of(moves, turn(m, position.side()));
                let count = match game.winner {
                    None => &mut results.draws,
                    Some(winner) if winner == position.side() => &mut results.wins,
                    Some(_) => &mut results.losses,
                };
                *count = count.saturating_add(1);
            }
            position.do_move(m);
        }
    }

    /// The results of the games with this move in this position, for Black.
    pub(super) fn results(&self, position: &Position, m: Move) -> WinDrawLoss {
        let side = position.side();
        let found = PositionKey::try_of(position).ok().and_then(|key| {
            let moves = self.moves.get(&key)?;
            moves.iter().find(|(known, _)| *known == turn(m, side))
        });
        let results = found.map(|(_, results)| *results).unwrap_or_default();
        match side {
            Color::Black => results,
            Color::White => WinDrawLoss { wins: results.losses, losses: results.wins, ..results },
        }
    }
}

fn results_of(moves: &mut Vec<(Move, WinDrawLoss)>, m: Move) -> &mut WinDrawLoss {
    let at = moves.iter().position(|(known, _)| *known == m).unwrap_or_else(|| {
        moves.push((m, WinDrawLoss::default()));
        moves.len() - 1
    });
    &mut moves[at].1
}
