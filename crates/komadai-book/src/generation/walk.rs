//! The extension of a book beyond the games: the engines of the opponents answer its moves.

use std::collections::{BTreeMap, HashSet};

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Move, Position, UsiPosition};

use crate::arena::{Arena, BookChoice};
use crate::games::{ExtensionTarget, KnownMoves};
use crate::run_error::RunError;
use crate::working_book::WorkingBook;

/// A line that follows the book and an opponent, with the book's side to move.
pub(super) struct Walker {
    opponent: String,
    line: UsiPosition,
    position: Position,
}

impl WorkingBook {
    /// Returns a walker for each place where the stored games of a generation left the book.
    pub(super) fn walkers(&self, generation: u32) -> Result<Vec<Walker>, RunError> {
        let mut seen = HashSet::new();
        let mut walkers = Vec::new();
        for game in self.games_of(generation)? {
            let (_, game) = game?;
            let Some(left_at) = game.left_at else { continue };
            let moves: Vec<Move> = game.moves.iter().take(left_at as usize).copied().collect();
            let line = UsiPosition { setup: game.start, moves };
            // A game without a reported end of the book, or a faulty one, is no place to go on.
            let Ok(position) = komadai_movegen::play(&line) else { continue };
            let is_own_turn = position.side() == game.book_side;
            if is_own_turn && seen.insert((game.opponent.clone(), line.to_string())) {
                walkers.push(Walker { opponent: game.opponent, line, position });
            }
        }
        Ok(walkers)
    }

    /// Makes a move of the book and a reply of the opponent in each line. Lines that end, or have
    /// no move of the book, are removed.
    pub(super) fn advance(
        &self,
        walkers: &mut Vec<Walker>,
        arena: &mut dyn Arena,
        choice: BookChoice,
        generation: u32,
    ) -> Result<(), RunError> {
        let next_games = self.with_played_moves(generation + 1)?;
        walkers.retain_mut(|walker| {
            let known = next_games.known_moves(&walker.position).unwrap_or_default();
            choice.choose(&known, 0).is_some_and(|m| walker.make(m))
        });
        let mut lines: BTreeMap<String, Vec<UsiPosition>> = BTreeMap::new();
        for walker in walkers.iter() {
            lines.entry(walker.opponent.clone()).or_default().push(walker.line.clone());
        }
        let mut replies = BTreeMap::new();
        for (opponent, lines) in lines {
            let moves = arena.replies(&opponent, &lines)?;
            replies.insert(opponent, moves.into_iter());
        }
        walkers.retain_mut(|walker| {
            let reply = replies.get_mut(&walker.opponent).and_then(|replies| replies.next()?);
            reply.is_some_and(|m| walker.make(m))
        });
        Ok(())
    }

    /// Returns the positions of lines that are not in the book, each once.
    pub(super) fn walk_targets(&self, walkers: &[Walker]) -> Vec<ExtensionTarget> {
        let mut targets: BTreeMap<PositionKey, ExtensionTarget> = BTreeMap::new();
        for Walker { position, .. } in walkers {
            let Ok(key) = PositionKey::try_of(position) else { continue };
            if self.graph().contains(position) {
                continue;
            }
            let target = targets.entry(key).or_insert_with(|| {
                let turned = key.position(Color::Black, position.ply());
                ExtensionTarget { position: turned.expect("it is a position's key"), count: 0 }
            });
            target.count += 1;
        }
        targets.into_values().collect()
    }
}

impl Walker {
    /// Makes a move. Returns false if it is illegal.
    fn make(&mut self, m: Move) -> bool {
        let is_legal = komadai_movegen::is_legal(&self.position, m);
        if is_legal {
            self.position.do_move(m);
            self.line.moves.push(m);
        }
        is_legal
    }
}
