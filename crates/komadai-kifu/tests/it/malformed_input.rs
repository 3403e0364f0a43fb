//! Faulty records: each fault is reported with its place, a lenient reading continues, nothing
//! panics.

use komadai_core::Color;
use komadai_kifu::{
    CsaReader, GameReader, KifuError, Outcome, Record, TextFaultKind, Tolerance, UsiGamesReader,
    parse_csa, parse_usi_games,
};
use komadai_movegen::IllegalMove;
use komadai_testdata::garbage;
use komadai_testdata::kifu::samples;
use proptest::prelude::*;

/// Reads strictly, which must fail, and returns the text of the error.
fn refusal(text: impl AsRef<[u8]>) -> String {
    parse_csa(text, Tolerance::Strict).unwrap_err().to_string()
}

/// Reads leniently. Returns the games as USI and the number of faults skipped.
fn rescued(text: impl AsRef<[u8]>) -> (Vec<String>, u64) {
    let loaded = parse_csa(text, Tolerance::Lenient).unwrap();
    let games = loaded.records.iter().map(|record| record.to_usi().to_string()).collect();
    (games, loaded.skipped.count())
}

#[test]
fn faults_are_named_with_their_place() {
    for (text, message) in [
        (
            "V2.2\nHello\n",
            "line 2, column 1: found \"Hello\", expected a statement of CSA, \
            which begins with V, N, $, P, +, -, T, %, ' or /",
        ),
        (
            "PI\n+\n+7776F",
            "line 3, column 1: found \"+7776F\", expected a move such as `+7776FU`, \
            or `+0055KA` for a drop",
        ),
        (
            "PI\n+\n+7776FU,-3334XX",
            "line 3, column 9: found \"-3334XX\", expected a move such as \
            `+7776FU`, or `+0055KA` for a drop",
        ),
        (
            "PI\n+\n+7776FU\n+2726FU\n",
            "line 4, column 1: ply 2 is signed for Black, but White is \
            to move",
        ),
        (
            "PI\n+\n+5554FU\n",
            "line 3, column 1: ply 1, +5554FU, is illegal: there is no piece on \
            5e",
        ),
        ("PI\n+\n+7776KI\n", "line 3, column 2: ply 1 moves a Gold, but a Pawn stands on 7g"),
        ("PI\n+\nT1\n", "line 3, column 1: found \"T1\", expected a move before the time it took"),
        (
            "PI\n+\n+7776FU\nT-1\n",
            "line 4, column 2: found \"-1\", expected seconds such as `12` \
            or `12.345` after `T`",
        ),
        (
            "PI\n+\n%TORYO\n+7776FU\n",
            "line 4, column 1: found \"+7776FU\", expected no move after \
            the end of the game",
        ),
        (
            "PI\n+\n%TORYO,%TORYO\n",
            "line 3, column 8: found \"%TORYO\", expected one end of the \
            game only",
        ),
        (
            "P1-KY-KE-GI\n+\n",
            "line 1, column 12: found \"\", expected nine squares, each ` * ` or \
            a sign and a piece such as `-FU`",
        ),
        (
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY *\n+\n",
            "line 1, column 30: found \" *\", expected the \
            end of the rank after nine squares",
        ),
        (
            "PX\n+\n",
            "line 1, column 2: found \"X\", expected `I`, a rank 1 to 9, `+` or `-` after \
            `P`",
        ),
        (
            "PI55FU\n+\n",
            "line 1, column 3: found \"55FU\", expected a square and the piece that \
            stands there",
        ),
        (
            "P+00OU\n+\n",
            "line 1, column 3: found \"00OU\", expected a piece that can be held, on \
            `00`",
        ),
        (
            "P+00HI00HI00HI\n+\n",
            "line 1: the start position is not possible: 3 pieces of kind \
            Rook, but the game has 2",
        ),
        (
            "P+55FU54FU\nP-51OU\n+\n",
            "line 3: the start position is not possible: Black has two \
            unpromoted pawns on file 5",
        ),
        (
            "P+55FU55FU\n+\n",
            "line 1, column 7: found \"55FU\", expected a square that is still \
            empty",
        ),
        ("$EVENT\n", "line 1, column 7: found \"\", expected a colon after the key"),
        (
            "+7776FU\n",
            "line 1, column 1: found \"\", expected a start position, `PI` or `P1` to \
            `P9`, before the side to move",
        ),
        (
            "PI\n+7776FU\n",
            "line 2, column 1: found \"+7776FU\", expected the side to move first, \
            `+` or `-`, on a line of its own",
        ),
        ("PI\n", "line 1, column 1: found \"\", expected the side to move first, `+` or `-`"),
    ] {
        assert_eq!(refusal(text), message);
    }
}

