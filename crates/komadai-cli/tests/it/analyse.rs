//! Analyses of games: tables, records, JSON, explanations and faults.

use std::fs;
use std::io::{BufRead, pipe, stdin};
use std::path::PathBuf;
use std::process::Command;

use komadai::kifu::{KifuFormat, Line, Record, Tolerance, parse_records};
use komadai::{MoveGen as _, Position};
use komadai_testdata::kifu;
use komadai_testdata::programs::{play_engine, say};
use serde_json::Value;
use tempfile::TempDir;

use crate::{komadai, text};

const BEHAVIOUR: &str = "KOMADAI_FAKE_CLI_ANALYST";
const MEMORY: &str = "KOMADAI_FAKE_CLI_ANALYST_MEMORY";

/// The rook takes a pawn that a gold defends.
const LOST_ROOK: &str =
    "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2c+ 3b2c";

/// A pawn in front of the king and a gold in hand: a threat, and then a mate that is not played.
const MISSED_MATE: &str = "sfen 4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1 moves 5d5c P*1d G*9i";

#[test]
fn fake_engine() {
    play_engine(BEHAVIOUR, |_| {
        let memory = PathBuf::from(std::env::var_os(MEMORY).expect("the test names a file"));
        let mut position = String::new();
        for line in stdin().lock().lines().map_while(Result::ok) {
            match line.split(' ').next().unwrap_or_default() {
                "usi" => say("id name Fake 1.0\nid author the komadai developers\nusiok"),
                "isready" => say("readyok"),
                "position" => position = line,
                "go" => {
                    let is_first = !fs::exists(&memory).unwrap();
                    if position.ends_with("2g2f 8c8d") && is_first {
                        fs::write(&memory, "once").unwrap();
                        std::process::exit(3);
                    }
                    let game = position.strip_prefix("position ").unwrap();
                    let game: komadai::core::UsiPosition = game.parse().unwrap();
                    let start = Position::from_setup(&game.setup).unwrap();
                    let now = game.moves.iter().fold(start, |now, &m| now.after(m));
                    let m = now.legal_moves()[0];
                    say(&format!("info depth 3 score cp 30 nodes 300 pv {m}\nbestmove {m}"));
                }
                "quit" => return,
                _ => {}
            }
        }
    });
}

/// Analyses in a folder, and returns the exit code and what was printed.
fn analyse(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = komadai("analyse");
    command.arg("-q").args(arguments).current_dir(folder.path()).env("LC_ALL", "C");
    let output = command.output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn sample(name: &str) -> &'static [u8] {
    let mut samples = kifu::samples().chain(kifu::kif_samples());
    samples.find(|sample| sample.name == name).expect("it is bundled").bytes
}

fn document(folder: &TempDir, arguments: &[&str]) -> Value {
    let (code, printed, messages) = analyse(folder, &[arguments, &["--json"]].concat());
    assert_eq!(code, Some(0), "{messages}");
    serde_json::from_str(&printed).expect("one document")
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = folder_with(&[("game.csa", sample("kfj__csa_2005_GPS_K-SHOGI.csa"))]);
    let options = ["game.csa", "--nodes", "200", "--mate-nodes", "500", "--to", "40"];
    let one = analyse(&folder, &[&options[..], &["--threads", "1"]].concat());
    let two = analyse(&folder, &[&options[..], &["--threads", "2"]].concat());
    assert_eq!(one.0, Some(0), "{}", one.2);
    assert_eq!(one, two);
    for line in
        ["sente - gote", "ply  move", "  1  P-7f", " 40  ", "Black     20", "good for Black"]
    {
        assert!(one.1.contains(line), "{line}: {}", one.1);
    }
    // The game is longer than the part that was analysed.
    assert!(!one.1.contains("resigns") && !one.1.contains("\n 41  "));
}

