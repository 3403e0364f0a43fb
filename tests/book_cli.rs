//! The example `book` as its users run it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use komadai::book::{
    AnalystId, BookGame, BookRecord, BookSource, Change, JobQueue as _, LoggedAnalysis,
    QueueOptions, RecordMove, Store, StoredRecord,
};
use komadai::core::{Analysis, Bound, Line, Setup};
use komadai::kifu::Tolerance;
use komadai::movegen::MoveGen as _;
use komadai::{Color, Move, Position, Score};
use komadai_testdata::books::synthetic::SyntheticBook;
use komadai_testdata::books::{match_games, synthetic, yuuki};
use komadai_testdata::{Outcome, kifu};
use serde_json::Value;
use tempfile::TempDir;

/// The example beside this test's own program: `cargo test` builds both.
fn book() -> Command {
    let test = std::env::current_exe().expect("this program has a path");
    let folder = test.parent().and_then(Path::parent).expect("it lies in target/PROFILE/deps");
    let example = folder.join("examples").join(format!("book{}", std::env::consts::EXE_SUFFIX));
    assert!(example.exists(), "`cargo build --example book` comes first");
    Command::new(example)
}

/// A folder in which the program runs, so that its messages have short names in them.
struct Workplace(TempDir);

impl Workplace {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for temporary files"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the folder can be written");
    }

    fn run(&self, arguments: &[&str]) -> Output {
        book().args(arguments).current_dir(self.0.path()).output().expect("the example starts")
    }

    /// Runs what must go well, and returns what it says on standard output.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.done(arguments)).expect("JSON and nothing else")
    }

    /// Runs what must fail, and returns what it says about it.
    fn refused(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains("error: "), "{arguments:?}: {told}");
        assert!(!told.contains("panicked"), "{arguments:?}: {told}");
        told
    }

    fn records(&self, name: &str) -> Vec<BookRecord> {
        let source = BookSource::open(self.path(name), Tolerance::Strict).expect(name);
        source.collect::<Result<_, _>>().expect(name)
    }

    fn view(&self, name: &str) -> Vec<StoredRecord> {
        let store = Store::open(self.path(name)).expect(name);
        store.records().expect(name).collect::<Result<_, _>>().expect(name)
    }

    fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("the folder is readable").file_name().into_string().expect("a plain name")
        };
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).expect("the folder is there").map(name).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

fn small50() -> SyntheticBook {
    synthetic::books().find(|book| book.name == "small50").expect("it is bundled")
}

/// The book with a number of games for each move, which the fixture does not have.
fn with_counts(db: &str) -> String {
    let counted = db.lines().enumerate().map(|(place, line)| {
        match line.starts_with('#') || line.starts_with("sfen ") {
            true => format!("{line}\n"),
            false => format!("{line} {}\n", 1 + place % 9),
        }
    });
    counted.collect()
}

/// What of a book is compared: a format keeps some of it.
type Known = BTreeMap<String, BTreeSet<String>>;

fn known(records: &[BookRecord], shown: impl Fn(&RecordMove) -> String) -> Known {
    let moves = |record: &BookRecord| {
        let moves = record.moves.iter().map(|listed| format!("{} {}", listed.m, shown(listed)));
        let setup = Setup { ply: 1, ..record.position.to_setup() };
        (setup.to_string(), moves.collect())
    };
    records.iter().map(moves).collect()
}

