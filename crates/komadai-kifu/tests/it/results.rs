//! Winners: the summaries of servers, the words of all formats, and results through all writers.

use komadai_core::Color::{self, Black, White};
use komadai_kifu::{
    Comment, CsaVersion, CsaWriteOptions, End, EndKind, GameReader, HeaderKey, KifuFormat, Outcome,
    Record, Tolerance, parse_csa, parse_kif, parse_records, parse_usi_games,
};

use super::written_again::FORMATS;

/// A game of three moves in the form of floodgate, after which White is to move.
fn floodgate(names: [&str; 2], after: &str) -> String {
    let [black, white] = names;
    format!(
        "V2\nN+{black}\nN-{white}\n$EVENT:x+floodgate-300-10F+{black}+{white}+2024\nPI\n+\n\
         +7776FU\nT1\n-3334FU\nT2\n+2726FU\nT3\n{after}'$END_TIME:2024/01/01 00:10:00\n"
    )
}

fn csa(text: &str) -> Record {
    parse_csa(text, Tolerance::Strict).unwrap().records.remove(0)
}

fn win(winner: Color, reason: &str) -> EndKind {
    EndKind::Win { winner, reason: reason.to_owned() }
}

#[test]
fn the_summary_of_a_server_decides_the_game() {
    let (black, white) = (Outcome::Win(Black), Outcome::Win(White));
    for (after, outcome, kind) in [
        ("'summary:time up:alpha win:beta lose\n", black, EndKind::TimeUp),
        ("'summary:time up:alpha lose:beta win\n", white, win(White, "time up")),
        ("'summary:illegal move:alpha win:beta lose\n", black, EndKind::IllegalLoss),
        ("'summary:illegal move:alpha lose:beta win\n", white, EndKind::IllegalWin),
        ("'summary:uchifuzume:alpha win:beta lose\n", black, EndKind::IllegalLoss),
        ("'summary:uchifuzume:alpha lose:beta win\n", white, EndKind::IllegalWin),
        ("'summary:oute_kaihimore:alpha win:beta lose\n", black, EndKind::IllegalLoss),
        ("'summary:outori:alpha win:beta lose\n", black, EndKind::IllegalLoss),
        ("'summary:oute_sennichite:alpha lose:beta win\n", white, EndKind::PerpetualCheckWin),
        ("'summary:oute_sennichite:beta lose:alpha win\n", black, EndKind::PerpetualCheckLoss),
        ("'summary:sennichite:alpha draw:beta draw\n", Outcome::Draw, EndKind::Repetition),
        ("'summary:max_moves:alpha draw:beta draw\n", Outcome::Draw, EndKind::MaxMoves),
        ("'summary:jishogi:alpha draw:beta draw\n", Outcome::Draw, EndKind::Impasse),
        ("'summary:something new:alpha draw:beta draw\n", Outcome::Draw, EndKind::Draw),
        ("'summary:something new:alpha lose:beta win\n", white, win(White, "something new")),
        // A declaration that the server refused, and one that it accepted.
        ("%KACHI\n'summary:illegal kachi:alpha win:beta lose\n", black, EndKind::IllegalLoss),
        ("%KACHI\n'summary:kachi:alpha lose:beta win\n", white, EndKind::EnteringKingWin),
        // A lost connection, of the side to move and of the other.
        ("%TORYO\n'summary:abnormal:alpha win:beta lose\n", black, win(Black, "abnormal")),
        ("%TORYO\n'summary:abnormal:alpha lose:beta win\n", white, win(White, "abnormal")),
        ("%TORYO\n'summary:toryo:alpha win:beta lose\n", black, EndKind::Resign),
        ("%TORYO\n'summary:toryo:alpha lose:beta win\n", white, win(White, "toryo")),
        ("%CHUDAN\n'summary:abnormal:alpha lose:beta win\n", white, win(White, "abnormal")),
        (
            "%SENNICHITE\n'summary:sennichite:alpha draw:beta draw\n",
            Outcome::Draw,
            EndKind::Repetition,
        ),
        ("%TIME_UP\n'summary:time up:alpha win:beta lose\n", black, EndKind::TimeUp),
        // Of several summaries the last counts; other shapes and other players are comments.
        (
            "'summary:toryo:alpha lose:beta win\n'summary:time up:alpha win:beta lose\n",
            black,
            EndKind::TimeUp,
        ),
        ("%TORYO\n'summary:abnormal:gamma lose:delta win\n", black, EndKind::Resign),
        ("%TORYO\n'summary: White had the better game\n", black, EndKind::Resign),
        ("%TORYO\n'*summary:abnormal:alpha lose:beta win\n", black, EndKind::Resign),
        ("%TORYO\n'summary:abnormal:alpha lose:beta lose\n", black, EndKind::Resign),
    ] {
        for line_end in ["\n", "\r\n"] {
            let text = floodgate(["alpha", "beta"], after).replace('\n', line_end);
            let game = csa(&text);
            assert_eq!(
                (game.outcome(), &game.end.as_ref().unwrap().kind),
                (outcome, &kind),
                "{text}"
            );
            let comments = game.moves.iter().flat_map(|played| &played.comments);
            let comments = comments.chain(&game.end.as_ref().unwrap().comments);
            assert_eq!(
                comments.count(),
                after.matches('\'').count() + 1,
                "comments are kept: {text}"
            );
        }
    }
}

