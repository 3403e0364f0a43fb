//! The weights of the evaluation as data: reading, changing and writing them.

use core::fmt;
use core::str::FromStr;

use super::groups::{self, Group, PARAMETER_COUNT, Weight};

/// All weights of a [`Classical`](crate::Classical) evaluation.
///
/// The weights form one list. A [`Group`] names the weights that belong together and their shape.
/// The evaluation is linear in the weights, and [`features`](crate::features) returns their
/// coefficients in a position.
///
/// In the text format, each group is its name and its weights in order, each as `early:late` or
/// `early:late:visits`; `#` starts a remark.
///
/// # Examples
///
/// ```
/// use komadai_core::{PieceKind, Position};
/// use komadai_eval::{Classical, Evaluator, Group, Parameters, Weight};
///
/// let mut parameters = Parameters::default();
/// let rook = Group::Piece.index(&[PieceKind::Rook.index()]);
/// parameters.set(rook, Weight::constant(0));
///
/// let position = Position::from_sfen("4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1")?;
/// let without_rook = Classical::new(&parameters).evaluate_position(&position);
/// assert!(without_rook < Classical::default().evaluate_position(&position));
/// assert_eq!(parameters.to_string().parse(), Ok(parameters));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Parameters {
    weights: Vec<Weight>,
    visits: Vec<Option<u32>>,
}

impl Parameters {
    /// Number of units in a centipawn.
    pub const UNIT: i32 = groups::UNIT;

    /// Creates parameters with all weights 0.
    pub(super) fn zero() -> Self {
        Self {
            weights: vec![Weight::default(); PARAMETER_COUNT],
            visits: vec![None; PARAMETER_COUNT],
        }
    }

    /// Returns all weights in order.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// Returns the weight at `index`.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`](crate::PARAMETER_COUNT).
    #[inline]
    pub fn get(&self, index: usize) -> Weight {
        self.weights[index]
    }

    /// Changes the weight at `index`. Values beyond the [`limit`](Group::limit) of the group are
    /// clamped to it.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`](crate::PARAMETER_COUNT).
    pub fn set(&mut self, index: usize, weight: Weight) {
        let limit = Group::of(index).limit();
        let Weight { early, late } = weight;
        self.weights[index] =
            Weight { early: early.clamp(-limit, limit), late: late.clamp(-limit, limit) };
    }

    /// Returns the number of positions that contained the weight at `index` when it was fitted, or
    /// `None` if the number is unknown.
    ///
    /// A weight with few visits is little more than the average of its neighbours.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`](crate::PARAMETER_COUNT).
    pub fn visits(&self, index: usize) -> Option<u32> {
        self.visits[index]
    }

    /// Notes the number of positions that contained the weight at `index` when it was fitted.
    ///
    /// # Panics
    ///
    /// Panics unless `index` is below [`PARAMETER_COUNT`](crate::PARAMETER_COUNT).
    pub fn set_visits(&mut self, index: usize, visits: u32) {
        self.visits[index] = Some(visits);
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameters").field("count", &self.weights.len()).finish_non_exhaustive()
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for group in Group::ALL {
            write!(f, "{}", group.name())?;
            let row = group.shape().last().copied().unwrap_or(1);
            for (i, index) in group.range().enumerate() {
                let gap = if i % row == 0 { '\n' } else { ' ' };
                let Weight { early, late } = self.weights[index];
                write!(f, "{gap}{early}:{late}")?;
                if let Some(visits) = self.visits[index] {
                    write!(f, ":{visits}")?;
                }
            }
            f.write_str("\n\n")?;
        }
        Ok(())
    }
}

/// The reason why a text is not a set of parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParametersError {
    /// A word is neither a weight nor the name of the next group.
    #[error("line {line}: found `{found}`, expected {expected}")]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The word, shortened.
        found: String,
        /// The text expected.
        expected: String,
    },
    /// The text ends too early.
    #[error("found the end of the text, expected {expected}")]
    TooShort {
        /// The text expected.
        expected: String,
    },
    /// A number is outside the range of its group.
    #[error("line {line}: found `{found}`, expected at most {limit} for {group}")]
    TooLarge {
        /// The line, from 1.
        line: usize,
        /// The weight.
        found: String,
        /// The group's name.
        group: &'static str,
        /// The largest amount allowed.
        limit: i16,
    },
}

impl FromStr for Parameters {
    type Err = ParametersError;

    fn from_str(text: &str) -> Result<Self, ParametersError> {
        let mut words = text.lines().zip(1..).flat_map(|(line, number)| {
            let content = line.split('#').next().unwrap_or_default();
            content.split_ascii_whitespace().map(move |word| (word, number))
        });
        let shorten = |word: &str| word.chars().take(20).collect::<String>();
        let mut parameters = Self::zero();
        for group in Group::ALL {
            let expected = || format!("the name {}", group.name());
            let (word, line) =
                words.next().ok_or_else(|| ParametersError::TooShort { expected: expected() })?;
            if word != group.name() {
                let found = shorten(word);
                let expected = expected();
                return Err(ParametersError::Unexpected { line, found, expected });
            }
            for index in group.range() {
                let expected = || format!("a weight of {}", group.name());
                let (word, line) = words
                    .next()
                    .ok_or_else(|| ParametersError::TooShort { expected: expected() })?;
                let Some((weight, visits)) = weight(word) else {
                    let found = shorten(word);
                    let expected = expected();
                    return Err(ParametersError::Unexpected { line, found, expected });
                };
                parameters.set(index, weight);
                parameters.visits[index] = visits;
                if parameters.get(index) != weight {
                    let found = shorten(word);
                    let limit = group.limit();
                    let group = group.name();
                    return Err(ParametersError::TooLarge { line, found, group, limit });
                }
            }
        }
        match words.next() {
            None => Ok(parameters),
            Some((word, line)) => Err(ParametersError::Unexpected {
                line,
                found: shorten(word),
                expected: "the end of the text".to_owned(),
            }),
        }
    }
}

/// Parses `early:late` or `early:late:visits`.
fn weight(word: &str) -> Option<(Weight, Option<u32>)> {
    let mut numbers = word.splitn(3, ':');
    let mut half = || numbers.next()?.parse().ok();
    let weight = Weight { early: half()?, late: half()? };
    match numbers.next() {
        None => Some((weight, None)),
        Some(visits) => Some((weight, Some(visits.parse().ok()?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_parameters_is_parsed_as_the_same_parameters() {
        let mut visited = Parameters::hand_set();
        visited.set_visits(Group::Tempo.first(), 1_000);
        for parameters in [Parameters::default(), Parameters::hand_set(), visited] {
            assert_eq!(parameters.to_string().parse(), Ok(parameters));
        }
    }

    #[test]
    fn bad_text_is_refused() {
        let text = Parameters::default().to_string();
        let (short, _) = text.trim_end().rsplit_once(' ').unwrap();
        for bad in [
            "",
            "piece",
            "nothing",
            short,
            &format!("{text} 1:2"),
            "piece 1;2",
            "piece 1:2:-3",
            "piece 1:2:",
        ] {
            assert!(bad.parse::<Parameters>().is_err(), "{bad}");
        }
        let beyond = text.replacen("piece\n", "piece\n32767:0 ", 1);
        assert!(matches!(beyond.parse::<Parameters>(), Err(ParametersError::TooLarge { .. })));
    }
}
