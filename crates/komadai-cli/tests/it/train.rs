//! `komadai train`.

use std::fs;

use komadai::Position;
use komadai::data::records::{PackedSfenValue, RecordResult};
use komadai_testdata::games;

use crate::{komadai, text};

#[test]
fn generated_data_continue_and_state_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let generate = |positions: &str| {
        let mut command = komadai("train");
        command.arg("generate").arg(&data).args(["--nodes", "40", "--threads", "2"]);
        command.args(["--positions", positions]).output().unwrap()
    };
    let first = generate("150");
    assert!(first.status.success(), "{}", text(&first.stderr));
    let printed = text(&first.stdout);
    assert!(printed.contains(" positions of "), "{printed}");
    let length = fs::metadata(data.join("00000.psv")).unwrap().len();
    assert!(length >= 150 * 40 && length.is_multiple_of(40));
    // Enough positions are there.
    assert_eq!(text(&generate("150").stdout), printed);
    // One more makes a second file, however many the first run left.
    assert!(generate(&(length / 40 + 1).to_string()).status.success());
    assert_eq!(fs::metadata(data.join("00000.psv")).unwrap().len(), length);
    let manifest = fs::read_to_string(data.join("manifest.json")).unwrap();
    for word in ["00001.psv", "\"nodes\": 40", "compact", "sha256"] {
        assert!(manifest.contains(word), "{manifest}");
    }
}

#[test]
fn faults_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), "[1]").unwrap();
    let error = |arguments: &[&str]| {
        let output = komadai("train").arg("generate").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let path = folder.path().to_str().unwrap();
    let message = error(&[path, "--positions", "10"]);
    assert!(message.contains("manifest.json: not a manifest of training data"), "{message}");
    let message = error(&[path, "--eval", "no such file"]);
    assert!(message.starts_with("error: evaluation no such file"), "{message}");
}

