//! `komadai tsume`: sources of problems, forms of answers, runs that continue, and lists of any
//! length.

mod additions;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};

use komadai::Position;
use komadai::kifu::{KifuFormat, Record};
use komadai::report::Diagram;
use komadai_testdata::tsume::{Expected, Set, set};
use serde_json::Value;

use crate::{Running, komadai, text};

/// A mate in one.
const SHORT: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

/// A mate in 15.
const LONG: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    komadai("tsume").args(arguments).current_dir(folder).output().expect("it starts")
}

/// The printed answers of a run in which all problems could be read.
fn solved(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The answers without the times.
fn timeless(answers: &str) -> Vec<String> {
    let is_time = |field: &&str| !field.starts_with("ms=");
    answers
        .lines()
        .map(|line| line.split('\t').filter(is_time).collect::<Vec<_>>().join("\t"))
        .collect()
}

/// The first problems of a set as a table.
fn table(problems: Set, count: usize) -> String {
    let rows =
        set(problems).take(count).map(|problem| format!("{}\t{}\n", problem.id, problem.sfen));
    "id\tsfen\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn a_problem_is_the_same_in_every_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let position = Position::from_sfen(LONG).unwrap();
    let diagram = Diagram::kanji(&position).to_string();
    assert!(diagram.contains("後手の持駒"), "{diagram}");
    let all_else = diagram.lines().map(|line| match line.starts_with("後手の持駒") {
        true => "後手の持駒：残り全部\n".to_owned(),
        false => format!("{line}\n"),
    });
    fs::write(path.join("rest.bod"), all_else.collect::<String>()).unwrap();
    fs::write(path.join("diagram.bod"), &diagram).unwrap();
    fs::write(path.join("list.sfen"), format!("# problems\n{LONG}\n")).unwrap();
    fs::write(path.join("usi.sfen"), format!("\u{feff}position sfen {LONG}\r\n")).unwrap();
    fs::write(path.join("moves.sfen"), format!("sfen {LONG} moves P*1b\n")).unwrap();
    fs::write(path.join("table.tsv"), format!("id\tsfen\tplies\na\t{LONG}\t15\n")).unwrap();
    fs::write(path.join("bare.tsv"), format!("a\t{LONG}\n")).unwrap();
    let record = Record::new(position.to_setup());
    let formats = [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2, KifuFormat::Jkf];
    for format in formats {
        let name = format!("record.{}", format.extension());
        fs::write(path.join(name), record.to_text(format).unwrap()).unwrap();
    }
    let expected = timeless(&solved(path, &["--sfen", LONG, "--shortest"]));
    let expected = expected[0].split_once('\t').unwrap().1;
    assert!(expected.starts_with("mate 15 P*1b "), "{expected}");
    let mut names: Vec<String> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 11);
    for name in &names {
        let answers = timeless(&solved(path, &[name, "--shortest"]));
        let found: Vec<&str> =
            answers.iter().map(|line| line.split_once('\t').unwrap().1).collect();
        assert_eq!(found, [expected], "{name}");
    }
    // The folder has all of them, in the order of the names.
    let answers = solved(path, &[".", "--shortest", "--threads", "3"]);
    let ids: Vec<&str> = answers.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(ids.len(), names.len());
    for (id, name) in ids.iter().zip(&names) {
        let expected = if name.ends_with("tsv") { "a" } else { &format!("./{name}, ") };
        assert!(id.starts_with(expected), "{id}");
    }
    // An SFEN as an argument, two files, and standard input.
    assert!(solved(path, &[SHORT]).starts_with("-\tmate 1 G*5b\t"));
    let together = solved(path, &[LONG, "--shortest", "--threads", "2"]);
    assert!(together.starts_with("-\tmate 15 P*1b "), "{together}");
    assert_eq!(solved(path, &["list.sfen", "table.tsv"]).lines().count(), 2);
    let mut child = komadai("tsume").arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child.as_mut().unwrap();
    child.stdin.take().unwrap().write_all(diagram.as_bytes()).unwrap();
    let printed = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(printed.starts_with("standard input, game 1\tmate 15 "), "{printed}");
}