#[test]
fn a_summary_counts_wherever_it_stands() {
    let summary = "'summary:time up:alpha lose:beta win\n";
    let text = floodgate(["alpha", "beta"], "");
    for place in ["PI\n", "+\n", "+7776FU\n", "-3334FU\n", "+2726FU\nT3\n"] {
        let text = text.replacen(place, &format!("{place}{summary}"), 1);
        assert_eq!(csa(&text).outcome(), Outcome::Win(White), "{text}");
    }
    // Also after a move that cannot be made.
    let text = format!("{text}+9911UM\n{summary}");
    let loaded = parse_csa(&text, Tolerance::Lenient).unwrap();
    assert_eq!(loaded.records[0].outcome(), Outcome::Win(White));
    // The next game of a file has its own.
    let two = format!(
        "{}/\n{}",
        floodgate(["A", "B"], "'summary:time up:A win:B lose\n"),
        floodgate(["A", "B"], "")
    );
    let games = parse_csa(two, Tolerance::Strict).unwrap().records;
    let outcomes: Vec<Outcome> = games.iter().map(Record::outcome).collect();
    assert_eq!(outcomes, [Outcome::Win(Black), Outcome::Unknown]);
}

/// Ends of all kinds, with a winner on either side.
fn ends() -> Vec<EndKind> {
    let mut kinds = vec![
        EndKind::Resign,
        EndKind::Checkmate,
        EndKind::NoMate,
        EndKind::TimeUp,
        EndKind::IllegalLoss,
        EndKind::IllegalWin,
        EndKind::PerpetualCheckLoss,
        EndKind::PerpetualCheckWin,
        EndKind::EnteringKingWin,
        EndKind::Repetition,
        EndKind::Impasse,
        EndKind::Draw,
        EndKind::MaxMoves,
        EndKind::Interrupt,
        EndKind::Error,
    ];
    for reason in ["abnormal", "不戦勝", "不戦敗", "time up", "勝ち", "", "a:b\nc (d)", "まで"]
    {
        kinds.extend([win(Black, reason), win(White, reason)]);
    }
    kinds
}

/// A game of this number of moves with an end.
fn game(moves: usize, kind: EndKind, names: [&str; 2]) -> Record {
    let line = "7g7f 3c3d 2g2f 8c8d".split(' ').take(moves).collect::<Vec<_>>().join(" ");
    let mut record = parse_usi_games(format!("startpos moves {line}"), Tolerance::Strict)
        .unwrap()
        .records
        .remove(0);
    for (color, name) in Color::ALL.into_iter().zip(names).filter(|(_, name)| !name.is_empty()) {
        record.header.push(HeaderKey::player(color), name);
    }
    record.end = Some(End::new(kind));
    record
}

#[test]
fn every_format_keeps_the_winner() {
    for kind in ends() {
        for moves in [3, 4] {
            for names in [["alpha", "beta"], ["A", "A"], ["", ""], ["a:b win", ""]] {
                let record = game(moves, kind.clone(), names);
                for &format in FORMATS {
                    // USI and USEN have words for few ends.
                    if matches!(format, KifuFormat::Usi | KifuFormat::Usen) {
                        continue;
                    }
                    let text = record.to_text(format).unwrap();
                    let again =
                        parse_records(&text, format, Tolerance::Strict).unwrap().records.remove(0);
                    assert_eq!(again.outcome(), record.outcome(), "{format:?} {kind:?}\n{text}");
                    // A word of the library's own ends becomes that end, once.
                    let second = again.to_text(format).unwrap();
                    let third = parse_records(&second, format, Tolerance::Strict).unwrap();
                    assert_eq!(third.records, [again], "{format:?} {kind:?}\n{second}");
                }
            }
        }
    }
}

