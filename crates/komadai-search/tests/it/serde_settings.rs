//! Settings of a search as JSON.

use std::sync::Arc;

use komadai_movegen::{DeclarationRule, MaxMoves};
use komadai_search::{
    Parameters, Quiescence, QuiescenceClasses, SearchOptions, SelectedQuiescence, Statistics,
    Techniques,
};

#[test]
fn options_are_readable_and_read_back() {
    let mut parameters = Parameters::default();
    assert!(parameters.set("null_base", 5_000));
    let options = SearchOptions {
        hash_mib: 3,
        max_moves: MaxMoves::new(320),
        declaration: DeclarationRule::Csa24,
        techniques: Techniques::TABLE | Techniques::HISTORY,
        quiescence: "SKEP".parse::<Quiescence>().unwrap(),
        parameters,
        ..SearchOptions::default()
    };
    let json = serde_json::to_value(&options).unwrap();
    assert_eq!(json["techniques"], serde_json::json!(["TABLE", "HISTORY"]));
    assert_eq!(json["quiescence"], "SKEP");
    assert_eq!(json["max_moves"], 320);
    assert_eq!(json["declaration"], "CSARule24");
    assert_eq!(json["parameters"], serde_json::json!({ "null_base": 5_000 }));
    assert_eq!(serde_json::from_value::<SearchOptions>(json).unwrap(), options);
}

#[test]
fn absent_options_are_the_defaults() {
    let read: SearchOptions = serde_json::from_str(r#"{"threads":2}"#).unwrap();
    assert_eq!(read, SearchOptions { threads: 2, ..SearchOptions::default() });
    let all = serde_json::to_string(&Techniques::all()).unwrap();
    assert_eq!(serde_json::from_str::<Techniques>(&all).unwrap(), Techniques::all());
    // Settings that were saved before the technique was renamed.
    let former: Techniques = serde_json::from_str(r#"["PROBCUT","NULL_MOVE"]"#).unwrap();
    assert_eq!(former, Techniques::CAPTURE_PROBCUT | Techniques::NULL_MOVE);
    for name in Quiescence::NAMES {
        let method: Quiescence = name.parse().unwrap();
        let json = serde_json::to_string(&method).unwrap();
        assert_eq!(json, format!("{name:?}"));
        assert_eq!(serde_json::from_str::<Quiescence>(&json).unwrap(), method);
    }
    let statistics = Statistics { cuts: 200, first_move_cuts: 180, quiescence_nodes: 9_000 };
    let json = serde_json::to_string(&statistics).unwrap();
    assert_eq!(json, r#"{"cuts":200,"first_move_cuts":180,"quiescence_nodes":9000}"#);
    assert_eq!(serde_json::from_str::<Statistics>(&json).unwrap(), statistics);
}

#[test]
fn impossible_options_are_refused() {
    for (bad, reason) in [
        (r#"{"hash":3}"#, "unknown field"),
        (r#"{"hash_mib":-1}"#, "invalid value"),
        (r#"{"techniques":["NULL_MOVE","GUESSING"]}"#, "found \"GUESSING\", expected the name"),
        (r#"{"techniques":7}"#, "expected a sequence"),
        (r#"{"quiescence":"Nothing"}"#, "Nothing"),
        (r#"{"parameters":{"no_such_name":1}}"#, "expected the name of a parameter"),
        (r#"{"parameters":{"null_base":1000000}}"#, "expected a number of its range"),
        (r#"{"max_moves":0}"#, "expected a number from 1"),
        (r#"{"declaration":"NoSuchRule"}"#, "expected NoEnteringKing"),
    ] {
        let error = serde_json::from_str::<SearchOptions>(bad).unwrap_err().to_string();
        assert!(error.contains(reason), "{bad}: {error}");
    }
}

#[test]
fn a_quiescence_search_without_a_name_is_not_written() {
    let shallow = SelectedQuiescence::new(Arc::new(QuiescenceClasses::SEE), 1);
    let result = serde_json::to_string(&Quiescence::Selected(shallow));
    assert!(result.unwrap_err().to_string().contains("without a name"));
}