#[test]
fn faults_have_a_place_and_end_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let long_line = "x".repeat(2 << 20);
    let lines =
        format!("nonsense\n{SHORT}\n\n9/9 b - 1\n{long_line}\nsfen {SHORT} moves 1a1b\n{SHORT}\n");
    fs::write(path.join("list.sfen"), lines).unwrap();
    fs::write(path.join("table.tsv"), format!("id\tsfen\nlonely\na\t{SHORT}\nb\tx/y\n")).unwrap();
    fs::write(path.join("letter.kif"), "Dear Sir\n").unwrap();
    fs::write(path.join("empty.sfen"), "").unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    fs::write(path.join("bytes.tsv"), b"id\tsfen\na\t\xff\xfe\n").unwrap();
    let mut zip = vec![b'P', b'K', 3, 4];
    zip.extend([0xff; 40]);
    fs::write(path.join("broken.zip"), zip).unwrap();
    for (name, answers, faults) in [
        (
            "list.sfen",
            2,
            &[
                "list.sfen, line 1: ",
                "list.sfen, line 4: the board has 2 ranks up to byte 3, expected 9",
                "list.sfen: line 5: longer than 1048576 bytes",
                "list.sfen, line 6: column 40: ply 1, 1a1b, is illegal",
                "4 problems could not be read",
            ][..],
        ),
        (
            "table.tsv",
            1,
            &[
                "table.tsv, line 2: found one column, expected an id and an SFEN separated by a tab",
                "table.tsv, line 4: ",
                "2 problems could not be read",
            ],
        ),
        ("letter.kif", 0, &["found \"Dear Sir\", expected a record"]),
        ("empty.sfen", 0, &["empty.sfen: found no problem, expected SFENs, a table or a record"]),
        ("folder", 0, &["folder: found no problem"]),
        ("bytes.tsv", 0, &["bytes.tsv, line 2: not UTF-8"]),
        ("broken.zip", 0, &["not a zip archive"]),
        (".", 3, &["letter.kif", "list.sfen, line 4", "bytes.tsv, line 2", "broken.zip"]),
    ] {
        let output = run(path, &[name]);
        let (printed, noted) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{name}: {noted}");
        assert_eq!(printed.lines().count(), answers, "{name}: {printed}{noted}");
        for fault in faults {
            assert!(noted.contains(fault), "{name}: no {fault:?} in {noted}");
        }
        assert!(!noted.contains("panicked"), "{noted}");
    }
    assert_eq!(run(path, &["missing.sfen"]).status.code(), Some(1));
    assert_eq!(run(path, &[]).status.code(), Some(2));
    assert_eq!(run(path, &["list.sfen", "--sfen", SHORT]).status.code(), Some(2));
    assert_eq!(run(path, &[SHORT, "--resume"]).status.code(), Some(2));
    let text_again = ["list.sfen", "--out", "o", "--resume", "--format", "text"];
    assert_eq!(run(path, &text_again).status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_no_file_for_results() {
    // Reading it gives zeros for ever.
    let refused = run(Path::new("."), &["--sfen", SHORT, "--out", "/dev/full"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("no regular file"), "{}", text(&refused.stderr));
}

#[test]
fn a_found_mate_is_never_hidden() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("problems.tsv"), table(Set::RandomMate, 120)).unwrap();
    let lengths: Vec<(&str, u32)> = set(Set::RandomMate)
        .take(120)
        .filter_map(|problem| match problem.expected {
            Expected::ShortestMate(plies) => Some((problem.id, plies)),
            _ => None,
        })
        .collect();
    let (mut bounded, mut proven) = (0, 0);
    for nodes in ["50", "200", "1000"] {
        let arguments = ["problems.tsv", "--shortest", "--nodes", nodes];
        let answers = solved(folder.path(), &arguments);
        for line in answers.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |name: &str| {
                let value = fields.iter().find_map(|field| field.strip_prefix(name))?;
                Some(value.parse::<u32>().unwrap())
            };
            let plies = lengths.iter().find(|(id, _)| *id == fields[0]).unwrap().1;
            assert!(fields[1] != "nomate", "{line}");
            if let Some(moves) = fields[1].strip_prefix("mate ") {
                let first = moves.split(' ').next().unwrap();
                if fields[1].ends_with(" not proven shortest") || first == "within" {
                    bounded += 1;
                    assert!(number("no_mate_within=").unwrap() < plies, "{line}");
                    assert!(number("mate_within=").unwrap() >= plies, "{line}");
                    assert!(fields.contains(&"limit=nodes"), "{line}");
                } else {
                    proven += 1;
                    assert_eq!(first.parse(), Ok(plies), "{line}");
                    assert_eq!(fields.len(), 4, "{line}");
                }
            } else {
                assert_eq!(fields[1], "unknown", "{line}");
                assert!(number("no_mate_within=").unwrap() < plies, "{line}");
            }
        }
        // As objects, the same.
        let objects = solved(folder.path(), &[&arguments[..], &["--format", "json"]].concat());
        for (line, object) in answers.lines().zip(objects.lines()) {
            let object: Value = serde_json::from_str(object).unwrap();
            let is_proven = line.contains("\tmate ") && !line.contains("within");
            assert_eq!(object["shortest"] == Value::Bool(true), is_proven, "{line} {object}");
            assert_eq!(object["limit"] == "nodes", line.contains("limit=nodes"), "{line} {object}");
        }
    }
    assert!(bounded >= 5 && proven >= 50, "{bounded} {proven}");
}

