//! Starts: names of handicaps, other games, and every format with every start by its content alone.

use std::io::BufReader;

use komadai_core::{Handicap, Setup};
use komadai_kifu::{
    GameReader, KifuFormat, Record, RecordMove, Tolerance, parse_csa, parse_ki2, parse_kif,
    parse_usi_games,
};

use super::written_again::FORMATS;

fn game(start: &str, moves: &[&str]) -> Record {
    let mut record = Record::new(Setup::from_sfen(start).unwrap());
    record.moves = moves.iter().map(|m| RecordMove::new(m.parse().unwrap())).collect();
    record
}

#[test]
fn every_start_goes_through_every_format_by_its_content() {
    let mut games: Vec<Record> =
        Handicap::ALL.iter().map(|start| game(start.sfen(), &[])).collect();
    games.extend([
        game(Handicap::Hirate.sfen(), &["7g7f", "3c3d"]),
        game(Handicap::TwoPiece.sfen(), &["3c3d", "7g7f"]),
        game("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", &["G*5b"]),
        // Ranks that begin as statements of CSA, and pieces that are promoted.
        game("+P7k/9/9/9/9/9/9/9/K8 b - 1", &["9a9b"]),
        game("+P+P6k/9/9/9/9/9/9/9/K8 b - 1", &["9i8i"]),
        game("+p8/9/4k4/9/9/9/9/4K4/N8 w RBrb 1", &["R*1a"]),
        game("9/9/9/4k4/9/9/4K4/9/9 b - 1", &["5g5f"]),
        game("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &["3c3d", "7g7f"]),
    ]);
    for record in &games {
        for &format in FORMATS {
            let text = record.to_text(format).unwrap();
            // A position alone is KIF or KI2.
            let is_open = record.moves.is_empty() && format == KifuFormat::Ki2;
            let found = KifuFormat::detect(text.as_bytes());
            assert!(found == Some(format) || is_open, "{format:?} {found:?}\n{text}");
            for buffer in [16, 8_192] {
                let source = BufReader::with_capacity(buffer, text.as_bytes());
                let reader = GameReader::new(source, Tolerance::Strict).unwrap();
                let again: Vec<Record> = reader.map(Result::unwrap).collect();
                assert_eq!(again.len(), 1, "{text}");
                assert_eq!(again[0].to_usi(), record.to_usi(), "{text}");
            }
        }
    }
}

#[test]
fn a_diagram_needs_no_name() {
    let problem = game("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", &[]);
    for text in [problem.to_kif().unwrap(), problem.to_ki2().unwrap()] {
        assert!(!text.contains("手合割") && text.contains("後手の持駒："), "{text}");
        assert_eq!(parse_kif(text, Tolerance::Strict).unwrap().records[0].setup, problem.setup);
    }
    let even = game(Handicap::Hirate.sfen(), &[]).to_kif().unwrap();
    assert!(even.starts_with("手合割：平手\n"));
}

#[test]
fn names_of_handicaps_are_read_in_other_words() {
    for (word, start) in [
        ("２枚落ち", Handicap::TwoPiece),
        ("2枚落", Handicap::TwoPiece),
        ("二枚落", Handicap::TwoPiece),
        ("10枚落ち", Handicap::TenPiece),
        ("１０枚落ち", Handicap::TenPiece),
        ("左5枚落ち", Handicap::LeftFivePiece),
        ("右７枚落ち", Handicap::RightSevenPiece),
        ("飛角落ち", Handicap::TwoPiece),
        ("角行落ち", Handicap::Bishop),
        ("飛車香落ち", Handicap::RookLance),
        ("左香落ち", Handicap::Lance),
        ("平手　先手番", Handicap::Hirate),
        ("平手（先手番）", Handicap::Hirate),
        ("四枚落ち　上手番", Handicap::FourPiece),
    ] {
        let text = format!("手合割：{word}\n先手：A\n");
        let strict = parse_kif(&text, Tolerance::Strict).unwrap().records.remove(0);
        assert_eq!(strict.setup, start.to_setup(), "{word}");
        let again = parse_kif(strict.to_kif().unwrap(), Tolerance::Strict).unwrap().records;
        assert_eq!(again, [strict]);
        // A name that programs do not write is named, at its line.
        let lenient = parse_kif(&text, Tolerance::Lenient).unwrap();
        if start.kif_name().trim_end_matches('ち') != word.trim_end_matches('ち') {
            let fault = lenient.skipped.first()[0].to_string();
            assert!(fault.contains("line 1, column 5") && fault.contains(word), "{fault}");
        }
    }
    let white = parse_kif("手合割：平手　後手番\n", Tolerance::Strict).unwrap().records.remove(0);
    assert_eq!(white.setup.to_string().split(' ').nth(1), Some("w"));
}

#[test]
fn an_unknown_name_is_named_at_its_line() {
    for (text, line) in [
        ("手合割：謎落ち\n先手：A\n1 ７六歩(77)\n", 1),
        ("#KIF version=2.0\n先手：A\n手合割：謎落ち\n1 ７六歩(77)\n", 3),
    ] {
        let error = parse_kif(text, Tolerance::Strict).unwrap_err();
        assert_eq!((error.line(), error.column()), (line, Some(5)));
        assert!(error.to_string().contains("謎落ち"), "{error}");
        let loaded = parse_kif(text, Tolerance::Lenient).unwrap();
        assert_eq!((loaded.records[0].moves.len(), loaded.skipped.count()), (1, 1));
    }
}

#[test]
fn other_games_are_refused_and_the_next_one_is_read() {
    let small = "|v飛v角v銀v金v玉|一\n| ・ ・ ・ ・v歩|二\n| ・ ・ ・ ・ ・|三\n| 歩 ・ ・ ・ ・|四\n| 玉 金 銀 角 飛|五\n";
    for other in [
        "手合割：5五将棋\n先手：A\n1 ５四歩(55)\n2 投了\n".to_owned(),
        "手合割：５五将棋\n1 ５四歩(55)\n".to_owned(),
        "手合割：五五将棋\n開始日時：2024/01/01\n1 ５四歩(55)\nまで1手で中断\n".to_owned(),
        "手合割：Minishogi\n1 ５四歩(55)\n".to_owned(),
        "手合割：京都将棋\n1 ５四歩(55)\n".to_owned(),
        format!("先手：A\n{small}先手番\n1 ５四歩(55)\n"),
        format!("手合割：その他\n{small}1 ５四歩(55)\n変化：1手\n1 ４四歩(45)\n"),
    ] {
        let alone = parse_kif(&other, Tolerance::Lenient).unwrap();
        assert_eq!((alone.records.len(), alone.skipped.count()), (0, 1), "{other}");
        assert!(alone.skipped.lost_moves() > 0);
        let message = alone.skipped.first()[0].to_string();
        assert!(message.contains("nine by nine"), "{message}");
        assert!(parse_kif(&other, Tolerance::Strict).is_err());
        let joined = format!("{other}手合割：平手\n1 ７六歩(77)\n");
        let loaded = parse_kif(joined, Tolerance::Lenient).unwrap();
        assert_eq!(loaded.records.len(), 1, "{other}");
        assert_eq!(loaded.records[0].to_usi_line(), "startpos moves 7g7f");
    }
    let ki2 = parse_ki2("手合割：5五将棋\n▲５四歩 △２三歩\n", Tolerance::Lenient).unwrap();
    assert_eq!((ki2.records.len(), ki2.skipped.count()), (0, 1));
}

#[test]
fn a_variation_behind_the_last_move_continues_the_line() {
    let kif = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n";
    let more = "変化：4手\n4 ８四歩(83)\n5 ２五歩(26)\n";
    for (text, main, variations) in [
        (format!("{kif}{more}"), "7g7f 3c3d 2g2f 8c8d 2f2e", 0),
        (format!("{kif}{more}変化：6手\n6 ８五歩(84)\n"), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e", 0),
        // Another move, an end or a variation stands there.
        (format!("{kif}{more}変化：4手\n4 ４四歩(43)\n"), "7g7f 3c3d 2g2f 8c8d 2f2e", 1),
        (format!("{kif}4 投了\n{more}"), "7g7f 3c3d 2g2f", 1),
        (format!("{kif}まで3手で先手の勝ち\n{more}"), "7g7f 3c3d 2g2f", 1),
        (format!("{kif}変化：2手\n2 ８四歩(83)\n変化：3手\n3 ２六歩(27)\n"), "7g7f 3c3d 2g2f", 1),
        (format!("変化：1手\n{kif}"), "7g7f 3c3d 2g2f", 0),
    ] {
        let record = parse_kif(format!("手合割：平手\n{text}"), Tolerance::Strict)
            .unwrap()
            .records
            .remove(0);
        assert_eq!(record.to_usi().to_string(), format!("startpos moves {main}"), "{text}");
        assert_eq!(record.variations.len(), variations, "{text}");
    }
    // A move that could not be read stood there.
    let text = format!("手合割：平手\n{kif}4 ８四歩(85)\n{more}");
    let loaded = parse_kif(text, Tolerance::Lenient).unwrap();
    assert_eq!((loaded.records[0].moves.len(), loaded.records[0].variations.len()), (3, 1));
    let ki2 = "手合割：平手\n▲７六歩 △３四歩 ▲２六歩\n変化：4手\n△８四歩 ▲２五歩\n";
    let record = parse_ki2(ki2, Tolerance::Strict).unwrap().records.remove(0);
    assert_eq!(record.to_usi().to_string(), "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e");
}

#[test]
fn moves_before_an_unknown_word_of_usi_are_kept() {
    for (line, game, faults) in [
        ("startpos moves 7g7f 3c3d timeup", "startpos moves 7g7f 3c3d", 1),
        ("startpos moves 7g7f 3c3d XX 2g2f", "startpos moves 7g7f 3c3d", 1),
        ("startpos moves 7g7f 3c3d 2g2f;", "startpos moves 7g7f 3c3d", 1),
        ("startpos moves 7g7f 3c3d 0000", "startpos moves 7g7f 3c3d", 1),
        ("position startpos moves 7g7f (pass)", "startpos moves 7g7f", 1),
        ("moves 7g7f 3c3d", "startpos moves 7g7f 3c3d", 0),
        ("7g7f 3c3d resign", "startpos moves 7g7f 3c3d resign", 0),
        ("moves 7g7f 3c3d XX", "startpos moves 7g7f 3c3d", 1),
        (
            "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b mate",
            "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b",
            1,
        ),
    ] {
        let reader = GameReader::new(line.as_bytes(), Tolerance::Lenient);
        let mut reader = reader.unwrap_or_else(|error| panic!("{line}: {error}"));
        let games: Vec<String> = reader.by_ref().map(|game| game.unwrap().to_usi_line()).collect();
        assert_eq!(games, [game], "{line}");
        assert_eq!(reader.skipped().first().len(), faults, "{line}");
        assert_eq!(parse_usi_games(line, Tolerance::Strict).is_err(), faults > 0, "{line}");
    }
    // A line without a known move is no game.
    let loaded =
        parse_usi_games("startpos hello\nstartpos moves 9z\n", Tolerance::Lenient).unwrap();
    assert_eq!((loaded.records.len(), loaded.skipped.count()), (0, 2));
    let error = parse_usi_games("moves 7g7f XX", Tolerance::Strict).unwrap_err();
    assert_eq!(error.column(), Some(12), "{error}");
    assert!(parse_csa("moves 7g7f", Tolerance::Strict).is_err());
}
