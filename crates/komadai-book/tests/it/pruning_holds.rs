//! Moves that are kept although their results fail the limits of pruning.

use komadai_book::games::{GameResults, GameWalk, PruneHold, PruneOptions, Removal, ReviewList};
use komadai_book::store::Deletion;
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Position, Score};
use serde_json::Value;

use crate::sample_games::{game, moves};

/// Returns a book with Black's moves of a line, each with a worse alternative.
fn book_of(line: &str, values: [i32; 2]) -> BookGraph {
    let mut position = Position::hirate();
    let mut records = Vec::new();
    for m in moves(line) {
        if position.side() == Color::Black {
            let valued = |m, cp| RecordMove { score: Some(Score::cp(cp)), ..RecordMove::new(m) };
            let mut record = BookRecord::new(position.without_history());
            record.moves = vec![valued(m, values[0]), valued("9i9h".parse().unwrap(), values[1])];
            records.push(record);
        }
        position.do_move(m);
    }
    BookGraph::from_records(records).unwrap()
}

fn results(games: &[BookGame], book: &BookGraph) -> GameResults {
    let mut results = GameResults::new();
    for (number, game) in (0..).zip(games) {
        results.add(number, game, &GameWalk::new(game, book).unwrap());
    }
    results
}

/// Returns the moves of the candidates with the reasons to keep them.
fn holds(results: &GameResults, options: &PruneOptions) -> Vec<(String, Option<PruneHold>)> {
    let candidates = results.prune_candidates(options);
    candidates.into_iter().map(|candidate| (candidate.m.to_string(), candidate.hold)).collect()
}

fn held(results: &GameResults, options: &PruneOptions) -> [Vec<String>; 3] {
    let all = holds(results, options);
    [None, Some(PruneHold::LaterMove), Some(PruneHold::Value)].map(|wanted| {
        let found = all.iter().filter(|(_, hold)| *hold == wanted);
        let mut found: Vec<String> = found.map(|(m, _)| m.clone()).collect();
        found.sort_unstable();
        found
    })
}

const LINE: &str = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e";

#[test]
fn of_moves_that_share_lost_games_the_last_one_goes() {
    let book = book_of(LINE, [20, 10]);
    let lost = |line: &str| game(line, Color::Black, Some(Color::White));
    let mut games = vec![lost(LINE); 3];
    let options = PruneOptions::default();
    let none: [&str; 0] = [];
    let [free, later, value] = held(&results(&games, &book), &options);
    assert_eq!(
        (free, later, value),
        (
            vec!["2f2e".to_owned()],
            vec!["2g2f".into(), "7g7f".into()],
            none.map(String::from).into()
        )
    );

    // A move that has lost other games too waits as long as two are shared.
    games.extend(vec![lost("7g7f 8c8d"); 4]);
    let [free, later, _] = held(&results(&games, &book), &options);
    assert_eq!((free, later), (vec!["2f2e".to_owned()], vec!["2g2f".into(), "7g7f".into()]));
    // One shared game of several is chance.
    let mut games = vec![lost("7g7f 8c8d"); 4];
    games.push(lost("7g7f 3c3d 2g2f 8c8d"));
    let one = PruneOptions { min_games: 1, ..options };
    let [free, later, _] = held(&results(&games, &book), &one);
    assert_eq!((free.len(), later.len()), (2, 0), "{free:?}");
    // Unless it is the only one.
    let [free, later, _] = held(&results(&games[4..], &book), &one);
    assert_eq!((free, later), (vec!["2g2f".to_owned()], vec!["7g7f".into()]));

    let all = results(&vec![lost(LINE); 3], &book).prune_candidates(&options);
    let deletions = Deletion::of_candidates(&all, 7, 1);
    assert_eq!(deletions.len(), 1);
    assert_eq!(deletions[0].games, [0, 1, 2]);
    assert!(deletions[0].reason.starts_with("all lost: 0-0-3 (1 different games)"));
}

