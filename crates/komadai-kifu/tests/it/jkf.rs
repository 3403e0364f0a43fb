//! JKF: samples, round trips, minimal moves, forks and faults.

use std::fmt::Write as _;
use std::time::Duration;

use komadai_core::{Color, Handicap, Setup};
use komadai_kifu::{
    Comment, End, EndKind, HeaderKey, JkfFaultKind, KifuError, KifuFormat, Line, Outcome, Record,
    RecordMove, RecordTextError, Tolerance, parse_csa, parse_jkf,
};
use komadai_testdata::kifu::{jkf_samples, samples};
use proptest::prelude::*;

fn strict(text: impl AsRef<[u8]>) -> Record {
    parse_jkf(text, Tolerance::Strict).unwrap().records.remove(0)
}

/// Reads strictly, which must fail, and returns the text of the error.
fn refusal(text: impl AsRef<[u8]>) -> String {
    parse_jkf(text, Tolerance::Strict).unwrap_err().to_string()
}

/// The text of a record with these entries after the start.
fn with_moves(entries: &str) -> String {
    format!("{{\"header\":{{}},\"moves\":[{{}},{entries}]}}")
}

fn all_lines(record: &Record) -> impl Iterator<Item = Line> {
    std::iter::once(Line::Main).chain((0..record.variations.len()).map(Line::Variation))
}

