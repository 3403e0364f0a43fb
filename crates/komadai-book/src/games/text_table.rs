//! Tables as text with aligned columns.

use std::fmt;

use komadai_base::text::printable;

/// A table with a heading for each column.
#[derive(Debug, Clone)]
pub(super) struct TextTable<const N: usize> {
    columns: [Column; N],
    rows: Vec<[String; N]>,
    separator: &'static str,
}

/// The heading of a column and the alignment of its cells.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    Left(&'static str),
    Right(&'static str),
}

impl Column {
    const fn heading(self) -> &'static str {
        match self {
            Self::Left(heading) | Self::Right(heading) => heading,
        }
    }
}

impl<const N: usize> TextTable<N> {
    pub(super) fn new(columns: [Column; N], separator: &'static str) -> Self {
        Self { columns, rows: Vec::new(), separator }
    }

    /// Adds a row. Characters that would break the lines or that a terminal obeys are replaced.
    pub(super) fn add(&mut self, cells: [String; N]) {
        self.rows.push(cells.map(|cell| printable(&cell).into_owned()));
    }

    /// Writes the headings after `mark`, which must be ASCII.
    pub(super) fn write_headings(&self, f: &mut fmt::Formatter<'_>, mark: &str) -> fmt::Result {
        f.write_str(mark)?;
        let headings = self.columns.map(|column| column.heading().to_owned());
        let mut widths = self.widths();
        // The mark takes up a part of the first column.
        widths[0] = widths[0].saturating_sub(mark.len());
        self.write_row(f, &headings, widths)
    }

    /// Writes the rows without the headings.
    pub(super) fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        self.rows.iter().try_for_each(|row| self.write_row(f, row, widths))
    }

    /// Returns the width of each column in cells of a terminal.
    fn widths(&self) -> [usize; N] {
        let mut widths = self.columns.map(|column| width(column.heading()));
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = width(cell).max(*widest);
            }
        }
        widths
    }

    fn write_row(
        &self,
        f: &mut fmt::Formatter<'_>,
        row: &[String; N],
        widths: [usize; N],
    ) -> fmt::Result {
        let mut line = String::new();
        for (index, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[index].saturating_sub(width(cell)));
            line.push_str(if index > 0 { self.separator } else { "" });
            match self.columns[index] {
                Column::Left(_) => line.extend([cell.as_str(), &blanks]),
                Column::Right(_) => line.extend([blanks.as_str(), cell]),
            }
        }
        writeln!(f, "{}", line.trim_end())
    }
}

/// Returns the number of terminal cells of a text. Chinese, Japanese and full-width characters take
/// two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Returns true for the wide ranges of Unicode Standard Annex 11, "East Asian Width".
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3fffd)
}

impl<const N: usize> fmt::Display for TextTable<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_headings(f, "")?;
        self.write_rows(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_stay_lines() {
        let mut table = TextTable::new([Column::Left("name"), Column::Right("n")], "  ");
        table.add(["技巧".to_owned(), "7".to_owned()]);
        table.add(["a\nb".to_owned(), "1234".to_owned()]);
        assert_eq!(table.to_string(), "name     n\n技巧     7\na\u{fffd}b   1234\n");
    }
}