#[test]
fn every_value_has_its_bound_and_most_are_exact() {
    let folder = folder_with(&[("game.csa", sample("kfj__csa_2005_GPS_K-SHOGI.csa"))]);
    let options =
        ["game.csa", "--nodes", "1500", "--mate-nodes", "200", "--from", "21", "--to", "80"];
    let document = document(&folder, &options);
    let moves = document["moves"].as_array().unwrap();
    let bounded = |key: &str| moves.iter().filter(|made| made[key] != "exact").count();
    assert_eq!(moves.len(), 60);
    assert!(bounded("bound") <= 6, "{}", bounded("bound"));
    for made in moves {
        for key in ["bound", "black_bound", "black_after_bound"] {
            let bound = made[key].as_str().unwrap_or_default();
            assert!(["exact", "lower", "upper"].contains(&bound), "{made}");
        }
        assert!((made["loss"].is_null(), made["judgement"].is_null()) != (true, false), "{made}");
        assert_eq!(made["loss"].is_null(), made["loss_bound"].is_null());
        let nodes = made["nodes"].as_u64().unwrap();
        assert!(nodes <= 6_000 && (nodes >= 1_500 || made["score"].is_string()), "{made}");
    }
}

#[test]
fn a_rook_given_away_is_marked_and_explained() {
    let folder = folder_with(&[("game.usi", LOST_ROOK.as_bytes())]);
    let (code, printed, _) = analyse(&folder, &["game.usi", "--nodes", "4000", "--explain"]);
    assert_eq!(code, Some(0));
    let row = printed.lines().find(|line| line.starts_with(" 11  ")).expect("a row");
    assert!(row.contains("R-2c+") || row.contains("Rx2c+"), "{row}");
    assert!(row.ends_with("??"), "{row}");
    assert!(printed.contains("\n11. Rx2c+ ??  loses "), "{printed}");
    assert!(printed.contains("Worse at the end of the line: material -"), "{printed}");
    let (_, printed, _) =
        analyse(&folder, &["game.usi", "--nodes", "4000", "--explain", "--lang", "ja"]);
    assert!(printed.contains("▲同飛成") && printed.contains("駒の損得 -"), "{printed}");
    let document = document(&folder, &["game.usi", "--nodes", "4000", "--explain"]);
    let blunder = &document["moves"][10];
    assert_eq!((&blunder["judgement"], &blunder["move"]), (&"blunder".into(), &"2d2c+".into()));
    assert!(blunder["loss"].as_i64().is_some_and(|loss| loss > 500));
    assert!(blunder["explanation"]["groups"][0]["value"].is_number());
    assert_eq!(document["summary"]["black"]["blunders"], 1);
    assert_eq!(document["moves"].as_array().map(Vec::len), Some(12));
}

#[test]
fn threats_and_defences_have_their_proofs() {
    // A waiting move with a pawn two squares before the king, the pawn, and a flight.
    let game = "sfen 4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1 moves 5i5h P*1d 5d5c 5a4a";
    let folder = folder_with(&[("game.usi", game.as_bytes())]);
    let arguments = ["game.usi", "--nodes", "300", "--threats", "--force"];
    let table = |more: &[&str]| {
        let (code, printed, messages) = analyse(&folder, &[&arguments[..], more].concat());
        assert_eq!(code, Some(0), "{messages}");
        printed
    };
    let english = table(&["--lang", "en", "--html", "en.html", "--record", "game.kif"]);
    for words in ["Threats of mate", "two-move threat", "threatmate G*5b", "defence against G*5b"] {
        assert!(english.contains(words), "{words}: {english}");
    }
    assert!(english.contains("parries mate in 1") && english.contains(" %"), "{english}");
    let page = fs::read_to_string(folder.path().join("en.html")).unwrap();
    assert!(page.contains("<bdi>two-move threat ") && page.contains("<bdi>threatmate G*5b</bdi>"));
    let japanese = table(&["--lang", "ja", "--html", "ja.html"]);
    for words in ["二手スキ", "詰めろ（1手詰）", "受け（1手詰を防ぐ）", "詰めろの予測"]
    {
        assert!(japanese.contains(words), "{words}: {japanese}");
    }
    let page = fs::read_to_string(folder.path().join("ja.html")).unwrap();
    assert!(page.contains("<bdi>二手スキ ") && page.contains("を防ぐ</bdi>"));
    let document = document(&folder, &arguments);
    let moves = &document["moves"];
    assert!(moves[0]["two_move_threat"]["first"].is_string(), "{document}");
    assert_eq!(moves[2]["threatmate"], serde_json::json!(["G*5b"]));
    assert_eq!(moves[3]["parries"], serde_json::json!(["G*5b"]));
    let probability = |index: usize| moves[index]["threat_probability"].as_f64().unwrap();
    assert!(probability(2) > probability(0));
    // Without the flag there are neither two-move threats nor proofs, but the defence is named.
    let (_, plain, _) = analyse(&folder, &["game.usi", "--nodes", "300", "--lang", "en"]);
    assert!(!plain.contains("two-move") && !plain.contains("Threats of mate"), "{plain}");
    assert!(plain.contains("parries mate in 1"), "{plain}");
}

