//! Tables of depths and predictions as text.

use core::fmt::Write as _;

use crate::probcut::{DepthPair, DepthRegression};

/// The names of the columns.
const COLUMNS: &str = "shallow\tdeep\tprogress\tslope\toffset\tdeviation";

/// A text that is no table of [`DepthPair`]s.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DepthTableError {
    /// A cell is missing, is none of its column, or does not fit to the lines before.
    #[error("line {line}: found {found:?}, expected {expected}")]
    Cell {
        /// Line number, from 1.
        line: usize,
        /// The beginning of the cell, empty for none.
        found: String,
        /// The possible cells.
        expected: &'static str,
    },
    /// The text ends before all bands of progress of its last pair.
    #[error("found {found} bands of progress of the depths {shallow} and {deep}, expected 3")]
    Bands {
        /// The number of bands.
        found: usize,
        /// The shallow depth in plies.
        shallow: u32,
        /// The deep depth in plies.
        deep: u32,
    },
}

impl DepthPair {
    /// Reads pairs from a table: a line for each band of progress, with shallow depth, deep depth,
    /// band, slope, offset and deviation, separated by tabs. A line of the names of the columns,
    /// empty lines and lines that begin with `#` are no rows.
    ///
    /// # Errors
    ///
    /// Returns the first line that is no row or does not fit to those before it, or the pair whose
    /// bands are not complete.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::{DepthPair, DepthTableError};
    ///
    /// let text = DepthPair::to_table(DepthPair::for_search());
    /// assert_eq!(DepthPair::from_table(&text)?, DepthPair::for_search());
    ///
    /// let error = DepthPair::from_table("2\t4\t0-4\t1.0\t0.0\tsome").unwrap_err();
    /// assert!(matches!(error, DepthTableError::Cell { line: 1, .. }));
    /// # Ok::<(), DepthTableError>(())
    /// ```
    pub fn from_table(text: &str) -> Result<Vec<Self>, DepthTableError> {
        read(text)
    }

    /// Writes pairs as the table that [`from_table`](Self::from_table) reads, with three places of
    /// the slopes and one of the other numbers.
    #[must_use]
    pub fn to_table(pairs: &[Self]) -> String {
        write(pairs)
    }
}

/// A pair with the bands that have been read.
struct Begun {
    shallow: u32,
    deep: u32,
    bands: Vec<DepthRegression>,
}

/// Reads a table.
fn read(text: &str) -> Result<Vec<DepthPair>, DepthTableError> {
    let mut pairs: Vec<DepthPair> = Vec::new();
    let mut begun: Option<Begun> = None;
    for (index, text) in text.lines().enumerate() {
        if text.is_empty() || text.starts_with('#') || text == COLUMNS {
            continue;
        }
        let mut cells = Cells { line: index + 1, cells: text.split('\t') };
        let is_depth = |depth: &u32| (1..=64).contains(depth);
        let shallow = cells.next("a depth from 1 to 64", is_depth)?;
        let deep = cells.next("a larger depth up to 64, in no pair before", |&deep: &u32| {
            is_depth(&deep) && deep > shallow && !pairs.iter().any(|pair| pair.deep == deep)
        })?;
        let pair = begun.get_or_insert(Begun { shallow, deep, bands: Vec::new() });
        if (pair.shallow, pair.deep) != (shallow, deep) {
            return Err(cells.error(text, "the next band of the pair before"));
        }
        let name = band_name(pair.bands.len());
        cells.next("the bands 0-4, 5-9 and 10-15 in order", |cell: &String| *cell == name)?;
        let is_positive = |number: &f32| number.is_finite() && *number > 0.0;
        pair.bands.push(DepthRegression {
            slope: cells.next("a slope above 0", is_positive)?,
            offset: cells.next("an offset in centipawns", |offset: &f32| offset.is_finite())?,
            deviation: cells.next("a deviation above 0 in centipawns", is_positive)?,
        });
        if let Some(cell) = cells.cells.next() {
            return Err(cells.error(cell, "no cell after the deviation"));
        }
        if let Ok(bands) = <[DepthRegression; 3]>::try_from(&pair.bands[..]) {
            pairs.push(DepthPair { shallow, deep, bands });
            begun = None;
        }
    }
    match begun {
        None => Ok(pairs),
        Some(Begun { shallow, deep, bands }) => {
            Err(DepthTableError::Bands { found: bands.len(), shallow, deep })
        }
    }
}

