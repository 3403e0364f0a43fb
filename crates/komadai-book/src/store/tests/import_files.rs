//! Taking in files and other stores.

use std::fs;
use std::path::{Path, PathBuf};

use komadai_core::Position;
use komadai_kifu::{KifuFormat, Tolerance};
use proptest::prelude::*;

use super::changes::{perform, script};
use super::exchange::shown;
use crate::files::file_kind::FileKind;
use crate::files::input_error::InputError;
use crate::files::inputs::{InputFile, find_inputs};
use crate::merge::Input;
use crate::seed::SeedOptions;
use crate::store::{FileOutcome, FilesImport, ImportEvent, ImportOptions, Store, StoreError};

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn store(&self, name: &str) -> Store {
        Store::open_or_create(self.path(name)).unwrap()
    }
}

fn lenient() -> ImportOptions {
    ImportOptions::default()
}

fn strict() -> ImportOptions {
    ImportOptions { tolerance: Tolerance::Strict, ..lenient() }
}

/// Reads files; what came of each of them, by name.
fn import(
    store: &Store,
    paths: &[PathBuf],
    options: &ImportOptions,
) -> Result<(Vec<(String, FileOutcome)>, FilesImport), InputError> {
    let files = find_inputs(paths, options.tolerance)?.files;
    let mut told = Vec::new();
    let read = store.import_files(&files, options, &mut |event| {
        if let ImportEvent::Done(file, import) = event {
            let name = file.path.file_name().unwrap().to_string_lossy().into_owned();
            told.push((name, import.outcome));
        }
    })?;
    Ok((told, read))
}

fn games_of(store: &Store, m: &str) -> Option<u32> {
    let start = store.position(&Position::hirate()).unwrap()?;
    let m = m.parse().unwrap();
    start.record.moves.iter().find(|listed| listed.m == m)?.count
}

fn import_into_new(store: &Store, place: &Place) -> Result<Store, TestCaseError> {
    let input = Input {
        fingerprint: store.fingerprint().unwrap().number(),
        games: 0,
        name: "other".to_owned(),
    };
    let other = place.store("other.kbook");
    let merged = other.import_store(&input, store).unwrap().expect("it is new");
    prop_assert_eq!(merged.positions as u64, store.len().unwrap());
    prop_assert!(other.import_store(&input, store).unwrap().is_none());
    Ok(other)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_store_taken_in_shows_the_same_book(seed in any::<u64>()) {
        let place = Place::new();
        let store = place.store("a.kbook");
        for step in script(seed, 25) {
            perform(&store, &step).unwrap();
        }
        let other = import_into_new(&store, &place)?;
        prop_assert_eq!(shown(&other), shown(&store));
        prop_assert_eq!(other.tombstones().unwrap().len(), 0);
        let inputs = store.inputs().unwrap();
        prop_assert_eq!(&other.inputs().unwrap()[1..], &inputs[..]);
    }
}

