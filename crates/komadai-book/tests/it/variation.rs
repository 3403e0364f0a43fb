//! Variations that a person cuts, and their undoing.

use std::collections::{BTreeMap, BTreeSet};

use komadai_book::store::{Store, StoreError};
use komadai_core::{Color, Move, Position};
use komadai_movegen::MoveGen;
use proptest::prelude::*;

use crate::sample_games::moves;

fn new_store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("book.kbook")).unwrap();
    (folder, store)
}

/// Adds the moves of a line that a side, or both, makes.
fn add(store: &Store, line: &[Move], side: Option<Color>) {
    let mut position = Position::hirate();
    for (index, &m) in line.iter().enumerate() {
        if side.is_none_or(|side| side == position.side()) {
            store.add_games(&position.without_history(), m, index as u32 + 1).unwrap();
        }
        position.do_move(m);
    }
}

/// Returns all data of a book: positions with their moves, counts and values, and the whole log.
fn contents(store: &Store) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for stored in store.records().unwrap() {
        rows.push(format!("{:?}", stored.unwrap().record));
    }
    for entry in store.log().unwrap() {
        rows.push(format!("{:?}", entry.unwrap()));
    }
    rows
}

/// Returns the moves that a book lists after a line.
fn listed(store: &Store, line: &str) -> Vec<String> {
    let mut position = Position::hirate();
    moves(line).into_iter().for_each(|m| position.do_move(m));
    let stored = store.position(&position.without_history()).unwrap();
    let listed = stored.map(|stored| stored.record.moves).unwrap_or_default();
    listed.iter().map(|listed| listed.m.to_string()).collect()
}

fn cut(store: &Store, line: &str) -> Result<Vec<u64>, StoreError> {
    let mut line = moves(line);
    let last = line.pop().unwrap();
    let mut before = Position::hirate();
    line.into_iter().for_each(|m| before.do_move(m));
    store.delete(&store.variation(&before, last, 9, 2)?)
}

#[test]
fn what_is_reached_otherwise_stays() {
    let (_folder, store) = new_store();
    let black = Some(Color::Black);
    add(&store, &moves("7g7f 3c3d 2g2f 8c8d 2f2e"), black);
    add(&store, &moves("2g2f 3c3d 7g7f 4c4d"), black);
    add(&store, &moves("7g7f 8c8d 6i7h"), black);
    let before = contents(&store);
    // The position after 7g7f 3c3d 2g2f is the same after 2g2f 3c3d 7g7f.
    let ids = cut(&store, "7g7f").unwrap();
    assert_eq!(listed(&store, ""), ["2g2f"]);
    assert_eq!(listed(&store, "7g7f 3c3d"), [""; 0]);
    assert_eq!(listed(&store, "7g7f 8c8d"), [""; 0]);
    assert_eq!(listed(&store, "7g7f 3c3d 2g2f 8c8d"), ["2f2e"]);
    assert_eq!(ids.len(), 3);
    let tombstones = store.tombstones().unwrap();
    assert!(tombstones.iter().all(|tombstone| tombstone.deletion.when == 9));
    assert!(tombstones[0].deletion.reason.starts_with("cut by hand"), "{tombstones:?}");
    assert!(matches!(cut(&store, "7g7f"), Err(StoreError::NotInBook { .. })));
    store.undo(&ids, 10).unwrap();
    assert_eq!(listed(&store, "7g7f 8c8d"), ["6i7h"]);
    assert_eq!(contents(&store)[..4], before[..4]);

    // The move of the other side, which the book does not list.
    let ids = cut(&store, "7g7f 8c8d").unwrap();
    assert_eq!((ids.len(), listed(&store, "7g7f 8c8d").len()), (1, 0));
    assert_eq!(listed(&store, "").len(), 2);
    assert!(matches!(cut(&store, "1g1f"), Err(StoreError::NotInBook { .. })));
}

#[test]
fn a_line_that_returns_keeps_its_beginning() {
    let (_folder, store) = new_store();
    add(&store, &moves("2h3h 8b7b 3h2h 7b8b 7g7f 3c3d 2g2f"), None);
    // After four moves the start position is reached again, before the cut.
    cut(&store, "2h3h").unwrap();
    assert_eq!(listed(&store, ""), ["7g7f"]);
    assert_eq!(listed(&store, "2h3h"), [""; 0]);
    assert_eq!(listed(&store, "7g7f 3c3d"), ["2g2f"]);
}

