//! The property of the readers and writers of game records.

use komadai_core::Position;
use komadai_kifu::{KifuFormat, Line, Loss, Record, RecordTextError, Tolerance, parse_records};

/// The formats that are written.
pub const FORMATS: [KifuFormat; 6] = [
    KifuFormat::Csa,
    KifuFormat::Kif,
    KifuFormat::Ki2,
    KifuFormat::Usi,
    KifuFormat::Usen,
    KifuFormat::Jkf,
];

/// Reads bytes strictly and leniently; what was read is written in the same format and read as the
/// same.
pub fn read_and_write(bytes: &[u8], format: KifuFormat) {
    let strict = parse_records(bytes, format, Tolerance::Strict);
    if let Err(error) = &strict {
        assert!(error.to_string().len() < 2_000, "{error}");
    }
    let Ok(loaded) = parse_records(bytes, format, Tolerance::Lenient) else { return };
    if let Ok(strict) = strict {
        assert!(loaded.skipped.is_empty());
        assert_eq!(loaded.records, strict.records);
    }
    for record in loaded.records.iter().take(3) {
        written_again(record, format);
    }
}

/// Writes a record in a format and reads it as the same, except for what the format does not have.
pub fn written_again(record: &Record, format: KifuFormat) {
    let text = match record.to_text(format) {
        Ok(text) => text,
        // Moves after a foul have no names, and JSON bounds the nesting.
        Err(RecordTextError::NoPosition { .. } | RecordTextError::TooDeep { .. }) => return,
        Err(error) => panic!("{format:?}: {error}"),
    };
    let again = read_one(&text, format, Tolerance::Lenient);
    if is_legal(record) {
        read_one(&text, format, Tolerance::Strict);
        let lost = record.losses(&again);
        assert!(!lost.iter().any(|loss| matches!(loss, Loss::Moves { .. })), "{lost:?}\n{text}");
    }
    let gained = again.losses(record);
    let is_invented = |loss: &Loss| matches!(loss, Loss::Moves { .. } | Loss::Start);
    assert!(!gained.iter().any(is_invented), "{format:?} gained {gained:?} from\n{text}");
    // What a format does not have is lost at once, not little by little.
    let second = again.to_text(format).expect("what was read can be written");
    let mut third = read_one(&second, format, Tolerance::Lenient);
    let mut again = again;
    // KIF has times of zero for those that are missing.
    [&mut third, &mut again].into_iter().for_each(clear_end_times);
    assert_eq!(third, again, "{text}\n\n{second}");
}

fn clear_end_times(record: &mut Record) {
    let ends = record.variations.iter_mut().map(|variation| &mut variation.end);
    for end in ends.chain([&mut record.end]).flatten() {
        end.time = end.time.filter(|time| !time.is_zero());
    }
}

fn read_one(text: &str, format: KifuFormat, tolerance: Tolerance) -> Record {
    let loaded = parse_records(text, format, tolerance);
    let mut records = loaded.unwrap_or_else(|error| panic!("{error} in\n{text}")).records;
    assert_eq!(records.len(), 1, "{format:?}: {text}");
    records.remove(0)
}

fn is_legal(record: &Record) -> bool {
    let Ok(start) = Position::from_setup(&record.setup) else { return false };
    let variations = (0..record.variations.len()).map(Line::Variation);
    std::iter::once(Line::Main).chain(variations).all(|line| {
        let mut position = start.clone();
        record.path(line).iter().all(|played| {
            let is_legal = komadai_movegen::is_legal(&position, played.m);
            if is_legal {
                position.do_move(played.m);
            }
            is_legal
        })
    })
}
