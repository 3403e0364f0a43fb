//! The escapes of a note (`$NOTE`): `\n` for a line end, `\\` for a backslash.

/// Returns a text of several lines as one line.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', r"\\").replace("\r\n", r"\n").replace(['\r', '\n'], r"\n")
}

/// Returns the text of a line: the reverse of [`escape`]. Other characters after a backslash keep
/// it.
pub(super) fn unescape(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        rest = if let Some(after) = after.strip_prefix('n') {
            text.push('\n');
            after
        } else {
            text.push('\\');
            after.strip_prefix('\\').unwrap_or(after)
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_from_one_line() {
        for text in ["", "one\ntwo", r"a\nb", r"\", r"\\", "\\\n\\n", "表\\手\n"] {
            assert!(!escape(text).contains('\n'));
            assert_eq!(unescape(&escape(text)), text);
        }
        assert_eq!(unescape(r"C:\games\"), r"C:\games\");
        assert_eq!(unescape(&escape("one\r\ntwo\rthree")), "one\ntwo\nthree");
    }
}