/// Writes a table.
fn write(pairs: &[DepthPair]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for DepthPair { shallow, deep, bands } in pairs {
        for (index, DepthRegression { slope, offset, deviation }) in bands.iter().enumerate() {
            let band = band_name(index);
            let numbers = format_args!("{slope:.3}\t{offset:.1}\t{deviation:.1}");
            writeln!(text, "{shallow}\t{deep}\t{band}\t{numbers}").expect("texts can be written");
        }
    }
    text
}

fn band_name(index: usize) -> String {
    let [first, last] = DepthPair::BANDS[index];
    format!("{first}-{last}")
}

/// The cells of a line.
struct Cells<'a> {
    line: usize,
    cells: core::str::Split<'a, char>,
}

impl Cells<'_> {
    /// Reads the next cell, which must hold.
    fn next<T: core::str::FromStr>(
        &mut self,
        expected: &'static str,
        holds: impl Fn(&T) -> bool,
    ) -> Result<T, DepthTableError> {
        let cell = self.cells.next().unwrap_or_default();
        let value = cell.parse().ok().filter(holds);
        value.ok_or_else(|| self.error(cell, expected))
    }

    fn error(&self, found: &str, expected: &'static str) -> DepthTableError {
        let found = found.chars().take(40).collect();
        DepthTableError::Cell { line: self.line, found, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "2\t4\t0-4\t1.000\t0.0\t40.0\n";

    #[test]
    fn what_is_written_is_read() {
        let by = |deviation| DepthRegression { slope: 0.975, offset: -12.5, deviation };
        let bands = [by(40.5), by(61.0), by(80.0)];
        let pairs = vec![
            DepthPair { shallow: 2, deep: 4, bands },
            DepthPair { shallow: 3, deep: 6, bands },
        ];
        assert_eq!(read(&format!("# by a test\n\n{}", write(&pairs))), Ok(pairs));
        assert_eq!(read(""), Ok(Vec::new()));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let pair = format!("{ROW}2\t4\t5-9\t1\t0\t50\n2\t4\t10-15\t1\t0\t60\n");
        for (text, line, found) in [
            ("x\t4\t0-4\t1\t0\t40".to_owned(), 1, "x"),
            ("# none\n4\t2\t0-4\t1\t0\t40".to_owned(), 2, "2"),
            ("2\t65\t0-4\t1\t0\t40".to_owned(), 1, "65"),
            ("2\t4\t5-9\t1\t0\t40".to_owned(), 1, "5-9"),
            ("2\t4\t0-4\t-1\t0\t40".to_owned(), 1, "-1"),
            ("2\t4\t0-4\t1\tNaN\t40".to_owned(), 1, "NaN"),
            ("2\t4\t0-4\t1\t0\tinf".to_owned(), 1, "inf"),
            ("2\t4\t0-4\t1\t0".to_owned(), 1, ""),
            ("2\t4\t0-4\t1\t0\t40\tmore".to_owned(), 1, "more"),
            (format!("{ROW}3\t6\t0-4\t1\t0\t40"), 2, "3\t6\t0-4\t1\t0\t40"),
            // A deep depth has one pair.
            (format!("{pair}3\t4\t0-4\t1\t0\t40"), 4, "4"),
        ] {
            match read(&text) {
                Err(DepthTableError::Cell { line: at, found: cell, .. }) => {
                    assert_eq!((at, cell.as_str()), (line, found), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        let bands = DepthTableError::Bands { found: 1, shallow: 2, deep: 4 };
        assert_eq!(read(ROW), Err(bands));
    }
}
