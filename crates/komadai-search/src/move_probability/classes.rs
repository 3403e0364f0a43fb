//! The probability of moves by classes.

use core::fmt;
use std::sync::{Arc, LazyLock};

use komadai_core::{Move, Position};

use super::move_class;
use super::move_class::{CLASSES, Classifier};
use super::move_table_file::MoveTableError;
use crate::move_probability::MoveProbability;

/// Numbers of positions, from which the probability of a class follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassCount {
    /// The positions that have a move of the class.
    pub offered: u64,
    /// Those of them in which a move of the class was played.
    pub played: u64,
}

impl ClassCount {
    /// Returns the share of positions in which a move of the class was played. Two positions are
    /// added to the count, one of which played it, so that no class has a probability of 0 or 1.
    #[must_use]
    pub fn probability(self) -> f32 {
        ((self.played + 1) as f64 / (self.offered + 2) as f64) as f32
    }
}

/// A model of the probability of moves by their class.
///
/// The probability of a class is the share of the positions offering a move of it in which one was
/// played (Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm based on
/// realization probability", ICGA Journal 25(3), 2002). A move belongs to one class: an evasion, a
/// capture by its gain and whether it takes the piece that moved last, a check, an escape, a
/// promotion, the completion of a tesuji, an attack, a guard, a drop, or a quiet move by kind and
/// direction. As probabilities of moves, those of the classes are divided by the number of moves of
/// the class.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_search::ClassMoves;
///
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let model = ClassMoves::default();
/// let [class] = ClassMoves::classes(&position, &["3a2b".parse()?])[..] else { unreachable!() };
/// assert_eq!(ClassMoves::names()[class], "capture large-gain takes-back unpromoted quiet");
/// assert!(model.counts()[class].probability() > 0.5);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClassMoves {
    counts: Arc<[ClassCount]>,
    /// The logarithms of the probabilities.
    scores: Arc<[f32]>,
}

impl ClassMoves {
    /// The number of classes.
    pub const COUNT: usize = CLASSES;

    /// Returns the model of these counts, one for each class. `None` if there are not
    /// [`Self::COUNT`], or if a class was played more often than offered.
    pub fn new(counts: &[ClassCount]) -> Option<Self> {
        let is_possible = |count: &ClassCount| count.played <= count.offered;
        (counts.len() == CLASSES && counts.iter().all(is_possible)).then(|| Self {
            counts: counts.into(),
            scores: counts.iter().map(|count| count.probability().ln()).collect(),
        })
    }

    /// Returns the names of the classes, in their order.
    pub fn names() -> Vec<String> {
        move_class::names()
    }

    /// Returns the classes of legal moves, each less than [`Self::COUNT`].
    pub fn classes(position: &Position, moves: &[Move]) -> Vec<usize> {
        let classifier = Classifier::new(position);
        moves.iter().map(|&m| classifier.class(m)).collect()
    }

    /// Returns the counts of the classes, in their order.
    pub fn counts(&self) -> &[ClassCount] {
        &self.counts
    }

    /// Reads the text that [`Display`](fmt::Display) writes: for each class a line with its name,
    /// the positions that offered it and those in which it was played, separated by tabs, below a
    /// line of titles.
    ///
    /// # Errors
    ///
    /// Returns an error for another class or number than expected.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::ClassMoves;
    ///
    /// let model = ClassMoves::default();
    /// assert_eq!(ClassMoves::from_text(&model.to_string())?, model);
    /// assert!(ClassMoves::from_text("class\toffered\tplayed\nevasion\t1\t2\n").is_err());
    /// # Ok::<(), komadai_search::MoveTableError>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self, MoveTableError> {
        let mut lines = text.lines();
        MoveTableError::compare_line(1, lines.next().unwrap_or_default(), TITLES)?;
        let mut counts = Vec::with_capacity(CLASSES);
        for (name, line) in move_class::names().iter().zip(2..) {
            let found = lines.next().unwrap_or_default();
            let mut cells = found.split('\t');
            MoveTableError::compare_line(line, cells.next().unwrap_or_default(), name)?;
            let mut number = || cells.next()?.parse().ok();
            let count = number().zip(number()).filter(|_| cells.next().is_none());
            match count {
                Some((offered, played)) if played <= offered => {
                    counts.push(ClassCount { offered, played });
                }
                _ => return Err(MoveTableError::counts(line, found)),
            }
        }
        MoveTableError::compare_line(CLASSES + 2, lines.next().unwrap_or_default(), "")?;
        let expected = CLASSES;
        Self::new(&counts).ok_or(MoveTableError::Length { found: counts.len(), expected })
    }
}

/// The first line of the text.
const TITLES: &str = "class\toffered\tplayed";

impl fmt::Display for ClassMoves {
    /// Writes the table that [`ClassMoves::from_text`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLES}")?;
        for (name, count) in move_class::names().iter().zip(&*self.counts) {
            writeln!(f, "{name}\t{}\t{}", count.offered, count.played)?;
        }
        Ok(())
    }
}

impl Default for ClassMoves {
    /// Returns the bundled model, counted on 2026-11-27 in 4,700,026 positions of self-play.
    ///
    /// In held-out games the best move of the search is the most probable one in a share of 0.245
    /// of the positions, and its mean log-likelihood is −2.970 (`docs/learning_moves.md`).
    fn default() -> Self {
        static BUNDLED: LazyLock<ClassMoves> = LazyLock::new(|| {
            ClassMoves::from_text(include_str!("classes.tsv"))
                .expect("a test reads the bundled counts")
        });
        BUNDLED.clone()
    }
}

impl MoveProbability for ClassMoves {
    fn scores(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let classes = Self::classes(position, moves);
        let mut sizes = [0_u16; CLASSES];
        for &class in &classes {
            sizes[class] += 1;
        }
        classes.iter().map(|&class| self.scores[class] - f32::from(sizes[class]).ln()).collect()
    }
}