#[test]
fn results_of_a_server_go_through_every_format() {
    for after in [
        "'summary:time up:alpha lose:beta win\n",
        "'summary:oute_sennichite:alpha lose:beta win\n",
        "%TORYO\n'summary:abnormal:alpha lose:beta win\n",
        "%TORYO\n'summary:abnormal:alpha win:beta lose\n",
        "%KACHI\n'summary:illegal kachi:alpha win:beta lose\n",
        "'summary:max_moves:alpha draw:beta draw\n",
    ] {
        let record = csa(&floodgate(["alpha", "beta"], after));
        for format in [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2] {
            let text = record.to_text(format).unwrap();
            let reader = GameReader::new(text.as_bytes(), Tolerance::Strict).unwrap();
            let games: Vec<Record> = reader.map(Result::unwrap).collect();
            assert_eq!(games[0].outcome(), record.outcome(), "{text}");
            assert_eq!(text.matches("summary:").count(), 1, "{text}");
        }
    }
}

#[test]
fn csa_has_words_of_its_format_only() {
    const WORDS_2_2: [&str; 13] = [
        "TORYO",
        "CHUDAN",
        "SENNICHITE",
        "TIME_UP",
        "ILLEGAL_MOVE",
        "+ILLEGAL_ACTION",
        "-ILLEGAL_ACTION",
        "JISHOGI",
        "KACHI",
        "HIKIWAKE",
        "TSUMI",
        "FUZUMI",
        "ERROR",
    ];
    let others = ["封じ手", "反則負", "つみ", "a, 'b'", "", "MATTA", "SOMETHING_NEW", "指し掛け"];
    let others = others.map(|word| EndKind::Other(word.to_owned()));
    for kind in ends().into_iter().chain(others) {
        for moves in [3, 4] {
            let record = game(moves, kind.clone(), ["alpha", "beta"]);
            let options =
                CsaWriteOptions { version: CsaVersion::V2_2, ..CsaWriteOptions::default() };
            for text in [record.to_csa().unwrap(), record.to_csa_with(&options).unwrap()] {
                let marks: Vec<&str> =
                    text.lines().filter_map(|line| line.strip_prefix('%')).collect();
                let is_v3 = text.contains("V3.0\n");
                let is_known =
                    |mark: &&str| WORDS_2_2.contains(mark) || (is_v3 && *mark == "MAX_MOVES");
                assert!(marks.len() == 1 && marks.iter().all(is_known), "{kind:?}\n{text}");
                let again = csa(&text);
                assert_eq!(again.moves.len(), moves);
            }
        }
    }
}

#[test]
fn statements_of_version_3_stand_in_files_of_version_3() {
    let limits = [
        (HeaderKey::TimeControl, "900+0+5"),
        (HeaderKey::BlackTimeControl, "900+0+5"),
        (HeaderKey::WhiteTimeControl, "900+0+5"),
        (HeaderKey::MaxMoves, "320"),
        (HeaderKey::ImpasseRule, "27"),
        (HeaderKey::Note, "a game"),
        (HeaderKey::TimeLimit, "5分+5秒加算"),
        (HeaderKey::TimeLimit, "0:01:30+10"),
    ];
    for (key, value) in limits {
        let mut record = game(3, EndKind::Resign, ["A", "B"]);
        record.header.push(key.clone(), value);
        let text = record.to_csa().unwrap();
        assert!(text.contains("V3.0\n") && !text.contains("TIME_LIMIT"), "{text}");
        assert_eq!(record.losses(&csa(&text)), [], "{text}");
        let options = CsaWriteOptions { version: CsaVersion::V2_2, ..CsaWriteOptions::default() };
        let text = record.to_csa_with(&options).unwrap();
        assert!(text.contains("V2.2\n") && !text.contains("\n$"), "{text}");
        assert_eq!(record.losses(&csa(&text)).len(), 1, "{text}");
    }
    let mut record = game(3, EndKind::Resign, ["A", "B"]);
    record.header.push(HeaderKey::Custom("先手の囲い".to_owned()), "矢倉");
    record.header.push(HeaderKey::TimeLimit, "無制限");
    let text = record.to_csa().unwrap();
    assert!(text.contains("V2.2\n") && !text.contains("\n$"), "{text}");
    assert_eq!(record.losses(&csa(&text)).len(), 2);
}

#[test]
fn times_are_written_in_the_form_of_csa() {
    for (values, expected) in [
        (&[("持ち時間", "1時間"), ("秒読み", "30秒")][..], "$TIME_LIMIT:01:00+30\n"),
        (&[("秒読み", "30秒"), ("持ち時間", "1時間")], "$TIME_LIMIT:01:00+30\n"),
        (&[("持ち時間", "5分+30秒")], "$TIME_LIMIT:00:05+30\n"),
        (&[("持ち時間", "各６時間")], "$TIME_LIMIT:06:00+00\n"),
        (&[("持ち時間", "1時間30分"), ("秒読み", "１手６０秒")], "$TIME_LIMIT:01:30+60\n"),
        (&[("秒読み", "30秒")], "$TIME_LIMIT:00:00+30\n"),
        (&[("持ち時間", "00:25+30")], "$TIME_LIMIT:00:25+30\n"),
        (&[("持ち時間", "10分"), ("$MAX_MOVES", "256")], "$TIME:600+0+0\n"),
    ] {
        let header: String =
            values.iter().map(|(key, value)| format!("{key}：{value}\n")).collect();
        let text = format!("{header}1 ７六歩(77)\n2 投了\n");
        let record = parse_kif(text, Tolerance::Strict).unwrap().records.remove(0);
        let written = record.to_csa().unwrap();
        assert!(written.contains(expected), "{written}");
        assert_eq!(written.matches("$TIME").count(), 1, "{written}");
        assert_eq!(record.losses(&csa(&written)), [], "{written}");
    }
}

