//! Random records, written in each format and read back: the same, except for what is reported as
//! lost.

use komadai_kifu::text::{TextEncoding, TextForm};
use komadai_kifu::{
    Comment, EndKind, HeaderKey, KifuFormat, Loss, Record, Tolerance, parse_ki2, parse_kif,
};
use proptest::prelude::*;

use super::random_records::records;
use super::written_again::{FORMATS, has_no_word, lines, read_again};

/// Returns true if a format may lose this of a record.
fn may_lose(loss: &Loss, format: KifuFormat, record: &Record) -> bool {
    let is_text_alone = matches!(format, KifuFormat::Usi | KifuFormat::Usen);
    match loss {
        // Values of one line without blanks at their ends, under keys that the format has.
        Loss::Header { key, value } => is_text_alone || is_lost_header(key, value, format, record),
        Loss::FirstMoveNumber => format != KifuFormat::Usi,
        Loss::Variations { .. } => {
            let has_other = lines(record).any(|line| record.end_of(line).is_some());
            matches!(format, KifuFormat::Csa | KifuFormat::Usi) || has_other
        }
        Loss::Times { .. } if has_line_as_end(record) => true,
        Loss::Times { .. } => {
            is_text_alone
                || format == KifuFormat::Ki2
                || (format == KifuFormat::Csa && !record.variations.is_empty())
        }
        Loss::Fractions { .. } => true,
        Loss::Comments { .. } => {
            let in_variations = format == KifuFormat::Csa && !record.variations.is_empty();
            is_text_alone || in_variations || (format == KifuFormat::Jkf && has_remarks(record))
        }
        Loss::Bookmarks { .. } => is_text_alone || format == KifuFormat::Csa,
        Loss::End { kind } => is_text_alone || format == KifuFormat::Csa || has_no_word(kind),
        _ => false,
    }
}

fn is_lost_header(key: &HeaderKey, value: &str, format: KifuFormat, record: &Record) -> bool {
    let keys = record.header.iter().filter(|(other, _)| *other == key).count();
    match format {
        KifuFormat::Csa => {
            use HeaderKey::*;
            let is_known = matches!(
                key,
                Black
                    | White
                    | Event
                    | Site
                    | StartTime
                    | EndTime
                    | Opening
                    | TimeControl
                    | BlackTimeControl
                    | WhiteTimeControl
                    | MaxMoves
                    | ImpasseRule
                    | Note
            );
            let is_plain = !value.contains(['\r', '\n']) || *key == Note;
            !(is_known && is_plain) || value.contains('\r')
        }
        KifuFormat::Jkf => keys > 1 || matches!(key, HeaderKey::Custom(_)),
        _ => value.contains(['\r', '\n']) || matches!(key, HeaderKey::Custom(_)),
    }
}

/// Returns true if an end is a line of its own, which has no place for a time.
fn has_line_as_end(record: &Record) -> bool {
    let kinds = lines(record).filter_map(|line| record.end_of(line)).map(|end| &end.kind);
    kinds.into_iter().any(|kind| matches!(kind, EndKind::Other(word) if word.starts_with("まで")))
}

fn has_remarks(record: &Record) -> bool {
    let of_moves =
        lines(record).flat_map(|line| record.moves_of(line)).map(|played| &played.comments);
    let of_ends = lines(record).filter_map(|line| record.end_of(line)).map(|end| &end.comments);
    let mut all = of_moves.chain(of_ends).chain([&record.comments]).flatten();
    all.any(|comment| matches!(comment, Comment::Remark(_)))
}

