//! `komadai eval`: tables, JSON, files, and the way to a wrong weight.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::{komadai, text};

/// A position in which Black's king can step into the corner of an anaguma.
const BEFORE_THE_CORNER: &str =
    "lnsgk2nl/1r4gs1/p1ppppbpp/1p4p2/9/2PP5/PPBSPPPPP/2R3SKL/LN1G1G1N1 b - 1";

fn run(arguments: &[&str]) -> Output {
    komadai("eval").args(arguments).output().expect("it starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).expect("it is JSON")
}

#[test]
fn the_start_position_is_even_but_for_the_right_to_move() {
    let found = printed(&[]);
    assert!(found.contains("for Black, Black to move"), "{found}");
    assert!(found.contains("\npiece values "), "{found}");
    let found = json(&[]);
    let terms = found["terms"].as_array().unwrap();
    let tempo = terms.iter().find(|term| term["group"]["name"] == "tempo").expect("it has one");
    assert_eq!((&tempo["owner"], &tempo["group"]["japanese"]), (&"black".into(), &"手番".into()));
    let sum: f64 = terms.iter().map(|term| term["value"].as_f64().unwrap()).sum();
    assert!((sum - found["black"].as_f64().unwrap()).abs() < 1.0);
}

#[test]
fn columns_are_aligned_in_both_languages() {
    for notation in ["usi", "japanese"] {
        let found = printed(&[
            "--sfen",
            BEFORE_THE_CORNER,
            "--after",
            "2h1i",
            "--notation",
            notation,
            "--all",
        ]);
        let cells = |text: &str| -> usize {
            text.chars().map(|c| if u32::from(c) >= 0x2e80 { 2 } else { 1 }).sum()
        };
        let tables: Vec<&str> = found.split("\n\n").skip(1).collect();
        assert_eq!(tables.len(), 2, "{found}");
        let ends: Vec<usize> = tables[0].lines().map(cells).collect();
        assert!(ends.iter().all(|&end| end == ends[0]), "{found}");
        let weights = |line: &str| line.find(['[', '重']).map(|at| cells(&line[..at]));
        assert!(tables[1].lines().skip(1).all(|line| weights(line).is_some()), "{found}");
        assert!(found.lines().all(|line| cells(line) <= 100), "{found}");
    }
}

#[test]
fn a_move_is_explained_for_its_side() {
    let line = |arguments: &[&str]| {
        let found = printed(arguments);
        found.lines().find(|line| line.contains('→')).expect("a summary").to_owned()
    };
    let black = line(&["--after", "7g7f"]);
    assert!(black.contains(" for Black: "), "{black}");
    let white = line(&["--moves", "7g7f", "--after", "3c3d"]);
    assert!(white.contains(" for White: "), "{white}");
    let japanese = line(&["--moves", "7g7f", "--after", "3c3d", "--notation", "japanese"]);
    assert!(japanese.starts_with("後手から見て "), "{japanese}");
    // The position after the move, given as the second position, makes the same difference.
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(line(&["--compare", after]), black);
    let [moved, compared] =
        [["--after", "7g7f"], ["--compare", after]].map(|way| json(&way)["changes"].clone());
    assert_eq!(moved, compared);
}

/// Weights set by hand with one weight replaced.
fn broken(folder: &Path, group: &str, row: usize, column: usize, weight: &str) -> String {
    let path = folder.join("weights.txt");
    printed(&["--hand-set", "--write-parameters", path.to_str().unwrap()]);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line == group).unwrap() + 1;
    let mut words: Vec<&str> = lines[first + row].split(' ').collect();
    words[column] = weight;
    lines[first + row] = words.join(" ");
    let path = folder.join("broken.txt");
    fs::write(&path, lines.join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_wrong_weight_is_found_by_a_step_of_the_king() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path(), "enemy-king", 12, 14, "1200:1200");
    let arguments = ["--sfen", BEFORE_THE_CORNER, "--after", "2h1i", "--terms", "3"];
    let found = printed(&[&arguments[..], &["--parameters", &path]].concat());
    let marked = format!("\u{feff}{}", fs::read_to_string(&path).unwrap());
    let with_mark = folder.path().join("marked.txt");
    fs::write(&with_mark, marked).unwrap();
    let with_mark = ["--parameters", with_mark.to_str().unwrap()];
    assert_eq!(printed(&[&arguments[..], &with_mark].concat()), found);
    let first = "    -300       0    -300  enemy-king[0,12,14]  White P 9c, enemy king 2h → 1i";
    assert!(found.lines().any(|line| line == first), "{found}");
    assert!(found.contains("\nplaces by enemy king          0    -300    -300\n"), "{found}");
    let japanese =
        printed(&[&arguments[..], &["--parameters", &path, "--notation", "japanese"]].concat());
    for (language, found) in [("en", found), ("ja", japanese)] {
        let page = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../guide/{language}/src/evaluation.md"));
        let page = fs::read_to_string(page).expect("the guide");
        let shown = page.split("```console").nth(1).expect("a dialogue");
        let shown = shown.split("```").next().unwrap_or_default();
        let shown = shown.split_once('…').expect("the output").1.lines();
        for line in shown.filter(|line| !matches!(*line, "" | "…")) {
            assert!(found.lines().any(|printed| printed == line), "no {line:?} in {found}");
        }
    }
}

