//! Records, options and reports of book files as JSON.

use std::path::PathBuf;

use komadai_bookfile::Tolerance;
use komadai_bookfile::db::DbReader;
use komadai_bookfile::sorting::{Conflict, MergeCounts, MergeRule, SortOptions};
use komadai_bookfile::validation::validate_db;
use komadai_bookfile::ybb::{UnknownValues, YbbDepths};
use komadai_bookfile::{
    BookFormat, BookRecord, ConversionLoss, FaultPlace, LineNumbers, MoveMark, WriteOptions,
};
use komadai_testdata::books::synthetic;
use serde_json::{from_str, from_value, json, to_value};

#[test]
fn records_are_readable_and_read_back() {
    for fixture in synthetic::books() {
        for record in DbReader::new(fixture.yaneuraou.as_bytes(), Tolerance::Strict) {
            let record = record.unwrap();
            let json = to_value(&record).unwrap();
            assert_eq!(json["position"], record.position.to_string());
            assert_eq!(json["moves"][0]["move"], record.moves[0].m.to_string());
            assert_eq!(from_value::<BookRecord>(json).unwrap(), record);
        }
    }
}

#[test]
fn absent_parts_are_empty() {
    let read: BookRecord = from_value(json!({
        "position": "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "moves": [{ "move": "5i5h", "mark": "good" }],
    }))
    .unwrap();
    assert_eq!((read.ply, read.evals.len(), read.results), (None, 0, None));
    assert_eq!((read.moves[0].mark, read.moves[0].score), (Some(MoveMark::Good), None));
    let options: WriteOptions = from_value(json!({ "unknown": "marked" })).unwrap();
    assert_eq!(options, WriteOptions { unknown: UnknownValues::Marked, ..WriteOptions::default() });
    let counts: MergeCounts = from_value(json!({ "read": 3 })).unwrap();
    assert_eq!((counts.read, counts.positions), (3, 0));
}

#[test]
fn options_read_back() {
    let sort = SortOptions { memory_bytes: 1 << 20, temp_dir: Some(PathBuf::from("/tmp")) };
    let options = WriteOptions { depths: YbbDepths::Omit, sort, ..WriteOptions::default() };
    let json = to_value(&options).unwrap();
    assert_eq!(json["depths"], "omit");
    assert_eq!(json["sort"], json!({ "memory_bytes": 1 << 20, "temp_dir": "/tmp" }));
    assert_eq!(from_value::<WriteOptions>(json).unwrap(), options);
    let rule = MergeRule::Union(Conflict::Deeper);
    assert_eq!(to_value(rule).unwrap(), json!({ "union": "deeper" }));
    assert_eq!(from_value::<MergeRule>(json!("first")).unwrap(), MergeRule::First);
    for format in BookFormat::ALL {
        assert_eq!(to_value(format).unwrap(), format.to_string());
        assert_eq!(from_value::<BookFormat>(json!(format.to_string())).unwrap(), format);
    }
    let lost: ConversionLoss = from_str(r#"{"depths":2}"#).unwrap();
    assert_eq!(from_value::<ConversionLoss>(to_value(&lost).unwrap()).unwrap(), lost);
}

#[test]
fn reports_list_their_faults_as_texts() {
    let text = "#YANEURAOU-DB2016 1.00\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5a none 0 0\n?\n";
    let found = validate_db(|| Ok(text.as_bytes())).unwrap();
    let json = to_value(&found).unwrap();
    assert_eq!((&json["positions"], &json["has_start"]), (&json!(1), &json!(false)));
    assert_eq!(json["illegal_moves"], json!({ "count": 1, "first": [3] }));
    assert_eq!(json["faults"]["count"], found.faults.count());
    assert_eq!(json["faults"]["first"][0], found.faults.first()[0].to_string());
    assert_eq!(to_value(LineNumbers::default()).unwrap(), json!({ "count": 0, "first": [] }));
    let place = FaultPlace::Column { line: 3, column: 5 };
    assert_eq!(to_value(place).unwrap(), json!({ "column": { "line": 3, "column": 5 } }));
}

#[test]
fn impossible_values_are_refused() {
    for bad in [
        r#"{"position":"9/9 b - 1"}"#,
        r#"{"position":"4k4/9/9/9/9/9/9/9/4K4 b - 1","moves":[{"move":"5i5x"}]}"#,
        r#"{"position":"4k4/9/9/9/9/9/9/9/4K4 b - 1","moves":[{"move":"5i5h","depth":70000}]}"#,
        r#"{"position":"4k4/9/9/9/9/9/9/9/4K4 b - 1","results":{"games":-1}}"#,
    ] {
        assert!(from_str::<BookRecord>(bad).is_err(), "{bad}");
    }
    assert!(from_str::<WriteOptions>(r#"{"depth":"omit"}"#).is_err(), "an unknown option");
    assert!(from_str::<WriteOptions>(r#"{"depths":"maybe"}"#).is_err());
    assert!(from_str::<SortOptions>(r#"{"memory_bytes":-1}"#).is_err());
    assert!(from_str::<BookFormat>(r#""pdf""#).is_err());
}
