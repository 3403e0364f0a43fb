//! `komadai grow` as its users run it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use komadai::book::store::Store;
use komadai::book::{BookSource, Input};
use komadai::bookfile::ybb::YbbWriter;
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::core::AnalystId;
use komadai::kifu::Tolerance;
use komadai::{Position, Score};
use serde_json::Value;

use crate::{Running, komadai, text};

fn grow_book(out: &Path) -> Command {
    let mut command = komadai("grow");
    command.arg("--out").arg(out);
    command
}

/// Arguments for a run of about a second instead of a minute.
const SMALL: [&str; 10] = [
    "--max-ply",
    "5",
    "--first-nodes",
    "200",
    "--nodes",
    "400",
    "--positions",
    "12",
    "--per-round",
    "5",
];

/// Arguments for reading inputs and the first search only.
const NO_GROWTH: [&str; 6] = ["--max-ply", "5", "--first-nodes", "200", "--positions", "0"];

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn read_db(out: &Path) -> Vec<BookRecord> {
    let db = BookSource::open(out.join("book.db"), Tolerance::Strict).expect("the book is there");
    db.collect::<Result<_, _>>().expect("the book is well formed")
}

/// The contents of a working book.
#[derive(Debug)]
struct WorkingBook {
    records: Vec<BookRecord>,
    analysts: Vec<AnalystId>,
    evaluations: u64,
    inputs: Vec<Input>,
}

impl WorkingBook {
    fn moves(&self) -> impl Iterator<Item = &RecordMove> {
        self.records.iter().flat_map(|record| &record.moves)
    }

    fn record(&self, position: &Position) -> &BookRecord {
        let turned = position.flipped().key();
        let is_it =
            |record: &&BookRecord| [position.key(), turned].contains(&record.position.key());
        self.records.iter().find(is_it).expect("the position is in the book")
    }
}

fn read_working(out: &Path) -> WorkingBook {
    let mut store = Store::open(out.join("book.kbook")).expect("no other process has it open");
    let check = store.check().expect("the file is readable");
    assert!(check.file_was_sound && check.wrong_positions == 0, "{check:?}");
    let records = store.records().expect("readable").map(|stored| stored.expect("readable").record);
    WorkingBook {
        records: records.collect(),
        analysts: store.analysts().expect("readable"),
        evaluations: store.sources().expect("readable").iter().map(|share| share.evaluations).sum(),
        inputs: store.inputs().expect("readable"),
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("the folder is readable").file_name().into_string().expect("a plain name")
    };
    let mut names: Vec<_> = fs::read_dir(folder).expect("the folder is there").map(name).collect();
    names.sort();
    names
}

#[test]
fn bundled_games_become_the_same_book_on_any_number_of_threads() {
    let mut books = Vec::new();
    for threads in ["1", "3"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/book");
        let output = run(grow_book(&out).args(SMALL).args(["--threads", threads, "--quiet"]));
        assert!(output.status.success(), "{}", text(&output.stderr));
        let paths: Vec<PathBuf> = text(&output.stdout).lines().map(PathBuf::from).collect();
        assert_eq!(paths, ["book.db", "report.html", "book.kbook"].map(|name| out.join(name)));
        assert_eq!(names(&out), ["book.db", "book.kbook", "report.html"]);
        let page = fs::read_to_string(&paths[1]).unwrap();
        assert!(page.contains("class=\"tree\"") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("before run 1"), "the changes of the run are shown");
        assert!(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"));
        let (book, working) = (read_db(&out), read_working(&out));
        assert_eq!(book.len(), working.records.len());
        // Every move has a value; other programs would write 32767 for an unknown one.
        for listed in book.iter().flat_map(|record| &record.moves) {
            assert!(listed.score.is_some_and(|score| score.raw().abs() < 32_000));
        }
        assert_eq!(working.analysts.len(), 1);
        assert_eq!(working.inputs[0].games, 77);
        books.push(fs::read(&paths[0]).unwrap());
    }
    assert!(books[0] == books[1], "the number of threads changed the book");
}

#[test]
fn json_reports_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(grow_book(folder.path()).args(SMALL).arg("--json"));
    let json: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(json["games"], 77);
    assert_eq!(json["stopped"], false);
    let number = |pointer: &str| json.pointer(pointer).and_then(Value::as_u64).expect(pointer);
    let grown = number("/after/positions") - number("/before/positions");
    assert!(grown > 0 && grown <= 12);
    assert_eq!(number("/frontier_search/analysed"), grown);
    assert_eq!(number("/after/positions"), read_working(folder.path()).records.len() as u64);
    let frontiers = json.pointer("/after/frontiers").and_then(Value::as_array).unwrap();
    let windows: Vec<_> = frontiers.iter().map(|frontier| frontier["window"].clone()).collect();
    assert_eq!(windows, ["free", "best", "root", "best", "root"]);
}

