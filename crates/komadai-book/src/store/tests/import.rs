//! Taking in books.

use komadai_bookfile::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
use komadai_core::{AnalystId, Position, Score};
use komadai_kifu::Tolerance;

use crate::merge::Input;
use crate::queue::{JobQueue, JobSettings, NewJob, PlanChanges, QueueOptions};
use crate::store::{Store, StoreError};

fn input(fingerprint: u64) -> Input {
    Input { fingerprint, games: 0, name: "a book".to_owned() }
}

fn analyst() -> AnalystId {
    AnalystId::new("imported from a book", "")
}

fn start() -> BookRecord {
    let mut start = BookRecord::new(Position::hirate());
    let m = RecordMove::new("7g7f".parse().unwrap());
    start.moves.push(RecordMove { score: Some(Score::cp(30)), count: Some(5), ..m });
    start
}

#[test]
fn values_games_and_judgements_come_in_and_the_rest_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let mut record = start();
    record.comment = "where it begins".to_owned();
    record.moves[0].mark = Some(MoveMark::Good);
    record.results = Some(RecordResults { games: 9, black_wins: 5, white_wins: 4 });
    let eval = |variation: &str| RecordEval {
        score: Score::cp(44),
        depth: 20,
        seldepth: 30,
        nodes: 1_000,
        variation: variation.to_owned(),
        engine: "engine".to_owned(),
    };
    record.evals = vec![eval("2g2f 8c8d"), eval("▲２六歩")];
    let records = [Ok::<_, StoreError>(record)];
    let import = store.import_records(&input(1), &analyst(), records, Tolerance::Strict);
    let import = import.unwrap().expect("it is new");
    assert_eq!((import.records, import.merged.moves, import.merged.evaluations), (1, 2, 2));
    assert_eq!(
        import.lost.to_string(),
        "comments: 1\nmarks on moves: 1\nresults of games: 1\njudgements of positions: 1\n"
    );
    let stored = store.position(&Position::hirate()).unwrap().unwrap();
    let analysts = store.analysts().unwrap();
    let seen: Vec<_> = stored
        .moves()
        .map(|(listed, value)| {
            let value = value.unwrap();
            (
                listed.m.to_string(),
                listed.count,
                value.nodes,
                analysts[value.analyst.index()].clone(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("7g7f".to_owned(), Some(5), 0, analyst()),
            ("2g2f".to_owned(), Some(0), 1_000, AnalystId::new("engine", "")),
        ]
    );
}

#[test]
fn a_book_comes_in_once_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let empty = store.fingerprint().unwrap();
    let gone = std::io::Error::other("the disk is gone");
    let broken = [Ok(start()), Err(StoreError::Output { error: gone })];
    let error = store.import_records(&input(1), &analyst(), broken, Tolerance::Lenient);
    assert!(matches!(error, Err(StoreError::Output { .. })));
    assert_eq!(store.fingerprint().unwrap(), empty);
    for is_new in [true, false] {
        let records = [Ok::<_, StoreError>(start())];
        let import = store.import_records(&input(1), &analyst(), records, Tolerance::Lenient);
        assert_eq!(import.unwrap().is_some(), is_new);
    }
    let stored = store.position(&Position::hirate()).unwrap().unwrap();
    assert_eq!(stored.record.moves[0].count, Some(5));
}

#[test]
fn what_fits_into_no_book_is_refused_or_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let empty = store.fingerprint().unwrap();
    let without_king = "8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 1";
    let mut odd = BookRecord::new(Position::from_sfen(without_king).unwrap());
    odd.moves = ["G*5b", "G*5c"].map(|m| RecordMove::new(m.parse().unwrap())).to_vec();
    let mut illegal = start();
    illegal.moves.push(RecordMove::new("7g7e".parse().unwrap()));
    let records = || [odd.clone(), illegal.clone()].map(Ok::<_, StoreError>);
    let strict = store.import_records(&input(1), &analyst(), records(), Tolerance::Strict);
    assert!(matches!(strict, Err(StoreError::Entry(_))));
    assert_eq!(store.fingerprint().unwrap(), empty);
    let lenient = store.import_records(&input(1), &analyst(), records(), Tolerance::Lenient);
    let import = lenient.unwrap().unwrap();
    assert_eq!((import.refused.count(), import.merged.moves), (2, 1));
}

#[test]
fn the_newest_generation_is_that_of_any_job() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let queue = store.queue(QueueOptions::default());
    assert_eq!(queue.newest_generation().unwrap(), None);
    let job = |position, generation| NewJob {
        position,
        priority: 0,
        settings: JobSettings { generation, ..JobSettings::default() },
    };
    let start = Position::hirate();
    let next = start.after("7g7f".parse().unwrap());
    queue.plan(&PlanChanges::wanted(vec![job(start, 3), job(next, 1)])).unwrap();
    assert_eq!(queue.newest_generation().unwrap(), Some(3));
}
