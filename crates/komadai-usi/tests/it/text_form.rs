//! The property of protocol text: reading normalises it, and writing and reading keep it from then
//! on. The fuzz target `usi_text` includes this file.

use std::fmt::{Debug, Display};

use komadai_usi::{EngineMessage, GoLimits, GuiCommand, Info, OptionSpec};

/// Checks every type of the protocol that can read the text.
///
/// # Panics
///
/// If a value that was read is written in a form that is read as another one.
pub(crate) fn check(text: &str) {
    check_value(text.parse::<GuiCommand>().ok(), |line| line.parse().ok());
    check_value(text.parse::<EngineMessage>().ok(), |line| line.parse().ok());
    check_value(text.parse::<OptionSpec>().ok(), |line| line.parse().ok());
    check_value(Some(GoLimits::from_usi(text)), |line| Some(GoLimits::from_usi(line)));
    check_value(Some(Info::from_usi(text)), |line| Some(Info::from_usi(line)));
}

fn check_value<T: Debug + Display + PartialEq>(value: Option<T>, read: impl Fn(&str) -> Option<T>) {
    let Some(value) = value else { return };
    let written = value.to_string();
    assert!(!written.contains(['\n', '\r', '\0']), "{written:?} is not one line");
    assert_eq!(written.trim_ascii(), written, "blanks at the ends");
    let again = read(&written);
    assert_eq!(again.as_ref(), Some(&value), "{written:?} is read as another value");
    assert_eq!(again.map(|again| again.to_string()), Some(written), "written in another form");
}
