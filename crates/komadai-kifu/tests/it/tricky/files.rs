//! Encodings, line ends and sizes.

use std::time::Instant;

use encoding_rs::{EUC_JP, SHIFT_JIS};
use komadai_kifu::text::{TextEncoding, TextForm};
use komadai_kifu::{
    EndKind, GameReader, HeaderKey, KifuError, KifuFormat, Line, RecordMove, TextFaultKind,
    Tolerance, parse_csa, parse_ki2, parse_kif, parse_usi_games,
};
use komadai_testdata::kifu::{Encoding, samples};

use super::{
    csa, custom, ki2, kif, note, only, paths, usi, with_comments, with_end, with_header, with_times,
};

const KIF: &str = "手合割：平手　　\n先手：表　十郎\n後手：ソ能\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:16/00:00:16)\n*表とソ\n   2 ３四歩(33)   ( 0:03/00:00:03)\n   3 投了         ( 0:00/00:00:16)\nまで2手で後手の勝ち\n";

/// The game of [`KIF`].
fn game() -> komadai_kifu::Record {
    let moves = with_times(usi("startpos moves 7g7f 3c3d"), &[16, 3]);
    let players = [(HeaderKey::Black, "表　十郎"), (HeaderKey::White, "ソ能")];
    let mut game = with_comments(with_header(moves, &players), 1, &[note("表とソ")]);
    game.end = Some(komadai_kifu::End::new(EndKind::Resign));
    game.end.as_mut().unwrap().time = Some(std::time::Duration::ZERO);
    game
}

// Case 1.
#[test]
fn a_kif_in_utf_8_with_a_byte_order_mark_is_read() {
    let text = format!("\u{feff}{KIF}");
    assert_eq!(kif(&text), game());
    assert_eq!(KifuFormat::detect(text.as_bytes()), Some(KifuFormat::Kif));
    let detected = GameReader::new(text.as_bytes(), Tolerance::Strict).unwrap();
    assert_eq!(detected.map(Result::unwrap).collect::<Vec<_>>(), [game()]);
}

// Case 2.
#[test]
fn a_csa_of_an_old_archive_in_euc_jp_is_read() {
    let text = "V2\nN+柿木義一\nN-山田\n$EVENT:第15回世界コンピュータ将棋選手権\nPI\n+\n+7776FU\nT3\n%TORYO\n";
    let (bytes, _, has_failed) = EUC_JP.encode(text);
    assert!(!has_failed && str::from_utf8(&bytes).is_err());
    let expected = with_end(with_times(usi("startpos moves 7g7f"), &[3]), EndKind::Resign);
    let header = [
        (HeaderKey::Black, "柿木義一"),
        (HeaderKey::White, "山田"),
        (HeaderKey::Event, "第15回世界コンピュータ将棋選手権"),
    ];
    assert_eq!(csa(&bytes), with_header(expected, &header));
    let old = samples().find(|sample| sample.name == "kfj__csa_2005_YAMADA_GPS.csa").unwrap();
    assert_eq!(old.expected.encoding, Encoding::EucJp);
    let record = only(parse_csa(old.bytes, Tolerance::Strict).unwrap().records);
    assert_eq!(paths(&record), [old.main_line]);
}

// Case 3.
#[test]
fn lone_carriage_returns_end_lines() {
    assert_eq!(kif(KIF.replace('\n', "\r")), game());
    assert_eq!(kif(KIF.replace('\n', "\r\n")), game());
    assert_eq!(kif(SHIFT_JIS.encode(&KIF.replace('\n', "\r")).0), game());
    let expected = with_end(with_times(usi("startpos moves 7g7f"), &[3]), EndKind::Resign);
    assert_eq!(csa("PI\r+\r+7776FU\rT3\r%TORYO\r"), expected);
    assert_eq!(
        ki2("▲７六歩\r△３四歩\rまで2手で中断\r"),
        with_end(usi("startpos moves 7g7f 3c3d"), EndKind::Interrupt)
    );
}

// Case 4.
#[test]
fn the_last_line_needs_no_line_end() {
    assert_eq!(kif(KIF.trim_end()), game());
    assert_eq!(csa("PI\n+\n+7776FU\nT3"), with_times(usi("startpos moves 7g7f"), &[3]));
    assert_eq!(ki2("▲７六歩"), usi("startpos moves 7g7f"));
    assert_eq!(usi("startpos moves 7g7f"), usi("startpos moves 7g7f\n"));
}

// Case 5.
#[test]
fn a_header_alone_is_a_game_and_an_empty_file_is_none() {
    let header = [(HeaderKey::Black, "A"), (custom("対局ID"), "7")];
    let expected = with_header(usi("startpos"), &header);
    for text in ["先手：A\n対局ID：7\n", "手合割：平手\n先手：A\n\n対局ID：7"] {
        assert_eq!(kif(text), expected);
        assert_eq!(ki2(text), expected);
        assert_eq!(KifuFormat::detect(text.as_bytes()), Some(KifuFormat::Kif));
    }
    for text in ["", "\n\n", "\u{feff}", " \r\n"] {
        for format in [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2, KifuFormat::Usi] {
            let loaded = komadai_kifu::parse_records(text, format, Tolerance::Strict);
            assert!(loaded.unwrap().records.is_empty(), "{text:?} {format:?}");
        }
    }
    let mut nothing = GameReader::new(&b""[..], Tolerance::Strict).unwrap();
    assert!(nothing.next().is_none());
}

