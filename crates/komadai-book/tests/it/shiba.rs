//! Results, candidates and targets of Shiba's method, against a reference implementation and by
//! hand.
//!
//! `KOMADAI_BOOK_FIXTURES=folder cargo test -p komadai-book --test it -- shiba --ignored` reads all
//! `NAME.shiba.expected.json` of the folder, with `NAME.db` and `NAME.games.jsonl` beside them.
//! These files are too large for this repository.

use std::collections::BTreeMap;
use std::path::Path;

use komadai_book::games::{
    BookUse, Branches, ExtensionTargets, GameError, GameResults, GameWalk, KnownMoves,
    PruneOptions, PruneScope, UseOptions, WinDrawLoss,
};
use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Move, Position, Setup};
use komadai_movegen::MoveGen;
use komadai_testdata::books::match_games;
use proptest::prelude::*;
use serde_json::Value;

use crate::sample_games::{fixture_games, game, moves, read_book, text, turned};

/// Counts games in the order of their numbers.
fn study(games: &[BookGame], book: &dyn KnownMoves) -> (GameResults, ExtensionTargets) {
    let (mut results, mut targets) = (GameResults::new(), ExtensionTargets::default());
    for (number, game) in (0..).zip(games) {
        let walk = GameWalk::new(game, book).unwrap();
        results.add(number, game, &walk);
        targets.add(&walk);
    }
    (results, targets)
}

type ResultRow = (String, String, [u32; 3], u32);

fn result_rows(results: &GameResults) -> Vec<ResultRow> {
    let rows = results.moves().into_iter().map(|row| {
        let WinDrawLoss { wins, draws, losses } = row.results();
        (text(&row.position()), row.m().to_string(), [wins, draws, losses], row.alternatives())
    });
    rows.collect()
}

fn pruned_rows(results: &GameResults) -> Vec<ResultRow> {
    let options = PruneOptions { scope: PruneScope::Together, ..PruneOptions::default() };
    let rows = results.prune_candidates(&options).into_iter().map(|row| {
        let WinDrawLoss { wins, draws, losses } = row.results;
        (text(&row.position), row.m.to_string(), [wins, draws, losses], row.alternatives)
    });
    rows.collect()
}

fn target_rows(targets: &ExtensionTargets) -> Vec<(String, u32)> {
    targets.sorted().into_iter().map(|row| (text(&row.position), row.count)).collect()
}

fn expected_rows(only_suspects: bool) -> Vec<ResultRow> {
    match_games::results()
        .filter(|row| row.is_suspect || !only_suspects)
        .map(|row| (row.sfen.to_owned(), row.m.to_owned(), row.wins_draws_losses, row.alternatives))
        .collect()
}

#[test]
fn results_candidates_and_targets_are_those_of_the_reference() {
    let book = read_book(match_games::BOOK.as_bytes());
    let games = fixture_games();
    let targets: Vec<_> =
        match_games::targets().map(|row| (row.sfen.to_owned(), row.count)).collect();
    let some_turned: Vec<BookGame> = games
        .iter()
        .enumerate()
        .map(|(index, game)| if index % 3 == 0 { turned(game) } else { game.clone() })
        .collect();
    for games in [games, some_turned] {
        let (results, found) = study(&games, &book);
        assert_eq!(result_rows(&results), expected_rows(false));
        assert_eq!(pruned_rows(&results), expected_rows(true));
        assert_eq!(target_rows(&found), targets);
        assert_eq!((results.games(), found.len()), (160, targets.len()));
    }
}

#[test]
#[ignore = "needs fixtures that are not in the repository"]
fn larger_matches_agree_with_the_reference() {
    let folder = std::env::var_os("KOMADAI_BOOK_FIXTURES").expect("the folder is named");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let suffix = ".shiba.expected.json";
    let mut checked = 0;
    for path in files.filter(|path| path.to_string_lossy().ends_with(suffix)) {
        let stem = path.to_str().unwrap().strip_suffix(suffix).unwrap().to_owned();
        check_match(&stem, &path);
        checked += 1;
    }
    assert!(checked > 0);
}

