//! Faults of single lines, with their place and the text expected.

use komadai_kifu::KifuFormat::{self, Csa, Ki2, Kif, Usen, Usi};

use super::{parts, refusal};

const MOVE: &str = "a move such as `７六歩(77)`, or an end such as `投了`";
const TIME: &str = "a time such as `( 0:16/00:00:16)`, or the end of the line";
const ROW: &str = "nine squares such as ` ・` or `v香` between bars, in at most nine rows";
const HAND: &str = "pieces in hand such as `飛　歩十八`, `なし`, or `残り全部` for one side";
const LATE: &str = "a start position before the moves";
const OVER: &str = "no move after the end of the game";
const VARIATION: &str = "a variation from a move that a line before has, `変化：12手`";
const USI_MOVE: &str = "a move such as 7g7f, 8h2b+ or P*5e";
const SECTION: &str = "a line such as `0.7ku2jm.r`: moves before it, moves, end";
const USEN_MOVE: &str = "a move of three digits of base 36, such as `7ku`";

/// A text, and line, column, the text found and the text expected of its first fault.
type Case = (KifuFormat, &'static str, u64, usize, &'static str, &'static str);

const CASES: [Case; 41] = [
    // KIF.
    (Kif, "先手：A\nhello\n", 2, 1, "hello", "a number and a move: `1 ７六歩(77)`"),
    (Kif, "1 ７六歩(77)\n  2  ８８\n", 2, 8, "", "a piece such as 歩 or 成銀"),
    (Kif, "1 七六歩(77)\n", 1, 3, "七六歩(77)", MOVE),
    (Kif, "1 ７六(77)\n", 1, 5, "(77)", "a piece such as 歩 or 成銀"),
    (Kif, "1 ７六猫(77)\n", 1, 5, "猫(77)", "a piece such as 歩 or 成銀"),
    (Kif, "1 ７六金成(77)\n", 1, 3, "７六金成(77)", "a piece that can promote before 成"),
    (Kif, "1 ７六歩\n", 1, 6, "", "the origin, `(77)`, or 打 for a drop"),
    (Kif, "1 ７六歩(7)\n", 1, 6, "(7)", "the origin, `(77)`, or 打 for a drop"),
    (Kif, "1 ７六玉打\n", 1, 3, "７六玉打", "a piece that can be held, for a drop"),
    (Kif, "0 ７六歩(77)\n", 1, 1, "0 ７六歩(77)", "a number from 1"),
    (Kif, "1 同　歩(77)\n", 1, 1, "1 同　歩(77)", "a move before 同"),
    (Kif, "1 ７七歩(77)\n", 1, 1, "1 ７七歩(77)", "a target other than the origin"),
    (Kif, "1 ７六歩(77) (-1:00/)\n", 1, 11, "(-1:00/)", TIME),
    (Kif, "1 ７六歩(77) ( 0:16/00:00:16\n2 ３四歩(33) 5秒\n", 2, 11, "5秒", TIME),
    (Kif, "1 投了\n2 ７六歩(77)\n", 2, 1, "2 ７六歩(77)", OVER),
    (Kif, "1 ７六歩(77)\n変化：9手\n", 2, 1, "変化：9手", VARIATION),
    (Kif, "1 ７六歩(77)\n変化：手\n", 2, 1, "変化：手", VARIATION),
    (Kif, "1 ７六歩(77)\n後手の持駒：飛\n", 2, 1, "後手の持駒：飛", LATE),
    (Kif, "|v香|一\n", 1, 1, "|v香|一", ROW),
    (Kif, "後手の持駒：飛二　玉\n", 1, 1, "玉", HAND),
    (Kif, "後手の持駒：飛三\n", 1, 1, "飛三", HAND),
    (
        Kif,
        "手合割：なにか\n1 ７六歩(77)\n",
        1,
        5,
        "なにか",
        "the name of a handicap such as 二枚落ち, or a diagram",
    ),
    (Kif, "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n1 ７六歩(77)\n", 2, 1, "", "nine rows of the diagram"),
    // KI2.
    (Ki2, "先手：A\nhello\n", 2, 1, "hello", "a line of the header, or a move such as ▲７六歩"),
    (Ki2, "▲７六歩\nまで1手で中断\n△３四歩\n", 3, 1, "△３四歩", OVER),
    (Ki2, "▲７六歩 投了　△３四歩\n", 1, 9, "△３四歩", OVER),
    (Ki2, "▲７六歩\n|v香|一\n", 2, 1, "|v香|一", LATE),
    (Ki2, "▲７六歩\n変化：12手\n", 2, 1, "変化：12手", VARIATION),
    // CSA, beside those of `malformed_input`.
    (Csa, "V2.2\nN*A\n", 2, 2, "*A", "`+` or `-` after `N`"),
    (Csa, "PI\n+\n%\n", 3, 2, "", "a word such as `TORYO` after `%`"),
    (Csa, "PI\n%TORYO\n", 2, 1, "%TORYO", "the side to move, `+` or `-`, before the end"),
    (Csa, "PI\n+\n+7776FU,T1,P1\n", 3, 12, "P1", "the start position to stand before the moves"),
    (Csa, "PI\n+\n-\n", 3, 1, "-", "a move such as `+7776FU`"),
    (
        Csa,
        "P+55\n+\n",
        1,
        3,
        "55",
        "a square and a piece such as `82HI`, or `00FU` for a piece in hand",
    ),
    // USI.
    (Usi, "startpos moves 7g7f hello\n", 1, 21, "hello", USI_MOVE),
    (Usi, "# 局\nstartpos moves 7g7f 7g7g\n", 2, 21, "7g7g", USI_MOVE),
    // USEN.
    (Usen, "hello", 1, 1, "hello", "lines of moves such as `~0.7ku2jm.`"),
    (Usen, "~0.6y236", 1, 7, "36", USEN_MOVE),
    (Usen, "~0.6y2.~0", 1, 9, "0", SECTION),
    (Usen, "~2.6y2.", 1, 2, "2.6y2.", "no moves before the first line"),
    (
        Usen,
        "~0.6y2.~3..",
        1,
        9,
        "3..",
        "no more moves before a variation than the line before it has",
    ),
];

#[test]
fn every_fault_states_its_place_the_text_found_and_the_text_expected() {
    let mut wrong = Vec::new();
    for (format, text, line, column, found, expected) in CASES {
        let error = refusal(text, format);
        if parts(&error) != Some((line, column, found, expected))
            || error.line() != line
            || error.column() != Some(column)
        {
            wrong.push(format!("{text:?}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn faults_of_moves_on_the_board_state_the_rule() {
    for (format, text, message) in [
        (
            Kif,
            "1 ７五歩(77)\n",
            "line 1, column 3: ply 1, 1 ７五歩(77), is illegal: a Pawn on 7g does not go to 7e",
        ),
        (
            Kif,
            "1 ７六歩(76)\n",
            "line 1, column 1: found \"1 ７六歩(76)\", expected a target other than the origin",
        ),
        (Kif, "1 ７六銀(77)\n", "line 1, column 3: ply 1 moves a Silver, but a Pawn stands on 7g"),
        (
            Kif,
            "1 ５五角打\n",
            "line 1, column 3: ply 1, 1 ５五角打, is illegal: Black has no Bishop in hand",
        ),
        (
            Ki2,
            "▲７六歩　△４五銀\n",
            "line 1, column 6: found \"△４五銀\", but no Silver can move to 4e in this way",
        ),
        (Ki2, "▲７六\n", "line 1, column 1: found \"\", expected a piece such as 歩 or 成銀"),
        (
            Ki2,
            "▲５八金\n",
            "line 1, column 1: found \"▲５八金\", which is any of the moves from 4i, 6i",
        ),
        (
            Ki2,
            "同銀\n",
            "line 1, column 1: found \"同銀\", expected a line of the header, or a move such as ▲７六歩",
        ),
        (
            Usi,
            "startpos moves 7g7e\n",
            "line 1, column 16: ply 1, 7g7e, is illegal: a Pawn on 7g does not go to 7e",
        ),
        (Usi, "sfen 9/9/9 b - 1\n", "line 1: the board has 3 ranks up to byte 10, expected 9"),
    ] {
        assert_eq!(refusal(text, format).to_string(), message, "{text}");
    }
}
