//! What games say about a book, against a reference implementation and by hand.
//!
//! `KOMADAI_BOOK_FIXTURES=folder cargo test -p komadai-book --test it -- shiba --ignored` reads from the
//! folder every `NAME.shiba.expected.json` with `NAME.db` and `NAME.games.jsonl` beside it, which
//! are too large for this repository.

use std::collections::BTreeMap;
use std::path::Path;

use komadai_book::ListError;
use komadai_book::games::{
    BookUse, Branches, ExtensionTargets, GameError, GameOutcome, GameResults, GameWalk, KnownMoves,
    PruneOptions, PruneReason, PruneScope, Removal, RemovedMoves, ReviewList, UseGrouping,
    UseOptions, UseTable, WinDrawLoss,
};
use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Move, Position, Setup};
use komadai_kifu::Tolerance;
use komadai_movegen::MoveGen;
use komadai_testdata::Outcome;
use komadai_testdata::books::match_games;
use proptest::prelude::*;
use serde_json::Value;

fn read_book(text: &[u8]) -> BookGraph {
    BookGraph::from_db(text, Tolerance::Strict).unwrap()
}

fn moves(text: &str) -> Vec<Move> {
    text.split_ascii_whitespace().map(|m| m.parse().unwrap()).collect()
}

fn game(text: &str, book_side: Color, winner: Option<Color>) -> BookGame {
    BookGame {
        start: Setup::hirate(),
        moves: moves(text),
        book_side,
        winner,
        opponent: "engine".to_owned(),
        generation: 0,
        left_at: None,
        times_ms: Vec::new(),
        scores: Vec::new(),
        ending: "resignation".to_owned(),
        when: 0,
    }
}

fn fixture_games() -> Vec<BookGame> {
    let read = |row: match_games::GameRow| {
        let book_side = if row.book_side_is_black { Color::Black } else { Color::White };
        let winner = match row.outcome {
            Outcome::BlackWins => Some(Color::Black),
            Outcome::WhiteWins => Some(Color::White),
            _ => None,
        };
        game(row.moves, book_side, winner)
    };
    match_games::games().map(read).collect()
}

/// The same game from the other side of the board.
fn turned(game: &BookGame) -> BookGame {
    BookGame {
        start: game.start.flipped(),
        moves: game.moves.iter().map(|m| m.flipped()).collect(),
        book_side: !game.book_side,
        winner: game.winner.map(|winner| !winner),
        ..game.clone()
    }
}

fn study(games: &[BookGame], book: &dyn KnownMoves) -> (GameResults, ExtensionTargets) {
    let (mut results, mut targets) = (GameResults::new(), ExtensionTargets::default());
    for (number, game) in (0..).zip(games) {
        let walk = GameWalk::new(game, book).unwrap();
        results.add(number, game, &walk);
        targets.add(&walk);
    }
    (results, targets)
}

