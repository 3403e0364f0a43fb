//! USEN: known texts, round trips and faults.

use komadai_core::Handicap;
use komadai_kifu::{
    End, EndKind, Line, Record, RecordMove, Tolerance, parse_csa, parse_usen, parse_usi_games,
};
use komadai_testdata::kifu::samples;
use proptest::prelude::*;

fn strict(text: &str) -> Record {
    parse_usen(text, Tolerance::Strict).unwrap().records.remove(0)
}

fn refusal(text: &str) -> String {
    parse_usen(text, Tolerance::Strict).unwrap_err().to_string()
}

/// The record without what USEN does not hold.
fn bare(record: &Record) -> Record {
    let mut bare = Record::new(record.setup.clone());
    bare.setup.ply = 1;
    bare.moves = record.moves.iter().map(|played| RecordMove::new(played.m)).collect();
    let letters = [
        EndKind::Resign,
        EndKind::TimeUp,
        EndKind::IllegalLoss,
        EndKind::Interrupt,
        EndKind::Impasse,
    ];
    let end = record.end.as_ref().filter(|end| letters.contains(&end.kind));
    bare.end = end.map(|end| End::new(end.kind.clone()));
    bare
}

#[test]
fn every_game_is_read_back() {
    for sample in samples() {
        for record in parse_csa(sample.bytes, Tolerance::Strict).unwrap().records {
            let text = record.to_usen();
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"~._-".contains(&b)));
            assert_eq!(strict(&text), bare(&record), "{}: {text}", sample.name);
        }
    }
}

#[test]
fn handicaps_and_drops_are_written_for_addresses() {
    let start = Handicap::TwoPiece.to_setup();
    let text = Record::new(start.clone()).to_usen();
    assert_eq!(text, "lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0..");
    assert_eq!(strict(&text).setup, start);
    let drops = "sfen 4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1 moves R*1b 5a6a B*1c 6a5a G*1d 5a6a S*1e \
                 6a5a N*1f 5a6a L*1g 6a5a P*2b";
    let game = parse_usi_games(drops, Tolerance::Strict).unwrap().records.remove(0);
    assert_eq!(strict(&game.to_usen()), game);
}

#[test]
fn variations_follow_the_line_before_them() {
    let mut game = strict("~0.6y236e7ku4be.j");
    for (line, ply, m) in [
        (Line::Main, 2, "3c3d"),
        (Line::Variation(0), 3, "2f2e"),
        (Line::Main, 2, "4c4d"),
        (Line::Main, 4, "4a3b"),
        (Line::Main, 5, "6i7h"),
    ] {
        let line = game.add_variation(line, ply).unwrap();
        game.moves_of_mut(line).push(RecordMove::new(m.parse().unwrap()));
    }
    let text = game.to_usen();
    assert_eq!(text.matches('~').count(), 6, "{text}");
    let again = strict(&text);
    let paths = |game: &Record| {
        let lines = std::iter::once(Line::Main).chain((0..5).map(Line::Variation));
        let mut paths: Vec<String> = lines
            .map(|line| game.path(line).iter().map(|m| m.m.to_string()).collect::<String>())
            .collect();
        paths.sort();
        paths
    };
    assert_eq!(paths(&again), paths(&game));
    assert_eq!(again.end, game.end);
    assert_eq!(again.to_usen(), text);
}

#[test]
fn faults_are_named_with_their_column() {
    for (text, message) in [
        (
            "hello",
            "line 1, column 1: found \"hello\", expected lines of moves such as `~0.7ku2jm.`",
        ),
        (
            "~0.6y",
            "line 1, column 4: found \"6y\", expected a move of three digits of base 36, such as `7ku`",
        ),
        (
            "~0.6y2zzz.",
            "line 1, column 7: found \"zzz\", expected a move of three digits of base 36, such as `7ku`",
        ),
        ("~0.6y26y2.", "line 1, column 7: ply 2, 6y2, is illegal: there is no piece on 2g"),
        ("~1.6y2.", "line 1, column 2: found \"1.6y2.\", expected no moves before the first line"),
        (
            "~0.6y2.~2.36e.",
            "line 1, column 9: found \"2.36e.\", expected no more moves before a variation than the line before it has",
        ),
        (
            "~0.6y2.~x.36e.",
            "line 1, column 9: found \"x.36e.\", expected a line such as `0.7ku2jm.r`: moves before it, moves, end",
        ),
    ] {
        assert_eq!(refusal(text), message);
    }
    assert!(refusal("9_9~0..").contains("ranks"));
    let text = "~0.6y236ezzz7ku.r~5.zzz.~1.4be.";
    let loaded = parse_usen(text, Tolerance::Lenient).unwrap();
    assert_eq!(loaded.records[0].to_usi().to_string(), "startpos moves 2g2f 8c8d");
    assert_eq!(loaded.skipped.count(), 3);
}

proptest! {
    #[test]
    fn arbitrary_texts_are_survived(text in "[0-9a-z._~]{0,80}") {
        let _ = parse_usen(&text, Tolerance::Strict);
        if let Ok(loaded) = parse_usen(format!("~0.{text}"), Tolerance::Lenient) {
            let _ = loaded.records[0].to_usen();
        }
    }
}