#[test]
fn inputs_of_every_kind_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    fs::write(games.join("1.csa"), "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n").unwrap();
    fs::write(games.join("2.sfen"), "startpos moves 7g7f 8c8d\nstartpos moves 2g2f\n").unwrap();
    fs::write(games.join("unrelated.pdf"), "no game").unwrap();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let db = format!("#YANEURAOU-DB2016 1.00\n{start}\n5g5f none 12 3 8\n");
    fs::write(games.join("3.db"), db).unwrap();
    let out = folder.path().join("book");
    let games_played = || {
        let working = read_working(&out);
        let start = working.record(&Position::hirate());
        let games = |m: &RecordMove| (m.m.to_string(), m.count.unwrap_or(0));
        let mut moves: Vec<_> = start.moves.iter().map(games).collect();
        moves.retain(|(_, games)| *games > 0);
        moves.sort();
        moves
    };
    let expected = [("2g2f", 1), ("5g5f", 8), ("7g7f", 2)].map(|(m, n)| (m.to_owned(), n));
    let output = run(grow_book(&out).args(SMALL).arg(&games));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(games_played(), expected);
    // Inputs that are read again are not counted twice.
    let again = run(grow_book(&out).args(SMALL).arg(&games));
    let printed = text(&again.stderr);
    assert_eq!(printed.matches("read before").count(), 3, "{printed}");
    assert!(printed.contains("continuing with"), "{printed}");
    assert_eq!(games_played(), expected);
    // With --fresh, the old book is kept.
    let fresh = run(grow_book(&out).args(SMALL).arg("--fresh").arg(games.join("1.csa")));
    assert!(fresh.status.success());
    assert_eq!(names(&out), ["book.db", "book.kbook", "book.kbook.old", "report.html"]);
    assert_eq!(games_played(), [("7g7f".to_owned(), 1)]);
}

#[test]
fn faults_are_reported_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("broken.csa");
    fs::write(&game, "V2.2\nPI\n+\n+7776FU\nHello\n-3334FU\n+8878KA\n").unwrap();
    let out = folder.path().join("book");

    let strict = run(grow_book(&out).args(SMALL).arg("--strict").arg(&game));
    assert_eq!(strict.status.code(), Some(1));
    let printed = text(&strict.stderr);
    assert!(
        printed.contains("broken.csa: line 5, column 1: found \"Hello\", expected"),
        "{printed}"
    );
    assert!(!out.exists(), "what failed left nothing behind");

    let lenient = run(grow_book(&out).args(SMALL).arg(&game));
    assert!(lenient.status.success());
    let printed = text(&lenient.stderr);
    assert!(
        printed.contains("broken.csa: 2 faults skipped\nwarning:   line 5, column 1: found"),
        "{printed}"
    );
    assert!(
        printed.contains("warning:   line 7, column 1: ply 3, +8878KA, is illegal"),
        "{printed}"
    );

    let missing = run(grow_book(&out).arg(folder.path().join("nowhere.csa")));
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("nowhere.csa"));

    let usage = run(grow_book(&out).args(["--nodes", "many"]));
    assert_eq!(usage.status.code(), Some(2));

    let unused = folder.path().join("unused");
    assert_eq!(
        run(grow_book(&unused).arg(folder.path().join("nowhere.csa"))).status.code(),
        Some(1)
    );
    assert!(!unused.exists(), "what failed left nothing behind");

    // A file that is not a book is neither read nor overwritten.
    let letter = tempfile::tempdir().unwrap();
    fs::write(letter.path().join("book.kbook"), "Dear Sir,\n").unwrap();
    let refused = run(grow_book(letter.path()).args(SMALL));
    assert_eq!(refused.status.code(), Some(1));
    let printed = text(&refused.stderr);
    assert!(
        printed.contains("book.kbook: found \"Dear Sir,\", expected a book's store"),
        "{printed}"
    );
    assert_eq!(fs::read_to_string(letter.path().join("book.kbook")).unwrap(), "Dear Sir,\n");
}

