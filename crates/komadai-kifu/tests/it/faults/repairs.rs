//! Lenient readings: the game, and the list of repairs.

use komadai_kifu::KifuFormat::{self, Csa, Ki2, Kif, Usen, Usi};

use super::repaired;

/// A text, the games as USI, and the repairs.
type Case = (KifuFormat, &'static str, &'static [&'static str], &'static [&'static str]);

const CASES: [Case; 13] = [
    (
        Kif,
        "hello\n1 ７六歩(77) (x)\n３四歩(33)\n3 ２六歩(27)\n4 投了\n",
        &["startpos moves 7g7f 3c3d 2g2f"],
        &[
            "line 1, column 1: found \"hello\", expected a number and a move: `1 ７六歩(77)`",
            "line 2, column 11: found \"(x)\", expected a time such as `( 0:16/00:00:16)`, or the end of the line",
            "line 3, column 1: found \"３四歩(33)\", expected the number of the move before it: `1 ７六歩(77)`",
        ],
    ),
    // The name of a piece that is wrong: the squares count.
    (
        Kif,
        "1 ７六銀(77)\n2 ３四歩(33)\n",
        &["startpos moves 7g7f 3c3d"],
        &["line 1, column 3: ply 1 moves a Silver, but a Pawn stands on 7g"],
    ),
    // A foul is kept; a move that cannot be made ends the line, and the next variation begins anew.
    (
        Kif,
        "1 ７六歩(77)\n2 ３五歩(33)\n3 ５四金(55)\n*lost\n4 ８四歩(83)\n変化：2手\n2 ３四歩(33)\n",
        &["startpos moves 7g7f 3c3e"],
        &[
            "line 2, column 3: ply 2, 2 ３五歩(33), is illegal: a Pawn on 3c does not go to 3e",
            "line 3, column 3: ply 3, 3 ５四金(55), is illegal: there is no piece on 5e; the move and 1 more move are left out",
        ],
    ),
    (
        Kif,
        "手合割：なにか\n1 ７六歩(77)\n",
        &["startpos moves 7g7f"],
        &[
            "line 1, column 5: found \"なにか\", expected the name of a handicap such as 二枚落ち, or a diagram",
        ],
    ),
    (
        Kif,
        "1 ７六歩(77)\n変化：9手\n9 ３四歩(33)\n変化：1手\n1 ２六歩(27)\n",
        &["startpos moves 7g7f"],
        &[
            "line 2, column 1: found \"変化：9手\", expected a variation from a move that a line before has, `変化：12手`",
        ],
    ),
    (
        Ki2,
        "hello\n▲７六歩　△４五銀　▲２六歩\n変化：2手\n△３四歩\n",
        &["startpos moves 7g7f"],
        &[
            "line 1, column 1: found \"hello\", expected a line of the header, or a move such as ▲７六歩",
            "line 2, column 6: found \"△４五銀\", but no Silver can move to 4e in this way; the move and 1 more move are left out",
        ],
    ),
    (
        Ki2,
        "▲２三飛(28)　△３四歩\n",
        &["startpos moves 2h2c"],
        &[
            "line 1, column 1: ply 1, ▲２三飛(28), is illegal: the piece on 2g is in the way from 2h to 2c",
            "line 1, column 10: found \"△３四歩\", expected no move after a foul, because its piece cannot be known; the move is left out",
        ],
    ),
    (
        Csa,
        "N+A\n+7776FU\nTx\n-3334FU\n??\n%TORYO\n%TORYO\n",
        &["startpos moves 7g7f 3c3d"],
        &[
            "line 2, column 1: found \"\", expected a start position, `PI` or `P1` to `P9`, before the side to move",
            "line 3, column 2: found \"x\", expected seconds such as `12` or `12.345` after `T`",
            "line 5, column 1: found \"??\", expected a statement of CSA, which begins with V, N, $, P, +, -, T, %, ' or /",
            "line 7, column 1: found \"%TORYO\", expected one end of the game only",
        ],
    ),
    (
        Csa,
        "PI\n+\n+7775FU\n-3334FU\n+5556KI\n'lost\n-8384FU\n",
        &["startpos moves 7g7e 3c3d"],
        &[
            "line 3, column 1: ply 1, +7775FU, is illegal: a Pawn on 7g does not go to 7e",
            "line 5, column 1: ply 3, +5556KI, is illegal: there is no piece on 5e; the move and 1 more move are left out",
        ],
    ),
    (
        Usi,
        "startpos moves 7g7f\nhello\nstartpos moves 7g7e 3c3d\nstartpos moves 5e5d 7g7f\n",
        &["startpos moves 7g7f", "startpos moves 7g7e 3c3d", "startpos"],
        &[
            "line 2: found 'h' on the board at byte 0, expected one of KRBGSNLP in either case, `+`, a digit 1 to 9 or `/`",
            "line 3, column 16: ply 1, 7g7e, is illegal: a Pawn on 7g does not go to 7e",
            "line 4, column 16: ply 1, 5e5d, is illegal: there is no piece on 5e; the move and 1 more move are left out",
        ],
    ),
    (
        Usen,
        "~0.6y2zzz.r~9.36e.~1.36e.",
        &["startpos moves 2g2f"],
        &[
            "line 1, column 7: found \"zzz\", expected a move of three digits of base 36, such as `7ku`; the move is left out, the end r is kept",
            "line 1, column 13: found \"9.36e.\", expected no more moves before a variation than the line before it has",
        ],
    ),
    (Usen, "~0.6y2.q", &["startpos moves 2g2f"], &[]),
    (
        Csa,
        "PI\n+\n+7776FU\n/\n+9999FU\n/\nPI\n+\n+2726FU\n",
        &["startpos moves 7g7f", "startpos", "startpos moves 2g2f"],
        &[
            "line 5, column 1: found \"+9999FU\", expected a move such as `+7776FU`, or `+0055KA` for a drop",
            "line 6, column 1: found \"\", expected a start position, `PI` or `P1` to `P9`, before the side to move",
        ],
    ),
];

#[test]
fn a_lenient_reading_returns_the_game_and_the_list_of_repairs() {
    let mut wrong = Vec::new();
    for (format, text, games, repairs) in CASES {
        let read = repaired(text, format);
        if (read.0 != games) || (read.1 != repairs) {
            wrong.push(format!("{text:?}\n  {:?}\n  {}", read.0, read.1.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
