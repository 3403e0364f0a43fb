//! Moves and ends of KIF, KI2 and JKF.

use komadai_core::{Move, Position};
use komadai_kifu::{
    EndKind, KifuError, Line, Notation, Outcome, Record, RecordMove, Tolerance, parse_ki2,
    parse_kif,
};
use komadai_movegen::MoveGen as _;

use super::{ki2, kif, paths, usi, with_end, with_times};

// Case 16.
#[test]
fn a_sealed_move_ends_a_game_without_result() {
    let sealed = || EndKind::Other("封じ手".to_owned());
    let record = kif("1 ７六歩(77) (0:05/)\n2 封じ手 ( 1:00/00:01:00)\n");
    let mut expected = with_end(with_times(usi("startpos moves 7g7f"), &[5]), sealed());
    expected.end.as_mut().unwrap().time = Some(std::time::Duration::from_secs(60));
    assert_eq!((record.outcome(), record), (Outcome::Unknown, expected));
    assert_eq!(ki2("▲７六歩\nまで1手で封じ手\n"), with_end(usi("startpos moves 7g7f"), sealed()));
    // Words that are not known are kept, and written back.
    let unknown = kif("1 ７六歩(77)\n2 指し掛け\n");
    assert_eq!(
        unknown,
        with_end(usi("startpos moves 7g7f"), EndKind::Other("指し掛け".to_owned()))
    );
    assert_eq!(kif(unknown.to_kif().unwrap()), unknown);
    assert_eq!(ki2(unknown.to_ki2().unwrap()), unknown);
    // The sign of variations is no part of the word.
    assert_eq!(kif("1 ７六歩(77)\n2 指し掛け+\n"), unknown);
    assert_eq!(
        kif("1 ７六歩(77)\n2 投了+\n"),
        with_end(usi("startpos moves 7g7f"), EndKind::Resign)
    );
}

// Case 17.
#[test]
fn a_move_without_promotion_may_say_so() {
    let moves = "startpos moves 7g7f 3c3d 8h2b 3a2b";
    for word in ["不成", "不", "成らず", "成ら", "成ず", ""] {
        let text = format!("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角{word}(88)\n4 同　銀(31)\n");
        assert_eq!(kif(text), usi(moves), "{word}");
    }
    for word in ["不成", "不", "成らず", "成ら"] {
        assert_eq!(ki2(format!("▲７六歩△３四歩▲２二角{word}△同　銀")), usi(moves), "{word}");
    }
    assert_eq!(kif("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n").moves[2].m.to_string(), "8h2b+");
}

// Case 18.
#[test]
fn a_promoted_piece_does_not_promote_again() {
    let board = "sfen 4k4/9/9/9/4+S4/9/9/9/4K4 b - 1";
    let record = usi(&format!("{board} moves 5e5d"));
    let text = record.to_kif().unwrap();
    assert!(text.contains("1 ５四成銀(55)"), "{text}");
    assert_eq!(kif(&text), record);
    let error = parse_kif(text.replace("成銀", "成銀成"), Tolerance::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 16, column 6: found \"５四成銀成(55)\", expected a piece that can promote before 成"
    );
    let loaded = parse_kif(text.replace("成銀", "成銀成"), Tolerance::Lenient).unwrap();
    assert_eq!((loaded.records[0].moves.len(), loaded.skipped.count()), (0, 1));
}

// Case 32.
#[test]
fn squares_of_ki2_have_digits_of_any_kind_and_signs_of_any_form() {
    let expected = usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e");
    for text in [
        "▲７六歩　△３四歩　▲２二角成　△同　銀　▲５五角打",
        "▲76歩△34歩▲22角成△同銀▲55角",
        "☗７６歩 ☖３４歩 ☗２２角成 ☖同銀 ☗５５角",
        "▼7六歩\n▽3四歩\n▼2二角成\n▽同 銀\n▼5五角打\n",
        "７六歩 ３四歩 ２二角成 同銀 ５五角打",
        "▲７六歩(77)△３四歩（３３）▲２二角成(88)△同銀(31)▲５五角打(00)",
    ] {
        assert_eq!(ki2(text), expected, "{text}");
    }
}

/// The moves to a square from all around it, and their names.
fn names_around(sfen: &str, to: &str) -> (Record, Vec<String>) {
    let mut record = usi(&format!("sfen {sfen}"));
    let position = Position::from_sfen(sfen).unwrap();
    let moves: Vec<Move> =
        position.legal_moves().iter().copied().filter(|m| m.to().to_string() == to).collect();
    let names = moves.iter().map(|&m| Notation::Japanese.name(&position, m)).collect();
    record.moves.push(RecordMove::new(moves[0]));
    for &m in &moves[1..] {
        let line = record.add_variation(Line::Main, 1).unwrap();
        record.moves_of_mut(line).push(RecordMove::new(m));
    }
    (record, names)
}

// Case 33.
#[test]
fn four_golds_and_eight_promoted_pawns_are_told_apart() {
    let (golds, mut names) = names_around("4k4/9/9/9/4G4/3G5/3GG4/9/K8 b - 1", "5f");
    names.sort();
    assert_eq!(names, ["▲５六金寄", "▲５六金左上", "▲５六金引", "▲５六金直"]);
    assert_eq!(ki2(golds.to_ki2().unwrap()), golds);
    let (tokins, names) = names_around("k8/9/9/3+P+P+P3/3+P1+P3/3+P+P+P3/9/9/K8 b - 1", "5e");
    let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
    // Those from behind to the sides cannot move there: a gold does not go diagonally backwards.
    assert_eq!((names.len(), distinct.len()), (6, 6), "{names:?}");
    assert_eq!(ki2(tokins.to_ki2().unwrap()), tokins);
    let error = parse_ki2("▲５八金", Tolerance::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 1: found \"▲５八金\", which is any of the moves from 4i, 6i"
    );
    let hint = "a word such as 右 or 引, or an origin such as (49), tells the pieces apart";
    assert_eq!(error.hint().as_deref(), Some(hint));
}

