//! Deleted and restored moves: `prune`, `undo`.

use std::collections::BTreeSet;
use std::fs;

use komadai::Color;
use komadai::book::StoredRecord;
use komadai::book::store::{Change, Store};
use komadai::bookgraph::BookGame;
use komadai::core::Setup;
use komadai_testdata::Outcome;
use komadai_testdata::books::match_games;

use super::{START, Workplace};

/// Creates a working book with the bundled match.
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
fn deletions_have_reasons_and_can_be_undone() {
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

    let printed = place.done(&["prune", "a.kbook", "--auto"]);
    assert!(printed.starts_with("5 moves deleted"), "{printed}");
    let pruned = place.view("a.kbook");
    let count = |view: &[StoredRecord]| -> usize {
        view.iter().map(|stored| stored.record.moves.len()).sum()
    };
    assert_eq!(count(&pruned) + 5, count(&before));
    let list = place.json(&["undo", "a.kbook", "--list", "--json"]);
    for deleted in list.as_array().unwrap() {
        assert_eq!(deleted["generation"], 2);
        assert!(!deleted["games"].as_array().unwrap().is_empty());
        assert!(
            deleted["reason"].as_str().unwrap().contains("different games), points "),
            "{deleted}"
        );
    }
    assert_eq!(place.done(&["undo", "a.kbook", "--last"]), "5 deletions undone\n");
    assert_eq!(place.view("a.kbook"), before);
    let printed = place.refused(&["undo", "a.kbook", "--last"], 1);
    assert!(printed.contains("no deletion is in force"), "{printed}");
    let printed = place.refused(&["undo", "a.kbook", "77"], 1);
    assert!(printed.contains("there is no deletion number 77"), "{printed}");
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
    let printed = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(printed.starts_with(&format!("{lines} moves deleted, 0 had been before")), "{printed}");
    let printed = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(printed.starts_with(&format!("0 moves deleted, {lines} had been before")), "{printed}");
    let shown = place.done(&["undo", "a.kbook", "--list"]);
    assert!(shown.contains("reviewed: ") && shown.contains("in force"), "{shown}");
    let ids: Vec<String> = (0..lines).map(|id| id.to_string()).collect();
    let ids: Vec<&str> =
        ["undo", "a.kbook"].into_iter().chain(ids.iter().map(|id| &**id)).collect();
    place.done(&ids);
    assert_eq!(place.view("a.kbook"), before);
    // A list with a fault is not applied at all.
    let start = &START[5..];
    place.write("bad.txt", format!("{start} 7g7f | x\n{start} 7g7e | x\n"));
    let printed = place.refused(&["prune", "a.kbook", "--apply", "bad.txt"], 1);
    assert!(printed.contains("bad.txt: line 2: 7g7e is illegal"), "{printed}");
    let printed = place.refused(&["prune", "a.kbook", "--apply", "nowhere.txt"], 1);
    assert!(printed.contains("nowhere.txt"), "{printed}");
    assert_eq!(place.view("a.kbook"), before);
}
