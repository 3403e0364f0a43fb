//! The options of an engine: declarations and values.

use core::fmt;
use core::str::FromStr;

use crate::words::{OneLine, Words, one_line, shorten};

/// The declaration of an option: `option name USI_Hash type spin default 256 min 1 max 4096`.
///
/// Names may contain blanks and are compared without regard to case. (ShogiHome rejects names with
/// blanks, so engines should avoid them.)
///
/// A declaration that has been read is written as a line that is read as the same declaration.
/// Names, choices and default texts are kept verbatim up to the blanks at their ends; a line break
/// or a NUL inside becomes a space. The empty text is written as `<empty>`.
///
/// # Examples
///
/// ```
/// use komadai_usi::{OptionSpec, OptionValue};
///
/// let hash = OptionSpec::spin("USI_Hash", 256, 1..=4096);
/// assert_eq!(hash.to_string(), "option name USI_Hash type spin default 256 min 1 max 4096");
/// assert_eq!(hash.to_string().parse(), Ok(hash.clone()));
/// assert_eq!(hash.accept(Some("99999999")), Ok(OptionValue::Spin(4096)));
/// assert!(hash.accept(Some("much")).is_err());
/// assert_eq!(OptionSpec::button("ClearHash").accept(None), Ok(OptionValue::Pressed));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionSpec {
    /// The name.
    pub name: String,
    /// The type of the values and the default.
    pub kind: OptionKind,
}

/// The type of an option, with its default.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// The default.
        default: bool,
    },
    /// An integer. Node limits require 64 bits.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: String,
        /// The possible values.
        choices: Vec<String>,
    },
    /// Any text.
    String {
        /// The default.
        default: String,
    },
    /// The name of a file.
    Filename {
        /// The default.
        default: String,
    },
    /// No value; setting it triggers an action.
    Button,
}

/// A value within the range of its option.
///
/// # Examples
///
/// ```
/// use komadai_usi::{OptionSpec, OptionValue};
///
/// let threads = OptionSpec::spin("Threads", 1, 1..=8);
/// assert_eq!(threads.accept(Some("4"))?, OptionValue::Spin(4));
/// assert_eq!(threads.default_value(), Some(OptionValue::Spin(1)));
/// # Ok::<(), komadai_usi::OptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionValue {
    /// The value of a check.
    Check(bool),
    /// The value of a spin, within its range.
    Spin(i64),
    /// The value of a combo (in the declared spelling), a string or a filename.
    Text(String),
    /// A button was pressed.
    Pressed,
}

/// An error in an option line or in the value of an option.
///
/// # Examples
///
/// ```
/// use komadai_usi::{OptionError, OptionSpec};
///
/// let threads = OptionSpec::spin("Threads", 1, 1..=8);
/// let error = threads.accept(Some("many")).unwrap_err();
/// assert!(matches!(error, OptionError::BadValue { .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// An `option` line lacks a word.
    #[error("found {found:?} in an option line, expected {expected}")]
    BadDeclaration {
        /// The text found instead, shortened.
        found: String,
        /// The expected word.
        expected: &'static str,
    },
    /// No option has this name.
    #[error("no option is named {name:?}")]
    UnknownName {
        /// The name, shortened.
        name: String,
    },
    /// The value is not one of the option.
    #[error("option {name} cannot be {found:?}, expected {expected}")]
    BadValue {
        /// The name of the option.
        name: String,
        /// The value, shortened.
        found: String,
        /// The possible values.
        expected: String,
    },
}

impl OptionSpec {
    /// Returns an option with the values `true` and `false`.
    pub fn check(name: &str, default: bool) -> Self {
        Self { name: name.to_owned(), kind: OptionKind::Check { default } }
    }

    /// Returns an option with integers of a range.
    pub fn spin(name: &str, default: i64, range: core::ops::RangeInclusive<i64>) -> Self {
        let kind = OptionKind::Spin { default, min: *range.start(), max: *range.end() };
        Self { name: name.to_owned(), kind }
    }

