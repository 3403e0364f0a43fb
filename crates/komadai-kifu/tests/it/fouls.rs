//! Fouls that are made on the board: an end that states them makes them no faults of the file.

use komadai_core::Color::White;
use komadai_core::Setup;
use komadai_kifu::KifuFormat::{self, Csa, Jkf, Ki2, Kif};
use komadai_kifu::{
    KifuError, Outcome, Record, Tolerance, carry_out, parse_records, parse_usi_games,
};

/// Games of Black whose last move is a foul, in USI.
const FOULS: [&str; 7] = [
    // The king is left in check.
    "startpos moves 7g7f 3c3d 4i5h 2b7g+ 2g2f",
    // Two pawns on a file (二歩).
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 8e8f P*9f",
    // The king goes into check.
    "startpos moves 7g7f 3c3d 5i5h 2b7g+ 5h6h",
    // A rook jumps.
    "startpos moves 7g7f 3c3d 2h2c",
    // Mate by a dropped pawn (打ち歩詰め).
    "sfen 7nk/9/8G/9/9/9/9/9/9 b P 1 moves P*1b",
    // A piece dropped where it can never move (行き所のない駒).
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b N 1 moves N*1a",
    // A pawn that does not promote on the last rank.
    "sfen 4k4/8P/9/9/9/9/9/9/4K4 b - 1 moves 1b1a",
];

fn record(line: &str) -> Record {
    parse_usi_games(line, Tolerance::Lenient).unwrap().records.remove(0)
}

/// Returns the text of the game with this end, which the writer adds.
fn text(line: &str, format: KifuFormat, end: Option<komadai_kifu::EndKind>) -> String {
    let mut record = record(line);
    record.end = end.map(komadai_kifu::End::new);
    record.to_text(format).unwrap()
}

#[test]
fn a_foul_that_the_end_states_is_no_fault() {
    use komadai_kifu::EndKind::{IllegalWin, PerpetualCheckWin, Win};

    let declared = Win { winner: White, reason: "二歩".to_owned() };
    for line in FOULS {
        for format in [Kif, Ki2, Csa, Jkf] {
            let reasons = [IllegalWin, PerpetualCheckWin, declared.clone()];
            // CSA has no word for a win of the side to move for another reason.
            for end in reasons.into_iter().filter(|end| format != Csa || *end != declared) {
                let text = text(line, format, Some(end));
                let loaded = parse_records(&text, format, Tolerance::Strict);
                let loaded = loaded.unwrap_or_else(|error| panic!("{error}\n{text}"));
                let read = &loaded.records[0];
                assert_eq!(read.outcome(), Outcome::Win(White), "{text}");
                assert!(read.punishes_last_move(), "{text}");
                assert_eq!(read.moves, record(line).moves, "{text}");
            }
        }
    }
}

#[test]
fn a_foul_that_no_end_states_is_a_fault_but_kept() {
    use komadai_kifu::EndKind::{IllegalLoss, Interrupt, Repetition, Resign};

    for line in FOULS {
        for format in [Kif, Ki2, Csa, Jkf] {
            for end in [None, Some(Resign), Some(IllegalLoss), Some(Interrupt), Some(Repetition)] {
                let text = text(line, format, end);
                assert!(parse_records(&text, format, Tolerance::Strict).is_err(), "{text}");
                let loaded = parse_records(&text, format, Tolerance::Lenient).unwrap();
                assert_eq!((loaded.skipped.count(), loaded.skipped.lost_moves()), (1, 0), "{text}");
                assert_eq!(loaded.records[0].moves, record(line).moves, "{text}");
            }
        }
    }
}

#[test]
fn a_move_after_a_foul_leaves_it_unexplained() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２三飛(28)\n4 ８四歩(83)\n5 反則勝ち\n";
    let error = parse_records(text, Kif, Tolerance::Strict).unwrap_err();
    assert!(matches!(error, KifuError::IllegalMove { line: 3, ply: 3, .. }), "{error}");
}

#[test]
fn every_foul_has_a_position_after_it() {
    for line in FOULS {
        let record = record(line);
        let mut setup = record.setup.clone();
        for played in &record.moves {
            setup = carry_out(&setup, played.m).unwrap();
        }
        assert_eq!(setup.side, White, "{line}");
        assert_eq!(setup.board[record.moves.last().unwrap().m.to()].unwrap().color(), !White);
    }
    let refused = ["5e5d", "3c3d", "2h2g", "B*5e", "5i5a"];
    for m in refused {
        assert!(carry_out(&Setup::hirate(), m.parse().unwrap()).is_err(), "{m}");
    }
}