/// Returns a line of moves of rooks and pawns, so that transpositions are frequent.
fn small_line(choices: &[u8]) -> Vec<Move> {
    let few = ["2h3h", "3h2h", "8b7b", "7b8b", "7g7f", "3c3d", "5g5f", "5c5d"];
    let few: Vec<Move> = few.iter().map(|m| m.parse().unwrap()).collect();
    let (mut position, mut line) = (Position::hirate(), Vec::new());
    for &choice in choices {
        let legal: Vec<Move> = few.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let m = legal[usize::from(choice) % legal.len()];
        line.push(m);
        position.do_move(m);
    }
    line
}

type Texts = BTreeMap<String, BTreeSet<String>>;

fn sfen(position: &Position) -> String {
    let turned =
        if position.side() == Color::Black { position.clone() } else { position.flipped() };
    let text = turned.to_string();
    text[..text.rfind(' ').unwrap()].to_owned()
}

fn texts(store: &Store) -> Texts {
    let records = store.records().unwrap().map(|stored| stored.unwrap().record);
    records
        .map(|record| {
            let side = record.position.side();
            let turned = |m: Move| if side == Color::Black { m } else { m.flipped() };
            let moves = record.moves.iter().map(|listed| turned(listed.m).to_string());
            (sfen(&record.position), moves.collect())
        })
        .collect()
}

/// The oracle: walks the book from every position that is not below the cut, by its moves and all
/// replies.
fn by_definition(book: &Texts, before: &Position, m: Move) -> Texts {
    let at = |text: &str| Position::from_sfen(&format!("{text} 1")).unwrap();
    let turn = |position: &Position, m: Move| {
        (sfen(position), if position.side() == Color::Black { m } else { m.flipped() }.to_string())
    };
    let after = |position: &Position, m: Move, without: Option<&(String, String)>| -> Vec<String> {
        let made = position.after(m);
        let mut found = vec![sfen(&made)];
        let replies = made.legal_moves();
        let replies = replies.iter().filter(|&&reply| Some(&turn(&made, reply)) != without);
        found.extend(replies.map(|&reply| sfen(&made.after(reply))));
        found.retain(|text| book.contains_key(text));
        found
    };
    let cut = turn(before, m);
    let walk = |mut open: Vec<String>, without: Option<&(String, String)>| {
        let mut seen = BTreeSet::new();
        while let Some(text) = open.pop() {
            if seen.insert(text.clone()) {
                for m in &book[&text] {
                    if Some(&(text.clone(), m.clone())) != without {
                        open.extend(after(&at(&text), m.parse().unwrap(), without));
                    }
                }
            }
        }
        seen
    };
    let mut below = walk(after(before, m, None), None);
    below.remove(&cut.0);
    let outside: Vec<String> = book.keys().filter(|text| !below.contains(*text)).cloned().collect();
    let kept = walk(outside, Some(&cut));
    let mut left: Texts = book.clone();
    left.retain(|text, _| kept.contains(text));
    if let Some(moves) = left.get_mut(&cut.0) {
        moves.remove(&cut.1);
        if moves.is_empty() {
            left.remove(&cut.0);
        }
    }
    left
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn a_cut_is_exact_and_an_undo_restores_all_data(
        lines in prop::collection::vec((prop::collection::vec(0..8_u8, 1..9), 0..3_u8), 1..6),
        which in any::<prop::sample::Index>(),
        length in any::<prop::sample::Index>(),
    ) {
        let (_folder, store) = new_store();
        let lines: Vec<_> = lines.iter().map(|(choices, side)| (small_line(choices), side)).collect();
        for (line, side) in &lines {
            add(&store, line, [None, Some(Color::Black), Some(Color::White)][usize::from(**side)]);
        }
        let line = &lines[which.index(lines.len())].0;
        let length = length.index(line.len());
        let mut before = Position::hirate();
        line[..length].iter().for_each(|&m| before.do_move(m));
        let (book, data) = (texts(&store), contents(&store));
        let records = store.len().unwrap() as usize;
        let expected = by_definition(&book, &before, line[length]);
        match store.variation(&before, line[length], 5, 0) {
            Err(error) => {
                let is_missing = matches!(error, StoreError::NotInBook { .. });
                prop_assert!(is_missing, "{}", error);
                prop_assert_eq!(expected, book);
            }
            Ok(deletions) => {
                let ids = store.delete(&deletions).unwrap();
                prop_assert_eq!(texts(&store), expected);
                prop_assert_eq!(store.undo(&ids, 6).unwrap(), ids.len());
                prop_assert_eq!(&contents(&store)[..records], &data[..records]);
                prop_assert_eq!(texts(&store), book);
            }
        }
    }
}
