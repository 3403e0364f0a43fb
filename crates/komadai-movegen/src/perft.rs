//! Perft: the number of leaves of the move tree, the standard test of a move generator.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use komadai_core::{Move, Position};

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
///
/// Two generators that count differently differ below one of these moves; a few steps down the tree
/// lead to the position in which one of them is wrong.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::perft_divide;
///
/// let divided = perft_divide(&Position::hirate(), 2);
/// assert_eq!(divided.len(), 30);
/// assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), 900);
/// ```
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

/// The result of [`perft`], counted by this number of threads.
///
/// Each thread takes the next subtree two plies below the root: there are hundreds of them, so all
/// threads end at about the same time.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
///
/// use komadai_core::Position;
/// use komadai_movegen::perft_parallel;
///
/// let threads = NonZero::new(2).expect("two is not zero");
/// assert_eq!(perft_parallel(&Position::hirate(), 4, threads), 719_731);
/// ```
pub fn perft_parallel(position: &Position, depth: u32, threads: NonZero<usize>) -> u64 {
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
    let next = AtomicUsize::new(0);
    let total = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.get().min(pairs.len()) {
            scope.spawn(|| {
                let mut position = position.clone();
                while let Some(&(first, second)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    position.do_move(first);
                    position.do_move(second);
                    total.fetch_add(perft(&position, depth - 2), Ordering::Relaxed);
                    position.undo_move();
                    position.undo_move();
                }
            });
        }
    });
    total.into_inner()
}
