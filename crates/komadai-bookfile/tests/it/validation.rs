//! Reports of validation.

use std::collections::HashMap;
use std::io::{self, Read};

use komadai_bookfile::db::DbWriter;
use komadai_bookfile::validation::{Validation, validate_db, validate_records};
use komadai_bookfile::{BookError, BookRecord, FaultPlace, LineNumbers, RecordMove};
use komadai_core::{Color, Position, Score};
use komadai_testdata::books::{shogihome_db, synthetic, yuuki};

use crate::random_records::{self, Numbers};

fn checked(text: &str) -> Validation {
    validate_db(|| Ok(text.as_bytes())).unwrap()
}

#[test]
fn lines_that_state_no_move_are_counted() {
    const START: &str =
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f 3c3d 0 1 2\n";
    for (lines, count) in [
        ("", 0),
        ("none none 0 0 1\n", 1),
        ("resign none -30000 0 1\n", 1),
        ("win none 30000 0\nRESIGN\nnone\n", 3),
    ] {
        let found = checked(&format!("#YANEURAOU-DB2016 1.00\n{START}{lines}"));
        assert_eq!((found.no_moves.count(), found.moves, found.fault_count()), (count, 1, 0));
        assert_eq!(found.to_string().contains("left out"), count > 0, "{found}");
    }
}

#[test]
fn sound_books_have_nothing_to_report() {
    for fixture in synthetic::books() {
        let found = checked(fixture.yaneuraou);
        assert_eq!(found.positions, fixture.positions as u64);
        let findings = [
            &found.unsorted,
            &found.duplicates,
            &found.flipped,
            &found.contradictions,
            &found.illegal_moves,
            &found.empty,
            &found.unvalued,
        ];
        assert!(findings.into_iter().all(LineNumbers::is_empty), "{found}");
        assert!(found.faults.is_empty());
    }
    let found = checked(yuuki::YANEURAOU_DB);
    assert_eq!((found.positions, found.has_start), (73, true));
    let found = validate_db(|| Ok(shogihome_db::NO_HEADER)).unwrap();
    assert!(found.has_start);
    // Eleven moves in four positions.
    assert_eq!((found.unvalued.first(), found.faults.count()), (&[1, 5, 12, 24][..], 1));
}

#[test]
fn each_kind_is_found_with_its_line() {
    let text = "\
        #YANEURAOU-DB2016 1.00\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n\
        3c3d none 25\n\
        5g5f\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1\n\
        P*5e none 32767\n\
        P*4e\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 b P 3\n\
        P*5e none 32000\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 w p 3\n\
        P*5e none 1\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 w 2p 3\n\
        sfen 9/9\n\
        garbage\n";
    let found = checked(text);
    assert_eq!((found.positions, found.moves, found.has_start), (5, 5, true));
    let lines = |places: &LineNumbers| (places.count(), places.first().to_vec());
    assert_eq!(lines(&found.unsorted), (2, vec![5, 12]));
    assert_eq!(lines(&found.duplicates), (1, vec![8]));
    assert_eq!(lines(&found.flipped), (1, vec![10]));
    assert_eq!(lines(&found.contradictions), (1, vec![10]));
    assert_eq!(lines(&found.illegal_moves), (1, vec![4]));
    assert_eq!(lines(&found.empty), (1, vec![12]));
    assert_eq!(lines(&found.unvalued), (1, vec![5]));
    assert_eq!(lines(&found.out_of_range), (1, vec![6]));
    // The illegal move, the position, and what follows it.
    assert_eq!(found.faults.count(), 3);
    let none = checked("#YANEURAOU-DB2016 1.00\n");
    assert_eq!(none.to_string(), "0 positions, 0 moves\nthe start position is missing\n");
}

#[test]
fn records_of_any_source_are_checked_for_legality() {
    let mut record = BookRecord::new(Position::hirate());
    record.moves = ["7g7f", "7g7e", "2g2f"].map(|m| RecordMove::new(m.parse().unwrap())).to_vec();
    record.moves[2].ponder = "2f2e".parse().ok();
    record.moves[2].score = Some(Score::INFINITE);
    let mut readings = 0;
    let found = validate_records(|| {
        readings += 1;
        Ok::<_, BookError>([Ok((7, record.clone()))])
    })
    .unwrap();
    assert_eq!((found.illegal_moves.first(), found.out_of_range.first()), (&[7, 7][..], &[7][..]));
    assert_eq!(readings, 1);
}

#[test]
fn a_source_that_fails_is_an_error() {
    let gone = || io::Error::other("the disk is gone");
    let found = validate_db(|| Err::<&[u8], _>(gone()));
    assert!(matches!(found, Err(BookError::Io { place: FaultPlace::Line { line: 1 }, .. })));
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let text = b"#YANEURAOU-DB2016 1.00\n";
    let found = validate_db(|| Ok(text.chain(Fails)));
    assert!(matches!(found, Err(BookError::Io { place: FaultPlace::Line { line: 2 }, .. })));
}

/// Random records of few positions, in both orientations, compared with a table in memory.
#[test]
fn what_stands_there_twice_is_found() {
    let mut numbers = Numbers::new(5);
    let mut records = Vec::new();
    for _ in 0..2_000 {
        let mut position = random_records::position(&mut numbers, 2);
        if numbers.below(2) == 0 {
            position = position.flipped();
        }
        records.push(random_records::record(&mut numbers, position));
    }
    let mut expected = Validation::default();
    let mut sides: HashMap<String, Vec<Color>> = HashMap::new();
    let mut values: HashMap<(String, String), Score> = HashMap::new();
    for (line, record) in (1..).zip(&records) {
        let side = record.position.side();
        let black = match side {
            Color::Black => record.position.clone(),
            Color::White => record.position.flipped(),
        };
        let text = black.to_string();
        let name = text.rsplit_once(' ').unwrap().0.to_owned();
        let known = sides.entry(name.clone()).or_default();
        if known.contains(&side) {
            expected.duplicates.add(line);
        } else if !known.is_empty() {
            expected.flipped.add(line);
        }
        known.push(side);
        let mut contradicts = false;
        for listed in &record.moves {
            let m = if side == Color::Black { listed.m } else { listed.m.flipped() };
            if let Some(score) = listed.score {
                let key = (name.clone(), m.to_string());
                contradicts |= *values.entry(key).or_insert(score) != score;
            }
        }
        if contradicts {
            expected.contradictions.add(line);
        }
    }
    let given = || Ok::<_, BookError>((1..).zip(records.clone()).map(Ok));
    let found = validate_records(given).unwrap();
    assert_eq!(found.duplicates, expected.duplicates);
    assert_eq!(found.flipped, expected.flipped);
    assert_eq!(found.contradictions, expected.contradictions);
    assert!(found.contradictions.count() > 100 && found.flipped.count() > 10, "{found}");

    let mut writer = DbWriter::new(Vec::new()).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    let text = String::from_utf8(writer.finish().unwrap().0).unwrap();
    let from_text = checked(&text);
    assert_eq!(from_text.contradictions.count(), found.contradictions.count());
    assert_eq!(from_text.duplicates.count(), found.duplicates.count());
}
