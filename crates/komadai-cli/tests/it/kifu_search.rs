//! `komadai kifu search`, `index` and `explore` as their users run them.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::{komadai, text};

/// The first mino of Black, a boat of White.
const MINO: &str = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
                    4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";

/// A folder with six games and a broken file.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    fs::create_dir_all(folder.path().join("games/sub")).unwrap();
    write(
        "games/a.csa",
        "V2.2\nN+Suzuki\nN-Sato\n$EVENT:Club\n$START_TIME:2019/05/01\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n/\n\
         N+Sato\nN-Tanaka\n$START_TIME:2020/01/31\nPI\n+\n+2726FU\n-3334FU\n+7776FU\n-4344FU\n+2625FU\n%SENNICHITE\n",
    );
    write(
        "games/b.kif",
        "開始日時：2021/03/04\n先手：鈴木\n後手：Sato\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n\
         4 同　銀(31)\n5 投了\n",
    );
    write("games/sub/c.usi", &format!("startpos moves {MINO} resign\nstartpos moves 2g2f 8c8d\n"));
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    komadai("kifu").args(arguments).env("LC_ALL", "C").current_dir(folder.path()).output().unwrap()
}

/// The places of the games that a search finds.
fn found(output: &Output) -> Vec<String> {
    let lines = text(&output.stdout);
    let place = |line: &str| line.split('\t').nth(4).expect("a place").to_owned();
    lines.lines().map(place).collect()
}

/// The searches, with the games that they find.
const SEARCHES: [(&[&str], &[&str]); 15] = [
    (&["--player", "sato"], &["a.csa#1", "a.csa#2", "b.kif#1"]),
    (&["--player", "sato", "--player", "suzuki"], &["a.csa#1"]),
    (&["--black", "sato"], &["a.csa#2"]),
    (&["--winner", "sato"], &["a.csa#1", "b.kif#1"]),
    (&["--winner", "鈴木"], &[]),
    (&["--since", "2020", "--until", "2020-12-31"], &["a.csa#2"]),
    (&["--result", "draw"], &["a.csa#2"]),
    (&["--event", "club"], &["a.csa#1"]),
    (&["--min-moves", "5", "--max-moves", "5"], &["a.csa#2"]),
    (&["--position", "startpos", "moves", "7g7f", "3c3d", "2g2f"], &["a.csa#1", "a.csa#2"]),
    (&["--opening", "2g2f"], &["a.csa#2", "sub/c.usi#2"]),
    (&["--castle", "black:mino"], &["sub/c.usi#1"]),
    (&["--pattern", "+B2b"], &["b.kif#1"]),
    (&["--ahead", "black:B", "--lasting", "2"], &[]),
    (&["--ahead", "white:B", "--mirrored"], &["b.kif#1"]),
];

