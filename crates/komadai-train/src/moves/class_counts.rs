//! The counts of the classes of moves.

use komadai_movegen::MoveGen as _;
use komadai_search::{ClassCount, ClassMoves};
use rayon::prelude::*;

use super::move_set::Choice;

/// Number of positions that a thread counts at once.
const BLOCK: usize = 4_096;

/// Counts for each class of moves the positions that offer one and those in which one was best.
///
/// Positions with one legal move count as well, as in the source of the method.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_search::ClassMoves;
/// use komadai_train::moves::{MoveSet, count_classes};
///
/// let mut set = MoveSet::new();
/// let moves = ["7g7f".parse()?, "3c3d".parse()?, "8h2b+".parse()?, "3a2b".parse()?];
/// set.add_game(&Position::hirate(), &moves)?;
/// let counts = count_classes(if set.training().is_empty() { set.held_out() } else { set.training() });
/// let takes_back = ClassMoves::names().iter().position(|name| name.contains("large-gain takes-back"));
/// assert_eq!(takes_back.map(|class| counts.counts()[class].played), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count_classes(choices: &[Choice]) -> ClassMoves {
    let blocks: Vec<Vec<ClassCount>> = choices.par_chunks(BLOCK).map(count_block).collect();
    let mut counts = vec![ClassCount::default(); ClassMoves::COUNT];
    for block in blocks {
        for (sum, count) in counts.iter_mut().zip(block) {
            sum.offered += count.offered;
            sum.played += count.played;
        }
    }
    // There is a count for each class, none with more played than offered.
    ClassMoves::new(&counts).unwrap_or_default()
}

fn count_block(choices: &[Choice]) -> Vec<ClassCount> {
    let mut counts = vec![ClassCount::default(); ClassMoves::COUNT];
    for choice in choices {
        let Ok(position) = choice.position() else { continue };
        let moves = position.legal_moves();
        let Some(best) = moves.iter().position(|&m| m == choice.best()) else { continue };
        let mut classes = ClassMoves::classes(&position, &moves);
        counts[classes[best]].played += 1;
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            counts[class].offered += 1;
        }
    }
    counts
}
