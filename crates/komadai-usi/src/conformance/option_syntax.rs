//! The declarations of options, read strictly.

use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::option::{OptionKind, OptionSpec};
use crate::words::Words;

/// Reads a declaration. The option is `None` if no client could use it.
pub(super) fn read(line: &str) -> (Option<OptionSpec>, Vec<(Check, Evidence)>) {
    let option = match line.parse::<OptionSpec>() {
        Ok(option) => option,
        Err(error) => {
            let fault = Evidence::fault(line, &error.to_string(), "読めない");
            return (None, vec![(Check::OptionSyntax, fault)]);
        }
    };
    let mut faults = Vec::new();
    let mut add = |check, english: &str, japanese: &str| {
        faults.push((check, Evidence::fault(line, english, japanese)));
    };
    for key in missing(line, &option.kind) {
        add(Check::OptionSyntax, &format!("no {key}"), &format!("{key} がない"));
    }
    match &option.kind {
        OptionKind::Spin { default, min, max } if !(min <= default && default <= max) => {
            add(Check::OptionRanges, "the default is out of range", "既定値が範囲外");
        }
        OptionKind::Combo { default, choices } if !choices.contains(default) => {
            add(Check::OptionChoices, "the default is no choice", "既定値が選択肢にない");
        }
        _ => {}
    }
    let default = match &option.kind {
        OptionKind::Combo { default, .. }
        | OptionKind::String { default }
        | OptionKind::Filename { default } => default,
        _ => "",
    };
    if option.name.contains(' ') || default.contains(' ') {
        add(Check::OptionBlanks, "a blank", "空白がある");
    }
    (Some(option), faults)
}

/// Returns the fields that the type of an option needs and the line lacks.
fn missing(line: &str, kind: &OptionKind) -> Vec<&'static str> {
    let (keys, is_number): (&[&str], bool) = match kind {
        OptionKind::Spin { .. } => (&["default", "min", "max"], true),
        OptionKind::Check { .. } => (&["default"], false),
        OptionKind::Combo { .. } => (&["default", "var"], false),
        _ => (&[], false),
    };
    let has = |key: &&&str| {
        let mut words = Words::new(line);
        words.until(|word| word == "type");
        words.until(|word| word == **key);
        words.eat(key);
        let value = words.next().unwrap_or_default();
        if is_number { value.parse::<i64>().is_ok() } else { !value.is_empty() }
    };
    keys.iter().filter(|key| !has(key)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(line: &str) -> Vec<Check> {
        read(line).1.into_iter().map(|(check, _)| check).collect()
    }

    #[test]
    fn good_declarations_have_no_faults() {
        for line in [
            "option name USI_Hash type spin default 16 min 1 max 1024",
            "option name USI_Ponder type check default false",
            "option name Style type combo default Normal var Solid var Normal",
            "option name Book type string default <empty>",
            "option name Book type filename default book.db",
            "option name Clear type button",
        ] {
            assert_eq!(checks(line), [], "{line}");
        }
    }

    #[test]
    fn each_fault_has_its_check() {
        for (line, check) in [
            ("option USI_Hash", Check::OptionSyntax),
            ("option name X type slider default 3", Check::OptionSyntax),
            ("option name X type spin default 3 min 1", Check::OptionSyntax),
            ("option name X type spin default x min 1 max 3", Check::OptionSyntax),
            ("option name X type check", Check::OptionSyntax),
            ("option name X type combo default a", Check::OptionSyntax),
            ("option name X type spin default 5 min 1 max 3", Check::OptionRanges),
            ("option name X type combo default c var a var b", Check::OptionChoices),
            ("option name Clear Hash type button", Check::OptionBlanks),
        ] {
            assert!(checks(line).contains(&check), "{line}: {:?}", checks(line));
        }
    }
}
