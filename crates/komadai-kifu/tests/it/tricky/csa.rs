//! Statements of CSA.

use komadai_core::Color;
use komadai_kifu::analysis::AnalysisSource;
use komadai_kifu::{Comment, EndKind, HeaderKey, KifuError, Line, Outcome, Tolerance, parse_csa};

use super::{csa, note, usi, with_comments, with_end, with_header, with_times};

fn refusal(text: &str) -> KifuError {
    parse_csa(text, Tolerance::Strict).unwrap_err()
}

fn remark(text: &str) -> Comment {
    Comment::Remark(text.to_owned())
}

// Case 19.
#[test]
fn a_move_of_the_wrong_side_is_reported_with_both_sides() {
    let text = "PI\n+\n+7776FU\n+2726FU\n-3334FU\n%TORYO\n";
    let error = refusal(text);
    assert!(matches!(
        error,
        KifuError::WrongSide {
            line: 4,
            column: 1,
            ply: 2,
            found: Color::Black,
            expected: Color::White
        }
    ));
    assert_eq!(error.hint().as_deref(), Some("a move before it may be missing"));
    // No move is guessed: the game is cut there. The sign of the last move says who resigned.
    let loaded = parse_csa(text, Tolerance::Lenient).unwrap();
    assert_eq!(loaded.records[0].to_usi().to_string(), "startpos moves 7g7f");
    assert_eq!(loaded.records[0].outcome(), Outcome::Win(Color::White));
    assert_eq!((loaded.skipped.count(), loaded.skipped.lost_moves()), (1, 2));
}

// Case 20.
#[test]
fn a_time_before_the_moves_is_a_fault_and_belongs_to_nothing() {
    let text = "PI\n+\nT5\n+7776FU\nT3\n";
    assert_eq!(
        refusal(text).to_string(),
        "line 3, column 1: found \"T5\", expected a move before the time it took"
    );
    let expected = with_times(usi("startpos moves 7g7f"), &[3]);
    assert_eq!(parse_csa(text, Tolerance::Lenient).unwrap().records[0], expected);
    let text = "T5\nPI\n+\n+7776FU\nT3\n";
    assert_eq!(refusal(text).line(), 1);
    assert_eq!(parse_csa(text, Tolerance::Lenient).unwrap().records, [expected]);
}

// Case 21.
#[test]
fn a_comment_may_follow_a_move_on_its_line() {
    let text = "PI\n+\n+7776FU'角道, T9\n-3334FU,T6'*good, really\n";
    let mut expected = usi("startpos moves 7g7f 3c3d");
    expected.moves[1].time = Some(std::time::Duration::from_secs(6));
    let expected = with_comments(expected, 1, &[remark("角道, T9")]);
    assert_eq!(csa(text), with_comments(expected, 2, &[note("good, really")]));
}

// Case 22.
#[test]
fn blanks_between_the_squares_may_be_collapsed_or_cut() {
    let rows = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
                P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
                P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n";
    let expected = usi("startpos moves 7g7f");
    for rows in
        [rows.to_owned(), rows.replace("  ", " "), rows.replace(" \n", "\n"), rows.replace(' ', "")]
    {
        assert_eq!(csa(format!("{rows}+\n+7776FU\n")), expected, "{rows}");
    }
    assert_eq!(refusal("P1-KY-KE-GI * -OU\n+\n").line(), 1);
}

// Case 23.
#[test]
fn commas_join_statements_of_all_kinds_but_texts() {
    let text = "V2.2\nN+A, B\n$EVENT:C, D\nPI,+\n+7776FU,T12,-3334FU , T6\n%CHUDAN,T3\n";
    let mut expected =
        with_end(with_times(usi("startpos moves 7g7f 3c3d"), &[12, 6]), EndKind::Interrupt);
    expected.end.as_mut().unwrap().time = Some(std::time::Duration::from_secs(3));
    assert_eq!(
        csa(text),
        with_header(expected, &[(HeaderKey::Black, "A, B"), (HeaderKey::Event, "C, D")])
    );
}

// Case 24.
#[test]
fn all_remaining_pieces_go_to_a_hand_without_the_kings() {
    let both = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    assert_eq!(csa("P-51OU\nP+59OU53FU00KI\nP-00AL\n+\n"), usi(both));
    let one = "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    assert_eq!(csa("P-51OU\nP+53FU00KI\nP-00AL\n+\n"), usi(one));
    // Pieces after it are set up all the same.
    assert_eq!(csa("P-00AL\nP-51OU\nP+53FU00KI\n+\n"), usi(one));
    let none = parse_csa("P+53FU00KI\nP-00AL\n+\n", Tolerance::Lenient).unwrap();
    let start = none.records[0].setup.to_string();
    assert_eq!(start, "9/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "kings are never in hand");
}

// Case 25.
#[test]
fn a_slash_separates_games() {
    let text = "V2.2\nN+A\nPI\n+\n+7776FU\n%TORYO\n/\nN+B\nPI82HI22KA\n-\n-3142GI\nT2\n/\nPI\n+\n";
    let games = parse_csa(text, Tolerance::Strict).unwrap().records;
    let first = with_end(usi("startpos moves 7g7f"), EndKind::Resign);
    let two = usi("sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3a4b");
    let first = with_header(first, &[(HeaderKey::Black, "A")]);
    let second = with_header(with_times(two, &[2]), &[(HeaderKey::Black, "B")]);
    assert_eq!(games, [first, second, usi("startpos")]);
}

// Case 26.
#[test]
fn a_note_has_escapes_for_line_ends_and_backslashes() {
    let text = "V3.0\n$NOTE:one\\ntwo\\\\n C:\\games\nPI\n+\n";
    let expected = with_header(usi("startpos"), &[(HeaderKey::Note, "one\ntwo\\n C:\\games")]);
    assert_eq!(csa(text), expected);
    let written = expected.to_csa().unwrap();
    assert!(written.contains("$NOTE:one\\ntwo\\\\n C:\\\\games\n"), "{written}");
    assert_eq!(csa(written), expected);
}

// Case 27.
#[test]
fn taking_back_removes_a_move_and_its_answer() {
    let text = "PI\n+\n+7776FU\nT1\n-3334FU\nT2\n%MATTA\n+2726FU\nT4\n%TORYO\n";
    assert_eq!(csa(text), with_end(with_times(usi("startpos moves 2g2f"), &[4]), EndKind::Resign));
    assert_eq!(csa("PI\n+\n+7776FU\n%MATTA\n"), usi("startpos"));
    assert_eq!(csa("PI\n+\n%MATTA\n+7776FU\n"), usi("startpos moves 7g7f"));
}

// Case 28.
#[test]
fn a_program_comment_of_another_form_is_a_comment_alone() {
    let comments = ["* good move", "*評価値=30", "* 30 -3334FU #99"].map(note);
    let text = "PI\n+\n+7776FU\n'** good move\n'**評価値=30\n'** 30 -3334FU #99\n";
    let record = csa(text);
    assert_eq!(record, with_comments(usi("startpos moves 7g7f"), 1, &comments));
    let analyses = record.analyses(Line::Main);
    let sources: Vec<AnalysisSource> =
        analyses.iter().map(|(_, analysis)| analysis.source).collect();
    assert_eq!(sources, [AnalysisSource::ShogiHomePlayer, AnalysisSource::Floodgate]);
    assert_eq!(analyses[1].1.nodes, Some(99));
}
