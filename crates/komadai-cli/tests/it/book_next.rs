//! The subcommands of `komadai book` that select positions, as their users run them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use komadai_testdata::books::frontiers::{self, BookSide, OwnMoves, Window};
use komadai_testdata::books::synthetic;
use serde_json::Value;

use crate::komadai;

fn book() -> Command {
    komadai("book")
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).expect("output is UTF-8");
    text.lines().map(str::to_owned).collect()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Creates a folder with the synthetic book of fifty positions.
fn small_book() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small50.db");
    let fixture = synthetic::books().find(|book| book.name == "small50").unwrap();
    fs::write(&path, fixture.input).unwrap();
    (folder, path)
}

/// Returns the position of a line, without its move number, and the moves.
fn parts(line: &str) -> (String, String) {
    let (position, moves) = line.split_once('\t').expect("two columns");
    let sfen = position.strip_prefix("sfen ").expect("a position");
    (sfen.rsplit_once(' ').expect("four fields").0.to_owned(), moves.to_owned())
}

#[test]
fn the_cost_of_the_listed_positions_is_stated() {
    let (_folder, path) = small_book();
    let next = |more: &[&str]| {
        let mut command = book();
        command.arg("next").arg(&path).args(more);
        command
    };
    let output = run(&mut next(&["--cost", "1000", "--nodes", "86400000"]));
    let positions = lines(&output).len();
    let printed = String::from_utf8_lossy(&output.stderr);
    // Each position takes a day.
    assert!(printed.contains(&format!("cost: {positions} positions × 86,400,000 nodes")));
    assert!(printed.contains(&format!("{positions}.00 core-days at 1,000 nodes/s")), "{printed}");
    let found = json(&run(&mut next(&["--cost", "1000", "--nodes", "43200000", "--json"])));
    assert_eq!(found["cost"]["core_days"].as_f64(), Some(positions as f64 / 2.0));
    assert!(json(&run(&mut next(&["--json"])))["cost"].is_null());
    for bad in ["0", "-1", "fast"] {
        let output = next(&["--cost", bad]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "--cost {bad}");
    }
}

#[test]
fn next_positions_are_those_of_the_fixtures() {
    let (_folder, path) = small_book();
    for expected in frontiers::rows() {
        let side = match expected.book_side {
            BookSide::Black => "black",
            BookSide::White => "white",
            BookSide::Both => "both",
        };
        let window = match expected.window {
            Window::Free => "free",
            Window::Best => "best",
            Window::Root => "root",
        };
        let diff = expected.eval_diff.to_string();
        let mut command = book();
        command.arg("next").arg(&path);
        command.args(["--side", side, "--window", window, "--eval-diff", &diff]);
        if expected.own_moves == OwnMoves::AllBest {
            command.arg("--ties");
        }
        let found: Vec<_> = lines(&run(&mut command)).iter().map(|line| parts(line)).collect();
        assert_eq!(found.len(), expected.count, "{expected:?}");
        let json = json(&run(command.arg("--json")));
        assert_eq!(json["visited"], expected.visited, "{expected:?}");
        if let Some(positions) = &expected.positions {
            let sfens: BTreeSet<_> = found.iter().map(|(sfen, _)| sfen.as_str()).collect();
            assert_eq!(sfens, positions.iter().map(|at| at.sfen).collect(), "{expected:?}");
            let length = |moves: &str| moves.split(' ').count();
            for (sfen, moves) in &found {
                let known = positions.iter().find(|at| at.sfen == sfen).unwrap();
                let known = length(&format!("startpos moves {}", known.moves));
                assert_eq!(length(moves), known, "{sfen}");
            }
        }
    }
}