#[test]
fn usi_has_the_words_of_repetition_for_repetition_only() {
    let line = |kind| game(3, kind, ["", ""]).to_usi_line();
    for (kind, word) in [
        (EndKind::Repetition, " rep_draw"),
        (EndKind::PerpetualCheckLoss, " rep_lose"),
        (EndKind::PerpetualCheckWin, " rep_win"),
        (EndKind::Resign, " resign"),
        (EndKind::EnteringKingWin, " win"),
        (EndKind::IllegalLoss, ""),
        (EndKind::IllegalWin, ""),
        (EndKind::TimeUp, ""),
        (EndKind::MaxMoves, ""),
    ] {
        let written = line(kind.clone());
        assert_eq!(written, format!("startpos moves 7g7f 3c3d 2g2f{word}"), "{kind:?}");
        let again = parse_usi_games(&written, Tolerance::Strict).unwrap().records.remove(0);
        let expected = (!word.is_empty()).then_some(kind);
        assert_eq!(again.end.map(|end| end.kind), expected);
    }
}

#[test]
fn a_last_line_names_the_winner_where_the_mark_does_not() {
    // After one move White is to move.
    for (rows, outcome) in [
        ("2 Time-up\n", Outcome::Win(Black)),
        ("2 Time-up   ( 0:10/00:00:10)\n", Outcome::Win(Black)),
        ("2 不戦敗\n", Outcome::Win(Black)),
        ("2 不戦勝\n", Outcome::Win(White)),
        ("2 先手反則負け\n", Outcome::Win(White)),
        ("2 入玉宣言勝ち\n", Outcome::Win(White)),
        ("2 時間切れ負け\n", Outcome::Win(Black)),
        ("2 引分け\n", Outcome::Draw),
        ("2 切断\nまで1手で後手の勝ち\n", Outcome::Win(White)),
        ("2 切断\nまで1手で切断により先手の勝ち\n", Outcome::Win(Black)),
        ("2 中断\nまで1手で先手の勝ち\n", Outcome::Win(Black)),
        ("まで1手で後手の勝ち\n", Outcome::Win(White)),
        ("まで1手で先手の反則により後手の勝ち\n", Outcome::Win(White)),
        // The mark counts more than a line that contradicts it.
        ("2 投了\nまで1手で後手の勝ち\n", Outcome::Win(Black)),
        ("2 中断\nまで1手で中断\n", Outcome::Unknown),
        ("2 封じ手\n", Outcome::Unknown),
    ] {
        let text = format!("手合割：平手\n1 ７六歩(77)\n{rows}");
        let record = parse_kif(&text, Tolerance::Strict).unwrap().records.remove(0);
        assert_eq!(record.outcome(), outcome, "{text}");
        let ki2 = record.to_ki2().unwrap();
        let again =
            parse_records(&ki2, KifuFormat::Ki2, Tolerance::Strict).unwrap().records.remove(0);
        assert_eq!(again.outcome(), outcome, "{ki2}");
        let written = csa(&record.to_csa().unwrap());
        assert_eq!(written.outcome(), outcome, "{}", record.to_csa().unwrap());
    }
}

#[test]
fn summaries_among_the_comments_of_other_formats_change_no_result() {
    let mut record = game(3, EndKind::Resign, ["A", "B"]);
    let text = "summary:abnormal:A lose:B win";
    record.moves[0].comments.push(Comment::Remark(text.to_owned()));
    let written = record.to_csa().unwrap();
    assert_eq!(csa(&written).outcome(), record.outcome(), "{written}");
    assert_eq!(record.losses(&csa(&written)), []);
}

#[cfg(feature = "jkf")]
#[test]
fn jkf_states_winners_in_words() {
    let record = game(3, win(White, "abnormal"), ["A", "B"]);
    let text = record.to_jkf().unwrap();
    assert!(text.contains(r#"{"special":"abnormalにより後手の勝ち"}"#), "{text}");
    assert_eq!(komadai_kifu::parse_jkf(text, Tolerance::Strict).unwrap().records, [record]);
}
