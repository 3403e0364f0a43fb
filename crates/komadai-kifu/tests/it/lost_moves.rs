//! Moves that cannot be made: what is kept of the game, and what is said of the rest.

use komadai_core::Color::{self, Black, White};
use komadai_kifu::KifuFormat::{self, Csa, Ki2, Kif, Usen, Usi};
use komadai_kifu::{KifuError, Outcome, Record, Tolerance, parse_records, parse_usi_games};

/// A text, the number of moves read, the number of those left out, and the outcome.
type Case = (KifuFormat, &'static str, usize, u64, Outcome);

const fn win(color: Color) -> Outcome {
    Outcome::Win(color)
}

const CASES: [Case; 26] = [
    // A drop without the piece, and the words of all ends.
    (
        Kif,
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 反則勝ち\nまで3手で後手の反則勝ち\n",
        2,
        1,
        win(White),
    ),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 反則勝ち\n", 2, 1, win(White)),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 ８四歩(83)\n5 投了\n", 2, 2, win(White)),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 投了\n", 2, 1, win(Black)),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 切れ負け\n", 2, 1, win(Black)),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 千日手\n", 2, 1, Outcome::Draw),
    (Kif, "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 中断\n", 2, 1, Outcome::Unknown),
    // White's second move is one of Black; the names of the last line are certain.
    (Kif, "1 ７六歩(77)\n2 ２六歩(27)\n3 反則行為\nまで1手で後手の反則勝ち\n", 1, 1, win(White)),
    (
        Kif,
        "1 ７六歩(77)\n2 ２六歩(27)\n3 ３四歩(33)\n4 投了\nまで3手で先手の勝ち\n",
        1,
        2,
        win(Black),
    ),
    // An unreadable line, 同 without a move before it, an origin that is the target.
    (Kif, "1 ７六歩(77)\n2 ３〓歩(33)\n3 ２六歩(27)\n4 投了\n", 1, 2, win(Black)),
    (Kif, "1 同　歩(77)\n2 ３四歩(33)\n3 投了\n", 0, 2, win(White)),
    (Kif, "1 ７六歩(76)\n2 投了\n", 0, 1, win(Black)),
    // KI2, also with the end on the line of the moves.
    (Ki2, "▲７六歩△３四歩▲４五角△８四歩\nまで4手で後手の勝ち\n", 2, 2, win(White)),
    (Ki2, "▲７六歩△３四歩▲５五角打△８四歩▲２六歩\nまで5手で先手の勝ち\n", 2, 3, win(Black)),
    (Ki2, "▲７六歩△５二金▲２六歩 投了", 1, 2, win(Black)),
    (Ki2, "▲５八金、△３四歩まで2手で後手の勝ち", 0, 2, win(White)),
    // CSA, whose moves have signs.
    (Csa, "PI\n+\n+7776FU\n-3334FU\n+0055KA\n-8384FU\n%TORYO\n", 2, 2, win(White)),
    (Csa, "PI\n+\n+7776FU\n-3334FU\n+0055KA\n%TORYO\nT3\n'*end\n", 2, 1, win(Black)),
    (Csa, "PI\n+\n+7776FU\n+2726FU\n-3334FU\n%TORYO\n", 1, 2, win(White)),
    (Csa, "PI\n+\n+7776FU\n-3334FU\n+0055KA\n%+ILLEGAL_ACTION\n", 2, 1, win(White)),
    (Csa, "PI\n+\n+7776FU\n-9999FU\n+2726FU\n%CHUDAN\n", 1, 2, Outcome::Unknown),
    // USI and USEN.
    (Usi, "startpos moves 7g7f 3c3d B*5e 8c8d resign\n", 2, 2, win(White)),
    (Usi, "startpos moves 7g7f 3c3d B*5e resign\n", 2, 1, win(Black)),
    (Usi, "startpos moves 7g7f 2g2f 3c3d rep_draw\n", 1, 2, Outcome::Draw),
    (Usen, "~0.6y2zzz236.r", 1, 2, win(Black)),
    (Usen, "~0.6y2zzz.t", 1, 1, win(White)),
];

fn read(text: &str, format: KifuFormat) -> (Record, u64, Vec<KifuError>) {
    let mut loaded = parse_records(text, format, Tolerance::Lenient).unwrap();
    assert!(parse_records(text, format, Tolerance::Strict).is_err(), "{text}");
    assert_eq!(loaded.records.len(), 1, "{text}");
    let lost = loaded.skipped.lost_moves();
    let mut faults = Vec::new();
    let _ = loaded.skipped.map(|fault| faults.push(fault));
    (loaded.records.remove(0), lost, faults)
}

#[test]
fn the_end_and_the_result_need_no_board() {
    for (format, text, kept, lost, outcome) in CASES {
        let (record, left_out, faults) = read(text, format);
        assert_eq!((record.moves.len(), left_out), (kept, lost), "{text}: {faults:?}");
        assert_eq!(record.outcome(), outcome, "{text}: {:?}", record.end);
        assert!(record.end.is_some(), "{text}");
        let [KifuError::MovesLost { moves, end: Some(_), .. }] = &*faults else {
            panic!("{text}: {faults:?}");
        };
        assert_eq!(*moves, lost);
    }
}