fn moves(record: &Record, line: Line) -> String {
    record.path(line).iter().map(|m| m.m.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_sample_is_read_as_expected() {
    for sample in jkf_samples() {
        let (record, name, expected) = (strict(sample.bytes), sample.name, sample.expected);
        assert_eq!(record.setup.to_string(), expected.initial_sfen, "{name}");
        assert_eq!(moves(&record, Line::Main), sample.main_line, "{name}");
        assert_eq!(record.variations.len(), expected.variations, "{name}");
        let nodes: usize = all_lines(&record).map(|line| record.moves_of(line).len()).sum();
        assert_eq!(nodes, expected.move_nodes, "{name}");
        let player = |color| record.header.player(color).unwrap_or_default();
        assert_eq!(player(Color::Black), expected.black, "{name}");
        assert_eq!(player(Color::White), expected.white, "{name}");
        let end = record.end.as_ref().map(|end| &end.kind);
        let word = expected.end.csa().map(|word| match word {
            "TORYO" => EndKind::Resign,
            "CHUDAN" => EndKind::Interrupt,
            "TIME_UP" => EndKind::TimeUp,
            other => panic!("no sample ends with {other}"),
        });
        assert_eq!(end, word.as_ref(), "{name}");
        let last = record.replay(|_, _| std::ops::ControlFlow::Continue(())).unwrap();
        let last = Setup { ply: 1, ..last.to_setup() };
        assert_eq!(last.to_string(), expected.final_sfen, "{name}");
        let timed = record.moves.iter().map(|m| m.time).chain(record.end.iter().map(|e| e.time));
        let timed = timed.flatten().filter(|time| !time.is_zero()).count();
        assert_eq!(timed, expected.timed_nodes, "{name}");
    }
}

#[test]
fn every_record_is_read_back_as_it_was_written() {
    let of_jkf = jkf_samples().map(|sample| (sample.name, vec![strict(sample.bytes)]));
    let of_csa = samples()
        .map(|sample| (sample.name, parse_csa(sample.bytes, Tolerance::Strict).unwrap().records));
    let mut count = 0;
    for (name, records) in of_jkf.chain(of_csa) {
        for mut record in records {
            let text = record.to_jkf().unwrap();
            assert_eq!(KifuFormat::detect(text.as_bytes()), Some(KifuFormat::Jkf));
            // JKF has no remarks on the file and no parts of a second, and a header key once.
            let no_remark = |comment: &Comment| matches!(comment, Comment::Note(_));
            record.comments.retain(no_remark);
            record.moves.iter_mut().for_each(|played| {
                played.comments.retain(no_remark);
                played.time = played.time.map(|time| Duration::from_secs(time.as_secs()));
            });
            record.end.iter_mut().for_each(|end| end.comments.retain(no_remark));
            assert_eq!(strict(&text), record, "{name}: {text}");
            count += 1;
        }
    }
    assert!(count > 70, "{count}");
}

#[test]
fn every_handicap_and_set_up_position_is_read_back() {
    let setups = Handicap::ALL.map(|handicap| handicap.to_setup());
    let tsume = "7nl/5bk2/4s2p1/6p2/9/9/9/9/9 b RGrb3g3s3n3l16p 1".parse::<Setup>();
    for setup in setups.into_iter().chain(tsume) {
        let mut record = Record::new(setup);
        record.header.push(HeaderKey::Black, "A");
        let text = record.to_jkf().unwrap();
        assert_eq!(strict(&text), record, "{text}");
    }
    let lower = Record::new(Handicap::TwoPiece.to_setup()).to_jkf().unwrap();
    assert!(lower.contains(r#""preset":"2""#), "{lower}");
}

#[test]
fn minimal_moves_are_completed_on_the_board() {
    let record = strict(with_moves(
        r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},
           {"move":{"to":{"x":3,"y":4},"piece":"FU","promote":null}},
           {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"promote":true}},
           {"move":{"same":true,"piece":"GI"}},
           {"move":{"to":{"x":4,"y":5},"piece":"KA"}},
           {"move":{"to":{"x":5,"y":2},"piece":"KI","relative":"R"}},
           {"move":{"to":{"x":5,"y":8},"piece":"KI","relative":"L"}}"#,
    ));
    let expected = "7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 6i5h";
    assert_eq!(moves(&record, Line::Main), expected);
    // White's right is the left of the board as Black sees it.
    let error = refusal(with_moves(r#"{"move":{"to":{"x":5,"y":8},"piece":"KI"}}"#));
    assert_eq!(
        error,
        "moves[1].move: ply 1 has no origin, and pieces on several squares can make it: 4i 6i"
    );
}

#[test]
fn forks_become_variations_of_the_move_that_they_replace() {
    let m = |from: &str, to: &str, rest: &str| {
        let place = |at: &str| format!(r#"{{"x":{},"y":{}}}"#, &at[..1], &at[1..]);
        format!(r#"{{"move":{{"from":{},"to":{}}}{rest}}}"#, place(from), place(to))
    };
    let inner = format!(r#","forks":[[{}]]"#, m("39", "38", ""));
    let first = format!(r#","forks":[[{}],[{}]]"#, m("71", "72", ""), m("51", "52", ""));
    let fork = format!(
        r#","forks":[[{},{}],[{}]]"#,
        m("83", "84", &first),
        m("27", "26", &inner),
        m("93", "94", "")
    );
    let text = with_moves(
        &[
            m("77", "76", ""),
            m("33", "34", &fork),
            m("27", "26", ""),
            format!(r#"{{"special":"TORYO","forks":[[{}]]}}"#, m("43", "44", "")),
        ]
        .join(","),
    );
    let record = strict(&text);
    let paths: Vec<String> = all_lines(&record).map(|line| moves(&record, line)).collect();
    assert_eq!(
        paths,
        [
            "7g7f 3c3d 2g2f",
            // After the resignation, then at move 2 with a fork at its own second and first move.
            "7g7f 3c3d 2g2f 4c4d",
            "7g7f 8c8d 2g2f",
            "7g7f 8c8d 3i3h",
            "7g7f 7a7b",
            "7g7f 5a5b",
            "7g7f 9c9d",
        ]
    );
    assert_eq!(record.alternatives(Line::Main, 2).count(), 4);
    assert_eq!(strict(record.to_jkf().unwrap()), record);
}

#[test]
fn nesting_is_bounded_in_both_directions() {
    let nested = |depth: usize| {
        let mut record = Record::new(Setup::hirate());
        let round = ["5i5h", "5a5b", "5h5i", "5b5a"];
        let push = |record: &mut Record, line, ply: usize| {
            let m = round[(ply - 1) % 4].parse().unwrap();
            record.moves_of_mut(line).push(RecordMove::new(m));
        };
        push(&mut record, Line::Main, 1);
        let mut line = Line::Main;
        for depth in 1..=depth {
            // A variation after the last move of the one before it.
            line = record.add_variation(line, depth + 1).unwrap();
            push(&mut record, line, depth + 1);
        }
        record
    };
    let deepest = nested(40);
    assert_eq!(strict(deepest.to_jkf().unwrap()), deepest);
    assert_eq!(nested(41).to_jkf(), Err(RecordTextError::TooDeep { limit: 40 }));
    for depth in [50, 100_000] {
        let text = with_moves(&"{\"forks\":[[".repeat(depth));
        for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
            let Err(KifuError::Jkf(fault)) = parse_jkf(&text, tolerance) else {
                panic!("too deep");
            };
            assert!(matches!(fault.kind, JkfFaultKind::Json { .. }));
            assert!(fault.to_string().contains("recursion limit"), "{fault}");
        }
    }
}

#[test]
fn a_thousand_variations_are_read_in_order() {
    let mut record = strict(with_moves(r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}}"#));
    for index in 0..1_000 {
        let line = record.add_variation(Line::Main, 1 + index % 2).unwrap();
        let m = if index % 2 == 0 { "2g2f" } else { "8c8d" };
        record.moves_of_mut(line).push(RecordMove::new(m.parse().unwrap()));
        *record.end_of_mut(line) = Some(End::new(EndKind::Other(index.to_string())));
    }
    let again = strict(record.to_jkf().unwrap());
    for ply in [1, 2] {
        let ends = |record: &Record| -> Vec<End> {
            let lines = record.alternatives(Line::Main, ply);
            lines.map(|line| record.end_of(line).unwrap().clone()).collect()
        };
        assert_eq!(ends(&again), ends(&record));
    }
}

#[test]
fn header_times_comments_and_bookmarks_keep_their_places() {
    let text = r#"{"header":{"手合割":"平手　　","後手":"B","先手":"A","対局ID":7,"$MAX_MOVES":"320"},
        "moves":[{"comments":["start","&name"]},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}},
         "time":{"now":{"h":1,"m":2,"s":3.0},"total":{"h":1,"m":2,"s":3}},"comments":["*評価値=8",""]},
        {"special":"ILLEGAL_ACTION","time":{"now":{"m":0,"s":9}},"comments":["end"]}]}"#;
    let record = strict(text);
    let keys: Vec<String> = record.header.iter().map(|(key, _)| format!("{key:?}")).collect();
    let expected = ["Custom(\"手合割\")", "White", "Black", "Custom(\"対局ID\")", "MaxMoves"];
    assert_eq!(keys, expected);
    assert_eq!(record.header.custom("対局ID"), Some("7"));
    assert_eq!(record.bookmark.as_deref(), Some("name"));
    assert_eq!(record.comments, [Comment::Note("start".into())]);
    assert_eq!(record.moves[0].time, Some(Duration::from_secs(3723)));
    let notes = ["*評価値=8", ""].map(|text| Comment::Note(text.into()));
    assert_eq!(record.moves[0].comments, notes);
    assert_eq!(record.outcome(), Outcome::Win(Color::White), "Black fouled");
    let end = record.end.as_ref().unwrap();
    assert_eq!((end.time, end.comments.len()), (Some(Duration::from_secs(9)), 1));
    assert_eq!(strict(record.to_jkf().unwrap()), record);
}

#[test]
fn faults_are_named_with_their_path() {
    let m = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}}"#;
    for (text, message) in [
        ("{\"moves\":[\n}", "line 2, column 1: expected value"),
        ("[]", "found \"[]\", expected an object with `header` and `moves`"),
        ("{\"header\":{}}", "moves: found null, expected an array of moves"),
        (
            "{\"header\":3}",
            "line 1, column 11: invalid type: integer `3`, expected an object of header keys",
        ),
        (r#"{"header":{"先手":["A"]},"moves":[]}"#, "header.先手: found an array, expected a text"),
        (
            r#"{"initial":{"preset":"?"},"moves":[]}"#,
            "initial.preset: found \"?\", expected a preset such as `HIRATE`, or `OTHER` with `data`",
        ),
        (
            r#"{"initial":{"preset":"OTHER","data":{"board":[[]]}},"moves":[]}"#,
            "initial.data.board: found an array, expected nine files of nine squares",
        ),
        (
            r#"{"initial":{"data":{"board":[[],[],[],[],[],[],[],[],[]],"hands":[{"FU":99}]}},"moves":[]}"#,
            "initial.data.board[0]: found an array, expected nine squares",
        ),
        (
            &with_moves("7"),
            "moves[1]: found 7, expected an object with `move`, `special` or `comments`",
        ),
        (
            &with_moves(r#"{"move":{"to":{"x":7,"y":"六"}}}"#),
            "moves[1].move.to.y: found \"六\", expected a number from 1 to 9",
        ),
        (
            &with_moves(r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":1}}"#),
            "moves[1].move.color: ply 1 is a move of White, but Black is to move",
        ),
        (
            &with_moves(r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"KI"}}"#),
            "moves[1].move.piece: found \"Gold\", expected the piece that stands on the origin",
        ),
        (
            &with_moves(r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"capture":"KI"}}"#),
            "moves[1].move.capture: found \"Gold\", expected the piece that stands on the target",
        ),
        (
            &with_moves(&format!("{m},{}", r#"{"time":{"now":{"m":-1}}}"#)),
            "moves[2].time.now.m: found -1, expected a number of this unit",
        ),
        (
            &with_moves(r#"{"forks":[[{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":4}}}]]}"#),
            "moves[1].forks[0][0].move: ply 1 is illegal: a Pawn on 7g does not go to 7d",
        ),
        (
            &with_moves(r#"{"special":"TORYO"},{"special":"TORYO"}"#),
            "moves[2].special: found nothing, expected one end of a line only",
        ),
    ] {
        assert_eq!(refusal(text), message, "{text}");
    }
}

#[test]
fn lenient_reading_cuts_a_line_at_a_move_that_makes_no_sense() {
    let text = with_moves(
        r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},
           {"move":{"from":{"x":5,"y":5},"to":{"x":5,"y":4}},
            "forks":[[{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4}}}],
                     [{"move":{"from":{"x":5,"y":5},"to":{"x":5,"y":4}},
                       "forks":[[{"move":{"from":{"x":8,"y":3},"to":{"x":8,"y":4}}}]]}]]},
           {"special":"TORYO"}"#,
    );
    let loaded = parse_jkf(&text, Tolerance::Lenient).unwrap();
    let record = &loaded.records[0];
    // The move of White that cannot be made is left out, and Black resigned after it.
    assert_eq!(record.outcome(), Outcome::Win(Color::White));
    let paths: Vec<String> = all_lines(record).map(|line| moves(record, line)).collect();
    assert_eq!(paths, ["7g7f", "7g7f 3c3d", "7g7f 8c8d"]);
    assert_eq!((loaded.skipped.count(), loaded.skipped.lost_moves()), (2, 1));
    // An illegal move that can be carried out is kept, and forgotten where a fork replaces it.
    let foul =
        text.replace(r#""x":5,"y":5},"to":{"x":5,"y":4"#, r#""x":2,"y":2},"to":{"x":5,"y":4"#);
    let loaded = parse_jkf(&foul, Tolerance::Lenient).unwrap();
    assert_eq!(moves(&loaded.records[0], Line::Main), "7g7f 2b5d");
    assert_eq!(loaded.skipped.count(), 2);
    let written = loaded.records[0].to_jkf().unwrap();
    assert_eq!(parse_jkf(written, Tolerance::Lenient).unwrap().records, loaded.records);
}

#[test]
fn long_games_and_wide_trees_take_no_recursion() {
    let mut entries = String::new();
    for index in 0..20_000 {
        let (from, to) = if index % 4 < 2 { (9, 8) } else { (8, 9) };
        let (y0, y1) = if index % 2 == 0 { (from, to) } else { (10 - from, 10 - to) };
        let comma = if index == 0 { "" } else { "," };
        write!(
            entries,
            r#"{comma}{{"move":{{"from":{{"x":5,"y":{y0}}},"to":{{"x":5,"y":{y1}}}}}}}"#
        )
        .unwrap();
    }
    assert_eq!(strict(with_moves(&entries)).moves.len(), 20_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Samples with some bytes changed or cut: strict and lenient reading end.
    #[test]
    fn damaged_files_are_survived(
        which in 0usize..12,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = jkf_samples().nth(which).unwrap().bytes.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()) + 1);
        }
        let _ = parse_jkf(&bytes, Tolerance::Strict);
        if let Ok(loaded) = parse_jkf(&bytes, Tolerance::Lenient) {
            let record = &loaded.records[0];
            let written = record.to_jkf().expect("what was read can be written");
            let again = parse_jkf(written, Tolerance::Lenient).unwrap();
            prop_assert_eq!(&again.records[0].moves, &record.moves);
            prop_assert_eq!(again.records[0].variations.len(), record.variations.len());
        }
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse_jkf(&bytes, Tolerance::Lenient);
    }
}
