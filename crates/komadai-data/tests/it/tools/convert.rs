//! Data of every format are read, and converted.

use std::fs;

use komadai_core::SplitMix64;
use komadai_data::records::{
    Hcpe, PackedSfenValue, RecordCheck, TrainingEnd, TrainingFormat, TrainingGame,
    TrainingGameReader,
};
use komadai_data::tools::{
    Existing, FaultKind, OnDamage, Output, Sources, ToolError, Watch, conversion_losses, convert,
    statistics, validate,
};
use komadai_kifu::Tolerance;

use super::{Place, open, read, sources};
use crate::games::{file, random_games};

const ALL: [TrainingFormat; 5] = [
    TrainingFormat::Psv,
    TrainingFormat::Hcpe,
    TrainingFormat::Hcpe3,
    TrainingFormat::Pack,
    TrainingFormat::Sbinpack,
];

fn records(games: &[TrainingGame]) -> Vec<PackedSfenValue> {
    games.iter().flat_map(TrainingGame::records).collect()
}

fn written(format: TrainingFormat, games: &[TrainingGame]) -> Vec<u8> {
    let records = records(games);
    match format {
        TrainingFormat::Psv => super::bytes(&records),
        TrainingFormat::Hcpe => {
            records.iter().flat_map(|record| record.to_hcpe().unwrap().to_bytes()).collect()
        }
        format => file(format, games),
    }
}

/// The records without what some formats do not keep.
fn without_ply(records: &[PackedSfenValue]) -> Vec<PackedSfenValue> {
    records.iter().map(|record| PackedSfenValue { ply: 0, ..*record }).collect()
}

#[test]
fn every_format_is_read_as_the_same_records() {
    let place = Place::new();
    let games = random_games(150, 11);
    let expected = records(&games);
    for format in ALL {
        // The ending is ignored.
        let path = place.path("data.psv");
        fs::write(&path, written(format, &games)).unwrap();
        let found = sources(&[&path]).unwrap();
        assert_eq!((found.inputs()[0].format(), found.records()), (format, expected.len() as u64));
        let mut seen = Vec::new();
        let take = |taken: komadai_data::tools::SourceRecord<'_, ()>| {
            assert_eq!(taken.bytes, &taken.record.to_bytes());
            seen.push(taken.record);
            Ok(())
        };
        found.read("test", &mut Watch::none(), |_, _| Ok(()), take).unwrap();
        assert_eq!(without_ply(&seen), without_ply(&expected), "{format}");
        let has_ply = !matches!(format, TrainingFormat::Hcpe | TrainingFormat::Hcpe3);
        assert_eq!(seen == expected, has_ply, "{format}");
        let checked = validate(&found, &mut Watch::none()).unwrap();
        assert!(checked.damage.is_empty() && checked.files[0].sound == expected.len() as u64);
        let (counted, _) = statistics(&found, &mut Watch::none()).unwrap();
        assert_eq!(counted.records, expected.len() as u64);
    }
}

#[test]
fn every_format_converts_to_every_format_that_is_written() {
    let place = Place::new();
    let games = random_games(30, 12);
    let expected = without_ply(&records(&games));
    for from in ALL {
        let path = place.path("from");
        fs::write(&path, written(from, &games)).unwrap();
        for to in ALL {
            let name = format!("{from:?}-{to:?}");
            let result =
                convert(&sources(&[&path]).unwrap(), place.output(&name), to, &mut Watch::none());
            if to == TrainingFormat::Sbinpack {
                assert!(matches!(result, Err(ToolError::NotWritten { .. })));
                continue;
            }
            let (origin, damage) = result.unwrap();
            assert!(damage.is_empty());
            assert_eq!(origin.records, expected.len() as u64, "{name}");
            let lost = origin.options["lost"].as_array().unwrap().len();
            assert_eq!(lost, conversion_losses(from, to).len());
            // The file is as its note states, and has the same records.
            let again = sources(&[&place.path(&name)]).unwrap();
            assert_eq!((again.inputs()[0].format(), again.records()), (to, origin.records));
            let back = place.output(&format!("{name}.back"));
            convert(&again, back, TrainingFormat::Psv, &mut Watch::none()).unwrap();
            let back = read(&place.path(&format!("{name}.back")));
            assert_eq!(without_ply(&back), expected, "{name}");
            if from == to || (from, to) == (TrainingFormat::Sbinpack, TrainingFormat::Pack) {
                let bytes = fs::read(place.path(&name)).unwrap();
                assert_eq!(bytes, written(to, &games), "{name}");
            }
        }
    }
}