    /// Returns an option with a choice of words.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> Self {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        let kind = OptionKind::Combo { default: default.to_owned(), choices };
        Self { name: name.to_owned(), kind }
    }

    /// Returns an option with any text.
    pub fn string(name: &str, default: &str) -> Self {
        Self { name: name.to_owned(), kind: OptionKind::String { default: default.to_owned() } }
    }

    /// Returns an option with the name of a file.
    pub fn filename(name: &str, default: &str) -> Self {
        Self { name: name.to_owned(), kind: OptionKind::Filename { default: default.to_owned() } }
    }

    /// Returns a button.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_usi::{OptionSpec, OptionValue};
    ///
    /// let clear = OptionSpec::button("ClearHash");
    /// assert_eq!(clear.to_string(), "option name ClearHash type button");
    /// assert_eq!(clear.accept(None), Ok(OptionValue::Pressed));
    /// ```
    pub fn button(name: &str) -> Self {
        Self { name: name.to_owned(), kind: OptionKind::Button }
    }

    /// Returns whether the option has this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Reads a value in the form of `setoption`.
    ///
    /// Numbers out of range become the nearest one in range. Words of a combo are compared without
    /// regard to case. `<empty>` is the empty text.
    ///
    /// # Errors
    ///
    /// [`OptionError::BadValue`], which contains the possible values.
    pub fn accept(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let value = value.map(str::trim_ascii);
        let accepted = match (&self.kind, value) {
            (OptionKind::Button, _) => Some(OptionValue::Pressed),
            (_, None) => None,
            (OptionKind::Check { .. }, Some(value)) => read_bool(value).map(OptionValue::Check),
            (OptionKind::Spin { min, max, .. }, Some(value)) => {
                // `clamp` would panic if another engine declares a minimum above the maximum.
                read_i64(value).map(|number| OptionValue::Spin(number.min(*max).max(*min)))
            }
            (OptionKind::Combo { choices, .. }, Some(value)) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
                .map(|choice| OptionValue::Text(choice.clone())),
            (OptionKind::String { .. } | OptionKind::Filename { .. }, Some(value)) => {
                Some(OptionValue::Text(read_text(value)))
            }
        };
        accepted.ok_or_else(|| self.bad_value(value))
    }

    /// Reads a value like [`accept`](Self::accept), but rejects a number out of range: a caller who
    /// is not shown the option would not notice that it has another value.
    ///
    /// # Errors
    ///
    /// [`OptionError::BadValue`], which contains the possible values.
    pub fn accept_exactly(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        match (self.accept(value)?, value) {
            (OptionValue::Spin(fitted), Some(said))
                if read_i64(said.trim_ascii()) != Some(fitted) =>
            {
                Err(self.bad_value(value))
            }
            (accepted, _) => Ok(accepted),
        }
    }

    fn bad_value(&self, value: Option<&str>) -> OptionError {
        OptionError::BadValue {
            name: self.name.clone(),
            found: shorten(value.unwrap_or_default()),
            expected: self.kind.expectation(),
        }
    }

    /// Returns the default. A button has none.
    pub fn default_value(&self) -> Option<OptionValue> {
        match &self.kind {
            OptionKind::Check { default } => Some(OptionValue::Check(*default)),
            OptionKind::Spin { default, .. } => Some(OptionValue::Spin(*default)),
            OptionKind::Combo { default, .. }
            | OptionKind::String { default }
            | OptionKind::Filename { default } => Some(OptionValue::Text(default.clone())),
            OptionKind::Button => None,
        }
    }
}

impl OptionKind {
    /// Returns a description of the possible values.
    fn expectation(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::String { .. } | Self::Filename { .. } | Self::Button => "a value".to_owned(),
        }
    }
}

impl FromStr for OptionSpec {
    type Err = OptionError;

