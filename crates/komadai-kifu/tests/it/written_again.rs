//! The property of all writers: what was written is read as the same, except for what the format
//! does not have.

use komadai_core::Position;
use komadai_kifu::{
    EndKind, KifuFormat, Line, Loss, Record, RecordTextError, Tolerance, parse_records,
};

/// The formats that can be written.
pub(crate) const FORMATS: &[KifuFormat] = &[
    KifuFormat::Csa,
    KifuFormat::Kif,
    KifuFormat::Ki2,
    KifuFormat::Usi,
    KifuFormat::Usen,
    #[cfg(feature = "jkf")]
    KifuFormat::Jkf,
];

/// All lines of a record, the game first.
pub(crate) fn lines(record: &Record) -> impl Iterator<Item = Line> {
    std::iter::once(Line::Main).chain((0..record.variations.len()).map(Line::Variation))
}

/// Returns true if the start and all moves keep the rules.
pub(crate) fn is_legal(record: &Record) -> bool {
    let Ok(start) = Position::from_setup(&record.setup) else { return false };
    lines(record).all(|line| {
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

/// Returns true if some formats have no word for an end.
pub(crate) fn has_no_word(kind: &EndKind) -> bool {
    matches!(
        kind,
        EndKind::Other(_)
            | EndKind::Win { .. }
            | EndKind::PerpetualCheckLoss
            | EndKind::PerpetualCheckWin
    )
}

/// Returns true if a variation follows the last move of a line without an end.
pub(crate) fn continues(record: &Record) -> bool {
    record.variations.iter().any(|variation| {
        let parent = variation.parent;
        let last = record.first_ply(parent) + record.moves_of(parent).len();
        variation.ply == last && record.end_of(parent).is_none()
    })
}

/// Returns true if a format may refuse a record that was read.
fn may_refuse(error: &RecordTextError) -> bool {
    match error {
        // The official notation has no names for moves after a foul.
        RecordTextError::NoPosition { .. } | RecordTextError::TooDeep { .. } => true,
        _ => false,
    }
}

/// Returns true if a reader of the format may find this in a text although the record had it not.
fn may_appear(loss: &Loss, format: KifuFormat) -> bool {
    match loss {
        // Keys of other formats become remarks.
        Loss::Comments { .. } => format == KifuFormat::Csa,
        // An end without a word of its own.
        Loss::End { .. } => true,
        // Texts with the syntax of the format.
        Loss::Header { .. } => true,
        // A start without a number has the number 1, and a rounded time has another fraction.
        Loss::FirstMoveNumber | Loss::Fractions { .. } => true,
        _ => false,
    }
}

/// Writes a record, reads it back, and returns what was read; `None` if the format refuses it. The
/// error says what was read otherwise.
pub(crate) fn read_again(record: &Record, format: KifuFormat) -> Result<Option<Record>, String> {
    let text = match record.to_text(format) {
        Ok(text) => text,
        Err(error) if may_refuse(&error) => return Ok(None),
        Err(error) => return Err(format!("{format:?} refused: {error}")),
    };
    let again = read_one(&text, format, Tolerance::Lenient)?;
    if is_legal(record) {
        read_one(&text, format, Tolerance::Strict)?;
    }
    let gained: Vec<Loss> = again.losses(record);
    let is_other = |line| record.end_of(line).is_some_and(|end| has_no_word(&end.kind));
    // The end of a variation counts as a part of it.
    let other_end = lines(record).any(is_other);
    let may_appear = |loss: &Loss| {
        // KIF and KI2 have the later part of a line in the form of a variation behind its last
        // move.
        (matches!(loss, Loss::Moves { .. }) && continues(record))
            || may_appear(loss, format)
            || (other_end && matches!(loss, Loss::Variations { .. }))
    };
    if let Some(gain) = gained.iter().find(|loss| !may_appear(loss)) {
        return Err(format!("{format:?} gained {gain:?} from\n{text}"));
    }
    if is_legal(record) && record.losses(&again).iter().any(|l| matches!(l, Loss::Moves { .. })) {
        return Err(format!("lost moves in\n{text}"));
    }
    // What a format does not have is lost at once, not little by little.
    let second = match again.to_text(format) {
        Ok(text) => text,
        Err(error) => return Err(format!("{error} after reading\n{text}")),
    };
    let third = read_one(&second, format, Tolerance::Lenient)?;
    if without_zeros(&third) != without_zeros(&again) {
        return Err(format!("{third:?}\n\nfrom\n{second}\n\nbefore:\n{again:?}\n\nfrom\n{text}"));
    }
    Ok(Some(again))
}

/// The record without times of zero, which KIF has for those that are missing.
fn without_zeros(record: &Record) -> Record {
    let mut record = record.clone();
    let lines: Vec<Line> = lines(&record).collect();
    for line in lines {
        if let Some(end) = record.end_of_mut(line) {
            end.time = end.time.filter(|time| !time.is_zero());
        }
    }
    record
}

fn read_one(text: &str, format: KifuFormat, tolerance: Tolerance) -> Result<Record, String> {
    let loaded = parse_records(text, format, tolerance);
    let mut records = loaded.map_err(|error| format!("{error} in\n{text}"))?.records;
    match records.len() {
        1 => Ok(records.remove(0)),
        count => Err(format!("{count} records in\n{text}")),
    }
}
