//! The change of the static value by a single step of a king.

use std::collections::BTreeMap;
use std::sync::Arc;

use komadai::core::attacks;
use komadai::eval::Evaluator;
use komadai::prelude::*;

use crate::judge_evaluation::evaluators::{centipawns, is_quiet, searcher};

/// Largest change of a quiet static value by a king's step that is reasonable, in centipawns.
const REASONABLE_CP: i32 = 250;

/// A king's step and what it changes.
struct Step {
    sfen: String,
    from: Square,
    to: Square,
    values: [i32; 2],
}

impl Step {
    fn change(&self) -> i32 {
        (self.values[1] - self.values[0]).abs()
    }
}

/// Prints the largest changes by a step of either king to an empty square that is not attacked,
/// with nothing else changed, between quiet positions.
pub(crate) fn report<'a, E: Evaluator>(
    positions: impl Iterator<Item = &'a Position>,
    evaluator: &Arc<E>,
) {
    // By text, because pairs share positions.
    let distinct: BTreeMap<String, &Position> = positions.map(|p| (p.to_string(), p)).collect();
    let mut steps: Vec<Step> =
        distinct.values().flat_map(|position| steps(position, evaluator)).collect();
    steps.sort_by_key(|step| -step.change());
    let above = steps.iter().filter(|step| step.change() > REASONABLE_CP).count();
    println!(
        "{} king steps in {} positions, {above} change the static value by more than {REASONABLE_CP} cp",
        steps.len(),
        distinct.len()
    );
    for step in steps.iter().take(10) {
        let (from, to, [before, after]) = (step.from, step.to, step.values);
        println!("{:>5} {from}{to} {before:>+5} {after:>+5}  {}", step.change(), step.sfen);
    }
}

fn steps<E: Evaluator>(position: &Position, evaluator: &Arc<E>) -> Vec<Step> {
    let mut searcher = searcher(evaluator);
    if !is_quiet(&mut searcher, position) {
        return Vec::new();
    }
    let value = |position: &Position| centipawns(evaluator.evaluate_position(position));
    let mut found = Vec::new();
    for from in Color::ALL.into_iter().filter_map(|color| position.king_square(color)) {
        for to in attacks::king(from).iter() {
            let Some(moved) = with_king_moved(position, from, to) else { continue };
            if is_quiet(&mut searcher, &moved) {
                let values = [value(position), value(&moved)];
                found.push(Step { sfen: position.to_string(), from, to, values });
            }
        }
    }
    found
}

/// Returns the position with the king on `to`, if that square is empty and not attacked.
fn with_king_moved(position: &Position, from: Square, to: Square) -> Option<Position> {
    let king = position.piece_on(from)?;
    let occupied = position.occupied();
    if occupied.contains(to) || !position.attackers_to(!king.color(), to, occupied).is_empty() {
        return None;
    }
    let mut setup = position.to_setup();
    setup.board[from] = None;
    setup.board[to] = Some(king);
    Position::from_setup(&setup).ok()
}