    /// Reads an `option` line of any engine. The name may contain blanks, and fields may come in
    /// any order. A missing field counts as `false`, 0, the widest range or the empty text.
    fn from_str(line: &str) -> Result<Self, OptionError> {
        let line = &*one_line(line);
        let mut words = Words::new(line);
        words.eat("option");
        let expect =
            |found: &str, expected| OptionError::BadDeclaration { found: shorten(found), expected };
        if !words.eat("name") {
            return Err(expect(words.rest(), "`name`"));
        }
        // Names contain blanks, so that only the next word of the protocol ends one.
        let name = words.until(|word| word == "type");
        if name.is_empty() || !words.eat("type") {
            return Err(expect(name, "a name and `type`"));
        }
        let kind_word = words.next().unwrap_or_default();
        let kind = match kind_word {
            "check" => read_check(words),
            "spin" => read_spin(words),
            "combo" => Some(read_combo(words)),
            "string" => Some(OptionKind::String { default: read_default(words) }),
            "filename" => Some(OptionKind::Filename { default: read_default(words) }),
            "button" => Some(OptionKind::Button),
            other => {
                let kinds = "check, spin, combo, string, filename or button";
                return Err(expect(other, kinds));
            }
        };
        match kind {
            Some(kind) => Ok(Self { name: name.to_owned(), kind }),
            None => Err(expect(line, "numbers, or true or false")),
        }
    }
}

fn read_check(mut words: Words<'_>) -> Option<OptionKind> {
    words.eat("default");
    let default = words.next().map_or(Some(false), read_bool)?;
    Some(OptionKind::Check { default })
}

fn read_spin(mut words: Words<'_>) -> Option<OptionKind> {
    let mut default = 0;
    let mut min = i64::MIN;
    let mut max = i64::MAX;
    while let Some(field) = words.next() {
        match field {
            "default" => default = read_i64(words.next()?)?,
            "min" => min = read_i64(words.next()?)?,
            "max" => max = read_i64(words.next()?)?,
            _ => {}
        }
    }
    Some(OptionKind::Spin { default, min, max })
}

fn read_combo(mut words: Words<'_>) -> OptionKind {
    let mut default = String::new();
    let mut choices = Vec::new();
    while let Some(field) = words.next() {
        let value = read_text(words.until(|word| word == "default" || word == "var"));
        match field {
            "default" => default = value,
            "var" => choices.push(value),
            _ => {}
        }
    }
    OptionKind::Combo { default, choices }
}

/// Reads the default: the rest of the line, including blanks.
fn read_default(mut words: Words<'_>) -> String {
    words.eat("default");
    read_text(words.rest())
}

fn read_text(text: &str) -> String {
    if text == "<empty>" { String::new() } else { text.to_owned() }
}

fn read_bool(text: &str) -> Option<bool> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Reads a number of any size. Numbers of more than 64 bits become the nearest one.
fn read_i64(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let too_large = if is_negative { i64::MIN } else { i64::MAX };
    Some(
        digits
            .parse::<i64>()
            .map_or(too_large, |number| if is_negative { -number } else { number }),
    )
}

/// Writes the `option` line.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", Text(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", Text(choice)))
            }
            OptionKind::String { default } => write!(f, "string default {}", Text(default)),
            OptionKind::Filename { default } => write!(f, "filename default {}", Text(default)),
            OptionKind::Button => f.write_str("button"),
        }
    }
}

/// Writes the value in the form that follows `value`; nothing for a button.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(value) => write!(f, "{value}"),
            Self::Spin(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "{}", Text(value)),
            Self::Pressed => Ok(()),
        }
    }
}

