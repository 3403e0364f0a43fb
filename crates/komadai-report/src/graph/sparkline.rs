//! Values as one line of text.

use core::fmt;

use komadai_core::Score;

use super::scale::height;

/// A graph of values as one line of text for a terminal, written by `Display`.
///
/// The four lower signs `▁▂▃▄` are values for White, the four upper ones `▅▆▇█` for Black, on the
/// scale of [`EvaluationGraph`](crate::EvaluationGraph); an even position is `▄`, whose upper edge
/// is the zero line. Plies without a value are blanks.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_report::Sparkline;
///
/// let values = [0, 40, 400, 1_200, 5_000, -40, -400, -1_200, -5_000];
/// let line = Sparkline::new(values.map(|cp| Some(Score::cp(cp))));
/// assert_eq!(line.to_string(), "▄▅▆▇█▄▃▂▁");
/// assert_eq!(Sparkline { width: 3, ..line }.to_string(), "▅▆▂");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a line does nothing until it is written"]
pub struct Sparkline {
    /// Values for Black, one for each ply.
    pub scores: Vec<Option<Score>>,
    /// The largest width in columns, 80 by default. If there are more plies, each column has the
    /// mean of several.
    pub width: usize,
}

impl Sparkline {
    /// A line of values for Black, one for each ply, at most 80 columns wide.
    pub fn new(scores: impl IntoIterator<Item = Option<Score>>) -> Self {
        Self { scores: scores.into_iter().collect(), width: 80 }
    }
}

impl fmt::Display for Sparkline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SIGNS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let columns = self.width.min(self.scores.len());
        for column in 0..columns {
            let place = |column: usize| column * self.scores.len() / columns;
            let plies = &self.scores[place(column)..place(column + 1)];
            let known: Vec<f64> = plies.iter().flatten().map(|&score| height(score)).collect();
            if known.is_empty() {
                f.write_str(" ")?;
                continue;
            }
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            // From 0 up to 4, the largest value included; an even position is the highest of
            // White's.
            let level = (4.0 + 4.0 * mean).ceil() as usize;
            write!(f, "{}", SIGNS[level.clamp(1, 8) - 1])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(scores: &[Option<Score>], width: usize) -> String {
        Sparkline { width, ..Sparkline::new(scores.iter().copied()) }.to_string()
    }

    #[test]
    fn any_width_can_be_drawn() {
        let scores: Vec<_> = (-500..500).map(|cp| Some(Score::cp(8 * cp))).collect();
        for width in [0, 1, 7, 80, 1_000, 5_000] {
            let drawn = line(&scores, width);
            assert_eq!(drawn.chars().count(), width.min(1_000));
            let levels: Vec<char> = drawn.chars().collect();
            assert!(levels.is_sorted(), "{drawn}");
        }
        assert_eq!(line(&scores, 80).matches(['▅', '▆', '▇', '█']).count(), 40);
    }

    #[test]
    fn gaps_and_mates_have_their_signs() {
        let scores = [Some(Score::MATE), None, Some(-Score::MATE), Some(Score::mated_in(3))];
        assert_eq!(line(&scores, 9), "█ ▁▁");
        assert_eq!(line(&[None, None], 1), " ");
        assert_eq!(line(&[], 9), "");
    }
}
