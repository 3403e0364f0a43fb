//! Candidates for pruning, the list that a person reviews, and removed moves.

use komadai_book::ListError;
use komadai_book::games::{
    GameResults, GameWalk, KnownMoves, PruneOptions, PruneReason, PruneScope, Removal,
    RemovedMoves, ReviewList, WinDrawLoss,
};
use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Position};
use serde_json::Value;

use crate::sample_games::game;

/// Returns a book and results in which one move scores well against one opponent and badly against
/// another.
fn uneven() -> (BookGraph, GameResults) {
    let start = BookRecord::with_moves(
        Position::hirate(),
        ["2g2f", "7g7f", "5g5f"].map(|m| m.parse().unwrap()),
    );
    let book = BookGraph::from_records([start]).unwrap();
    let mut results = GameResults::new();
    let mut number = 100;
    let mut add = |m: &str, opponent: &str, generation, winner| {
        let played =
            BookGame { opponent: opponent.to_owned(), generation, ..game(m, Color::Black, winner) };
        results.add(number, &played, &GameWalk::new(&played, &book).unwrap());
        number += 1;
    };
    for _ in 0..6 {
        add("2g2f", "strong \"one\"", 0, Some(Color::Black));
    }
    for winner in [Color::White, Color::White, Color::White, Color::Black] {
        add("2g2f", "weak\ntwo", 1, Some(winner));
    }
    for _ in 0..3 {
        add("5g5f", "weak\ntwo", 1, Some(Color::White));
    }
    add("7g7f", "weak\ntwo", 1, Some(Color::White));
    (book, results)
}

#[test]
fn a_weakness_against_one_opponent_is_found() {
    let (_, results) = uneven();
    let options = PruneOptions::default();
    let found: Vec<_> = results
        .prune_candidates(&options)
        .into_iter()
        .map(|row| (row.m.to_string(), row.opponent, row.results.to_string(), row.reason))
        .collect();
    let weak = Some("weak\ntwo".to_owned());
    assert_eq!(
        found,
        [
            ("2g2f".to_owned(), weak, "1-0-3".to_owned(), PruneReason::LowRate),
            ("5g5f".to_owned(), None, "0-0-3".to_owned(), PruneReason::AllLost),
        ]
    );
    let together = PruneOptions { scope: PruneScope::Together, ..options };
    assert_eq!(results.prune_candidates(&together).len(), 1);
    // All these games have the same moves and differ only in their results.
    let different = PruneOptions { min_distinct_games: 2, ..options };
    assert_eq!(results.prune_candidates(&different), []);
    let all = results.moves();
    assert_eq!((all[0].games().len(), all[0].distinct_games()), (10, 1));
    let by_generation: Vec<_> =
        all[0].by_generation().into_iter().map(|(number, r)| (number, r.to_string())).collect();
    assert_eq!(by_generation, [(0, "6-0-0".to_owned()), (1, "1-0-3".to_owned())]);
    assert_eq!(all[0].by_opponent().len(), 2);
    assert_eq!(all[0].against("weak\ntwo").losses, 3);
    assert_eq!(results.opponents().collect::<Vec<_>>(), ["strong \"one\"", "weak\ntwo"]);
}

#[test]
fn limits_of_pruning_are_exact() {
    let reason = |wins, draws, losses| {
        PruneOptions::default().reason_to_prune(WinDrawLoss { wins, draws, losses })
    };
    assert_eq!(reason(0, 0, 2), None, "too few games");
    assert_eq!(reason(0, 0, 3), Some(PruneReason::AllLost));
    assert_eq!(reason(3, 0, 7), None, "30 % is enough");
    assert_eq!(reason(2, 1, 7), Some(PruneReason::LowRate));
    let none = PruneOptions { min_games: 0, ..PruneOptions::default() };
    assert_eq!(none.reason_to_prune(WinDrawLoss::default()), None);
    assert_eq!(
        none.reason_to_prune(WinDrawLoss { losses: 1, ..Default::default() }),
        Some(PruneReason::AllLost)
    );
}