/// A folder with `data`, training data of two files.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut command = komadai("train");
    command.arg("generate").arg(folder.path().join("data"));
    let output =
        command.args(["--nodes", "40", "--threads", "1", "--positions", "400"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder
}

/// Runs a tool in a folder, and returns its exit code, its output and its messages.
fn tool(folder: &tempfile::TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = komadai("train");
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn data_go_from_the_generator_to_the_trainer() {
    let folder = data();
    let length = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    let run = |arguments: &[&str]| {
        let (code, printed, messages) = tool(&folder, arguments);
        assert_eq!((code, messages.as_str()), (Some(0), ""), "{arguments:?}");
        printed
    };
    assert!(run(&["validate", "data"]).contains(" records sound, 1 files"));
    let printed = run(&["split", "train.psv", "check.psv", "data", "--one-in", "2", "--seed", "3"]);
    assert!(printed.contains(" records: train.psv\n"), "{printed}");
    assert_eq!(length("train.psv") + length("check.psv"), length("data/00000.psv"));
    let printed = run(&["shuffle", "a.psv", "train.psv", "check.psv", "--deduplicate", "--quiet"]);
    for part in ["records: a.psv\n", "dropped, capture: ", "dropped, check: "] {
        assert!(printed.contains(part), "{printed}");
    }
    run(&["filter", "b.psv", "a.psv", "--max-score", "1000"]);
    run(&["deduplicate", "c.psv", "b.psv", "--symmetric"]);
    assert!(length("c.psv") <= length("b.psv") && length("b.psv") <= length("a.psv"));
    run(&["rescore", "d.psv", "c.psv", "--nodes", "60", "--eval", "<classical>"]);
    assert_eq!(length("d.psv"), length("c.psv"));
    let note = fs::read_to_string(folder.path().join("d.psv.json")).unwrap();
    for part in
        ["\"tool\": \"rescore\"", "\"tool\": \"split train\"", "\"evaluation\": \"classical\""]
    {
        assert!(note.contains(part), "{note}");
    }
    assert!(run(&["validate", "a.psv", "b.psv", "c.psv", "d.psv"]).contains("4 files"));
}

#[test]
fn statistics_are_text_json_and_a_page() {
    let folder = data();
    let (code, printed, messages) = tool(&folder, &["statistics", "data", "--html", "page.html"]);
    assert_eq!((code, messages.as_str()), (Some(0), "page: page.html\n"));
    for part in ["Games\n", "  Black won ", "  scale of results ", "  best move captures "] {
        assert!(printed.contains(part), "{printed}");
    }
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.matches("<svg").count() >= 5 && page.contains("<th>draws</th>"));
    for forbidden in ["http:", "https:", "<script"] {
        assert!(!page.contains(forbidden), "the page needs no other file: {forbidden}");
    }
    let japanese = ["statistics", "data", "--html", "ja.html", "--lang", "ja"];
    let (_, printed, messages) = tool(&folder, &japanese);
    assert_eq!(messages, "ページ：ja.html\n");
    assert!(printed.contains("  先手の勝ち ") && !printed.contains("won"), "{printed}");
    let page = fs::read_to_string(folder.path().join("ja.html")).unwrap();
    for part in
        ["<html lang=\"ja\">", "<th>引き分け</th>", "学習データ：data", "<footer>komadai で作成"]
    {
        assert!(page.contains(part), "no {part}");
    }
    let (_, printed, _) = tool(&folder, &["statistics", "data", "--json"]);
    assert!(printed.contains("\"black_wins\": "), "{printed}");
}

#[test]
fn damage_is_named_and_refused_or_skipped() {
    let folder = data();
    let shard = folder.path().join("data/00000.psv");
    let mut content = fs::read(&shard).unwrap();
    content[40 + 38] = 5;
    fs::write(&shard, &content).unwrap();
    let (code, printed, _) = tool(&folder, &["validate", "data"]);
    assert_eq!(code, Some(1));
    for part in [
        "data/00000.psv: record 2 at byte 40: the result 5, expected 1, 0 or -1\n",
        "data/00000.psv: found SHA-256 ",
        "1: impossible results\n",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
    let (code, printed, _) = tool(&folder, &["validate", "data", "--json"]);
    assert_eq!(code, Some(1));
    assert!(printed.contains("\"byte\":40"), "{printed}");
    let (code, _, messages) = tool(&folder, &["shuffle", "a.psv", "data"]);
    assert_eq!(code, Some(1));
    assert!(messages.starts_with("error: data/00000.psv: found SHA-256 "), "{messages}");
    assert!(!folder.path().join("a.psv").exists());

    fs::write(folder.path().join("some.psv"), &content).unwrap();
    let (code, printed, messages) =
        tool(&folder, &["shuffle", "a.psv", "some.psv", "--skip-damaged"]);
    assert_eq!(code, Some(0));
    assert!(messages.contains("skipped, impossible results: 1\n"), "{messages}");
    assert!(printed.contains(" records: a.psv\n"), "{printed}");
    let (code, _, messages) = tool(&folder, &["filter", "a.psv", "some.psv", "--skip-damaged"]);
    assert_eq!((code, messages.as_str()), (Some(1), "error: a.psv: the file exists\n"));
    let (code, _, _) = tool(&folder, &["filter", "a.psv", "some.psv", "--skip-damaged", "--force"]);
    assert_eq!(code, Some(0));
    let (code, _, messages) = tool(&folder, &["statistics", "."]);
    let expected = "error: .: found no manifest.json, expected a folder of training data or a file of records\n";
    assert_eq!((code, messages.as_str()), (Some(1), expected));
}

/// Returns records of the moves 21 to 30 of the tournament games.
fn records() -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games::tournament() {
        let mut position = Position::hirate();
        for (index, m) in game.moves.split(' ').take(30).enumerate() {
            let m = m.parse().unwrap();
            if index >= 20 {
                let draw = RecordResult::Draw;
                let record = PackedSfenValue::new(&position, 0, Some(m), draw).unwrap();
                bytes.extend(record.to_bytes());
            }
            position.do_move(m);
        }
    }
    bytes
}

#[test]
fn models_of_moves_are_fitted_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.psv"), records()).unwrap();
    fs::write(folder.path().join("games.usi"), "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n").unwrap();
    let fit = |out: &str| {
        let options = ["--epochs", "1", "--games", "games.usi", "--classes", "c.tsv"];
        let (code, printed, messages) =
            tool(&folder, &[&["moves", out, "data.psv"], &options[..]].concat());
        assert_eq!(code, Some(0), "{messages}");
        assert!(messages.starts_with("pass 1 of 1: mean log-likelihood -"), "{messages}");
        assert!(printed.starts_with("77 games: 7"), "{printed}");
        for part in ["held out, softmax: ", "games, logistic: ", "games, classes: ", " 4 positions"]
        {
            assert!(printed.contains(part), "{printed}");
        }
        fs::read(folder.path().join(out)).unwrap()
    };
    assert!(fit("a.bin") == fit("b.bin"));
    let classes = fs::read_to_string(folder.path().join("c.tsv")).unwrap();
    assert!(classes.starts_with("class\toffered\tplayed\nevasion king losing\t"), "{classes}");
    let (code, _, messages) = tool(&folder, &["moves", "a.bin", "games.usi"]);
    assert!(code == Some(1) && messages.contains("games.usi"), "{messages}");
}