/// Starts the program and waits until it reports `stage`.
fn start_until(
    command: &mut Command,
    stage: &str,
) -> (Running, BufReader<std::process::ChildStderr>) {
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = Running(started.expect("the program starts"));
    let mut stderr = BufReader::new(child.0.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.starts_with(stage) {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before {stage}");
    }
    (child, stderr)
}

#[cfg(unix)]
fn signal(child: &Running, signal: &str) {
    let status = Command::new("kill").arg(signal).arg(child.0.id().to_string()).status();
    assert!(status.expect("there is a command `kill`").success());
}

/// A number of nodes with which no search ends by itself.
const ENDLESS: &str = "100000000000";

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_analyses_and_the_same_command_continues() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let arguments = ["--max-ply", "4", "--first-nodes", "200", "--per-round", "2"];
    let endless = ["--nodes", ENDLESS, "--positions", "10"];
    let (mut child, stderr) =
        start_until(grow_book(out).args(arguments).args(endless), "growing: 0");
    signal(&child, "-INT");
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    let printed: Vec<String> = stderr.lines().map(Result::unwrap).collect();
    let printed = printed.join("\n");
    assert!(printed.contains("stopping") && printed.contains("To continue:"), "{printed}");
    assert!(printed.contains(&format!("--nodes {ENDLESS}")), "{printed}");
    assert_eq!(names(out), ["book.db", "book.kbook", "report.html"]);
    let kept = read_working(out);
    assert!(kept.evaluations > 0);
    assert_eq!(read_db(out).len(), kept.records.len());

    let on = run(grow_book(out).args(arguments).args(["--nodes", "300", "--positions", "3"]));
    assert!(on.status.success());
    let printed = text(&on.stderr);
    assert!(printed.contains("continuing with") && !printed.contains("first search"), "{printed}");
    let grown = read_working(out);
    assert_eq!(grown.records.len(), kept.records.len() + 3);
    assert_eq!(read_db(out).len(), grown.records.len());
}

/// No move has a value yet, but the files are complete and the seeded moves are kept.
#[cfg(unix)]
#[test]
fn ctrl_c_before_anything_was_analysed_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let command = &mut grow_book(out);
    let command = command.args(["--max-ply", "3", "--first-nodes", ENDLESS]);
    let (mut child, _stderr) = start_until(command, "first search: 0");
    signal(&child, "-INT");
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    assert_eq!(read_db(out).len(), 0);
    assert_eq!(read_working(out).records.len(), 9);
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("</html>"));
}

/// SIGKILL ends the process at once; everything synced before is kept.
#[cfg(unix)]
#[test]
fn a_killed_process_loses_nothing_it_had_finished() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let arguments = ["--max-ply", "4", "--first-nodes", "200"];
    let command = &mut grow_book(out);
    let (mut child, _stderr) =
        start_until(command.args(arguments).args(["--nodes", ENDLESS]), "growing: 0");
    signal(&child, "-KILL");
    child.0.wait().unwrap();
    assert_eq!(names(out), ["book.kbook"]);
    let on = run(grow_book(out).args(arguments).args(["--positions", "0"]));
    assert!(on.status.success(), "{}", text(&on.stderr));
    assert!(!text(&on.stderr).contains("first search"), "every seeded move had its value");
    let book = read_db(out);
    let mut moves = book.iter().flat_map(|record| &record.moves);
    assert!(moves.all(|listed| listed.score.is_some()));
}