#[test]
fn pictures_have_the_colours_and_numbers_of_their_squares() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let drawn = |arguments: &[&str]| {
        printed(&[arguments, &["--svg", path.to_str().unwrap()]].concat());
        fs::read_to_string(&path).unwrap()
    };
    let numbers = |picture: &str| picture.matches("class=\"kd-value\"").count();
    let start = drawn(&[]);
    assert!(start.starts_with("<svg") && start.ends_with("</svg>\n"), "{start}");
    assert!(numbers(&start) > 40 && start.contains("without piece values"), "{start}");
    // The position without a change has no colours.
    let sfen = ["--sfen", BEFORE_THE_CORNER];
    assert_eq!(numbers(&drawn(&[sfen, ["--compare", BEFORE_THE_CORNER]].concat())), 0);
    let weights = broken(folder.path(), "enemy-king", 12, 14, "1200:1200");
    let step = [&sfen[..], &["--after", "2h1i", "--parameters", &weights]].concat();
    let changed = drawn(&step);
    assert!(changed.contains(">-300</text>") && changed.contains("green: good for Black"));
    assert!(changed.contains(">K-1i: +"), "{changed}");
    let japanese = drawn(&[&step[..], &["--notation", "japanese"]].concat());
    assert!(japanese.contains("緑：先手に有利") && japanese.contains(">▲１九玉: "));
}

