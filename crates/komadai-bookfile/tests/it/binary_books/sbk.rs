//! ShogiGUI's `.sbk`.

use komadai_bookfile::Tolerance;
use komadai_bookfile::sbk::{SbkReader, SbkWriter};
use komadai_bookfile::{
    BookError, BookRecord, ConversionLoss, MoveMark, RecordMove, RecordResults,
};
use komadai_core::{Color, Position, Score};
use komadai_testdata::books::{shogihome, yuuki};
use proptest::prelude::*;

use super::random_records::{Random, count, sorted};

fn write(records: &[BookRecord]) -> (Vec<u8>, ConversionLoss) {
    let mut writer = SbkWriter::new("author", "説明");
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    (file, lost)
}

/// The records found, and the number of states not reached.
fn read(file: &[u8]) -> (Vec<BookRecord>, usize) {
    let mut reader = SbkReader::new(file, Tolerance::Strict).expect("states");
    let records = reader.by_ref().collect::<Result<_, _>>().expect("no fault");
    (records, reader.unreached())
}

#[test]
fn the_samples_are_reached_whole() {
    for (file, states, moves, marked, evals) in [
        (shogihome::SHOGIGUI01_SBK, 69, 69, 13, 3),
        (shogihome::SHOGIGUI02_SBK, 132, 142, 0, 0),
        (yuuki::SHOGIGUI_SBK, 100, 104, 8, 0),
    ] {
        let (records, unreached) = read(file);
        assert_eq!((records.len(), unreached), (states, 0));
        assert_eq!(count(&records, |_| true), moves);
        assert_eq!(count(&records, |listed| listed.mark.is_some()), marked);
        assert_eq!(records.iter().map(|record| record.evals.len()).sum::<usize>(), evals);
        assert!(records.iter().all(|record| record.ply == Some(record.position.ply())));
        // Writing them and reading that gives the same in the same order.
        let (again, lost) = write(&records);
        assert!(lost.is_empty(), "{lost}");
        assert_eq!(read(&again), (records, 0));
    }
}

#[test]
fn what_a_state_says_is_read() {
    let reader = SbkReader::new(shogihome::SHOGIGUI01_SBK, Tolerance::Strict).expect("states");
    assert_eq!((reader.author(), reader.description()), ("Kubo, Ryosuke", "Test Book Data"));
    assert_eq!(reader.states(), 69);
    let records: Vec<_> = reader.map(|record| record.expect("no fault")).collect();
    let judged: Vec<_> = records.iter().filter(|record| !record.evals.is_empty()).collect();
    assert_eq!(judged.len(), 1);
    let evals = &judged[0].evals;
    // White is to move; the file's 5, 5 and 43 are for Black.
    assert_eq!(judged[0].position.side(), Color::White);
    let seen: Vec<_> = evals.iter().map(|eval| (eval.score, eval.depth, eval.nodes)).collect();
    assert_eq!(
        seen,
        [
            (Score::cp(-5), 28, 62_668_437),
            (Score::cp(-5), 27, 43_914_015),
            (Score::cp(-43), 27, 55_217_605),
        ],
    );
    assert_eq!((evals[0].seldepth, evals[0].engine.as_str()), (44, "Suisho 10beta"));
    assert!(evals[0].variation.starts_with("△５四歩(53)"));
    assert_eq!(records.iter().filter(|record| !record.comment.is_empty()).count(), 1);
    let marks = |mark| count(&records, |listed| listed.mark == Some(mark));
    assert_eq!(
        [MoveMark::Forced, MoveMark::Good, MoveMark::Bad, MoveMark::Blunder].map(marks),
        [7, 1, 3, 2],
    );

    let (records, _) = read(shogihome::SHOGIGUI02_SBK);
    let start = RecordResults { games: 278, black_wins: 16, white_wins: 9 };
    assert_eq!(records[0].position, Position::hirate());
    assert_eq!(records[0].results, Some(start));
    let listed: Vec<_> =
        records[0].moves.iter().map(|listed| (listed.m.to_string(), listed.count)).collect();
    let expected = [("7g7f", 68), ("2g2f", 175), ("2h7h", 5), ("5g5f", 27)];
    assert_eq!(listed, expected.map(|(m, count)| (m.to_owned(), Some(count))));
}