/// Two writers of one book would lose each other's results.
#[cfg(unix)]
#[test]
fn a_folder_is_locked_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let command = &mut grow_book(folder.path());
    let (mut child, _stderr) =
        start_until(command.args(["--max-ply", "3", "--first-nodes", ENDLESS]), "first search: 0");
    for arguments in [&[][..], &["--fresh"]] {
        let second = run(grow_book(folder.path()).args(SMALL).args(arguments));
        assert_eq!(second.status.code(), Some(1));
        assert!(text(&second.stderr).contains("someone else has the store open"));
    }
    signal(&child, "-INT");
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
}

#[test]
fn a_fresh_start_never_costs_an_older_book() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book");
    assert!(run(grow_book(&out).args(SMALL)).status.success());
    let fingerprint = |name: &str| Store::open(out.join(name)).unwrap().fingerprint().unwrap();
    let first = fingerprint("book.kbook");
    let broken = folder.path().join("broken.csa");
    fs::write(&broken, "V2.2\nPI\n+\nHello\n").unwrap();
    for input in ["typo.csa", broken.to_str().unwrap()] {
        let failed = run(grow_book(&out).args(SMALL).args(["--fresh", "--strict", input]));
        assert_eq!(failed.status.code(), Some(1));
        assert_eq!(names(&out), ["book.db", "book.kbook", "report.html"]);
    }
    // An unfinished file of a killed process does no harm.
    fs::write(out.join("book.kbook.new"), "unfinished").unwrap();
    for _ in 0..2 {
        assert!(run(grow_book(&out).args(SMALL).arg("--fresh")).status.success());
    }
    let kept = ["book.kbook.old", "book.kbook.old2"];
    assert_eq!(names(&out), ["book.db", "book.kbook", kept[0], kept[1], "report.html"]);
    assert_eq!(fingerprint(kept[0]), first);
}

#[test]
fn games_that_left_no_move_may_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (out, game) = (folder.path().join("book"), folder.path().join("game.usi"));
    fs::write(&game, "startpos moves 7g7f 3c3d\n").unwrap();
    let nothing = run(grow_book(&out).args(SMALL).args(["--min-games", "5"]).arg(&game));
    assert_eq!(nothing.status.code(), Some(1));
    assert!(
        text(&nothing.stderr).contains("leave no move of 1 games"),
        "{}",
        text(&nothing.stderr)
    );
    assert!(run(grow_book(&out).args(SMALL).arg(&game)).status.success());
    let twice = run(grow_book(&out).args(SMALL).arg(&game));
    assert!(text(&twice.stderr).contains("read before"));
}

/// The names of all inputs of a book.
fn inputs_of(out: &Path) -> Vec<String> {
    read_working(out).inputs.iter().map(|input| input.name.clone()).collect()
}

#[test]
fn the_file_with_more_data_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other");
    let (working, db) = (other.join("book.kbook"), other.join("book.db"));
    assert!(run(grow_book(&other).args(SMALL)).status.success());
    let original = read_working(&other);
    let named = |name: &str| other.join(name).display().to_string();
    let read = |out: &str, input: &Path| {
        let out = folder.path().join(out);
        let read = run(grow_book(&out).args(NO_GROWTH).arg(input));
        assert!(read.status.success(), "{}", text(&read.stderr));
        (read_working(&out), inputs_of(&out))
    };
    let same = |read: &WorkingBook| {
        assert_eq!(read.analysts, original.analysts);
        assert_eq!(read.records.len(), original.records.len());
        assert_eq!(read.evaluations, original.evaluations);
        let games = |book: &WorkingBook| book.moves().filter_map(|m| m.count).sum::<u32>();
        assert_eq!(games(read), games(&original));
    };
    let (book, inputs) = read("working", &db);
    same(&book);
    assert_eq!(inputs, [named("book.kbook"), "bundled tournament games".to_owned()]);
    // An input is recognised after its file was opened, and a book is no input of itself.
    let out = folder.path().join("working");
    let again = run(grow_book(&out).args(NO_GROWTH).args([&other, &out]));
    let printed = text(&again.stderr);
    assert!(printed.contains("read before") && printed.contains("the book itself"), "{printed}");
    same(&read_working(&out));

    // Without the working book, its log is read, if it is a log.
    let mut log = Vec::new();
    Store::open(&working).unwrap().export_log(&mut log).unwrap();
    fs::remove_file(&working).unwrap();
    fs::write(other.join("book.log"), log).unwrap();
    let (book, inputs) = read("log", &db);
    same(&book);
    assert_eq!(inputs.last(), Some(&named("book.log")));
    // A log alone is also a book.
    fs::rename(&db, folder.path().join("kept.db")).unwrap();
    same(&read("alone", &other).0);
    fs::rename(folder.path().join("kept.db"), &db).unwrap();
    fs::write(other.join("book.log"), "Dear Sir,\n").unwrap();
    let (book, inputs) = read("db", &other);
    assert_eq!(inputs, [named("book.db")]);
    assert_eq!(book.analysts[0].name, "imported from book.db");
}