#[test]
fn the_result_survives_a_conversion_or_is_named_as_lost() {
    for (format, text, ..) in CASES {
        let (record, ..) = read(text, format);
        for format in [Kif, Ki2, Csa, Usi, Usen] {
            let written = record.to_text(format).unwrap();
            let again =
                parse_records(&written, format, Tolerance::Strict).unwrap().records.remove(0);
            let is_named =
                record.losses(&again).iter().any(|loss| loss.to_string().contains("end"));
            assert!(again.outcome() == record.outcome() || is_named, "{text}\n{written}");
            // What is written never turns a win into a loss.
            let pair = (record.outcome(), again.outcome());
            assert!(!matches!(pair, (Outcome::Win(one), Outcome::Win(other)) if one != other));
        }
    }
}

#[test]
fn the_fault_states_what_is_left_out_and_what_is_kept() {
    for (format, text, message) in [
        (
            Kif,
            "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 反則勝ち\n",
            "line 3, column 3: ply 3, 3 ５五角打, is illegal: Black has no Bishop in hand; the move is \
             left out, the end 反則勝ち is kept",
        ),
        (
            Csa,
            "PI\n+\n+7776FU\n-3334FU\n+0055KA\n-8384FU\n%TORYO\n",
            "line 5, column 1: ply 3, +0055KA, is illegal: Black has no Bishop in hand; the move and 1 \
             more move are left out, the end %TORYO is kept",
        ),
        (
            Usi,
            "startpos moves 7g7f 3c3d B*5e 8c8d 2g2f\n",
            "line 1, column 26: ply 3, B*5e, is illegal: Black has no Bishop in hand; the move and 2 \
             more moves are left out",
        ),
    ] {
        let (_, _, faults) = read(text, format);
        assert_eq!(faults[0].to_string(), message);
    }
}

#[test]
fn a_capture_of_the_king_is_named_as_such_in_all_formats() {
    // The horse gives check, White does not answer it, and the king is taken.
    let play = "startpos moves 7g7f 3c3d 8h3c+ 8c8d 3c5a 4a5a";
    let loaded = parse_usi_games(play, Tolerance::Lenient).unwrap();
    let fouls = &loaded.records[0];
    assert_eq!((fouls.moves.len(), loaded.skipped.lost_moves()), (4, 2));
    for (format, text) in [
        (Kif, fouls.to_kif().unwrap() + "5 ５一馬(33)\n6 同　金(41)\n7 中断\n"),
        (Csa, fouls.to_csa().unwrap() + "+3351UM\n-4151KI\n%CHUDAN\n"),
        (Usi, format!("{play}\n")),
    ] {
        let (record, lost, faults) = read(&text, format);
        assert_eq!((record.moves.len(), lost), (4, 2), "{format:?}");
        let last = faults.last().unwrap().to_string();
        assert!(last.contains("it captures White's king on 5a; the move and 1 more"), "{last}");
        assert_eq!(record.end.is_some(), format != Usi);
    }
}

#[test]
fn moves_of_variations_are_named_but_are_not_those_of_the_game() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n変化：2手\n2 ８四歩(83)\n3 ５五角打\n4 ３四歩(33)\n\
                変化：2手\n2 ５五角打\n3 投了\n変化：1手\n1 ２六歩(27)\n";
    let (record, lost, faults) = read(text, Kif);
    assert_eq!((record.moves.len(), record.variations.len(), lost), (2, 2, 0));
    assert_eq!(record.outcome(), win(White));
    let named: Vec<u64> = faults
        .iter()
        .map(|fault| match fault {
            KifuError::MovesLost { moves, .. } => *moves,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(named, [2, 1]);
}

#[test]
fn texts_after_the_end_belong_to_it_and_those_before_are_left_out() {
    let text = "1 ７六歩(77)\n2 ５五角打\n*lost\n3 ２六歩(27)\n*lost\n4 投了\n*kept\n";
    let (record, ..) = read(text, Kif);
    let notes: Vec<_> =
        record.end.iter().flat_map(|end| &end.comments).map(|note| note.text()).collect();
    assert_eq!(notes, ["kept"]);
    assert!(record.moves[0].comments.is_empty());
    let text = "PI\n+\n+7776FU\n-0055KA\n'*lost\nT9\n%TORYO\nT3\n'*kept\n";
    let (record, ..) = read(text, Csa);
    let end = record.end.unwrap();
    assert_eq!((end.comments[0].text(), end.time.unwrap().as_secs()), ("kept", 3));
    assert_eq!(record.moves[0].time, None);
}

#[cfg(feature = "jkf")]
#[test]
fn jkf_keeps_the_end_as_well() {
    let text = r#"{"header":{},"moves":[{},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"}},
        {"move":{"to":{"x":5,"y":5},"color":1,"piece":"KA"}},
        {"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"color":0,"piece":"FU"}},
        {"special":"TORYO","comments":["kept"]}]}"#;
    let (record, lost, faults) = read(text, KifuFormat::Jkf);
    assert_eq!((record.moves.len(), lost, record.outcome()), (1, 2, win(Black)));
    assert_eq!(record.end.unwrap().comments[0].text(), "kept");
    assert!(faults[0].to_string().ends_with("1 more move are left out, the end TORYO is kept"));
}
