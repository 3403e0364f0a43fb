//! Tests of the options: each does something, and all are documented.

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

#[test]
fn the_readme_has_them_all() {
    let readme = include_str!("../../README.md");
    for option in Settings::default().plain_options() {
        assert!(readme.contains(&format!("`{}`", option.name)), "{}", option.name);
    }
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
fn an_only_move_is_made_soon_and_pondering_saves_time() {
    let main = [Duration::from_secs(600); 2];
    let clock = ClockTimes::main(main);
    let mut settings = Settings::default();
    let start = Position::hirate();
    let usual = settings.limits(&start, &clock, None);
    let only = Position::from_sfen("k8/9/9/9/9/9/9/7r1/8K b - 1").expect("a position");
    assert!(settings.limits(&only, &clock, None).maximum <= Duration::from_millis(500));
    assert!(settings.limits(&start, &clock, Some(1)).optimum > 10 * usual.optimum);
    settings.ponders = true;
    assert!(settings.limits(&start, &clock, None).optimum > usual.optimum);
}

#[test]
fn an_evaluation_is_a_file_a_folder_or_a_file_in_a_folder() {
    let mut settings = Settings::default();
    let mut path_after = |name: &str, value: &str| {
        settings.set(name, &OptionValue::Text(value.to_owned())).expect("a text option");
        settings.evaluation_path()
    };
    assert_eq!(path_after("EvalFile", "<Internal>"), None);
    assert_eq!(path_after("EvalFile", "my.bin"), Some(PathBuf::from("my.bin")));
    assert_eq!(path_after("EvalDir", "eval"), Some(PathBuf::from("eval/my.bin")));
    assert_eq!(path_after("EvalFile", ""), Some(PathBuf::from("eval/nn.bin")));
    let absolute = if cfg!(windows) { "C:\\b.bin" } else { "/b.bin" };
    assert_eq!(path_after("EvalFile", absolute), Some(PathBuf::from(absolute)));
    assert_eq!(path_after("EvalDir", "<internal>"), Some(PathBuf::from(absolute)));
    assert_eq!(path_after("EvalFile", "<internal>"), None);
    assert_eq!(path_after("EvalDir", "eval"), Some(PathBuf::from("eval/nn.bin")));
    assert_eq!(path_after("EvalFile", "<Material>"), None);
    assert_eq!(path_after("EvalFile", "<Classical>"), None);
    assert_eq!(path_after("EvalDir", "<internal>"), None);
    let program = env::current_exe().expect("the path of this test");
    let name = program.file_name().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(path_after("EvalFile", name), Some(program.clone()));
}

#[test]
fn a_book_is_used_if_it_is_named_and_wanted() {
    let mut settings = Settings::default();
    let mut path_after = |name: &str, value: &str| {
        settings.set(name, &OptionValue::Text(value.to_owned())).expect("a text option");
        settings.book_path()
    };
    assert_eq!(path_after("BookFile", "No_Book"), None);
    assert_eq!(path_after("BookFile", ""), None);
    assert_eq!(path_after("BookFile", "my.db"), Some(PathBuf::from("./my.db")));
    assert_eq!(path_after("BookDir", "books"), Some(PathBuf::from("books/my.db")));
    assert_eq!(path_after("BookDir", ""), Some(PathBuf::from("my.db")));
    let absolute = if cfg!(windows) { "C:\\b.db" } else { "/b.db" };
    assert_eq!(path_after("BookFile", absolute), Some(PathBuf::from(absolute)));
    settings.own_book = false;
    assert_eq!(settings.book_path(), None);
}
