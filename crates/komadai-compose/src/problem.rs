//! Finished problems, and their text.

use std::fmt;
use std::str::FromStr;

use komadai_core::{Position, Pv};

/// A problem with one solution.
///
/// Its text is one line with four fields separated by tabs: position (SFEN), plies, rating, and the main line.
///
/// # Examples
///
/// ```
/// use komadai_compose::Problem;
///
/// let text = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\t1\t10\tG*5b";
/// let problem: Problem = text.parse()?;
/// assert_eq!((problem.plies(), problem.to_string()), (1, text.to_owned()));
/// # Ok::<(), komadai_compose::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The position; Black attacks.
    pub position: Position,
    /// The main line (本手順): the attacker plays the shortest mate, the defender the longest defence.
    pub line: Pv,
    /// The difficulty: see [`rating`](crate::rating).
    pub rating: u32,
}

/// A line of text that is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The line does not have four fields.
    #[error("found {0} fields separated by tabs, expected position, plies, rating and moves")]
    Fields(usize),
    /// The first field is not a position.
    #[error("{0}")]
    Position(#[from] komadai_core::SfenError),
    /// A number is not one.
    #[error("found {0:?}, expected a number")]
    Number(String),
    /// The last field is not a line of moves.
    #[error("{0}")]
    Moves(#[from] komadai_core::UsiError),
    /// The moves are not a mate: not all legal, not all of the attacker's check, or no mate at the end.
    #[error("the moves do not mate")]
    NoMate,
    /// The number of plies is not that of the moves.
    #[error("{plies} plies, but {moves} moves")]
    Plies {
        /// The number in the text.
        plies: u32,
        /// The number of moves.
        moves: usize,
    },
}

impl Problem {
    /// Number of plies of the main line, which is the length of the shortest mate.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }

    /// Number of the attacker's pieces in the main line that are captured at once on the square that they move
    /// to: sacrifices (捨て駒), which solvers like.
    #[must_use]
    pub fn sacrifices(&self) -> usize {
        self.line.chunks_exact(2).filter(|pair| pair[0].to() == pair[1].to()).count()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}\t{}", self.position, self.plies(), self.rating, self.line)
    }
}

impl FromStr for Problem {
    type Err = ProblemError;

    /// Reads a problem and replays its main line; whether it is the only solution is not examined.
    fn from_str(text: &str) -> Result<Self, ProblemError> {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[sfen, plies, rating, moves] = &fields[..] else {
            return Err(ProblemError::Fields(fields.len()));
        };
        let number = |text: &str| text.parse().map_err(|_| ProblemError::Number(text.to_owned()));
        let (plies, rating) = (number(plies)?, number(rating)?);
        let position = Position::from_sfen(sfen)?;
        let line: Pv = moves.parse()?;
        if line.len() != plies as usize {
            return Err(ProblemError::Plies { plies, moves: line.len() });
        }
        if !komadai_tsume::is_mating_line(&position, &line) {
            return Err(ProblemError::NoMate);
        }
        Ok(Self { position, line, rating })
    }
}