fn check_match(stem: &str, expected: &Path) {
    let book = read_book(&std::fs::read(format!("{stem}.db")).unwrap());
    let color = |value: &Value| match value.as_str().unwrap() {
        "b" => Some(Color::Black),
        "w" => Some(Color::White),
        _ => None,
    };
    let lines = std::fs::read_to_string(format!("{stem}.games.jsonl")).unwrap();
    let games: Vec<BookGame> = lines
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let made = row["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap());
            let made = made.collect::<Vec<_>>().join(" ");
            game(&made, color(&row["book"]).unwrap(), color(&row["result"]))
        })
        .collect();
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(expected).unwrap()).unwrap();
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = |name: &str| -> Vec<ResultRow> {
        let rows = expected[name].as_array().unwrap().iter().map(|row| {
            let results = ["win", "draw", "loss"].map(|result| number(&row[result]));
            (string(&row["sfen"]), string(&row["move"]), results, number(&row["alternatives"]))
        });
        rows.collect()
    };
    let targets: Vec<(String, u32)> = expected["extend"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (string(&row[0]), number(&row[1])))
        .collect();
    let (results, found) = study(&games, &book);
    assert_eq!(result_rows(&results), rows("stats"), "{stem}");
    assert_eq!(pruned_rows(&results), rows("delete"), "{stem}");
    assert_eq!(target_rows(&found), targets, "{stem}");
}

#[test]
fn a_game_that_left_the_book_stays_outside() {
    let record = |(line, m): (&str, &str)| {
        let mut position = Position::hirate();
        moves(line).into_iter().for_each(|m| position.do_move(m));
        BookRecord::with_moves(position.without_history(), [m.parse().unwrap()])
    };
    let lines = [("", "2h3h"), ("2h3h 8b7b", "3h2h"), ("2h3h 8b7b 3h2h 7b8b", "1g1f")];
    let book = BookGraph::from_records(lines.map(record)).unwrap();
    // The start position recurs after four moves; the second time another move is made there.
    let made = game("2h3h 8b7b 3h2h 7b8b 7g7f 3c3d 2g2f", Color::Black, None);
    let walk = GameWalk::new(&made, &book).unwrap();
    assert_eq!((walk.left_at(), walk.in_book().len(), walk.beyond().len()), (Some(4), 2, 2));
    assert_eq!(walk.beyond()[0].known(), Some(2), "the position is known, the move is not");
    let mut targets = ExtensionTargets::default();
    targets.add(&walk);
    assert_eq!(targets.len(), 1);
    // A game with repetitions inside the book counts each of its moves once.
    let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(2);
    let round = game(&shuffle, Color::Black, Some(Color::White));
    let walk = GameWalk::new(&round, &book).unwrap();
    assert_eq!((walk.left_at(), walk.in_book().len()), (None, 4));
    let mut results = GameResults::new();
    results.add(9, &round, &walk);
    let counted: Vec<_> = results.moves().iter().map(|row| row.results().to_string()).collect();
    assert_eq!(counted, ["0-0-1", "0-0-1"]);
}

#[test]
fn impossible_games_are_refused_with_the_reason() {
    let book = BookGraph::from_records([]).unwrap();
    let illegal = game("7g7f 7g7f", Color::Black, None);
    let error = GameWalk::new(&illegal, &book).unwrap_err();
    assert!(matches!(error, GameError::IllegalMove { number: 2, .. }), "{error}");
    let two_pawns = "4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1".parse::<Setup>();
    let start = two_pawns.unwrap();
    let error = GameWalk::new(&BookGame { start, ..illegal.clone() }, &book).unwrap_err();
    assert!(matches!(error, GameError::Start(_)), "{error}");
    let clock = BookGame { times_ms: vec![1], ..game("7g7f 3c3d", Color::Black, None) };
    let error = BookUse::of(&clock, &UseOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "found 1 times for 2 moves, expected 2 or 0");
    assert!(Branches::at(1).add(&illegal).is_err());
}

