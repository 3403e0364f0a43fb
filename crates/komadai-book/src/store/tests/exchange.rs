//! Text logs in and out.

use std::collections::{BTreeMap, BTreeSet};

use komadai_bookfile::EntryError;
use komadai_core::{Analysis, AnalystId, Line, Position, Score};
use komadai_kifu::Tolerance;
use proptest::prelude::*;

use super::changes::Changes;
use crate::logged_analysis::{LoggedAnalysis, Source};
use crate::store::writer::Writer;
use crate::store::{Store, StoreError, StoreExport};

fn new_store(folder: &tempfile::TempDir, name: &str) -> Store {
    Store::create(folder.path().join(name)).unwrap()
}

fn exported(store: &Store) -> (Vec<u8>, StoreExport) {
    let mut text = Vec::new();
    let export = store.export_log(&mut text).unwrap();
    (text, export)
}

/// Each position with its moves, their games and values.
pub(super) fn shown(store: &Store) -> Vec<String> {
    let analysts = store.analysts().unwrap();
    let mut shown = Vec::new();
    for stored in store.records().unwrap().map(Result::unwrap) {
        for (listed, value) in stored.moves() {
            let value = value.map(|v| {
                let who = &analysts[v.analyst.index()];
                (v.score, v.bound, v.depth, v.nodes, v.when, v.source, who.clone())
            });
            let position = &stored.record.position;
            shown.push(format!("{position} {} {:?} {value:?}", listed.m, listed.count));
        }
    }
    shown
}

/// The evaluations of a text, those that differ in the answer expected only being one: an analysis
/// of several lines may have a value with an answer and another the same value without.
fn values_of(text: &[u8]) -> BTreeSet<Vec<&str>> {
    const ANALYST: usize = 8;
    let lines = str::from_utf8(text).unwrap().lines().filter(|line| line.starts_with("eval"));
    let value = |line| {
        let mut cells: Vec<&str> = str::split(line, '\t').collect();
        cells.pop();
        // The numbers of analysts may be others in another text.
        cells.remove(ANALYST);
        cells
    };
    lines.map(value).collect()
}

/// The games of each move that has any. Of lines that only say that a move is known, one is enough.
fn games_of(text: &[u8]) -> BTreeMap<&str, u64> {
    let lines = str::from_utf8(text).unwrap().lines().filter(|line| line.starts_with("games"));
    let mut games = BTreeMap::new();
    for (m, count) in lines.filter_map(|line| line.rsplit_once('\t')) {
        *games.entry(m).or_default() += count.parse::<u64>().unwrap();
    }
    games.retain(|_, count| *count > 0);
    games
}