#[test]
fn orders_sort_and_budgets_cut() {
    let (_folder, path) = small_book();
    let next = |more: &[&str]| {
        let mut command = book();
        let wide = ["--side", "white", "--eval-diff", "50", "--window", "best", "--json"];
        let list = json(&run(command.arg("next").arg(&path).args(wide).args(more)));
        list["positions"].as_array().unwrap().clone()
    };
    let sfens = |list: &[Value]| -> BTreeSet<String> {
        list.iter().map(|row| row["sfen"].as_str().unwrap().to_owned()).collect()
    };
    let shortest = next(&[]);
    let cheapest = next(&["--order", "price"]);
    let likely = next(&["--order", "probability"]);
    assert_eq!(sfens(&shortest), sfens(&cheapest));
    assert_eq!(sfens(&shortest), sfens(&likely));
    let numbers = |list: &[Value], name: &str| -> Vec<f64> {
        list.iter().map(|row| row[name].as_f64().unwrap()).collect()
    };
    assert!(numbers(&shortest, "plies").is_sorted());
    assert!(numbers(&cheapest, "price").is_sorted());
    assert!(numbers(&likely, "probability").is_sorted_by(|one, other| one >= other));
    for row in &cheapest {
        let of = |name: &str| row[name].as_f64().unwrap();
        assert!((of("price") - of("plies") - 0.05 * of("drops_cp")).abs() < 1e-9, "{row}");
    }
    assert_eq!(next(&["--order", "price", "--budget", "3"]), cheapest[..3]);
    // A rival with the same book follows the book's best moves.
    let rival = path.to_str().unwrap();
    let rival = ["--order", "probability", "--rival", rival, "--temperature", "0"];
    let likely = numbers(&next(&rival), "probability");
    assert!((likely.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{likely:?}");
}

#[test]
fn lines_begin_at_the_roots() {
    let (_folder, path) = small_book();
    let start = lines(&run(book().arg("next").arg(&path).args(["--side", "black"])));
    let (_, moves) = parts(&start[0]);
    let first: Vec<&str> = moves.split(' ').take(4).collect();
    let root = first.join(" ");
    let from_root = run(book().arg("next").arg(&path).args(["--side", "black", "--root", &root]));
    assert!(lines(&from_root).contains(&start[0]));
    assert!(lines(&from_root).iter().all(|line| parts(line).1.starts_with(&root)));
    let elsewhere = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let outside = run(book().arg("next").arg(&path).args(["--root", elsewhere, "--reasons"]));
    let expected = format!(
        "sfen {elsewhere}\tsfen {elsewhere}\tplies=0\tsides=both\treason=root\tdrop_cp=-\tdrops_cp=0\tscore=-"
    );
    assert_eq!(lines(&outside), [expected]);
    let illegal = book().arg("next").arg(&path).args(["--root", "startpos moves 7g7e"]).output();
    let illegal = illegal.unwrap();
    assert_eq!(illegal.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&illegal.stderr).contains("7g7e is illegal"));
    let nonsense = book().arg("next").arg(&path).args(["--root", "nowhere"]).output().unwrap();
    assert_eq!(nonsense.status.code(), Some(2));
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const AFTER_PAWN: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#YANEURAOU-DB2016 1.00\n{text}")).unwrap();
    path
}

#[test]
fn other_reasons_to_search_are_found() {
    let folder = tempfile::tempdir().unwrap();
    // 7g7f has the better stated value, but White's answer refutes it.
    let own = format!("{START}7g7f none 90 1\n2g2f none 40 1\n{AFTER_PAWN}3c3d none 10 1\n");
    let own = write(folder.path(), "own.db", &own);

    let refuted = run(book().arg("refutations").arg(&own).args(["--side", "black", "--json"]));
    let refuted = &json(&refuted)["positions"];
    assert_eq!(refuted.as_array().unwrap().len(), 1);
    assert_eq!(refuted[0]["line"], "startpos moves 2g2f");
    assert_eq!(
        (&refuted[0]["believed"], &refuted[0]["believed_score"]),
        (&"7g7f".into(), &90.into())
    );
    assert_eq!(refuted[0]["believed_now"], -10);
    let wide = run(book().arg("refutations").arg(&own).args(["--margin", "51"]));
    assert!(lines(&wide).is_empty());

    // Black loses both games; the best lines from both positions of the book end after one move.
    let games = folder.path().join("games.sfen");
    fs::write(&games, "startpos moves 7g7f 8c8d resign\nstartpos moves 2g2f 8c8d 7g7f resign\n")
        .unwrap();
    let lost = run(book().arg("unsolved").arg(&own).arg(&games).args(["--side", "black"]));
    let lines_of_lost: Vec<String> = lines(&lost).iter().map(|line| parts(line).1).collect();
    assert_eq!(lines_of_lost, ["startpos moves 2g2f", "startpos moves 7g7f 3c3d"]);

    // The rival answers Black's 2g2f, and Black's book ends.
    let after = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2\n";
    let rival =
        write(folder.path(), "rival.db", &format!("{after}8c8d none -30 1\n3c3d none -35 1\n"));
    let ends = |more: &[&str]| {
        let output =
            run(book().arg("opponent").arg(&own).arg(&rival).args(["--side", "black"]).args(more));
        lines(&output).iter().map(|line| parts(line).1).collect::<Vec<_>>()
    };
    assert_eq!(ends(&[]), ["startpos moves 2g2f 8c8d"]);
    let both = ["startpos moves 2g2f 8c8d", "startpos moves 2g2f 3c3d"];
    assert_eq!(ends(&["--rival-diff", "5"]), both);
}

#[test]
fn a_position_one_move_away_from_the_book_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    // The position after 2g2f 8c8d is not in the book, but 7g7f leads from there to one that is.
    let text = format!(
        "{START}2g2f none 40 1\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2\n8c8d none 10 1\n\
         sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4\n3c3d none -25 1\n"
    );
    let path = write(folder.path(), "own.db", &text);
    let found = run(book().arg("rejoin").arg(&path).args(["--side", "black", "--json"]));
    let positions = &json(&found)["positions"];
    assert_eq!(positions.as_array().unwrap().len(), 1);
    assert_eq!(positions[0]["line"], "startpos moves 2g2f 8c8d");
    assert_eq!(positions[0]["back"], serde_json::json!(["7g7f 25"]));
}

