//! All mates, flaws, trees and proofs beside the answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use komadai::kifu::{Comment, EndKind, Line, Tolerance, parse_kif, parse_usi_games};
use komadai::movegen::MoveGen as _;
use komadai::tsume::is_mating_line;
use komadai::{Move, Position};
use komadai_testdata::tsume::{Expected, Set, set};
use serde_json::Value;

use super::{LONG, SHORT, run, solved};
use crate::{komadai, text};

/// Returns the checks that mate within a number of plies, by trying all moves.
fn mating_moves(position: &Position, plies: u32) -> Vec<Move> {
    let moves = position.legal_moves();
    let is_mating = |&m: &Move| {
        let after = position.after(m);
        let replies = after.legal_moves();
        let is_mated =
            |&reply: &Move| plies >= 3 && !mating_moves(&after.after(reply), plies - 2).is_empty();
        after.in_check() && replies.iter().all(is_mated)
    };
    moves.iter().copied().filter(is_mating).collect()
}

/// Returns all lines of mates in three.
fn lines_of_three(position: &Position) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for first in mating_moves(position, 3) {
        let after = position.after(first);
        for reply in &after.legal_moves() {
            for last in mating_moves(&after.after(reply), 1) {
                lines.insert(format!("{first} {reply} {last}"));
            }
        }
    }
    lines
}

#[test]
fn all_mates_are_those_of_trying_all_moves() {
    let folder = tempfile::tempdir().unwrap();
    let three =
        |problem: &komadai_testdata::tsume::Problem| problem.expected == Expected::ShortestMate(3);
    let problems: Vec<_> = set(Set::RandomMate).filter(three).take(12).collect();
    assert_eq!(problems.len(), 12);
    let rows = problems.iter().map(|problem| format!("{}\t{}\n", problem.id, problem.sfen));
    fs::write(folder.path().join("p.tsv"), rows.collect::<String>()).unwrap();
    let few = ["p.tsv", "--all", "--shortest", "--threads", "2", "--nodes", "50000"];
    let objects = solved(folder.path(), &[&few[..], &["--format", "json"]].concat());
    let mut several = 0;
    for (object, problem) in objects.lines().zip(&problems) {
        let position = Position::from_sfen(problem.sfen).unwrap();
        let object: Value = serde_json::from_str(object).unwrap();
        let all = &object["all"];
        assert_eq!(all["complete"], true, "{object}");
        let first_moves = all["first_moves"].as_array().unwrap().iter();
        let found: BTreeSet<String> = first_moves
            .filter(|first| first["mate_within"] == 3)
            .map(|first| first["move"].as_str().unwrap().to_owned())
            .collect();
        let expected: BTreeSet<String> =
            mating_moves(&position, 3).iter().map(Move::to_string).collect();
        assert_eq!(found, expected, "{}", problem.id);
        let lines: BTreeSet<String> = all["lines"].as_array().unwrap().iter().map(usi).collect();
        assert_eq!(lines, lines_of_three(&position), "{}", problem.id);
        several += usize::from(lines.len() > 1);
    }
    assert!(several > 3, "{several}");
    // As columns, and in a table.
    let lines = solved(folder.path(), &few);
    let csv = solved(folder.path(), &[&few[..], &["--format", "csv"]].concat());
    for ((line, row), problem) in lines.lines().zip(csv.lines().skip(1)).zip(&problems) {
        let position = Position::from_sfen(problem.sfen).unwrap();
        let expected = lines_of_three(&position);
        assert_eq!(line.matches("\tline=").count(), expected.len(), "{line}");
        assert!(expected.iter().all(|line| row.contains(line)), "{row}");
    }
}