/// Writes and reads a record, and returns it as it was read.
fn check(record: &Record, format: KifuFormat) -> Result<Record, TestCaseError> {
    let again = read_again(record, format).map_err(TestCaseError::fail)?;
    let again = again.ok_or_else(|| TestCaseError::fail("a legal game is not refused"))?;
    let losses = record.losses(&again);
    let unexpected: Vec<&Loss> =
        losses.iter().filter(|loss| !may_lose(loss, format, record)).collect();
    let text = record.to_text(format).unwrap_or_default();
    prop_assert!(
        unexpected.is_empty(),
        "{:?} lost {:?}\n{}\n{:?}",
        format,
        unexpected,
        text,
        record
    );
    Ok(again)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn records_are_read_as_they_were_written_except_for_what_is_reported(record in records()) {
        for &format in FORMATS {
            check(&record, format)?;
        }
    }

    /// Without texts that have the syntax of a format, what a format has comes back exactly.
    #[test]
    fn plain_records_come_back_exactly(record in records()) {
        let plain = plain(record);
        let kif = check(&plain, KifuFormat::Kif)?;
        prop_assert_eq!(plain.losses(&kif), []);
        prop_assert_eq!(kif.losses(&plain), []);
        prop_assert_eq!(parse_kif(plain.to_kif().unwrap(), Tolerance::Strict).unwrap().records, [kif]);
        #[cfg(feature = "jkf")]
        {
            let jkf = check(&plain, KifuFormat::Jkf)?;
            prop_assert_eq!(plain.losses(&jkf), []);
        }
        let mut alone = plain;
        alone.variations.clear();
        alone.bookmark = None;
        alone.moves.iter_mut().for_each(|played| played.bookmark = None);
        let csa = check(&alone, KifuFormat::Csa)?;
        prop_assert_eq!(csa, alone);
    }

    /// Shift_JIS: what does not exist in it is reported with its place, and can be replaced.
    #[test]
    fn texts_in_shift_jis_are_read_back_or_refused_with_the_character(record in records()) {
        let form = TextForm::new(TextEncoding::ShiftJis);
        for (text, is_kif) in [(record.to_kif().unwrap(), true), (record.to_ki2().unwrap(), false)] {
            let read = |bytes: &[u8]| match is_kif {
                true => parse_kif(bytes, Tolerance::Strict),
                false => parse_ki2(bytes, Tolerance::Strict),
            };
            let expected = text.replace('☗', "▲").replace('☖', "△");
            match form.encode(&text) {
                Ok(bytes) => {
                    prop_assert!(!bytes.windows(2).any(|pair| pair[1] == b'\n' && pair[0] != b'\r'));
                    let (from_bytes, from_text) = (read(&bytes).unwrap(), read(expected.as_bytes()).unwrap());
                    prop_assert_eq!(from_bytes.records, from_text.records);
                }
                Err(error) => {
                    let line = text.split('\n').nth(error.line - 1).unwrap();
                    prop_assert_eq!(line.chars().nth(error.column - 1), Some(error.character));
                    prop_assert!(encoding_rs::SHIFT_JIS.encode(&error.character.to_string()).2);
                    let bytes = TextForm { replacement: Some('〓'), ..form }.encode(&text).unwrap();
                    let replaced = read(&bytes).unwrap().records.remove(0);
                    prop_assert_eq!(replaced.moves.len(), record.moves.len());
                }
            }
        }
    }
}

/// The record with plain texts and whole seconds, as all formats have them.
fn plain(mut record: Record) -> Record {
    let whole = |time: Option<std::time::Duration>| {
        time.map(|t| std::time::Duration::from_secs(t.as_secs()))
    };
    let note = |comments: &mut Vec<Comment>| {
        comments
            .iter_mut()
            .for_each(|comment| *comment = Comment::Note("変化の 一手, 'good' 😀".to_owned()));
    };
    record.setup.ply = 1;
    record.header = komadai_kifu::Header::default();
    record.header.push(HeaderKey::Black, "棋士 A, B");
    record.header.push(HeaderKey::White, "表 ソ：能");
    record.header.push(HeaderKey::MaxMoves, "320");
    note(&mut record.comments);
    record.bookmark = record.bookmark.map(|_| "しおり".to_owned());
    for index in 0..=record.variations.len() {
        let line =
            index.checked_sub(1).map_or(komadai_kifu::Line::Main, komadai_kifu::Line::Variation);
        for played in record.moves_of_mut(line) {
            played.time = whole(played.time);
            note(&mut played.comments);
            played.bookmark = played.bookmark.take().map(|_| "しおり".to_owned());
        }
        if let Some(end) = record.end_of_mut(line) {
            end.time = whole(end.time);
            note(&mut end.comments);
            if has_no_word(&end.kind) || end.kind == EndKind::Draw {
                end.kind = EndKind::Resign;
            }
        }
    }
    record
}
