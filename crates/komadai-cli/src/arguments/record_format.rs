//! The format and the encoding of a record that is written.

use std::path::Path;

use komadai::kifu::KifuFormat;
use komadai::kifu::text::TextEncoding;

/// Returns the format that the ending of a file stands for.
pub(crate) fn format_of(path: &Path) -> Option<KifuFormat> {
    KifuFormat::of_extension(path.extension()?.to_str()?)
}

/// Returns the usual encoding of a file: Shift_JIS for `.kif` and `.ki2`, UTF-8 for all others.
pub(crate) fn encoding_of(path: &Path, format: KifuFormat) -> TextEncoding {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_short =
        extension.is_some_and(|extension| !extension.to_ascii_lowercase().ends_with('u'));
    match format {
        KifuFormat::Kif | KifuFormat::Ki2 if is_short => TextEncoding::ShiftJis,
        _ => TextEncoding::Utf8,
    }
}