/// Returns the moves of an array on one line.
fn usi(moves: &Value) -> String {
    let moves = moves.as_array().unwrap().iter();
    moves.map(|m| m.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn longer_mates_are_listed_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let one =
        |problem: &komadai_testdata::tsume::Problem| problem.expected == Expected::ShortestMate(1);
    let mut longer = 0;
    for problem in set(Set::RandomMate).filter(one).take(10) {
        let position = Position::from_sfen(problem.sfen).unwrap();
        for (more, plies) in [("0", 1), ("2", 3)] {
            let arguments = [problem.sfen, "--all", "--longer", more, "--nodes", "20000"];
            let arguments = [&arguments[..], &["--format", "json"]].concat();
            let object: Value = serde_json::from_str(&solved(folder.path(), &arguments)).unwrap();
            let lines = object["all"]["lines"].as_array().unwrap();
            let mut first_moves = BTreeSet::new();
            for line in lines.iter().map(usi) {
                let moves: Vec<Move> = line.split(' ').map(|m| m.parse().unwrap()).collect();
                assert!(moves.len() <= plies && is_mating_line(&position, &moves), "{line}");
                first_moves.insert(moves[0].to_string());
                longer += usize::from(moves.len() == 3);
            }
            let expected = mating_moves(&position, plies as u32);
            let expected: BTreeSet<String> = expected.iter().map(Move::to_string).collect();
            assert_eq!(first_moves, expected, "{} {more}", problem.id);
        }
    }
    assert!(longer > 5, "{longer}");
    assert_eq!(run(folder.path(), &[SHORT, "--longer", "2"]).status.code(), Some(2));
}

#[test]
fn a_composition_is_examined() {
    let folder = tempfile::tempdir().unwrap();
    let object = solved(folder.path(), &[LONG, "--cooks", "--format", "json"]);
    let object: Value = serde_json::from_str(&object).unwrap();
    let composition = &object["composition"];
    assert_eq!((&composition["strict"], &composition["literature"]), (&15.into(), &15.into()));
    assert_eq!(composition["line"].as_array().unwrap().len(), 15);
    assert_eq!(composition["examined_from"], 1);
    let line = solved(folder.path(), &[LONG, "--cooks"]);
    let sound = if composition["sound"] == true { "sound" } else { "not sound" };
    assert!(line.contains(&format!("\tcomposition={sound}")), "{line}");
    let japanese = [LONG, "--cooks", "--format", "text", "--lang", "ja"];
    let japanese = solved(folder.path(), &japanese);
    assert!(japanese.contains("15手詰（全応手を数えると15手）\n以下の数え方："), "{japanese}");
    assert!(japanese.contains("本手順（15手）：▲") && japanese.contains("完全作"), "{japanese}");
    let people = solved(folder.path(), &[LONG, "--cooks", "--format", "text"]);
    assert!(people.contains("mate in 15 plies (strict: 15)"), "{people}");
    // G*1b and G*2b both mate.
    let cooked = "8k/9/8G/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1";
    let cooked = solved(folder.path(), &[cooked, "--cooks"]);
    assert!(cooked.contains("\tcook=move "), "{cooked}");
    // The moves of a record are the intended solution, in which the defender must not give up
    // early.
    let longer = "position sfen 9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
    let intended = |moves: &str| {
        let game = parse_usi_games(format!("{longer} moves {moves}"), Tolerance::Strict).unwrap();
        let kif = game.records[0].to_kif().unwrap();
        fs::write(folder.path().join("intended.kif"), kif).unwrap();
        solved(folder.path(), &["intended.kif", "--cooks"])
    };
    assert!(intended("G*1c 1b1a G*1b").contains("\tcook=move 2: variation of equal length"));
    let wrong = intended("G*2c 1b1a G*2a");
    assert!(wrong.contains("\tcomposition=move 3 of the intended line does not mate"), "{wrong}");
    // Too few nodes is no error of the run.
    let spent = solved(folder.path(), &[LONG, "--cooks", "--nodes", "2800"]);
    assert!(spent.contains("\tcomposition="), "{spent}");
}

#[test]
fn a_tree_is_written_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.tsv"), format!("a/b\t{LONG}\nc\t{SHORT}\n")).unwrap();
    let arguments = ["p.tsv", "--tree", "t/u", "--tree-format", "text,json,kif,svg"];
    let line = solved(folder.path(), &arguments);
    assert!(line.contains("\ttree=t/u/1-a_b.kifu\t"), "{line}");
    let read = |name: &str| fs::read_to_string(folder.path().join("t/u").join(name)).expect(name);
    assert!(read("1-a_b.txt").lines().count() > 15 && read("1-a_b.txt").contains(" mate"));
    let json: Value = serde_json::from_str(&read("1-a_b.json")).unwrap();
    assert_eq!((&json["plies"], &json["complete"]), (&15.into(), &true.into()));
    let nodes = json["nodes"].as_array().unwrap().len();
    // Every line of the record ends with a mate, or says where it goes on.
    let mut records = parse_kif(read("1-a_b.kifu"), Tolerance::Strict).unwrap().records;
    let record = records.remove(0);
    let position = Position::from_setup(&record.setup).unwrap();
    let mut moves = 0;
    let lines = (0..record.variations.len()).map(Line::Variation).chain([Line::Main]);
    for line in lines {
        moves += record.moves_of(line).len();
        let path = record.path(line);
        let path_moves: Vec<Move> = path.iter().map(|played| played.m).collect();
        match record.end_of(line) {
            Some(end) => {
                assert_eq!(end.kind, EndKind::Checkmate);
                assert!(is_mating_line(&position, &path_moves), "{path_moves:?}");
            }
            None => {
                let comments = path.last().unwrap().comments.iter().map(Comment::text);
                let comments = comments.collect::<String>();
                assert!(comments.contains("局面と同じ"), "{comments}");
            }
        }
    }
    assert_eq!(moves + 1, nodes);
    assert_eq!(record.moves.len(), 15);
    let pictures = fs::read_dir(folder.path().join("t/u")).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_str().unwrap().starts_with("1-a_b.") && name.to_str().unwrap().ends_with(".svg")
    });
    assert_eq!(pictures.count(), 16);
    assert!(read("1-a_b.15.svg").starts_with("<svg") && read("2-c.1.svg").contains("G*5b"));
    // A file in the place of the folder.
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = run(folder.path(), &[SHORT, "--tree", "file"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("cannot create file"), "{}", text(&refused.stderr));
}