#[test]
fn tesuji_have_their_names_beside_the_move_and_beside_a_better_one() {
    // A gold at the head of the king mates, and once a waiting move stands in its place.
    let start = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b Grb3g4s4n4l17p 1 moves";
    let (gold, missed) = (format!("{start} G*5b"), format!("{start} 5i5h 5a4a"));
    let folder = folder_with(&[("gold.usi", gold.as_bytes()), ("missed.usi", missed.as_bytes())]);
    let table = |name: &str, lang| {
        let arguments = [
            name, "--nodes", "4000", "--lang", lang, "--force", "--record", "r.kif", "--html",
            "r.html",
        ];
        let (code, printed, messages) = analyse(&folder, &arguments);
        assert_eq!(code, Some(0), "{messages}");
        let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
        let notes = read(&folder, "r.kif", KifuFormat::Kif).to_kif().unwrap();
        (printed, page, notes)
    };
    assert!(table("gold.usi", "en").0.contains("  gold at the king's head"));
    let (japanese, page, notes) = table("gold.usi", "ja");
    for text in [japanese, page, notes] {
        assert!(text.contains("頭金"), "{text}");
    }
    let (japanese, ..) = table("missed.usi", "ja");
    assert!(japanese.contains("最善手は頭金"), "{japanese}");
    assert!(table("missed.usi", "en").0.contains("best: gold at the king's head"));
    let moves = |name: &str| document(&folder, &[name, "--nodes", "4000"])["moves"].clone();
    let name = serde_json::json!([
        { "name": "atamakin", "english": "gold at the king's head", "japanese": "頭金" }
    ]);
    assert_eq!(moves("gold.usi")[0]["tesuji"], name);
    let missed = moves("missed.usi");
    assert_eq!((&missed[0]["tesuji"], &missed[0]["best_tesuji"]), (&serde_json::json!([]), &name));
}

#[test]
fn threats_and_missed_mates_are_named() {
    let folder = folder_with(&[("game.usi", MISSED_MATE.as_bytes())]);
    let table = |lang| analyse(&folder, &["game.usi", "--nodes", "500", "--lang", lang]).1;
    let english = table("en");
    assert!(english.contains("threatens mate in 1"), "{english}");
    assert!(english.contains("misses mate in 1"), "{english}");
    let japanese = table("ja");
    assert!(japanese.contains("詰めろ（1手詰）"), "{japanese}");
    assert!(japanese.contains("詰み逃し（1手詰）"), "{japanese}");
    let document = document(&folder, &["game.usi", "--nodes", "500"]);
    assert_eq!(document["moves"][0]["threatmate"], serde_json::json!(["G*5b"]));
    assert_eq!(document["moves"][1]["threatmate"], Value::Null);
    assert_eq!(document["moves"][2]["missed_mate"], true);
    assert_eq!(document["moves"][2]["score"], "mate 1");
}

