//! Explanations of an evaluation: its terms, with the pieces and squares that they are about.

mod explanation;
mod change;
mod names;

use komadai_core::Position;

use super::Classical;
use super::features;
use super::parameters::Parameters;
use crate::evaluator::Evaluator;

pub use change::{ExplanationDifference, TermChange};
pub use explanation::{Explanation, Term};

impl Classical {
    /// Explains the evaluation of a position: lists all of its terms.
    ///
    /// The sum of the values is the evaluation but for rounding, of less than four centipawns. A
    /// weight of 0 is listed as well.
    pub fn explain(&self, position: &Position) -> Explanation {
        let parameters = &self.tables.parameters;
        let mut terms: Vec<Term> = Vec::with_capacity(256);
        let phases = features::visit(position, |feature, origin| {
            let term = Term::new(feature, origin);
            // A place relative to a king has two halves, which are equal unless the king is on the
            // middle file.
            match terms.last_mut() {
                Some(last) if last.is_half_of(&term) => last.times += term.times,
                _ => terms.push(term),
            }
        });
        for term in &mut terms {
            let weight = parameters.get(term.index);
            term.visits = parameters.visits(term.index);
            let early = f32::from(weight.early);
            let late = f32::from(weight.late);
            term.late = phases[term.phase as usize];
            let weight = early * (1.0 - term.late) + late * term.late;
            term.value = term.times * weight / Parameters::UNIT as f32;
        }
        Explanation { terms, side: position.side(), score: self.evaluate_position(position) }
    }

    /// Explains the difference between the evaluations of two positions, such as those before and
    /// after a move.
    ///
    /// # Examples
    ///
    /// One wrong weight among thousands is found by one step of a king:
    ///
    /// ```
    /// use komadai_core::{PieceKind, Position};
    /// use komadai_eval::{Classical, Group, Parameters, Weight};
    ///
    /// // A king in the corner: four pawns too bad.
    /// let mut parameters = Parameters::hand_set();
    /// let wrong = Group::Square.index(&[PieceKind::King.index(), 0, 8]);
    /// parameters.set(wrong, Weight::constant(-400 * Parameters::UNIT as i16));
    ///
    /// let before = Position::from_sfen("4k4/9/9/9/9/9/6PPP/5GSKL/7N1 b - 1")?;
    /// let after = before.after("2h1i".parse()?);
    /// let difference = Classical::new(&parameters).explain_difference(&before, &after);
    /// let largest = difference.changes()[0];
    /// assert_eq!(largest.after.map(|term| term.index), Some(wrong));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_difference(&self, before: &Position, after: &Position) -> ExplanationDifference {
        ExplanationDifference::new(&self.explain(before), &self.explain(after))
    }
}

#[cfg(test)]
mod tests;