#[test]
fn proofs_are_accepted_by_the_checker() {
    let folder = tempfile::tempdir().unwrap();
    let mut problems: Vec<_> = set(Set::RandomMate).take(5).collect();
    problems.extend(set(Set::NoMate).take(5));
    let rows = problems.iter().map(|problem| format!("{}\t{}\n", problem.id, problem.sfen));
    fs::write(folder.path().join("p.tsv"), rows.collect::<String>()).unwrap();
    let lines = solved(folder.path(), &["p.tsv", "--certificate", "proofs", "--shortest"]);
    let mut accepted = 0;
    for (line, problem) in lines.lines().zip(&problems) {
        let (_, proof) = line.split_once("\tcertificate=").expect(line);
        let checked =
            komadai("tsume-check").arg(proof).current_dir(folder.path()).output().unwrap();
        if !folder.path().join(proof).exists() {
            assert!(proof.contains("more than 100000 positions"), "{line}");
            continue;
        }
        assert!(checked.status.success(), "{line}: {}", text(&checked.stderr));
        let claim =
            line.split('\t').nth(1).unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ");
        let printed = text(&checked.stdout);
        assert!(printed.contains(&format!("\t{claim}\t")), "{printed} {claim}");
        let placement = problem.sfen.rsplit_once(' ').unwrap().0;
        assert!(printed.contains(placement), "{printed}");
        accepted += 1;
    }
    assert!(accepted >= 8, "{accepted}");
    let few = solved(folder.path(), &[LONG, "--certificate", "proofs", "--max-positions", "3"]);
    assert!(few.contains("\tcertificate=the proof has more than 3 positions"), "{few}");
}

/// Problems in which replies of first moves are futile interpositions.
const FUTILE: &str = "\
    c1\t8k/R8/g5N1b/5R3/6+b2/8L/9/9/9 b 3g4s3n3l18p 1\n\
    d1\t9/9/6k2/9/4n2+R1/9/3R1L3/9/9 b P 1\n\
    d2\t9/6+R1G/7l1/8k/7n1/7l1/7Nl/6+R+S1/9 b LPnp 1\n\
    d3\t5+P3/6pk1/9/6+R2/9/9/9/9/9 b 2LPr2b4g4s4n2l15p 1\n";

/// Returns the plies of each first move in an answer of `--all`.
fn first_plies(object: &Value) -> BTreeMap<String, u64> {
    let first_moves = object["all"]["first_moves"].as_array().unwrap().iter();
    let plies = first_moves.map(|first| {
        assert_eq!(first["shortest"], true, "{object}");
        (first["move"].as_str().unwrap().to_owned(), first["mate_within"].as_u64().unwrap())
    });
    plies.collect()
}

/// Checks that all numbers of an answer of `--all` and `--cooks` are of one count. Returns the
/// number of first moves that both name.
fn agree(object: &Value) -> usize {
    let first = first_plies(object);
    let mut both = 0;
    for cook in object["composition"]["cooks"].as_array().unwrap() {
        if cook["ply"] == 1 {
            for m in cook["moves"].as_array().unwrap() {
                assert_eq!(cook["plies"], first[m.as_str().unwrap()], "{m} in {object}");
                both += 1;
            }
        }
    }
    both
}

