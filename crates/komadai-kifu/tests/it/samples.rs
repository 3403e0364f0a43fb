//! Real and constructed record files, compared with the results of four other readers.

use std::ops::ControlFlow;

use komadai_core::{Color, Setup};
use komadai_kifu::{
    Comment, CsaVariations, CsaVersion, CsaWriteOptions, EndKind, HeaderKey, Line, Outcome, Record,
    RecordMove, Tolerance, parse_csa, write_csa_games,
};
use komadai_testdata::kifu::{End, Sample, samples};

fn read(sample: &Sample) -> Vec<Record> {
    let loaded = parse_csa(sample.bytes, Tolerance::Strict);
    loaded.unwrap_or_else(|error| panic!("{}: {error}", sample.name)).records
}

fn first(sample: &Sample) -> Record {
    read(sample).swap_remove(0)
}

fn end_of(record: &Record) -> End {
    match record.end.as_ref().map(|end| &end.kind) {
        None => End::Unmarked,
        Some(EndKind::Resign) => End::Resign,
        Some(EndKind::Interrupt) => End::Interrupt,
        Some(EndKind::Checkmate) => End::Checkmate,
        Some(EndKind::Repetition) => End::Repetition,
        Some(EndKind::TimeUp) => End::TimeUp,
        Some(EndKind::EnteringKingWin) => End::DeclaredWin,
        Some(EndKind::Impasse) => End::Impasse,
        Some(EndKind::IllegalLoss) => End::IllegalLoss,
        Some(other) => panic!("no sample ends with {other:?}"),
    }
}

fn outcome_of(record: &Record) -> komadai_testdata::Outcome {
    match record.outcome() {
        Outcome::Win(Color::Black) => komadai_testdata::Outcome::BlackWins,
        Outcome::Win(Color::White) => komadai_testdata::Outcome::WhiteWins,
        Outcome::Draw => komadai_testdata::Outcome::Draw,
        Outcome::Unknown => komadai_testdata::Outcome::Unknown,
    }
}

fn has_note(comments: &[Comment]) -> bool {
    comments.iter().any(|comment| matches!(comment, Comment::Note(_)))
}

#[test]
fn every_sample_is_read_as_expected() {
    for sample in samples() {
        let (record, name) = (first(&sample), sample.name);
        let expected = sample.expected;
        assert_eq!(record.setup.to_string(), expected.initial_sfen, "{name}");
        let moves: Vec<String> = record.moves.iter().map(|played| played.m.to_string()).collect();
        assert_eq!(moves.join(" "), sample.main_line, "{name}");
        assert_eq!(moves.len(), expected.main_moves, "{name}");
        assert_eq!(end_of(&record), expected.end, "{name}");
        assert_eq!(outcome_of(&record), expected.winner, "{name}");
        let end = record.end.iter();
        let timed =
            record.moves.iter().map(|played| played.time).chain(end.clone().map(|e| e.time));
        // The other readers do not distinguish a time of zero from no time.
        let timed = timed.flatten().filter(|time| !time.is_zero());
        assert_eq!(timed.count(), expected.timed_nodes, "{name}");
        let comments = record.moves.iter().map(|played| &played.comments);
        let comments = comments.chain([&record.comments]).chain(end.map(|end| &end.comments));
        let noted = comments.filter(|comments| has_note(comments)).count();
        assert_eq!(noted, expected.comment_nodes, "{name}");
    }
}

#[test]
fn players_are_read_in_every_encoding() {
    for sample in samples() {
        let record = first(&sample);
        let player = |color| record.header.player(color).unwrap_or_default();
        assert_eq!(player(Color::Black), sample.expected.black, "{}", sample.name);
        assert_eq!(player(Color::White), sample.expected.white, "{}", sample.name);
    }
}

#[test]
fn every_sample_can_be_replayed() {
    for sample in samples() {
        let record = first(&sample);
        let mut seen = 0;
        let last = record.replay(|_, _| {
            seen += 1;
            ControlFlow::Continue(())
        });
        let last = Setup { ply: 1, ..last.unwrap().to_setup() };
        assert_eq!(last.to_string(), sample.expected.final_sfen, "{}", sample.name);
        assert_eq!(seen, record.moves.len());
    }
}

#[test]
fn every_sample_is_read_back_as_it_was_written() {
    for sample in samples() {
        for record in read(&sample) {
            let text = record.to_csa().unwrap();
            let again = parse_csa(&text, Tolerance::Strict).unwrap().records;
            let mut expected = record.clone();
            // Version 2.2 has whole seconds; a record with statements of version 3 is written as
            // that.
            let is_v3 = text.contains("\nV3.0\n");
            for time in expected.moves.iter_mut().map(|m| &mut m.time).filter(|_| !is_v3) {
                *time = time.map(|time| std::time::Duration::from_secs(time.as_secs()));
            }
            assert_eq!(again, [expected], "{}: {text}", sample.name);
        }
    }
}