#[test]
fn networks_are_trained_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.psv"), records()).unwrap();
    let train = |arguments: &[&str]| tool(&folder, &[&["network"], arguments].concat());
    let short = ["--width", "32", "--epochs", "1", "--threads", "1"];
    let (code, printed, messages) = train(&[&["a.nnue", "data.psv"], &short[..]].concat());
    assert_eq!(code, Some(0), "{messages}");
    for part in [
        " quiet positions to train with, ",
        "classical: loss 0.",
        "network: loss 0.",
        "a.nnue: compact_32x2_1\n",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
    assert!(messages.starts_with("epoch 1.00: "), "{messages}");
    let written = |name: &str| folder.path().join(name);
    assert!(fs::read_to_string(written("a.nnue.svg")).unwrap().starts_with("<svg"));
    assert!(!written("a.nnue.training").exists());
    let start = ["b.nnue", "data.psv", "--start", "a.nnue", "--description", "more"];
    let (code, _, messages) = train(&[&start, &short[..]].concat());
    assert_eq!(code, Some(0), "{messages}");
    assert!(fs::read(written("a.nnue")).unwrap() != fs::read(written("b.nnue")).unwrap());

    let (code, _, messages) = train(&["a.nnue", "data.psv"]);
    assert_eq!((code, messages.as_str()), (Some(1), "error: a.nnue: the file exists\n"));
    let (code, _, messages) = train(&["c.nnue", "data.psv", "--start", "a.nnue", "--width", "64"]);
    assert_eq!(code, Some(1));
    let expected =
        "error: found compact_32x2_1 as network to start from, expected a compact one with";
    assert!(messages.contains(expected), "{messages}");
    let (code, _, messages) = train(&["c.nnue", "data.psv", "--kind", "half-kp", "--width", "64"]);
    assert!(code == Some(2) && messages.contains("--width"), "{messages}");
    fs::write(written("d.nnue.training"), "no training").unwrap();
    let (code, _, messages) = train(&[&["d.nnue", "data.psv"], &short[..]].concat());
    assert!(code == Some(1) && messages.contains("d.nnue.training"), "{messages}");
}