#[test]
fn all_numbers_of_a_list_are_of_one_count() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.tsv"), FUTILE).unwrap();
    let common = ["p.tsv", "--shortest", "--all", "--cooks", "--nodes", "200000"];
    let json = |count: &str| -> Vec<Value> {
        let more = ["--format", "json", "--count", count];
        let objects = solved(folder.path(), &[&common[..], &more].concat());
        objects.lines().map(|object| serde_json::from_str(object).unwrap()).collect()
    };
    let (literature, strict) = (json("literature"), json("strict"));
    let known = [("3c2a+", 7, 9), ("4g4c+", 13, 21), ("3b2c", 11, 21), ("P*2c", 11, 23)];
    for ((object, other), (m, plies, most)) in literature.iter().zip(&strict).zip(known) {
        let (first, strict) = (first_plies(object), first_plies(other));
        assert_eq!(first[m], plies, "{object}");
        assert!((plies..=most).contains(&strict[m]), "{other}");
        // No count is longer than the strict one, and both have the same moves.
        assert!(first.keys().eq(strict.keys()));
        assert!(first.iter().all(|(m, plies)| *plies <= strict[m]), "{object} {other}");
        assert!(agree(object) > 0 && agree(other) > 0);
    }
    // Other forms have the same numbers.
    let of_form = |format: &str| {
        let more = ["--format", format, "--count", "literature"];
        solved(folder.path(), &[&common[..], &more].concat())
    };
    let (lines, csv, people) = (of_form("lines"), of_form("csv"), of_form("text"));
    for ((object, line), row) in literature.iter().zip(lines.lines()).zip(csv.lines().skip(1)) {
        for (m, plies) in first_plies(object) {
            assert!(line.contains(&format!("\tfirst={m} {plies}\t")), "{line}");
            assert!(row.contains(&format!("{m} {plies}")), "{row}");
        }
    }
    assert!(people.contains("first moves that mate:") && people.contains("P*2c 11"), "{people}");
    // A tree counts in the same way: it states the plies after a move.
    fs::write(folder.path().join("d2.tsv"), FUTILE.lines().nth(2).unwrap()).unwrap();
    for (count, plies) in [("literature", 2), ("strict", 4)] {
        let tree = ["d2.tsv", "--tree", count, "--tree-format", "text", "--longer", "2"];
        solved(folder.path(), &[&tree[..], &["--count", count]].concat());
        let tree = fs::read_to_string(folder.path().join(count).join("1-d2.txt")).unwrap();
        let expected = format!("  L*1f {plies}");
        assert!(tree.lines().any(|line| line == expected), "{count}: {tree}");
    }
}

#[test]
fn bundled_problems_have_one_count_in_all_lists() {
    let folder = tempfile::tempdir().unwrap();
    let short = |problem: &komadai_testdata::tsume::Problem| matches!(problem.expected, Expected::ShortestMate(plies) if (3..=7).contains(&plies));
    let problems = set(Set::RandomMate).filter(short).take(20);
    let rows = problems.map(|problem| format!("{}\t{}\n", problem.id, problem.sfen));
    fs::write(folder.path().join("p.tsv"), rows.collect::<String>()).unwrap();
    for count in ["strict", "literature"] {
        let arguments =
            ["p.tsv", "--shortest", "--all", "--cooks", "--format", "json", "--count", count];
        let objects = solved(folder.path(), &[&arguments[..], &["--nodes", "60000"]].concat());
        let mut both = 0;
        for object in objects.lines() {
            let object: Value = serde_json::from_str(object).unwrap();
            let first = object["all"]["first_moves"].as_array().unwrap();
            if first.iter().all(|first| first["shortest"] == true)
                && object["composition"]["cooks"].is_array()
            {
                both += agree(&object);
            }
        }
        assert!(both > 5, "{count}: {both}");
    }
}

#[test]
fn a_number_that_a_limit_left_open_is_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.tsv"), FUTILE).unwrap();
    let mut bounds = 0;
    for nodes in ["1000", "2000", "5000"] {
        let arguments = ["p.tsv", "--all", "--count", "literature", "--nodes", nodes];
        let objects = solved(folder.path(), &[&arguments[..], &["--format", "json"]].concat());
        let lines = solved(folder.path(), &arguments);
        for (object, line) in objects.lines().zip(lines.lines()) {
            let object: Value = serde_json::from_str(object).unwrap();
            for first in object["all"]["first_moves"].as_array().into_iter().flatten() {
                let sign = if first["shortest"] == true { "" } else { "≤" };
                bounds += usize::from(!sign.is_empty());
                let m = first["move"].as_str().unwrap();
                let text = format!("\tfirst={m} {sign}{}\t", first["mate_within"]);
                assert!(line.contains(&text), "{text:?} in {line}");
            }
        }
    }
    assert!(bounds > 0, "no limit was met");
}
