//! Sorting and merging of books on disk, compared with the same in memory.

use std::convert::Infallible;

use komadai_bookfile::Tolerance;
use komadai_bookfile::db::DbReader;
use komadai_bookfile::sorting::{
    Conflict, MergeCounts, MergeRule, SortOptions, merge_records, sort_records,
};
use komadai_bookfile::{
    BookError, BookFileError, BookRecord, RecordMove, RecordResults, RecordsError,
};
use komadai_core::{Color, Position, Score};
use komadai_testdata::books::synthetic;

use crate::random_records::{self, Numbers};

const BOUNDS: [usize; 4] = [0, 3_000, 100_000, 1 << 30];

fn options(memory_bytes: usize) -> SortOptions {
    SortOptions { memory_bytes, ..SortOptions::default() }
}

fn given(records: &[BookRecord]) -> impl Iterator<Item = Result<BookRecord, Infallible>> + '_ {
    records.iter().cloned().map(Ok)
}

fn sorted(records: &[BookRecord], memory_bytes: usize) -> Vec<BookRecord> {
    sort_records(given(records), &options(memory_bytes)).unwrap().map(Result::unwrap).collect()
}

/// The text after `sfen `.
fn text(record: &BookRecord) -> String {
    let text = record.position.to_string();
    let (without_ply, _) = text.rsplit_once(' ').unwrap();
    record.ply.map_or(without_ply.to_owned(), |ply| format!("{without_ply} {ply}"))
}

fn random(seed: u64, count: usize, plies: u64) -> Vec<BookRecord> {
    let mut numbers = Numbers::new(seed);
    let mut one = || {
        let position = random_records::position(&mut numbers, plies);
        random_records::record(&mut numbers, position)
    };
    (0..count).map(|_| one()).collect()
}

#[test]
fn any_book_is_sorted_in_any_memory() {
    // Few plies, so that positions are repeated and their order must be kept.
    let records = [random(1, 1_500, 3), random(2, 1_500, 40)].concat();
    let mut expected = records.clone();
    expected.sort_by_key(text);
    for memory_bytes in BOUNDS {
        assert!(sorted(&records, memory_bytes) == expected, "{memory_bytes}");
    }
    assert!(expected.windows(2).any(|pair| text(&pair[0]) == text(&pair[1])));
    assert_eq!(sorted(&[], 0), []);
}

#[test]
fn real_order_is_the_order_of_the_files() {
    for fixture in synthetic::books() {
        let reader = DbReader::new(fixture.yaneuraou.as_bytes(), Tolerance::Strict);
        let records: Vec<_> = reader.map(Result::unwrap).collect();
        let mut shuffled = records.clone();
        shuffled.reverse();
        shuffled.rotate_left(17);
        assert_eq!(sorted(&shuffled, 1_000), records);
    }
}

#[test]
fn failures_are_handed_on() {
    let text = "#YANEURAOU-DB2016 1.00\nsfen 9/9 b - 1\n";
    let reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
    let failed = sort_records(reader, &SortOptions::default()).unwrap_err();
    assert!(
        matches!(failed, RecordsError::Source(BookError::Sfen { place, .. }) if place.line() == Some(2))
    );
    let folder = tempfile::tempdir().unwrap();
    let nowhere = SortOptions { memory_bytes: 100, temp_dir: Some(folder.path().join("nowhere")) };
    let failed = sort_records(given(&random(3, 10, 5)), &nowhere).unwrap_err();
    assert!(matches!(failed, RecordsError::File(BookFileError::Temporary(_))), "{failed}");
    let here = SortOptions { memory_bytes: 100, temp_dir: Some(folder.path().to_owned()) };
    assert_eq!(sort_records(given(&random(3, 10, 5)), &here).unwrap().count(), 10);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The record with the board turned, and all data that depends on a side or a square.
fn turned(record: &BookRecord) -> BookRecord {
    let mut record = record.clone();
    record.position = record.position.flipped();
    for listed in &mut record.moves {
        listed.m = listed.m.flipped();
        listed.ponder = listed.ponder.map(|ponder| ponder.flipped());
    }
    for eval in &mut record.evals {
        eval.variation = match eval.variation.as_str() {
            "7g7f 3c3d" => "3c3d 7g7f".to_owned(),
            "3c3d 7g7f" => "7g7f 3c3d".to_owned(),
            other => panic!("{other}"),
        };
    }
    if let Some(results) = &mut record.results {
        std::mem::swap(&mut results.black_wins, &mut results.white_wins);
    }
    record
}

/// The position in the orientation with Black to move.
fn identity(position: &Position) -> String {
    let text = match position.side() {
        Color::Black => position.to_string(),
        Color::White => position.flipped().to_string(),
    };
    text.rsplit_once(' ').unwrap().0.to_owned()
}

/// A reference implementation of merging, one record after another.
fn naive(books: &[Vec<BookRecord>], rule: MergeRule) -> (Vec<BookRecord>, MergeCounts) {
    let mut merged: Vec<BookRecord> = Vec::new();
    let mut counts = MergeCounts::default();
    for record in books.iter().flatten() {
        counts.read += 1;
        let same =
            |known: &&mut BookRecord| identity(&known.position) == identity(&record.position);
        let Some(known) = merged.iter_mut().find(same) else {
            merged.push(record.clone());
            continue;
        };
        let is_turned = known.position.side() != record.position.side();
        counts.turned += u64::from(is_turned);
        let other = if is_turned { turned(record) } else { record.clone() };
        match rule {
            MergeRule::First => {}
            MergeRule::Last => {
                let (position, ply) = (known.position.clone(), known.ply);
                *known = BookRecord { position, ply, ..other };
            }
            MergeRule::Union(conflict) => counts.conflicts += unite(known, other, conflict),
        }
    }
    counts.positions = merged.len() as u64;
    merged.sort_by_key(text);
    (merged, counts)
}

fn unite(known: &mut BookRecord, other: BookRecord, conflict: Conflict) -> u64 {
    let mut conflicts = 0;
    known.comment = both(&known.comment, &other.comment);
    known.results = match (known.results, other.results) {
        (Some(a), Some(b)) => Some(RecordResults {
            games: a.games + b.games,
            black_wins: a.black_wins + b.black_wins,
            white_wins: a.white_wins + b.white_wins,
        }),
        (a, b) => a.or(b),
    };
    for eval in other.evals {
        if !known.evals.contains(&eval) {
            known.evals.push(eval);
        }
    }
    for b in other.moves {
        let Some(a) = known.moves.iter_mut().find(|a| a.m == b.m) else {
            known.moves.push(b);
            continue;
        };
        conflicts += u64::from(a.score.is_some() && b.score.is_some() && a.score != b.score);
        let b_wins = match conflict {
            _ if b.score.is_none() => false,
            _ if a.score.is_none() => true,
            Conflict::First => false,
            Conflict::Last => true,
            Conflict::Deeper => b.depth.map_or(-1, i32::from) > a.depth.map_or(-1, i32::from),
        };
        let (winner, loser) = if b_wins { (&b, &*a) } else { (&*a, &b) };
        let depth = match (b_wins, a.score == b.score) {
            (false, true) => winner.depth.or(loser.depth),
            _ => winner.depth,
        };
        *a = RecordMove {
            m: a.m,
            score: winner.score,
            depth,
            ponder: winner.ponder.or(loser.ponder),
            mark: winner.mark.or(loser.mark),
            count: match (a.count, b.count) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
            },
            comment: both(&a.comment, &b.comment),
        };
    }
    conflicts
}

