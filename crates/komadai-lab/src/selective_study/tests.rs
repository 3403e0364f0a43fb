//! Tests of the columns and of the journal.

use std::collections::HashMap;

use super::outcome::{growth, reached};
use super::speed::Speed;
use super::table::median;
use super::*;

fn moves(list: &[(u64, &str)]) -> Vec<(u64, Option<Move>)> {
    list.iter().map(|&(nodes, m)| (nodes, m.parse().ok())).collect()
}

#[test]
fn growth_is_the_factor_of_an_iteration() {
    let nodes = |nodes: &[u64]| nodes.iter().map(|&nodes| (nodes, None)).collect::<Vec<_>>();
    assert_eq!(growth(&nodes(&[1, 2, 10])), None);
    let growth = growth(&nodes(&[1, 2, 10, 30, 90])).unwrap();
    assert!((growth.exp() - 3.0).abs() < 1e-9);
}

#[test]
fn a_move_is_reached_where_it_stays_the_best() {
    let m = |text: &str| text.parse::<Move>().unwrap();
    let iterations = moves(&[(10, "7g7f"), (30, "2g2f"), (90, "7g7f"), (270, "7g7f")]);
    let end = |text| (300, m(text));
    assert_eq!(reached(&iterations, m("7g7f"), end("7g7f")), Some(90));
    assert_eq!(reached(&iterations, m("2g2f"), end("2g2f")), Some(300), "in the last iteration");
    assert_eq!(reached(&iterations, m("7g7f"), end("2g2f")), None);
    assert_eq!(reached(&[], m("7g7f"), end("7g7f")), Some(300));
}

#[test]
fn what_is_never_reached_is_the_largest_number() {
    assert_eq!(median(vec![Some(5), None, Some(3)]), Some(5));
    assert_eq!(median(vec![None, None, Some(3)]), None);
    assert_eq!(median(vec![]), None);
}

#[test]
fn a_fast_row_gets_more_nodes_in_equal_time() {
    let [fast, slow]: [Row; 2] = ["alpha-beta", "realization"].map(|row| row.parse().unwrap());
    let speeds = Speeds::new(HashMap::from([
        (fast.to_string(), Speed { nodes: 400_000.0, ratio: 1.0 }),
        (slow.to_string(), Speed { nodes: 123_456.0, ratio: 0.30864 }),
    ]));
    assert_eq!(speeds.of(&fast).unwrap().nodes_in_equal_time(100_000), 100_000);
    assert_eq!(speeds.of(&slow).unwrap().nodes_in_equal_time(100_000), 30_900);
    assert_eq!(speeds.of(&slow).unwrap().nodes_in_equal_time(10), 3);
    assert!(speeds.of(&"abc".parse().unwrap()).is_err());
    let error = Speed::from_text("5").unwrap_err().to_string();
    assert!(error.contains("expected two numbers"), "{error}");
}

#[test]
fn a_run_that_goes_on_finds_what_it_has_found() {
    let folder = tempfile::tempdir().unwrap();
    let (log, values) = (folder.path().join("log"), folder.path().join("values"));
    let row: Row = "realization".parse().unwrap();
    let find = || {
        let journal = Journal::open(Some(&log)).unwrap();
        let referee = Referee::with_evaluator(Classical::default(), 300, Some(&values)).unwrap();
        let judged = judge(Position::hirate(), &referee, &journal).unwrap().unwrap();
        let outcome = Outcome::find(&row, &judged, 1_000, &referee, &journal).unwrap();
        let rows = std::slice::from_ref(&row);
        let speeds = Speeds::measure(rows, std::slice::from_ref(&judged), &journal).unwrap();
        assert_eq!(Outcome::from_text(&outcome.to_text()).unwrap(), outcome);
        (judged.best, judged.value, outcome, speeds.of(&row).unwrap())
    };
    let first = find();
    let read = |path| komadai_base::file::read_text(path, u64::MAX).unwrap();
    let texts = [read(&log), read(&values)];
    assert_eq!(texts[0].lines().count(), 3, "{}", texts[0]);
    assert_eq!(find(), first);
    assert_eq!([read(&log), read(&values)], texts);
    for wrong in ["", "7g7f 1 2", "7g7f 1 2 3 - - x", "none 1 2 3 - - -"] {
        let error = Outcome::from_text(wrong).unwrap_err().to_string();
        assert!(error.contains("expected a move and six numbers"), "{error}");
    }
}