/// Returns a game in which both sides choose among few moves of rooks and pawns, so that
/// transpositions and repetitions are frequent.
fn small_game(choices: &[u8], book_side: Color, winner: Option<Color>) -> BookGame {
    let few = ["2h3h", "3h2h", "8b7b", "7b8b", "7g7f", "3c3d", "5g5f", "5c5d"];
    let few: Vec<Move> = few.iter().map(|m| m.parse().unwrap()).collect();
    let mut position = Position::hirate();
    let mut made = game("", book_side, winner);
    for &choice in choices {
        let legal: Vec<Move> = few.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let m = legal[usize::from(choice) % legal.len()];
        made.moves.push(m);
        position.do_move(m);
    }
    made
}

/// Returns position and move as text, with Black to move.
fn canonical(position: &Position, m: Move) -> (String, String) {
    match position.side() {
        Color::Black => (text(position), m.to_string()),
        Color::White => (text(&position.flipped()), m.flipped().to_string()),
    }
}

type Counts = BTreeMap<(String, String), [u32; 3]>;

/// The oracle, which follows the definition literally: for each game go through the turns of the
/// book's side, count each position and move once until the book is left, then take eight turns.
fn by_definition(games: &[BookGame], book: &BookGraph) -> (Counts, BTreeMap<String, u32>) {
    let (mut counts, mut targets) = (Counts::new(), BTreeMap::new());
    for game in games {
        let mut position = Position::from_setup(&game.start).unwrap();
        let (mut has_left, mut taken, mut seen) = (false, 0, Vec::new());
        for &m in &game.moves {
            if position.side() == game.book_side {
                let entry = book.record(&position);
                has_left |= entry
                    .as_ref()
                    .is_none_or(|entry| entry.moves.iter().all(|listed| listed.m != m));
                let key = canonical(&position, m);
                if has_left && taken < 8 {
                    taken += 1;
                    if entry.is_none() {
                        *targets.entry(key.0).or_default() += 1;
                    }
                } else if !has_left && !seen.contains(&key) {
                    seen.push(key.clone());
                    let result = match game.winner {
                        Some(winner) if winner == game.book_side => 0,
                        None => 1,
                        Some(_) => 2,
                    };
                    counts.entry(key).or_default()[result] += 1;
                }
            }
            position.do_move(m);
        }
    }
    (counts, targets)
}

proptest! {
    #[test]
    fn results_and_targets_follow_their_definition(
        games in prop::collection::vec(
            (prop::collection::vec(0..8_u8, 0..24), any::<bool>(), 0..3_u8, any::<bool>()),
            0..12,
        ),
        known in prop::collection::vec(prop::collection::vec(0..8_u8, 1..12), 0..6),
    ) {
        let games: Vec<BookGame> = games
            .into_iter()
            .map(|(choices, is_black, result, is_turned)| {
                let side = if is_black { Color::Black } else { Color::White };
                let winner = [Some(Color::Black), Some(Color::White), None][usize::from(result)];
                let made = small_game(&choices, side, winner);
                if is_turned { turned(&made) } else { made }
            })
            .collect();
        let mut records = Vec::new();
        for line in known {
            let mut position = Position::hirate();
            for m in small_game(&line, Color::Black, None).moves {
                records.push(BookRecord::with_moves(position.without_history(), [m]));
                position.do_move(m);
            }
        }
        let book = BookGraph::from_records(records).unwrap();
        let (results, found) = study(&games, &book);
        let rows: Counts = result_rows(&results)
            .into_iter()
            .map(|(sfen, m, counts, _)| ((sfen, m), counts))
            .collect();
        let targets: BTreeMap<String, u32> = target_rows(&found).into_iter().collect();
        let (expected_rows, expected_targets) = by_definition(&games, &book);
        prop_assert_eq!(rows, expected_rows);
        prop_assert_eq!(targets, expected_targets);
    }
}