#[test]
fn a_reviewed_list_contains_the_decisions_of_the_reviewer() {
    let (book, results) = uneven();
    let list = ReviewList::new(results.prune_candidates(&PruneOptions::default()));
    let text = list.to_string();
    assert_eq!(text.lines().count(), 4, "{text}");
    let bars = |line: &str| line.match_indices('|').map(|(at, _)| at).collect::<Vec<_>>();
    let aligned: Vec<_> = text
        .lines()
        .skip(1)
        .map(|line| {
            let columns: String = line.chars().map(|c| if c == '|' { '|' } else { ' ' }).collect();
            bars(&columns)
        })
        .collect();
    assert!(aligned.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
    assert!(text.contains("| 106 107 108"), "{text}");

    let all = Removal::read_list(text.as_bytes()).unwrap();
    let made: Vec<_> = all.iter().map(|removal| removal.m.to_string()).collect();
    assert_eq!(made, ["2g2f", "5g5f"]);
    // The reviewer keeps the first move.
    let kept = text.lines().map(|line| {
        if line.contains(" 2g2f ") { format!("#{line}\r\n") } else { format!("{line}\r\n") }
    });
    let kept: String = kept.collect();
    let left = Removal::read_list(kept.as_bytes()).unwrap();
    assert_eq!(left, all[1..]);

    let mut removed = RemovedMoves::default();
    let applied = removed.apply(left.clone(), &book);
    assert_eq!((applied.removed, applied.already), (1, 0));
    let applied = removed.apply(all.clone(), &book);
    assert_eq!((applied.removed, applied.already), (1, 1));
    assert!(applied.emptied.is_empty() && applied.unknown.is_empty());
    let start = Position::hirate();
    assert_eq!(removed.of(&book).known_moves(&start).unwrap().len(), 1);
    // With colours exchanged the same moves are hidden.
    let flipped = start.flipped();
    assert!(removed.contains(&flipped, all[0].m.flipped()));
    assert_eq!(removed.of(&book).known_moves(&flipped).unwrap().len(), 1);
    let last = Removal { position: start.clone(), m: "7g7f".parse().unwrap() };
    let unknown = Removal { position: start.clone(), m: "1g1f".parse().unwrap() };
    let applied = removed.apply([last, unknown.clone()], &book);
    assert_eq!((applied.emptied, applied.unknown), (vec![start.clone()], vec![unknown]));
    assert_eq!((removed.len(), removed.iter().count()), (3, 3));
    // All removals can be undone.
    for removal in removed.clone().iter() {
        assert!(removed.restore(&removal.position, removal.m));
    }
    assert!(removed.is_empty() && !removed.restore(&start, all[0].m));
    assert_eq!(removed.of(&book).known_moves(&start), book.known_moves(&start));
}

#[test]
fn a_faulty_list_is_refused_as_a_whole() {
    let error = |text: &str| Removal::read_list(text.as_bytes()).unwrap_err();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert!(Removal::read_list(format!("\n # x\n\n{sfen} 7g7f\n").as_bytes()).is_ok());
    let found = error(&format!("{sfen} 7g7f\n{sfen} | 7g7f\n"));
    assert!(
        found.to_string().starts_with("line 2: ") && found.to_string().contains("four fields"),
        "{found}"
    );
    let found = error(&format!("{sfen} 7g7e"));
    assert!(matches!(found, ListError::IllegalMove { line: 1, .. }), "{found}");
    let found = error(&format!("{sfen} e2e4"));
    assert_eq!(found.to_string(), "line 1: found \"e2e4\", expected a move such as 7g7f or P*5e");
    let found = error("nonsense b - 1 7g7f");
    assert!(matches!(found, ListError::Sfen { line: 1, .. }), "{found}");
    let found = Removal::read_list(&b"# \xff\n"[..]).unwrap_err();
    assert_eq!(found.to_string(), "line 1: not UTF-8");
    let found = error(&"x".repeat(2 << 20));
    assert_eq!(found.to_string(), "line 1: longer than 1048576 bytes");
}

#[test]
fn json_contains_the_same_candidates() {
    let (_, results) = uneven();
    let list = ReviewList::new(results.prune_candidates(&PruneOptions::default()));
    let json: Value = serde_json::from_str(&list.to_json()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
    assert_eq!(json[0]["opponent"], "weak\ntwo");
    assert_eq!(json[1]["opponent"], Value::Null);
    assert_eq!((&json[0]["wins"], &json[0]["losses"]), (&Value::from(1), &Value::from(3)));
    assert_eq!((&json[0]["all"], &json[0]["rate"]), (&Value::from("7-0-3"), &Value::from(0.25)));
    assert_eq!(json[0]["games"][0]["number"], 106);
    assert_eq!(json[0]["alternatives"], 2);
    let empty: Value = serde_json::from_str(&ReviewList::default().to_json()).unwrap();
    assert_eq!(empty, Value::Array(Vec::new()));
}
