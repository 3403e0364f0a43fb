//! Finished problems, their text, and the bundled ones.

use std::fmt;
use std::str::FromStr;

use komadai_core::{Position, Pv};

/// A problem with one solution.
///
/// Its text is one line with six fields separated by tabs: rating, plies, plies by the rules,
/// nodes, position (SFEN), main line (USI).
///
/// # Examples
///
/// ```
/// use komadai_problems::Problem;
///
/// let text = "25\t1\t1\t4\t4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tG*5b";
/// let problem: Problem = text.parse()?;
/// assert_eq!((problem.plies(), problem.rating(), problem.to_string()), (1, 25, text.to_owned()));
/// assert_eq!(problem.sacrifices(), 0);
/// # Ok::<(), komadai_problems::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The position; Black attacks.
    pub position: Position,
    /// The main line (本手順): the attacker plays the shortest mate, the defender the longest defence.
    pub line: Pv,
    /// Plies of the shortest mate if futile interpositions (無駄合) count, as the rules have it.
    pub plies_by_rules: u32,
    /// Nodes of a df-pn search that proved the shortest mate.
    pub nodes: u64,
}

/// A line of text that is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The line does not have six fields.
    #[error(
        "found {0} fields separated by tabs, expected rating, plies twice, nodes, position and moves"
    )]
    Fields(usize),
    /// The fifth field is not a position.
    #[error("{0}")]
    Position(#[from] komadai_core::SfenError),
    /// A number is not one.
    #[error("found {0:?}, expected a number")]
    Number(String),
    /// The last field is not a line of moves.
    #[error("{0}")]
    Moves(#[from] komadai_core::UsiError),
    /// The moves are not a mate: not all legal, not all of the attacker's check, or no mate at the
    /// end.
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
    /// The rating is not that of nodes and plies.
    #[error("rating {rating}, but nodes and plies make {expected}")]
    Rating {
        /// The number in the text.
        rating: u32,
        /// The number by the definition.
        expected: u32,
    },
}

impl Problem {
    /// Number of plies of the main line, which is the length of the shortest mate without futile
    /// interpositions.
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }

    /// The difficulty: ten for each doubling of the nodes, and five for each ply.
    ///
    /// It orders the problems of one set. It has not been compared with the times of people.
    pub fn rating(&self) -> u32 {
        // Tenths of a doubling, without floating point, which rounds differently from machine to
        // machine.
        let nodes = u128::from(self.nodes.max(1)).min(1 << 40);
        let power = nodes.pow(3);
        let doublings = power.ilog2() * 10 / 3;
        doublings + 5 * self.plies()
    }

    /// Number of the attacker's pieces in the main line that are captured at once on the square
    /// that they move to: sacrifices (捨て駒), which solvers like.
    pub fn sacrifices(&self) -> usize {
        self.line.chunks_exact(2).filter(|pair| pair[0].to() == pair[1].to()).count()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, line, plies_by_rules, nodes } = self;
        let rating = self.rating();
        let plies = self.plies();
        write!(f, "{rating}\t{plies}\t{plies_by_rules}\t{nodes}\t{position}\t{line}")
    }
}

impl FromStr for Problem {
    type Err = ProblemError;

    /// Reads a problem and replays its main line; whether it is the only solution is not examined.
    fn from_str(text: &str) -> Result<Self, ProblemError> {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[rating, plies, plies_by_rules, nodes, sfen, moves] = &fields[..] else {
            return Err(ProblemError::Fields(fields.len()));
        };
        let problem = Self {
            position: Position::from_sfen(sfen)?,
            line: moves.parse()?,
            plies_by_rules: number(plies_by_rules)?,
            nodes: number(nodes)?,
        };
        // The text has these numbers for its readers; here they follow from the rest.
        let plies = number(plies)?;
        let rating = number(rating)?;
        let moves = problem.line.len();
        if problem.plies() != plies {
            return Err(ProblemError::Plies { plies, moves });
        }
        let expected = problem.rating();
        if rating != expected {
            return Err(ProblemError::Rating { rating, expected });
        }
        if !komadai_tsume::is_mating_line(&problem.position, &problem.line) {
            return Err(ProblemError::NoMate);
        }
        Ok(problem)
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, ProblemError> {
    text.parse().map_err(|_| ProblemError::Number(text.to_owned()))
}

/// The bundled problems: lines of comment that begin with `#`, and one line for each problem.
const BUNDLED: &str = include_str!("../data/problems.tsv");

/// A line of a file that is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
#[non_exhaustive]
pub struct LineError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault.
    pub error: ProblemError,
}

/// Returns the bundled problems one by one, the easiest first: 3 to 15 plies, each with one
/// solution.
///
/// They were made by `komadai tsume-make` from games of komadai against itself, and may be used by
/// anyone for anything (CC0). The head of the file says how. All were judged by
/// [`Judge`](crate::Judge).
///
/// # Examples
///
/// ```
/// let mut of_seven = komadai_problems::problems().filter(|problem| problem.plies() == 7);
/// let easiest = of_seven.next().expect("there are some");
/// println!("{}: {} {}", easiest.rating(), easiest.position, easiest.line);
/// ```
///
/// # Panics
///
/// The iterator panics at a line that is no problem. A test reads all of them.
pub fn problems() -> impl Iterator<Item = Problem> {
    parse_problems(BUNDLED).map(|problem| problem.expect("a test reads all lines"))
}

/// Returns the problems of a file one by one, as `komadai tsume-make` writes it. Empty lines and
/// those that begin with `#` are passed over.
///
/// # Errors
///
/// Each line that is not a problem is an error with its number; those after it are read all the
/// same.
///
/// # Examples
///
/// ```
/// use komadai_problems::{ProblemError, parse_problems};
///
/// let text = "# one move\n25\t1\t1\t4\t4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tG*5b\n4k4/9\n";
/// let read: Vec<_> = parse_problems(text).collect();
/// assert_eq!(read[0].as_ref().map(|problem| problem.plies()), Ok(1));
/// let error = read[1].as_ref().expect_err("cut off");
/// assert_eq!((error.line, &error.error), (3, &ProblemError::Fields(1)));
/// ```
pub fn parse_problems(text: &str) -> impl Iterator<Item = Result<Problem, LineError>> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
        .map(|(line, text)| text.parse().map_err(|error| LineError { line, error }))
}