#[test]
fn answers_have_the_form_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("p.tsv"), format!("id\tsfen\na, \"b\"\t{LONG}\nn\t{SHORT}\n")).unwrap();
    let lines = solved(path, &["p.tsv", "--japanese"]);
    assert!(lines.contains("\tmate 1 ▲５二金\tnodes=1\tms="), "{lines}");
    let csv = solved(path, &["p.tsv", "--japanese", "--format", "csv", "--shortest"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("id,result,plies,shortest,moves,names,"), "{csv}");
    assert!(rows[1].starts_with("\"a, \"\"b\"\"\",mate,15,true,P*1b "), "{csv}");
    assert!(rows[2].starts_with("n,mate,1,true,G*5b,▲５二金,G*5b,1,0,,1,"), "{csv}");
    assert!(rows[2].ends_with(&format!(",{SHORT},,,,,")), "{csv}");
    let json = solved(path, &["p.tsv", "--japanese", "--format", "json"]);
    let object: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!(object["names"], serde_json::json!(["▲５二金"]));
    assert_eq!((&object["plies"], &object["first"]), (&1.into(), &"G*5b".into()));
    let japanese = solved(path, &[LONG, "--shortest", "--japanese", "--format", "text"]);
    for part in ["後手の持駒：飛二", "15手詰（最短）", "  1 ▲１二歩", " 15 ▲２二金"]
    {
        assert!(japanese.contains(part), "{part}: {japanese}");
    }
    let english = solved(path, &[SHORT, "--format", "text"]);
    assert!(
        english.contains("mate in 1 plies, the shortest") && english.contains("  1 G*5b"),
        "{english}"
    );
}

#[test]
fn a_run_continues_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let faulty = table(Set::ShortSelfplay, 40).replacen("real-", "x\tno sfen\nreal-", 20);
    fs::write(path.join("p.tsv"), faulty).unwrap();
    for format in ["lines", "csv", "json"] {
        let arguments = ["p.tsv", "--format", format, "--threads", "2", "--out"];
        let whole = [&arguments[..], &["whole"]].concat();
        assert_eq!(run(path, &whole).status.code(), Some(1));
        let written = fs::read_to_string(path.join("whole")).unwrap();
        assert_eq!(written.lines().count(), 40 + usize::from(format == "csv"));
        for cut in [0, 1, 100, written.len() / 2, written.len() - 1, written.len()] {
            fs::write(path.join("part"), &written.as_bytes()[..cut]).unwrap();
            let again = run(path, &[&arguments[..], &["part", "--resume"]].concat());
            let noted = text(&again.stderr);
            assert_eq!(again.status.code(), Some(1), "{format} {cut}: {noted}");
            assert!(noted.contains("20 problems could not be read"), "{noted}");
            let found = fs::read_to_string(path.join("part")).unwrap();
            let kept = written[..cut].rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(found[..kept], written[..kept], "{format} {cut}");
            let places = |text: &str| -> Vec<String> {
                let fields = text.lines().map(|line| line.split(',').next().unwrap().to_owned());
                fields.map(|field| field.split('\t').next().unwrap().to_owned()).collect()
            };
            match format {
                "json" => assert_eq!(found.lines().count(), 40, "{cut}"),
                _ => assert_eq!(places(&found), places(&written), "{format} {cut}"),
            }
            if format == "lines" {
                assert_eq!(timeless(&found), timeless(&written), "{cut}");
            }
        }
        // Not overwritten, and not continued with other problems.
        let refused = run(path, &whole);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains("expected --resume"), "{}", text(&refused.stderr));
        assert_eq!(fs::read_to_string(path.join("whole")).unwrap(), written);
        fs::write(path.join("other.sfen"), format!("{SHORT}\n")).unwrap();
        let other = run(path, &["other.sfen", "--format", format, "--out", "whole", "--resume"]);
        assert_eq!(other.status.code(), Some(1));
        assert!(
            text(&other.stderr).contains("belongs to other problems"),
            "{}",
            text(&other.stderr)
        );
        assert_eq!(fs::read_to_string(path.join("whole")).unwrap(), written);
        fs::remove_file(path.join("whole")).unwrap();
    }
}