fn both(first: &str, second: &str) -> String {
    match (first, second) {
        ("", text) | (text, "") => text.to_owned(),
        (first, second) if first == second => first.to_owned(),
        (first, second) => format!("{first}\n{second}"),
    }
}

#[test]
fn books_are_merged_as_described_in_any_memory() {
    let mut numbers = Numbers::new(7);
    let books: Vec<Vec<BookRecord>> = (0..4)
        .map(|book| {
            let records = random(10 + book, 400, 2).into_iter();
            let turn = |record: BookRecord| match numbers.below(2) {
                0 => turned(&record),
                _ => record,
            };
            records.map(turn).collect()
        })
        .collect();
    for rule in [
        MergeRule::First,
        MergeRule::Last,
        MergeRule::Union(Conflict::First),
        MergeRule::Union(Conflict::Last),
        MergeRule::Union(Conflict::Deeper),
    ] {
        let (expected, counts) = naive(&books, rule);
        assert!(counts.turned > 300 && counts.positions < counts.read / 2, "{counts:?}");
        assert_eq!(counts.conflicts > 0, matches!(rule, MergeRule::Union(_)));
        for memory_bytes in BOUNDS {
            let given = books.iter().map(|book| given(book));
            let (found, merged) = merge_records(given, rule, &options(memory_bytes)).unwrap();
            assert_eq!(found, counts);
            let merged: Vec<_> = merged.map(Result::unwrap).collect();
            let differs =
                merged.iter().zip(&expected).find(|(merged, expected)| merged != expected);
            assert_eq!((differs, merged.len()), (None, expected.len()), "{rule:?} {memory_bytes}");
        }
    }
}

#[test]
fn the_first_orientation_wins_and_counts_are_added() {
    let start = BookRecord {
        moves: vec![RecordMove {
            score: Some(Score::cp(30)),
            ponder: "3c3d".parse().ok(),
            count: Some(u32::MAX - 1),
            ..RecordMove::new("7g7f".parse().unwrap())
        }],
        ..BookRecord::new(Position::hirate())
    };
    let mut other = turned(&start);
    other.moves[0].count = Some(5);
    other.moves.push(RecordMove::new("8c8d".parse().unwrap()));
    let books = [vec![start.clone()], vec![other]];
    let rule = MergeRule::Union(Conflict::First);
    let merged = merge_records(books.iter().map(|book| given(book)), rule, &options(0)).unwrap().1;
    let merged: Vec<_> = merged.map(Result::unwrap).collect();
    let [record] = &merged[..] else { panic!("one record") };
    assert_eq!(record.position, Position::hirate());
    assert_eq!(record.moves[0], RecordMove { count: Some(u32::MAX), ..start.moves[0].clone() });
    assert_eq!(record.moves[1].m, "2g2f".parse().unwrap());
}
