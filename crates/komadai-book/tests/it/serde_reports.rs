//! Settings and reports of growing books as JSON.

use komadai_book::games::{
    BookUse, GameResults, GameWalk, PruneOptions, PruneReason, PruneScope, RemovedMoves,
    UseGrouping, UseOptions, UseTable, WinDrawLoss,
};
use komadai_book::generation::{ExtensionOptions, Generation, GenerationOptions};
use komadai_book::queue::{JobCounts, JobSettings};
use komadai_book::store::{Deletion, FilesImport, ImportOptions, Store, ViewPolicy};
use komadai_book::{
    FileKind, GrowEnd, GrowOptions, Grown, InputFile, LoadOptions, SeedOptions, SeedSides,
    check_book,
};
use komadai_bookfile::BookFormat;
use komadai_core::{AnalystId, Color, Position};
use komadai_kifu::Tolerance;
use serde_json::{from_str, from_value, json, to_value};

use crate::sample_games::{fixture_games, read_book};

#[test]
fn settings_read_back() {
    let settings = JobSettings { nodes: Some(100_000), multi_pv: 3, ..JobSettings::default() };
    let grow = GrowOptions { positions: 500, ..GrowOptions::new(settings) };
    let options = GenerationOptions {
        extension: Some(ExtensionOptions::new(grow)),
        pruning: Some(PruneOptions { scope: PruneScope::Together, ..PruneOptions::default() }),
        ..GenerationOptions::new(100)
    };
    let json = to_value(&options).unwrap();
    assert_eq!(json["extension"]["grow"]["settings"]["nodes"], 100_000);
    assert_eq!(json["pruning"]["scope"], "together");
    let read: GenerationOptions = from_value(json.clone()).unwrap();
    assert_eq!(to_value(&read).unwrap(), json);

    let import = ImportOptions {
        seed: SeedOptions { max_ply: 30, ..SeedOptions::default() },
        ..ImportOptions::default()
    };
    let json = to_value(import).unwrap();
    assert_eq!((&json["seed"]["max_ply"], &json["tolerance"]), (&json!(30), &json!("lenient")));
    let read: ImportOptions = from_value(json).unwrap();
    assert_eq!((read.seed, read.tolerance), (import.seed, import.tolerance));
    let policy = ViewPolicy::Prefer(AnalystId::new("engine", "1"));
    assert_eq!(to_value(&policy).unwrap()["prefer"]["name"], "engine");
    assert_eq!(from_value::<ViewPolicy>(to_value(&policy).unwrap()).unwrap(), policy);
}

#[test]
fn absent_settings_are_the_defaults() {
    let seed: SeedOptions = from_str(r#"{"sides":"winner"}"#).unwrap();
    assert_eq!(seed, SeedOptions { sides: SeedSides::Winner, ..SeedOptions::default() });
    assert_eq!(from_str::<LoadOptions>("{}").unwrap(), LoadOptions::default());
    assert_eq!(from_str::<UseOptions>("{}").unwrap(), UseOptions::default());
    let settings = to_value(JobSettings { nodes: Some(7), ..JobSettings::default() }).unwrap();
    let grow: GrowOptions = from_value(json!({ "settings": settings })).unwrap();
    assert_eq!((grow.positions, grow.per_round), (usize::MAX, 64));
    assert_eq!((grow.nodes_after_parent_percent, grow.settings.nodes), (100, Some(7)));
    let games: GenerationOptions = from_str(r#"{"games":10}"#).unwrap();
    assert!(games.extension.is_none() && games.pruning.is_none());
}

#[test]
fn reports_of_an_import_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.txt");
    std::fs::write(&list, "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\n").unwrap();
    let store = Store::create(folder.path().join("book.kbook")).unwrap();
    let files = [InputFile::find(&list).unwrap()];
    assert_eq!(to_value(files[0].kind).unwrap(), json!({ "games": "usi" }));
    assert_eq!(from_value::<InputFile>(to_value(&files[0]).unwrap()).unwrap(), files[0]);
    let found = store.import_files(&files, &ImportOptions::default(), &mut |_| {}).unwrap();
    let json = to_value(found).unwrap();
    assert_eq!((&json["games"], &json["from_games"]["moves"]), (&json!(2), &json!(3)));
    assert_eq!(from_value::<FilesImport>(json).unwrap(), found);
}

#[test]
fn reports_of_a_check_list_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let hirate = Position::hirate();
    std::fs::write(&path, format!("#YANEURAOU-DB2016 1.00\nsfen {hirate}\n7g7e none 0 0\n"))
        .unwrap();
    let found = check_book(&path).unwrap();
    let json = to_value(&found).unwrap();
    assert_eq!(json["kind"], json!({ "book": "db" }));
    assert_eq!(json["found"]["illegal_moves"]["first"], json!([3]));
    assert_eq!(found.kind, FileKind::Book(BookFormat::Db));
}