/// The games as they are known from their records: without the kinds of their ends.
fn of_records(games: &[TrainingGame]) -> Vec<TrainingGame> {
    games.iter().cloned().map(|game| TrainingGame { end: TrainingEnd::Other, ..game }).collect()
}

/// Converts a file, and returns the bytes of the result.
fn converted(place: &Place, from: &std::path::Path, to: TrainingFormat) -> Vec<u8> {
    let output = Output::create(&place.path("to"), Existing::Replace).unwrap();
    convert(&sources(&[from]).unwrap(), output, to, &mut Watch::none()).unwrap();
    fs::read(place.path("to")).unwrap()
}

#[test]
fn records_of_whole_games_become_these_games() {
    // The games are in several blocks, and most blocks begin within a game.
    let place = Place::new();
    let games = of_records(&random_games(300, 17));
    for (from, to) in [
        (TrainingFormat::Psv, TrainingFormat::Pack),
        (TrainingFormat::Psv, TrainingFormat::Hcpe3),
        (TrainingFormat::Hcpe, TrainingFormat::Hcpe3),
    ] {
        let path = place.path("from");
        let before = written(from, &games);
        fs::write(&path, &before).unwrap();
        let bytes = converted(&place, &path, to);
        assert_eq!(bytes, file(to, &games), "{from} to {to}");
        fs::write(&path, &bytes).unwrap();
        let back = converted(&place, &path, from);
        if to == TrainingFormat::Pack {
            assert_eq!(back, before);
            assert!(bytes.len() * 8 < before.len(), "{} of {}", bytes.len(), before.len());
        } else if from == TrainingFormat::Hcpe {
            assert_eq!(back, before);
        }
    }
}

#[test]
fn records_in_random_order_become_games_of_one_move() {
    let place = Place::new();
    let mut records = records(&random_games(200, 18));
    let mut random = SplitMix64::new(19);
    for index in (1..records.len()).rev() {
        records.swap(index, random.below(index as u64 + 1) as usize);
    }
    let path = place.write("from", &records);
    let bytes = converted(&place, &path, TrainingFormat::Pack);
    let games = TrainingGameReader::new(&bytes[..], TrainingFormat::Pack, Tolerance::Strict);
    let games: Vec<TrainingGame> = games.map(Result::unwrap).collect();
    assert!(games.len() * 20 > records.len() * 19, "{} of {}", games.len(), records.len());
    assert_eq!(self::records(&games), records);
}

/// The lengths of the games that a file of records becomes.
fn lengths(place: &Place, paths: &[&std::path::Path]) -> Vec<usize> {
    let output = Output::create(&place.path("to"), Existing::Replace).unwrap();
    let to = TrainingFormat::Pack;
    convert(&sources(paths).unwrap(), output, to, &mut Watch::none()).unwrap();
    let games = TrainingGameReader::open(place.path("to"), Tolerance::Strict).unwrap();
    games.map(|game| game.unwrap().moves.len()).collect()
}

#[test]
fn a_game_ends_where_its_records_do_not_follow_each_other() {
    let place = Place::new();
    let records = records(&random_games(1, 20))[..12].to_vec();
    let with = |change: &dyn Fn(&mut Vec<PackedSfenValue>)| {
        let mut records = records.clone();
        change(&mut records);
        lengths(&place, &[&place.write("from", &records)])
    };
    assert_eq!(with(&|_| {}), [12]);
    assert_eq!(with(&|records| records[5].ply += 1), [5, 1, 6]);
    assert_eq!(with(&|records| records[5].result = records[4].result), [5, 1, 6]);
    assert_eq!(with(&|records| records.retain(|record| record.ply != 6)), [5, 6]);
    assert_eq!(with(&|records| records[5].best_move = None), [5, 6]);
    let other = records[6].position;
    assert_eq!(
        with(&|records| (records[4].position, records[4].best_move) = (other, None)),
        [4, 7]
    );
    // The same records in two files are no game: files may have been joined in any order.
    let [first, second] = [&records[..5], &records[5..]];
    let (first, second) = (place.write("first", first), place.write("second", second));
    assert_eq!(lengths(&place, &[&first, &second]), [5, 7]);
    // Unknown numbers do not part games.
    assert_eq!(with(&|records| records.iter_mut().for_each(|record| record.ply = 0)), [12]);
}