#[test]
fn version_3_is_read_back_with_its_milliseconds() {
    let options = CsaWriteOptions { version: CsaVersion::V3_0, ..CsaWriteOptions::default() };
    for sample in samples() {
        let records = read(&sample);
        let text = write_csa_games(&records, &options).unwrap();
        assert!(text.starts_with("'CSA encoding=UTF-8\nV3.0\n"), "{}", sample.name);
        let mut again = parse_csa(&text, Tolerance::Strict).unwrap().records;
        for (again, record) in again.iter_mut().zip(&records) {
            // The time limit of version 2.2 is written as time control.
            if record.header.get(&HeaderKey::TimeControl).is_none() {
                again.header = record.header.clone();
            }
        }
        assert_eq!(again, records, "{}: {text}", sample.name);
    }
}

#[test]
fn time_limits_and_notes_are_written_in_the_words_of_version_3() {
    let mut record = Record::new(Setup::hirate());
    record.header.push(HeaderKey::TimeLimit, "01:25+30");
    record.header.push(HeaderKey::Note, "one\r\ntwo\nthree");
    let options = CsaWriteOptions { version: CsaVersion::V3_0, ..CsaWriteOptions::default() };
    let expected = "V3.0\n$TIME:5100+30+0\n$NOTE:one\\ntwo\\nthree\nPI\n+\n";
    assert_eq!(record.to_csa_with(&options).unwrap(), format!("'CSA encoding=UTF-8\n{expected}"));
    // Remarks on the game need version 3.
    assert_eq!(record.to_csa().unwrap(), format!("'CSA encoding=UTF-8\n{expected}"));
    let options = CsaWriteOptions { version: CsaVersion::V2_2, ..CsaWriteOptions::default() };
    let expected = "V2.2\n$TIME_LIMIT:01:25+30\n'NOTE:one\\ntwo\\nthree\nPI\n+\n";
    assert_eq!(record.to_csa_with(&options).unwrap(), format!("'CSA encoding=UTF-8\n{expected}"));
}

#[test]
fn variations_are_written_as_games_of_their_own() {
    let game = "PI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    let mut record = parse_csa(game, Tolerance::Strict).unwrap().records.remove(0);
    for (line, ply, m) in [(Line::Main, 2, "8c8d"), (Line::Variation(0), 3, "2g2f")] {
        let line = record.add_variation(line, ply).unwrap();
        record.moves_of_mut(line).push(RecordMove::new(m.parse().unwrap()));
    }
    let options =
        CsaWriteOptions { variations: CsaVariations::AsGames, ..CsaWriteOptions::default() };
    let text = record.to_csa_with(&options).unwrap();
    let games = parse_csa(text, Tolerance::Strict).unwrap().records;
    let games: Vec<String> = games.iter().map(Record::to_usi_line).collect();
    assert_eq!(
        games,
        [
            "startpos moves 7g7f 3c3d resign",
            "startpos moves 7g7f 8c8d",
            "startpos moves 7g7f 8c8d 2g2f"
        ]
    );
}

#[test]
fn the_second_game_of_a_file_is_read_too() {
    let sample = samples().find(|sample| sample.name == "hand__csa_multi.csa").unwrap();
    let games = read(&sample);
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].header.player(Color::Black), Some("C"));
    assert_eq!(
        games[1].to_usi().to_string(),
        "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3a4b 7g7f"
    );
    assert_eq!(games[1].outcome(), Outcome::Win(Color::Black));
}

#[test]
fn version_3_keeps_times_and_comments_in_place() {
    let sample = samples().find(|sample| sample.name == "hand__csa_v3_full.csa").unwrap();
    let record = first(&sample);
    let times: Vec<_> = record.moves.iter().map(|m| m.time.map(|t| t.as_millis())).collect();
    assert_eq!(times, [Some(1500), Some(250), Some(3000), None]);
    let texts = |index: usize| -> Vec<&str> {
        record.moves[index].comments.iter().map(Comment::text).collect()
    };
    assert_eq!(texts(0), ["* 30 -3334FU +2726FU #1234"]);
    assert_eq!(texts(1), ["comment line 1", "comment line 2"]);
    assert_eq!(
        record.comments,
        [
            Comment::Remark("free comment, ignored".into()),
            Comment::Note("comment on the initial position".into())
        ]
    );
    assert_eq!(record.header.get(&HeaderKey::TimeControl), Some("900+0+5"));
    assert_eq!(record.header.get(&HeaderKey::Note), Some("first line\nsecond line\\end"));
}