#[test]
fn binary_books_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.ybb");
    let mut start = BookRecord::new(Position::hirate());
    let m = "5g5f".parse().unwrap();
    start.moves.push(RecordMove { score: Some(Score::cp(12)), ..RecordMove::new(m) });
    let mut book = YbbWriter::default();
    book.push(&start).unwrap();
    book.finish(&mut fs::File::create(&path).unwrap()).unwrap();
    let out = folder.path().join("out");
    let read = run(grow_book(&out).args(NO_GROWTH).arg(&path));
    assert!(read.status.success(), "{}", text(&read.stderr));
    let book = read_working(&out);
    let start = book.record(&Position::hirate());
    let listed = start.moves.iter().find(|listed| listed.m == m);
    assert_eq!(listed.and_then(|listed| listed.score), Some(Score::cp(12)));
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_followed_once() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    fs::write(games.join("game.usi"), "startpos moves 7g7f 3c3d\n").unwrap();
    symlink(".", games.join("a")).unwrap();
    symlink(".", games.join("b")).unwrap();
    symlink("nowhere", games.join("x.csa")).unwrap();
    let out = folder.path().join("book");
    let strict = run(grow_book(&out).args(SMALL).arg("--strict").arg(&games));
    assert_eq!(strict.status.code(), Some(1));
    let lenient = run(grow_book(&out).args(SMALL).arg(&games));
    assert!(lenient.status.success());
    assert!(text(&lenient.stderr).contains("warning: cannot read"), "{}", text(&lenient.stderr));
    assert_eq!(read_working(&out).inputs.len(), 1);
}

/// A game with one king, whose last moves lead to and from a position that no book can hold.
const ONE_KING: &str = "sfen 8k/2rrl4/2n2ln2/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 b 2B2GN4s12p 1 \
    moves N*2c 1a1b G*2b 1b2b B*3a 2b2c B*1b 2c2d";

#[test]
fn a_position_that_no_book_can_hold_does_not_end_a_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, out) = (folder.path().join("one-king.usi"), folder.path().join("out"));
    fs::write(&games, ONE_KING).expect("writable");
    let kobayashi = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../komadai-testdata/data/kifu/samples/kfj__ki2_kobayashi_kinsho196702.ki2"
    );
    let runs: [(&[&Path], u64); 4] =
        [(&[&games], 2), (&[], 0), (&[Path::new(kobayashi)], 12), (&[], 0)];
    for (inputs, left_out) in runs {
        let args = ["--first-nodes", "50", "--nodes", "50", "--positions", "2", "--json"];
        let output = run(grow_book(&out).args(inputs).args(args));
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{inputs:?}: {errors}");
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(printed["moves_left_out"], left_out, "{inputs:?}");
        let is_said = errors.contains(&format!("{left_out} moves left out: a book cannot hold"));
        assert_eq!(is_said, left_out > 0, "{inputs:?}: {errors}");
        assert!(read_working(&out).moves().all(|listed| listed.score.is_some()), "{inputs:?}");
    }
}