// Case 34.
#[test]
fn kings_and_dragons_have_two_names_and_promoted_pieces_short_ones() {
    let king = usi("startpos moves 5i5h 5a5b");
    assert_eq!(kif("1 ５八玉(59)\n2 ５二王(51)\n"), king);
    assert_eq!(ki2("▲５八王△５二玉"), king);
    let board = "sfen k8/9/9/9/9/4+R+S3/5+L3/5+N3/4K4 b - 1";
    for (names, m) in [
        (["龍", "竜"], "5f5e"),
        (["成銀", "全"], "4f4e"),
        (["成香", "杏"], "4g3f"),
        (["成桂", "圭"], "4h3g"),
    ] {
        let expected = usi(&format!("{board} moves {m}"));
        let (text, ki2_text) = (expected.to_kif().unwrap(), expected.to_ki2().unwrap());
        for name in names {
            let last = |text: &str| {
                let (start, row) = text.rsplit_once("先手の持駒").unwrap();
                format!("{start}先手の持駒{}", row.replace(names[0], name))
            };
            assert_eq!(kif(last(&text)), expected, "{name}");
            assert_eq!(ki2(last(&ki2_text)), expected, "{name}");
        }
    }
}

// Case 37.
#[cfg(feature = "jkf")]
#[test]
fn minimal_moves_of_jkf_are_completed() {
    let text = r#"{"header":{},"moves":[{},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},
        {"move":{"to":{"x":3,"y":4},"piece":"FU","promote":null}},
        {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"promote":true,"color":null}},
        {"move":{"same":true,"piece":"GI"},"comments":null,"forks":null},
        {"move":{"to":{"x":4,"y":5},"piece":"KA"}},{"special":"CHUDAN"}]}"#;
    let loaded = komadai_kifu::parse_jkf(text, Tolerance::Strict).unwrap();
    let expected = with_end(usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e"), EndKind::Interrupt);
    assert_eq!(loaded.records, [expected]);
}

// Case 14, with the foul itself.
#[test]
fn a_foul_is_kept_by_a_lenient_reading_and_its_variations_too() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２三飛(28)\n4 反則勝ち\n変化：3手\n3 ２六歩(27)\n";
    let not_stated = text.replace("反則勝ち", "中断");
    let Err(KifuError::IllegalMove { line: 3, column: 3, ply: 3, .. }) =
        parse_kif(&not_stated, Tolerance::Strict)
    else {
        panic!("the rook jumps over a pawn");
    };
    assert_eq!(parse_kif(not_stated, Tolerance::Lenient).unwrap().skipped.count(), 1);
    // An end that states the foul makes it no fault of the file.
    let loaded = parse_kif(text, Tolerance::Strict).unwrap();
    let lines = vec!["7g7f 3c3d 2h2c".to_owned(), "7g7f 3c3d 2g2f".to_owned()];
    assert_eq!(paths(&loaded.records[0]), lines);
    assert_eq!(loaded.records[0].outcome(), Outcome::Win(komadai_core::Color::White));
    // KI2 names the origin of a foul, and so keeps it.
    let written = loaded.records[0].to_ki2().unwrap();
    assert!(written.contains("▲２三飛不成(28)") || written.contains("▲２三飛(28)"), "{written}");
    assert_eq!(parse_ki2(&written, Tolerance::Lenient).unwrap().records, loaded.records);
}

// Case 18, after a foul, where no rule is checked any more.
#[test]
fn a_horse_does_not_promote_after_a_foul_either() {
    let text =
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 ８四歩(84)\n4 ９九飛(82)\n5 １二角成(22)\n";
    let loaded = parse_kif(text, Tolerance::Lenient).unwrap();
    let record = &loaded.records[0];
    let last = record.moves.last().map(|played| played.m.to_string());
    assert_eq!(last.as_deref(), Some("8h2b+"), "{}", loaded.skipped);
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 ９五飛(82)\n5 １二角成(22)\n";
    let record = parse_kif(text, Tolerance::Lenient).unwrap().records.remove(0);
    assert_eq!(paths(&record), ["7g7f 3c3d 8h2b+ 8b9e 2b1b"]);
    assert_eq!(parse_kif(record.to_kif().unwrap(), Tolerance::Lenient).unwrap().records, [record]);
}

// Case 13, for the longest times.
#[test]
fn the_longest_times_are_written_in_every_format_that_has_times() {
    let text = format!("PI\n+\n+7776FU\nT{0}\n-3334FU\n+2726FU\nT{0}\n", u64::MAX);
    let record = super::csa(&text);
    assert_eq!(super::csa(record.to_csa().unwrap()), record);
    assert_eq!(kif(record.to_kif().unwrap()).moves[2].time, record.moves[2].time);
    #[cfg(feature = "jkf")]
    {
        let again = komadai_kifu::parse_jkf(record.to_jkf().unwrap(), Tolerance::Strict).unwrap();
        assert_eq!(again.records, [record]);
    }
}
