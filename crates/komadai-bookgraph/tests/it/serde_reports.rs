//! Values, options and reports as JSON.

use komadai_bookfile::Tolerance;
use komadai_bookgraph::frontier::{
    Alpha, BookSides, DepartureOptions, FrontierOptions, OwnMoves, Reason, Window,
};
use komadai_bookgraph::{
    Basis, BookGame, BookGraph, DbOptions, DrawValue, UnknownMoves, Updated, Value, WrittenMoves,
};
use komadai_core::{Color, Position, Score, Setup};
use komadai_testdata::books::synthetic;
use serde_json::{from_str, from_value, json, to_value};

fn small_book() -> BookGraph {
    let fixture = synthetic::books().find(|book| book.name == "small50").unwrap();
    BookGraph::from_db(fixture.input.as_bytes(), Tolerance::Strict).unwrap()
}

#[test]
fn options_read_back() {
    let options = DbOptions { unknown: UnknownMoves::Omit, moves: WrittenMoves::Best };
    let json = to_value(options).unwrap();
    assert_eq!(json, json!({ "unknown": "omit", "moves": "best" }));
    assert_eq!(from_value::<DbOptions>(json).unwrap(), options);
    assert_eq!(from_str::<DbOptions>("{}").unwrap(), DbOptions::default());

    let options = FrontierOptions {
        own_moves: OwnMoves::AllBest,
        budget: Some(10),
        ..FrontierOptions::new(Position::hirate(), BookSides::Both, Window::Root)
    };
    let json = to_value(&options).unwrap();
    assert_eq!(json["roots"], json!([Position::hirate().to_string()]));
    assert_eq!((&json["own_moves"], &json["sides"]), (&json!("all_best"), &json!("both")));
    let read: FrontierOptions = from_value(json.clone()).unwrap();
    assert_eq!(to_value(&read).unwrap(), json);
    let graph = small_book();
    assert_eq!(graph.frontier(&read).len(), graph.frontier(&options).len());

    let options = DepartureOptions {
        rival_diff: 20,
        ..DepartureOptions::new(Position::hirate(), Color::White)
    };
    let json = to_value(&options).unwrap();
    let read: DepartureOptions = from_value(json.clone()).unwrap();
    assert_eq!(to_value(&read).unwrap(), json);
    let alpha = Alpha::per_mille(30);
    assert_eq!(from_value::<Alpha>(to_value(alpha).unwrap()).unwrap(), alpha);
}

#[test]
fn values_and_draws_are_plain() {
    let value = Value { score: Score::cp(35), plies: 7, basis: Basis::PerpetualCheck };
    let json = to_value(value).unwrap();
    assert_eq!((&json["plies"], &json["basis"]), (&json!(7), &json!("perpetual_check")));
    assert_eq!(from_value::<Value>(json).unwrap(), value);
    for cp in [-DrawValue::MAX_CP, -1, 0, DrawValue::MAX_CP] {
        let draw = DrawValue::for_black(cp);
        assert_eq!(to_value(draw).unwrap(), cp);
        assert_eq!(from_value::<DrawValue>(json!(cp)).unwrap(), draw);
    }
    let updated: Updated = from_str(r#"{"changed":2}"#).unwrap();
    assert_eq!((updated.changed, updated.visited), (2, 0));
}

#[test]
fn reports_name_moves_and_reasons() {
    let graph = small_book();
    let options = FrontierOptions::new(Position::hirate(), Color::Black, Window::Best);
    let frontier = graph.frontier(&options);
    for found in frontier.iter() {
        let json = to_value(&found).unwrap();
        assert_eq!(json["position"], found.position.to_string());
        assert_eq!(json["line"].as_array().unwrap().len(), found.line.len());
        assert_eq!(json["sides"], "black");
        assert_eq!(from_value::<Reason>(json["reason"].clone()).unwrap(), found.reason);
    }
    assert_eq!(
        to_value(Reason::WindowMove { drop_cp: 12 }).unwrap(),
        json!({ "window_move": { "drop_cp": 12 } })
    );
    let ranked = &graph.moves(&Position::hirate())[0];
    let json = to_value(ranked).unwrap();
    assert_eq!(json["move"], ranked.m.to_string());
    assert_eq!(json.as_object().unwrap().len(), 3, "{json}");
}

#[test]
fn games_read_back() {
    let game = BookGame {
        start: Setup::hirate(),
        moves: ["7g7f", "3c3d"].map(|m| m.parse().unwrap()).to_vec(),
        book_side: Color::White,
        winner: None,
        opponent: "one".to_owned(),
        generation: 3,
        left_at: Some(1),
        times_ms: vec![5, 6],
        scores: vec![None, Some(-20)],
        ending: "repetition".to_owned(),
        when: 1,
    };
    let json = to_value(&game).unwrap();
    assert_eq!((&json["moves"], &json["book_side"]), (&json!(["7g7f", "3c3d"]), &json!("w")));
    assert_eq!(from_value::<BookGame>(json).unwrap(), game);
}

#[test]
fn impossible_values_are_refused() {
    for bad in ["701", "-701", "2147483647", "-2147483648", "\"0\""] {
        assert!(from_str::<DrawValue>(bad).is_err(), "{bad}");
    }
    for bad in [r#"{"unknown":"perhaps"}"#, r#"{"move":"all"}"#] {
        assert!(from_str::<DbOptions>(bad).is_err(), "{bad}");
    }
    let no_window = r#"{"roots":[],"sides":"both","eval_diff":30}"#;
    assert!(from_str::<FrontierOptions>(no_window).unwrap_err().to_string().contains("window"));
}
