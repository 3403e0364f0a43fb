//! The kind of a file of problems, which its start shows.

use komadai::kifu::KifuFormat;
use komadai::kifu::record_files::is_archive;

use super::list::Layout;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A position on each line.
    List(Layout),
    /// Game records.
    Records,
    /// Compressed records.
    Archive,
}

/// Returns the kind of a file with this start. A start that resembles nothing is that of records,
/// whose reader states what it expects.
pub(super) fn kind_of(start: &[u8]) -> FileKind {
    if is_archive(start) {
        return FileKind::Archive;
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    if start.trim_ascii_start().starts_with(b"{") {
        return FileKind::Records;
    }
    let mut lines = start.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    if second_column(first).is_some() || second_column(second).is_some_and(has_board) {
        let first_row = match second_column(first) {
            Some(column) => has_board(column),
            None => false,
        };
        return FileKind::List(Layout::Table { has_header: !first_row });
    }
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).take(LINES);
    let is_list = match KifuFormat::detect(start) {
        Some(format) => format == KifuFormat::Usi,
        // The first lines may be faulty.
        None => lines.any(|line| !line.starts_with(b"#") && has_board(line)),
    };
    if is_list { FileKind::List(Layout::Lines) } else { FileKind::Records }
}

/// Number of lines that are looked at.
const LINES: usize = 20;

fn second_column(line: &[u8]) -> Option<&[u8]> {
    line.split(|&byte| byte == b'\t').nth(1)
}

/// Checks for the eight slashes between the ranks of an SFEN, fewer if one is faulty. Addresses
/// have colons.
fn has_board(text: &[u8]) -> bool {
    let slashes = text.iter().filter(|&&byte| byte == b'/').count();
    slashes >= 6 && text.is_ascii() && !text.contains(&b':')
}
