//! Tests of the options: each does something, and all are documented.

use std::collections::BTreeSet;

use komadai_usi::OptionKind;

use super::*;

/// Returns a value of the option that is not its default.
fn another_value(option: &OptionSpec) -> OptionValue {
    match &option.kind {
        OptionKind::Check { default } => OptionValue::Check(!default),
        OptionKind::Spin { default, max, .. } if default < max => OptionValue::Spin(default + 1),
        OptionKind::Spin { default, .. } => OptionValue::Spin(default - 1),
        OptionKind::Combo { default, choices } => {
            let other = choices.iter().find(|choice| *choice != default);
            OptionValue::Text(other.expect("a combo has choices").clone())
        }
        OptionKind::String { .. } | OptionKind::Filename { .. } => {
            OptionValue::Text("elsewhere".to_owned())
        }
        _ => OptionValue::Pressed,
    }
}

#[test]
fn no_option_does_nothing() {
    for option in Settings::options() {
        let mut settings = Settings::default();
        let result = settings.set(&option.name, &another_value(&option));
        assert!(result.is_ok() && settings != Settings::default(), "{}", option.name);
    }
}

#[test]
fn the_declared_defaults_are_the_defaults() {
    let mut settings = Settings::default();
    for option in Settings::options() {
        let default = option.default_value().expect("no option is a button");
        settings.set(&option.name, &default).expect("a default fits");
    }
    assert_eq!(settings, Settings::default());
}

#[test]
fn settings_of_a_program_are_the_declared_defaults() {
    let mut settings = Settings::default();
    for option in Settings::options() {
        settings.set(&option.name, &another_value(&option)).expect("a value of the range");
    }
    let mut read = Settings::default();
    for option in settings.to_options() {
        let default = option.default_value().expect("no option is a button");
        read.set(&option.name, &default).expect("a default fits");
    }
    assert_eq!(read, settings);

    settings.hash_mib = usize::MAX;
    let hash = settings.to_options().swap_remove(0);
    assert_eq!(hash.default_value(), Some(OptionValue::Spin(MAX_HASH_MIB)));
}

#[test]
fn options_are_fit_for_every_gui() {
    for option in Settings::options() {
        let line = option.to_string();
        assert_eq!(line.parse(), Ok(option.clone()));
        assert!(!option.name.contains(' '), "{line}");
        if let OptionKind::Spin { default, min, max } = option.kind {
            assert!(min <= default && default <= max, "{line}");
        }
    }
}

/// The table of the README.
fn table() -> String {
    let mut table = "| option | values | default | |\n|---|---|---|---|\n".to_owned();
    for option in OPTIONS {
        let spec = option.spec(&Settings::default());
        let (values, default) = match spec.kind {
            OptionKind::Check { default } => ("true, false".to_owned(), default.to_string()),
            OptionKind::Spin { default, min, max: FOREVER } => {
                (format!("{min} or more"), default.to_string())
            }
            OptionKind::Spin { default, min, max } => {
                (format!("{min} to {max}"), default.to_string())
            }
            OptionKind::Combo { default, choices } => {
                let choices: Vec<String> =
                    choices.iter().map(|choice| format!("`{choice}`")).collect();
                (choices.join(", "), format!("`{default}`"))
            }
            OptionKind::String { default } => ("a path".to_owned(), format!("`{default}`")),
            OptionKind::Filename { default } => ("a file".to_owned(), format!("`{default}`")),
            other => panic!("no option is of this kind: {other:?}"),
        };
        let UsiOption { name, doc, .. } = option;
        table += &format!("| `{name}` | {values} | {default} | {doc} |\n");
    }
    table
}

#[test]
fn the_readme_has_the_table() {
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&table()), "replace the table of the README by this one:\n{}", table());
}

#[test]
fn values_of_another_kind_are_refused() {
    let mut settings = Settings::default();
    for (name, value) in [
        ("USI_Hash", OptionValue::Check(true)),
        ("USI_Ponder", OptionValue::Spin(1)),
        ("EnteringKingRule", OptionValue::Text("NoSuchRule".to_owned())),
        ("Quiescence", OptionValue::Text("NoSuchWay".to_owned())),
        ("BookFile", OptionValue::Pressed),
        ("UseNullMove", OptionValue::Spin(1)),
        ("UseNothing", OptionValue::Check(false)),
        ("NoSuchOption", OptionValue::Spin(1)),
    ] {
        let error = SettingError::Unknown { name: name.to_owned() };
        assert_eq!(settings.set(name, &value), Err(error));
    }
    assert_eq!(settings, Settings::default());
}

#[test]
fn each_technique_can_be_turned_off_alone() {
    let mut settings = Settings::default();
    settings.set("UseNullMove", &OptionValue::Check(false)).expect("a switch");
    assert_eq!(settings.techniques, Techniques::default() - Techniques::NULL_MOVE);
    assert_eq!(settings.search_options(1, 1).techniques, settings.techniques);
    settings.set("UseNullMove", &OptionValue::Check(true)).expect("a switch");
    assert_eq!(settings.techniques, Techniques::default() | Techniques::NULL_MOVE);
}

#[test]
fn names_are_those_of_the_flags() {
    assert_eq!(switch_name("NULL_MOVE"), "UseNullMove");
    assert_eq!(switch_name("TABLE"), "UseTable");
    assert_eq!(switch_name("MATE_IN_ONE"), "UseMateInOne");
    assert_eq!(switch_name("A__B_2"), "UseAB2");
}

#[test]
fn former_names_lead_to_switches_and_are_names_of_none() {
    for (name, technique) in Techniques::FORMER_NAMES {
        let former = switch_name(name);
        assert!(switches().all(|(now, _)| !now.eq_ignore_ascii_case(&former)), "{former}");
        let now = Settings::renamed_option(&former).expect("a former name");
        let mut settings = Settings::default();
        let value = !settings.techniques.contains(*technique);
        settings.set(&now, &OptionValue::Check(value)).expect("a switch");
        assert_eq!(settings.techniques, Techniques::default() ^ *technique);
    }
    assert_eq!(Settings::renamed_option("UseNothing"), None);
}

#[test]
fn every_technique_has_one_switch() {
    let all = switches().fold(Techniques::empty(), |all, (_, technique)| all | technique);
    assert_eq!(all, Techniques::all());
    let names: BTreeSet<String> = switches().map(|(name, _)| name.to_lowercase()).collect();
    assert_eq!(names.len(), switches().count());
    assert_eq!(names.len(), Techniques::all().bits().count_ones() as usize);
}