#[test]
fn the_same_bytes_as_written_out() {
    let mut start = BookRecord::new(Position::hirate());
    start.moves.push(RecordMove {
        count: Some(300),
        mark: Some(MoveMark::Bad),
        ..RecordMove::new("7g7f".parse().expect("a move"))
    });
    let mut writer = SbkWriter::new("", "");
    writer.push(&start).expect("memory takes everything");
    let mut file = Vec::new();
    writer.finish(&mut file).expect("memory takes everything");
    let sfen = b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let mut expected = vec![0x0a, 0, 0x12, 0];
    expected.extend([0x1a, 91, 8, 0, 16, 0, 24, 0, 32, 0, 40, 0, 48, 0, 58, sfen.len() as u8]);
    expected.extend(sfen);
    // 1 << 24 | 0x76 << 8 | 0x77 in groups of seven bits.
    expected.extend([74, 12, 8, 0xf7, 0xec, 0x81, 0x08, 16, 3, 24, 0xac, 0x02, 32, 1]);
    expected.extend([0x1a, 12, 8, 1, 16, 0, 24, 0, 32, 0, 40, 0, 48, 0]);
    assert_eq!(file, expected);
}

/// The record without the data that the format cannot hold.
fn reduce(record: &BookRecord) -> BookRecord {
    let most = i32::MAX as u32;
    let mut reduced = record.clone();
    if let Some(results) = &mut reduced.results {
        results.white_wins = results.white_wins.min(most);
    }
    for listed in &mut reduced.moves {
        *listed = RecordMove {
            count: Some(listed.count.unwrap_or(1).min(most)),
            mark: listed.mark,
            ..RecordMove::new(listed.m)
        };
    }
    reduced
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn records_come_back_but_for_what_is_counted(seed in any::<u64>()) {
        let records = Random::new(seed).records();
        let (file, lost) = write(&records);
        let (found, unreached) = read(&file);
        prop_assert_eq!(unreached, 0);
        let expected: Vec<_> = records.iter().map(reduce).collect();
        prop_assert_eq!(sorted(found), sorted(expected));
        prop_assert_eq!(lost.ponders, count(&records, |listed| listed.ponder.is_some()));
        prop_assert_eq!(lost.depths, count(&records, |listed| listed.depth.is_some()));
        prop_assert_eq!(lost.values, count(&records, |listed| listed.score.is_some()));
        prop_assert_eq!(lost.comments, count(&records, |listed| !listed.comment.is_empty()));
        let most = i32::MAX as u32;
        prop_assert_eq!(lost.counts, count(&records, |listed| listed.count > Some(most)));
        let cut = records.iter().filter(|record| {
            record.results.is_some_and(|results| results.white_wins > most)
        });
        prop_assert_eq!(lost.results, cut.count() as u64);
        let others = [lost.marks, lost.plies, lost.evals, lost.moves, lost.positions];
        prop_assert_eq!(others, [0; 5]);
    }
}

#[test]
fn positions_in_a_circle_are_written_and_found() {
    // The golds move to and fro: four positions that lead to each other, without move numbers.
    let mut position = Position::hirate();
    let mut records = Vec::new();
    for m in ["4i4h", "4a4b", "4h4i", "4b4a"] {
        let m = m.parse().expect("a move");
        let setup = komadai_core::Setup { ply: 1, ..position.to_setup() };
        let mut record = BookRecord::new(Position::from_setup(&setup).expect("as before"));
        record.ply = None;
        record.moves.push(RecordMove { count: Some(1), ..RecordMove::new(m) });
        records.push(record);
        position = position.after(m);
    }
    let (file, lost) = write(&records);
    assert!(lost.is_empty());
    assert_eq!(read(&file), (records.clone(), 0));
    // With move numbers, the last move leads to a position with another number, so it needs its
    // SFEN.
    for (record, ply) in records.iter_mut().zip(1..) {
        record.ply = Some(ply);
        let setup = komadai_core::Setup { ply, ..record.position.to_setup() };
        record.position = Position::from_setup(&setup).expect("as before");
    }
    assert_eq!(read(&write(&records).0), (records, 0));
}

/// A state with these fields after its number.
fn state(id: u8, fields: &[u8]) -> Vec<u8> {
    [&[0x1a, fields.len() as u8 + 2, 8, id], fields].concat()
}