#[test]
fn a_value_outweighs_few_games() {
    // The values of the move that docs/shiba.md discusses: +53, the next move -19.
    let book = book_of("7g7f 3c3d", [53, -19]);
    let endings = [
        "1a1b", "9a9b", "8b7b", "8b6b", "8b5b", "4a4b", "3a4b", "6a5b", "5a4b", "7a6b", "3a3b",
        "7a7b",
    ];
    let different = |count: usize| -> Vec<BookGame> {
        let games = endings.iter().take(count).enumerate();
        let games = games.map(|(index, reply)| {
            let winner = if index < 2 { Color::Black } else { Color::White };
            game(&format!("7g7f {reply}"), Color::Black, Some(winner))
        });
        games.collect()
    };
    let options = PruneOptions::default();
    let hold = |games: &[BookGame], options: &PruneOptions, book: &BookGraph| {
        let found = holds(&results(games, book), options);
        assert_eq!(found.len(), 1);
        found[0].1
    };
    assert_eq!(hold(&different(8), &options, &book), Some(PruneHold::Value));
    assert_eq!(hold(&different(11), &options, &book), None, "eleven games are enough");
    // Repeated games are no further evidence.
    let repeated = [different(8), different(8)].concat();
    assert_eq!(hold(&repeated, &options, &book), Some(PruneHold::Value));
    let near = book_of("7g7f 3c3d", [53, 4]);
    assert_eq!(hold(&different(8), &options, &near), None, "49 centipawns");
    assert_eq!(hold(&different(8), &PruneOptions { guard_games: 0, ..options }, &book), None);
    assert_eq!(hold(&different(8), &PruneOptions { guard_cp: 73, ..options }, &book), None);
    let only = BookRecord::with_moves(Position::hirate(), ["7g7f".parse().unwrap()]);
    let only = BookGraph::from_records([only]).unwrap();
    assert_eq!(hold(&different(8), &options, &only), None, "no other move, no comparison");
}

#[test]
fn a_move_kept_for_its_value_holds_no_other() {
    let mut book = vec![];
    let lost = vec![game(LINE, Color::Black, Some(Color::White)); 3];
    for (line, values) in [("7g7f", [20, 10]), (LINE, [90, 10])] {
        book.push(book_of(line, values));
    }
    let mut position = Position::hirate();
    moves("7g7f 3c3d 2g2f 8c8d").into_iter().for_each(|m| position.do_move(m));
    let mut records = vec![book[0].record(&Position::hirate()).unwrap()];
    records.push(book[1].record(&position).unwrap());
    let middle = Position::hirate().after("7g7f".parse().unwrap()).after("3c3d".parse().unwrap());
    records.push(BookRecord::with_moves(middle.without_history(), ["2g2f".parse().unwrap()]));
    let book = BookGraph::from_records(records).unwrap();
    let [free, later, value] = held(&results(&lost, &book), &PruneOptions::default());
    assert_eq!(
        (free, later, value),
        (vec!["2g2f".to_owned()], vec!["7g7f".into()], vec!["2f2e".into()])
    );
}

#[test]
fn a_list_shows_kept_moves_without_proposing_them() {
    let book = book_of(LINE, [20, 10]);
    let lost = vec![game(LINE, Color::Black, Some(Color::White)); 3];
    let list = ReviewList::new(results(&lost, &book).prune_candidates(&PruneOptions::default()));
    let text = list.to_string();
    assert_eq!(Removal::read_list(text.as_bytes()).unwrap().len(), 1, "{text}");
    assert_eq!(text.matches("a later move goes first").count(), 2);
    // Without the mark, they are removed as well.
    let unmarked = text.replace("\n#l", "\nl");
    assert_eq!(Removal::read_list(unmarked.as_bytes()).unwrap().len(), 3, "{unmarked}");
    let json: Value = serde_json::from_str(&list.to_json()).unwrap();
    let holds: Vec<&Value> =
        json.as_array().unwrap().iter().map(|candidate| &candidate["hold"]).collect();
    assert_eq!(holds.iter().filter(|hold| hold.is_null()).count(), 1, "{holds:?}");
}