#[test]
fn the_language_is_that_of_the_locale() {
    let folder = folder_with(&[("game.usi", b"startpos moves 7g7f")]);
    let mut command = komadai("analyse");
    command.args(["game.usi", "--nodes", "100"]).current_dir(folder.path());
    let output = command.env("LC_ALL", "ja_JP.UTF-8").output().unwrap();
    assert!(text(&output.stdout).contains("▲７六歩"));
    let notation = ["game.usi", "--nodes", "100", "--notation", "usi"];
    assert!(analyse(&folder, &notation).1.contains("  7g7f  "));
}

/// Reads a record that was written, which is UTF-8 or Shift_JIS.
fn read(folder: &TempDir, name: &str, format: KifuFormat) -> Record {
    let bytes = fs::read(folder.path().join(name)).unwrap();
    parse_records(bytes, format, Tolerance::Strict).unwrap().records.remove(0)
}

#[test]
fn annotated_records_are_read_back() {
    let folder = folder_with(&[("game.kif", sample("skc__kif_Shogidokoro.kif"))]);
    let options = ["game.kif", "--nodes", "200", "--mate-nodes", "0", "--to", "10"];
    let document = document(&folder, &options);
    for (name, format) in [
        ("out.kif", KifuFormat::Kif),
        ("out.csa", KifuFormat::Csa),
        ("out.ki2u", KifuFormat::Ki2),
        ("out.jkf", KifuFormat::Jkf),
        // Of the format of the game.
        ("out.txt", KifuFormat::Kif),
    ] {
        let (code, _, messages) = analyse(
            &folder,
            &[&options[..], &["--record", name, "--replace-evaluations"]].concat(),
        );
        assert_eq!(code, Some(0), "{messages}");
        let record = read(&folder, name, format);
        let analyses = record.analyses(Line::Main);
        assert_eq!(analyses.len(), 11, "{name}");
        for ((made, analysis), row) in
            analyses.iter().zip(document["moves"].as_array().expect("moves"))
        {
            assert_eq!(made + 1, row["ply"], "{name}");
            let cp = analysis.black_score.and_then(komadai::Score::to_cp);
            assert_eq!(cp.map(i64::from), row["black"].as_i64(), "{name}");
            let pv: Vec<String> = analysis.pv.iter().map(ToString::to_string).collect();
            assert_eq!(serde_json::json!(pv), row["pv"], "{name}");
        }
    }
    let (code, _, messages) = analyse(&folder, &[&options[..], &["--record", "out.kif"]].concat());
    assert!(code == Some(1) && messages.contains("--force"), "{messages}");
    let forced = [&options[..], &["--record", "out.kif", "--force"]].concat();
    assert_eq!(analyse(&folder, &forced).0, Some(0));
}

#[test]
fn broken_games_are_refused_with_line_and_column() {
    let folder = folder_with(&[
        ("bad.kif", "1 ７六歩(77)\n2 ３四歩(44)\n".as_bytes()),
        ("bad.csa", b"V2.2\nPI\n+\n+7776FU\n-3334KA\n"),
        ("empty.csa", b""),
        ("text.txt", b"Dear Sir"),
    ]);
    for (name, place) in
        [("bad.kif", "line 2, column 3"), ("bad.csa", "line 5, column 2"), ("text.txt", "line 1")]
    {
        let (code, printed, messages) = analyse(&folder, &[name]);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{messages}");
        assert!(messages.contains(name) && messages.contains(place), "{messages}");
    }
    assert_eq!(analyse(&folder, &["empty.csa"]).0, Some(1));
    assert_eq!(analyse(&folder, &["missing.csa"]).0, Some(1));
    let (code, printed, messages) = analyse(&folder, &["bad.kif", "--lenient", "--nodes", "100"]);
    // A move of the game is lost.
    assert!(code == Some(1) && printed.contains("P-7f"), "{messages}");
    assert!(messages.contains("skipped: bad.kif: line 2, column "), "{messages}");
}