/// The start position, with moves.
fn start(id: u8, moves: &[u8]) -> Vec<u8> {
    let sfen = b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    state(id, &[&[58, sfen.len() as u8], &sfen[..], moves].concat())
}

#[test]
fn faults_are_named_with_their_place_and_passed_over() {
    let m = |code: [u8; 4], next: u8| [&[74, 7, 8][..], &code, &[32, next]].concat();
    let pawn = [0xf7, 0xec, 0x81, 0x08];
    let rook_pawn = [0xa7, 0xcc, 0x80, 0x08];
    let far = [0xf7, 0xea, 0x81, 0x08];
    let two = [m(pawn, 1), m(rook_pawn, 2)].concat();
    let leaf = |id| state(id, &[32, 5]);
    for (file, fault, left) in [
        (vec![0x1a, 5, 8], "byte 2: expected as many bytes as are announced", 0),
        (
            [start(0, &two), leaf(1), leaf(1), leaf(2)].concat(),
            "record 3, byte 93: state 1 is defined for the second time",
            3,
        ),
        (
            [start(0, &m(pawn, 7)), leaf(1)].concat(),
            "record 1, byte 69: 7g7f leads to state 7, which is missing",
            1,
        ),
        ([start(0, &m(far, 1)), leaf(1)].concat(), "record 1, byte 69: 7g7e is illegal", 1),
        (
            [start(0, &[m(pawn, 1), m(pawn, 1)].concat()), leaf(1)].concat(),
            "record 1, byte 78: 7g7f is listed for the second time",
            2,
        ),
        (
            [start(0, &[m(pawn, 1), m(rook_pawn, 1)].concat()), leaf(1)].concat(),
            "record 1, byte 78: 2g2f leads to state 1, which is another position",
            2,
        ),
        (
            [start(0, &m(pawn, 1)), state(1, &[66, 1, 0xff])].concat(),
            "byte 82: expected text in UTF-8",
            1,
        ),
        (
            [start(0, &m(pawn, 1)), state(1, &[32, 0xff, 0xff, 0xff, 0xff, 15])].concat(),
            "byte 81: expected a number that is not negative",
            1,
        ),
        (state(0, &[58, 2, b'x', b'x']), "record 1, byte 6: ", 0),
        ([start(0, &[74, 2, 16, 9]), leaf(1)].concat(), "byte 70: expected a mark from 0 to 4", 0),
    ] {
        let strict = SbkReader::new(&file[..], Tolerance::Strict)
            .and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
        let error = strict.expect_err(fault).to_string();
        assert!(error.starts_with(fault), "{error}, expected {fault}");
        let mut reader = SbkReader::new(&file[..], Tolerance::Lenient).expect("it goes on");
        let read = reader.by_ref().filter(Result::is_ok).count();
        assert_eq!((read, reader.skipped().count()), (left, 1), "{fault}");
    }
}

#[test]
fn states_that_no_move_leads_to_are_counted() {
    let file = [start(0, &[]), state(1, &[32, 5]), state(2, &[32, 5])].concat();
    let (records, unreached) = read(&file);
    assert_eq!((records.len(), unreached), (1, 2));
    assert_eq!(records[0].ply, None);
}

#[test]
fn lists_without_end_are_refused() {
    let mut moves = Vec::new();
    for _ in 0..601 {
        moves.extend([74, 0]);
    }
    let mut message = vec![8, 0];
    message.extend([58, 62]);
    message.extend(b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ");
    let head = message.len();
    message.extend(moves);
    let mut file = vec![0x1a, (message.len() % 128) as u8 | 128, (message.len() / 128) as u8];
    file.extend(&message);
    let all = SbkReader::new(&file[..], Tolerance::Strict).expect("states").next();
    assert!(matches!(all, Some(Err(BookError::TooMany { most: 600, .. }))), "{all:?}");
    // The same with evaluations.
    message.truncate(head);
    for _ in 0..1_001 {
        message.extend([82, 0]);
    }
    let mut file = vec![0x1a, (message.len() % 128) as u8 | 128, (message.len() / 128) as u8];
    file.extend(&message);
    let all = SbkReader::new(&file[..], Tolerance::Strict).expect("states").next();
    assert!(matches!(all, Some(Err(BookError::TooMany { most: 1_000, .. }))), "{all:?}");
}
