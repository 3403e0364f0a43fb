//! Start positions, comments and variations of KIF, and starts in SFEN.

use komadai_core::{Color, PieceKind, Setup};
use komadai_kifu::{
    EndKind, HeaderKey, Line, Outcome, Tolerance, parse_ki2, parse_kif, parse_usi_games,
};

use super::{custom, ki2, kif, note, paths, usi, with_comments, with_end, with_header, with_times};

/// A diagram of a mate problem with one king.
fn problem(king: &str, black: &str, white: &str) -> String {
    let empty = ["五", "六", "七", "八", "九"];
    let empty = empty.map(|rank| format!("| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n")).concat();
    format!(
        "後手の持駒：{white}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
         | ・ ・ ・ ・ ・ ・ ・v桂v香|一\n| ・ ・ ・ ・ ・ ・ ・{king} ・|二\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ と ・ ・|四\n{empty}\
         +---------------------------+\n先手の持駒：{black}\n"
    )
}

const PROBLEM: &str = "sfen 7nl/7k1/9/6+P2/9/9/9/9/9 b G2r2b3g4s3n3l17p 1";
const REST: &str = "飛二　角二　金三　銀四　桂三　香三　歩十七　";

// Case 6.
#[test]
fn a_handicap_that_is_no_handicap_needs_a_board() {
    let board = problem("v玉", "金", REST);
    let text = format!("手合割：詰将棋\n作品名：無題\n{board}1 ２三金打\n2 詰み\n");
    let expected = with_end(usi(&format!("{PROBLEM} moves G*2c")), EndKind::Checkmate);
    let header = [(HeaderKey::ProblemName, "無題"), (custom("手合割"), "詰将棋")];
    assert_eq!(kif(&text), with_header(expected, &header));
    // A board counts more than the name of an even game.
    assert_eq!(kif(text.replace("詰将棋", "平手")).setup, usi(PROBLEM).setup);
    let error = parse_kif("手合割：詰将棋\n1 ２三金打\n", Tolerance::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 5: found \"詰将棋\", expected the name of a handicap such as 二枚落ち, or a diagram"
    );
}

// Case 7.
#[test]
fn a_board_may_have_one_king_of_either_name() {
    for king in ["v王", "v玉", "V王"] {
        assert_eq!(kif(problem(king, "金", REST)), usi(PROBLEM), "{king}");
    }
}

// Case 8.
#[test]
fn hands_have_any_separators_or_none() {
    for rest in [
        REST,
        "飛二 角二 金三 銀四 桂三 香三 歩十七",
        "飛二角二金三銀四桂三香三歩十七",
        "飛2角2金3銀4桂3香3歩17",
    ] {
        assert_eq!(kif(problem("v玉", "金", rest)), usi(PROBLEM), "{rest}");
    }
    let bare = "sfen 7nl/7k1/9/6+P2/9/9/9/9/9 b - 1";
    for nothing in ["なし", "", "　"] {
        assert_eq!(kif(problem("v玉", nothing, nothing)), usi(bare), "{nothing:?}");
    }
    let error = parse_kif(problem("v玉", "金 玉", ""), Tolerance::Strict).unwrap_err();
    let expected = "found \"玉\", expected pieces in hand such as `飛　歩十八`, `なし`, or `残り全部` for one side";
    assert!(error.to_string().contains(expected), "{error}");
}

// Case 9.
#[test]
fn a_turned_board_is_an_instruction_for_displays() {
    let text = "手合割：平手\n盤面回転\n手数----指手---------消費時間--\n1 ７六歩(77)\n";
    assert_eq!(kif(text), usi("startpos moves 7g7f"));
    assert_eq!(kif(text.replace("回転", "反転")), usi("startpos moves 7g7f"));
}

// Case 10.
#[test]
fn variations_leave_the_nearest_line_that_reaches_them() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 投了\nまで4手で後手の勝ち\n\n\
                変化：5手\n5 ２六歩(27)\n\n変化：3手\n3 ２六歩(27)\n4 ８八角成(22)\n5 同　銀(79)\n\n\
                変化：5手\n5 同　飛(28)\n6 中断\n\n変化：4手\n4 ８四歩(83)\n\n変化：2手\n2 ８四歩(83)\n\n変化：1手\n1 ２六歩(27)\n";
    let record = kif(text);
    assert_eq!(
        paths(&record),
        [
            "7g7f 3c3d 8h2b+ 3a2b",
            // After the resignation.
            "7g7f 3c3d 8h2b+ 3a2b 2g2f",
            "7g7f 3c3d 2g2f 2b8h+ 7i8h",
            // 同 is the last target of the new line.
            "7g7f 3c3d 2g2f 2b8h+ 2h8h",
            "7g7f 3c3d 2g2f 8c8d",
            "7g7f 8c8d",
            "2g2f",
        ][..]
    );
    assert_eq!(record.end.as_ref().map(|end| &end.kind), Some(&EndKind::Resign));
    let parents: Vec<(Line, usize)> = record.variations.iter().map(|v| (v.parent, v.ply)).collect();
    let inner = Line::Variation(1);
    assert_eq!(
        parents,
        [
            (Line::Main, 5),
            (Line::Main, 3),
            (inner, 5),
            (inner, 4),
            (Line::Main, 2),
            (Line::Main, 1)
        ]
    );
    assert_eq!(record.variations[2].end.as_ref().map(|end| &end.kind), Some(&EndKind::Interrupt));
    assert_eq!(kif(record.to_kif().unwrap()), record);
    assert_eq!(ki2(record.to_ki2().unwrap()), record);
    // A variation of the game after a short one, and a variation that begins with 同.
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ２六歩(27)\n\n変化：2手\n2 ８四歩(83)\n\n変化：4手\n4 同　飛(82)\n";
    assert_eq!(paths(&kif(text))[2], "7g7f 3c3d 8h2b+ 8b2b");
    // An empty one before the moves is none.
    assert_eq!(kif("変化：\n1 ７六歩(77)\n"), usi("startpos moves 7g7f"));
}