/// The peak of the memory of a process in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_list_takes_no_more_memory_than_a_short_one() {
    let mut child = komadai("tsume")
        .args(["-", "--threads", "2", "--hash-mib", "1", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map(Running)
        .unwrap();
    let mut input = child.0.stdin.take().unwrap();
    let mut output = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let id = child.0.id();
    let problems: Vec<&str> =
        set(Set::ShortSelfplay).take(20).map(|problem| problem.sfen).collect();
    let mut peaks = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for sfen in problems.iter().cycle().take(16_000) {
                writeln!(input, "{sfen}").unwrap();
            }
        });
        for number in 1..=16_000 {
            let line = output.next().unwrap().unwrap();
            assert!(line.contains(&format!("\"standard input, line {number}\"")), "{line}");
            if [4_000, 15_000].contains(&number) {
                peaks.push(peak_kib(id));
            }
        }
    });
    assert!(child.0.wait().unwrap().success());
    // The answers to 11,000 lines are 6 MiB.
    assert!(peaks[1] < peaks[0] + 4 * 1024, "{peaks:?} KiB");
    assert!(peaks[1] < 100 * 1024, "{peaks:?} KiB");
}

#[test]
fn a_run_whose_reader_leaves_ends() {
    let folder = tempfile::tempdir().unwrap();
    // A search for hours beside answers that nobody reads.
    let zuko = set(Set::Classic).find(|problem| problem.id == "zuko099").unwrap();
    fs::write(folder.path().join("p.sfen"), format!("{SHORT}\n{}\n", zuko.sfen)).unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = komadai("tsume")
        .args(["p.sfen", "--nodes", "1000000000000", "--threads", "2"])
        .current_dir(folder.path())
        .stdout(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(141));
}

#[test]
fn proof_number_search_on_a_tree_answers_like_df_pn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let problems = table(Set::ShortSelfplay, 60) + &table(Set::NoMate, 60)[8..];
    fs::write(path.join("p.tsv"), problems).unwrap();
    let verdicts = |solver| {
        let answers = solved(path, &["p.tsv", "--solver", solver, "--nodes", "20000"]);
        let word = |line: &str| line.split(['\t', ' ']).nth(1).unwrap().to_owned();
        let nodes = |line: &str| line.split('\t').nth(2).unwrap().to_owned();
        let words: Vec<String> = answers.lines().map(word).collect();
        let nodes: Vec<String> = answers.lines().map(nodes).collect();
        (words, nodes)
    };
    let ((one, counts), (other, other_counts)) = (verdicts("pn"), verdicts("df-pn"));
    assert_ne!(counts, other_counts, "two solvers");
    let mut compared = [0, 0];
    for (one, other) in one.iter().zip(&other) {
        if one != "unknown" && other != "unknown" {
            assert_eq!(one, other);
            compared[usize::from(one == "mate")] += 1;
        }
    }
    assert!(compared[0] >= 40 && compared[1] >= 55, "{compared:?}");
}

#[test]
fn proof_number_search_refuses_what_it_does_not_offer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let hard = set(Set::Classic).next().unwrap().sfen;
    let full = solved(path, &[hard, "--solver", "pn", "--hash-mib", "1", "--nodes", "10000000"]);
    assert!(full.contains("\tunknown\t") && full.contains("\tlimit=memory\t"), "{full}");
    for (arguments, expected) in [
        (&["--shortest"][..], "--shortest needs --solver df-pn"),
        (&["--all"], "--all needs --solver df-pn"),
        (&["--cooks"], "--cooks needs --solver df-pn"),
        (&["--tree", "t"], "--tree needs --solver df-pn"),
        (&["--certificate", "c"], "--certificate needs --solver df-pn"),
        (&["--threads", "2"], "--threads above 1 for a single SFEN needs --solver df-pn"),
        (&["--hash-mib", "0"], "--hash-mib is 0, expected 1 to 65536"),
        (&["--hash-mib", "65537"], "--hash-mib is 65537, expected 1 to 65536"),
    ] {
        let output = run(path, &[&[SHORT, "--solver", "pn"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let noted = text(&output.stderr);
        assert!(noted.contains(expected), "{arguments:?}: {noted}");
    }
    let unknown = run(path, &[SHORT, "--solver", "pdf"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("df-pn, pn"), "{}", text(&unknown.stderr));
}