/// Text at a place that must not be empty.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = OneLine(self.0);
        if text.is_empty() { f.write_str("<empty>") } else { text.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> OptionSpec {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn every_kind_reads_back() {
        for line in [
            "option name USI_Ponder type check default false",
            "option name USI_Hash type spin default 1024 min 1 max 33554432",
            "option name NodesLimit type spin default 0 min 0 max 9223372036854775807",
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \
             var CSARule27 var TryRule",
            "option name EvalDir type string default eval",
            "option name BookDir type string default <empty>",
            "option name BookFile type filename default no_book",
            "option name Clear Hash type button",
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name Style type combo default Very Solid var Very Solid var Risky",
            "option name Debug Log File type string default a b",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn fields_may_be_missing_or_in_another_order() {
        assert_eq!(
            read("option  name X type spin min 1 max 9 default 3"),
            OptionSpec::spin("X", 3, 1..=9),
        );
        assert_eq!(read("option name X type check"), OptionSpec::check("X", false));
        assert_eq!(read("option name X type string"), OptionSpec::string("X", ""));
        assert_eq!(read("option name X type string default "), OptionSpec::string("X", ""));
        assert_eq!(
            read("option name X type combo var a var b default b"),
            OptionSpec::combo("X", "b", &["a", "b"]),
        );
        let OptionKind::Spin { min, max, .. } = read("option name X type spin default 5").kind
        else {
            panic!("a spin")
        };
        assert_eq!((min, max), (i64::MIN, i64::MAX));
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "option",
            "option name",
            "option name X",
            "option name type spin default 1 min 1 max 2",
            "option name X type",
            "option name X type slider default 1",
            "option name X type spin default one min 0 max 2",
            "option name X type spin default",
            "option name X type check default maybe",
            "id name X",
        ] {
            let refused =
                matches!(line.parse::<OptionSpec>(), Err(OptionError::BadDeclaration { .. }));
            assert!(refused, "{line}");
        }
    }

    #[test]
    fn values_are_fitted_to_the_option() {
        let spin = OptionSpec::spin("USI_Hash", 16, 1..=1024);
        for (value, fitted) in
            [("64", 64), ("0", 1), ("-5", 1), ("99999999", 1024), ("99999999999999999999", 1024)]
        {
            assert_eq!(spin.accept(Some(value)), Ok(OptionValue::Spin(fitted)), "{value}");
        }
        let check = OptionSpec::check("USI_Ponder", false);
        assert_eq!(check.accept(Some("TRUE")), Ok(OptionValue::Check(true)));
        let combo = OptionSpec::combo("Rule", "Csa", &["Csa", "Try"]);
        assert_eq!(combo.accept(Some("try")), Ok(OptionValue::Text("Try".into())));
        let file = OptionSpec::filename("BookFile", "no_book");
        assert_eq!(file.accept(Some("<empty>")), Ok(OptionValue::Text(String::new())));
        assert_eq!(file.accept(Some("")), Ok(OptionValue::Text(String::new())));
        assert_eq!(file.accept(Some(" my book.db ")), Ok(OptionValue::Text("my book.db".into())));
        assert_eq!(OptionSpec::button("Clear").accept(None), Ok(OptionValue::Pressed));
        assert!(spin.is_named("usi_hash"));
    }

    #[test]
    fn values_that_do_not_fit_are_refused_with_what_would() {
        let spin = OptionSpec::spin("USI_Hash", 16, 1..=1024);
        let error = spin.accept(Some("")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "option USI_Hash cannot be \"\", expected a number from 1 to 1024",
        );
        assert!(spin.accept(None).is_err());
        assert!(spin.accept(Some("1.5")).is_err());
        assert!(OptionSpec::check("USI_Ponder", false).accept(Some("yes")).is_err());
        let error = OptionSpec::combo("R", "a", &["a", "b"]).accept(Some("c")).unwrap_err();
        assert!(error.to_string().ends_with("expected one of a, b"));
    }

    #[test]
    fn a_range_upside_down_does_no_harm() {
        let spin = read("option name X type spin default 1 min 9 max 1");
        assert_eq!(spin.accept(Some("5")), Ok(OptionValue::Spin(9)));
    }
}