#[test]
fn every_kind_of_file_counts_once() {
    let place = Place::new();
    let other = place.store("other.kbook");
    other.add_games(&Position::hirate(), "5g5f".parse().unwrap(), 3).unwrap();
    let mut log = Vec::new();
    other.export_log(&mut log).unwrap();
    drop(other);
    let paths = [
        place.write("1.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"),
        place.write("2.sfen", "startpos moves 7g7f, game_ply_limit=1, eval_limit=30\n"),
        place.write("3.db", &format!("#YANEURAOU-DB2016 1.00\n{START}\n2g2f none 12 3 8\n")),
        place.write("4.log", &String::from_utf8(log).unwrap().replace("5g5f", "6g6f")),
        place.path("other.kbook"),
        place.path("book.kbook"),
    ];
    let store = place.store("book.kbook");
    let (told, read) = import(&store, &paths, &strict()).unwrap();
    let kinds: Vec<_> = told
        .iter()
        .map(|(name, outcome)| match outcome {
            FileOutcome::Games(games) => format!("{name}: {games} games"),
            FileOutcome::Merged(merged) => format!("{name}: {} moves", merged.moves),
            FileOutcome::ReadBefore => format!("{name}: read before"),
            FileOutcome::Itself => format!("{name}: itself"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "1.csa: 1 games",
            "2.sfen: 1 games",
            "3.db: 1 moves",
            "4.log: 1 moves",
            "other.kbook: 1 moves",
            "book.kbook: itself",
        ]
    );
    assert_eq!((read.games, read.games_for_growing, read.faults), (2, 1, 0));
    let once = store.fingerprint().unwrap();
    let moves = ["7g7f", "2g2f", "6g6f", "5g5f"];
    assert_eq!(moves.map(|m| games_of(&store, m)), [Some(2), Some(8), Some(3), Some(3)]);
    // Under other names, and a working book whose file was opened meanwhile.
    fs::copy(&paths[1], place.path("copy.txt")).unwrap();
    drop(place.store("other.kbook"));
    let again = [place.path("copy.txt"), paths[2].clone(), paths[4].clone()];
    let (told, read) = import(&store, &again, &strict()).unwrap();
    assert!(told.iter().all(|(_, outcome)| *outcome == FileOutcome::ReadBefore), "{told:?}");
    assert_eq!((read, store.fingerprint().unwrap()), (FilesImport::default(), once));
}

#[test]
fn games_that_leave_no_move_may_be_read_again() {
    let place = Place::new();
    let store = place.store("book.kbook");
    let games = [place.write("a.usi", "startpos moves 7g7f 3c3d\n")];
    let seed = SeedOptions { min_games: 5, ..SeedOptions::default() };
    let rare = ImportOptions { seed, ..strict() };
    let (_, read) = import(&store, &games, &rare).unwrap();
    assert_eq!((read.games, read.from_games), (1, None));
    let (_, read) = import(&store, &games, &strict()).unwrap();
    assert_eq!(read.from_games.map(|merged| merged.moves), Some(2));
}

#[test]
fn a_failure_names_its_file_and_no_game_before_it_counts() {
    let place = Place::new();
    let store = place.store("book.kbook");
    let good = place.write("good.usi", "startpos moves 7g7f 3c3d\n");
    let empty = store.fingerprint().unwrap();
    let odd = "sfen 8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 1";
    for (name, content, expected) in [
        ("a.csa", "V2.2\nPI\n+\nHello\n", "a.csa: line 4, column 1: found \"Hello\""),
        ("b.usi", "startpos moves 7g7f 7g7f\n", "b.usi: line 1"),
        ("c.usi", "startpos moves 7g7f, eval_limit=x\n", "c.usi: line 1: found \"x\""),
        ("d.db", "#YANEURAOU-DB2016 1.00\nsfen\n", "d.db: line 2"),
        ("e.db", &format!("#YANEURAOU-DB2016 1.00\n{odd}\nG*5b none 1 1\n"), "e.db: "),
        ("f.log", "#KOMADAI-BOOK-LOG 1\nwhat\n", "f.log: line 2"),
        ("g.kbook", "Dear Sir,", "g.kbook: found \"Dear Sir,\", expected a book's store"),
    ] {
        let broken = place.write(name, content);
        let error = import(&store, &[good.clone(), broken], &strict()).unwrap_err();
        let (told, folder) = (error.to_string(), place.0.path().display());
        assert!(told.starts_with(&format!("{folder}/{expected}")), "{told}");
        assert_eq!(store.fingerprint().unwrap(), empty, "{name}");
    }
    // A file that goes away after it was found.
    let gone =
        InputFile { path: "gone".into(), kind: FileKind::Games(KifuFormat::Usi), stands_for: None };
    let error = store.import_files(&[gone], &lenient(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, InputError::Io { .. }), "{error}");
}

#[test]
fn a_lenient_import_counts_faults_and_shows_the_first() {
    let place = Place::new();
    let store = place.store("book.kbook");
    let lines = "startpos moves 7g7f\nhello\n".repeat(9);
    let file = InputFile::find(place.write("a.usi", &lines)).unwrap();
    let mut told = Vec::new();
    let read = store.import_files(&[file], &lenient(), &mut |event| {
        if let ImportEvent::Done(_, import) = event {
            told.push((import.faults, import.first_faults.clone()));
        }
    });
    assert_eq!(read.unwrap().faults, 9);
    let [(faults, first)] = told.as_slice() else { panic!("one file was read") };
    assert_eq!((*faults, first.len()), (9, 5));
    assert!(first[0].starts_with("line 2"), "{first:?}");
    assert_eq!(games_of(&store, "7g7f"), Some(9));
}

/// The store that is written to is not blamed for another.
#[test]
fn a_store_that_cannot_be_read_is_the_one_that_is_named() {
    let place = Place::new();
    let (store, other) = (place.store("book.kbook"), place.store("other.kbook"));
    other.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    drop(other);
    corrupt_view(&place.path("other.kbook"));
    let empty = store.fingerprint().unwrap();
    let error = import(&store, &[place.path("other.kbook")], &lenient()).unwrap_err();
    assert!(matches!(error, InputError::Store(StoreError::CorruptRow { .. })), "{error}");
    assert!(error.to_string().contains("other.kbook"), "{error}");
    assert_eq!(store.fingerprint().unwrap(), empty);
}

fn corrupt_view(path: &Path) {
    let database = redb::Database::open(path).unwrap();
    let transaction = database.begin_write().unwrap();
    {
        let mut view = transaction.open_table(super::super::VIEW).unwrap();
        view.insert(&[7; 32], &[1, 0xff][..]).unwrap();
    }
    transaction.commit().unwrap();
}

#[test]
fn the_same_game_in_any_format_gives_the_same_moves() {
    let csa = "PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n";
    let game = komadai_kifu::parse_csa(csa, Tolerance::Strict).unwrap().records.remove(0);
    let formats = [
        KifuFormat::Csa,
        KifuFormat::Kif,
        KifuFormat::Ki2,
        KifuFormat::Usi,
        KifuFormat::Usen,
        #[cfg(feature = "jkf")]
        KifuFormat::Jkf,
    ];
    let place = Place::new();
    for format in formats {
        let name = format!("game.{}", format.extension());
        let path = place.write(&name, &game.to_text(format).unwrap());
        let store = place.store(&format!("{format:?}.kbook"));
        let (told, read) = import(&store, &[path], &strict()).unwrap();
        assert_eq!(told, [(name, FileOutcome::Games(1))]);
        assert_eq!(read.from_games.unwrap().moves, 4, "{format:?}");
    }
}

#[cfg(feature = "archives")]
#[test]
fn an_archive_gives_the_games_in_it() {
    use std::io::Write as _;

    let place = Place::new();
    let path = place.path("game.csa.gz");
    let file = fs::File::create(&path).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    gzip.write_all(b"PI\n+\n+7776FU\n-3334FU\n%TORYO\n").unwrap();
    gzip.finish().unwrap();
    let store = place.store("a.kbook");
    let (told, read) = import(&store, std::slice::from_ref(&path), &strict()).unwrap();
    assert!(told.contains(&("game.csa.gz".to_owned(), FileOutcome::Games(1))), "{told:?}");
    assert_eq!(read.from_games.unwrap().moves, 2);

    fs::write(&path, b"\x1f\x8bno archive").unwrap();
    let store = place.store("b.kbook");
    let refused = import(&store, std::slice::from_ref(&path), &strict());
    assert!(matches!(refused, Err(InputError::Archive { .. })));
    let (_, read) = import(&store, &[path], &lenient()).unwrap();
    assert_eq!((read.games, read.faults), (0, 1));
}
