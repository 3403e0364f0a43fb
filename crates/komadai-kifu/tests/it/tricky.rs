//! Peculiarities of real files: forty cases, each read as a whole game.

mod csa;
mod files;
mod headers;
mod moves;

use std::time::Duration;

use komadai_kifu::{
    Comment, End, EndKind, HeaderKey, Line, Record, Tolerance, parse_csa, parse_ki2, parse_kif,
    parse_usi_games,
};

/// Reads the only game of a text in KIF strictly.
fn kif(text: impl AsRef<[u8]>) -> Record {
    only(parse_kif(text, Tolerance::Strict).unwrap().records)
}

/// Reads the only game of a text in KI2 strictly.
fn ki2(text: impl AsRef<[u8]>) -> Record {
    only(parse_ki2(text, Tolerance::Strict).unwrap().records)
}

/// Reads the only game of a text in CSA strictly.
fn csa(text: impl AsRef<[u8]>) -> Record {
    only(parse_csa(text, Tolerance::Strict).unwrap().records)
}

/// Reads a line of USI: the start and the moves that are expected.
fn usi(line: &str) -> Record {
    only(parse_usi_games(line, Tolerance::Strict).unwrap().records)
}

fn only(mut records: Vec<Record>) -> Record {
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// The same game with this header.
fn with_header(mut record: Record, header: &[(HeaderKey, &str)]) -> Record {
    header.iter().for_each(|(key, value)| record.header.push(key.clone(), *value));
    record
}

/// The same game with this end.
fn with_end(mut record: Record, kind: EndKind) -> Record {
    record.end = Some(End::new(kind));
    record
}

/// The same game with these times of the moves in seconds.
fn with_times(mut record: Record, seconds: &[u64]) -> Record {
    for (played, &seconds) in record.moves.iter_mut().zip(seconds) {
        played.time = Some(Duration::from_secs(seconds));
    }
    record
}

/// The same game with a comment on the move of this number, 0 for the start.
fn with_comments(mut record: Record, ply: usize, comments: &[Comment]) -> Record {
    let place = match ply.checked_sub(1) {
        Some(index) => &mut record.moves[index].comments,
        None => &mut record.comments,
    };
    place.extend_from_slice(comments);
    record
}

fn note(text: &str) -> Comment {
    Comment::Note(text.to_owned())
}

fn custom(key: &str) -> HeaderKey {
    HeaderKey::Custom(key.to_owned())
}

/// The moves from the start to the end of each line, the game first.
fn paths(record: &Record) -> Vec<String> {
    let lines = (0..record.variations.len()).map(Line::Variation);
    let path = |line| {
        let moves = record.path(line);
        moves.iter().map(|played| played.m.to_string()).collect::<Vec<_>>().join(" ")
    };
    std::iter::once(Line::Main).chain(lines).map(path).collect()
}
