//! The searches of methods: one without what spoils its values, and a small quiescence search that
//! knows its leaf.

use komadai_core::{Move, Position, Pv};
use komadai_eval::{Evaluator, Material};
use komadai_movegen::{MoveClass, MoveGen as _, MoveList, generate_class};
use komadai_search::{SearchOptions, Techniques};

/// The searches of methods that learn from search values: without null moves, forward pruning and
/// corrections, whose values are no minimax values of the evaluation.
pub(crate) fn learning_search() -> SearchOptions {
    let techniques = Techniques::SOUND | Techniques::QUIESCENCE | Techniques::EXCHANGE;
    // Two forms of one technique.
    let techniques = techniques - Techniques::CLASSICAL_ASPIRATION;
    SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() }
}

/// A quiescence search of one position: captures and promotions that lose no material by exchange,
/// and all moves out of check.
///
/// The search of `komadai-search` starts a whole search for each call; here a hundred moves of a
/// position are searched one after another.
pub(crate) struct LeafSearch<'a, E: Evaluator> {
    evaluator: &'a E,
    position: Position,
    state: E::State,
    /// `[ply]`: the best line from there.
    lines: [Pv; PLIES + 1],
}

/// The deepest ply. Captures seldom go on for longer.
const PLIES: usize = 12;

/// The plies within which all moves out of check are searched; later ones count as quiet.
const CHECK_PLIES: usize = 3;

/// More than any value of an evaluation.
const MATED: i32 = 31_000;

impl<'a, E: Evaluator> LeafSearch<'a, E> {
    pub(crate) fn new(evaluator: &'a E, position: Position) -> Self {
        let state = evaluator.refresh(&position);
        Self { evaluator, position, state, lines: Default::default() }
    }

    /// Returns the value of a move for the side to move: exact if it is between `alpha` and `beta`,
    /// otherwise a bound. [`leaf`](Self::leaf) then has the position that has it.
    pub(crate) fn value(&mut self, m: Move, [alpha, beta]: [i32; 2]) -> i32 {
        self.evaluator.do_move(&mut self.position, m, &mut self.state);
        let value = -self.quiesce([-beta, -alpha], 0);
        self.evaluator.undo_move(&mut self.position, &mut self.state);
        value
    }

    /// Returns the last position of the line after the move whose value was searched last.
    pub(crate) fn leaf(&self, m: Move) -> Position {
        let mut leaf = self.position.after(m);
        for m in self.lines[0].iter() {
            leaf.do_move(*m);
        }
        leaf
    }

    fn quiesce(&mut self, [mut alpha, beta]: [i32; 2], ply: usize) -> i32 {
        self.lines[ply].clear();
        let is_evasion = self.position.in_check() && ply < CHECK_PLIES;
        let mut best = if is_evasion {
            -MATED + ply as i32
        } else {
            self.evaluator.evaluate(&self.position, &mut self.state).raw()
        };
        if best >= beta || ply == PLIES {
            return best;
        }
        alpha = alpha.max(best);
        for m in self.moves(is_evasion) {
            self.evaluator.do_move(&mut self.position, m, &mut self.state);
            let value = -self.quiesce([-beta, -alpha], ply + 1);
            self.evaluator.undo_move(&mut self.position, &mut self.state);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    let (before, after) = self.lines.split_at_mut(ply + 1);
                    before[ply].set(m, &after[0]);
                }
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The moves to search, captures of valuable pieces first.
    fn moves(&self, is_evasion: bool) -> Vec<Move> {
        let gain = |m: &Move| {
            let captured = self.position.piece_on(m.to());
            let captured = captured.map_or(0, |piece| Material::board_value(piece.kind()));
            captured + 50 * i32::from(m.is_promotion())
        };
        let mut list = MoveList::new();
        let mut moves: Vec<Move> = if is_evasion {
            self.position.legal_moves().iter().copied().collect()
        } else {
            generate_class(&self.position, MoveClass::TACTICAL, &mut list);
            let moves = list.iter().copied();
            moves.filter(|m| self.position.see_at_least(*m, 0)).collect()
        };
        moves.sort_by_key(|m| -gain(m));
        moves
    }
}