#[test]
fn a_pack_is_read_up_to_its_first_illegal_move() {
    let place = Place::new();
    let games = random_games(60, 13);
    let (sound, mut bytes) =
        (file(TrainingFormat::Pack, &games[..20]), file(TrainingFormat::Pack, &games));
    let at = sound.len() + 1 + 4 * 4;
    bytes[at..at + 2].copy_from_slice(&[0x80, 0x28]);
    let path = place.path("games.pack");
    fs::write(&path, &bytes).unwrap();
    let expected = format!("games.pack: game 21 at byte {}: move 5 at byte {at}: ", sound.len());
    let strict = sources(&[&path]).unwrap();
    let refused =
        convert(&strict, place.output("refused"), TrainingFormat::Psv, &mut Watch::none());
    let message = refused.unwrap_err().to_string();
    assert!(message.contains(&expected), "{message}");
    assert!(message.ends_with("; nothing after it can be read"), "{message}");
    assert!(!place.path("refused").exists());
    let lenient = open(&[&path], OnDamage::Skip).unwrap();
    let (origin, damage) =
        convert(&lenient, place.output("kept"), TrainingFormat::Psv, &mut Watch::none()).unwrap();
    assert_eq!((origin.damaged, damage.counts()[&FaultKind::IllegalMove]), (1, 1));
    assert_eq!(read(&place.path("kept")), records(&games[..20]));
    let checked = validate(&lenient, &mut Watch::none()).unwrap();
    let first = &checked.damage.first()[0];
    assert_eq!((first.record, first.offset()), (None, Some(at as u64)));
}

#[test]
fn a_file_of_games_that_is_cut_off_is_named() {
    let place = Place::new();
    let games = random_games(5, 14);
    for format in [TrainingFormat::Pack, TrainingFormat::Hcpe3, TrainingFormat::Sbinpack] {
        let bytes = file(format, &games);
        let path = place.path("cut");
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = Sources::find(std::slice::from_ref(&path), OnDamage::Refuse).unwrap_err();
        assert!(error.to_string().contains("game 5 at byte "), "{error}");
        let found = open(&[&path], OnDamage::Skip).unwrap();
        assert_eq!(found.records(), records(&games[..4]).len() as u64, "{format}");
    }
}

#[test]
fn damaged_records_of_hcpe_have_their_own_bytes() {
    let place = Place::new();
    let games = random_games(2, 15);
    let mut bytes = written(TrainingFormat::Hcpe, &games);
    bytes[3 * Hcpe::BYTES + 36] = 9;
    let path = place.path("games.hcpe");
    fs::write(&path, bytes).unwrap();
    let found = validate(&open(&[&path], OnDamage::Skip).unwrap(), &mut Watch::none()).unwrap();
    let message = found.damage.first()[0].to_string();
    assert!(message.contains("record 4 at byte 114: the result 9"), "{message}");
}

#[test]
fn readers_of_games_open_files() {
    let place = Place::new();
    let games = random_games(3, 16);
    let path = place.path("games");
    fs::write(&path, file(TrainingFormat::Pack, &games)).unwrap();
    let read = TrainingGameReader::open(&path, Tolerance::Strict).unwrap();
    assert_eq!(read.map(Result::unwrap).collect::<Vec<_>>(), games);
    fs::write(&path, written(TrainingFormat::Psv, &games)).unwrap();
    let error = TrainingGameReader::open(&path, Tolerance::Strict).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("PSV"), "{error}");
    let records = komadai_data::records::PsvReader::open(&path, Tolerance::Strict).unwrap();
    assert!(records.checking(RecordCheck::Legality).all(|record| record.is_ok()));
}
