//! Perft: the number of leaves of the move tree, the standard test of a move generator.

use komadai_core::{Move, Position};
use rayon::prelude::*;

use crate::generate::{count_legal, generate_legal};
use crate::move_list::MoveList;

/// The number of legal move sequences of `depth` moves.
///
/// The moves of the last ply are counted without being done ("bulk counting").
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::perft;
///
/// assert_eq!(perft(&Position::hirate(), 3), 25_470);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth)
}

fn count(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return count_legal(position),
        _ => {}
    }
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    let mut nodes = 0;
    for m in &moves {
        position.do_move(m);
        nodes += count(position, depth - 1);
        position.undo_move();
    }
    nodes
}

/// The number of legal move sequences of `depth` moves, with every move of the last ply done and
/// undone.
///
/// Measures doing moves rather than generating them.
#[must_use]
pub fn perft_full(position: &Position, depth: u32) -> u64 {
    count_full(&mut position.clone(), depth)
}

fn count_full(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    let mut nodes = 0;
    for m in &moves {
        position.do_move(m);
        nodes += if depth == 1 { 1 } else { count_full(position, depth - 1) };
        position.undo_move();
    }
    nodes
}

/// The number of leaves below each root move, in generation order.
#[must_use]
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let position = &mut position.clone();
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    moves
        .into_iter()
        .map(|m| {
            position.do_move(m);
            let nodes = count(position, depth.saturating_sub(1));
            position.undo_move();
            (m, nodes)
        })
        .collect()
}

/// The result of [`perft`], computed on the threads of the current rayon pool.
///
/// The subtrees two plies below the root are counted in parallel.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::perft_parallel;
///
/// assert_eq!(perft_parallel(&Position::hirate(), 4), 719_731);
/// ```
#[must_use]
pub fn perft_parallel(position: &Position, depth: u32) -> u64 {
    if depth < 3 {
        return perft(&position.clone(), depth);
    }
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    let mut pairs = Vec::new();
    for first in &moves {
        let mut replies = MoveList::new();
        generate_legal(&position.after(first), &mut replies);
        pairs.extend(replies.iter().map(|&second| (first, second)));
    }
    pairs
        .into_par_iter()
        .map_init(
            || position.clone(),
            |position, (first, second)| {
                position.do_move(first);
                position.do_move(second);
                let nodes = perft(position, depth - 2);
                position.undo_move();
                position.undo_move();
                nodes
            },
        )
        .sum()
}