/// Writes a book with two moves of the start position and answers to the better one.
fn two_plies(folder: &Path) -> PathBuf {
    let text = format!(
        "{START}7g7f none 40 1\n2g2f none 20 1\n9g9f none -90 1\n\
         {AFTER_PAWN}3c3d none -40 1\n8c8d none -50 1\n"
    );
    write(folder, "own.db", &text)
}

#[test]
fn roots_are_read_from_a_list_with_limits_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let own = two_plies(folder.path());
    let list = folder.path().join("think_sfens.txt");
    let next = |text: &str, more: &[&str]| {
        fs::write(&list, text).unwrap();
        let mut command = book();
        command.arg("next").arg(&own).args(["--side", "black", "--start-positions"]);
        command.arg(&list).args(more).output().unwrap()
    };
    let moves = |text: &str, more: &[&str]| -> Vec<String> {
        let output = next(text, more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        lines(&output).iter().map(|line| parts(line).1).collect()
    };
    let both = ["startpos moves 7g7f 3c3d", "startpos moves 7g7f 8c8d"];
    assert_eq!(moves("# all\nstartpos\n", &[]), both);
    assert_eq!(
        moves("startpos moves 7g7f # one\nsfen 4k4/9/9/9/9/9/9/9/4K4 b P 1\n", &[]),
        ["sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", both[0], both[1],]
    );
    // The best line of both sides ends after two plies.
    assert_eq!(moves("startpos, book_extend_ply=2\n", &[]), [both[0]]);
    assert!(moves("startpos, book_extend_ply=1\n", &[]).is_empty());
    assert_eq!(moves("startpos, eval_limit=45\n", &[]), [both[0]]);
    // Roots of the option come first, and have no limits.
    let after = ["--root", "startpos moves 2g2f"];
    assert_eq!(moves("startpos, game_ply_limit=2\n", &after), ["startpos moves 2g2f"]);
    assert_eq!(moves("startpos, game_ply_limit=3\n", &[]), both);
    for (text, fault) in [
        ("startpos\nstartpos moves 7g7e\n", "think_sfens.txt: line 2"),
        ("startpos, depth=9\n", "think_sfens.txt: line 1"),
        ("# nothing\n", "think_sfens.txt: found no game"),
    ] {
        let output = next(text, &[]);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(printed.contains(fault), "{printed}");
    }
}