#[test]
fn searches_find_the_same_games_in_files_and_in_an_index() {
    let folder = folder();
    let made = run(&folder, &["index", "games", "--out", "games.idx"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(
        text(&made.stdout).starts_with("games.idx: 5 games of 3 files, "),
        "{}",
        text(&made.stdout)
    );
    for (conditions, expected) in SEARCHES {
        let expected: Vec<String> = expected.iter().map(|name| format!("games/{name}")).collect();
        for source in [&["search", "games"][..], &["search", "--index", "games.idx"]] {
            let output = run(&folder, &[source, conditions].concat());
            assert!(output.status.success(), "{conditions:?}: {}", text(&output.stderr));
            assert_eq!(found(&output), expected, "{source:?} {conditions:?}");
            let counted = run(&folder, &[source, conditions, &["--count"]].concat());
            assert_eq!(text(&counted.stdout).trim(), expected.len().to_string());
        }
    }
}

#[test]
fn lines_follow_the_language_and_json_has_everything() {
    let folder = folder();
    let line = |arguments: &[&str]| {
        let search = ["search", "games", "--player", "suzuki"];
        text(&run(&folder, &[&search[..], arguments].concat()).stdout)
    };
    assert_eq!(line(&[]), "2019-05-01\tSuzuki – Sato\tWhite wins\t4 moves\tgames/a.csa#1\n");
    let japanese = line(&["--lang", "ja", "--position", "startpos moves 7g7f"]);
    assert_eq!(japanese, "2019-05-01\tSuzuki – Sato\t後手勝ち\t4手\tgames/a.csa#1\t1手目\n");
    let json: Value = serde_json::from_str(&line(&["--json"])).unwrap();
    for (key, value) in [
        ("black", Value::from("Suzuki")),
        ("date", "2019-05-01".into()),
        ("event", "Club".into()),
        ("result", "white".into()),
        ("game", 1.into()),
        ("moves", 4.into()),
        ("entry", Value::Null),
    ] {
        assert_eq!(json[key], value, "{key}");
    }
    let limited = run(&folder, &["search", "games", "--limit", "2"]);
    assert_eq!(found(&limited).len(), 2);
}

#[test]
fn broken_files_are_named_and_the_exit_code_tells() {
    let folder = folder();
    fs::write(folder.path().join("games/broken.csa"), "this is no game").unwrap();
    for arguments in [
        &["search", "games", "--player", "suzuki"][..],
        &["index", "games", "--out", "games.idx"],
        &["explore", "games"],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("broken.csa"), "{}", text(&output.stderr));
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
    // The index tells it as well, and reads the file again.
    let searched = run(&folder, &["search", "--index", "games.idx", "--player", "suzuki"]);
    assert!(text(&searched.stderr).contains("1 of 4 files"), "{}", text(&searched.stderr));
    fs::write(folder.path().join("games/broken.csa"), "PI\n+\n+7776FU\n%TORYO\n").unwrap();
    let again = run(&folder, &["index", "games", "--out", "games.idx"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(text(&again.stdout).contains("6 games of 4 files, 1 read"), "{}", text(&again.stdout));
    let empty = run(&folder, &["search", "missing"]);
    assert_eq!(empty.status.code(), Some(1));
}

#[test]
fn an_index_follows_its_files() {
    let folder = folder();
    let index = |expected: &str| {
        let output = run(&folder, &["index", "games", "--out", "games.idx"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
    };
    let all = |source: &[&str]| found(&run(&folder, &[&["search"], source].concat()));
    index("5 games of 3 files");
    index("up to date, 5 games");
    fs::write(folder.path().join("games/aa.usi"), "startpos moves 2g2f 3c3d 7g7f\n").unwrap();
    fs::write(folder.path().join("games/sub/c.usi"), "startpos moves 7g7f\n").unwrap();
    fs::remove_file(folder.path().join("games/b.kif")).unwrap();
    index("4 games of 3 files, 2 read");
    assert_eq!(all(&["--index", "games.idx"]), all(&["games"]));
    let position = ["--position", "startpos", "moves", "7g7f", "3c3d", "2g2f"];
    let found = all(&[&["--index", "games.idx"], &position[..]].concat());
    assert_eq!(found, ["games/a.csa#1", "games/a.csa#2", "games/aa.usi#1"]);
    // The same file as one that is made anew.
    let updated = fs::read(folder.path().join("games.idx")).unwrap();
    let anew = run(&folder, &["index", "games", "--out", "new.idx"]);
    assert!(anew.status.success());
    assert_eq!(fs::read(folder.path().join("new.idx")).unwrap(), updated);
}

#[test]
fn damaged_and_foreign_files_are_no_index() {
    let folder = folder();
    assert!(run(&folder, &["index", "games", "--out", "games.idx"]).status.success());
    let path = folder.path().join("games.idx");
    let bytes = fs::read(&path).unwrap();
    let refused = |content: &[u8], expected: &str| {
        fs::write(&path, content).unwrap();
        for arguments in [
            &["search", "--index", "games.idx"][..],
            &["explore", "--index", "games.idx"],
            &["index", "games", "--out", "games.idx"],
        ] {
            let output = run(&folder, arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        }
        assert_eq!(fs::read(&path).unwrap(), content, "left as it was");
    };
    refused(b"no index", "not an index of games");
    refused(&bytes[..bytes.len() - 1], "damaged at byte");
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    refused(&damaged, "damaged at byte 0");
    let mut later = bytes.clone();
    later[14] = b'9';
    refused(&later, "found version \"9\" of the format, expected 1");
    assert!(run(&folder, &["index", "games", "--out", "games.idx", "--rebuild"]).status.success());
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn found_games_are_written() {
    let folder = folder();
    assert!(run(&folder, &["index", "games", "--out", "games.idx"]).status.success());
    let sato = ["--player", "sato"];
    for (number, source) in
        [&["search", "games"][..], &["search", "--index", "games.idx"]].into_iter().enumerate()
    {
        let file = format!("sato{number}.csa");
        let output = run(&folder, &[source, &sato, &["--to", &file]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let again = run(&folder, &["search", &file]);
        assert_eq!(found(&again).len(), 3);
        let written = fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(written.contains("$EVENT:Club"), "what an index does not hold is there: {written}");
        let exists = run(&folder, &[source, &sato, &["--to", &file]].concat());
        assert_eq!(exists.status.code(), Some(1));
        let out = format!("out{number}");
        assert!(run(&folder, &[source, &sato, &["--to", &out]].concat()).status.success());
        assert_eq!(fs::read_dir(folder.path().join(&out)).unwrap().count(), 3);
        let one = format!("one{number}.kif");
        let several = run(&folder, &[source, &sato, &["--to", &one]].concat());
        assert_eq!(several.status.code(), Some(1));
        assert!(text(&several.stderr).contains("holds one game"), "{}", text(&several.stderr));
        assert!(!Path::new(&folder.path().join(&one)).exists());
    }
    fs::write(folder.path().join("games/a.csa"), "PI\n+\n+7776FU\n%TORYO\n").unwrap();
    let changed =
        run(&folder, &["search", "--index", "games.idx", "--player", "sato", "--to", "x.csa"]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(
        text(&changed.stderr).contains("bring the index up to date"),
        "{}",
        text(&changed.stderr)
    );
}

#[test]
fn conditions_that_cannot_be_are_bad_usage() {
    let folder = folder();
    for (arguments, message) in [
        (&["--pattern", "K2h Q3h"][..], "found \"Q3h\" at byte 4"),
        (&["--ahead", "R"], "expected a side"),
        (&["--opening", "7g7f", "7c7e"], "move 2: 7c7e is illegal"),
        (&["--castle", "minoo"], "no castle or strategy is called"),
        (&["--since", "2020", "--until", "2019"], "--since 2020 is after --until 2019"),
        (&["--since", "x"], "expected a date"),
        (&["--min-moves", "9", "--max-moves", "8"], "--min-moves 9 is more"),
        (&["--position", "8k/9/9 b - 1"], "expected a file, an SFEN"),
        (&["--player", "a", "--player", "b", "--player", "c"], "a game has two players"),
        (&["--to", "x.txt"], "found the ending \"txt\""),
        (&["--ply", "3"], "--position"),
    ] {
        let output = run(&folder, &[&["search", "games"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    }
    assert_eq!(run(&folder, &["search"]).status.code(), Some(2));
}

#[test]
fn moves_are_counted_with_their_results() {
    let folder = folder();
    assert!(run(&folder, &["index", "games", "--out", "games.idx"]).status.success());
    for source in [&["explore", "games"][..], &["explore", "--index", "games.idx"]] {
        let output = run(&folder, &[source, &["--json"]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&found["games"], &found["white"]), (&5.into(), &3.into()));
        let moves = found["moves"].as_array().unwrap();
        let counts: Vec<_> =
            moves.iter().map(|one| (one["move"].as_str().unwrap(), &one["games"])).collect();
        assert_eq!(counts, [("7g7f", &Value::from(3)), ("2g2f", &Value::from(2))]);
        assert_eq!(moves[0]["mean_year"], 2020.0);
        // Two orders of moves meet.
        let position = ["--position", "startpos", "moves", "7g7f", "3c3d", "2g2f"];
        let output = run(&folder, &[source, &position, &["--lang", "ja"]].concat());
        let printed = text(&output.stdout);
        assert!(printed.contains("2局：先手0.0 %、引き分け50.0 %、後手50.0 %"), "{printed}");
        assert!(printed.contains("△８四歩") && printed.contains("△４四歩"), "{printed}");
        let page = ["--html", "page.html", "--min-games", "1", "--depth", "3", "--lang", "ja"];
        let output = run(&folder, &[source, &page].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(
            page.contains("<html lang=\"ja\">") && page.contains("<h2>5局<small>先手番"),
            "{page}"
        );
        // The position that two orders of moves reach has one table.
        assert_eq!(page.matches("<h2>2局<small>後手番").count(), 2, "{page}");
        let none = run(&folder, &[source, &["--position", "startpos", "moves", "1g1f"]].concat());
        assert!(text(&none.stdout).contains("no game reached the position"));
    }
}

/// A hundred thousand games: those that are bundled, each with many lengths.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes and a gigabyte of disk"]
fn an_index_of_many_games_takes_little_memory() {
    use std::io::{BufWriter, Write as _};

    use komadai::kifu::{Tolerance, parse_csa};
    use komadai_testdata::kifu::samples;

    const GAMES: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let parsed = samples().filter_map(|sample| parse_csa(sample.bytes, Tolerance::Lenient).ok());
    let records = parsed.flat_map(|games| games.records);
    let lines: Vec<String> = records.map(|record| record.to_usi_line()).collect();
    let lines: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
    let lines: Vec<_> =
        lines.iter().filter(|words| words[0] == "startpos" && words.len() > 60).collect();
    let mut file = BufWriter::new(fs::File::create(folder.path().join("games.usi")).unwrap());
    for number in 0..GAMES {
        let words = lines[number % lines.len()];
        let length = words.len() - number / lines.len() % 50;
        writeln!(file, "{}", words[..length].join(" ")).unwrap();
    }
    file.into_inner().unwrap();
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 400000; exec \"$0\" kifu index games.usi --out games.idx --jobs 2 --memory 32"])
        .arg(env!("CARGO_BIN_EXE_komadai"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {}", output.status, text(&output.stderr));
    let printed = text(&output.stdout);
    println!("{printed}");
    assert!(printed.starts_with("games.idx: 100,000 games of 1 files, "), "{printed}");
    // Less memory than the positions of the games take, and a lookup far less.
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 60000; exec \"$0\" kifu explore --index games.idx --json"])
        .arg(env!("CARGO_BIN_EXE_komadai"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["games"], GAMES);
}