#[test]
fn methods_are_compared_in_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut records = records();
    fs::write(folder.path().join("data.psv"), &records).unwrap();
    let short = ["--methods", "regression", "--cpu", "1", "--games", "0", "--positions", "10"];
    let compare = |path: &str| tool(&folder, &[&["compare", "learned", path], &short[..]].concat());
    let (code, printed, messages) = compare("data.psv");
    assert_eq!(code, Some(0), "{messages}");
    for row in ["| material |", "| classical |", "| regression p+kp |"] {
        assert!(printed.contains(row), "{printed}");
    }
    assert!(folder.path().join("learned/regression-p+kp.linear").exists());

    let mmto = |more: &[&str]| {
        let start = ["compare", "learned", "data.psv", "--features", "v", "--cpu", "1"];
        let rest = ["--games", "0", "--positions", "10"];
        tool(&folder, &[&start[..], &rest[..], more].concat())
    };
    let leaves = ["--leaf-depth", "1", "--siblings", "8"];
    let (code, _, messages) = mmto(&[&["--methods", "mmto"], &leaves[..]].concat());
    assert!(code == Some(0) && messages.contains("piece values: P "), "{messages}");
    assert!(folder.path().join("learned/mmto-v.linear").exists());
    let (code, _, messages) = mmto(&[&["--methods", "tdleaf,rootstrap"], &leaves[..]].concat());
    let expected = "found the methods tdleaf,rootstrap, expected mmto among them";
    assert!(code == Some(2) && messages.contains(expected), "{messages}");
    for wrong in [["--leaf-depth", "3"], ["--siblings", "0"]] {
        assert_eq!(mmto(&[&["--methods", "mmto"], &wrong[..]].concat()).0, Some(2));
    }

    let (code, _, messages) = compare("missing.psv");
    assert!(code == Some(1) && messages.contains("missing.psv"), "{messages}");
    records[..40].fill(0xff);
    fs::write(folder.path().join("damaged.psv"), &records).unwrap();
    let (_, _, messages) = compare("damaged.psv");
    assert!(messages.contains("damaged"), "{messages}");
}

#[test]
fn methods_learn_in_games_against_an_engine() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.psv"), records()).unwrap();
    let compare = |methods: &str, opponent: &str| {
        let start = ["compare", "learned", "data.psv", "--methods", methods, "--features", "p"];
        let rest = ["--cpu", "1", "--games", "0", "--positions", "10", "--opponent-nodes", "50"];
        tool(&folder, &[&start[..], &rest[..], &["--opponent", opponent]].concat())
    };
    let (code, printed, messages) = compare("treestrap,tdleaf", "komadai:EvalFile=<material>");
    assert_eq!(code, Some(0), "{messages}");
    for method in ["treestrap", "tdleaf"] {
        let row = printed.lines().find(|line| line.starts_with(&format!("| {method} p |")));
        let positions = row.and_then(|row| row.split(" | ").nth(1)).expect("it has a row");
        assert_ne!(positions, "0", "{printed}");
        assert!(folder.path().join(format!("learned/{method}-p.linear")).exists());
    }
    let (code, _, messages) = compare("tdleaf,mmto", "komadai");
    let expected = "--opponent: found method mmto, which learns from records";
    assert!(code == Some(2) && messages.contains(expected), "{messages}");
    let (code, _, messages) = compare("tdleaf", "no-such-engine");
    assert!(code == Some(1) && messages.contains("no-such-engine"), "{messages}");
}

#[test]
fn numbers_out_of_range_are_refused_before_data_are_read() {
    let folder = tempfile::tempdir().unwrap();
    // The data are missing, which nothing says because they are not looked at.
    for option in [
        ["--rate", "nan"],
        ["--rate", "inf"],
        ["--rate", "-1"],
        ["--rate", "0"],
        ["--rate", "1e30"],
        ["--scale", "nan"],
        ["--scale", "0"],
        ["--scale", "600.5"],
        ["--result-share", "nan"],
        ["--result-share", "1.5"],
        ["--result-share", "-0.1"],
        ["--batch", "0"],
        ["--batch", "2000000"],
        ["--width", "33"],
        ["--width", "0"],
        ["--classes", "17"],
        ["--epochs", "0"],
        ["--decay", "nan"],
        ["--interval", "0"],
    ] {
        let arguments = ["network", "a.nnue", "missing.psv"];
        let joined = [format!("{}={}", option[0], option[1])];
        let all: Vec<&str> =
            arguments.into_iter().chain(joined.iter().map(String::as_str)).collect();
        let (code, printed, messages) = tool(&folder, &all);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{option:?}: {messages}");
        assert!(!messages.contains("missing.psv"), "{option:?}: {messages}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn shuffled_records_are_refused_by_tools_that_hold_out_games() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.psv"), records()).unwrap();
    let (code, _, messages) = tool(&folder, &["shuffle", "data.psv", "games.psv"]);
    assert_eq!(code, Some(0), "{messages}");
    // Without the note of its origin it is the content that tells.
    fs::copy(folder.path().join("data.psv"), folder.path().join("other.bin")).unwrap();
    for data in ["data.psv", "other.bin"] {
        for command in [
            &["network", "out", data, "--width", "32", "--epochs", "1"][..],
            &["moves", "out", data, "--epochs", "1"],
            &[
                "compare",
                "out",
                data,
                "--methods",
                "regression",
                "--cpu",
                "1",
                "--games",
                "0",
                "--positions",
                "10",
            ],
        ] {
            let (code, printed, messages) = tool(&folder, command);
            assert_eq!((code, printed.as_str()), (Some(1), ""), "{command:?}");
            let named =
                "runs of increasing move numbers, expected records in the order of their games";
            assert!(messages.contains(named), "{command:?}: {messages}");
            assert!(!folder.path().join("out").exists());
            let (code, _, messages) = tool(&folder, &[command, &["--shuffled"]].concat());
            assert_eq!(code, Some(0), "{command:?}: {messages}");
            assert!(messages.contains("warning: ") && messages.contains(named), "{messages}");
            let out = folder.path().join("out");
            if out.is_dir() {
                fs::remove_dir_all(out).unwrap()
            } else {
                fs::remove_file(out).unwrap()
            }
        }
    }
}

