//! JSON (RFC 8259) of lists and tables.
//!
//! Their layout is fixed: one object a line, members in a given order, and six decimals. A general
//! serializer would need a formatter of the same size for it.

use super::WinDrawLoss;

/// The name of a member and its value as JSON text.
pub(super) type Member = (&'static str, String);

/// Returns an object.
pub(super) fn object(members: impl IntoIterator<Item = Member>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("\"{name}\": {value}"));
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

/// Returns an array of JSON texts, one a line.
pub(super) fn array_of_lines(values: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = values.map(|value| format!("  {value}")).collect();
    if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

/// Returns a string in quotes, with control characters escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Returns a number with six decimals, or `null` for `None` and for numbers that are not finite,
/// which JSON cannot express.
pub(super) fn real(value: Option<f64>) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(|| "null".to_owned(), |value| format!("{value:.6}"))
}

/// Returns the members of results: their counts, their rate and the ends of its interval.
pub(super) fn results(results: &WinDrawLoss) -> [Member; 6] {
    let interval = results.interval();
    [
        ("wins", results.wins.to_string()),
        ("draws", results.draws.to_string()),
        ("losses", results.losses.to_string()),
        ("rate", real(results.rate())),
        ("low", real(interval.map(|[low, _]| low))),
        ("high", real(interval.map(|[_, high]| high))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_json_forbids_are_escaped() {
        let text = quoted("c\"\\\n\u{7f}技");
        let object =
            object([("text", text), ("r", real(Some(0.5))), ("none", real(Some(f64::NAN)))]);
        let expected = r#"{"text": "c\"\\\u000a\u007f技", "r": 0.500000, "none": null}"#;
        assert_eq!(object, expected);
        assert_eq!(array_of_lines([object.clone()].into_iter()), format!("[\n  {object}\n]\n"));
        assert_eq!(array_of_lines(std::iter::empty()), "[]\n");
    }
}
