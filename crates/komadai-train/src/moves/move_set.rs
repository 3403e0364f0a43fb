//! The positions from which the probability of moves is learnt.

use komadai_core::{Move, PackedError, PackedSfen, Position, SplitMix64};
use komadai_data::records::{PackedSfenValue, RecordFault};
use komadai_data::tools::{Damage, Sources, ToolError, Watch};
use komadai_movegen::MoveGen as _;

/// One game in this many is held out.
const HELD_OUT_ONE_IN: u64 = 20;

/// Positions with their best moves, and those of held-out games.
///
/// Each takes 40 bytes of memory.
#[derive(Debug, Clone, Default)]
pub struct MoveSet {
    training: Vec<Choice>,
    held_out: Vec<Choice>,
    games: u64,
}

impl MoveSet {
    /// Returns a set without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the positions of all records that have a best move, whole games in their order.
    ///
    /// A game begins where the position is not reached by a move from the one before. The move
    /// between two positions is known from that; it is not always the best one. A twentieth of the
    /// games is held out, chosen by the first position, so that games of other files that begin
    /// alike are held out as well.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Sources::read`]; a record with an illegal move is damaged. The
    /// records before are kept.
    #[expect(clippy::missing_panics_doc, reason = "all positions are unpacked and packed before")]
    pub fn read(&mut self, sources: &Sources, watch: &mut Watch<'_>) -> Result<Damage, ToolError> {
        let mut game: Option<(usize, Position, bool)> = None;
        sources.read(
            "read",
            watch,
            // A choice is packed again, and a position with one king may fit in one order of the
            // hands only.
            |_, record| {
                Ok(PackedSfen::of(&record.check()?).map(drop).map_err(RecordFault::from)?)
            },
            |found| {
                let record = found.record;
                let next = game.take().filter(|(file, ..)| *file == found.index);
                let next = next.and_then(|(_, position, is_held_out)| {
                    Some((continued(position, &record)?, is_held_out))
                });
                let (position, is_held_out) = next.unwrap_or_else(|| {
                    self.games += 1;
                    let position = record.position.position_at(record.ply.into());
                    (position.expect("the record is sound"), is_held_out(&record.position))
                });
                if let Some(best) = record.best_move {
                    let choice = Choice::new(&position, best);
                    self.part(is_held_out).push(choice.expect("its base was in a record"));
                }
                game = Some((found.index, position, is_held_out));
                Ok(())
            },
        )
    }

    /// Adds the moves of a game as best moves.
    ///
    /// # Errors
    ///
    /// Returns an error for an illegal move, and for a position that does not fit into a record.
    /// The moves before are kept.
    pub fn add_game(&mut self, start: &Position, moves: &[Move]) -> Result<(), MoveSetError> {
        self.games += 1;
        // Most games begin alike, so their moves decide.
        let hash = moves.iter().fold(0, |hash, m| SplitMix64::mix(hash ^ u64::from(m.to_bits())));
        let is_held_out = hash.is_multiple_of(HELD_OUT_ONE_IN);
        let mut position = start.without_history();
        for (index, &m) in moves.iter().enumerate() {
            if !position.is_legal(m) {
                return Err(MoveSetError::Illegal { number: index + 1, found: m });
            }
            self.part(is_held_out).push(Choice::new(&position, m)?);
            position.do_move(m);
        }
        Ok(())
    }

    /// Returns the positions to learn from.
    pub fn training(&self) -> &[Choice] {
        &self.training
    }

    /// Returns the positions of held-out games.
    pub fn held_out(&self) -> &[Choice] {
        &self.held_out
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn part(&mut self, is_held_out: bool) -> &mut Vec<Choice> {
        if is_held_out { &mut self.held_out } else { &mut self.training }
    }
}

/// Returns whether the game with this first position is held out.
fn is_held_out(first: &PackedSfen) -> bool {
    let words = first.as_bytes().as_chunks::<8>().0.iter();
    let hash = words.fold(0, |hash, &word| SplitMix64::mix(hash ^ u64::from_le_bytes(word)));
    hash.is_multiple_of(HELD_OUT_ONE_IN)
}

/// Returns the position after the move that leads to the next record.
fn continued(position: Position, next: &PackedSfenValue) -> Option<Position> {
    if position.ply() + 1 != u32::from(next.ply) {
        return None;
    }
    let target = next.position.position_at(next.ply.into()).ok()?;
    let leads = |m: &Move| position.key_after(*m) == target.key();
    let m = position.legal_moves().into_iter().find(leads)?;
    let mut after = position;
    after.do_move(m);
    after.same_placement(&target).then_some(after)
}

/// A reason why games cannot be added to a set of moves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveSetError {
    /// A position does not fit into a record.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// A move of a game is illegal.
    #[error("move {number} of the game: {found} is illegal")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        found: Move,
    },
}

/// A position of a game, with up to two moves before it, and its best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The position before `moves`.
    base: PackedSfen,
    /// The move number of `base`.
    ply: u16,
    moves: [Option<Move>; 2],
    best: Move,
}

impl Choice {
    /// Returns the choice of `best` in a position with these moves before it, the last two of which
    /// count.
    pub(super) fn new(position: &Position, best: Move) -> Result<Self, PackedError> {
        let mut base = position.clone();
        let mut undone = || base.current().last_move().and_then(|_| base.undo_move());
        let [last, before] = [undone(), undone()];
        let ply = u16::try_from(base.ply()).unwrap_or(u16::MAX);
        Ok(Self { base: PackedSfen::of(&base)?, ply, moves: [before, last], best })
    }

    /// Returns the position with its last two moves.
    ///
    /// # Errors
    ///
    /// Returns an error if the position cannot be unpacked, which is never the case for choices of
    /// a [`MoveSet`](super::MoveSet).
    pub fn position(&self) -> Result<Position, PackedError> {
        let mut position = self.base.position_at(self.ply.into())?;
        for m in self.moves.into_iter().flatten() {
            position.do_move(m);
        }
        Ok(position)
    }

    /// Returns the move that was found best.
    pub fn best(&self) -> Move {
        self.best
    }
}