// Case 11.
#[test]
fn move_numbers_may_occur_again_be_skipped_or_be_missing() {
    let again = kif("1 ７六歩(77)\n2 ３四歩(33)\n2 ８四歩(83)\n3 ２六歩(27)\n");
    assert_eq!(paths(&again), ["7g7f 3c3d", "7g7f 8c8d 2g2f"]);
    assert_eq!(kif("1 ７六歩(77)\n3 ３四歩(33)\n"), usi("startpos moves 7g7f 3c3d"));
    // A line that was lost shows by the side of the next move.
    let error = parse_kif("1 ７六歩(77)\n3 ２六歩(27)\n", Tolerance::Strict).unwrap_err();
    assert_eq!((error.line(), error.column()), (2, Some(3)));
    let missing = "1 ７六歩(77)\n３四歩(33) ( 0:03/00:00:03)\n3 ２六歩(27)\n";
    let error = parse_kif(missing, Tolerance::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 1: found \"３四歩(33) ( 0:03/00:00:03)\", expected the number of the move before it: `1 ７六歩(77)`"
    );
    let loaded = parse_kif(missing, Tolerance::Lenient).unwrap();
    assert_eq!(
        (paths(&loaded.records[0]), loaded.skipped.count()),
        (vec!["7g7f 3c3d 2g2f".to_owned()], 1)
    );
    let zero = parse_kif("0 ７六歩(77)\n", Tolerance::Strict).unwrap_err();
    assert!(zero.to_string().contains("expected a number from 1"), "{zero}");
}

// Case 12.
#[test]
fn comments_may_look_like_variations_and_moves() {
    let comments = [
        "変化：3手",
        "   1 ２六歩(27)",
        "まで2手で後手の勝ち",
        "*評価値=30",
        "手合割：六枚落ち",
        "",
    ]
    .map(note);
    let lines: String = comments.iter().map(|comment| format!("*{}\n", comment.text())).collect();
    let expected = with_comments(usi("startpos moves 7g7f 3c3d"), 1, &comments);
    assert_eq!(kif(format!("1 ７六歩(77)\n{lines}2 ３四歩(33)\n")), expected);
    assert_eq!(ki2(format!("▲７六歩\n{lines}△３四歩\n")), expected);
    // Before the first move of a variation, a comment is one on the move before.
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n*instead\n2 ８四歩(83)\n";
    assert_eq!(kif(text).moves[0].comments, [note("instead")]);
    assert_eq!(
        kif(text
            .replace("２手", "１手")
            .replace("変化：2", "変化：1")
            .replace("2 ８四歩(83)", "1 ２六歩(27)"))
        .comments,
        [note("instead")]
    );
}

// Case 13.
#[test]
fn times_have_many_forms_and_are_never_negative() {
    let moves = "startpos moves 7g7f 3c3d 2g2f 8c8d";
    let text = "1 ７六歩(77) (61:05/01:01:05)\n2 ３四歩(33) (1:02:03/ 1:02:03)\n3 ２六歩(27) ( 0:03/ 1:01:08)\n4 ８四歩(83)\n";
    assert_eq!(kif(text), with_times(usi(moves), &[3_665, 3_723, 3]));
    let text = "1 ７六歩(77) (00:00/00:00:00)\n2 ３四歩(33) (0:07)\n3 ２六歩(27) (０：０８／)+\n4 ８四歩(83) ( 0:09 / 00:00:16 )\n";
    assert_eq!(kif(text), with_times(usi(moves), &[0, 7, 8, 9]));
    for time in ["(-1:00/00:00:00)", "( 0:-3/00:00:00)", "(0:99999999999999999999/)"] {
        let text = format!("1 ７六歩(77) {time}\n2 ３四歩(33)\n");
        let error = parse_kif(&text, Tolerance::Strict).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "line 1, column 11: found {time:?}, expected a time such as `( 0:16/00:00:16)`, or the end of the line"
            )
        );
        let loaded = parse_kif(&text, Tolerance::Lenient).unwrap();
        assert_eq!(loaded.records, [usi("startpos moves 7g7f 3c3d")]);
    }
}