/// A position's text without its move number.
fn text(position: &Position) -> String {
    position.to_string().rsplit_once(' ').unwrap().0.to_owned()
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
fn larger_matches_say_what_the_reference_says() {
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
fn the_book_is_left_once_and_for_all() {
    let record = |(line, m): (&str, &str)| {
        let mut position = Position::hirate();
        moves(line).into_iter().for_each(|m| position.do_move(m));
        BookRecord::with_moves(position.without_history(), [m.parse().unwrap()])
    };
    let lines = [("", "2h3h"), ("2h3h 8b7b", "3h2h"), ("2h3h 8b7b 3h2h 7b8b", "1g1f")];
    let book = BookGraph::from_records(lines.map(record)).unwrap();
    // The start comes back after four moves; the second time another move is made there.
    let made = game("2h3h 8b7b 3h2h 7b8b 7g7f 3c3d 2g2f", Color::Black, None);
    let walk = GameWalk::new(&made, &book).unwrap();
    assert_eq!((walk.left_at(), walk.in_book().len(), walk.beyond().len()), (Some(4), 2, 2));
    assert_eq!(walk.beyond()[0].known(), Some(2), "the position is known, the move is not");
    let mut targets = ExtensionTargets::default();
    targets.add(&walk);
    assert_eq!(targets.len(), 1);
    // A game that goes round in the book counts each of its moves once.
    let walk_about = "2h3h 8b7b 3h2h 7b8b ".repeat(2);
    let round = game(&walk_about, Color::Black, Some(Color::White));
    let walk = GameWalk::new(&round, &book).unwrap();
    assert_eq!((walk.left_at(), walk.in_book().len()), (None, 4));
    let mut results = GameResults::new();
    results.add(9, &round, &walk);
    let counted: Vec<_> = results.moves().iter().map(|row| row.results().to_string()).collect();
    assert_eq!(counted, ["0-0-1", "0-0-1"]);
}

#[test]
fn games_that_cannot_be_are_refused_with_the_reason() {
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

/// Results of one move against two opponents: fine against one, bad against the other.
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
    // All these games are the same but for their result.
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
fn limits_are_where_they_say() {
    let judge = |wins, draws, losses| {
        PruneOptions::default().reason_to_prune(WinDrawLoss { wins, draws, losses })
    };
    assert_eq!(judge(0, 0, 2), None, "too few games");
    assert_eq!(judge(0, 0, 3), Some(PruneReason::AllLost));
    assert_eq!(judge(3, 0, 7), None, "30 % is enough");
    assert_eq!(judge(2, 1, 7), Some(PruneReason::LowRate));
    let none = PruneOptions { min_games: 0, ..PruneOptions::default() };
    assert_eq!(none.reason_to_prune(WinDrawLoss::default()), None);
    assert_eq!(
        none.reason_to_prune(WinDrawLoss { losses: 1, ..Default::default() }),
        Some(PruneReason::AllLost)
    );
}

#[test]
fn a_reviewed_list_says_what_its_reader_decided() {
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
    // The reader keeps the first move.
    let kept = text.lines().map(|line| {
        if line.contains(" 2g2f ") { format!("#{line}\r\n") } else { format!("{line}\r\n") }
    });
    let kept: String = kept.collect();
    let left = Removal::read_list(kept.as_bytes()).unwrap();
    assert_eq!(left, all[1..]);

    let mut removed = RemovedMoves::new();
    let applied = removed.apply(left.clone(), &book);
    assert_eq!((applied.removed, applied.already), (1, 0));
    let applied = removed.apply(all.clone(), &book);
    assert_eq!((applied.removed, applied.already), (1, 1));
    assert!(applied.emptied.is_empty() && applied.unknown.is_empty());
    let start = Position::hirate();
    assert_eq!(removed.of(&book).known_moves(&start).unwrap().len(), 1);
    // From the other side of the board the same moves are gone.
    let flipped = start.flipped();
    assert!(removed.contains(&flipped, all[0].m.flipped()));
    assert_eq!(removed.of(&book).known_moves(&flipped).unwrap().len(), 1);
    let last = Removal { position: start.clone(), m: "7g7f".parse().unwrap() };
    let stranger = Removal { position: start.clone(), m: "1g1f".parse().unwrap() };
    let applied = removed.apply([last, stranger.clone()], &book);
    assert_eq!((applied.emptied, applied.unknown), (vec![start.clone()], vec![stranger]));
    assert_eq!((removed.len(), removed.iter().count()), (3, 3));
    // Everything can be undone.
    for removal in removed.clone().iter() {
        assert!(removed.restore(&removal.position, removal.m));
    }
    assert!(removed.is_empty() && !removed.restore(&start, all[0].m));
    assert_eq!(removed.of(&book).known_moves(&start), book.known_moves(&start));
}

#[test]
fn a_list_that_is_at_fault_is_refused_as_a_whole() {
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
fn json_says_the_same() {
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

/// A game with a clock and values: the book's side is White and leaves the book at the fourth move.
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
fn the_clock_tells_what_the_book_is_worth() {
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
fn tables_put_games_together() {
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
    let sum: WinDrawLoss = points.iter().flat_map(|point| &point.moves).map(|(_, r)| *r).sum();
    assert_eq!(sum, games.iter().map(GameOutcome::of).collect());
    let most = counts.iter().max_by_key(|(_, results)| results.games()).unwrap();
    let frequent = points.iter().flat_map(|point| &point.moves);
    let frequent = frequent.max_by_key(|(_, results)| results.games()).unwrap();
    assert!(most.0.ends_with(&frequent.0.to_string()), "{most:?} {frequent:?}");
    let frequent_games = frequent.1.games();
    assert!(frequent_games >= most.1.games());
    assert!(points.is_sorted_by_key(|point| {
        let games: u64 = point.moves.iter().map(|(_, results)| results.games()).sum();
        std::cmp::Reverse(games)
    }));
    assert!(branches.to_string().lines().count() > points.len() * 2);
}

/// A game in which both sides choose among few moves, so that games meet and repeat themselves: the
/// rooks' walks and some pawns.
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

/// Position and move as texts, with Black to move.
fn canonical(position: &Position, m: Move) -> (String, String) {
    match position.side() {
        Color::Black => (text(position), m.to_string()),
        Color::White => (text(&position.flipped()), m.flipped().to_string()),
    }
}

type Counts = BTreeMap<(String, String), [u32; 3]>;

/// The definition, word for word: per game walk through the turns of the book's side, count each
/// position and move once until the book is left, then take eight turns.
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
