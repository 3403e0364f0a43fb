//! Settings of a player as JSON.

use std::path::PathBuf;
use std::time::Duration;

use komadai_bookfile::BookReading;
use komadai_engine::Settings;

#[test]
fn settings_read_back() {
    let mut settings = Settings {
        hash_mib: 64,
        book_files: vec![PathBuf::from("my.db")],
        book_reading: BookReading::OnTheFly,
        ..Settings::default()
    };
    settings.book_policy.eval_diff = 5;
    settings.clock.minimum = Duration::from_millis(1_500);
    settings.draw.black = 7;
    let json = serde_json::to_value(&settings).unwrap();
    assert_eq!(json["book_reading"], "on_the_fly");
    assert_eq!(json["book_policy"]["eval_diff"], 5);
    assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), settings);
}

#[test]
fn absent_settings_are_the_defaults_and_unknown_ones_errors() {
    let read: Settings =
        serde_json::from_str(r#"{"multi_pv":3,"clock":{"slow_mover":50}}"#).unwrap();
    let mut expected = Settings { multi_pv: 3, ..Settings::default() };
    expected.clock.slow_mover = 50;
    assert_eq!(read, expected);
    for bad in [r#"{"MultiPV":3}"#, r#"{"clock":{"slow":1}}"#, r#"{"book_reading":"twice"}"#] {
        assert!(serde_json::from_str::<Settings>(bad).is_err(), "{bad}");
    }
}