#[test]
fn reports_of_games_are_readable() {
    let book = read_book(komadai_testdata::books::match_games::BOOK.as_bytes());
    let games = fixture_games();
    let mut results = GameResults::new();
    let mut uses = Vec::new();
    for (number, game) in (0..).zip(&games) {
        let walk = GameWalk::new(game, &book).unwrap();
        results.add(number, game, &walk);
        uses.push(BookUse::of(game, &UseOptions::default()).unwrap());
    }
    let read: Vec<BookUse> = from_value(to_value(&uses).unwrap()).unwrap();
    assert_eq!(read, uses);
    let table = UseTable::new(&uses, UseGrouping::Opponent);
    assert_eq!(from_value::<UseTable>(to_value(&table).unwrap()).unwrap(), table);
    let candidates = results.prune_candidates(&PruneOptions::default());
    for candidate in &candidates {
        let json = to_value(candidate).unwrap();
        assert_eq!(json["move"], candidate.m.to_string());
        assert_eq!(json["games"][0]["opponent"], "engine");
        assert_eq!(from_value::<PruneReason>(json["reason"].clone()).unwrap(), candidate.reason);
        assert_eq!(from_value::<WinDrawLoss>(json["all"].clone()).unwrap(), candidate.all);
    }
    assert!(!candidates.is_empty());
    let applied = to_value(RemovedMoves::default().apply([], &book)).unwrap();
    assert_eq!(applied["removed"], 0);
}

#[test]
fn reports_of_growth_read_back() {
    let grown: Grown = from_str(r#"{"analysed":3,"end":"enough"}"#).unwrap();
    assert_eq!((grown.analysed, grown.rounds, grown.end), (3, 0, GrowEnd::Enough));
    assert_eq!(from_value::<Grown>(to_value(grown).unwrap()).unwrap(), grown);
    let deletion = Deletion {
        position: Position::hirate(),
        m: Some("7g7f".parse().unwrap()),
        reason: "lost".to_owned(),
        when: 5,
        generation: 2,
        games: vec![1, 4],
    };
    let generation: Generation = from_value(json!({
        "number": 2, "results": { "wins": 3, "losses": 1 }, "played": 4, "faulty": 0,
        "analysed": 7, "nodes": 9, "deletions": [deletion], "snapshot": null,
    }))
    .unwrap();
    assert_eq!((generation.results.wins, generation.results.draws), (3, 0));
    assert_eq!(generation.deletions, [deletion]);
    let json = to_value(&generation).unwrap();
    assert_eq!(json["deletions"][0]["move"], "7g7f");
    assert_eq!(from_value::<Generation>(json).unwrap(), generation);
    let counts = JobCounts { waiting: 3, dead: 1, ..JobCounts::default() };
    assert_eq!(from_value::<JobCounts>(to_value(counts).unwrap()).unwrap(), counts);
}

#[test]
fn impossible_values_are_refused() {
    for bad in [r#"{"min_rate":1.5}"#, r#"{"min_rate":-0.1}"#, r#"{"scope":"some"}"#] {
        assert!(from_str::<PruneOptions>(bad).is_err(), "{bad}");
    }
    assert!(from_str::<LoadOptions>(r#"{"draw":701}"#).is_err());
    assert!(from_str::<GrowOptions>("{}").is_err(), "an analysis without a budget has no end");
    assert!(from_str::<SeedOptions>(r#"{"most":3}"#).is_err(), "an unknown setting");
    assert!(from_str::<Grown>(r#"{"end":"bored"}"#).is_err());
    assert!(from_str::<Color>(r#""x""#).is_err());
    assert!(from_str::<Tolerance>(r#""mild""#).is_err());
}