#[test]
fn ends_of_lines_without_a_position_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let own = two_plies(folder.path());
    let next = |more: &[&str]| {
        let output = run(book().arg("next").arg(&own).args(["--side", "white"]).args(more));
        let cut = match more.contains(&"--json") {
            true => json(&output)["cut"].clone(),
            false => Value::Null,
        };
        (cut, String::from_utf8(output.stderr).unwrap())
    };
    let (cut, _) = next(&["--json", "--budget", "1"]);
    assert_eq!((&cut["outside_window"], &cut["beyond_budget"]), (&1.into(), &1.into()));
    let (_, printed) = next(&["--eval-limit", "30", "--max-ply", "7"]);
    assert!(printed.contains("not followed: 1 moves beyond the limit of values, 1 moves outside"));
    let (cut, printed) = next(&["--max-ply", "1", "--json"]);
    assert_eq!(cut["at_max_ply"], 1);
    assert!(printed.contains("not followed: 1 positions at the limit of plies"), "{printed}");
    let (cut, _) = next(&["--eval-limit", "5", "--json"]);
    assert_eq!((&cut["beyond_eval_limit"], &cut["dead_ends"]), (&2.into(), &1.into()));
    let output = run(book().arg("next").arg(&own).args(["--side", "white", "--reasons"]));
    let reasons: Vec<_> = lines(&output)
        .iter()
        .map(|line| line.split('\t').skip(4).take(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(
        reasons,
        [["reason=move in the window", "drop_cp=20"], ["reason=best move", "drop_cp=0"]]
    );
}

#[test]
fn a_list_with_metadata_is_read_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let own = two_plies(folder.path());
    let list = folder.path().join("list.txt");
    let limits = ["--max-ply", "4", "--eval-limit", "300", "--side", "black"];
    let written = run(book().arg("next").arg(&own).args(limits).args([
        "--metadata",
        "--book-extend-ply",
        "1",
    ]));
    let all = lines(&written);
    let end = ", book_extend_ply=1, eval_limit=300, game_ply_limit=4";
    assert_eq!(
        all,
        [format!("startpos moves 7g7f 3c3d{end}"), format!("startpos moves 7g7f 8c8d{end}"),]
    );
    fs::write(&list, &written.stdout).unwrap();
    // The limits come back from the list.
    let again =
        run(book().arg("next").arg(&own).arg("--metadata").arg("--start-positions").arg(&list));
    assert_eq!(lines(&again), all);

    let store = folder.path().join("new.kbook");
    let imported = run(book().arg("import").arg(&store).arg(&list));
    assert!(String::from_utf8_lossy(&imported.stderr).contains("2 games have the options"));
    let mut grow = book();
    grow.arg("grow").arg(&store).arg("--start-positions").arg(&list);
    let grown = json(&run(grow.args(["--nodes", "200", "--positions", "90", "--quiet", "--json"])));
    // Each position and at least one after its best move; none beyond move 4.
    assert_eq!(grown["end"], "exhausted");
    assert!(grown["analysed"].as_u64() >= Some(4), "{grown}");
    let db = folder.path().join("new.db");
    run(book().arg("convert").arg(&store).arg(&db));
    let text = fs::read_to_string(&db).unwrap();
    let numbers = text.lines().filter_map(|line| line.strip_prefix("sfen ")?.rsplit(' ').next());
    let mut numbers: Vec<u32> = numbers.map(|number| number.parse().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!((numbers.first(), numbers.last()), (Some(&1), Some(&4)));
    let rest = run(book().arg("next").arg(&store).arg("--start-positions").arg(&list));
    assert!(lines(&rest).is_empty());

    let mut games = komadai("match");
    games.args([
        "--first",
        "komadai:EvalFile=<material>",
        "--second",
        "komadai:EvalFile=<material>",
    ]);
    run(games.args(["--nodes", "10", "--games", "2", "--openings"]).arg(&list));
    for refused in
        [&["--metadata", "--json"][..], &["--metadata", "--reasons"], &["--book-extend-ply", "3"]]
    {
        let output = book().arg("next").arg(&own).args(refused).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{refused:?}");
    }
}