#[test]
fn files_of_other_formats_are_named_by_every_tool() {
    use komadai::data::records::Hcpe;

    let folder = tempfile::tempdir().unwrap();
    let hcpe = Hcpe::new(&Position::hirate(), 0, None, RecordResult::Draw).unwrap().to_bytes();
    // Records of apery_rust are recognised, but not read.
    let apery_rust = [&hcpe[..32], &[0; 10]].concat().repeat(40);
    for name in ["a.bin", "b.psv", "c.bin"] {
        fs::write(folder.path().join(name), &apery_rust).unwrap();
    }
    fs::write(folder.path().join("text.psv"), "some text, as long as records: ".repeat(40))
        .unwrap();
    let tools: [&[&str]; 11] = [
        &["validate"],
        &["statistics"],
        &["statistics", "--json"],
        &["filter", "out"],
        &["split", "out", "check"],
        &["shuffle", "out"],
        &["deduplicate", "out"],
        &["rescore", "out", "--nodes", "5"],
        &["moves", "out"],
        &["network", "out", "--width", "32"],
        &["compare", "out"],
    ];
    let before = fs::read_dir(folder.path()).unwrap().count();
    for command in tools {
        for (name, named) in [
            ("a.bin", "the file is of the format HuffmanCodedPositionAndEval"),
            ("b.psv", "the file is of the format HuffmanCodedPositionAndEval"),
            ("c.bin", "the file is of the format HuffmanCodedPositionAndEval"),
            ("text.psv", "text.psv: "),
        ] {
            for more in [&[][..], &["--skip-damaged"]] {
                let reads_any = ["validate", "statistics"].contains(&command[0]);
                if reads_any && !more.is_empty() {
                    continue;
                }
                let (code, printed, messages) = tool(&folder, &[command, &[name], more].concat());
                assert_eq!(code, Some(1), "{command:?} {name} {more:?}: {printed}");
                let all = printed + &messages;
                assert!(all.contains(named), "{command:?} {name} {more:?}: {all}");
            }
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before, "nothing is left behind");
}

#[test]
fn data_of_all_formats_are_converted_mixed_and_made_of_games() {
    let folder = data();
    let run = |arguments: &[&str]| {
        let (code, printed, messages) = tool(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {messages}");
        (printed, messages)
    };
    let (_, messages) = run(&["convert", "a.hcpe", "data"]);
    assert!(messages.contains("not kept, PSV (records of 40 bytes) to HCPE"), "{messages}");
    assert!(messages.contains("move numbers"), "{messages}");
    run(&["convert", "a.hcpe3", "a.hcpe"]);
    run(&["convert", "b", "a.hcpe3", "--format", "pack"]);
    let (printed, _) = run(&["validate", "a.hcpe", "a.hcpe3", "b"]);
    assert!(printed.contains(" records sound, 3 files"), "{printed}");
    run(&["statistics", "b"]);
    let (printed, _) =
        run(&["mix", "mixed.psv", "b", "data", "--weights", "1,2", "--records", "90", "--mixed"]);
    assert!(printed.contains("90 of "), "{printed}");
    run(&["rescore", "quiet.psv", "mixed.psv", "--nodes", "40", "--quiet"]);
    let (code, _, messages) = tool(&folder, &["convert", "x", "data"]);
    assert!(code == Some(2) && messages.contains("--format"), "{messages}");
    let (code, _, messages) = tool(&folder, &["filter", "x.psv", "data", "--min-rating", "3000"]);
    assert!(code == Some(2) && messages.contains("are for game records"), "{messages}");
    let game = "V2.2\nN+A\nN-B\n$START_TIME:2025/03/01 10:00:00\n'black_rate:A:3000.0\n\
        'white_rate:B:3100.0\nPI\n+\n+7776FU\n'** 30 -3334FU\n-3334FU\n'** 25\n%TORYO\n";
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::write(folder.path().join("games/a.csa"), game).unwrap();
    let (printed, _) =
        run(&["convert", "games.psv", "games", "--min-rating", "3000", "--since", "2025-03-01"]);
    assert!(printed.contains("2 of 2 records: games.psv"), "{printed}");
    let (printed, _) = run(&["filter", "few.psv", "games/a.csa", "--player", "nobody"]);
    assert!(printed.contains("dropped, player: 2"), "{printed}");
    run(&["validate", "games.psv"]);
    let note = fs::read_to_string(folder.path().join("games.psv.json")).unwrap();
    assert!(
        note.contains("\"min_rating\": 3000") && note.contains("\"tool\": \"import\""),
        "{note}"
    );
    // Without a game there is no file, and no success.
    fs::create_dir(folder.path().join("none")).unwrap();
    fs::write(folder.path().join("none/cut.7z"), b"7z\xbc\xaf\x27\x1c\0\x04").unwrap();
    fs::write(folder.path().join("none/cut.csa.gz"), b"\x1f\x8b\x08\0\0\0\0\0\0\0xyz").unwrap();
    for tool_name in ["convert", "filter"] {
        let (code, _, messages) = tool(&folder, &[tool_name, "no.psv", "none", "--skip-damaged"]);
        assert_eq!(code, Some(1), "{messages}");
        assert!(messages.contains("found no game record in none"), "{messages}");
        assert!(messages.contains("cut.7z: not a 7z archive that can be read: "), "{messages}");
        // With the cause.
        assert!(messages.contains("cut.csa.gz: line 1: cannot read on: "), "{messages}");
    }
    assert!(!folder.path().join("no.psv").exists());
    // Names do not promise another format than the file has.
    for arguments in [
        &["filter", "a.pack", "data"][..],
        &["mix", "a.hcpe", "data"],
        &["shuffle", "a.hcpe3", "data"],
        &["deduplicate", "a.pack", "data"],
        &["split", "a.psv", "a.pack", "data"],
        &["rescore", "a.pack", "data"],
    ] {
        let (code, _, messages) = tool(&folder, arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {messages}");
        assert!(messages.contains("this tool writes PSV"), "{messages}");
    }
    let (code, _, messages) = tool(&folder, &["mix", "m.psv", "data", "b", "--weights", "3"]);
    assert!(code == Some(2) && messages.contains("1 weights for 2 paths"), "{messages}");
    // A pack is named as such, and its damage by game and byte.
    let mut bytes = fs::read(folder.path().join("b")).unwrap();
    let last = bytes.len() - 1;
    bytes.truncate(last);
    fs::write(folder.path().join("cut.psv"), bytes).unwrap();
    let (code, _, messages) = tool(&folder, &["convert", "y.psv", "cut.psv"]);
    assert_eq!(code, Some(1));
    assert!(messages.contains(" at byte ") && messages.contains("game "), "{messages}");
}