fn round_trip(seed: u64) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let store = new_store(&folder, "a.kbook");
    store.merge_batch(&Changes::new(seed, 10).batch(60)).unwrap();
    let (text, export) = exported(&store);
    let again = new_store(&folder, "b.kbook");
    let import = again.import_log(&text[..], "a", Tolerance::Strict).unwrap().unwrap();
    prop_assert_eq!(import.merged.positions as u64, store.len().unwrap());
    prop_assert_eq!(shown(&again), shown(&store));
    let lines = str::from_utf8(&text).unwrap().lines();
    prop_assert_eq!(lines.filter(|l| l.starts_with("eval")).count() as u64, export.evaluations);
    // The imported content equals the content of the text.
    let (text_again, _) = exported(&again);
    prop_assert_eq!(values_of(&text_again), values_of(&text));
    prop_assert_eq!(games_of(&text_again), games_of(&text));
    // Its own evaluations are nothing new to the store, games aside.
    let evaluations = |text: &[u8]| {
        let lines = str::from_utf8(text).unwrap().lines();
        let lines = lines.filter(|line| !line.starts_with("games"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let import = store.import_log(evaluations(&text).as_bytes(), "own", Tolerance::Strict);
    prop_assert_eq!(import.unwrap().unwrap().merged.evaluations, 0);
    prop_assert_eq!(shown(&again), shown(&store));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_log_read_back_shows_the_same_book(seed in any::<u64>()) {
        round_trip(seed)?;
    }
}

#[test]
fn a_log_with_a_value_twice_is_read_back() {
    for seed in [6_564_840_783_666_257_428, 6_566_443_919_388_764_450] {
        round_trip(seed).unwrap();
    }
}

#[test]
fn a_text_is_imported_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = new_store(&folder, "a.kbook");
    let text = "#KOMADAI-BOOK-LOG 1\n\
        games\tlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f\t12\n";
    let import = store.import_log(text.as_bytes(), "first", Tolerance::Strict).unwrap().unwrap();
    assert_eq!((import.merged.positions, import.merged.moves), (1, 1));
    let kept = store.fingerprint().unwrap();
    assert!(store.import_log(text.as_bytes(), "again", Tolerance::Strict).unwrap().is_none());
    assert_eq!(store.fingerprint().unwrap(), kept);
    assert_eq!(store.inputs().unwrap()[0].name, "first");
    let start = store.position(&Position::hirate()).unwrap().unwrap();
    assert_eq!(start.record.moves[0].count, Some(12));
}

#[test]
fn a_faulty_text_changes_nothing_or_its_faults_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let store = new_store(&folder, "a.kbook");
    let kept = store.fingerprint().unwrap();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!(
        "#KOMADAI-BOOK-LOG 1\ngames\t{start}\t7g7f\t12\nwhat\ngames\t{start}\t7g7e\t1\n\
         eval\t{start}\t2g2f\t1\texact\t1\t1\t1\t5\tsearch\t0\t-\ngames\t{start}\t2g2f\t3\n"
    );
    let error = store.import_log(text.as_bytes(), "x", Tolerance::Strict).unwrap_err();
    assert!(matches!(&error, StoreError::Text(fault) if fault.line() == Some(3)), "{error}");
    assert_eq!(store.fingerprint().unwrap(), kept);
    let import = store.import_log(text.as_bytes(), "x", Tolerance::Lenient).unwrap().unwrap();
    assert_eq!((import.merged.moves, import.skipped.count()), (2, 3));
    let error = store.import_log(&b"#YANEURAOU"[..], "x", Tolerance::Lenient).unwrap_err();
    assert!(matches!(error, StoreError::Text(_)), "{error}");
}

#[test]
fn what_the_text_cannot_say_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = new_store(&folder, "a.kbook");
    let line = |pv: &str| Line::exact(Score::ZERO, pv.parse().unwrap());
    let analysis = Analysis {
        lines: vec![line("7g7f 3c3d 2g2f"), line("2g2f")],
        completed: true,
        ..Analysis::default()
    };
    let logged = LoggedAnalysis::new(Position::hirate(), analysis, AnalystId::new("e", "1"));
    let plain = LoggedAnalysis {
        source: Source::Successor,
        when: 1,
        analysis: Analysis { lines: vec![line("7g7f")], ..logged.analysis.clone() },
        ..logged.clone()
    };
    store.merge_batch(&[logged.into(), plain.into()]).unwrap();
    let (_, export) = exported(&store);
    let expected = StoreExport {
        evaluations: 3,
        variations_cut: 1,
        analyses_cut: 1,
        ..StoreExport::default()
    };
    assert_eq!(export, expected);
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(matches!(store.export_log(&mut Full), Err(StoreError::Output { .. })));
}

#[test]
fn more_analysts_than_a_store_can_number_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let store = new_store(&folder, "a.kbook");
    let named = store.write(|transaction| {
        let mut writer = Writer::open(transaction)?;
        for number in 0..=1 << 16 {
            writer.analyst_number(&AnalystId::new(format!("n{number}"), ""))?;
        }
        Ok(())
    });
    assert!(matches!(named, Err(StoreError::Entry(EntryError::Full { .. }))), "{named:?}");
    assert!(store.analysts().unwrap().is_empty());
}
