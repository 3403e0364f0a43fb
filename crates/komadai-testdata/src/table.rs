//! Tab-separated tables with a header line.

use std::str::FromStr;

/// A file of rows with `N` columns, embedded in the program.
///
/// The files are part of the crate, and a test reads every row of each. A malformed row is
/// therefore a bug of this crate: it panics with the file and the line.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    pub(crate) file: &'static str,
    pub(crate) columns: [&'static str; N],
    pub(crate) text: &'static str,
}

/// Embeds a table of the `data` folder, with the column names that its header must contain.
macro_rules! table {
    ($file:literal, [$($column:literal),+ $(,)?]) => {
        $crate::table::Table {
            file: $file,
            columns: [$($column),+],
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $file)),
        }
    };
}
pub(crate) use table;

impl<const N: usize> Table<N> {
    /// The rows below the header.
    pub(crate) fn rows(&'static self) -> impl Iterator<Item = Row<N>> {
        let mut lines = self.text.lines();
        let header = lines.next().unwrap_or_default();
        assert!(
            header.split('\t').eq(self.columns),
            "{}: the header is {header:?}, expected {:?}",
            self.file,
            self.columns
        );
        lines.zip(2..).map(|(text, line)| Row::new(self.file, line, text))
    }
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<const N: usize> {
    file: &'static str,
    line: usize,
    /// The cells, in the order of the table's columns.
    pub(crate) cells: [&'static str; N],
}

impl<const N: usize> Row<N> {
    fn new(file: &'static str, line: usize, text: &'static str) -> Self {
        let mut row = Row { file, line, cells: [""; N] };
        let mut found = 0;
        for cell in text.split('\t') {
            if let Some(slot) = row.cells.get_mut(found) {
                *slot = cell;
            }
            found += 1;
        }
        assert!(found == N, "{file}:{line}: found {found} cells, expected {N}");
        row
    }

    /// Parses a cell as a number.
    pub(crate) fn number<T: FromStr>(&self, cell: &str) -> T {
        cell.parse().unwrap_or_else(|_| self.reject(cell))
    }

    /// Panics because `cell` is not an allowed value of its column.
    pub(crate) fn reject(&self, cell: &str) -> ! {
        panic!("{}:{}: unexpected {cell:?}", self.file, self.line)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::{Row, Table};

    static GOOD: Table<2> = Table { file: "good", columns: ["a", "b"], text: "a\tb\n1\t\n2\tx\n" };
    static BAD: Table<2> = Table { file: "bad", columns: ["a", "c"], text: "a\tb\n" };

    fn message(result: std::thread::Result<()>) -> String {
        *result.expect_err("the call should panic").downcast::<String>().expect("a text")
    }

    #[test]
    fn rows_keep_empty_cells() {
        let cells: Vec<_> = GOOD.rows().map(|row| row.cells).collect();
        assert_eq!(cells, [["1", ""], ["2", "x"]]);
    }

    #[test]
    fn malformed_rows_are_named_by_file_and_line() {
        let header = message(catch_unwind(|| drop(BAD.rows())));
        assert!(header.starts_with("bad: the header is"), "{header}");
        for text in ["1", "1\t2\t3"] {
            let width = message(catch_unwind(|| {
                Row::<2>::new("file", 7, text);
            }));
            assert!(width.starts_with("file:7: "), "{width}");
        }
        let number = message(catch_unwind(|| {
            Row::<1>::new("file", 7, "x").number::<u32>("x");
        }));
        assert_eq!(number, "file:7: unexpected \"x\"");
    }
}