#[test]
fn every_format_gives_back_what_it_can_hold() {
    let place = Workplace::new();
    place.write("a.db", with_counts(small50().input));
    let original = place.records("a.db");
    let moves = original.iter().map(|record| record.moves.len() as u64).sum::<u64>();
    let plies = original.iter().filter(|record| record.ply.is_some()).count() as u64;
    let all = |m: &RecordMove| format!("{:?} {:?} {:?}", m.score, m.depth, m.count);
    let without_count = |m: &RecordMove| format!("{:?} {:?}", m.score, m.depth);
    let without_depth = |m: &RecordMove| format!("{:?} {:?}", m.score, m.count);
    let only_count = |m: &RecordMove| format!("{:?}", m.count);
    /// A format, what of moves it keeps, and what it says that it loses.
    type Case<'c> = (&'c str, &'c dyn Fn(&RecordMove) -> String, &'c [(&'c str, u64)]);
    let cases: [Case<'_>; 5] = [
        ("db", &all, &[]),
        ("ybb", &without_count, &[("counts_of_moves", moves)]),
        ("bin", &without_depth, &[("depths_of_moves", moves), ("move_numbers", plies)]),
        ("sbk", &only_count, &[("values_of_moves", moves), ("depths_of_moves", moves)]),
        ("kbook", &all, &[]),
    ];
    for (format, shown, lost) in cases {
        let there = format!("there.{format}");
        let back = format!("back-from-{format}.db");
        let json = place.json(&["convert", "a.db", &there, "--json"]);
        assert_eq!(json["positions"], original.len(), "{format}");
        assert_eq!(json["skipped"], 0);
        for (kind, count) in json["lost"].as_object().expect("an object") {
            let expected =
                lost.iter().find(|(name, _)| name == kind).map_or(0, |&(_, count)| count);
            assert_eq!(count.as_u64(), Some(expected), "{format}: {kind}");
        }
        place.done(&["convert", &there, &back]);
        assert_eq!(
            known(&place.records(&back), shown),
            known(&original, shown),
            "{format} and back"
        );
        // What was written is in order and announces how much it is.
        let sound = place.json(&["validate", &back, "--json"]);
        assert_eq!(sound["sound"], true, "{format}: {sound}");
        let announced = fs::read_to_string(place.path(&back)).unwrap();
        assert!(announced.contains(&format!("\n# NOE:{}\n", original.len())), "{format}");
        assert_eq!(place.json(&["validate", &there, "--json"])["sound"], true, "{format}");
    }
    // Nothing temporary is left.
    assert!(place.names().iter().all(|name| !name.starts_with('.')), "{:?}", place.names());
}

#[test]
fn a_book_without_depths_says_what_that_costs() {
    let place = Workplace::new();
    place.write("a.db", with_counts(small50().input));
    let lean = place.json(&["convert", "a.db", "a.ybb", "--depths", "omit", "--json"]);
    assert_eq!(lean["lost"]["depths_of_moves"], lean["lost"]["counts_of_moves"]);
    // The content tells what a book is, whatever its name.
    fs::rename(place.path("a.ybb"), place.path("a.db")).unwrap();
    assert_eq!(place.json(&["info", "a.db", "--json"])["format"], "ybb");
    let told = place.refused(&["convert", "a.db", "a.xyz"], 2);
    assert!(told.contains("a.xyz: the name tells no format"), "{told}");
    let told = place.refused(&["convert", "a.db", "out", "--to", "pdf"], 2);
    assert!(told.contains("\"pdf\" is no format, expected db, ybb, bin, sbk or kbook"), "{told}");
    place.done(&["convert", "a.db", "out", "--to", "ybb"]);
}

#[test]
fn sorting_needs_little_memory_and_loses_nothing() {
    let place = Workplace::new();
    place.write("a.db", yuuki::YANEURAOU_DB);
    assert_eq!(place.json(&["info", "a.db", "--json"])["sorted"], false);
    place.refused(&["validate", "a.db"], 1);
    let told = place.refused(&["probe", "a.db"], 1);
    assert!(told.contains("a.db: not sorted, `book sort IN OUT` makes"), "{told}");
    place.done(&["sort", "a.db", "b.db", "--memory-mib", "0"]);
    place.done(&["validate", "b.db"]);
    let all = |m: &RecordMove| format!("{m:?}");
    let unsorted = BookSource::open(place.path("a.db"), Tolerance::Lenient).unwrap();
    let unsorted: Vec<BookRecord> = unsorted.map(Result::unwrap).collect();
    assert_eq!(known(&place.records("b.db"), all), known(&unsorted, all));
    assert_eq!(place.json(&["probe", "b.db", "--json"])["found"], true);
    // In place.
    place.done(&["sort", "a.db", "a.db"]);
    assert_eq!(fs::read(place.path("a.db")).unwrap(), fs::read(place.path("b.db")).unwrap());
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const TURNED: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2";
const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

#[test]
fn the_rule_says_what_becomes_of_two_records() {
    let place = Workplace::new();
    place.write("a.db", format!("{HEADER}{START}\n7g7f none 30 10 5\n2g2f none 20 10 1\n"));
    place.write("b.db", format!("{HEADER}{TURNED}\n3c3d none 40 8 2\n"));
    for (rule, expected) in [
        ("first", "2g2f 20 1, 7g7f 30 5"),
        ("last", "7g7f 40 2"),
        ("union-first", "2g2f 20 1, 7g7f 30 7"),
        ("union-last", "2g2f 20 1, 7g7f 40 7"),
        ("union-deeper", "2g2f 20 1, 7g7f 30 7"),
    ] {
        let json = place.json(&["merge", "a.db", "b.db", "c.db", "--rule", rule, "--json"]);
        assert_eq!((&json["positions"], &json["turned"]), (&1.into(), &1.into()));
        assert_eq!(json["moves_with_two_values"], u64::from(rule.starts_with("union")));
        let records = place.records("c.db");
        let mut moves: Vec<String> = records[0]
            .moves
            .iter()
            .map(|m| format!("{} {} {}", m.m, m.score.unwrap().raw(), m.count.unwrap()))
            .collect();
        moves.sort();
        assert_eq!(moves.join(", "), expected, "{rule}");
    }
    place.refused(&["merge", "a.db", "c.db", "--rule", "best"], 2);
    place.refused(&["merge", "a.db"], 2);
}

#[test]
fn propagated_values_are_those_of_the_fixtures() {
    let value_and_depth = |m: &RecordMove| format!("{:?} {:?}", m.score, m.depth);
    for fixture in synthetic::books() {
        let place = Workplace::new();
        place.write("a.db", fixture.input);
        place.write("solved.db", fixture.solved);
        place.done(&["propagate", "a.db", "out.db"]);
        let expected = known(&place.records("solved.db"), value_and_depth);
        if fixture.name == "small50" {
            assert_eq!(known(&place.records("out.db"), value_and_depth), expected);
        }
        // By way of a working book the values are the same. Depths in loops of checks are no property
        // of a book.
        place.done(&["import", "a.kbook", "a.db"]);
        place.done(&["propagate", "a.kbook", "b.db"]);
        let value = |m: &RecordMove| format!("{:?}", m.score);
        assert_eq!(
            known(&place.records("b.db"), value),
            known(&place.records("out.db"), value),
            "{}",
            fixture.name
        );
    }
}

#[test]
fn a_position_is_found_whatever_the_book_is() {
    let place = Workplace::new();
    place.write("a.db", small50().input);
    for format in ["db", "ybb", "bin", "sbk", "kbook"] {
        let name = format!("b.{format}");
        place.done(&["convert", "a.db", &name]);
        let shown = place.json(&["probe", &name, "--moves", "7g7f", "--json"]);
        let moves = shown["moves"].as_array().unwrap();
        assert_eq!((shown["found"].as_bool(), moves.len()), (Some(true), 8), "{format}");
        assert_eq!(moves[0]["move"], "3c3d", "{format}");
        // The same with the colours exchanged.
        let turned = ["probe", &name, "--sfen", &TURNED[5..], "--moves", "3c3d", "--json"];
        assert_eq!(place.json(&turned)["moves"].as_array().unwrap().len(), 8, "{format}");
        let missing = place.json(&["probe", &name, "--moves", "1g1f 9c9d 1f1e", "--json"]);
        assert_eq!(missing["found"], false, "{format}");
    }
    let japanese = place.done(&["probe", "b.db", "--notation", "japanese", "--values"]);
    assert!(japanese.contains("▲７六歩(77)") && japanese.contains("best line: ▲"), "{japanese}");
    let latin = place.done(&["probe", "b.kbook", "--notation", "latin", "--depth", "2"]);
    assert!(latin.contains("  P-7f"), "{latin}");
    // The values that follow are those of propagation, best first.
    let follow = place.json(&["probe", "b.kbook", "--values", "--json"]);
    let values: Vec<i64> =
        follow["moves"].as_array().unwrap().iter().map(|m| m["value"].as_i64().unwrap()).collect();
    assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
    let told = place.refused(&["probe", "b.db", "--moves", "7g7f 7g7f"], 2);
    assert!(told.contains("move 2, 7g7f, is illegal"), "{told}");
    place.refused(&["probe", "b.db", "--sfen", "nonsense"], 2);
    place.refused(&["probe", "b.db", "--notation", "kif"], 2);
}

#[test]
fn an_input_counts_once_under_whatever_name() {
    let place = Workplace::new();
    fs::create_dir(place.path("in")).unwrap();
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d, game_ply_limit=1\n";
    place.write("in/list.sfen", games);
    place.write("in/book.db", small50().input);
    let floodgate = kifu::samples().find(|sample| sample.name == "skc__csa_floodgate.csa");
    place.write("in/game.csa", floodgate.expect("it is bundled").bytes);
    place.write("in/letter.pdf", "Dear Sir,");
    place.done(&["import", "a.kbook", "in"]);
    let fingerprint = || Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap();
    let once = fingerprint();
    fs::copy(place.path("in/book.db"), place.path("copy.db")).unwrap();
    for again in ["in", "copy.db", "in/list.sfen"] {
        let told = text(&place.run(&["import", "a.kbook", again]).stderr);
        assert!(told.contains("read before"), "{again}: {told}");
        assert_eq!(fingerprint(), once, "{again}");
    }
    // The limit of the second game leaves out 8c8d.
    let after = place.json(&["probe", "a.kbook", "--moves", "7g7f", "--json"]);
    let games = |m: &str| {
        let moves = after["moves"].as_array().unwrap();
        moves.iter().find(|known| known["move"] == m).map(|known| known["games"].clone())
    };
    assert_eq!(games("8c8d"), None);
    assert_eq!(games("3c3d"), Some(1.into()));
    let sources = place.json(&["sources", "a.kbook", "--json"]);
    assert_eq!(sources["engines"][0]["name"], "imported from book.db");
    assert_eq!(sources["engines"][0]["view_share"], 1.0);
    let inputs = sources["inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 3, "{sources}");
}

#[test]
fn games_are_taken_as_the_filters_say() {
    let place = Workplace::new();
    let rated = |rate: u32, moves: &str, end: &str| {
        format!("PI\n'black_rate:a:{rate}\n'white_rate:b:{rate}\n+\n{moves}{end}\n/\n")
    };
    let records = [
        rated(3_000, "+7776FU\n-3334FU\n", "%TORYO"),
        rated(2_000, "+2726FU\n-8384FU\n", "%TORYO"),
        rated(3_000, "+7776FU\n-8384FU\n", "%SENNICHITE"),
    ];
    place.write("games.csa", format!("V2.2\n{}", records.concat().trim_end_matches("/\n")));
    let moves = |name: &str| -> Vec<String> {
        let view = place.view(name);
        let listed = view.iter().flat_map(|stored| &stored.record.moves);
        let mut listed: Vec<_> =
            listed.map(|m| format!("{} {}", m.m, m.count.unwrap_or(0))).collect();
        listed.sort();
        listed
    };
    for (name, options, expected) in [
        ("all", &[][..], &["2g2f 1", "3c3d 1", "7g7f 2", "8c8d 1", "8c8d 1"][..]),
        ("ply", &["--max-ply", "1"], &["2g2f 1", "7g7f 2"]),
        ("rating", &["--min-rating", "2500"], &["3c3d 1", "7g7f 2", "8c8d 1"]),
        ("games", &["--min-games", "2"], &["7g7f 2"]),
        // White's resignation follows White's move: Black, to move, resigns.
        ("winner", &["--sides", "winner"], &["3c3d 1", "8c8d 1"]),
        ("share", &["--min-share-percent", "60"], &["7g7f 2", "8c8d 1"]),
    ] {
        let store = format!("{name}.kbook");
        place.done(&[&["import", &store, "games.csa"], options].concat());
        assert_eq!(moves(&store), expected, "{name}");
    }
    // What left no move may be read again.
    let told = text(&place.run(&["import", "b.kbook", "games.csa", "--min-games", "9"]).stderr);
    assert!(told.contains("the options leave no move of 3 games"), "{told}");
    place.done(&["import", "b.kbook", "games.csa"]);
    assert_eq!(moves("b.kbook").len(), 5);
}

/// A working book with the bundled match.
fn with_match(place: &Workplace) {
    place.write("book.db", match_games::BOOK);
    place.done(&["import", "a.kbook", "book.db"]);
    let store = Store::open(place.path("a.kbook")).unwrap();
    let games = match_games::games().map(|row| {
        Change::Game(BookGame {
            start: Setup::hirate(),
            moves: row.moves.split_whitespace().map(|m| m.parse().unwrap()).collect(),
            book_side: if row.book_side_is_black { Color::Black } else { Color::White },
            winner: match row.outcome {
                Outcome::BlackWins => Some(Color::Black),
                Outcome::WhiteWins => Some(Color::White),
                _ => None,
            },
            opponent: "engine".to_owned(),
            generation: 2,
            left_at: None,
            times_ms: Vec::new(),
            scores: Vec::new(),
            ending: "end".to_owned(),
            when: 0,
        })
    });
    store.merge_batch(&games.collect::<Vec<_>>()).unwrap();
}

#[test]
fn what_is_pruned_can_be_explained_and_brought_back() {
    let place = Workplace::new();
    with_match(&place);
    let before = place.view("a.kbook");
    let candidates = place.json(&["prune", "a.kbook", "--json"]);
    let candidates = candidates.as_array().unwrap();
    let found: BTreeSet<(String, String)> = candidates
        .iter()
        .map(|found| {
            let sfen = found["sfen"].as_str().unwrap().rsplit_once(' ').unwrap().0;
            (sfen.to_owned(), found["move"].as_str().unwrap().to_owned())
        })
        .collect();
    let suspects = match_games::results().filter(|row| row.is_suspect);
    let expected = suspects.map(|row| (row.sfen.to_owned(), row.m.to_owned())).collect();
    assert_eq!(found, expected);
    assert!(candidates.iter().all(|found| found["low"].as_f64() <= found["rate"].as_f64()));
    assert_eq!(place.view("a.kbook"), before, "showing changes nothing");

    let told = place.done(&["prune", "a.kbook", "--auto"]);
    assert!(told.starts_with("5 moves deleted"), "{told}");
    let pruned = place.view("a.kbook");
    let count = |view: &[StoredRecord]| -> usize {
        view.iter().map(|stored| stored.record.moves.len()).sum()
    };
    assert_eq!(count(&pruned) + 5, count(&before));
    let list = place.json(&["undo", "a.kbook", "--list", "--json"]);
    for deleted in list.as_array().unwrap() {
        assert_eq!(deleted["generation"], 2);
        assert!(!deleted["games"].as_array().unwrap().is_empty());
        assert!(deleted["reason"].as_str().unwrap().contains("in all games, points "), "{deleted}");
    }
    assert_eq!(place.done(&["undo", "a.kbook", "--last"]), "5 deletions undone\n");
    assert_eq!(place.view("a.kbook"), before);
    let told = place.refused(&["undo", "a.kbook", "--last"], 1);
    assert!(told.contains("no deletion is in force"), "{told}");
    let told = place.refused(&["undo", "a.kbook", "77"], 1);
    assert!(told.contains("there is no deletion number 77"), "{told}");
    place.refused(&["undo", "a.kbook"], 2);
    place.done(&["check", "a.kbook"]);
}

#[test]
fn a_person_decides_line_by_line() {
    let place = Workplace::new();
    with_match(&place);
    let before = place.view("a.kbook");
    place.done(&["prune", "a.kbook", "--review", "list.txt"]);
    let list = fs::read_to_string(place.path("list.txt")).unwrap();
    let (kept, rest) = list.split_at(list.rfind("\nln").unwrap_or(list.len() / 2) + 1);
    assert!(!rest.is_empty());
    place.write("list.txt", kept);
    let lines = kept.lines().filter(|line| !line.starts_with('#')).count();
    assert!((1..5).contains(&lines), "{list}");
    let told = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(told.starts_with(&format!("{lines} moves deleted, 0 had been before")), "{told}");
    let told = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(told.starts_with(&format!("0 moves deleted, {lines} had been before")), "{told}");
    let shown = place.done(&["undo", "a.kbook", "--list"]);
    assert!(shown.contains("reviewed: ") && shown.contains("in force"), "{shown}");
    let ids: Vec<String> = (0..lines).map(|id| id.to_string()).collect();
    let ids: Vec<&str> =
        ["undo", "a.kbook"].into_iter().chain(ids.iter().map(|id| &**id)).collect();
    place.done(&ids);
    assert_eq!(place.view("a.kbook"), before);
    // A list is used as a whole or not at all.
    let start = &START[5..];
    place.write("bad.txt", format!("{start} 7g7f | x\n{start} 7g7e | x\n"));
    let told = place.refused(&["prune", "a.kbook", "--apply", "bad.txt"], 1);
    assert!(told.contains("bad.txt: line 2: 7g7e is illegal"), "{told}");
    let told = place.refused(&["prune", "a.kbook", "--apply", "nowhere.txt"], 1);
    assert!(told.contains("nowhere.txt"), "{told}");
    assert_eq!(place.view("a.kbook"), before);
}

/// Adds analyses by two engines, the second with another scale.
fn judged_by_two(place: &Workplace) {
    place.write("book.db", small50().input);
    place.done(&["import", "a.kbook", "book.db"]);
    let store = Store::open(place.path("a.kbook")).unwrap();
    let mut changes = Vec::new();
    for stored in store.records().unwrap().map(Result::unwrap) {
        for (name, scale) in [("old", 1), ("new", 2)] {
            let lines = stored.record.moves.iter().take(3).map(|listed| Line {
                score: Score::cp(listed.score.map_or(0, Score::raw) * scale + 5 * scale),
                bound: Bound::Exact,
                pv: [listed.m].into_iter().collect(),
            });
            let analysis = Analysis {
                lines: lines.collect(),
                nodes: 1_000,
                depth: 10,
                completed: true,
                ..Analysis::default()
            };
            let analyst = AnalystId::new(name, "1");
            let position = stored.record.position.clone();
            changes.push(LoggedAnalysis::new(position, analysis, analyst).at(1_700_000_000).into());
        }
    }
    store.merge_batch(&changes).unwrap();
}

#[test]
fn a_new_engine_is_compared_and_its_work_planned() {
    let place = Workplace::new();
    judged_by_two(&place);
    let arguments = ["refresh", "a.kbook", "--engine", "new 1", "--old", "old"];
    let files = ["--out", "plan.sfen", "--plot", "scale.svg", "--eval-diff", "50"];
    let output = place.run(&[&arguments[..], &files[..]].concat());
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("correlation 1.000"), "{told}");
    assert!(told.contains("least squares: new = 0.0 + 2.000 × old"), "{told}");
    let svg = fs::read_to_string(place.path("scale.svg")).unwrap();
    assert!(svg.trim_end().ends_with("</svg>") && svg.matches("<circle").count() > 100);
    assert!(svg.contains("robust: ") && svg.contains("least squares: "));
    let plan = fs::read_to_string(place.path("plan.sfen")).unwrap();
    assert!(!plan.is_empty());
    for line in plan.lines() {
        Position::from_sfen(line.strip_prefix("sfen ").expect(line)).expect(line);
    }
    let jobs = |generation: u32| {
        let store = Store::open(place.path("a.kbook")).unwrap();
        let queue = store.queue(QueueOptions::default());
        assert_eq!(queue.newest_generation().unwrap(), Some(generation));
        queue.counts().unwrap().waiting
    };
    let enqueue = ["--enqueue", "--nodes", "5000", "--eval-diff", "50"];
    let enqueue = [&arguments[..], &enqueue[..]].concat();
    let told = place.done(&enqueue);
    assert!(told.starts_with("generation 1: "), "{told}");
    let waiting = jobs(1);
    assert_eq!(waiting, plan.lines().count() as u64);
    assert!(place.done(&enqueue).starts_with("generation 2: 0 jobs added"));
    assert_eq!(jobs(2), waiting);
    // Fewer positions, and those of the frontier first.
    let frontier = [&arguments[..], &["--frontier", "--max-positions", "3"]].concat();
    assert_eq!(place.done(&frontier).lines().count(), 3);
    place.refused(&["refresh", "a.kbook", "--engine", "new", "--enqueue"], 2);
    let unknown = place.run(&["refresh", "a.kbook", "--engine", "third"]);
    assert!(text(&unknown.stderr).contains("\"third\" has judged nothing yet"));
    assert_eq!(text(&unknown.stdout).lines().count(), small50().positions);
}

#[test]
fn the_policy_decides_and_snapshots_remember() {
    let place = Workplace::new();
    judged_by_two(&place);
    assert_eq!(place.done(&["policy", "a.kbook"]), "newest\n");
    place.done(&["snapshot", "a.kbook", "first", "--generation", "4"]);
    let share = |name: &str| {
        let sources = place.json(&["sources", "a.kbook", "--json"]);
        let engines = sources["engines"].as_array().unwrap();
        let engine = engines.iter().find(|engine| engine["name"] == name);
        engine.expect(name)["view_moves"].as_u64().unwrap()
    };
    let judged = share("new");
    assert!(judged > 100 && share("old") == 0);
    assert_eq!(place.done(&["policy", "a.kbook", "prefer", "old 1"]), "prefer old 1\n");
    assert_eq!((share("new"), share("old")), (0, judged));
    for policy in ["most-nodes", "deepest", "mean", "newest"] {
        assert_eq!(place.done(&["policy", "a.kbook", policy]).trim(), policy);
        place.done(&["check", "a.kbook"]);
    }
    let told = place.refused(&["policy", "a.kbook", "prefer", "nobody"], 1);
    assert!(told.contains("\"nobody\" has judged nothing here"), "{told}");
    place.refused(&["policy", "a.kbook", "prefer"], 2);
    place.refused(&["policy", "a.kbook", "newest", "old"], 2);
    let snapshots = place.json(&["snapshot", "a.kbook", "--json"]);
    assert_eq!(snapshots[0]["name"], "first");
    assert_eq!(snapshots[0]["generation"], 4);
    assert!(snapshots[0]["figures"]["start value"].is_i64(), "{snapshots}");
    place.done(&["compact", "a.kbook"]);
    let info = place.json(&["info", "a.kbook", "--json"]);
    assert_eq!(info["working_book"]["snapshots"], 1);
}

#[test]
fn the_frontier_before_and_after_is_compared() {
    let place = Workplace::new();
    let fixture = small50();
    place.write("old.db", fixture.input);
    place.done(&["import", "a.kbook", "old.db"]);
    place.done(&["snapshot", "a.kbook", "then"]);
    let next = |book: &str| {
        let told = place.json(&["next", book, "--side", "both", "--eval-diff", "50", "--json"]);
        let positions = told["positions"].as_array().expect("a list").clone();
        let name = |found: &Value| found["sfen"].as_str().expect("a text").to_owned();
        positions.iter().map(name).collect::<BTreeSet<_>>()
    };
    // The first position of the frontier is searched, with a value that changes the way there.
    let before = next("a.kbook");
    let first = before.first().expect("there is a frontier").clone();
    let position = Position::from_sfen(&first).expect("a position");
    let m = position.legal_moves()[0];
    place.write("more.db", format!("#YANEURAOU-DB2016 1.00\nsfen {first}\n{m} none 400 20 1\n"));
    place.done(&["import", "a.kbook", "more.db"]);
    let after = next("a.kbook");
    let selection = ["--side", "both", "--eval-diff", "50"];
    let since = [&["frontier-diff", "a.kbook", "--since", "then"], &selection[..]].concat();
    let diff = place.json(&[&since[..], &["--json"]].concat());
    let told = |group: &str| {
        let found = diff[group].as_array().expect("a list").iter();
        found
            .map(|found| found["sfen"].as_str().expect("a text").to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(told("searched"), BTreeSet::from([first]));
    assert_eq!(told("new"), after.difference(&before).cloned().collect());
    let gone: BTreeSet<_> = told("searched").union(&told("unreached")).cloned().collect();
    assert_eq!(gone, before.difference(&after).cloned().collect());
    assert_eq!(diff["kept"], before.intersection(&after).count());
    assert_eq!(diff["searched"][0]["value"], 400);
    assert_eq!(diff["searched"][0]["best_line"], m.to_string());
    // As lines, and of two books.
    place.done(&["convert", "a.kbook", "new.db"]);
    let lines = place.done(&since);
    assert!(lines.lines().any(|line| line.starts_with("searched\tsfen ")), "{lines}");
    let books = [&["frontier-diff", "new.db", "--before", "old.db"], &selection[..]].concat();
    assert_eq!(place.done(&books), lines);
    place.refused(&["frontier-diff", "new.db", "--since", "then"], 2);
    place.refused(&["frontier-diff", "a.kbook"], 2);
    let told = place.refused(&["frontier-diff", "a.kbook", "--since", "never"], 1);
    assert!(told.contains("never"), "{told}");
}

#[test]
fn the_log_goes_out_and_comes_back() {
    let place = Workplace::new();
    judged_by_two(&place);
    place.done(&["log", "export", "a.kbook", "a.log"]);
    place.done(&["log", "import", "b.kbook", "a.log"]);
    let told = text(&place.run(&["log", "import", "b.kbook", "a.log"]).stderr);
    assert!(told.contains("read before"), "{told}");
    let values = |name: &str| -> Vec<_> {
        let shown = |stored: &StoredRecord| {
            let moves = stored.moves();
            let moves: Vec<(Move, Option<Score>, u64)> = moves
                .map(|(m, value)| (m.m, m.score, value.map_or(0, |value| value.nodes)))
                .collect();
            (stored.record.position.to_string(), moves)
        };
        place.view(name).iter().map(shown).collect()
    };
    assert_eq!(values("b.kbook"), values("a.kbook"));
    let told = place.refused(&["log", "import", "b.kbook", "book.db", "--strict"], 1);
    assert!(told.contains("book.db"), "{told}");
}

/// Every subcommand that reads a book, with the book in the place of `IN`.
const READERS: [&[&str]; 9] = [
    &["info", "IN"],
    &["validate", "IN"],
    &["probe", "IN"],
    &["probe", "IN", "--values"],
    &["convert", "IN", "out.ybb"],
    &["sort", "IN", "out.db"],
    &["merge", "IN", "IN", "out.db"],
    &["propagate", "IN", "out.db"],
    &["import", "new.kbook", "IN"],
];

/// Runs a subcommand on a book: its code and everything it says.
fn read_with(place: &Workplace, reader: &[&str], input: &str) -> (Option<i32>, String) {
    let arguments: Vec<&str> =
        reader.iter().map(|&argument| if argument == "IN" { input } else { argument }).collect();
    let output = place.run(&arguments);
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!told.contains("panicked"), "{arguments:?}: {told}");
    assert!(output.status.code().is_some_and(|code| code <= 1), "{arguments:?}: {told}");
    let _ = fs::remove_file(place.path("new.kbook"));
    (output.status.code(), told)
}

#[test]
fn what_is_no_book_is_refused_by_name() {
    let place = Workplace::new();
    place.write("a.db", small50().input);
    place.done(&["convert", "a.db", "whole.ybb"]);
    let ybb = fs::read(place.path("whole.ybb")).unwrap();
    let cut = |bytes: usize| ybb[..bytes].to_vec();
    let mut flags = ybb.clone();
    flags[24] = 0xf0;
    for (name, content, expected) in [
        ("letter.db", b"Dear Sir,\nyours\n".to_vec(), "letter.db: "),
        ("letter.pdf", b"Dear Sir,\n".to_vec(), "letter.pdf: "),
        ("empty.ybb", Vec::new(), "empty.ybb: "),
        ("magic.ybb", cut(20), "magic.ybb: "),
        ("index.ybb", cut(100), "index.ybb: the book says that it has 56 positions"),
        ("flags.ybb", flags, "flags.ybb: flags 0xf"),
        ("cut.sbk", yuuki::SHOGIGUI_SBK[..999].to_vec(), "cut.sbk: "),
        ("letter.kbook", b"Dear Sir,\n".to_vec(), "letter.kbook: "),
    ] {
        place.write(name, content);
        for reader in READERS {
            let (code, told) = read_with(&place, reader, name);
            assert!(told.contains(expected), "{reader:?} {name}: {told}");
            // Readers of what has records rescue what there is, and say so.
            let is_rescued = code == Some(0) && told.contains("warning: ");
            assert!(
                code == Some(1) || is_rescued || reader[0] == "info",
                "{reader:?} {name}: {told}"
            );
        }
        assert!(!place.path("out.db").exists() || name == "cut.sbk", "{name} made a book");
        let _ = fs::remove_file(place.path("out.db"));
    }
    for reader in READERS {
        let (code, told) = read_with(&place, reader, "nowhere.db");
        assert!(code == Some(1) && told.contains("nowhere.db"), "{reader:?}: {told}");
    }
}

#[test]
fn faults_within_a_book_are_placed_and_counted() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["convert", "good.db", "whole.ybb"]);
    let ybb = fs::read(place.path("whole.ybb")).unwrap();
    let apery = yuuki::APERY_BIN;
    let mut illegal = ybb.clone();
    let last = illegal.len() - 6;
    illegal[last..last + 2].fill(0xff);
    for (name, content, place_of_fault) in [
        ("board.db", format!("{HEADER}sfen 9/9 b - 1\n7g7f\n{START}\n2g2f\n").into(), "line 2"),
        ("move.db", format!("{HEADER}{START}\n7g7f none 30\n7g7e none 1\n").into(), "line 4"),
        ("twice.db", format!("{HEADER}{START}\n7g7f none 30\n7g7f none 1\n").into(), "line 4"),
        ("number.db", format!("{HEADER}{START}\n7g7f none x\n2g2f none 1\n").into(), "line 3"),
        (
            "count.db",
            format!("{HEADER}# NOE:9\n{START}\n7g7f none 30\n").into(),
            "says that it has 9",
        ),
        ("header.db", format!("{START}\n7g7f none 30\n").into(), "line 1"),
        (
            "bytes.db",
            [HEADER.as_bytes(), START.as_bytes(), b"\n7g7f none 1 \xff\n2g2f\n"].concat(),
            "line 3: not UTF-8",
        ),
        (
            "line.db",
            format!("{HEADER}{START}\n7g7f none 30 1 1 {}\n2g2f\n", "x".repeat(70_000)).into(),
            "line 3: longer than",
        ),
        ("move.ybb", illegal, "names no move"),
        ("cut.ybb", ybb[..ybb.len() - 3].to_vec(), "moves from byte 1704 to 1728 of 1725"),
        ("cut.bin", apery[..apery.len() - 7].to_vec(), "byte 1161"),
    ] {
        let content: Vec<u8> = content;
        place.write(name, content);
        for reader in READERS {
            let (code, told) = read_with(&place, reader, name);
            match reader {
                ["info", ..] => {
                    assert!(told.contains("faults: ") || code == Some(1), "{name}: {told}")
                }
                // A look-up reads one record of a file, and leaves out what is faulty there.
                ["probe", "IN"] => {}
                _ => assert!(told.contains(place_of_fault), "{reader:?} {name}: {told}"),
            }
            let is_told = told.contains("warning: ") || told.contains("error: ");
            assert!(is_told || ["info", "probe"].contains(&reader[0]), "{reader:?} {name}: {told}");
        }
        for strict in [
            &["convert", name, "strict.ybb", "--strict"][..],
            &["sort", name, "strict.db", "--strict"],
            &["merge", name, name, "strict.db", "--strict"],
            &["import", "strict.kbook", name, "--strict"],
        ] {
            let told = place.refused(strict, 1);
            assert!(told.contains(&format!("{name}: ")), "{told}");
            assert!(told.contains(place_of_fault), "{told}");
        }
        assert!(!place.path("strict.ybb").exists() && !place.path("strict.db").exists(), "{name}");
        let _ = fs::remove_file(place.path("strict.kbook"));
    }
}

/// A book in which a line of so many zeros stands between two moves. The disk does not hold them.
fn with_endless_line(place: &Workplace, name: &str, bytes: u64) {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let mut file = fs::File::create(place.path(name)).unwrap();
    write!(file, "{HEADER}{START}\n7g7f none 30 10 5\n").unwrap();
    file.seek(SeekFrom::Start(bytes)).unwrap();
    write!(file, "\n2g2f none 20 10 5\n").unwrap();
}

#[test]
fn a_line_without_an_end_is_passed_over_and_told() {
    let place = Workplace::new();
    with_endless_line(&place, "long.db", 1 << 24);
    with_endless_line(&place, "longer.db", 1 << 30);
    let all = READERS.map(|reader| ("long.db", reader));
    let some = [1, 2, 4].map(|reader| ("longer.db", READERS[reader]));
    for (name, reader) in all.into_iter().chain(some) {
        let (_, told) = read_with(&place, reader, name);
        let is_told = told.contains("line 4: longer than 65536 bytes")
            || told.contains("faults: 1")
            || reader == ["probe", "IN"] && told.contains("2g2f");
        assert!(is_told, "{reader:?}: {told}");
    }
    assert_eq!(place.records("out.db")[0].moves.len(), 2);
}

#[test]
fn books_that_contradict_themselves_or_do_not_begin_are_told() {
    let place = Workplace::new();
    let turned = format!("{HEADER}{START}\n7g7f none 30 1 1\n{TURNED}\n3c3d none -90 1 1\n");
    place.write("turned.db", turned);
    let found = place.run(&["validate", "turned.db", "--json"]);
    assert_eq!(found.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["flipped"]["first"], serde_json::json!([4]));
    assert_eq!(found["contradictions"]["count"], 1);
    for reader in [READERS[3], READERS[7]] {
        let (code, told) = read_with(&place, reader, "turned.db");
        assert_eq!(code, Some(0));
        assert!(told.contains("warning: turned.db: 1 positions stand there before"), "{told}");
    }
    let next = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    place.write("middle.db", format!("{HEADER}{next}\n3c3d none 10 1 1\n"));
    let told = place.run(&["validate", "middle.db"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("the start position is missing"));
    assert!(place.done(&["info", "middle.db"]).contains("the start of the game is missing"));
    assert!(place.done(&["probe", "middle.db"]).contains("not in the book"));
    assert!(place.done(&["probe", "middle.db", "--values"]).contains("not in the book"));
    place.done(&["propagate", "middle.db", "out.db"]);
}

/// Every subcommand that reads a working book and leaves it as it is.
const STORE_READERS: [&[&str]; 12] = [
    &["info", "a.kbook"],
    &["probe", "a.kbook"],
    &["convert", "a.kbook", "out.db"],
    &["next", "a.kbook"],
    &["propagate", "a.kbook", "out.db"],
    &["report", "a.kbook", "--json"],
    &["sources", "a.kbook"],
    &["refresh", "a.kbook", "--engine", "x"],
    &["prune", "a.kbook"],
    &["undo", "a.kbook", "--list"],
    &["snapshot", "a.kbook"],
    &["log", "export", "a.kbook", "out.log"],
];

/// Subcommands that write it.
const STORE_WRITERS: [&[&str]; 5] = [
    &["import", "a.kbook", "good.db"],
    &["check", "a.kbook"],
    &["compact", "a.kbook"],
    &["policy", "a.kbook", "newest"],
    &["snapshot", "a.kbook", "now"],
];

#[test]
fn a_working_book_that_cannot_be_used_is_named() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    let refused_of = |users: &[&[&str]], expected: &str| {
        for user in users {
            let told = place.refused(user, 1);
            assert!(told.contains("a.kbook") && told.contains(expected), "{user:?}: {told}");
        }
    };
    let refused = |expected: &str| {
        refused_of(&STORE_READERS, expected);
        refused_of(&STORE_WRITERS, expected);
    };
    // Somebody writes it, which is no reason not to look at it.
    let store = Store::create(place.path("a.kbook")).unwrap();
    store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    refused_of(&STORE_WRITERS, "someone else has the store open");
    STORE_READERS.iter().for_each(|user| drop(place.done(user)));
    drop(store);
    // A later version made it.
    let database = redb::Database::open(place.path("a.kbook")).unwrap();
    let transaction = database.begin_write().unwrap();
    let numbers = redb::TableDefinition::<&str, u64>::new("numbers");
    transaction.open_table(numbers).unwrap().insert("version", 99).unwrap();
    transaction.commit().unwrap();
    drop(database);
    refused("version 99, expected at most 1");
    // It is something else.
    place.write("a.kbook", "Dear Sir,\n");
    refused("expected a book's store");
    assert_eq!(fs::read(place.path("a.kbook")).unwrap(), b"Dear Sir,\n");
    // A book that is there is not written over by a new one.
    let told = place.refused(&["convert", "good.db", "a.kbook"], 1);
    assert!(told.contains("a.kbook: there is a file already"), "{told}");
    fs::remove_file(place.path("a.kbook")).unwrap();
    let users = STORE_READERS.iter().chain(&STORE_WRITERS);
    for user in users.filter(|user| user[0] != "import") {
        let told = place.refused(user, 1);
        assert!(told.contains("a.kbook"), "{user:?}: {told}");
        assert!(!place.path("a.kbook").exists(), "{user:?} made a book");
    }
}

#[cfg(unix)]
#[test]
fn a_book_that_may_not_be_written_is_left_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["import", "a.kbook", "good.db"]);
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(place.path("a.kbook"), read_only).unwrap();
    if fs::File::options().write(true).open(place.path("a.kbook")).is_ok() {
        // Whoever runs this may write everything.
        return;
    }
    STORE_READERS.iter().for_each(|user| drop(place.done(user)));
    for user in STORE_WRITERS {
        let told = place.refused(user, 1);
        assert!(told.contains("a.kbook: may not be written"), "{user:?}: {told}");
    }
}

