//! The searches of methods: one without what spoils its values, and a small quiescence search that
//! knows its leaf.

use komadai_core::{Move, Position};
use komadai_eval::{Evaluator, Material};
use komadai_movegen::{MoveClass, MoveGen as _, MoveList, generate_class, generate_legal};
use komadai_search::{SearchOptions, Techniques};

/// The searches of methods that learn from search values: without null moves, forward pruning and
/// corrections, whose values are no minimax values of the evaluation.
pub(crate) fn learning_search() -> SearchOptions {
    let techniques = Techniques::SOUND | Techniques::QUIESCENCE | Techniques::EXCHANGE;
    // Two forms of one technique.
    let techniques = techniques - Techniques::CLASSICAL_ASPIRATION;
    SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() }
}

/// A search of the moves of one position that knows its leaves: some plies of all moves, then a
/// quiescence search with captures and promotions that lose no material by exchange, and all moves
/// out of check.
///
/// The search of `komadai-search` starts a whole search for each call; here a hundred moves of a
/// position are searched one after another. The state of the evaluation is updated with each move,
/// and restored from a copy when the move is undone, which is cheaper than a second update.
pub(crate) struct LeafSearch<'a, E: Evaluator> {
    evaluator: &'a E,
    position: Position,
    state: E::State,
    /// The plies of all moves after the first one.
    depth: usize,
    /// `[ply]`: the state at the end of the best line from there.
    leaves: Vec<E::State>,
    /// `[ply]`: the best reply that was found there last.
    replies: Vec<Option<Move>>,
}

/// The deepest ply of a quiescence search. Captures seldom go on for longer.
const PLIES: usize = 12;

/// The plies within which all moves out of check are searched; later ones count as quiet.
const CHECK_PLIES: usize = 3;

/// More than any value of an evaluation.
const MATED: i32 = 31_000;

impl<'a, E: Evaluator> LeafSearch<'a, E> {
    /// Returns a search with this number of plies of all moves between the move that is searched and
    /// the quiescence search.
    pub(crate) fn new(evaluator: &'a E, position: Position, depth: usize) -> Self {
        let state = evaluator.refresh(&position);
        let leaves = vec![state.clone(); depth + PLIES + 1];
        Self { evaluator, position, state, depth, leaves, replies: vec![None; depth] }
    }

    /// Returns the value of a move for the side to move: exact if it is between `alpha` and `beta`,
    /// otherwise a bound. [`leaf`](Self::leaf) has the position of an exact value.
    pub(crate) fn value(&mut self, m: Move, window: [i32; 2]) -> i32 {
        self.after(m, window, 0)
    }

    /// The state of the evaluation at the end of the line of the move that was searched last.
    pub(crate) fn leaf(&self) -> &E::State {
        &self.leaves[0]
    }

    /// Returns the value of a move in the position of the search for the side to move. `ply` is that
    /// of the position after it.
    fn after(&mut self, m: Move, [alpha, beta]: [i32; 2], ply: usize) -> i32 {
        let before = self.state.clone();
        self.evaluator.do_move(&mut self.position, m, &mut self.state);
        let window = [-beta, -alpha];
        let value =
            if ply < self.depth { self.full(window, ply) } else { self.quiesce(window, ply) };
        self.position.undo_move();
        self.state = before;
        -value
    }

    /// Returns the value of the position by all moves.
    fn full(&mut self, [mut alpha, beta]: [i32; 2], ply: usize) -> i32 {
        let mut best = -MATED + ply as i32;
        for (index, m) in self.all_moves(ply).into_iter().enumerate() {
            let mut value = MATED;
            if index > 0 {
                value = self.after(m, [alpha, alpha + 1], ply + 1);
            }
            if index == 0 || value > alpha && value < beta {
                value = self.after(m, [alpha, beta], ply + 1);
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.leaves.swap(ply, ply + 1);
                    self.replies[ply] = Some(m);
                }
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    fn quiesce(&mut self, [mut alpha, beta]: [i32; 2], ply: usize) -> i32 {
        let plies = ply - self.depth;
        let is_evasion = plies < CHECK_PLIES && self.position.in_check();
        let mut best = if is_evasion {
            -MATED + ply as i32
        } else {
            self.evaluator.evaluate(&self.position, &mut self.state).raw()
        };
        if best > alpha && best < beta {
            self.leaves[ply].clone_from(&self.state);
        }
        if best >= beta || plies == PLIES {
            return best;
        }
        alpha = alpha.max(best);
        for m in self.noisy_moves(is_evasion) {
            // Whether a capture loses material matters only if no move before it was good enough.
            if !is_evasion && !self.position.see_at_least(m, 0) {
                continue;
            }
            let value = self.after(m, [alpha, beta], ply + 1);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.leaves.swap(ply, ply + 1);
                }
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The moves of the quiescence search, and captures that lose material, captures of valuable
    /// pieces first.
    fn noisy_moves(&self, is_evasion: bool) -> Vec<Move> {
        let mut list = MoveList::new();
        if is_evasion {
            generate_legal(&self.position, &mut list);
        } else {
            generate_class(&self.position, MoveClass::TACTICAL, &mut list);
        }
        let mut moves = list.to_vec();
        moves.sort_by_key(|m| -self.gain(*m));
        moves
    }

    /// All moves: the last reply, captures that lose no material, then the others.
    fn all_moves(&self, ply: usize) -> Vec<Move> {
        let mut moves = self.position.legal_moves().to_vec();
        moves.sort_by_cached_key(|m| {
            let gain = self.gain(*m);
            let is_good = gain > 0 && self.position.see_at_least(*m, 0);
            let was_best = self.replies[ply] == Some(*m);
            (!was_best, if is_good { -gain } else { 0 })
        });
        moves
    }

    /// The material that a move captures, and a little for a promotion.
    fn gain(&self, m: Move) -> i32 {
        let captured = self.position.piece_on(m.to());
        let captured = captured.map_or(0, |piece| Material::board_value(piece.kind()));
        captured + 50 * i32::from(m.is_promotion())
    }
}
