//! Tests of time limits and paths.

use std::time::Duration;

use komadai_usi::OptionValue;

use super::*;

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
    let mut paths_after = |name: &str, value: &str| {
        settings.set(name, &OptionValue::Text(value.to_owned())).expect("a text option");
        settings.book_paths()
    };
    assert!(paths_after("BookFile", "No_Book").is_empty());
    assert!(paths_after("BookFile", "").is_empty());
    assert_eq!(paths_after("BookFile", "my.db"), [PathBuf::from("./my.db")]);
    assert_eq!(paths_after("BookDir", "books"), [PathBuf::from("books/my.db")]);
    assert_eq!(paths_after("BookDir", ""), [PathBuf::from("my.db")]);
    let absolute = if cfg!(windows) { "C:\\b.db" } else { "/b.db" };
    assert_eq!(paths_after("BookFile", absolute), [PathBuf::from(absolute)]);
    let two = [PathBuf::from("a.db"), PathBuf::from("b.ybb")];
    assert_eq!(paths_after("BookFile", "a.db; b.ybb;"), two);
    let shown = settings.to_options().into_iter().find(|option| option.name == "BookFile");
    assert!(shown.expect("it exists").to_string().ends_with("default a.db;b.ybb"));
    settings.own_book = false;
    assert!(settings.book_paths().is_empty());
}
