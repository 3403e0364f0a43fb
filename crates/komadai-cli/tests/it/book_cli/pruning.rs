//! What is taken out and brought back: `prune`, `undo`.

use std::collections::BTreeSet;
use std::fs;

use komadai::Color;
use komadai::book::StoredRecord;
use komadai::book::store::{Change, Store};
use komadai::bookgraph::BookGame;
use komadai::core::Setup;
use komadai_testdata::Outcome;
use komadai_testdata::books::match_games;

use crate::{START, Workplace};

/// A working book with the bundled match.
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
fn what_is_pruned_can_be_explained_and_brought_back() {
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

    let told = place.done(&["prune", "a.kbook", "--auto"]);
    assert!(told.starts_with("5 moves deleted"), "{told}");
    let pruned = place.view("a.kbook");
    let count = |view: &[StoredRecord]| -> usize {
        view.iter().map(|stored| stored.record.moves.len()).sum()
    };
    assert_eq!(count(&pruned) + 5, count(&before));
    let list = place.json(&["undo", "a.kbook", "--list", "--json"]);
    for deleted in list.as_array().unwrap() {
        assert_eq!(deleted["generation"], 2);
        assert!(!deleted["games"].as_array().unwrap().is_empty());
        assert!(deleted["reason"].as_str().unwrap().contains("in all games, points "), "{deleted}");
    }
    assert_eq!(place.done(&["undo", "a.kbook", "--last"]), "5 deletions undone\n");
    assert_eq!(place.view("a.kbook"), before);
    let told = place.refused(&["undo", "a.kbook", "--last"], 1);
    assert!(told.contains("no deletion is in force"), "{told}");
    let told = place.refused(&["undo", "a.kbook", "77"], 1);
    assert!(told.contains("there is no deletion number 77"), "{told}");
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
    let told = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(told.starts_with(&format!("{lines} moves deleted, 0 had been before")), "{told}");
    let told = place.done(&["prune", "a.kbook", "--apply", "list.txt"]);
    assert!(told.starts_with(&format!("0 moves deleted, {lines} had been before")), "{told}");
    let shown = place.done(&["undo", "a.kbook", "--list"]);
    assert!(shown.contains("reviewed: ") && shown.contains("in force"), "{shown}");
    let ids: Vec<String> = (0..lines).map(|id| id.to_string()).collect();
    let ids: Vec<&str> =
        ["undo", "a.kbook"].into_iter().chain(ids.iter().map(|id| &**id)).collect();
    place.done(&ids);
    assert_eq!(place.view("a.kbook"), before);
    // A list is used as a whole or not at all.
    let start = &START[5..];
    place.write("bad.txt", format!("{start} 7g7f | x\n{start} 7g7e | x\n"));
    let told = place.refused(&["prune", "a.kbook", "--apply", "bad.txt"], 1);
    assert!(told.contains("bad.txt: line 2: 7g7e is illegal"), "{told}");
    let told = place.refused(&["prune", "a.kbook", "--apply", "nowhere.txt"], 1);
    assert!(told.contains("nowhere.txt"), "{told}");
    assert_eq!(place.view("a.kbook"), before);
}
