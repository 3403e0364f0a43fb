//! The use of a book in games: move numbers, times, tables and branches.

use std::collections::BTreeMap;

use komadai_book::games::{
    BookUse, Branches, GameOutcome, UseGrouping, UseOptions, UseTable, WinDrawLoss,
};
use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Setup};
use serde_json::Value;

use crate::sample_games::{fixture_games, game};

/// Returns a game with times and values in which the book's side, White, leaves the book at the
/// fourth move.
fn clocked() -> BookGame {
    BookGame {
        left_at: Some(3),
        times_ms: vec![900, 0, 50, 2_000, 3_000, 10],
        scores: vec![Some(30), None, Some(20), Some(-45), Some(50), None],
        generation: 2,
        ..game("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b", Color::White, Some(Color::White))
    }
}

#[test]
fn times_and_values_measure_the_use_of_the_book() {
    let used = BookUse::of(&clocked(), &UseOptions::default()).unwrap();
    assert_eq!((used.length, used.left_at), (3, Some(4)));
    assert_eq!((used.own_thought_at, used.opponent_thought_at), (Some(4), Some(1)));
    assert_eq!((used.score, used.lead_ms), (Some(-45), Some(950)));
    assert_eq!(used.outcome, GameOutcome::Win);
    let slow = UseOptions { thought_ms: 2_000 };
    let used = BookUse::of(&clocked(), &slow).unwrap();
    assert_eq!((used.own_thought_at, used.opponent_thought_at), (None, Some(5)));

    let later = BookGame { start: Setup { ply: 11, ..Setup::hirate() }, ..clocked() };
    let used = BookUse::of(&later, &UseOptions::default()).unwrap();
    assert_eq!((used.left_at, used.own_thought_at), (Some(14), Some(14)));
    let never = BookGame { left_at: None, times_ms: Vec::new(), ..clocked() };
    let used = BookUse::of(&never, &UseOptions::default()).unwrap();
    assert_eq!((used.length, used.left_at, used.score, used.lead_ms), (6, None, None, None));
    let beyond = BookGame { left_at: Some(99), ..clocked() };
    let used = BookUse::of(&beyond, &UseOptions::default()).unwrap();
    assert_eq!((used.length, used.left_at, used.score), (6, Some(7), None));
}

#[test]
fn tables_group_games() {
    let other = BookGame {
        opponent: "other".to_owned(),
        scores: vec![None, None, None, Some(31_990), None, None],
        winner: None,
        ..clocked()
    };
    let first = BookGame { generation: 0, ..clocked() };
    let uses: Vec<BookUse> = [clocked(), other, first]
        .iter()
        .map(|game| BookUse::of(game, &UseOptions::default()).unwrap())
        .collect();
    let table = UseTable::new(&uses, UseGrouping::Generation);
    let (early, late) = (&table.groups[0], &table.groups[1]);
    assert_eq!((early.generation, late.generation), (Some(0), Some(2)));
    assert_eq!((late.scored, late.ahead, late.left), (2, 1, 2));
    assert_eq!(late.mean_score, Some((3_000.0 - 45.0) / 2.0));
    assert_eq!((late.results.to_string(), late.mean_lead_ms), ("1-1-0".to_owned(), Some(950.0)));
    let keys = |grouping| -> Vec<(Option<u32>, Option<String>)> {
        let table = UseTable::new(&uses, grouping);
        table.groups.into_iter().map(|group| (group.generation, group.opponent)).collect()
    };
    let [engine, other] = ["engine", "other"].map(|name| Some(name.to_owned()));
    assert_eq!(keys(UseGrouping::Opponent), [(None, engine.clone()), (None, other.clone())]);
    let both = [(Some(0), engine.clone()), (Some(2), engine), (Some(2), other)];
    assert_eq!(keys(UseGrouping::GenerationAndOpponent), both);

    let text = table.to_string();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.lines().nth(2).unwrap().contains("1 of 2"), "{text}");
    let json: Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!((&json[1]["generation"], &json[1]["ahead"]), (&Value::from(2), &Value::from(1)));
    let thought = BookUse::thought_table(&uses);
    assert_eq!(thought.lines().count(), 4, "{thought}");
}

#[test]
fn branches_of_the_fixture_add_up() {
    let games = fixture_games();
    let mut counts: BTreeMap<String, WinDrawLoss> = BTreeMap::new();
    let mut branches = Branches::at(3);
    for game in &games {
        branches.add(game).unwrap();
        // The oracle: the third move of each game after its first two.
        let line: Vec<String> = game.moves[..3].iter().map(Move::to_string).collect();
        let count = counts.entry(format!("{:?} {}", game.book_side, line.join(" "))).or_default();
        count.add(GameOutcome::of(game));
    }
    let points = branches.points();
    let sum: WinDrawLoss =
        points.iter().flat_map(|point| &point.moves).map(|made| made.results).sum();
    assert_eq!(sum, games.iter().map(GameOutcome::of).collect());
    let most = counts.iter().max_by_key(|(_, results)| results.games()).unwrap();
    let frequent = points.iter().flat_map(|point| &point.moves);
    let frequent = frequent.max_by_key(|made| made.results.games()).unwrap();
    assert!(most.0.ends_with(&frequent.m.to_string()), "{most:?} {frequent:?}");
    let frequent_games = frequent.results.games();
    assert!(frequent_games >= most.1.games());
    assert!(points.is_sorted_by_key(|point| {
        let games: u64 = point.moves.iter().map(|made| made.results.games()).sum();
        std::cmp::Reverse(games)
    }));
    assert!(branches.to_string().lines().count() > points.len() * 2);
}
