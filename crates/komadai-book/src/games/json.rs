//! A writer of JSON (RFC 8259) for lists and tables.
//!
//! Their layout is fixed: one object a line, members in a given order, and six decimals. A general
//! serializer would need a formatter of the same size for it.

use std::fmt::Write as _;

/// A JSON object in construction. Members keep the order of adding.
#[derive(Debug)]
pub(super) struct JsonObject {
    text: String,
}

impl JsonObject {
    pub(super) fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// Adds a member whose value is JSON text.
    pub(super) fn raw(mut self, key: &str, value: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push_str(", ");
        }
        write_string(&mut self.text, key);
        self.text.push_str(": ");
        self.text.push_str(value);
        self
    }

    /// Adds a string.
    pub(super) fn text(self, key: &str, value: &str) -> Self {
        let mut quoted = String::new();
        write_string(&mut quoted, value);
        self.raw(key, &quoted)
    }

    /// Adds an integer.
    pub(super) fn number(self, key: &str, value: impl Into<u64>) -> Self {
        self.raw(key, &value.into().to_string())
    }

    /// Adds a number with six decimals, or `null` for `None` and for numbers that are not finite,
    /// which JSON cannot express.
    pub(super) fn real(self, key: &str, value: Option<f64>) -> Self {
        match value.filter(|value| value.is_finite()) {
            Some(value) => self.raw(key, &format!("{value:.6}")),
            None => self.raw(key, "null"),
        }
    }

    /// Returns the text of the object.
    pub(super) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// Returns an array of JSON texts, one a line.
pub(super) fn json_lines(values: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = values.map(|value| format!("  {value}")).collect();
    if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

/// Returns an array of JSON texts in one line.
pub(super) fn json_array(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// Appends a string in quotes, with control characters escaped.
fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() && u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_json_forbids_are_escaped() {
        let object = JsonObject::new().text("a\"b", "c\\\n\u{7f}技").real("r", Some(0.5));
        let object = object.real("none", Some(f64::NAN)).number("n", 7_u32).finish();
        let expected = r#"{"a\"b": "c\\\u000a\u007f技", "r": 0.500000, "none": null, "n": 7}"#;
        assert_eq!(object, expected);
        assert_eq!(json_lines([object.clone()].into_iter()), format!("[\n  {object}\n]\n"));
        assert_eq!(json_lines(std::iter::empty()), "[]\n");
    }
}