#[test]
fn bad_usage_is_refused_before_the_analysis() {
    let folder = folder_with(&[("game.usi", LOST_ROOK.as_bytes())]);
    for (arguments, word) in [
        (&["--from", "50"][..], "12 moves"),
        (&["--from", "5", "--to", "2"], "--to 2"),
        (&["--record", "out.usi"], "no comments"),
        (&["--seconds", "0"], "seconds"),
        (&["--seconds", "1", "--nodes", "5"], "--nodes"),
        (&["--replace-evaluations"], "--record"),
    ] {
        let (code, printed, messages) = analyse(&folder, &[&["game.usi"], arguments].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{arguments:?}: {messages}");
        assert!(messages.contains(word), "{messages}");
    }
    let (code, _, messages) = analyse(&folder, &["game.usi", "--game", "3"]);
    assert!(code == Some(1) && messages.contains("no game 3"), "{messages}");
    let (code, _, messages) = analyse(&folder, &["game.usi", "--engine", "/no/such/engine"]);
    assert!(code == Some(1) && messages.contains("/no/such/engine"), "{messages}");
}

#[test]
fn graph_and_page_show_the_analysis() {
    let folder = folder_with(&[("game.usi", LOST_ROOK.as_bytes())]);
    let files = ["--graph", "game.svg", "--html", "game.html"];
    let arguments = [&["game.usi", "--nodes", "5000", "--lang", "ja"], &files[..]].concat();
    let (code, _, messages) = analyse(&folder, &arguments);
    assert_eq!(code, Some(0), "{messages}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let [graph, page] = ["game.svg", "game.html"].map(read);
    // The move that gives the rook away is marked in both, and the page says which one was better.
    assert!(graph.starts_with("<svg ") && graph.contains("11 ▲同飛成"), "{graph}");
    assert!(page.starts_with("<!doctype html>") && page.contains("▲同飛成"), "{page}");
    assert!(page.contains("??　最善手 "), "{page}");
    // Existing files stay, and are replaced only on request.
    let (code, printed, messages) = analyse(&folder, &arguments);
    assert_eq!((code, printed.as_str()), (Some(1), ""), "{messages}");
    assert!(messages.contains("game.svg exists; --force"), "{messages}");
    assert_eq!(analyse(&folder, &[&arguments[..], &["--force"]].concat()).0, Some(0));
    assert_eq!(read("game.svg"), graph);
}

#[test]
fn one_game_of_several_is_chosen() {
    let games = b"startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
    let folder = folder_with(&[("games.usi", games)]);
    let (code, printed, messages) = analyse(&folder, &["games.usi", "--nodes", "100"]);
    assert!(code == Some(0) && printed.contains("P-7f"), "{messages}");
    assert!(messages.contains("--game N"), "{messages}");
    let second = document(&folder, &["games.usi", "--nodes", "100", "--game", "2"]);
    assert_eq!((&second["game"]["number"], &second["game"]["moves"]), (&2.into(), &2.into()));
}

#[test]
fn an_engine_that_crashes_is_started_again() {
    let folder = folder_with(&[("game.usi", LOST_ROOK.as_bytes())]);
    let test = std::env::current_exe().expect("this program has a path");
    let engine = format!("'{}' analyse::fake_engine --exact --test-threads=2", test.display());
    let mut command: Command = komadai("analyse");
    command.args(["game.usi", "--threads", "2", "--json", "--engine", &engine]);
    command.env(BEHAVIOUR, "crashes once").env(MEMORY, folder.path().join("memory"));
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(folder.path().join("memory").exists(), "it has crashed");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let moves = document["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|row| row["failure"].is_null() && row["depth"] == 3));
    assert_eq!(document["engine"]["name"], "Fake 1.0");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly_after_its_files() {
    let folder = folder_with(&[("game.usi", b"startpos moves 7g7f 3c3d")]);
    for extra in ["--json", "--explain"] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let mut command = komadai("analyse");
        command.args(["game.usi", "--nodes", "100", "--record", "out.csa", "--force", extra]);
        let output = command.current_dir(folder.path()).stdout(writer).output().unwrap();
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(141), "{messages}");
        assert!(!messages.contains("panicked"), "{messages}");
        assert!(folder.path().join("out.csa").exists());
    }
}

#[test]
fn a_memory_keeps_the_analyses_for_the_next_run() {
    let folder =
        folder_with(&[("a.usi", LOST_ROOK.as_bytes()), ("damaged.kbook", b"this is no book")]);
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::write(folder.path().join("games/b.usi"), LOST_ROOK).unwrap();
    let values = |document: &Value| {
        let moves = document["moves"].as_array().unwrap().iter();
        moves.map(|one| (one["score"].clone(), one["best"].clone())).collect::<Vec<_>>()
    };
    let run = |nodes: &str, expected: &str| {
        let arguments =
            ["a.usi", "--nodes", nodes, "--mate-nodes", "0", "--memory", "m.kbook", "--json"];
        let (code, out, messages) = analyse(&folder, &arguments);
        assert_eq!(code, Some(0), "{messages}");
        assert!(messages.contains(expected), "{messages}");
        values(&serde_json::from_str(&out).unwrap())
    };
    let first = run("400", "m.kbook: 0 analyses taken, 13 added");
    assert_eq!(run("400", "m.kbook: 13 analyses taken, 0 added"), first);
    assert_eq!(run("100", "13 analyses taken"), first, "deeper ones serve as well");
    run("4000", "0 analyses taken, 13 added");
    // Another game with the same positions, a page each.
    let pages = ["games", "--out", "pages", "--nodes", "400", "--memory", "m.kbook"];
    let (code, _, messages) = analyse(&folder, &pages);
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("13 analyses taken, 0 added"), "{messages}");
    for (book, expected) in [("damaged.kbook", "damaged.kbook"), ("none/m.kbook", "none/m.kbook")] {
        let (code, _, messages) = analyse(&folder, &["a.usi", "--memory", book]);
        assert_eq!(code, Some(1), "{messages}");
        assert!(messages.contains(expected), "{messages}");
    }
    let open = komadai::book::store::Store::open(folder.path().join("m.kbook")).unwrap();
    let (code, _, messages) = analyse(&folder, &["a.usi", "--memory", "m.kbook"]);
    assert_eq!(code, Some(1), "{messages}");
    assert!(messages.contains("someone else has the store open"), "{messages}");
    drop(open);
}

#[test]
fn quizzes_are_made_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    // Black does not take the bishop that White has given away.
    let game = "startpos moves 7g7f 3c3d 6g6f 2b6f 9g9f 6f8h+";
    fs::write(folder.path().join("game.usi"), game).unwrap();
    let quiz = |more: &[&str]| {
        let all = [&["game.usi", "--nodes", "3000", "--mate-nodes", "0"], more].concat();
        analyse(&folder, &all)
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (code, _, messages) = quiz(&["--threads", "1", "--quiz", "one.html"]);
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("one.html: written, "), "{messages}");
    let page = read("one.html");
    for part in [
        "Black to move (move 5)",
        "data-best=\"8h6f\"",
        "The player missed the move that is clearly best.",
        "<button type=\"button\" data-m=\"9g9f\">P-9f</button>",
        "<em>played</em>",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    // The number of threads changes nothing.
    assert_eq!(quiz(&["--threads", "2", "--quiz", "two.html"]).0, Some(0));
    assert_eq!(read("two.html"), page);
    assert_eq!(quiz(&["--lang", "ja", "--quiz", "ja.html"]).0, Some(0));
    assert!(read("ja.html").contains("第1問　5手目、先手番"), "{}", read("ja.html"));
    // An existing page is replaced only on request, and a game without a question has none.
    let (code, _, messages) = quiz(&["--quiz", "one.html"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains("one.html exists; --force replaces it"), "{messages}");
    fs::write(folder.path().join("game.usi"), "startpos moves 7g7f 3c3d").unwrap();
    let (code, _, messages) = quiz(&["--quiz", "none.html"]);
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("none.html: not written: no position"), "{messages}");
    assert!(!folder.path().join("none.html").exists());
}