#[test]
fn an_import_that_fails_changes_nothing() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["import", "a.kbook", "good.db"]);
    let before = Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap();
    place.write("bad.db", format!("{HEADER}{START}\n9g9f none 30\n7g7e none 1\n"));
    place.write("letter", "Dear Sir,\n");
    place.write("bad.sfen", "startpos moves 7g7f 7g7f\n");
    for (input, expected) in [
        ("bad.db", "bad.db: line 4, column 1: 7g7e is illegal"),
        ("letter", "letter: found \"Dear Sir,\", expected games"),
        ("bad.sfen", "bad.sfen: line 1"),
        ("a.kbook", "a.kbook: found "),
        ("nowhere", "cannot read nowhere"),
    ] {
        let told = place.refused(&["import", "a.kbook", input, "--strict"], 1);
        assert!(told.contains(expected), "{input}: {told}");
        assert_eq!(Store::open(place.path("a.kbook")).unwrap().fingerprint().unwrap(), before);
    }
}

#[test]
fn every_subcommand_explains_itself() {
    let place = Workplace::new();
    let help = place.done(&["--help"]);
    for command in [
        "info",
        "probe",
        "convert",
        "sort",
        "merge",
        "validate",
        "propagate",
        "import",
        "sources",
        "refresh",
        "policy",
        "prune",
        "undo",
        "snapshot",
        "log",
        "check",
        "compact",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{command} is missing in:\n{help}");
        let own = place.done(&[command, "--help"]);
        assert!(own.contains("Example") && own.contains(&format!("book {command} ")), "{own}");
    }
}