// Case 29.
#[test]
fn black_and_white_signs_that_shift_jis_lacks_become_triangles() {
    let form = TextForm::new(TextEncoding::ShiftJis);
    let bytes = form.encode("☗７六歩☖３四歩\n*☗の好手\n").unwrap();
    assert_eq!(bytes, form.encode("▲７六歩△３四歩\n*▲の好手\n").unwrap());
    let expected = with_comments(usi("startpos moves 7g7f 3c3d"), 2, &[note("▲の好手")]);
    assert_eq!(ki2(&bytes), expected);
    let mut named = game();
    named.header.set(HeaderKey::White, "😀");
    let text = named.to_kif().unwrap();
    let error = form.encode(&text).unwrap_err();
    assert_eq!((error.line, error.column, error.character), (3, 4, '😀'));
    named.header.set(HeaderKey::White, "〓");
    assert_eq!(kif(TextForm { replacement: Some('〓'), ..form }.encode(&text).unwrap()), named);
}

// Case 31.
#[test]
fn long_games_and_a_thousand_variations_of_one_move_are_read() {
    let mut record = usi("startpos");
    let round = ["2h3h", "8b7b", "3h2h", "7b8b"].map(|m| RecordMove::new(m.parse().unwrap()));
    record.moves = round.iter().cycle().take(600).cloned().collect();
    for _ in 0..1_000 {
        let line = record.add_variation(Line::Main, 300).unwrap();
        record.moves_of_mut(line).push(RecordMove::new("3c3d".parse().unwrap()));
    }
    assert_eq!(kif(record.to_kif().unwrap()), record);
    assert_eq!(ki2(record.to_ki2().unwrap()), record);
    // Ten thousand variations, each inside the one before.
    let mut text = String::from("手合割：平手\n");
    for ply in 1..=10_000 {
        let names = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"];
        text += &format!(
            "{ply} {}\n{}",
            names[(ply - 1) % 4],
            // With an end, so that the variation is none that continues the line.
            if ply < 10_000 {
                format!("{0} 中断\n変化：{0}手\n", ply + 1)
            } else {
                String::new()
            }
        );
    }
    let deep = kif(&text);
    assert_eq!(deep.path(Line::Variation(9_998)).len(), 10_000);
    assert_eq!(kif(deep.to_kif().unwrap()), deep);
    assert_eq!(ki2(deep.to_ki2().unwrap()), deep);
}

// Case 38.
#[test]
fn a_backslash_as_second_byte_of_shift_jis_is_no_character() {
    let (bytes, _, has_failed) = SHIFT_JIS.encode(KIF);
    assert!(!has_failed && bytes.contains(&b'\\'));
    assert_eq!(kif(&bytes), game());
    let named =
        with_header(usi("startpos"), &[(HeaderKey::Black, "表ソ"), (HeaderKey::Note, "ー能\\n")]);
    assert_eq!(csa(SHIFT_JIS.encode("N+表ソ\n$NOTE:ー能\\\\n\nPI\n+\n").0), named);
}

// Case 39.
#[test]
fn moves_after_the_end_are_faults_that_change_nothing() {
    let text = "1 ７六歩(77)\n2 投了\n*thanks\n3 ３四歩(33)\n";
    let error = parse_kif(text, Tolerance::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4, column 1: found \"3 ３四歩(33)\", expected no move after the end of the game"
    );
    let mut expected = with_end(usi("startpos moves 7g7f"), EndKind::Resign);
    expected.end.as_mut().unwrap().comments = vec![note("thanks")];
    let loaded = parse_kif(text, Tolerance::Lenient).unwrap();
    assert_eq!((loaded.records, loaded.skipped.count()), (vec![expected.clone()], 1));
    let text = "PI\n+\n+7776FU\n%TORYO\n'*thanks\n-3334FU\n";
    assert_eq!(parse_csa(text, Tolerance::Lenient).unwrap().records, [expected.clone()]);
    assert_eq!(parse_csa(text, Tolerance::Strict).unwrap_err().line(), 6);
    let text = "▲７六歩 投了\n*thanks\n△３四歩\n";
    assert_eq!(parse_ki2(text, Tolerance::Lenient).unwrap().records, [expected]);
    assert_eq!(parse_ki2(text, Tolerance::Strict).unwrap_err().line(), 3);
}

// Case 40.
#[test]
fn a_comment_of_a_mebibyte_and_garbage_take_little_time() {
    let begun = Instant::now();
    let limit = 1 << 20;
    let long = "x".repeat(limit - 2);
    assert_eq!(csa(format!("PI\n+\n'*{long}\n+7776FU\n")).comments, [note(&long)]);
    assert_eq!(kif(format!("1 ７六歩(77)\n*{long}\n")).moves[0].comments, [note(&long)]);
    // A longer one is skipped.
    let text = format!("1 ７六歩(77)\n*{long}xx\n2 ３四歩(33)\n");
    let Err(KifuError::Text(fault)) = parse_kif(&text, Tolerance::Strict) else {
        panic!("too long")
    };
    assert!(fault.line == 2 && matches!(fault.kind, TextFaultKind::LineTooLong { .. }));
    let loaded = parse_kif(&text, Tolerance::Lenient).unwrap();
    assert_eq!(
        (paths(&loaded.records[0]), loaded.skipped.count()),
        (vec!["7g7f 3c3d".to_owned()], 1)
    );
    let garbage: Vec<u8> =
        (0..1_u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let _ = parse_csa(&garbage, Tolerance::Lenient).unwrap();
    let _ = parse_kif(&garbage, Tolerance::Lenient).unwrap();
    let _ = parse_ki2(&garbage, Tolerance::Lenient).unwrap();
    let _ = parse_usi_games(&garbage, Tolerance::Lenient).unwrap();
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
