//! Records as JSON.

use std::time::Duration;

use komadai_core::{Color, Setup};
use komadai_kifu::{Comment, EndKind, Header, Outcome, Record, Tolerance, parse_csa};
use komadai_testdata::kifu;

#[test]
fn a_record_is_readable_and_reads_back() {
    let text = "V2.2\nN+BLACK\n$EVENT:a game\nPI\n+\n+7776FU\nT12\n'*a note\n-3334FU\n%TORYO\n";
    let game = parse_csa(text, Tolerance::Strict).unwrap().records.remove(0);
    let json = serde_json::to_value(&game).unwrap();
    assert_eq!(json["header"], serde_json::json!([["black", "BLACK"], ["event", "a game"]]));
    assert_eq!(json["setup"], game.setup.to_string());
    assert_eq!(json["moves"][0]["move"], "7g7f");
    assert_eq!(json["moves"][0]["time"]["secs"], 12);
    assert_eq!(json["moves"][0]["comments"], serde_json::json!([{ "note": "a note" }]));
    assert_eq!(json["end"]["kind"], "resign");
    assert_eq!(serde_json::from_value::<Record>(json).unwrap(), game);
}

#[test]
fn every_sample_reads_back() {
    let mut count = 0;
    for sample in kifu::samples() {
        for game in parse_csa(sample.bytes, Tolerance::Lenient).unwrap().records {
            let json = serde_json::to_string(&game).unwrap();
            assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), game);
            count += 1;
        }
    }
    assert!(count >= 59, "{count}");
}

#[test]
fn what_is_absent_is_empty() {
    let sfen = Setup::hirate().to_string();
    let json = format!(
        r#"{{"setup":"{sfen}","moves":[{{"move":"7g7f"}}],"end":{{"kind":{{"other":"x"}}}}}}"#
    );
    let read: Record = serde_json::from_str(&json).unwrap();
    assert_eq!((read.header, read.comments.len(), read.moves.len()), (Header::default(), 0, 1));
    assert_eq!(read.end.unwrap().kind, EndKind::Other("x".to_owned()));
    let unknown = serde_json::from_str::<Record>(r#"{"moves":[]}"#);
    assert!(unknown.is_err(), "a record has a start position");
}

#[test]
fn impossible_values_are_refused() {
    for bad in [
        r#"{"setup":"x"}"#,
        r#"{"setup":"9/9/9/9/9/9/9/9/9 b - 1","moves":[{"move":"7g7x"}]}"#,
        r#"{"setup":"9/9/9/9/9/9/9/9/9 b - 1","moves":[{"move":"7g7f","time":{"secs":-1,"nanos":0}}]}"#,
        r#"{"setup":"9/9/9/9/9/9/9/9/9 b - 1","end":{"kind":"bored"}}"#,
    ] {
        assert!(serde_json::from_str::<Record>(bad).is_err(), "{bad}");
    }
    // Illegal moves are part of records; a replay stops before them.
    let foul = r#"{"setup":"4k4/9/9/9/9/9/9/9/4K4 b - 1","moves":[{"move":"5i5a"}]}"#;
    let record: Record = serde_json::from_str(foul).unwrap();
    assert!(record.replay(|_, _| std::ops::ControlFlow::Continue(())).is_err());
}

#[test]
fn outcomes_and_comments_are_words() {
    let json = |outcome: Outcome| serde_json::to_string(&outcome).unwrap();
    assert_eq!(json(Outcome::Win(Color::White)), r#"{"win":"w"}"#);
    assert_eq!(json(Outcome::Draw), r#""draw""#);
    let remark = Comment::Remark("a file".to_owned());
    assert_eq!(serde_json::to_string(&remark).unwrap(), r#"{"remark":"a file"}"#);
    let time = Some(Duration::from_millis(1_500));
    assert_eq!(serde_json::to_string(&time).unwrap(), r#"{"secs":1,"nanos":500000000}"#);
}
