//! The bundled problems, and the reader of such files.

use crate::problem::{Problem, ProblemError};

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

/// Returns the bundled problems one by one, the easiest first: 3 to 15 plies, each with one solution.
///
/// They were made by `komadai tsume-make` from games of komadai against itself, and may be used by anyone for anything (CC0). The
/// head of the file says how. All were judged by [`Judge`](crate::Judge).
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

/// Returns the problems of a file one by one, as `komadai tsume-make` writes it. Empty lines and those that begin with `#` are
/// passed over.
///
/// # Errors
///
/// Each line that is not a problem is an error with its number; those after it are read all the same.
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