// Case 14.
#[test]
fn a_foul_is_that_of_the_side_to_move_or_of_the_move_before() {
    for (word, kind, winner) in [
        ("反則負け", EndKind::IllegalLoss, Color::Black),
        ("反則勝ち", EndKind::IllegalWin, Color::White),
    ] {
        let record = kif(format!("1 ７六歩(77)\n2 {word}\n"));
        assert_eq!(record, with_end(usi("startpos moves 7g7f"), kind));
        assert_eq!(record.outcome(), Outcome::Win(winner), "White is to move: {word}");
    }
    // The last line names the side.
    for (text, kind) in [
        ("先手の反則負け", EndKind::IllegalWin),
        ("後手の反則負け", EndKind::IllegalLoss),
        ("先手の反則勝ち", EndKind::IllegalLoss),
    ] {
        assert_eq!(
            ki2(format!("▲７六歩\nまで1手で{text}\n")),
            with_end(usi("startpos moves 7g7f"), kind)
        );
    }
}

// Case 15.
#[test]
fn the_last_line_of_a_mate_problem_names_a_mate() {
    let board = problem("v玉", "金", REST);
    let expected = with_end(usi(&format!("{PROBLEM} moves G*2c")), EndKind::Checkmate);
    for last in ["まで1手詰", "まで49手詰", "まで1手で詰み", "まで1手で先手の勝ち（詰み）"]
    {
        assert_eq!(kif(format!("{board}1 ２三金打\n{last}\n")), expected, "{last}");
        assert_eq!(ki2(format!("{board}▲２三金\n{last}\n")), expected, "{last}");
    }
}

// Case 30.
#[test]
fn white_begins_a_game_with_a_handicap_under_its_own_names() {
    let start = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let text = "手合割：二枚落ち　　\n下手：B\n上手：W\n1 ６二銀(71)\n2 ７六歩(77)\n3 投了\nまで2手で下手の勝ち\n";
    let header = [(HeaderKey::Black, "B"), (HeaderKey::White, "W")];
    let expected = with_end(usi(&format!("{start} moves 7a6b 7g7f")), EndKind::Resign);
    let expected = with_header(expected, &header);
    assert_eq!(kif(text), expected);
    assert_eq!(kif(text).outcome(), Outcome::Win(Color::Black));
    let written = expected.to_kif().unwrap();
    assert!(written.contains("下手：B\n上手：W\n") && written.ends_with("まで2手で下手の勝ち\n"));
    let text = "手合割：二枚落ち\n下手：B\n上手：W\n△６二銀 ▲７六歩\nまで2手で下手の勝ち\n";
    assert_eq!(ki2(text), expected);
    for (word, sfen) in
        [("右香落ち", "1nsgkgsnl/1r5b1"), ("左七枚落ち", "2sgkg3/9"), ("十枚落ち", "4k4/9")]
    {
        let start = format!("sfen {sfen}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert_eq!(kif(format!("手合割：{word}\n")), usi(&start));
    }
    assert!(
        parse_ki2("手合割：二枚落ち\n▲７六歩\n", Tolerance::Strict).is_err(),
        "White is to move"
    );
}

// Case 35.
#[test]
fn counts_in_hand_of_a_start_in_sfen_are_checked() {
    let line = |hand: &str| format!("sfen 4k4/9/9/9/9/9/9/9/4K4 b {hand} 1");
    let hand = |text: &str| {
        let setup: Setup = usi(&line(text)).setup;
        Color::ALL.map(|color| setup.hands[color].count(PieceKind::Pawn))
    };
    assert_eq!(hand("10P"), [10, 0]);
    assert_eq!(hand("18p"), [0, 18]);
    assert_eq!(hand("P17p"), [1, 17]);
    for (text, fault) in [("0P", "0"), ("19P", "19"), ("P18p", "19"), ("3R", "3")] {
        let error = parse_usi_games(line(text), Tolerance::Strict).unwrap_err();
        assert_eq!(error.line(), 1);
        assert!(error.to_string().contains(fault), "{text}: {error}");
        assert!(parse_usi_games(line(text), Tolerance::Lenient).unwrap().skipped.count() > 0);
    }
}

// Case 36.
#[test]
fn the_number_of_the_first_move_may_be_missing_or_zero() {
    let board = "sfen 4k4/9/9/9/9/9/9/9/4K4 w -";
    assert_eq!(usi(board).setup.ply, 1);
    assert_eq!(usi(&format!("{board} moves 5a5b")).moves.len(), 1);
    assert_eq!(usi(&format!("{board} 12")).setup.ply, 12);
    let zero = parse_usi_games(format!("{board} 0"), Tolerance::Lenient).unwrap();
    let plies: Vec<u32> = zero.records.iter().map(|record| record.setup.ply).collect();
    assert!(plies.iter().all(|&ply| ply >= 1), "{plies:?} {}", zero.skipped);
}
