//! Writing JSON (RFC 8259).

use std::fmt::Write as _;

/// An object being written, with its members in the order of adding.
#[derive(Debug)]
pub(super) struct JsonObject {
    text: String,
}

impl JsonObject {
    pub(super) fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// A member whose value is JSON already.
    pub(super) fn raw(mut self, key: &str, value: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push_str(", ");
        }
        write_string(&mut self.text, key);
        self.text.push_str(": ");
        self.text.push_str(value);
        self
    }

    pub(super) fn text(self, key: &str, value: &str) -> Self {
        let mut quoted = String::new();
        write_string(&mut quoted, value);
        self.raw(key, &quoted)
    }

    pub(super) fn number(self, key: &str, value: impl Into<u64>) -> Self {
        self.raw(key, &value.into().to_string())
    }

    /// A number, or `null` if there is none or JSON has no word for it.
    pub(super) fn real(self, key: &str, value: Option<f64>) -> Self {
        match value.filter(|value| value.is_finite()) {
            Some(value) => self.raw(key, &format!("{value:.6}")),
            None => self.raw(key, "null"),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// An array of values that are JSON already, one a line.
pub(super) fn json_lines(values: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = values.map(|value| format!("  {value}")).collect();
    if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

/// An array of values that are JSON already, in one line.
pub(super) fn json_array(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

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
    fn what_json_forbids_is_escaped() {
        let object = JsonObject::new().text("a\"b", "c\\\n\u{7f}技").real("r", Some(0.5));
        let object = object.real("none", Some(f64::NAN)).number("n", 7_u32).finish();
        let expected = r#"{"a\"b": "c\\\u000a\u007f技", "r": 0.500000, "none": null, "n": 7}"#;
        assert_eq!(object, expected);
        assert_eq!(json_lines([object.clone()].into_iter()), format!("[\n  {object}\n]\n"));
        assert_eq!(json_lines(std::iter::empty()), "[]\n");
    }
}