#[test]
fn an_illegal_move_in_mid_game_is_reported_with_ply_and_reason() {
    let text = "PI\n+\n+7776FU\n-3334FU\n+8878KA\n-8384FU\n%TORYO\n";
    let Err(KifuError::IllegalMove { line: 5, ply: 3, reason, .. }) =
        parse_csa(text, Tolerance::Strict)
    else {
        panic!("the bishop cannot move like that");
    };
    assert!(matches!(reason, IllegalMove::CannotReach { .. } | IllegalMove::Blocked { .. }));
    // A lenient reader keeps what can be carried out, since fouls are recorded too …
    let loaded = parse_csa(text, Tolerance::Lenient).unwrap();
    assert_eq!(loaded.records[0].moves.len(), 4);
    assert_eq!(loaded.skipped.count(), 1);
    // … but replaying stops before it.
    let mut legal = 0;
    let replayed = loaded.records[0].replay(|_, _| {
        legal += 1;
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!((legal, replayed.is_err()), (2, true));
}

#[test]
fn a_game_is_cut_where_a_move_makes_no_sense_and_keeps_its_result() {
    let text = "PI\n+\n+7776FU\nT3\n-5554FU\nT4\n+2726FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n";
    let loaded = parse_csa(text, Tolerance::Lenient).unwrap();
    let outcomes: Vec<_> = loaded.records.iter().map(|record| record.outcome()).collect();
    assert_eq!(outcomes, [Outcome::Win(Color::Black); 2]);
    assert_eq!(
        rescued(text),
        (vec!["startpos moves 7g7f".to_owned(), "startpos moves 2g2f".to_owned()], 1)
    );
}

#[test]
fn lenient_reading_repairs_what_it_can() {
    let start = "startpos moves 7g7f 3c3d";
    for (text, games, skipped) in [
        ("+7776FU\n-3334FU\n", vec![start], 1),
        ("PI\n+7776FU\n-3334FU\n", vec![start], 1),
        ("PI\n+\nT9\n+7776FU\n???\n-3334FU\n", vec![start], 2),
        ("\u{feff}PI\r\n+\r\n+7776FU\r-3334FU\r\r", vec![start], 0),
        ("/\n/\nPI,+,+7776FU,-3334FU\n/\n", vec![start], 0),
        ("'nothing but a comment\n", vec![], 0),
        ("", vec![], 0),
        ("V2\nPI\n+\n+7776FU\n-3334FU\nV2\nPI\n+\n+7776FU\n-3334FU\n", vec![start, start], 0),
    ] {
        let games = games.into_iter().map(str::to_owned).collect();
        assert_eq!(rescued(text), (games, skipped), "{text:?}");
    }
}

#[test]
fn taking_back_removes_a_move_and_its_answer() {
    let text = "PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%MATTA\n+2726FU\n%MATTA\n%MATTA\n";
    assert_eq!(rescued(text), (vec!["startpos".to_owned()], 0));
    assert_eq!(rescued(&text[..text.find("+2726").unwrap()]).0, ["startpos moves 7g7f 3c3d"]);
}

#[test]
fn bytes_of_no_encoding_are_refused_or_skipped() {
    let text = b"PI\n+\n+7776FU\n'\xff\xfe\xfd\n-3334FU\n";
    let error = parse_csa(text, Tolerance::Strict).unwrap_err();
    assert_eq!(error.to_string(), "line 4: not UTF-8, Shift_JIS (code page 932) or EUC-JP");
    let error = parse_usi_games(b"\x82\xa0", Tolerance::Strict).unwrap_err();
    assert_eq!(error.to_string(), "line 1: not UTF-8");
    assert_eq!(rescued(text), (vec!["startpos moves 7g7f 3c3d".to_owned()], 1));
}

/// Returns true if the first line is refused because of its length.
fn is_too_long(game: &Option<Result<Record, KifuError>>) -> bool {
    let Some(Err(KifuError::Text(fault))) = game else { return false };
    fault.line == 1 && matches!(fault.kind, TextFaultKind::LineTooLong { .. })
}

#[test]
fn a_hundred_megabytes_of_garbage_are_refused_at_their_start() {
    const BYTES: u64 = 100 << 20;
    let mut endless_line = CsaReader::new(garbage::of(b"+7776FU", BYTES), Tolerance::Strict);
    assert!(is_too_long(&endless_line.next()));
    assert!(endless_line.next().is_none());
    let mut lines = CsaReader::new(garbage::of(b"garbage\n", BYTES), Tolerance::Strict);
    let Some(Err(KifuError::Text(fault))) = lines.next() else { panic!("the text is no CSA") };
    assert!(fault.line == 1 && matches!(fault.kind, TextFaultKind::Syntax { .. }), "{fault}");
    let mut games = UsiGamesReader::new(garbage::of(b"startpos moves ", BYTES), Tolerance::Strict);
    assert!(is_too_long(&games.next()));
    assert!(GameReader::new(garbage::of(b"\0\xff", BYTES), Tolerance::Strict).is_err());
}

#[test]
fn garbage_is_passed_over_in_bounded_memory() {
    const BYTES: u64 = 20 << 20;
    for pattern in [&b"garbage\n"[..], b"garbage", b"PI\n+\n+7776FU\n'x\n-3334FU\n'\xff\n"] {
        let mut games = CsaReader::new(garbage::of(pattern, BYTES), Tolerance::Lenient);
        assert!(games.by_ref().all(|game| game.is_ok()));
        assert!(games.skipped().count() > 0);
        assert!(
            games.skipped().first().len()
                <= komadai_kifu::Skipped::<komadai_kifu::KifuError>::LISTED
        );
    }
}

#[test]
fn one_game_cannot_hold_more_than_a_game() {
    let mut text = String::from("PI\n+\n");
    for _ in 0..30_000 {
        text += "+2818HI\n-8292HI\n+1828HI\n-9282HI\n";
    }
    let error = refusal(&text);
    assert_eq!(error, "line 50003: the game has more than 50000 moves");
    let comments = format!("PI\n+\n{}", format!("'{}\n", "x".repeat(1 << 19)).repeat(40));
    assert!(refusal(comments).contains("the game has more than 16777216 bytes of comments"));
}

#[test]
fn of_a_line_in_columns_the_game_is_read() {
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let lines = |game: &str| [format!("{start}\t{game}"), format!("{start}\t{game}\tplies=1")];
    for line in lines("startpos moves 7g7f, eval_limit=400") {
        let records = parse_usi_games(&line, Tolerance::Strict).unwrap().records;
        assert_eq!(records[0].to_usi().to_string(), "startpos moves 7g7f", "{line}");
    }
    // Columns of errors are those of the whole line; 70 characters and a tab stand before the game.
    for line in lines("startpos moves 7g7g") {
        let error = parse_usi_games(&line, Tolerance::Strict).unwrap_err().to_string();
        assert!(error.contains("line 1, column 87"), "{error}");
    }
    for line in lines("startpos move 7g7f") {
        let error = parse_usi_games(&line, Tolerance::Strict).unwrap_err().to_string();
        assert!(error.contains("line 1, column 81: found \"move\""), "{error}");
    }
    // A tab in place of a blank separates no columns.
    let text = "startpos\tmoves\t7g7f";
    let records = parse_usi_games(text, Tolerance::Strict).unwrap().records;
    assert_eq!(records[0].moves.len(), 1);
}

#[test]
fn usi_games_may_have_comments() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text =
        format!("# games\nsfen {start} # cp=-21 plies=18\nstartpos moves 7g7f #good, even=yes\n");
    let records = parse_usi_games(text, Tolerance::Strict).unwrap().records;
    assert_eq!(records.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [0, 1]);
    assert!(records.iter().all(|game| game.header.is_empty()));
}

#[test]
fn usi_games_are_written_as_they_are_read() {
    let text = "startpos moves 7g7f 3c3d resign\nstartpos moves 7g7f rep_draw\nstartpos\n\
                startpos moves win\nsfen 4k4/9/9/9/9/9/9/9/4K4 w - 12 moves 5a5b rep_lose\n";
    let games = parse_usi_games(text, Tolerance::Strict).unwrap().records;
    let written: Vec<String> = games.iter().map(|game| game.to_usi_line() + "\n").collect();
    assert_eq!(written.concat(), text);
}

#[test]
fn usi_games_are_validated_line_by_line() {
    let text = "startpos moves 7g7f 3c3d resign\n\
                startpos moves 7g7f 7f7e\n\
                startpos moves 7g7x\n\
                sfen lnsgkgsnl/9/9 b - 1 moves\n\
                # comment\n\
                startpos moves 2g2f, limit=400\n";
    let loaded = parse_usi_games(text, Tolerance::Lenient).unwrap();
    let games: Vec<_> = loaded.records.iter().map(|record| record.to_usi().to_string()).collect();
    assert_eq!(games, ["startpos moves 7g7f 3c3d", "startpos moves 7g7f", "startpos moves 2g2f"]);
    assert_eq!(loaded.records[2].header.custom("limit"), Some("400"));
    let faults: Vec<_> = loaded.skipped.first().iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "line 2, column 21: ply 2, 7f7e, is illegal: the Pawn on 7f is Black's, but White is to \
         move; the move is left out",
            "line 3, column 16: found \"7g7x\", expected a move such as 7g7f, 8h2b+ or P*5e",
            "line 4: the board has 3 ranks up to byte 18, expected 9",
        ]
    );
    assert!(parse_usi_games(text, Tolerance::Strict).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Samples with some bytes changed, cut or doubled: strict and lenient reading end.
    #[test]
    fn damaged_files_are_survived(
        which in 0usize..59,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let sample = samples().nth(which).unwrap();
        let mut bytes = sample.bytes.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        let _ = parse_csa(&bytes, Tolerance::Strict);
        let loaded = parse_csa(&bytes, Tolerance::Lenient).unwrap();
        for record in loaded.records {
            let _ = record.replay(|_, _| std::ops::ControlFlow::Continue(()));
            let written = record.to_csa().expect("what was read can be written");
            let again = parse_csa(written, Tolerance::Lenient).unwrap();
            prop_assert_eq!(&again.records[0].moves.len(), &record.moves.len());
        }
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = parse_csa(&bytes, Tolerance::Strict);
        parse_csa(&bytes, Tolerance::Lenient).unwrap();
        parse_usi_games(&bytes, Tolerance::Lenient).unwrap();
        let _ = GameReader::new(&bytes[..], Tolerance::Lenient);
    }
}