/// Writes a linear evaluation of kings and pieces whose weights are all 0 but one, that of a gold
/// of Black on 4i beside a king on 5i, which is 12.5 centipawns. Returns its path.
fn linear(folder: &Path) -> String {
    use komadai::core::Position;
    use komadai::nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};

    let mut model = LinearModel::new(FeatureGroups::P | FeatureGroups::KP);
    let explained = LinearEvaluator::of(&model).explain(&Position::hirate());
    let is_gold = |label: String| label == "Black K 5i: Black G 4i";
    let mut terms = explained.terms().iter();
    let gold = terms.find(|term| is_gold(term.label(komadai::core::Language::English)));
    model.weights_mut()[gold.and_then(|term| term.plus).expect("it is listed")] = 12.5;
    let mut bytes = Vec::new();
    LinearEvaluator::of(&model).write(&mut bytes).unwrap();
    let path = folder.join("gold.linear");
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_linear_evaluation_is_explained_by_its_terms() {
    let folder = tempfile::tempdir().unwrap();
    let file = linear(folder.path());
    let svg = folder.path().join("board.svg");
    let svg = svg.to_str().unwrap();
    // A king on the fifth file does not tell left from right: both golds of each side count.
    let start = printed(&["--linear", &file]);
    assert!(start.contains("\n0 for Black, Black to move\n"), "{start}");
    assert!(start.contains("\n   value  weight"), "{start}");
    let rows = start.lines().filter(|line| line.contains(" K 5")).collect::<Vec<_>>();
    assert_eq!(rows.len(), 4, "{start}");
    assert!(rows[0].starts_with("  +12.50  +") || rows[0].starts_with("  -12.50  -"), "{start}");

    let step = ["--linear", &file, "--after", "4i4h", "--svg", svg];
    let found = printed(&step);
    assert!(found.contains("\n0 → -12.50 for Black: -12.50\n"), "{found}");
    assert!(found.contains("\nking and piece       0  -12.50  -12.50\n"), "{found}");
    let row = found.lines().last().unwrap();
    assert!(row.starts_with("  -12.50  +12.50       0  +"), "{found}");
    assert!(row.ends_with("  Black K 5i: Black G 4i → 4h"), "{found}");
    let picture = fs::read_to_string(svg).unwrap();
    assert!(picture.contains(">G-4h: +0 → -13 for Black"), "{picture}");
    let japanese = printed(&[&step[..], &["--notation", "japanese"]].concat());
    assert!(japanese.contains("先手から見て 0 → -12.50：-12.50"), "{japanese}");
    assert!(japanese.ends_with("▲玉５九：▲金４九 → ４八\n"), "{japanese}");

    for arguments in [vec!["--linear", &file], vec!["--linear", &file, "--sfen", BEFORE_THE_CORNER]]
    {
        let found = json(&arguments);
        let terms = found["terms"].as_array().unwrap();
        assert_eq!(terms.len(), 40 + 2 * 39);
        let sum: f64 = terms.iter().map(|term| term["value"].as_f64().unwrap()).sum();
        assert_eq!(found["black"].as_f64(), Some(found["material"].as_f64().unwrap() + sum));
        let values = terms.iter().map(|term| term["value"].as_f64().unwrap().abs());
        assert!(values.is_sorted_by(|a, b| a >= b));
    }
    let found = json(&step[..4]);
    assert_eq!(found["change"], -12.5);
    assert_eq!(found["changes"][0]["japanese"], "▲玉５九：▲金４九 → ４八");
    assert_eq!(found["changes"][0]["before"]["pieces"][0]["place"], "4i");
    assert_eq!(found["changes"][0]["before"]["king"]["owner"], "black");
}

#[test]
fn damaged_linear_evaluations_are_refused_by_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = linear(folder.path());
    let bytes = fs::read(&file).unwrap();
    let broken = folder.path().join("broken.linear");
    let broken = broken.to_str().unwrap();
    let mut other = bytes.clone();
    other[6] = 9;
    for (content, expected) in [
        (&bytes[..100], "byte 100: found the end of the file, expected 157344 bytes"),
        (&other[..], "byte 6: found version 9, expected 1"),
        (b"no evaluation at all, but a text", "expected \"KMDLIN\" and a version"),
    ] {
        fs::write(broken, content).unwrap();
        let output = run(&["--linear", broken]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(expected) && error.contains("broken.linear"), "{error}");
        assert!(output.stdout.is_empty());
    }
    let output = run(&["--linear", &file, "--hand-set"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn positions_without_kings_are_explained() {
    for sfen in ["9/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"] {
        printed(&["--sfen", sfen, "--all", "--notation", "kif"]);
        printed(&["--compare", sfen]);
    }
}

#[test]
fn bad_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.txt");
    fs::write(&file, "piece\n1:1 x").unwrap();
    let missing = folder.path().join("missing/file.txt");
    let (file, missing) = (file.to_str().unwrap(), missing.to_str().unwrap());
    for (arguments, code, expected) in [
        (&["--sfen", "nonsense"][..], 2, "found 'o' on the board"),
        (&["--compare", "nonsense"], 2, "--compare \"nonsense\""),
        (&["--moves", "7g7f 7g7f"], 2, "move 2, 7g7f, is illegal"),
        (&["--after", "7g7e"], 2, "--after 7g7e is illegal"),
        (&["--after", "x"], 2, "invalid value 'x'"),
        (&["--after", "7g7f", "--compare", "startpos"], 2, "cannot be used with"),
        (&["--parameters", file], 1, "line 2: found `x`, expected a weight of piece"),
        (&["--parameters", missing], 1, "missing"),
        (&["--write-parameters", missing], 1, "cannot write"),
        (&["--svg", missing], 1, "cannot write"),
        (&["--svg", missing, "--after", "7g7f"], 1, "cannot write"),
        (&["--parameters", file, "--hand-set"], 2, "cannot be used with"),
    ] {
        let output = run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
